"""What calibration, files, commands and the check of requests say in English, in French.

All lie below what speaks French and compose whole sentences; each is found again by the pattern of its words.
"""

from __future__ import annotations

import re
from functools import cache

from calibration.figures import figures_in
from companion.games.base import GameError
from companion.words import kept, refusal_in_french, typeset

GAP = re.compile(r"\{(\w+)\}")
COLON = re.compile(r": ")
# signs of its own that what may be expected has: "{first} or {last}" is no sentence, though many have an "or"
MOST_OF_PHRASE = len(" or ")
# values that may be words themselves, not what a person or a file has called something
PHRASES = ("source", "seen", "expected", "reason", "error", "what", "wanted", "which", "choices", "third")


@cache
def trouble_texts() -> dict[str, str]:
    """Sentences with {gaps} in English -> the same in French."""
    texts: dict[str, str] = kept("troubles.json")
    return texts


def trouble_in_french(told: str) -> str:
    """A sentence in French as it is printed; in English where it has none."""
    return typeset(in_french(told))


def error_in_french(error: BaseException) -> str:
    """What a command ends with, in French as it is printed."""
    if isinstance(error, GameError):
        return refusal_in_french(error)
    told = line_in_french(str(error))
    troubles = getattr(error, "troubles", ())
    if not troubles or told != figures_in("fr", str(error)):  # what has no French has the figures of a French line
        return told
    from companion.sensor_words import troubles as of_ports  # brings the sensor board along

    return typeset(of_ports(troubles).fr)


def line_in_french(told: str) -> str:
    """A line in French as it is printed, whole, or what follows the name of a file in it; as it is where neither is.

    Of all ways to read it the one counts that leaves the least to the gaps; of those alike the one after most names.
    """
    if told in trouble_texts():
        return trouble_in_french(told)
    starts = [0, *(found.end() for found in COLON.finditer(told))][::-1]
    read = [(own, told[:start].replace(": ", " : ") + french)
            for start in starts for own, french in [_read(told[start:])] if own > MOST_OF_PHRASE]  # fmt: skip
    return typeset(max(read, key=lambda one: one[0])[1]) if read else figures_in("fr", told)


def lines_in_french(told: str) -> str:
    """What a command prints, each line in French as it is printed, as far in as it was."""
    lines = ((line, line.lstrip()) for line in told.split("\n"))
    return "\n".join(line.removesuffix(text) + line_in_french(text) for line, text in lines)


def in_french(told: str) -> str:
    """A sentence, or a phrase, in French; as it is where it has none."""
    return _read(told)[1]


def _read(told: str) -> tuple[int, str]:
    """The same, and how many signs of it are not in gaps, or in phrases that stand there; 0 where it has no French."""
    readings = [(0, told)]
    for own, pattern, french in _patterns():
        if fits := pattern.fullmatch(told):
            read = {name: _read(v) if name in PHRASES else (0, v) for name, v in fits.groupdict().items()}
            signs = sum(of_phrase for of_phrase, _ in read.values())
            readings.append((own + signs, french.format(**{name: value for name, (_, value) in read.items()})))
    return max(readings, key=lambda one: one[0])


@cache
def _patterns() -> tuple[tuple[int, re.Pattern[str], str], ...]:
    """The sentences as patterns, those with the most words of their own first."""
    found = ((len(GAP.sub("", english)), _pattern(english), french) for english, french in trouble_texts().items())
    return tuple(sorted(found, key=lambda one: -one[0]))


def _pattern(english: str) -> re.Pattern[str]:
    parts = GAP.split(english)
    told = (f"(?P<{part}>.+?)" if n % 2 else re.escape(part) for n, part in enumerate(parts))
    return re.compile("".join(told), re.DOTALL)
