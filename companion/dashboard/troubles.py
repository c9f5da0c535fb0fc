"""What calibration and the check of requests say in English, in the language of a request."""

from __future__ import annotations

from companion.dashboard.texts import language
from companion.troubles import trouble_in_french


def trouble(told: str) -> str:
    """A sentence in the language of this request; in English where it has no French."""
    return trouble_in_french(told) if language() == "fr" else told
