"""The picture of a shot has its words in the reader's language."""

from __future__ import annotations

import numpy as np

from companion.explain_words import drawn_in, written_in
from tests.vision.test_explain import explained
from vision.explain import draw_shot, sentences

STRUCK = "nothing was seen to strike p2; p1 came nearest (3.4 mm off)"


def test_in_french_every_line_is_french_with_pucks_doors_and_figures_as_the_french_have_them() -> None:
    assert written_in("fr", explained(STRUCK, "2 frames are missing")) == [
        "coup 4 à 5,00 s : rouge 7 joué, au repos après 300 ms",
        "1 : rouge 7 a touché vert 3 après 100 ms, sûr à 97 %",
        "vert 3 est entré par rouge nord-ouest après 250 ms, à 21,5 mm derrière sa ligne",
        "rouge 7 est sorti par-dessus le bord après 280 ms",
        "à vérifier : On n’a rien vu heurter vert 3 ; le plus proche était rouge 7, à 3,4 mm.",
        "à vérifier : Il manque des images : 2.",
    ]


def test_there_are_as_many_lines_as_in_english() -> None:
    told = explained(STRUCK)
    assert len(written_in("fr", told)) == len(written_in("en", told)) == len(sentences(told))


def test_the_picture_is_the_same_but_for_the_words() -> None:
    told = explained(STRUCK)
    english, french = drawn_in("en", told), drawn_in("fr", told)
    assert np.array_equal(english, draw_shot(told))
    assert english.shape == french.shape
    board = english.shape[0] - english.shape[1]  # the words are below a square
    changed = (english != french).any(axis=2)
    assert changed[-board:].any()
    assert changed[:-board].any(), "pucks are called otherwise beside their paths"
    assert changed[:-board].mean() < 0.01


def test_a_doubt_is_yellow_in_either_language() -> None:
    for language in ("en", "fr"):
        sure, doubtful = drawn_in(language, explained()), drawn_in(language, explained("2 frames are missing"))
        added = doubtful[sure.shape[0] - 16 :].astype(int)
        assert (added[..., 2] - added[..., 0]).max() > 150, language
        assert np.ptp(sure[sure.shape[1] :].astype(int), axis=2).max() == 0, language
