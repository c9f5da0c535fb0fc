"""Frames in, physical events out: no rules."""

import calibration  # noqa: F401  # says, before numpy is imported, how many threads it may have
