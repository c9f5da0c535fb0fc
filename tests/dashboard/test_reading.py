"""Logs of games kept by taps, read out: pages, the stream and the printed report name no ids."""

from __future__ import annotations

import pytest

from companion.app import Companion
from companion.dashboard import create_app
from companion.dashboard.reading import read_line
from tests.dashboard.test_games_in_browser import begun

PEOPLES = {"knights": "Ann", "dragons": "Ben"}


@pytest.mark.parametrize(
    ("lang", "said", "read"),
    [
        (
            "en",
            "knights-archer-1 → dragons-flamethrower-2: hit.",
            "archer 1 (Knights) → flamethrower 2 (Dragons): hit.",
        ),
        ("fr", "dragons conquiert knights-city-2.", "Dragons conquiert ville 2 (Chevaliers)."),
        ("fr", "Ann biffe le mois 1 sur 2.", "Ann biffe le mois 1 sur 2."),
        ("en", "knights-nothing-1 is no counter.", "knights-nothing-1 is no counter."),
    ],
)
def test_a_line_names_things_and_whose_they_are(lang: str, said: str, read: str) -> None:
    line = {"id": 1, "en": said, "fr": said, "rules": []}
    assert read_line(line, PEOPLES)[lang] == read


def test_an_owner_whom_the_line_names_is_not_named_again() -> None:
    line = {"id": 1, "en": "Ann: p1-falcon-1 to a8.", "fr": "Ann : p1-falcon-1 en a8.", "rules": []}
    assert read_line(line, {"p1": "Ann", "p2": "Ben"})["fr"] == "Ann : faucon 1 en a8."


def test_neither_the_report_nor_what_pages_ask_for_has_ids(companion: Companion) -> None:
    begun(companion, "sacrifice", begins="ann")
    move = next(one for one in companion.seat_view("ann")["moves"] if "falcon" in one["data"].get("piece", ""))
    companion.tap("ann", "move", move["data"])
    client = create_app(companion).test_client()
    for path in ("/report/1?lang=fr", "/api/scoreboard", "/?lang=fr"):
        page = client.get(path).get_data(as_text=True)
        assert "faucon 1" in page, path
        assert "ann-falcon-1 en" not in page, path
    report = client.get("/report/1").get_data(as_text=True)
    assert "<td>ann</td>" not in report  # a seat that is no side
