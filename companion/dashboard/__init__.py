"""Pages, API and live stream."""
