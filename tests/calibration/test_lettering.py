"""What is written into pictures is readable by what OpenCV has for letters."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.lettering import drawable


@pytest.mark.parametrize(
    ("text", "with_accents", "without"),
    [
        ("résidu 0,31 px", "résidu 0,31 px", "residu 0,31 px"),
        ("n’a rien\N{NO-BREAK SPACE}: « cœur »", "n'a rien : \" coeur \"", "n'a rien : \" coeur \""),
        ("red 7", "red 7", "red 7"),
    ],
)
def test_letters_that_cannot_be_drawn_stand_without_their_accents(text: str, with_accents: str, without: str) -> None:
    assert drawable(text, accents=True) == with_accents
    assert drawable(text, accents=False) == without


def test_nothing_of_what_is_drawn_is_a_question_mark() -> None:
    def drawn(text: str) -> np.ndarray:
        picture = np.zeros((40, 40), np.uint8)
        cv2.putText(picture, text, (8, 30), cv2.FONT_HERSHEY_SIMPLEX, 1.0, 255, 1)
        return picture

    unknown = drawn("?")
    for sign in "éèêàâùûîïôç’\N{NO-BREAK SPACE}ÀÉ":
        assert not np.array_equal(drawn(drawable(sign)), unknown), sign
