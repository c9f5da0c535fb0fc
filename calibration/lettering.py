"""Words in pictures, in the signs that OpenCV draws: until its version 5 it has no letters with accents."""

from __future__ import annotations

import unicodedata

import cv2

ACCENTS = int(cv2.__version__.partition(".")[0]) >= 5
PLAIN = str.maketrans({"\N{NO-BREAK SPACE}": " ", "’": "'", "«": '"', "»": '"', "œ": "oe", "Œ": "Oe"})


def drawable(text: str, accents: bool = ACCENTS) -> str:
    """A text as it can be drawn. accents: whether letters with accents can; else they are drawn without."""
    plain = text.translate(PLAIN)
    if accents:
        return plain
    return "".join(sign for sign in unicodedata.normalize("NFD", plain) if not unicodedata.combining(sign))
