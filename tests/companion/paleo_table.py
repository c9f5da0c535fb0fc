"""A Paleo match for tests: pawns by key, shots in a few words, on the board that ships."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from calibration.board import default_board_path, load_board
from companion.fusion import Entry, Moment, ShotAccount, Touch
from companion.games import paleo
from companion.games.base import Action
from companion.games.paleo_sheet import sheet_to_json
from companion.games.paleo_state import PaleoState, sheet_from_board
from vision.events import PuckSeen

BOARD = load_board(default_board_path())
SHEET = sheet_to_json(sheet_from_board(BOARD))
CENTRE = (325.0, 325.0)
COLOURS = ("red", "green", "blue", "yellow")
Place = tuple[float, float]


def sheet_of_camps(camps: int) -> dict[str, Any]:
    """A board with so many camps, the box's red one again and again: for three and four players, each for himself."""
    red = next(t for t in SHEET["teams"] if t["name"] == "red")
    names = COLOURS[:camps]
    doors = [{"name": f"{name}-{end}", "team": name} for name in names for end in ("north", "south")]
    return {**SHEET, "name": f"{camps} camps", "teams": [{**red, "name": name} for name in names], "doors": doors}


class PaleoTable:
    """Plays a match: where pawns lie is told, vision's id of a pawn is its key with a tilde before."""

    def __init__(self, begins: str = "red", options: Mapping[str, Any] | None = None, **away: Place) -> None:
        self.state: PaleoState = paleo.start({"sheet": SHEET, "players": {}, "options": options or {}})
        self.places: dict[str, Place] = {}
        self.unread: set[str] = set()
        self.entry = 0
        self.time_s = 0.0
        self.set_up()
        self.move(**away)
        self.begins = begins

    def set_up(self) -> None:
        """All pawns on the circles of their camps, in the order of their numbers."""
        for team in BOARD.teams:
            for number, circle in zip(team.numbers, team.start_circles, strict=True):
                self.places[f"{team.name}-{number}"] = circle

    def move(self, **places: Place) -> None:
        """Puts pawns elsewhere: green_4=(300, 500)."""
        self.places |= {k.replace("_", "-"): p for k, p in places.items()}

    def apply(self, type: str, **data: Any) -> PaleoState:
        """One action, as the next entry of the journal."""
        self.entry += 1
        self.state = paleo.apply(self.state, Action(type, data, self.entry))
        return self.state

    def start(self, begins: str | None = None) -> PaleoTable:
        """Begins the round with the pawns as they lie."""
        self.apply("round_started", begins=begins or self.begins, pucks=self.pucks())
        return self

    def pucks(self) -> list[dict[str, Any]]:
        return [
            {"puck": p.puck, "team": p.team, "number": p.number, "x_mm": p.x_mm, "y_mm": p.y_mm} for p in self.seen()
        ]

    def seen(self) -> tuple[PuckSeen, ...]:
        return tuple(self.puck(k) for k in self.places)

    def puck(self, key: str) -> PuckSeen:
        team, label = key.split("-")
        return PuckSeen(f"~{key}", team, None if key in self.unread else int(label), *self.places[key])

    def account(
        self,
        flicked: str,
        touched: Iterable[str | tuple[str, float]] = (),
        doors: Iterable[tuple[str, str] | tuple[str, str, float]] = (),
        exits: Iterable[str | tuple[str, float]] = (),
        chain: Iterable[tuple[str, str, float]] = (),
        after: Mapping[str, Place] | None = None,
        on_gate: Iterable[str] = (),
        **more: Any,
    ) -> ShotAccount:
        """A shot; things without a time happen 0.1 s apart: touches, then doors, then exits."""
        before, start = self.seen(), self.time_s
        clock = start
        direct, entries, left = [], [], []
        for item in touched:
            key, clock = _timed(item, clock)
            direct.append(Touch(clock, f"~{flicked}", f"~{key}", *self.places[key]))
        hits = [Touch(start + t, f"~{a}", f"~{b}", *self.places[b]) for a, b, t in chain]
        for entry in doors:
            key, clock = _timed((entry[0], entry[2]) if len(entry) == 3 else entry[0], clock)
            entries.append(Entry(clock, f"~{key}", entry[1]))
        for item in exits:
            key, clock = _timed(item, clock)
            left.append(Moment(clock, f"~{key}"))
            self.places.pop(key)
        self.places |= after or {}
        self.time_s = clock + 1.0
        return ShotAccount(
            shot=self.entry + 1, t_start=start, t_end=self.time_s, flicked=f"~{flicked}",
            touches=tuple(sorted([*direct, *hits], key=lambda c: c.t)), doors_in=tuple(entries), exits=tuple(left),
            passed=tuple(Moment(clock, f"~{k}") for k in more.pop("passed", ())),
            before=before, after=self.seen(), on_gate=tuple(f"~{k}" for k in on_gate), **more,
        )  # fmt: skip

    def shot(self, flicked: str, **what: Any) -> PaleoState:
        """Plays a shot and lifts what is captured."""
        self.apply("shot", **self.account(flicked, **what).to_json())
        for job in paleo.GAME.view(self.state)["todo"]:
            if job["do"] == "remove":
                self.lift(job["puck"])
        return self.state

    def lift(self, key: str) -> PaleoState:
        """A hand lifts a pawn."""
        puck = self.puck(key)
        self.places.pop(key)
        return self.hand("puck_removed", puck)

    def place(self, key: str, at: Place, puck_id: str | None = None) -> PaleoState:
        """A hand puts a pawn down, which vision may know by another id from now on."""
        self.places[key] = at
        puck = self.puck(key)
        return self.hand("puck_placed", puck._replace(puck=puck_id) if puck_id else puck)

    def hand(self, did: str, p: PuckSeen) -> PaleoState:
        return self.apply(
            "hand", did=did, t=self.time_s, puck=p.puck, team=p.team, number=p.number, x_mm=p.x_mm, y_mm=p.y_mm
        )

    def answer(self, choice: Any) -> PaleoState:
        """Answers the open question."""
        assert self.state.question is not None, "no question is open"
        return self.apply("answer", question=self.state.question.id_for(self.state.waiting[0].entry), choice=choice)

    # -- what tests look at ------------------------------------------------------------------------------
    def captured(self) -> set[str]:
        return {k for k, p in self.state.pawns.items() if p.captured}

    @property
    def asked(self) -> str | None:
        return self.state.question.kind if self.state.question else None

    def said(self, *words: str) -> bool:
        """Whether some sentence of the log holds all these words (English)."""
        return any(all(w in line.text.en for w in words) for line in self.state.log)

    def cited(self) -> set[str]:
        """Rules cited by the newest entry's sentences."""
        newest = self.state.log[-1].id
        return {r for line in self.state.log if line.id == newest for r in line.rules}


def _timed(item: str | tuple[str, float], clock: float) -> tuple[str, float]:
    if isinstance(item, str):
        return item, clock + 0.1
    return item[0], item[1]
