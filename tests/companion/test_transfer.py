"""The journal out to a file and in again: everything with its times, or nothing at all."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.amend import closed_entries
from companion.config import ConfigError, journal_url
from companion.export import ImportFileError, from_json, renumbered, to_json
from companion.history import plays
from companion.journal import Entry, Journal
from companion.scoreboard import fold
from companion.transfer import export_journal, import_journal
from tests.companion.test_history import match


def written(folder: Path, day: int, game: str = "armadora") -> None:
    """One match in a data folder's journal, played on that day."""
    folder.mkdir(exist_ok=True)
    journal = Journal(journal_url(folder), clock=lambda: f"2026-01-{day:02d}T20:00:00.000+00:00")
    match(journal, game, day, {"ann": "Ann", "ben": "Ben"})
    journal.close()


def test_matches_go_from_one_table_to_another_with_their_days(tmp_path: Path) -> None:
    here, there, file = tmp_path / "here", tmp_path / "there", tmp_path / "out.json"
    written(here, 3)
    written(there, 9, "sacrifice")
    count = export_journal(here, file)
    assert import_journal(there, file) == count
    journal = Journal(journal_url(there))
    played = [(p.game, p.begun[:10]) for p in plays(journal.entries_after(0, None)) if p.game == "armadora"]
    assert played == [("armadora", "2026-01-03")]
    assert fold(journal.entries_after(0, None)).game == "armadora"
    journal.close()


def everything(folder: Path) -> list[Entry]:
    journal = Journal(journal_url(folder))
    entries = journal.entries_after(0, None)
    journal.close()
    return entries


def test_a_file_that_is_imported_twice_counts_once(tmp_path: Path) -> None:
    here, there, file = tmp_path / "here", tmp_path / "there", tmp_path / "out.json"
    written(here, 3)
    written(there, 9, "sacrifice")
    export_journal(here, file)
    import_journal(there, file)
    before = everything(there)
    with pytest.raises(ConfigError, match="has all of it already, up to 2026-01-03; nothing was added"):
        import_journal(there, file)
    with pytest.raises(ConfigError, match="nothing was added"):
        import_journal(here, file)  # where it comes from
    assert everything(there) == before


def test_of_a_later_file_of_the_same_table_only_what_is_new_is_added(tmp_path: Path) -> None:
    here, there, file, told = tmp_path / "here", tmp_path / "there", tmp_path / "out.json", list[str]()
    written(here, 3)
    written(there, 9, "sacrifice")
    export_journal(here, file)
    import_journal(there, file, told.append)
    written(here, 4)
    journal = Journal(journal_url(here))
    journal.append("match_resumed", {"of": 1})
    journal.close()
    all_of_it = export_journal(here, file)
    added = import_journal(there, file, told.append)
    assert told == [f"{file}: 1 match in it left out, as this journal has them already"]
    assert 0 < added < all_of_it
    now = everything(there)
    assert [p.begun[:10] for p in plays(now)] == ["2026-01-09", "2026-01-03", "2026-01-04"]
    assert now[-1].type == "match_resumed"
    resumed = next(e for e in now if e.id == now[-1].data["of"])
    assert (resumed.type, resumed.time[:10]) == ("match_started", "2026-01-03")


def test_a_match_goes_on_where_the_journal_ends_with_it_and_is_refused_where_another_follows(tmp_path: Path) -> None:
    here, there, file = tmp_path / "here", tmp_path / "there", tmp_path / "out.json"
    written(here, 3)
    whole = everything(here)
    there.mkdir()
    begun = Journal(journal_url(there))
    begun.append_dated((e.type, e.data, e.time) for e in whole[:5])
    begun.close()
    shutil.copytree(there, tmp_path / "other")
    export_journal(here, file)
    assert import_journal(there, file) == len(whole) - 5
    assert everything(there) == whole
    written(tmp_path / "other", 9, "sacrifice")
    before = everything(tmp_path / "other")
    with pytest.raises(ConfigError, match="has a part of its match of 2026-01-03 already"):
        import_journal(tmp_path / "other", file)
    assert everything(tmp_path / "other") == before


def half_played(folder: Path) -> list[Entry]:
    """A journal that ends in the middle of a match of Armadöra; its entries."""
    written(folder, 9)
    whole = everything(folder)
    shutil.rmtree(folder)
    folder.mkdir()
    journal = Journal(journal_url(folder))
    journal.append_dated((e.type, e.data, e.time) for e in whole[: len(whole) // 2])
    journal.close()
    return everything(folder)


def said(number: int, type: str, **data: object) -> Entry:
    return Entry(number, type, "2026-01-05T20:00:00+00:00", data)


def without_its_beginning(folder: Path) -> list[Entry]:
    written(folder, 3)
    return everything(folder)[1:]


@pytest.mark.parametrize(
    "entries",
    [
        lambda there, folder: without_its_beginning(folder),
        lambda there, folder: [said(90, "undo", undoes=there[-1].id, what="warrior")],
        lambda there, folder: [said(90, "correction", of=there[3].id, facts={"type": "pass", "data": {}})],
        lambda there, folder: [said(1, "match_resumed", of=1), *without_its_beginning(folder)],
    ],
    ids=["cut off", "undo", "correction", "resumed"],
)
def test_a_file_without_the_beginning_of_its_match_changes_no_match_of_the_journal(
    tmp_path: Path, entries: Callable[[list[Entry], Path], list[Entry]]
) -> None:
    before = half_played(tmp_path / "there")
    (tmp_path / "cut.json").write_text(to_json(entries(before, tmp_path / "here")), encoding="utf-8")
    with pytest.raises(ConfigError, match="the beginning of its match is not in it; expected whole matches"):
        import_journal(tmp_path / "there", tmp_path / "cut.json")
    assert everything(tmp_path / "there") == before


def test_what_lies_before_the_first_match_of_a_file_is_played_in_no_other(tmp_path: Path) -> None:
    before, told = half_played(tmp_path / "there"), list[str]()
    written(tmp_path / "here", 3)
    match = [Entry(e.id + 100, e.type, e.time, e.data) for e in everything(tmp_path / "here")]
    head = [
        said(1, "camera", what="session_started", source="device"), said(2, "reefs", reefs=[]), said(3, "shot", shot=1),
        said(4, "pass", seat="ann"), said(5, "undo", undoes=before[-1].id, what="pass"),
    ]  # fmt: skip
    (tmp_path / "out.json").write_text(to_json([*head, *match]), encoding="utf-8")
    assert import_journal(tmp_path / "there", tmp_path / "out.json", told.append) == 1 + len(match)
    assert told == [f"{tmp_path / 'out.json'}: 2 entries left out, of a match whose beginning is not in it"]
    now = everything(tmp_path / "there")
    assert [e.type for e in now[len(before) :]] == ["camera", *(e.type for e in match)]
    left = fold(now).shelf[before[0].id][1]
    assert left == fold(before).state


def test_a_match_begun_by_mistake_and_undone_takes_nothing_of_another_journal_back(tmp_path: Path) -> None:
    written(tmp_path / "here", 3)
    journal = Journal(journal_url(tmp_path / "here"))
    mistake = journal.append("match_started", {"game": "zargo", "players": {}, "seed": 1})
    journal.append("undo", {"undoes": mistake.id, "what": "match_started"})
    journal.close()
    before = half_played(tmp_path / "there")
    (tmp_path / "page.json").write_text(to_json(closed_entries(everything(tmp_path / "here"))), encoding="utf-8")
    import_journal(tmp_path / "there", tmp_path / "page.json")
    fresh = everything(tmp_path / "there")[len(before) :]
    (undo,) = (e for e in fresh if e.type == "undo")
    assert [e.data["game"] for e in fresh if e.id == undo.data["undoes"]] == ["zargo"]


def test_a_match_that_was_taken_up_by_mistake_is_as_hidden_as_if_it_had_not_been(tmp_path: Path) -> None:
    """Its undone resumption, and what was done and undone in it, are of a match that is not over."""
    hidden = half_played(tmp_path / "here")
    written(tmp_path / "here", 3)
    whole = everything(tmp_path / "here")
    journal = Journal(journal_url(tmp_path / "here"))
    resumed = journal.append("match_resumed", {"of": hidden[0].id})
    placed = journal.append("warrior", {"seat": "ann", "square": "a1", "value": 5})
    journal.append("undo", {"undoes": placed.id, "what": "warrior"})
    journal.append("undo", {"undoes": resumed.id, "what": "match_resumed"})
    journal.close()
    shown = closed_entries(everything(tmp_path / "here"))
    assert [e.id for e in shown] == [e.id for e in whole if e.id > hidden[-1].id]
    (tmp_path / "page.json").write_text(to_json(shown), encoding="utf-8")
    (tmp_path / "there").mkdir()
    told = list[str]()
    assert import_journal(tmp_path / "there", tmp_path / "page.json", told.append) == len(shown)
    assert told == []


def test_a_journal_that_begins_with_a_match_that_was_undone_comes_whole(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    journal = Journal(journal_url(tmp_path / "here"))
    begun = journal.append("match_started", {"game": "zargo", "players": {}, "seed": 1})
    journal.append("ruling", {"of": begun.id, "lines": []})
    journal.append("undo", {"undoes": begun.id, "what": "match_started"})
    journal.close()
    written(tmp_path / "here", 3)
    count, told = export_journal(tmp_path / "here", tmp_path / "out.json"), list[str]()
    (tmp_path / "there").mkdir()
    assert import_journal(tmp_path / "there", tmp_path / "out.json", told.append) == count
    assert told == []


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"format": 1, "entries": [{"id": 1, "type": "match_started", "time": "NOON", "data": {}}]}',
     '{"format": 1, "entries": [{"id": 1, "type": "match_started", "time": "NOON", "data": {"game": "chess"}}]}',
     '{"format": 1, "entries": [{"id": 1, "type": "undo", "time": "NOON", "data": {}}]}',
     "[" * 100_000, '{"format": 1, "entries": ' + "9" * 5000 + "}",
     '{"format": 1, "entries": [{"id": 1, "type": "note", "time": "NOON", "data": {"en": NaN}}]}',
     '{"format": 1, "entries": [{"id": 1, "type": "note", "time": "NOON", "data": {"en": "\\ud800"}}]}'],
    ids=["empty", "cut off", "a list", "no game", "unknown game", "undo", "brackets", "digits", "NaN", "half a sign"],
)  # fmt: skip
def test_a_file_that_cannot_be_read_is_refused_and_changes_nothing(tmp_path: Path, text: str) -> None:
    written(tmp_path / "here", 3)
    file = tmp_path / "broken.json"
    file.write_text(text.replace("NOON", "2026-01-03T12:00:00Z"), encoding="utf-8")
    before = export_journal(tmp_path / "here", tmp_path / "before.json")
    with pytest.raises(ConfigError, match=r"broken\.json"):
        import_journal(tmp_path / "here", file)
    assert export_journal(tmp_path / "here", tmp_path / "after.json") == before


@pytest.mark.parametrize(
    "time", ["yesterday", "2026-13-45T20:00:00Z", "2026-01-03T20:00:00", "0001-01-01T00:00:00+14:00"]
)
def test_a_time_by_which_no_minutes_can_be_counted_is_refused(time: str) -> None:
    entry = {"id": 1, "type": "note", "time": time, "data": {}}
    with pytest.raises(ImportFileError, match=f"entry 1: time: found '{re.escape(time)}', expected a time with its"):
        from_json(json.dumps({"format": 1, "entries": [entry]}))


@pytest.mark.parametrize("data", [{"undoes": [1]}, {"of": {}}, {"question": "9" * 5000 + ":side"}], ids=str)
def test_what_names_no_entry_stays_as_it_is(data: dict[str, object]) -> None:
    assert renumbered([Entry(1, "answer", "2026-01-03T20:00:00Z", data)], 7) == [("answer", data)]


def test_what_is_not_there_is_said_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such folder"):
        export_journal(tmp_path / "nowhere", tmp_path / "out.json")
    with pytest.raises(ConfigError, match="cannot be read"):
        import_journal(tmp_path, tmp_path / "nothing.json")


def test_a_file_that_an_editor_saved_with_a_mark_and_other_line_ends_is_the_same(tmp_path: Path) -> None:
    written(tmp_path / "here", 3)
    count = export_journal(tmp_path / "here", tmp_path / "out.json")
    text = (tmp_path / "out.json").read_text(encoding="utf-8")
    (tmp_path / "saved.json").write_text(text, encoding="utf-8-sig", newline="\r\n")
    (tmp_path / "there").mkdir()
    assert import_journal(tmp_path / "there", tmp_path / "saved.json") == count


def test_an_exported_file_is_plain_json(tmp_path: Path) -> None:
    written(tmp_path / "here", 3)
    export_journal(tmp_path / "here", tmp_path / "out.json")
    body = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert body["format"] == 1
    assert {"id", "type", "time", "data"} == set(body["entries"][0])
