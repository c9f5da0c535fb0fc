"""What calibration, files and the check of requests say in English, in French.

All lie below what speaks French and compose whole sentences; each is found again by the pattern of its words.
"""

from __future__ import annotations

import re
from functools import cache

from companion.words import kept, typeset

GAP = re.compile(r"\{(\w+)\}")
PHRASES = ("source", "seen", "expected", "reason", "error", "what", "wanted", "which", "choices", "third")
"""Values that may be words themselves, not what a person or a file has called something."""


@cache
def trouble_texts() -> dict[str, str]:
    """Sentences with {gaps} in English -> the same in French."""
    texts: dict[str, str] = kept("troubles.json")
    return texts


def trouble_in_french(told: str) -> str:
    """A sentence in French as it is printed; in English where it has none."""
    return typeset(in_french(told))


def in_french(told: str) -> str:
    """A sentence, or a phrase, in French; as it is where it has none."""
    for pattern, french in _patterns():
        fits = pattern.fullmatch(told)
        if fits:
            values = fits.groupdict()
            return french.format(**{name: in_french(v) if name in PHRASES else v for name, v in values.items()})
    return told


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    """The sentences as patterns, those with the most words of their own first."""
    found = sorted(trouble_texts().items(), key=lambda pair: -len(GAP.sub("", pair[0])))
    return tuple((_pattern(english), french) for english, french in found)


def _pattern(english: str) -> re.Pattern[str]:
    parts = GAP.split(english)
    told = (f"(?P<{part}>.+?)" if n % 2 else re.escape(part) for n, part in enumerate(parts))
    return re.compile("".join(told), re.DOTALL)
