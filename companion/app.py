"""The companion: the only place where worker, fusion, game, journal and scoreboard are wired together."""

from __future__ import annotations

import importlib
import logging
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from calibration.board import Board, load_board
from companion import amend
from companion.calibration_desk import TOLD_FILE, camera_folder
from companion.clock_jumps import ClockJumps, jump_told
from companion.config import SIMULATED, CompanionConfig
from companion.flick_film import FlickFilm
from companion.fusion import Fact, Fusion, account_from_json, puck_from_json, puck_to_json
from companion.games import GAMES
from companion.games.base import Action, IllegalMove, Json, MalformedAction, Overtaken, Text
from companion.games.paleo_hands import choice_from_hand
from companion.games.paleo_identity import recognise
from companion.games.paleo_sheet import sheet_to_json
from companion.games.paleo_state import PaleoState, same_board, sheet_from_board
from companion.games.setup import SEED_BITS, told_apart
from companion.journal import WHILE_IT_RUNS, Entry, Journal, JournalError
from companion.match_film import MatchFilm
from companion.no_camera import NO_CAMERA, NoCamera
from companion.replays import Replays
from companion.scoreboard import Score, Scorekeeper, news, scoreboard
from companion.sensor_desk import SensorDesk, marks_in
from companion.tap import BY_CAMERA, Taps, clock_pause, is_tapped, setup_of
from companion.troubles import trouble_in_french
from vision.camera_settings import load_settings
from vision.shot_film import Replay
from vision.sources import STREAM_SCHEMES
from vision.worker import VisionWorker, WorkerConfig
from vision.worker_messages import (
    EventMessage,
    FilmMessage,
    LiveMessage,
    PictureMessage,
    ReplayMessage,
    StatusMessage,
    TableMessage,
    WorkerMessage,
)

PEOPLE_S = 90.0  # the simulated players wait this long after a person last moved a puck
POLL_S = 0.1  # the longest that stop() waits for the loop to notice
UNFILMED = Text(
    "The film of this evening is kept no more: the disk is nearly full, the film is as long as it may be, or it cannot "
    "be written. The companion's terminal says which.",
    "Le film de cette soirée n’est plus conservé : le disque est presque plein, le film a atteint sa longueur permise, "
    "ou il ne peut être écrit. Le terminal du compagnon dit lequel.",
)
GAME_COMMANDS = {
    "start_round": "round_started",
    "as_it_lies": "as_it_lies",
    "place_reefs": "reefs_by_hand",
    "answer": "answer",
    "shot_by_hand": "shot_by_hand",
    "pause": "pause",
    "resume": "resume",
    "correct": "correction",
}
TABLE_ORDERS = ("flick", "remove", "place", "slide", "setup", "pass", "clear")
COMMANDS = ("new_match", "resume_match", *GAME_COMMANDS, "undo")
VIRTUAL = "virtual"

log = logging.getLogger(__name__)


class Messages(Protocol):
    """Where the companion gets what vision says: the worker process, or messages that a test hands over."""

    def start(self, config: WorkerConfig) -> None: ...
    def stop(self) -> None: ...
    def poll(self, timeout_s: float = 0.0) -> list[WorkerMessage]: ...
    def send(self, command: dict[str, Any]) -> None: ...
    def ask_for_pictures(self) -> None: ...
    def ask_for_film(self, film: int) -> None: ...


class Companion(Taps):
    """One table: thread-safe, without pages.

    messages: the worker by default; clock: monotonic seconds; wall: the time of day's. Raises BoardFileError or
    JournalError when made; nothing runs before start().
    """

    def __init__(self, config: CompanionConfig, messages: Messages | None = None, *,
                 clock: Callable[[], float] = time.monotonic,
                 wall: Callable[[], float] = time.time) -> None:  # fmt: skip
        self.config = config
        self._clock = clock
        self._jumps = ClockJumps(clock, wall)
        self.board: Board = load_board(config.board_path)
        self._sheet = sheet_to_json(sheet_from_board(self.board))
        blind = config.camera == NO_CAMERA
        self._messages: Messages = messages or (NoCamera() if blind else VisionWorker())
        self._journal = Journal(config.journal_url)
        self._keeper = Scorekeeper(lambda last_id: self._journal.entries_after(last_id, None))
        self._shown: tuple[int, Json] | None = None
        self._fusion = Fusion()
        said = self._journal.entries_after(0, None) if config.sensors != "none" else []
        self._sensors = SensorDesk(self.board, config.sensors, self._keep_sensed, marks_in(said))
        self._live: Json = {"time_s": 0.0, "state": "searching", "pose_known": False, "pucks": []}
        self._status = StatusMessage("off" if blind else "starting")
        self._pictures: dict[str, bytes] = {}
        self.flick_film = FlickFilm(self._messages.ask_for_film)
        self._table: Json = {"pucks": {}, "busy": False, "shots": []}
        self._facts: deque[Fact] = deque()
        self._untold: list[tuple[str, Json]] = []  # what follows from the last entry, while it cannot be written
        self._fault: str | None = None
        self._people_until_s = 0.0
        self._replays = Replays(config.data_dir)
        self._films: dict[int, Replay] = {}
        self._match_film: MatchFilm | None = None
        self._unfilmed = False  # whether it was told that the film is kept no more
        self._changed = threading.Condition(threading.RLock())
        self._stopping = threading.Event()
        self._threads: list[threading.Thread] = []

    # -- running -------------------------------------------------------------------------------------
    def start(self) -> None:
        """Starts the camera and, where they were asked for, the simulated players; returns at once.

        Raises RecordError where the film is to be kept and cannot be.
        """
        c = self.config
        self._match_film = MatchFilm(c) if c.record is not None and c.camera != NO_CAMERA else None
        with self._changed:
            session = {"what": "session_started", "source": _source_kind(c.camera)}
            self._append([("camera", session), *self._other_board()])
            self._journal.then = WHILE_IT_RUNS
        self._messages.start(
            WorkerConfig(
                c.camera, c.board_path, c.lens_path, c.calibration_path, c.realtime, c.seed, c.resolution, c.fps,
                self._layout(), self._sensors.virtual, load_settings(c.settings_path) if c.settings_path else None,
                camera_folder(c.data_dir, c.camera) / TOLD_FILE if c.settings_path else None,
                self._match_film.folder if self._match_film is not None else None,
            )
        )  # fmt: skip
        self._sensors.start()
        self._run("companion", self._loop)
        if c.autoplay and c.camera == VIRTUAL:
            self._run("simulated players", self._autoplay)

    def _other_board(self) -> list[tuple[str, Json]]:
        """A word to the players where the match that is on was begun on another board than the one watched now."""
        state = self._keeper.score.state
        if not isinstance(state, PaleoState) or state.winner is not None or same_board(state.sheet, self.board):
            return []
        here, there = self.board.name, state.sheet.name
        return [("note", {
            "en": f"The match that is on was begun on another board ({there}); on this one ({here}) begin a new match.",
            "fr": f"La partie en cours a commencé sur un autre plateau ({there}) ; sur celui-ci ({here}), "
                  "commencez une nouvelle partie.",
        })]  # fmt: skip

    def _layout(self) -> dict[str, tuple[float, float]] | None:
        """How the pucks lay when the journal's last match was left: the virtual table is laid out so again."""
        state = self._keeper.score.state
        playing = isinstance(state, PaleoState) and state.phase == "playing" and same_board(state.sheet, self.board)
        if self.config.camera != VIRTUAL or not playing:
            return None
        return dict(state.places)

    def stop(self) -> None:
        """Stops everything and closes the journal; safe to call twice."""
        self._stopping.set()
        with self._changed:
            self._changed.notify_all()
        self._messages.stop()
        self._sensors.stop()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join()
        self._threads.clear()
        with self._changed:
            self._write_facts()
        self._journal.close()

    @property
    def unwritten(self) -> int:
        """How much of what was seen waits for a journal that cannot be written; after stop() it is lost."""
        with self._changed:
            return len(self._facts) + len(self._untold)

    @property
    def stopping(self) -> threading.Event:
        """Set when the companion is to end."""
        return self._stopping

    def _run(self, name: str, work: Any) -> None:
        thread = threading.Thread(target=work, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _loop(self) -> None:
        while not self._stopping.is_set():
            messages = self._messages.poll(POLL_S)
            self.look_at_clock()  # first: what is told now comes after a sleep
            for message in messages:
                self.take(message)
            with self._changed:
                self._facts += self._sensors.told()
                if self._facts or self._untold:
                    self._write_facts()

    def look_at_clock(self) -> None:
        """Where the machine slept, or its clock was set, neither players' clocks nor a match's length count that."""
        with self._changed:
            jumped_s = self._jumps.look()
            if jumped_s is not None and self._keeper.score.game is not None:
                self._facts.append(Fact("note", jump_told(jumped_s, clocks=self.clocks() is not None)))
                self._write_facts()

    def _autoplay(self) -> None:
        players = importlib.import_module("companion.rehearsal")
        players.autoplay(self, seed=self.config.seed, stop=self._stopping)

    # -- from the camera -----------------------------------------------------------------------------
    def take(self, message: WorkerMessage) -> None:
        """Takes one of vision's messages in. While the journal cannot be written health() says so; nothing is lost."""
        with self._changed:
            self._facts += self._sensors.take(message, self._side_to_play)
            if isinstance(message, EventMessage):
                self._facts += self._sensors.combine(self._fusion.update(message.event))
                self._write_facts()
            elif isinstance(message, LiveMessage):
                live = message.live
                facts = self._fusion.watch(live.state, live.time_s, live.pucks)
                if facts and self._keeper.score.game is not None:  # before a match pucks lie where people like
                    self._facts += self._sensors.combine(facts)
                    self._write_facts()
                self._live = {
                    "time_s": live.time_s,
                    "state": live.state,
                    "pose_known": live.pose_known,
                    "pucks": [puck_to_json(p) for p in live.pucks],
                }
            elif isinstance(message, ReplayMessage):
                self._films = {message.shot: message.replay}  # its shot is told next
            elif isinstance(message, PictureMessage):
                self._pictures = {"camera": message.jpeg, "overlay": message.overlay}
            elif isinstance(message, FilmMessage):
                self.flick_film.take(message)
            elif isinstance(message, TableMessage):
                pucks = {k: list(p) for k, p in message.pucks.items()}
                self._table = {"pucks": pucks, "busy": message.busy, "shots": list(message.shots)}
            elif isinstance(message, StatusMessage):
                self._status = message
                if message.unfilmed and not self._unfilmed and self._keeper.score.game is not None:
                    self._unfilmed = True  # told in a match alone: before one nobody reads the log
                    self._facts.append(Fact("note", UNFILMED.to_json()))
                    self._write_facts()
                if message.state == "lost":
                    self._facts += self._sensors.combine(self._fusion.vision_gone())
                    self._write_facts()

    def _keep_sensed(self, items: list[tuple[str, Json]]) -> bool:
        """Journals what the sensor board said; True once it is kept, and the board may forget it."""
        with self._changed:
            try:
                self._append(items)
            except JournalError as error:
                self._note_fault(error)
                return False
            return True

    def _side_to_play(self) -> int | None:
        """Which of the board's sides plays now, 0 or 1."""
        turn = getattr(self._keeper.score.state, "turn", None)
        return next((i for i, team in enumerate(self.board.teams) if team.name == turn), None)

    def _write_facts(self) -> None:
        """Journals the facts that wait, in order; those that cannot be written now are kept for the next time."""
        while self._facts:
            try:
                self._append(self._items_for(self._facts[0]))
            except JournalError as error:
                self._note_fault(error)
                return
            self._facts.popleft()
        if self._untold:
            try:
                self._append([])
            except JournalError as error:
                self._note_fault(error)

    def _note_fault(self, error: JournalError) -> None:
        """For pages, and once for the terminal: that it cannot be written is tried ten times a second."""
        if self._fault is None:
            log.error("%s", error)
        self._fault = str(error)

    def _items_for(self, fact: Fact) -> list[tuple[str, Json]]:
        """A fact with what goes without saying: a film's match, or the answer that a hand has just given."""
        state = self._keeper.score.state
        if fact.type == "shot" and self._begins_by_itself():
            return [*self._as_first_seen(fact), (fact.type, fact.data)]
        if fact.type == "hand" and isinstance(state, PaleoState) and state.question is not None:
            choice = choice_from_hand(state, fact.data)
            if choice is not None:
                question = state.question.id_for(state.waiting[0].entry)
                answer = {"question": question, "choice": choice, "by": "camera"}
                return [(fact.type, fact.data), ("answer", answer)]
        return [(fact.type, fact.data)]

    def _begins_by_itself(self) -> bool:
        """A film is played without anybody at the buttons: its first shot begins a match in the middle of a round."""
        return _source_kind(self.config.camera) == "film" and self._keeper.score.game is None

    def _as_first_seen(self, fact: Fact) -> list[tuple[str, Json]]:
        account = account_from_json(fact.data)
        turn = next((p.team for p in account.before if p.puck == account.flicked), self.board.teams[0].name)
        match = {"game": "paleo", "players": {}, "options": {}, "sheet": self._sheet, "by": "film"}
        return [
            ("match_started", match),
            ("as_it_lies", {"turn": turn, "keys": {}, "pucks": fact.data["before"], "by": "film"}),
        ]

    # -- journal -------------------------------------------------------------------------------------
    def _append(self, items: list[tuple[str, Json]]) -> list[Entry]:
        """Appends, folds, and appends what follows from it for listeners; only then anybody is told."""
        written = self._journal.append_all([*self._untold, *items])
        count, self._untold = len(self._untold), []
        self._fault = None
        self._keeper.take(written[:count])
        entries = written[count:]
        self._keep_films(entries)
        if self._match_film is not None:
            self._match_film.note(entries, self._live["time_s"])
        derived: list[tuple[str, Json]] = []
        for entry in entries:
            old = self._keeper.score
            derived += news(old, self._keeper.take([entry]), entry)
        entries += self._tell(derived)
        self._changed.notify_all()
        return entries

    def _tell(self, derived: list[tuple[str, Json]]) -> list[Entry]:
        """Appends what follows from entries that count already: where it cannot be written now it waits, as to write
        them once more would count them twice."""
        try:
            told = self._journal.append_all(derived) if derived else []
        except JournalError as error:
            self._untold = derived
            self._note_fault(error)
            return []
        self._keeper.take(told)
        return told

    def _keep_films(self, entries: list[Entry]) -> None:
        for entry in entries:
            if entry.type == "correction":
                self._replays.dispute(int(entry.data["of"]))
            film = self._films.pop(entry.data.get("shot", 0), None) if entry.type == "shot" else None
            if film is not None:
                self._replays.keep(entry.id, film)

    def replay(self, entry: int) -> bytes | None:
        """The film of a shot by its journal entry, as companion.replays packs it; None where there is none."""
        return self._replays.film(entry)

    def dispute(self, entry: int) -> None:
        """Keeps the film of a shot on, beyond the last ones."""
        self._replays.dispute(entry)

    @property
    def on_screen(self) -> bool:
        """Whether pucks are flicked on screens: the table is the virtual one."""
        return self.config.camera == VIRTUAL

    @property
    def filming(self) -> bool:
        """Whether the camera's film of this evening is kept (`paleo run --record`), and there is room for it."""
        return self._match_film is not None and not self._status.unfilmed

    @property
    def data_dir(self) -> Path:
        """Where everything is kept."""
        return self.config.data_dir

    def last_id(self) -> int:
        """The id of the newest entry."""
        with self._changed:
            return self._keeper.score.last_id

    def entries_after(self, last_id: int, limit: int = 500) -> list[Entry]:
        """Entries that follow `last_id`, oldest first."""
        return self._journal.entries_after(last_id, limit)

    def wait_for(self, last_id: int, timeout_s: float) -> bool:
        """Waits for an entry after `last_id`; False when the time is over, or the companion stops, without one."""
        with self._changed:
            self._changed.wait_for(lambda: self._newer(last_id) or self._stopping.is_set(), timeout_s)
            return self._newer(last_id)

    def _newer(self, last_id: int) -> bool:
        return self._keeper.score.last_id > last_id

    # -- for screens ---------------------------------------------------------------------------------
    def scoreboard(self) -> Json:
        """The score, turn, pucks, question and log, as the journal has them."""
        with self._changed:
            score = self._keeper.score
            if self._shown is None or self._shown[0] != score.last_id:
                films = {"replays": self._replays.entries()}
                body = {**films, "board": {"name": self.board.name, "size": list(self.board.size)}, **scoreboard(score)}
                self._shown = (score.last_id, body)
            return {**self._shown[1], "camera": {"state": self._status.state, "last": self._shown[1]["camera"]}}

    def live(self) -> Json:
        """Where every puck is now; `pawn` is its name on the scoreboard, where that is known."""
        with self._changed:
            seen_as = self._names(self._keeper.score.state)
            pucks = [{**p, "pawn": seen_as.get(p["puck"])} for p in self._live["pucks"]]
            kept = self._fault is None  # else what is seen waits for room on the disk
            return {**self._live, "pucks": pucks, "players": self.players, "camera": self._camera(), "kept": kept}

    def _camera(self) -> Json:
        """How the camera is; away: since it was lost it has not come back, whatever is being tried."""
        last = self._keeper.score.camera or {}
        return {"state": self._status.state, "why": self._status.why, "away": last.get("what") == "source_lost"}

    def _names(self, state: object) -> Mapping[str, str]:
        """Which pawn each id in view is; after a restart of vision also ids that no shot has named yet."""
        if not isinstance(state, PaleoState):
            return {}
        known = all(p["puck"] in state.seen_as for p in self._live["pucks"])
        if known or self._live["state"] != "still" or state.phase != "playing":
            return state.seen_as
        return recognise(state, [puck_from_json(p) for p in self._live["pucks"]]).seen_as

    def picture(self, kind: str) -> bytes | None:
        """The newest picture as JPEG: "camera" or "overlay"; None while there is none. Asking keeps them coming."""
        self._messages.ask_for_pictures()
        with self._changed:
            return self._pictures.get(kind)

    def table(self) -> Json:
        """The virtual table's true pucks and last shots, and whether a hand or a puck moves; empty with a camera."""
        with self._changed:
            return self._table

    def health(self) -> Json:
        """What /healthz says."""
        with self._changed:
            s = self._status
            journal: Json = {"last_id": self._keeper.score.last_id}
            if self._fault is not None:
                journal["fault"] = self._fault
                journal["told"] = Text(self._fault, trouble_in_french(self._fault)).to_json()
            well = self._fault is None and s.state not in ("lost", "stalled")
            return {
                "status": "ok" if well else "degraded",
                "camera": {
                    "state": s.state,
                    "fps": round(s.fps, 1),
                    "last_frame_age_s": s.last_frame_age_s,
                    "dropped": s.dropped,
                    "dropped_fps": round(s.dropped_fps, 2),
                    "why": s.why,
                },
                "sensors": self._sensors.health(),
                "journal": journal,
            }

    def doubts(self) -> Sequence[str]:
        """What is to be said of board and light as the camera sees them now, a sentence each, in English."""
        with self._changed:
            return self._status.doubts if self._status.state == "running" else ()

    # -- from people ---------------------------------------------------------------------------------
    def command(self, name: str, data: Json, by: str = "table") -> list[Entry]:
        """Does what a player asks, and returns the journal's entries. Raises IllegalMove; nothing changes then."""
        if name not in COMMANDS:
            raise MalformedAction(
                "unknown command {name!r}; expected one of {expected}", name=name, expected=", ".join(COMMANDS)
            )
        with self._changed:
            self.look_at_clock()
            if name == "undo":
                return self._append([self._undo(by, data.get("seen"))])
            if name == "new_match":
                self._no_match_since(data.get("seen"))
                return self._append([self._new_match(data, by)])
            if name == "resume_match":
                self._no_match_since(data.get("seen"))
                return self._append([self._resumed(data, by)])
            if name == "correct":
                amend.not_amended_since(self._since(data.get("seen")), data.get("of"))
                return self._append([amend.proposal(self.whole_journal(), data, None, by)])
            if name == "shot_by_hand":
                data = {**data}
                self._no_shot_since(data.pop("seen", None))
            return self._append([self._game_command(GAME_COMMANDS[name], data, by)])

    def _no_match_since(self, seen: int | None) -> None:
        """Raises IllegalMove where another match was begun since what the asking screen had shown, where it told."""
        if any(entry.type in ("match_started", "match_resumed") for entry in self._since(seen)):
            raise IllegalMove(
                "another match was begun meanwhile, and would end by this; look at it, and begin again if you mean it"
            )

    def _no_shot_since(self, seen: int | None) -> None:
        """Raises IllegalMove where another shot counts that the asking screen had not shown, where it told.

        Two who tell what both saw, or one whose answer was lost on its way, would enter it twice."""
        if seen is not None and any(entry > seen and what in amend.SHOTS for entry, what in self._keeper.score.acts):
            raise IllegalMove(
                "a shot was told or seen meanwhile, which may be this one; close this, look what counts now, and tell "
                "it again if it is another"
            )

    def _new_match(self, data: Json, by: str) -> tuple[str, Json]:
        game = data.get("game", "paleo")
        if game not in GAMES:
            raise MalformedAction(
                "unknown game {game!r}; expected one of {expected}", game=game, expected=", ".join(GAMES)
            )
        body = {
            "game": game,
            "players": data.get("players") or {},
            "options": data.get("options") or {},
            "sheet": self._sheet,
            "by": by,
        }
        if is_tapped(game):
            del body["sheet"]
            number = self._keeper.score.begun.get(game, 0) + 1  # A24, S27: it says who begins
            body = {**setup_of(data, secrets.randbits(SEED_BITS)), **body, "match": number}
        elif data.get("clock") is not None:
            body["clock"] = setup_of({"clock": data["clock"]}, 0)["clock"]
        if game == BY_CAMERA and self.config.camera == NO_CAMERA:
            body["options"] = {"kept_by": "taps", **body["options"]}
        GAMES[game].start(body)
        told_apart(body["players"])
        return "match_started", body

    def _resumed(self, data: Json, by: str) -> tuple[str, Json]:
        of, shelf = data.get("of"), self._keeper.score.shelf
        if of not in shelf:
            known = ", ".join(map(str, shelf)) or Text("there is none", "il n’y en a pas")
            raise IllegalMove(
                "entry {of!r} began no match that waits to be resumed; those that do: {known}", of=of, known=known
            )
        return "match_resumed", {"of": of, "by": by}

    def _game_command(self, type: str, data: Json, by: str) -> tuple[str, Json]:
        score = self._keeper.score
        if score.game is None:
            raise IllegalMove("no match is on; begin one first")
        if is_tapped(score.game) and type in ("pause", "resume"):
            return clock_pause(score, self.whole_journal(), type, by)
        if is_tapped(score.game):
            raise IllegalMove("{type} belongs to Paleo; {game} is played from its seats", type=type, game=score.game)
        body = {**data, "by": by}
        if type in ("round_started", "as_it_lies") and "pucks" not in body:
            body["pucks"] = [p for p in self._live["pucks"] if p["team"] in score.state.sheet.names]
        error = GAMES[score.game].legal(score.state, Action(type, body))
        if error is not None:
            raise error
        return type, body

    def _undo(self, by: str, seen: int | None = None) -> tuple[str, Json]:
        """An undo of the last act; seen: the newest entry that the asking screen had shown, where it told."""
        acts = self._keeper.score.acts
        if not acts:
            raise IllegalMove("there is nothing to undo")
        number, what = acts[-1]
        if any(entry.id == number or entry.type == "undo" for entry in self._since(seen)):
            raise Overtaken
        return "undo", {"undoes": number, "what": what, "by": by}

    def table_command(self, data: Json, by: str = "table") -> None:
        """Passes an order to the virtual table; a person's makes the simulated players wait.

        Raises IllegalMove with a real camera.
        """
        if not self.on_screen:
            raise IllegalMove("only the virtual table can be played from the screen; this table has a real camera")
        if data.get("do") not in TABLE_ORDERS:
            raise MalformedAction(
                "do: found {found!r}, expected one of {expected}",
                found=data.get("do"),
                expected=", ".join(TABLE_ORDERS),
            )
        if by != SIMULATED:
            self._people_until_s = self._clock() + PEOPLE_S
        self._messages.send(dict(data))

    def audit(self, data: Json) -> None:
        """Journals who came in, what was handed out, and what was refused; the score never depends on it.

        It is done already: while it cannot be written it waits, as what is seen does, and nothing is told as refused.
        """
        with self._changed:
            self._facts.append(Fact("access", data))
            self._write_facts()

    @property
    def players(self) -> str:
        """The simulated players: "play", "wait" while people play by hand, or "none"."""
        if not (self.config.autoplay and self.config.camera == VIRTUAL):
            return "none"
        return "wait" if self._clock() < self._people_until_s else "play"

    def let_players(self, play: bool) -> None:
        """Lets the simulated players play on at once, or makes them wait as a person's flick does.

        Raises IllegalMove where there are none.
        """
        if self.players == "none":
            raise IllegalMove("no simulated players are here; start with --camera virtual and without --no-autoplay")
        self._people_until_s = 0.0 if play else self._clock() + PEOPLE_S

    @property
    def score(self) -> Score:
        """The fold as it stands."""
        with self._changed:
            return self._keeper.score


def _source_kind(camera: str) -> str:
    if camera in (VIRTUAL, NO_CAMERA):
        return camera
    if camera.isdecimal():
        return "device"
    return "stream" if camera.lower().startswith(STREAM_SCHEMES) else "film"
