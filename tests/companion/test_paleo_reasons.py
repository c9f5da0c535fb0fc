"""Why the camera is not certain, told to players in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.games import paleo
from companion.games.paleo_reasons import KNOWN, reasons_in_words
from tests.companion.paleo_table import PaleoTable
from vision.accounts import UNFIT
from vision.knock import KNOCKED, RELIT
from vision.lulls import LULL
from vision.momentum import LOST
from vision.resting_arms import UNDER_ARM
from vision.run_through import THROUGH
from vision.runners import FASTER, NUDGED, UNSEEN_WAY
from vision.shots import BESIDE, GREY, LAY_STILL, MEANWHILE, VEILED
from vision.touch_order import ORDER
from vision.unseen_board import IN_LITTLE_LIGHT, UNSEEN, UNSEEN_BEFORE

VISION = Path(__file__).parents[2] / "vision"
GIVE_REASONS = (  # as constants
    "accounts", "knock", "lulls", "momentum", "resting_arms", "run_through", "runners", "shots", "touch_order",
    "unseen_board",
)  # fmt: skip


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


def test_teams_are_named_in_each_language() -> None:
    (told,) = reasons_in_words(PaleoTable().start().state, [GREY.format("red", "green")], {})
    assert "red and green look alike" in told.en
    assert "rouge et vert se confondent" in told.fr


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
    """Every text that vision gives as a reason, as it stands in its source: given at once, or a constant's."""
    given = re.compile(r'(?:reasons|doubts)(?:\.append\(| \+= \[)f?"([^"]+)"')
    constant = re.compile(r'^[A-Z_]+ = "([^"]* [^"]*)"$', re.MULTILINE)
    at_once = [m[1] for path in sorted(VISION.glob("*.py")) for m in given.finditer(path.read_text())]
    return at_once + [m[1] for name in GIVE_REASONS for m in constant.finditer((VISION / f"{name}.py").read_text())]


@pytest.mark.parametrize("source", reasons_in_source())
def test_every_reason_that_vision_gives_is_known(source: str) -> None:
    example = re.sub(r"\{[^}]*:\.1f\}", "3.4", source)
    example = re.sub(r"\{[^}]*(:\.0f|missed)\}", "12", example)
    example = re.sub(r"\{[^}]*\}", "p7", example)
    assert any(re.fullmatch(pattern, example) for pattern, _, _ in KNOWN), example


def test_reasons_are_found_wherever_vision_has_them() -> None:
    constants = {BESIDE, FASTER, IN_LITTLE_LIGHT, LAY_STILL, LOST, LULL, MEANWHILE, NUDGED, ORDER, KNOCKED, RELIT,
                 THROUGH, UNDER_ARM, UNFIT, UNSEEN, UNSEEN_BEFORE, UNSEEN_WAY, VEILED}  # fmt: skip
    assert constants < set(reasons_in_source())
