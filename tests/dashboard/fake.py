"""A companion written by hand: a journal in a list, a scoreboard that tests change, no camera."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.board import Board, default_board_path, load_board
from companion.games.base import IllegalMove
from companion.games.paleo_sheet import sheet_to_json
from companion.games.paleo_state import sheet_from_board
from companion.journal import Entry, JournalError

Json = dict[str, Any]
RED = {1: (203, 214), 2: (171, 148), 3: (88, 325), 4: (138, 325), 5: (420, 470), 6: (76.9, 373.7), 7: (43, 346.7)}
GREEN = {1: (562, 325), 2: (430, 196), 3: (612, 325), 5: (248, 300), 6: (550.9, 373.7), 7: (300, 520), 8: (480, 250)}


@dataclass(frozen=True, slots=True)
class FakeEntry:
    id: int
    type: str
    time: str
    data: Json


class FakeCompanion:
    """Keeps what it is told; `append` is what the game would have done."""

    def __init__(self, board: Board | None = None) -> None:
        self.board = board or load_board(default_board_path())
        self.journal: list[FakeEntry] = []
        self.commands: list[tuple[str, Json, str]] = []
        self.table_commands: list[Json] = []
        self.refuse: IllegalMove | JournalError | None = None
        self.score = first_scoreboard()
        self.seen: Json = {"time_s": 0.0, "state": "still", "pose_known": True, "pucks": []}
        self.pictures: dict[str, bytes] = {}
        self.films: dict[int, bytes] = {}
        self.disputed: list[int] = []
        self.filming = False
        self.on_screen = True
        self.told_of_camera: list[str] = []
        self.data_dir = Path("/nowhere")  # a test that keeps something gives a folder
        self._changed = threading.Condition()

    # -- what tests do -----------------------------------------------------------------------------
    def append(self, type: str, data: Json | None = None, **score: Any) -> FakeEntry:
        """Appends an entry; keywords change the scoreboard in the same step."""
        with self._changed:
            number = len(self.journal) + 1
            entry = FakeEntry(number, type, "2026-01-01T20:00:00.000+00:00", data or {})
            self.journal.append(entry)
            begun = {"match_id": number} if type == "match_started" else {}
            self.score |= {**begun, **deepcopy(score), "last_id": number}
            self._changed.notify_all()
        return entry

    def points(self, *points: int) -> list[Json]:
        """The players as they are, with these points."""
        return [{**p, "points": n} for p, n in zip(self.score["players"], points, strict=True)]

    # -- what the dashboard needs --------------------------------------------------------------------
    def scoreboard(self) -> Json:
        with self._changed:
            return deepcopy(self.score)

    def last_id(self) -> int:
        with self._changed:
            return len(self.journal)

    def entries_after(self, last_id: int, limit: int = 500) -> list[FakeEntry]:
        with self._changed:
            return self.journal[max(last_id, 0) :][:limit]

    def wait_for(self, last_id: int, timeout_s: float) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: len(self.journal) > last_id, timeout_s)

    def live(self) -> Json:
        return self.seen

    def picture(self, kind: str) -> bytes | None:
        return self.pictures.get(kind)

    def replay(self, entry: int) -> bytes | None:
        return self.films.get(entry)

    def doubts(self) -> Sequence[str]:
        return self.told_of_camera

    def health(self) -> Json:
        dropped = {"dropped": 0, "dropped_fps": 0.0}
        camera = {"state": "running", "fps": 30.0, "last_frame_age_s": 0.03, **dropped, "why": ""}
        return {"status": "ok", "camera": camera, "sensors": {"state": "none"}, "journal": {"last_id": self.last_id()}}

    def command(self, name: str, data: Json, by: str = "table") -> list[FakeEntry]:
        if self.refuse is not None:
            raise self.refuse
        self.commands.append((name, data, by))
        if name == "answer":
            return [self.append(name, data, question=None)]
        if name in ("pause", "resume"):
            return [self.append(name, data, paused=name == "pause")]
        return [self.append(name, data)]

    def table_command(self, data: Json, by: str = "table") -> None:
        if self.refuse is not None:
            raise self.refuse
        self.table_commands.append(data)

    def dispute(self, entry: int) -> None:
        self.disputed.append(entry)

    def whole_journal(self) -> list[Entry]:
        return [Entry(e.id, e.type, e.time, e.data) for e in self.journal]

    def match_number(self) -> int:
        return int(self.score["match"])

    def seats(self) -> tuple[str, ...]:
        return ()

    def clocks(self) -> None:
        return None

    def shelf(self) -> list[Json]:
        return []

    def audit(self, data: Json) -> None:
        self.append("access", data)

    def let_players(self, play: bool) -> None:
        if self.refuse is not None:
            raise self.refuse
        self.seen = {**self.seen, "players": "play" if play else "wait"}


def first_scoreboard() -> Json:
    """A match in the middle of its second round."""
    pucks = [_puck("red", n, *place) for n, place in RED.items()]
    pucks += [_puck("green", n, *place) for n, place in GREEN.items()]
    return {
        "game": "paleo", "match": 1, "board": {"name": "Paleo", "size": [650.0, 650.0]}, "phase": "playing",
        "round": 2, "turn": "red", "paused": False,
        "players": [
            {"team": "red", "name": "Ada", "points": 1, "keys": ["green-north-east"], "pawns_on_board": 7,
             "captured": [{"puck": "green-4", "team": "green", "number": 4}]},
            {"team": "green", "name": "Blaise", "points": 2, "keys": [], "pawns_on_board": 7,
             "captured": [{"puck": "red-8", "team": "red", "number": 8}]},
        ],
        "pucks": pucks, "reefs": REEFS, "doors": [], "question": None, "last": LOG[-1], "log": LOG,
        "winner": None, "camera": {"state": "running"}, "last_id": 0, "match_id": 0,
    }  # fmt: skip


def played_entries(fake: FakeCompanion) -> None:
    """A short match of Paleo in the journal, as a camera would have told it: two shots, one of them with a touch."""
    sheet = sheet_to_json(sheet_from_board(fake.board))
    before = [{"puck": f"v{n}", "team": p["team"], "number": p["number"], "x_mm": p["x_mm"], "y_mm": p["y_mm"]}
              for n, p in enumerate(fake.score["pucks"])]  # fmt: skip
    after = [{**p, "x_mm": p["x_mm"] + 40.0} if p["puck"] in ("v0", "v3") else p for p in before]
    touch = {"t": 10.2, "puck": "v0", "other": "v3", "x_mm": 230.0, "y_mm": 214.0}
    shot = {"shot": 1, "t_start": 10.0, "t_end": 11.0, "flicked": "v0", "touches": [touch], "doors_in": [], "exits": [],
            "passed": [], "before": before, "after": after, "on_gate": [], "pushed": False, "needs_review": False,
            "reasons": []}  # fmt: skip
    fake.append("match_started", {"game": "paleo", "players": {"red": "Ada", "green": "Blaise"}, "options": {},
                                  "sheet": sheet, "by": "table"})  # fmt: skip
    fake.append("as_it_lies", {"turn": "red", "keys": {}, "pucks": before, "by": "table"})
    fake.append("shot", shot)
    fake.append("ruling", {"of": 3, "lines": [{"id": 3, **LOG[1]}]})


def question(number: int = 7) -> Json:
    """A pending question about an exchange."""
    return {
        "id": number, "kind": "exchange",
        "text": {"en": "Red's explorer 3 is in the green sanctuary. Exchange it for a captured pawn?",
                 "fr": "L’explorateur rouge 3 est dans le sanctuaire vert. L’échanger contre un pion capturé ?"},
        "choices": [{"value": "red-8", "text": {"en": "Exchange for red 8", "fr": "L’échanger contre le rouge 8"}},
                    {"value": None, "text": {"en": "No exchange", "fr": "Pas d’échange"}}],
    }  # fmt: skip


def _puck(team: str, number: int, x_mm: float, y_mm: float) -> Json:
    role = "mercenary" if number in (1, 2, 8) else "explorer"
    return {"puck": f"{team}-{number}", "team": team, "number": number, "x_mm": x_mm, "y_mm": y_mm, "role": role}


REEFS = [
    {"team": team, "x_mm": x, "y_mm": y, "angle_deg": a}
    for team, x, y, a in (
        ("red", 325, 140, 95), ("red", 478, 165, 150), ("red", 214, 416, 72), ("red", 380, 560, 120),
        ("red", 470, 330, 92), ("green", 172, 96, 28), ("green", 70, 195, 24), ("green", 225, 538, 28),
        ("green", 476, 470, 172), ("green", 420, 90, 60),
    )
]  # fmt: skip
LOG = [
    {"id": 1, "en": "Round 2 begins; Red flicks first.", "fr": "La manche 2 commence ; Rouge joue en premier.",
     "rules": ["P7", "P11"]},
    {"id": 2, "en": "Green 2 touched Red 8 and captured it.", "fr": "Vert 2 a touché Rouge 8 et l’a capturé.",
     "rules": ["P13"]},
    {"id": 3, "en": "Red 3 went through the north-east door and took the key.",
     "fr": "Rouge 3 a franchi la porte nord-est et pris la clé.", "rules": ["P17", "P18"]},
    {"id": 4, "en": "Red 1 touched Green 4 and captured it.", "fr": "Rouge 1 a touché Vert 4 et l’a capturé.",
     "rules": ["P13", "P15"]},
]  # fmt: skip
