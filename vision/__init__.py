"""Frames in, physical events out: no rules."""
