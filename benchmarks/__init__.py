"""How quick and how sparing the parts are, measured."""

import calibration  # noqa: F401  # tells numpy how many threads to use, before it is loaded
