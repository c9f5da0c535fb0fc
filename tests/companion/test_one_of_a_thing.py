"""One of a thing is told as one, in English and in French, where none counts as one, too."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import companion.games
from companion.games import GAMES
from companion.games.base import GameError, counted
from companion.games.paleo_reasons import in_words
from companion.games.paleo_words import points_text
from companion.games.paper_tales_age import t11_outcome
from companion.games.paper_tales_realm import Kingdom
from companion.words import refusal_in_french, refusal_texts
from tests.companion.paleo_table import SHEET, PaleoTable
from tests.companion.table_games import refused
from tests.companion.test_paper_tales import table as paper_tales
from tests.companion.test_sacrifice import FULL
from tests.companion.test_zargo import begun, ended, field

CITY = ("city", "cities"), ("ville", "villes")
NUMBER_AND_SEVERAL = re.compile(
    r"\{(?:count|left|cost|found|best|own|points)(?:\[\d\])?\} (?:of )?[A-Za-zéèê]+s\b"
)
ALWAYS_SEVERAL = {"{name} is held by {count} counters; at least as many must attack it"}  # more than attack it


@pytest.mark.parametrize(
    ("count", "en", "fr"), [(0, "0 cities", "0 ville"), (1, "1 city", "1 ville"), (2, "2 cities", "2 villes")]
)
def test_a_number_has_its_word(count: int, en: str, fr: str) -> None:
    assert counted(count, *CITY) == (en, fr)


def both(error: GameError) -> tuple[str, str]:
    return str(error), refusal_in_french(error)


def test_zargos_end() -> None:
    one_each = {f"{people}-city-{n}": "" for people in ("knights", "dragons", "monks") for n in (2, 3, 4)}
    won = GAMES["zargo"].outcome(ended({**one_each, "monks-city-1": ""}))
    nobody = GAMES["zargo"].outcome(ended(one_each, tie="nobody"))
    assert won is not None
    assert nobody is not None
    assert won.reason.en.endswith(": 1 city.")
    assert won.reason.fr.endswith(" : 1 ville.")
    assert "equal at 1 city, nobody" in nobody.reason.en
    assert "égalité à 1 ville, personne" in nobody.reason.fr


def test_a_counter_in_a_chasm() -> None:
    state = field("knights", "monks", turn="monks", monk_1="0604")
    stuck = replace(state.counters["monks-monk-1"], stuck=1)
    state = replace(state, counters={**state.counters, "monks-monk-1": stuck})
    error = refused(GAMES["zargo"], state, "monks", "move", counter="monks-monk-1", path=["0603"])
    en, fr = both(error)
    assert "for 1 turn more" in en
    assert "pour 1 tour encore" in fr


def test_the_last_counter_to_place() -> None:
    state = begun()
    left = state.unplaced("knights")[0]
    counters = {n: c if c.people != "knights" or n == left else replace(c, out=True) for n, c in state.counters.items()}
    en, fr = both(refused(GAMES["zargo"], replace(state, phase="rest", counters=counters), "knights", "ready"))
    assert "has 1 counter to place" in en
    assert "a 1 pion à placer" in fr


def test_points_of_movement() -> None:
    state = replace(FULL, points=1)
    en, fr = both(refused(GAMES["sacrifice"], state, "ann", "move", piece="ann-monkey-1", path=["b8", "b7"]))
    assert en.startswith("this costs 2 points; what is left is 1 point")
    assert fr.startswith("cela coûte 2 points ; il reste 1 point".replace(" ;", "\u00a0;"))


def test_points_of_a_kingdom() -> None:
    kingdoms = (Kingdom(score=1), Kingdom(score=0))
    outcome = t11_outcome(replace(paper_tales(), kingdoms=kingdoms, phase="over"))
    assert outcome is not None
    assert outcome.reason.en.endswith(": 1 point.")
    assert outcome.reason.fr.endswith(" : 1 point.")


def test_names_of_a_camp() -> None:
    told = {"sheet": SHEET, "players": {"red": [], "green": "Ben"}}
    with pytest.raises(GameError) as raised:
        GAMES["paleo"].start(told)
    assert "found 0 names for red" in str(raised.value)
    assert "0 nom pour" in refusal_in_french(raised.value)


def test_pawns_at_the_start_of_a_round() -> None:
    table = PaleoTable()
    for number in range(1, 9):
        if number != 4:
            table.places.pop(f"green-{number}")
    table.start()
    assert table.said("Green has 1 pawn on the board instead of 8.")


def test_pictures_and_points() -> None:
    told = in_words("only 1 pictures a second came", lambda word: None)
    assert told.en.endswith("1 a second.")
    assert told.fr.endswith("1 par seconde.")
    assert [points_text(n).fr for n in (0, 1, 2)] == ["0 point", "1 point", "2 points"]


def test_no_sentence_of_a_game_has_a_number_before_a_word_for_several() -> None:
    sources = [path.read_text(encoding="utf-8") for path in Path(companion.games.__file__).parent.glob("*.py")]
    found = {line for text in sources for line in text.splitlines() if NUMBER_AND_SEVERAL.search(line)}
    told = {english for english in refusal_texts() if NUMBER_AND_SEVERAL.search(english)}
    assert told == ALWAYS_SEVERAL
    assert {line.strip().split('"')[1] for line in found} == ALWAYS_SEVERAL
