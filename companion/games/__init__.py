"""The games: each a value and functions."""
