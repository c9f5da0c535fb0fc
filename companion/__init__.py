"""Rules, scores, journal and dashboard."""
