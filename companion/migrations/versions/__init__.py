"""One module a step; they are applied in order when a journal is opened."""
