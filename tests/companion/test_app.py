"""The companion as a whole, from vision's messages to the scoreboard."""

from __future__ import annotations

import contextlib
import json
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from calibration.board import BoardFileError, default_board_path
from companion.app import Companion
from companion.config import SIMULATED
from companion.games.base import IllegalMove, MalformedAction
from companion.journal import Entry, Journal, JournalError
from companion.rehearsal import autoplay
from companion.scoreboard import fold, scoreboard
from companion.troubles import trouble_in_french
from tests.companion.fed_companion import BOARD, Fed, TableInView, companion_for, config_for, first_round
from vision.events import PuckPlaced, SourceBack, SourceLost
from vision.worker_messages import EventMessage, PictureMessage, StatusMessage, TableMessage

NORTH = "green-north-east"


@pytest.fixture
def view() -> TableInView:
    return TableInView()


def play(companion: Companion, view: TableInView, flicked: str, **what: object) -> None:
    for message in view.shot(flicked, **what):  # type: ignore[arg-type]
        companion.take(message)


def shown(companion: Companion) -> dict[str, object]:
    """The scoreboard without the state of the camera, which lives outside the journal."""
    return {k: v for k, v in companion.scoreboard().items() if k != "camera"}


def test_before_the_first_match_there_is_the_lobby(tmp_path: Path) -> None:
    companion, _ = companion_for(tmp_path)
    assert companion.scoreboard()["phase"] == "lobby"
    with pytest.raises(IllegalMove, match="begin one"):
        companion.command("start_round", {"begins": "red"})


def test_a_round_begins_with_the_pucks_that_the_camera_sees(tmp_path: Path, view: TableInView) -> None:
    board = first_round(tmp_path, view).scoreboard()
    assert (board["phase"], board["turn"], board["round"]) == ("playing", "red", 1)
    assert [p["name"] for p in board["players"]] == ["Ann", "Ben"]
    assert len(board["pucks"]) == 16
    assert board["pucks"][0]["role"] == "mercenary"


def test_a_shot_from_vision_changes_the_scoreboard_and_is_told_to_who_waits(tmp_path: Path, view: TableInView) -> None:
    companion = first_round(tmp_path, view)
    last = companion.last_id()
    woken: list[bool] = []
    waiter = threading.Thread(target=lambda: woken.append(companion.wait_for(last, 10)))
    waiter.start()
    play(companion, view, "red-8", touched=["green-4"])
    waiter.join()
    assert woken == [True]
    assert companion.scoreboard()["players"][0]["captured"][0]["puck"] == "green-4"
    assert [e.type for e in companion.entries_after(last)] == ["shot", "ruling"]
    assert companion.scoreboard()["last_id"] == companion.last_id()


def test_started_messages_flow_by_themselves(tmp_path: Path, view: TableInView) -> None:
    companion, fed = companion_for(tmp_path)
    companion.start()
    companion.command("new_match", {})
    companion.command("start_round", {"begins": "red"})
    last = companion.last_id()
    fed.put(*view.shot("red-3"))
    assert companion.wait_for(last, 10)
    companion.stop()
    assert fed.config is not None
    assert fed.config.source == "virtual"
    companion.stop()


def test_going_on_after_a_restart_shows_the_same(tmp_path: Path, view: TableInView) -> None:
    companion = first_round(tmp_path, view)
    play(companion, view, "red-8", touched=["green-4"])
    play(companion, view, "green-3", doors=[("green-3", "red-north-west")])
    before = shown(companion)
    assert before["question"] is not None
    companion.stop()
    again, _ = companion_for(tmp_path)
    assert shown(again) == before
    assert again.command("answer", {"question": again.scoreboard()["question"]["id"], "choice": "green-4"})
    assert again.scoreboard()["players"][1]["keys"] == ["red-north-west"]


def test_undo_takes_back_act_by_act_to_the_lobby(tmp_path: Path, view: TableInView) -> None:
    companion = first_round(tmp_path, view)
    play(companion, view, "red-8", touched=["green-4"])
    companion.command("undo", {})
    assert companion.scoreboard()["players"][0]["captured"] == []
    assert companion.scoreboard()["turn"] == "red"
    companion.command("undo", {})
    companion.command("undo", {})
    assert companion.scoreboard()["phase"] == "lobby"
    with pytest.raises(IllegalMove, match="nothing to undo"):
        companion.command("undo", {})


def test_a_refused_command_changes_nothing(tmp_path: Path, view: TableInView) -> None:
    companion = first_round(tmp_path, view)
    before = shown(companion)
    for name, data in (("start_round", {"begins": "red"}), ("answer", {"question": "1", "choice": "x"}), ("fly", {}),
                       ("new_match", {"game": "chess"}), ("new_match", {"players": {"blue": "x"}})):  # fmt: skip
        with pytest.raises(IllegalMove):
            companion.command(name, data)
    assert shown(companion) == before


def test_the_camera_answers_an_exchange_by_what_hands_do(tmp_path: Path, view: TableInView) -> None:
    companion = first_round(tmp_path, view)
    play(companion, view, "red-3")
    play(companion, view, "green-8", touched=["red-4"])
    play(companion, view, "red-3", doors=[("red-3", NORTH)])
    assert companion.scoreboard()["question"]["kind"] == "exchange"
    x, y = BOARD.team("red").start_circles[3]
    companion.take(EventMessage(PuckPlaced(9.0, "p99", x, y, "red", 4)))
    board = companion.scoreboard()
    assert board["question"] is None
    assert [p["puck"] for p in board["players"][1]["captured"]] == ["red-3"]
    answer = next(e for e in companion.entries_after(0) if e.type == "answer")
    assert answer.data["by"] == "camera"
    companion.command("undo", {})
    assert companion.scoreboard()["question"]["kind"] == "exchange"


def test_a_film_begins_a_match_by_itself_at_its_first_shot(tmp_path: Path, view: TableInView) -> None:
    companion, _ = companion_for(tmp_path, camera="evening.mp4")
    view.pucks = [p for p in view.pucks if p.puck != view.ids["red-5"]]
    play(companion, view, "green-8", touched=["red-4"])
    board = companion.scoreboard()
    assert board["phase"] == "playing"
    assert [p["puck"] for p in board["players"][1]["captured"]] == ["red-4", "red-5"]
    assert board["turn"] == "red"


def test_the_board_is_taken_as_it_lies_in_the_middle_of_a_round(tmp_path: Path, view: TableInView) -> None:
    companion, _ = companion_for(tmp_path)
    view.pucks = view.pucks[2:]
    companion.take(view.live())
    companion.command("new_match", {})
    companion.command("as_it_lies", {"turn": "green", "keys": {"red": [NORTH]}})
    board = companion.scoreboard()
    assert [p["pawns_on_board"] for p in board["players"]] == [6, 8]
    assert board["players"][0]["keys"] == [NORTH]
    assert board["turn"] == "green"


def test_a_shot_that_the_camera_lost_is_asked_about(tmp_path: Path, view: TableInView) -> None:
    companion = first_round(tmp_path, view)
    companion.take(view.live("shot"))
    companion.take(EventMessage(SourceLost(3.0, "the vision process ended by itself")))
    companion.take(StatusMessage("lost"))
    companion.take(EventMessage(SourceBack(5.0, "pictures again")))
    companion.take(view.live("searching"))
    question = companion.scoreboard()["question"]
    assert question["kind"] == "review"
    assert question["reasons"] == ["the camera was lost during the shot"]
    assert {c["value"] for c in question["choices"]} == {"replay", "ignore"}, "nothing was seen to agree to"
    companion.command("answer", {"question": question["id"], "choice": {"flicked": "red-8", "touched": ["green-4"]}})
    assert companion.scoreboard()["turn"] == "green"
    assert [p["puck"] for p in companion.scoreboard()["players"][0]["captured"]] == ["green-4"]


def test_a_camera_that_is_lost_while_nothing_moves_asks_nothing(tmp_path: Path, view: TableInView) -> None:
    companion = first_round(tmp_path, view)
    companion.take(view.live())
    companion.take(EventMessage(SourceLost(3.0, "unplugged")))
    companion.take(StatusMessage("lost"))
    assert companion.scoreboard()["question"] is None
    assert companion.scoreboard()["camera"]["last"]["what"] == "source_lost"


def test_health_pictures_live_places_and_the_virtual_table(tmp_path: Path, view: TableInView) -> None:
    companion, fed = companion_for(tmp_path)
    companion.take(StatusMessage("running", 29.97, 0.03, dropped=7, dropped_fps=0.349))
    companion.take(PictureMessage(b"camera", b"overlay"))
    companion.take(TableMessage({"red-7": ("red", 7, 1.0, 2.0)}, True))
    companion.take(view.live("hand"))
    health = companion.health()
    assert health["status"] == "ok"
    assert health["camera"] == {
        "state": "running", "fps": 30.0, "last_frame_age_s": 0.03, "dropped": 7, "dropped_fps": 0.35, "why": "",
    }  # fmt: skip
    assert set(health) == {"status", "camera", "sensors", "journal"}
    assert companion.doubts() == ()
    companion.take(StatusMessage("running", doubts=("the board is dark",)))
    assert companion.doubts() == ("the board is dark",)
    assert companion.picture("overlay") == b"overlay"
    assert companion.picture("nothing") is None
    assert fed.asked == 2
    assert companion.live()["state"] == "hand"
    assert companion.live()["pucks"][0]["pawn"] is None
    assert companion.table() == {"pucks": {"red-7": ["red", 7, 1.0, 2.0]}, "busy": True, "shots": []}
    companion.take(StatusMessage("lost", why="resized", doubts=("the board is dark",)))
    assert companion.doubts() == (), "nobody sees that now"
    assert companion.health()["status"] == "degraded"
    assert companion.health()["camera"]["why"] == "resized"


def test_live_views_tell_that_the_camera_is_away_until_it_is_back(tmp_path: Path) -> None:
    """Whatever is tried meanwhile: a worker that starts anew is no camera."""
    companion, _ = companion_for(tmp_path)
    companion.take(StatusMessage("running"))
    assert companion.live()["camera"] == {"state": "running", "why": "", "away": False}
    companion.take(EventMessage(SourceLost(1.0, "no picture from the camera")))
    for state in ("stalled", "lost", "starting"):
        companion.take(StatusMessage(state))
        assert companion.live()["camera"] == {"state": state, "why": "", "away": True}
    companion.take(EventMessage(SourceBack(9.0, "pictures again")))
    companion.take(StatusMessage("running"))
    assert companion.live()["camera"]["away"] is False
    companion.stop()


def test_live_pucks_bear_their_pawns_names_once_known(tmp_path: Path, view: TableInView) -> None:
    companion = first_round(tmp_path, view)
    assert {p["pawn"] for p in companion.live()["pucks"]} == set(view.ids)


def test_only_the_virtual_table_takes_orders(tmp_path: Path) -> None:
    companion, fed = companion_for(tmp_path / "a")
    companion.table_command({"do": "setup"})
    assert fed.sent == [{"do": "setup"}]
    with pytest.raises(MalformedAction):
        companion.table_command({"do": "explode"})
    real, _ = companion_for(tmp_path / "b", camera="0")
    with pytest.raises(IllegalMove, match="real camera"):
        real.table_command({"do": "setup"})


def test_the_simulated_players_wait_while_a_person_plays_and_play_on_after_a_while(tmp_path: Path) -> None:
    now = [100.0]
    config = replace(config_for(tmp_path), autoplay=True)
    companion = Companion(config, Fed(), clock=lambda: now[0])
    assert companion.players == "play"
    companion.table_command({"do": "pass"}, SIMULATED)
    assert companion.players == "play", "their own hands do not make them wait"
    companion.table_command({"do": "flick", "puck": "red-3", "angle_deg": 0.0, "speed_mm_s": 900.0})
    assert companion.players == companion.live()["players"] == "wait"
    now[0] += 89.0
    assert companion.players == "wait"
    now[0] += 2.0
    assert companion.players == "play"
    companion.let_players(False)
    assert companion.players == "wait"
    companion.let_players(True)
    assert companion.players == "play"


class Evening(threading.Event):
    """Ends after so long by a time that waiting makes go on; at a moment of it something happens."""

    def __init__(self, ends_s: float, at_s: float, then: Callable[[], None]) -> None:
        super().__init__()
        self.now_s, self._ends_s, self._at_s, self._then = 0.0, ends_s, at_s, then

    def wait(self, timeout: float | None = None) -> bool:
        before, self.now_s = self.now_s, self.now_s + (timeout or 0.0)
        if before < self._at_s <= self.now_s:
            self._then()
        return self.now_s > self._ends_s


def test_the_simulated_players_begin_a_match_when_a_full_disk_has_room_again(tmp_path: Path, view: TableInView) -> None:
    """What could not be written had ended them, with a traceback."""
    companion = Companion(replace(config_for(tmp_path), autoplay=True), Fed())
    companion.take(view.live())
    companion.take(TableMessage({k: (k, None, 100.0, 100.0) for k in view.ids}, busy=False))
    fill_disk(companion)
    evening = Evening(60.0, at_s=30.0, then=lambda: limit_disk(companion, 2**30))
    autoplay(companion, seed=1, stop=evening, clock=lambda: evening.now_s)
    assert companion.scoreboard()["match"] == 1


def test_where_there_are_no_simulated_players_nobody_can_be_let_play(tmp_path: Path) -> None:
    companion, _ = companion_for(tmp_path)
    assert companion.live()["players"] == "none"
    with pytest.raises(IllegalMove, match="no simulated players"):
        companion.let_players(True)


@pytest.mark.parametrize("order", ["flick", "remove", "place", "slide", "setup", "pass", "clear"])
def test_every_order_that_the_virtual_table_knows_is_passed_on(tmp_path: Path, order: str) -> None:
    companion, fed = companion_for(tmp_path)
    companion.table_command({"do": order})
    assert fed.sent == [{"do": order}]


def test_a_broken_journal_is_refused_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite3").write_text("no database" * 1000)
    with pytest.raises(JournalError):
        companion_for(tmp_path)


class FullDisk:
    """In place of a journal's append_all: the disk has room for so many appends more."""

    def __init__(self, companion: Companion, room: int) -> None:
        self._append, self.room = companion._journal.append_all, room
        companion._journal.append_all = self  # type: ignore[method-assign,assignment]

    def __call__(self, items: Iterable[tuple[str, dict[str, Any]]]) -> list[Entry]:
        if self.room == 0:
            raise JournalError("the journal cannot be written: database or disk is full")
        self.room -= 1
        return self._append(items)


def test_a_disk_that_is_full_between_a_shot_and_its_ruling_counts_the_shot_once(
    tmp_path: Path, view: TableInView
) -> None:
    companion = first_round(tmp_path, view)
    last = companion.last_id()
    disk = FullDisk(companion, room=1)
    play(companion, view, "red-8", touched=["green-4"])
    companion.take(view.live())
    journal = companion.health()["journal"]
    assert journal["told"] == {"en": journal["fault"], "fr": trouble_in_french(journal["fault"])}
    assert not companion.live()["kept"]
    disk.room = 100
    play(companion, view, "green-3")
    assert [e.type for e in companion.entries_after(last)] == ["shot", "ruling", "shot", "ruling"]
    assert companion.scoreboard()["shots"] == 2
    assert companion.scoreboard()["turn"] == "red"
    assert "fault" not in companion.health()["journal"]


def test_what_follows_from_a_shot_is_told_as_soon_as_the_disk_has_room_again(tmp_path: Path, view: TableInView) -> None:
    companion = first_round(tmp_path, view)
    companion.start()
    last = companion.last_id()
    disk = FullDisk(companion, room=1)
    play(companion, view, "red-8")
    assert [e.type for e in companion.entries_after(last)] == ["shot"]
    disk.room = 100
    assert companion.wait_for(companion.last_id(), 10)
    assert [e.type for e in companion.entries_after(last)] == ["shot", "ruling"]
    companion.stop()


def test_a_command_that_counts_is_not_refused_where_only_its_news_cannot_be_written(
    tmp_path: Path, view: TableInView
) -> None:
    companion, _ = companion_for(tmp_path)
    companion.take(view.live())
    companion.command("new_match", {})
    FullDisk(companion, room=1)
    assert [e.type for e in companion.command("start_round", {"begins": "red"})] == ["round_started"]
    assert companion.scoreboard()["phase"] == "playing"


PLAYER = """
import sys
from dataclasses import replace
from pathlib import Path
from tests.companion.fed_companion import TableInView, companion_for
companion, _ = companion_for(Path(sys.argv[1]))
view = TableInView()
companion.take(view.live())
companion.command("new_match", {})
companion.command("start_round", {"begins": "red"})
n = 0
while True:
    side = ("red", "green")[n % 2]
    for message in view.shot(f"{side}-{3 + n // 2 % 5}"):
        companion.take(message)
    n += 1
    sys.stdout.write(f"{companion.last_id()} {companion.scoreboard()['shots']}\\n")
    sys.stdout.flush()
"""


def test_a_companion_killed_in_mid_match_goes_on_with_what_it_had_told(tmp_path: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", PLAYER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    lines = [child.stdout.readline() for _ in range(15)]
    child.send_signal(signal.SIGKILL)
    lines += [line for line in child.stdout.read().splitlines(keepends=True) if line.endswith("\n")]
    child.wait()
    last_id, shots = (int(n) for n in lines[-1].split())
    companion, _ = companion_for(tmp_path)
    board = companion.scoreboard()
    assert companion.last_id() >= last_id
    assert board["shots"] in (shots, shots + 1), "a shot that was not told yet may be kept, none that was is lost"
    assert board["turn"] == ("red", "green")[board["shots"] % 2]
    assert len(board["pucks"]) == 16
    entries = Journal(config_for(tmp_path).journal_url).entries_after(0, None)
    body = json.loads(json.dumps(scoreboard(fold(entries))))
    assert {k: board[k] for k in ("pucks", "players", "log", "turn", "phase")} == {
        k: body[k] for k in ("pucks", "players", "log", "turn", "phase")
    }


def test_what_cannot_be_written_now_is_written_later(tmp_path: Path, view: TableInView) -> None:
    """Another program holds the database: health says so, nothing is shown as accepted, nothing is lost."""
    companion = first_round(tmp_path, view)
    companion._journal.close()
    before = shown(companion)
    with sqlite3.connect(tmp_path / "journal.sqlite3", isolation_level=None) as other:
        other.execute("ALTER TABLE entries RENAME TO hidden")
        play(companion, view, "red-8", touched=["green-4"])
        assert companion.health()["status"] == "degraded"
        assert "journal" in companion.health()["journal"]["fault"]
        assert shown(companion) == before
        other.execute("ALTER TABLE hidden RENAME TO entries")
    play(companion, view, "green-3")
    assert companion.health()["status"] == "ok"
    assert companion.scoreboard()["shots"] == 2


def limit_disk(companion: Companion, pages: int) -> None:
    """The database may not grow beyond so many pages, or beyond what it has where that is more."""
    engine = companion._journal._engine
    engine.dispose()

    @sa.event.listens_for(engine, "connect")
    def limit(connection: Any, _record: Any) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages}").close()


def fill_disk(companion: Companion) -> None:
    """The database is told as a full disk tells it, and has no room for the shortest entry."""
    limit_disk(companion, 1)
    with contextlib.suppress(JournalError):
        while True:
            companion._journal.append("access", {})


def test_a_full_disk_asks_for_room_and_not_for_a_new_start_which_would_lose_the_shots(
    tmp_path: Path, view: TableInView
) -> None:
    companion = first_round(tmp_path, view)
    companion.start()
    fill_disk(companion)
    play(companion, view, "red-8")
    play(companion, view, "green-3")
    fault = companion.health()["journal"]["fault"]
    assert "database or disk is full; free some space on the disk, and leave the companion running" in fault
    assert "start again" not in fault
    with pytest.raises(JournalError, match="what was refused, do once more"):
        companion.command("pause", {})
    assert companion.scoreboard()["shots"] == 0
    limit_disk(companion, 2**30)
    until = time.monotonic() + 10
    while "fault" in companion.health()["journal"] and time.monotonic() < until:
        companion.wait_for(companion.last_id(), 0.1)
    assert companion.scoreboard()["shots"] == 2, "what it saw was written, without anybody's doing"
    companion.stop()


def test_what_a_full_disk_kept_from_the_journal_is_told_when_the_companion_ends(
    tmp_path: Path, view: TableInView, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever pressed Ctrl-C lost the shots without a word, and the terminal had never said why."""
    companion = first_round(tmp_path, view)
    fill_disk(companion)
    play(companion, view, "red-8")
    play(companion, view, "green-3")
    assert [record.getMessage().count("database or disk is full") for record in caplog.records] == [1]
    companion.stop()
    assert companion.unwritten == 2


def test_what_still_waits_is_written_at_the_end_where_there_is_room_again(tmp_path: Path, view: TableInView) -> None:
    companion = first_round(tmp_path, view)
    fill_disk(companion)
    play(companion, view, "red-8")
    limit_disk(companion, 2**30)
    companion.stop()
    assert companion.unwritten == 0
    assert companion_for(tmp_path)[0].scoreboard()["shots"] == 1


def test_a_companion_that_cannot_begin_for_a_full_disk_is_to_be_started_again(tmp_path: Path) -> None:
    companion, _ = companion_for(tmp_path)
    fill_disk(companion)
    with pytest.raises(JournalError, match="free some space on the disk, then start again"):
        companion.start()
    companion.stop()


def test_live_pucks_are_known_again_after_vision_began_anew(tmp_path: Path, view: TableInView) -> None:
    companion = first_round(tmp_path, view)
    companion.stop()
    again, _ = companion_for(tmp_path)
    again.start()
    view.pucks = [p._replace(puck=f"new-{p.puck}", number=None) for p in view.pucks]
    again.take(view.live())
    named = {p["puck"]: p["pawn"] for p in again.live()["pucks"]}
    assert named == {f"new-{i}": key for key, i in view.ids.items()}
    again.stop()


def test_the_virtual_table_is_laid_out_again_as_the_match_was_left(tmp_path: Path, view: TableInView) -> None:
    companion = first_round(tmp_path, view)
    view.pucks = [p if p.puck != view.ids["red-3"] else p._replace(x_mm=300.0, y_mm=222.0) for p in view.pucks]
    play(companion, view, "red-3", exits=["green-1"])
    companion.stop()
    again, fed = companion_for(tmp_path)
    again.start()
    assert fed.config is not None
    layout = fed.config.layout
    assert layout is not None
    assert layout["red-3"] == (300.0, 222.0)
    assert set(layout) == set(view.ids) - {"green-1"}
    again.stop()


def test_a_match_begun_on_another_board_is_told_and_the_table_is_not_laid_out_by_it(
    tmp_path: Path, view: TableInView
) -> None:
    first_round(tmp_path, view).stop()
    other = tmp_path / "other.toml"
    other.write_text(default_board_path().read_text().replace('name = "Paleo"', 'name = "Garden table"', 1)
                     .replace("diameter = 28.0", "diameter = 27.0"))  # fmt: skip
    fed = Fed()
    again = Companion(replace(config_for(tmp_path), board_path=other), fed)
    again.start()
    assert "another board (Paleo); on this one (Garden table) begin a new match" in again.scoreboard()["last"]["en"]
    assert fed.config is not None
    assert fed.config.layout is None
    assert again.scoreboard()["phase"] == "playing", "the score is kept"
    again.stop()


def test_a_new_virtual_table_begins_with_all_pucks_on_their_circles(tmp_path: Path) -> None:
    companion, fed = companion_for(tmp_path)
    companion.start()
    assert fed.config is not None
    assert fed.config.layout is None
    companion.stop()


def test_a_board_with_five_sides_is_refused_in_one_line(tmp_path: Path) -> None:
    more = "".join(f'\n[[team]]\nname = "{name}"\ncolour = "#2233aa"\n' for name in ("blue", "yellow", "pink"))
    board = tmp_path / "five.toml"
    board.write_text(default_board_path().read_text() + more)
    with pytest.raises(BoardFileError, match="found 5, expected 2 to 4 teams"):
        Companion(replace(config_for(tmp_path), board_path=board))


def test_a_board_with_three_sides_is_played_by_three(tmp_path: Path) -> None:
    """P39: free for all where the board file has more camps."""
    board = tmp_path / "three.toml"
    board.write_text(default_board_path().read_text() + '\n[[team]]\nname = "blue"\ncolour = "#2233aa"\n')
    made = Companion(replace(config_for(tmp_path), board_path=board))
    players = {"red": "Ann", "green": "Ben", "blue": "Cid"}
    made.command("new_match", {"players": players, "options": {"kept_by": "taps"}})
    made.command("start_round", {"begins": "blue"})
    made.command("shot_by_hand", {"flicked": "blue-a", "touched": []})
    assert made.scoreboard()["turn"] == "red"
    made.stop()
