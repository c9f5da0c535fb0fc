"""Figures have a decimal comma in French, and nothing else that has a point in it changes."""

from __future__ import annotations

import pytest

from calibration.board_problems import ERROR, Problem
from calibration.check_words import told
from calibration.figures import figures_in


@pytest.mark.parametrize(
    ("text", "french"),
    [
        ("au repos depuis 6.7 s ; attendu", "au repos depuis 6,7 s ; attendu"),
        ("écart 0.25 px, à 0.3\N{NO-BREAK SPACE}mm", "écart 0,25 px, à 0,3\N{NO-BREAK SPACE}mm"),
        ("812.3 ± 1.2 px, un plateau de 650.5 x 650 mm", "812,3 ± 1,2 px, un plateau de 650,5 x 650 mm"),
        ("(0.3 s sur 1.0 s)", "(0,3 s sur 1,0 s)"),
        ("abîmé à 2.0 s, 3.1–4.0 s (autres", "abîmé à 2,0 s, 3,1–4,0 s (autres"),
        ("attendu 2.4 à 2.6 mm", "attendu 2,4 à 2,6 mm"),
        ("aux coins : 0.21, 0.25, 0.30, 0.22 mm", "aux coins : 0,21 ; 0,25 ; 0,30 ; 0,22 mm"),
        ("la distorsion (k1 +0.12) est estimée", "la distorsion (k1 +0,12) est estimée"),
        ("oscille de 1.5 %", "oscille de 1,5 %"),
    ],
)
def test_a_figure_with_its_unit_has_a_comma_in_french(text: str, french: str) -> None:
    assert figures_in("fr", text) == french
    assert figures_in("en", text) == text


@pytest.mark.parametrize(
    "text",
    ["http://127.0.0.1:8000", "Python 3.11 ou plus récent", "OpenCV 4.10.0 images", "[rim] width : trouvé 2.5, attendu",
     "--exposure 0.004", "film.mp4 : 30 images", "plateau 28.5x9", "2,5 s’écrit ici 2.5, avec un point"],
)  # fmt: skip
def test_what_is_no_figure_with_a_unit_stays(text: str) -> None:
    assert figures_in("fr", text) == text


def test_the_check_and_the_mistakes_of_a_board_have_their_figures_so() -> None:
    figures = {"middle": "0.25", "worst": "0.81"}
    assert told("accuracy", figures, "fr") == "un endroit est juste à 0,25 mm près, au pire à 0,81 mm (un sigma)"
    assert "0.25 mm" in told("accuracy", figures)
    narrow = Problem("door north", "door.narrow", ERROR, {"mm": "27.5", "puck": "28"})
    assert narrow.text("fr").startswith("la porte fait 27,5 mm, un palet 28 mm")
