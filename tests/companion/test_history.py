"""History, ratings and export from a real journal with matches of several games in it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import unquote

import pytest

from companion import statistics
from companion.clock_jumps import jump_told
from companion.export import ImportFileError, bg_stats, bg_stats_link, from_json, plays_csv, renumbered, to_json
from companion.games import GAMES
from companion.games.base import Action
from companion.history import Play, Seat, plays, profiles, stretch
from companion.journal import Entry, Journal
from companion.ratings import ALL, ranking, ratings
from companion.scoreboard import fold
from companion.statistics import Statistics, matches
from tests.companion.paleo_table import SHEET

PARTNERS = ("ann", "ben", "cid", "dan")


def match(journal: Journal, name: str, seed: int, players: dict[str, str], **setup: Any) -> None:
    """Appends one random match to its end."""
    number = 1 + sum(1 for e in everything(journal) if e.type == "match_started")
    body = {"game": name, "players": players, "seed": seed, "match": number, **setup}
    state, rng = GAMES[name].start(body), Random(seed)
    items: list[tuple[str, dict[str, Any]]] = [("match_started", body)]
    while (action := GAMES[name].pick(state, rng)) is not None:
        items.append((action.type, dict(action.data)))
        state = GAMES[name].apply(state, action)
    journal.append_all(items)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """Two matches of Armadöra and one of Paper Tales; the clock ticks a minute an entry."""
    minutes = iter(range(10**6))
    kept = Journal(
        f"sqlite:///{tmp_path / 'journal.sqlite3'}",
        clock=lambda: f"2026-01-01T{(m := next(minutes)) // 60:02d}:{m % 60:02d}:00.000+00:00",
    )
    match(kept, "armadora", 1, {"ann": "Ann", "ben": "Ben"})
    match(kept, "armadora", 2, {"ann": "Ann", "ben": "Ben"})
    match(kept, "paper_tales", 3, {"ann": "Ann", "cid": "Cid", "ben": "=Ben"})
    yield kept
    kept.close()


def everything(journal: Journal) -> list[Entry]:
    return journal.entries_after(0, None)


def test_a_match_is_as_long_as_it_was_whatever_the_clock_was_set_to_meanwhile(journal: Journal) -> None:
    """A machine that starts in 1970 and is told the time in mid-match: its players had played for 56 years."""
    first, *rest = everything(journal)
    early = Entry(first.id, first.type, "1970-01-01T00:00:00.000+00:00", first.data)
    passed_s = (datetime.fromisoformat(first.time) - datetime.fromisoformat(early.time)).total_seconds()
    note = Entry(10_000, "note", first.time, jump_told(passed_s - 30 * 60, clocks=False))
    assert plays([early, note, *rest])[0].minutes == 30
    assert matches([early, note, *rest])[0]["points"][-1]["minutes"] == 30


def test_a_clock_that_was_set_back_while_nothing_ran_takes_no_time_from_a_match(journal: Journal) -> None:
    """A machine that starts with an old day: the line of the points went out of its chart on the left."""
    entries = [e for e in everything(journal) if e.id >= plays(everything(journal))[-1].entry]
    hours = [20 if n < len(entries) // 2 else 18 for n in range(len(entries))]
    times = [f"2026-01-01T{hour}:{n % 60:02d}:00+00:00" for n, hour in enumerate(hours)]
    told = [Entry(e.id, e.type, time, e.data) for e, time in zip(entries, times, strict=True)]
    minutes = [point["minutes"] for point in matches(told)[0]["points"]]
    assert len(set(minutes)) > 1
    assert minutes == sorted(minutes)


def test_every_finished_match_is_one_play(journal: Journal) -> None:
    history = plays(everything(journal))
    assert [p.game for p in history] == ["armadora", "armadora", "paper_tales"]
    for play in history:
        assert min(seat.place for seat in play.seats) == 1
        assert any(seat.won for seat in play.seats)
        best = max(seat.points or 0 for seat in play.seats)
        assert all(seat.points == best for seat in play.seats if seat.won)


def test_s21_a_draw_is_won_by_nobody_and_lost_by_nobody_even_at_one_race_to_none(journal: Journal) -> None:
    """Both had a match won more in the list of players, and in a file for a spreadsheet."""
    body = {"game": "sacrifice", "players": {"ann": "Ann", "ben": "Ben"}, "seed": 1, "match": 4}
    game, rng = GAMES["sacrifice"], Random(1)
    state = game.start(body)
    journal.append("match_started", body)

    def do(action: Action) -> None:
        nonlocal state
        state = game.apply(state, action)
        journal.append(action.type, dict(action.data))

    while len({player["points"] for player in game.view(state)["players"]}) == 1 or state.pending is not None:
        action = game.pick(state, rng)
        assert action is not None
        do(action)
    do(Action("draw", {"seat": "ann"}))
    do(Action("draw", {"seat": "ben"}))
    *before, drawn = plays(everything(journal))
    assert {seat.points for seat in drawn.seats} == {0, 1}
    assert [(seat.place, seat.won) for seat in drawn.seats] == [(1, False), (1, False)]
    won, now = profiles(before), profiles([*before, drawn])
    assert [now[name].wins - won[name].wins for name in ("Ann", "Ben")] == [0, 0]


def test_a_match_that_was_undone_never_happened(journal: Journal) -> None:
    first = everything(journal)[0]
    journal.append("undo", {"undoes": first.id, "what": "match_started", "by": "table"})
    assert [p.game for p in plays(everything(journal))] == ["armadora", "paper_tales"]


def test_profiles_count_matches_and_wins(journal: Journal) -> None:
    found = profiles(plays(everything(journal)))
    assert {name: p.plays for name, p in found.items()} == {"Ann": 3, "Ben": 2, "Cid": 1, "=Ben": 1}
    assert found["Ann"].wins + found["Ben"].wins >= 2
    assert set(found["Ann"].best) == {"armadora", "paper_tales"}


def made(game: str, *seats: tuple[str, int]) -> Play:
    """A play with these names and places."""
    told = tuple(Seat(n.lower(), n, 10 - place, place, place == 1) for n, place in seats)
    return Play(1, 1, game, "2026-01-01T10:00:00.000+00:00", "2026-01-01T10:30:00.000+00:00", told, "")


def test_who_wins_more_is_rated_higher() -> None:
    tables = ratings([made("sacrifice", ("Ann", 1), ("Ben", 2))] * 5)
    assert [r.name for r in ranking(tables["sacrifice"])] == ["Ann", "Ben"]
    assert tables["sacrifice"]["Ann"].plays == 5
    assert tables["sacrifice"]["Ann"].mu > tables["sacrifice"]["Ben"].mu


def test_who_is_written_in_another_way_is_the_same_player_by_the_name_written_last() -> None:
    """Phones begin names with a capital, or do not; a family had each of them twice."""
    history = [made("zargo", ("papa", 1), ("\u00c9lise", 2)), made("zargo", ("Papa", 1), ("E\u0301LISE", 2))]
    assert {name: (p.plays, p.wins) for name, p in profiles(history).items()} == {
        "Papa": (2, 2), "E\u0301LISE": (2, 0)
    }  # fmt: skip
    assert {name: r.plays for name, r in ratings(history)[ALL].items()} == {"Papa": 2, "E\u0301LISE": 2}
    assert history[0].seats[0].name == "papa"


def test_games_are_rated_apart_and_together() -> None:
    tables = ratings([made("sacrifice", ("Ann", 1), ("Ben", 2)), made("zargo", ("Ben", 1), ("Ann", 2))])
    assert set(tables) == {ALL, "sacrifice", "zargo"}
    assert ranking(tables["zargo"])[0].name == "Ben"
    assert tables[ALL]["Ann"].plays == 2


def test_a_shared_victory_moves_equal_players_equally() -> None:
    table = ratings([made("armadora", ("Ann", 1), ("Ben", 1))])["armadora"]
    assert table["Ann"].mu == pytest.approx(table["Ben"].mu)


def test_a10_partners_are_rated_as_a_team() -> None:
    table = ratings([made("armadora", *((n.title(), 1 + n_ % 2) for n_, n in enumerate(PARTNERS)))])["armadora"]
    assert table["Ann"].mu == pytest.approx(table["Cid"].mu)
    assert table["Ann"].mu > table["Ben"].mu == pytest.approx(table["Dan"].mu)


def test_the_same_history_gives_the_same_ratings(journal: Journal) -> None:
    history = plays(everything(journal))
    assert ratings(history) == ratings(history)


def test_everything_is_exported_and_imported_unchanged(journal: Journal) -> None:
    entries = everything(journal)
    assert from_json(to_json(entries)) == entries


def test_an_import_into_another_journal_keeps_what_was_undone_undone(journal: Journal, tmp_path: Path) -> None:
    first = everything(journal)[0]
    journal.append("undo", {"undoes": first.id, "what": "match_started", "by": "table"})
    exported = from_json(to_json(everything(journal)))
    other = Journal(f"sqlite:///{tmp_path / 'other' / 'journal.sqlite3'}")
    match(other, "sacrifice", 7, {"ann": "Ann", "ben": "Ben"})
    own = len(plays(everything(other)))
    other.append_all(renumbered(exported, other.last_id()))
    assert [p.game for p in plays(everything(other))][own:] == ["armadora", "paper_tales"]
    assert fold(everything(other)).state.kingdoms == fold(everything(journal)).state.kingdoms
    other.close()


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"format": 2, "entries": []}', '{"format": 1, "entries": [{}]}',
     '{"format": 1, "entries": [{"id": true, "type": "x", "time": "t", "data": {}}]}',
     '{"format": 1, "entries": [{"id": 2, "type": "x", "time": "t", "data": {}}, '
     '{"id": 2, "type": "x", "time": "t", "data": {}}]}'],
)  # fmt: skip
def test_a_file_that_is_no_export_is_refused(text: str) -> None:
    with pytest.raises(ImportFileError, match="expected"):
        from_json(text)


def test_plays_as_csv_have_a_line_for_each_player(journal: Journal) -> None:
    rows = list(csv.DictReader(io.StringIO(plays_csv(plays(everything(journal))))))
    assert len(rows) == 2 + 2 + 3
    assert {row["game"] for row in rows} == {"armadora", "paper_tales"}
    assert [row["player"] for row in rows if row["player"].endswith("Ben")][-1] == "'=Ben", (
        "no formula in a spreadsheet"
    )


def test_a_match_has_the_number_that_its_report_and_statistics_have(journal: Journal) -> None:
    """A match that was undone has none, be it the first; exported lines had the journal's entry instead."""
    journal.append("undo", {"undoes": everything(journal)[0].id, "what": "match_started", "by": "table"})
    kept = everything(journal)
    rows = list(csv.DictReader(io.StringIO(plays_csv(plays(kept)))))
    assert [(row["match"], row["game"]) for row in rows] == [("1", "armadora")] * 2 + [("2", "paper_tales")] * 3
    assert [(one["match"], one["game"]) for one in matches(kept)] == [(1, "armadora"), (2, "paper_tales")]
    for one in matches(kept):
        found = stretch(kept, one["match"])
        assert found is not None
        assert (found[0].id, found[0].data["game"]) == (one["entry"], one["game"])
    assert stretch(kept, 3) is None


def test_a_match_taken_up_again_is_told_to_its_end_without_the_one_between(tmp_path: Path) -> None:
    kept = Journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}")
    seats = {"players": {"ann": "Ann", "ben": "Ben"}, "begins": "ann"}
    kept.append_all([
        ("match_started", {"game": "armadora", **seats}), ("warrior", {"seat": "ann", "square": "a1", "value": 1}),
        ("match_started", {"game": "sacrifice", **seats}), ("match_resumed", {"of": 1}), ("pass", {"seat": "ben"}),
        ("pass", {"seat": "ann"}), ("match_started", {"game": "sacrifice", **seats}),
    ])  # fmt: skip
    found = stretch(everything(kept), 1)
    assert found is not None
    assert ([e.id for e in found[1]], found[2]) == ([1, 2, 4, 5, 6], 6)
    assert fold(everything(kept)[: found[2]]).match_id == 1
    over = [one["points"] for one in matches(everything(kept))]
    assert over[1] == over[2], "what was played after the first was taken up again counts for neither of the others"
    kept.close()


def test_statistics_of_a_growing_journal_are_those_of_all_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are asked for after each entry while the page is open: a long match took seconds each time. What undoes or
    corrects an earlier entry, takes up a match again, or is another journal, is added up anew."""
    kept = Journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}")
    seats = {"players": {"ann": "Ann", "ben": "Ben"}, "begins": "ann"}
    warrior = {"seat": "ann", "square": "a1", "value": 1}
    facts = {"type": "warrior", "data": {"square": "b2", "value": 2}}
    kept.append_all([
        ("match_started", {"game": "armadora", **seats}), ("warrior", warrior),
        ("correction", {"of": 2, "facts": facts}), ("warrior", {**warrior, "seat": "ben", "square": "c3"}),
        ("undo", {"undoes": 4, "what": "warrior", "by": "table"}), ("match_started", {"game": "sacrifice", **seats}),
        ("match_resumed", {"of": 1}), ("pass", {"seat": "ben"}), ("pass", {"seat": "ann"}),
        ("undo", {"undoes": 3, "what": "correction", "by": "table"}), ("match_started", {"game": "sacrifice", **seats}),
    ])  # fmt: skip
    growing, everything_now = Statistics(), everything(kept)
    for count in range(len(everything_now) + 1):
        assert growing.of(everything_now[:count]) == matches(everything_now[:count]), f"after {count} entries"
    assert len(growing.of(everything_now)) == 3
    other = [replace(entry, time="2026-01-01T00:00:00.000+00:00") for entry in everything_now]
    assert growing.of(other) == matches(other) != matches(everything_now)
    looks: list[object] = []
    monkeypatch.setattr(statistics, "_take", lambda tally, *told: looks.append(tally))
    begun, played = (replace(entry, id=entry.id + 90) for entry in other[:2])
    growing.of([*other, begun, played])
    assert len(looks) == 1, "only what has come is added"
    kept.close()


def test_a_play_in_the_form_of_bg_stats(journal: Journal) -> None:
    play = plays(everything(journal))[0]
    told = bg_stats(play)
    assert told["game"]["name"] == "Armadöra"
    assert told["playDate"] == "2026-01-01 00:00:00"
    assert [p["name"] for p in told["players"]] == ["Ann", "Ben"]
    assert [p["winner"] for p in told["players"]] == [s.won for s in play.seats]
    assert json.loads(unquote(bg_stats_link(play).partition("data=")[2])) == told


def test_a_correction_counts_in_the_history(journal: Journal) -> None:
    """Ann's last pass told as another action leaves that match unfinished."""
    first = [e for e in everything(journal) if e.data.get("game", "armadora") == "armadora"]
    passed = next(e for e in first if e.type == "pass")
    told = {"of": passed.id, "facts": {"type": "done", "data": {}}, "seat": passed.data["seat"], "game": "armadora"}
    journal.append("correction", told)
    assert [p.game for p in plays(everything(journal))] == ["armadora", "paper_tales"]


def test_p39_partners_at_a_camp_are_persons_of_their_own_and_rated_as_a_team(tmp_path: Path) -> None:
    """Red's Mercenary touches all of green: one point, and the match is played to one."""
    kept = Journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}")
    options = {"kept_by": "taps", "points_to_win": 1}
    players = {"red": ["Ann", "Cid"], "green": ["Ben", "Dan"]}
    shot = {"flicked": "red-8", "touched": [f"green-{n}" for n in range(1, 9)], "in_camp": []}
    kept.append_all([
        ("match_started", {"game": "paleo", "sheet": SHEET, "players": players, "options": options}),
        ("round_started", {"begins": "red"}),
        ("shot_by_hand", shot),
    ])  # fmt: skip
    (play,) = plays(everything(kept))
    kept.close()
    assert [(s.seat, s.name, s.points, s.won) for s in play.seats] == [
        ("red", "Ann", 1, True), ("red", "Cid", 1, True), ("green", "Ben", 0, False), ("green", "Dan", 0, False),
    ]  # fmt: skip
    table = ratings([play])["paleo"]
    assert table["Ann"].mu == pytest.approx(table["Cid"].mu)
    assert table["Ann"].mu > table["Ben"].mu == pytest.approx(table["Dan"].mu)
    assert [p["name"] for p in bg_stats(play)["players"]] == ["Ann", "Cid", "Ben", "Dan"]


def test_a_match_taken_up_again_on_another_day_is_one_play(tmp_path: Path) -> None:
    """Begun, left for a match of Sacrifice, taken up again and finished: one play of Armadöra, from its first day."""
    days = iter(f"2026-01-{day:02d}T20:00:00.000+00:00" for day in range(1, 20))
    kept = Journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}", clock=lambda: next(days))
    seats = {"players": {"ann": "Ann", "ben": "Ben"}, "begins": "ann"}
    kept.append_all([("match_started", {"game": "armadora", **seats})])
    kept.append_all([("match_started", {"game": "sacrifice", **seats})])
    kept.append_all([("match_resumed", {"of": 1})])
    kept.append_all([("pass", {"seat": "ann"}), ("pass", {"seat": "ben"})])
    assert [(p.game, p.begun[:10], p.ended[:10]) for p in plays(everything(kept))] == [
        ("armadora", "2026-01-01", "2026-01-04")
    ]
    score = fold(everything(kept))
    assert (score.game, list(score.shelf)) == ("armadora", [2])
    kept.close()
