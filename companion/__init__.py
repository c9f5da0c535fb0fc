"""Rules, scores, journal and dashboard."""

import calibration  # noqa: F401  # says, before numpy is imported, how many threads it may have
