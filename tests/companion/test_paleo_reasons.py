"""Why the camera is not certain, told to players in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.games import paleo
from companion.games.paleo_reasons import KNOWN, reasons_in_words
from tests.companion.paleo_table import PaleoTable
from vision.accounts import UNFIT
from vision.runners import FASTER, NUDGED, UNSEEN_WAY
from vision.shots import BESIDE, MEANWHILE, VEILED

VISION = Path(__file__).parents[2] / "vision"


def test_a_reason_names_pawns_as_players_do() -> None:
    table = PaleoTable().start()
    (told,) = reasons_in_words(table.state, ["~red-8 was lost from sight on the board"], table.state.seen_as)
    assert told.en == "Red Mercenary 8 was lost from sight on the board."
    assert told.fr == "Le Mercenaire rouge 8 a été perdu de vue sur le plateau."


def test_numbers_are_written_as_each_language_does() -> None:
    table = PaleoTable().start()
    reason = "nothing was seen to strike ~green-4; ~red-8 came nearest (3.4 mm off)"
    (told,) = reasons_in_words(table.state, [reason], table.state.seen_as)
    assert told.en == "Nothing was seen to strike green Explorer 4; red Mercenary 8 came nearest, 3.4 mm off."
    assert "à 3,4 mm" in told.fr


def test_a_reason_that_is_not_known_here_is_told_as_it_came() -> None:
    (told,) = reasons_in_words(PaleoTable().start().state, ["a cat sat on the board"], {})
    assert told.en == "A cat sat on the board"
    assert told.fr == "La caméra signale : a cat sat on the board"


def test_the_same_reason_is_told_once() -> None:
    state = PaleoTable().start().state
    assert len(reasons_in_words(state, ["2 frames are missing", "2 frames are missing"], {})) == 1


def test_the_question_carries_them() -> None:
    table = PaleoTable().start()
    table.shot("red-8", needs_review=True, reasons=("3 frames are missing",))
    asked = paleo.GAME.view(table.state)["question"]
    assert asked["why"] == [{"en": "Pictures are missing: 3.", "fr": "Il manque des images : 3."}]


def reasons_in_source() -> list[str]:
    """Every text that vision gives as a reason, as it stands in its source."""
    pattern = re.compile(r'(?:reasons|doubts)(?:\.append\(| \+= \[)f?"([^"]+)"')
    return [m.group(1) for name in ("shots", "runners", "accounts", "contacts", "pipeline") for m in
            pattern.finditer((VISION / f"{name}.py").read_text())]  # fmt: skip


@pytest.mark.parametrize("source", [*reasons_in_source(), BESIDE, FASTER, MEANWHILE, NUDGED, UNSEEN_WAY, UNFIT, VEILED])
def test_every_reason_that_vision_gives_is_known(source: str) -> None:
    example = re.sub(r"\{[^}]*:\.1f\}", "3.4", source)
    example = re.sub(r"\{[^}]*(:\.0f|missed)\}", "12", example)
    example = re.sub(r"\{[^}]*\}", "p7", example)
    assert any(re.fullmatch(pattern, example) for pattern, _, _ in KNOWN), example


def test_vision_gives_reasons() -> None:
    assert len(reasons_in_source()) >= 5
