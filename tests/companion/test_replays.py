"""Films of shots beside the journal: kept, found again, and let go when they are many."""

from __future__ import annotations

import json
from pathlib import Path

from calibration.outputs import unfinished
from companion import replays
from companion.replays import Replays, packed
from tests.companion.fed_companion import TableInView, companion_for
from vision.shot_film import Replay
from vision.worker_messages import ReplayMessage

FILM = Replay((1.0, 1.0333), (b"first picture", b"second"))


def unpacked(data: bytes) -> tuple[list[float], list[bytes]]:
    """As the page reads it."""
    length = int.from_bytes(data[:4], "big")
    head = json.loads(data[4 : 4 + length])
    rest, pictures = data[4 + length :], []
    for size in head["sizes"]:
        pictures.append(rest[:size])
        rest = rest[size:]
    assert rest == b""
    return head["times_s"], pictures


def test_a_film_is_packed_so_that_a_page_can_read_it() -> None:
    assert unpacked(packed(FILM)) == ([1.0, 1.0333], [b"first picture", b"second"])


def test_a_shots_film_is_found_by_its_entry_also_after_a_restart(tmp_path: Path) -> None:
    view = TableInView()
    companion, _ = companion_for(tmp_path)
    companion.take(view.live())
    companion.command("new_match", {})
    companion.command("start_round", {"begins": "red"})
    *events, end = view.shot("red-8")
    for event in events:
        companion.take(event)
    companion.take(ReplayMessage(1, FILM))
    companion.take(end)
    shot = next(e.id for e in companion.entries_after(0) if e.type == "shot")
    assert companion.scoreboard()["replays"] == [shot]
    again, _ = companion_for(tmp_path)
    assert again.replay(shot) == packed(FILM)
    assert again.replay(shot + 1) is None


def test_a_film_of_another_shot_is_not_taken_for_this_one(tmp_path: Path) -> None:
    view = TableInView()
    companion, _ = companion_for(tmp_path)
    companion.take(ReplayMessage(77, FILM))
    for event in view.shot("red-8"):
        companion.take(event)
    assert companion.scoreboard()["replays"] == []


def test_of_a_film_that_cannot_be_kept_nothing_stays_nor_of_one_that_a_kill_cut_off(tmp_path: Path) -> None:
    """On a full disk a piece of each shot's film had stayed, for ever."""
    folder = tmp_path / replays.FOLDER
    (folder / "7.film" / "in its place").mkdir(parents=True)
    (folder / "tmpk3l9xq").write_bytes(b"half a film")
    unfinished(folder / "6.film").write_bytes(b"half another")
    Replays(tmp_path).keep(7, FILM)
    assert [path.name for path in folder.iterdir()] == ["7.film"]


def test_the_oldest_films_go_first(tmp_path: Path) -> None:
    kept = Replays(tmp_path)
    for entry in range(1, replays.KEEP + 6):
        kept.keep(entry, FILM)
    assert kept.entries() == list(range(6, replays.KEEP + 6))


def test_a_film_without_pictures_is_none(tmp_path: Path) -> None:
    kept = Replays(tmp_path)
    kept.keep(4, Replay((), ()))
    assert kept.entries() == []


def test_what_cannot_be_written_costs_the_film_only(tmp_path: Path) -> None:
    (tmp_path / "replays").write_text("a file where the folder should be")
    kept = Replays(tmp_path)
    kept.keep(4, FILM)
    assert kept.entries() == []
    assert kept.film(4) is None


def test_other_files_in_the_folder_are_let_be(tmp_path: Path) -> None:
    kept = Replays(tmp_path)
    kept.keep(4, FILM)
    (tmp_path / "replays" / "notes.txt").write_text("mine")
    assert kept.entries() == [4]


def test_disputed_films_stay_when_the_others_go_and_are_not_endless_either(tmp_path: Path) -> None:
    kept, disputes, last = Replays(tmp_path), replays.KEEP_DISPUTED + 2, 150
    for entry in range(1, last + 1):
        kept.keep(entry, FILM)
        if entry <= disputes:
            kept.dispute(entry)
    assert kept.disputed() == list(range(3, disputes + 1))
    assert kept.entries() == [*range(3, disputes + 1), *range(last + 1 - replays.KEEP, last + 1)]
    kept.dispute(last + 9)
    assert kept.disputed() == list(range(3, disputes + 1))
