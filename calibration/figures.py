"""Figures, and what stands before them, as a language writes them: in French with a decimal comma."""

from __future__ import annotations

import re

COLON = {"en": ": ", "fr": "\N{NO-BREAK SPACE}: "}
UNITS = "mm|cm|m/s|ms|s|px|pixels?|ppm|%|M[io]{1,2}|Go|images|niveaux"
OTHERS = r"(?:(?:, ?| (?:à|et|ou|sur|x|±|obtenu) | ?– ?|, obtenu )[+-]?\d+(?:[.,]\d+)?)*"  # that have the same unit
MEASURED = rf"(?<![\w.,])\d+\.\d+(?={OTHERS}\)?[ \N{{NO-BREAK SPACE}}](?:{UNITS})(?!\w))"
FIGURE = re.compile(rf"{MEASURED}|(?<=k1 [+-])\d\.\d+")  # how much a lens bends has no unit
LISTED = re.compile(r"(\d,\d+), (?=[+-]?\d+,\d)")


def figure(language: str, value: float, digits: int = 2) -> str:
    """A figure with so many digits after its point, or comma."""
    told = f"{value:.{digits}f}"
    return told.replace(".", ",") if language == "fr" else told


def figures_in(language: str, text: str) -> str:
    """A text with its figures as the language writes them: those that have a unit.

    What has no unit stays: it may be a version, an address, or what somebody has typed or put into a file.
    """
    if language != "fr":
        return text
    return LISTED.sub(r"\1 ; ", FIGURE.sub(lambda found: found[0].replace(".", ","), text))
