"""Two players of one match do not have the same name, wherever the names are told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.games.base import MalformedAction
from companion.journal import Entry
from companion.play import Session
from companion.scoreboard import fold
from companion.words import NO_BREAK, refusal_in_french
from tests.companion.fed_companion import companion_for
from tests.companion.paleo_table import SHEET

TWICE = [
    ("armadora", {"p1": "Ann", "p2": "Ann"}),
    ("paper_tales", {"p1": "Ann", "p2": " ANN "}),
    ("sacrifice", {"p1": "\u00c9lise", "p2": "e\u0301lise"}),
    ("zargo", {"knights": "Ann", "monks": "ann"}),
    ("armadora", {"p1": "Ann", "p2": "An\u200bn\u2800"}),
    ("paleo", {"red": "Ann", "green": "Ann"}),
    ("paleo", {"red": ["Ann", "Ben"], "green": ["Eve", "Ben"]}),
]


@pytest.mark.parametrize(("game", "players"), TWICE)
def test_a_match_of_two_players_of_one_name_is_not_begun(tmp_path: Path, game: str, players: dict[str, Any]) -> None:
    companion, _ = companion_for(tmp_path)
    try:
        with pytest.raises(MalformedAction, match=r"two are called '.+'; give each a name of their own"):
            companion.command("new_match", {"game": game, "players": players})
        assert companion.score.game is None
    finally:
        companion.stop()


@pytest.mark.parametrize(("game", "players"), TWICE)
def test_nor_in_the_terminal(game: str, players: dict[str, Any]) -> None:
    setup = {"players": players, **({"sheet": SHEET} if game == "paleo" else {})}
    with pytest.raises(MalformedAction, match="two are called") as refused:
        Session(game, setup, lambda line: None)
    told = refusal_in_french(refused.value).replace(NO_BREAK, " ")
    assert told.startswith("joueurs : deux s’appellent '")
    assert told.endswith("; donnez à chacun son propre nom, pour qu’on les distingue")


@pytest.mark.parametrize("name", ["\u200b", "\u3164", "\u2800", "\u200e \ufe0f", "\u00ad"], ids=ascii)
@pytest.mark.parametrize(("game", "seats"), [("armadora", ("p1", "p2")), ("paleo", ("red", "green"))])
def test_a_name_of_which_nothing_is_seen_is_none(tmp_path: Path, game: str, seats: list[str], name: str) -> None:
    companion, _ = companion_for(tmp_path)
    try:
        with pytest.raises(MalformedAction, match="in which nothing is seen; give each a name") as refused:
            companion.command("new_match", {"game": game, "players": dict(zip(seats, ("Ann", name), strict=True))})
        assert refusal_in_french(refused.value).endswith("donnez à chacun un nom lisible")
        assert companion.score.game is None
    finally:
        companion.stop()


def test_names_that_differ_are_taken(tmp_path: Path) -> None:
    companion, _ = companion_for(tmp_path)
    try:
        companion.command("new_match", {"game": "armadora", "players": {"p1": "Ann A", "p2": "Ann B"}})
        assert companion.score.game == "armadora"
    finally:
        companion.stop()


def test_a_match_that_was_begun_so_once_is_still_read() -> None:
    data = {"game": "armadora", "players": {"p1": "Ann", "p2": "Ann"}, "seed": 1, "options": {}}
    begun = Entry(1, "match_started", "2026-01-01T12:00:00+00:00", data)
    assert fold([begun]).game == "armadora"
    assert Session("armadora", {}, lambda line: None, entries=[begun]).state is not None
