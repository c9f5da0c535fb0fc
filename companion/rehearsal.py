"""Two simulated players who play a whole match on the virtual table, acting only as people do.

They look at the table and at the scoreboard, press the buttons that are there, and flick, lift and place pucks.
"""

from __future__ import annotations

import math
import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from calibration.board import Board
from companion.config import SIMULATED
from companion.games.base import IllegalMove
from companion.journal import JournalError
from companion.players import Pawn, Player

NAMES = ("Ada", "Blaise")
LOOK_S = 1.0  # after an order players wait this long before they look whether the hands are done
STILL_S = 0.6  # the table has lain still this long before anybody acts
ANSWER_S = 0.8  # and they think this long about a question
SEEN_S = 3.0  # so long the screen may take to show what was just done
PATIENCE_S = 6.0  # so long players wait for a camera that does not yet see what they see
AGAIN_S = 20.0  # after a match the players rest before the next
MOST_TRIES = 3  # what hands cannot put right after so many tries is left as it is
STEP_S = 0.1  # so often players look whether they are to act
SLACK_S = 0.1  # a shot is seen to begin and end this close to when it truly does

Json = dict[str, Any]
TablePucks = Mapping[str, Sequence[Any]]  # key: team, number, x_mm, y_mm


@dataclass(frozen=True, slots=True)
class Act:
    """What a player does: kind "command" (a button: name and data) or "table" (a hand: data)."""

    kind: str
    name: str
    data: Json


class CompanionLike(Protocol):
    """What players see of the companion and its table."""

    @property
    def board(self) -> Board: ...
    @property
    def score(self) -> Any: ...
    @property
    def players(self) -> str: ...
    def scoreboard(self) -> Json: ...
    def live(self) -> Json: ...
    def table(self) -> Json: ...
    def command(self, name: str, data: Json, by: str = ...) -> Any: ...
    def table_command(self, data: Json, by: str = ...) -> None: ...


class Players:
    """Both players. truth: gives the shot asked about as it truly was, or None where there was none; without it
    they trust the camera.

    Deterministic for a seed and the same sequence of step() calls.
    """

    def __init__(self, board: Board, seed: int, *, truth: Callable[[], Json | None] | None = None,
                 again_s: float | None = AGAIN_S) -> None:  # fmt: skip
        self.board, self.truth, self.again_s = board, truth, again_s
        self.rng = random.Random(f"players {seed}")
        self.sides = {t.name: Player(board, t.name, random.Random(f"player {t.name} {seed}")) for t in board.teams}
        self.busy_until = 0.0
        self.still_since: float | None = None
        self.idle_since: float | None = None
        self.set_up_for: tuple[int, int] | None = None
        self.tries: dict[str, int] = {}
        self.answers: dict[str, int] = {}
        self.flicks = 0
        self.over_since: float | None = None
        self.awaited: tuple[float, Any] | None = None

    def step(self, scoreboard: Json, live: Json, table: Json, now_s: float) -> list[Act]:
        """What the players do now: mostly nothing, sometimes one thing."""
        if not self._may_act(scoreboard, live, table, now_s):
            return []
        acts = self._acts(scoreboard, live, table["pucks"], now_s)
        for act in acts:
            self.still_since = None
            self.busy_until = now_s + (LOOK_S if act.kind == "table" else ANSWER_S)
        return acts

    def _may_act(self, scoreboard: Json, live: Json, table: Json, now_s: float) -> bool:
        """All is still, the hands are done, and the screen shows the last shot."""
        if table.get("busy", True) or not table.get("pucks"):
            self.still_since = self.idle_since = None
            return False
        self.idle_since = now_s if self.idle_since is None else self.idle_since
        # People see for themselves that all lies still, even where the camera takes long to be sure.
        if live.get("state") != "still" and now_s - self.idle_since < PATIENCE_S:
            self.still_since = None
            return False
        self.still_since = now_s if self.still_since is None else self.still_since
        if now_s < self.busy_until or now_s - self.still_since < STILL_S or scoreboard.get("paused"):
            return False
        if self.awaited is not None and _mark(scoreboard) == self.awaited[1] and now_s < self.awaited[0]:
            return False
        self.awaited = None
        return True

    def _acts(self, scoreboard: Json, live: Json, pucks: TablePucks, now_s: float) -> list[Act]:
        phase = scoreboard.get("phase", "lobby")
        if scoreboard.get("game") not in (None, "paleo"):  # people keep another game by taps
            return []
        if scoreboard.get("question"):
            return self._answer(scoreboard, live, pucks)
        if phase == "lobby":
            return [self._new_match()]
        if phase == "match_over":
            return self._after_the_match(now_s)
        self.over_since = None
        if phase in ("placing", "round_over"):
            return self._begin_round(scoreboard, live, pucks, now_s)
        chore = self._chore(scoreboard, pucks)
        if chore is not None:
            return [chore]
        return self._flick(scoreboard, pucks, now_s)

    # -- matches and rounds ------------------------------------------------------------------------
    def _new_match(self) -> Act:
        names = {t.name: name for t, name in zip(self.board.teams, NAMES, strict=False)}
        return Act("command", "new_match", {"players": names})

    def _after_the_match(self, now_s: float) -> list[Act]:
        if self.again_s is None:
            return []
        if self.over_since is None:
            self.over_since = now_s
        return [self._new_match()] if now_s - self.over_since >= self.again_s else []

    def _begin_round(self, scoreboard: Json, live: Json, pucks: TablePucks, now_s: float) -> list[Act]:
        """P10: all pawns on circles of their own camps; then the round begins."""
        this = (int(scoreboard.get("match", 0)), len(scoreboard.get("rounds") or ()))
        if self.set_up_for != this:
            self.set_up_for = this
            self.tries.clear()
            if not self._all_on_circles(pucks):
                return [Act("table", "setup", {"do": "setup"})]
        assert self.idle_since is not None
        if len(live.get("pucks", ())) != len(pucks) and now_s - self.idle_since < PATIENCE_S:
            return []
        self.awaited = (now_s + SEEN_S, _mark(scoreboard))
        first = not scoreboard.get("rounds")
        begins = {"begins": self.rng.choice(self.board.teams).name} if first else {}
        return [Act("command", "start_round", begins)]

    def _all_on_circles(self, pucks: TablePucks) -> bool:
        for team in self.board.teams:
            mine = [(p[2], p[3]) for p in pucks.values() if p[0] == team.name]
            count = len(team.numbers) or len(team.start_circles)
            free = list(team.start_circles)
            if len(mine) < count:
                return False
            for place in mine if free else ():
                near = [c for c in free if math.dist(c, place) < self.board.puck.radius_mm / 2]
                if not near:
                    return False
                free.remove(near[0])
        return True

    # -- the turn ----------------------------------------------------------------------------------
    def _flick(self, scoreboard: Json, pucks: TablePucks, now_s: float) -> list[Act]:
        turn = scoreboard.get("turn")
        gone = {self._lying_at((p["x_mm"], p["y_mm"]), pucks) for p in scoreboard["pucks"] if p.get("captured")}
        pawns = [self._pawn(key, puck) for key, puck in pucks.items() if key not in gone]
        if turn not in self.sides:
            return []
        if not any(p.team == turn for p in pawns):
            return self._put_one_back(scoreboard, turn, pucks)
        self.tries.clear()
        self.flicks += 1
        self.awaited = (now_s + SEEN_S + LOOK_S, _mark(scoreboard))
        return [Act("table", "flick", self.sides[turn].flick(pawns, scoreboard))]

    def _put_one_back(self, scoreboard: Json, turn: str, pucks: TablePucks) -> list[Act]:
        """The screen says that this side plays, but none of its pawns lies there: one not captured goes back."""
        held = {c["puck"] for p in scoreboard["players"] for c in p["captured"]}
        team = self.board.team(turn)
        labels = team.numbers or "abcdefghijklmnopqrstuvwxyz"[: len(team.start_circles)]
        keys = [k for n in labels if (k := f"{turn}-{n}") not in held and k not in pucks]
        circle = self._free_circle(turn, pucks)
        if not keys or circle is None:
            return []
        place = {"do": "place", "puck": keys[0], "x_mm": circle[0], "y_mm": circle[1], "off_board": True}
        return [Act("table", "place", place)]

    def _pawn(self, key: str, puck: Sequence[Any]) -> Pawn:
        team, number, x, y = puck[0], puck[1], float(puck[2]), float(puck[3])
        role = "both"
        if number is not None:
            role = "mercenary" if number in self.board.team(team).mercenaries else "explorer"
        return Pawn(key, team, role, x, y)

    # -- hands -------------------------------------------------------------------------------------
    def _chore(self, scoreboard: Json, pucks: TablePucks) -> Act | None:
        """Does the first thing of the screen's list that hands can still put right."""
        places = {p["puck"]: (p["x_mm"], p["y_mm"]) for p in scoreboard["pucks"]}
        for item in scoreboard.get("todo") or ():
            key = item["puck"]
            tried = f"{item['do']} {key} {key in places}"
            if self.tries.get(tried, 0) >= MOST_TRIES:
                continue
            lies = self._lying_at(places.get(key), pucks)
            if lies is None and item["do"] == "remove":
                continue
            self.tries[tried] = self.tries.get(tried, 0) + 1
            if lies is not None:
                return Act("table", "remove", {"do": "remove", "puck": lies})
            circle = self._free_circle(item["team"], pucks)
            if circle is not None:
                place = {"do": "place", "puck": key, "x_mm": circle[0], "y_mm": circle[1], "off_board": True}
                return Act("table", "place", place)
        return None

    def _lying_at(self, place: tuple[float, float] | None, pucks: TablePucks) -> str | None:
        if place is None:
            return None
        near = sorted((math.dist(place, (p[2], p[3])), k) for k, p in pucks.items())
        return near[0][1] if near and near[0][0] < self.board.puck.radius_mm else None

    def _free_circle(self, team: str, pucks: TablePucks) -> tuple[float, float] | None:
        circles = list(self.board.team(team).start_circles)
        self.rng.shuffle(circles)
        gap = self.board.puck.diameter_mm + 1.0
        return next((c for c in circles if all(math.dist(c, (p[2], p[3])) >= gap for p in pucks.values())), None)

    # -- questions ---------------------------------------------------------------------------------
    def _answer(self, scoreboard: Json, live: Json, pucks: TablePucks) -> list[Act]:
        question = scoreboard["question"]
        choice = self._choice(question, scoreboard, live, pucks)
        tried = self.answers.get(question["id"], 0)
        self.answers = {question["id"]: tried + 1}
        if tried >= MOST_TRIES:  # what was refused again and again is answered otherwise
            choice = question["choices"][-1 - tried % len(question["choices"])]["value"]
        return [Act("command", "answer", {"question": question["id"], "choice": choice})]

    def _choice(self, question: Json, scoreboard: Json, live: Json, pucks: TablePucks) -> Any:
        values = [c["value"] for c in question["choices"]]
        shot = self.truth() if self.truth is not None else None
        kind = question.get("kind")
        if kind == "review" and shot is not None:
            return self._facts(shot, scoreboard)
        if self.truth is not None and shot is None and "ignore" in values:
            return "ignore"  # nobody has played
        if kind == "which_pawn":
            return self._which_pawn(question, values, scoreboard, live, pucks)
        if kind == "first_touched" and shot is not None:
            names = self._names(shot, scoreboard)
            touched = [names.get(c["b"] if c["a"] == shot["puck"] else c["a"]) for c in shot["contacts"]
                       if shot["puck"] in (c["a"], c["b"])]  # fmt: skip
            return next((t for t in touched if t in values), values[0])
        if kind == "exchange":
            return self.rng.choice(values[1:]) if len(values) > 1 else values[0]
        for wanted in ("as_seen", "accept", "ignore"):
            if wanted in values:
                return wanted
        return values[0]

    def _which_pawn(
        self, question: Json, values: Sequence[str], scoreboard: Json, live: Json, pucks: TablePucks
    ) -> str:
        """The players read the number on the puck itself."""
        about = str(question["id"]).rsplit(":", 1)[-1]
        seen = [(p["x_mm"], p["y_mm"]) for p in live.get("pucks", ()) if p["puck"] == about]
        seen += [(p["x_mm"], p["y_mm"]) for p in scoreboard["pucks"] if about in (p["puck"], p.get("seen_as"))]
        for place in seen:
            key = self._lying_at(place, pucks)
            if key in values:
                return str(key)
        shot = self.truth() if self.truth is not None else None
        return str(shot["puck"]) if shot is not None and shot["puck"] in values else values[0]

    def _names(self, shot: Json, scoreboard: Json) -> dict[str, str]:
        """True keys to the screen's names, by where the pucks lay before the shot."""
        names = {k: k for k in shot["start"]}
        for key, (x, y) in shot["start"].items():
            near = sorted((math.dist((x, y), (p["x_mm"], p["y_mm"])), p["puck"]) for p in scoreboard["pucks"])
            if near and near[0][0] < self.board.puck.radius_mm:
                names[key] = near[0][1]
        return names

    def _facts(self, shot: Json, scoreboard: Json) -> Json:
        """What truly happened, in the form in which players tell it."""
        names, flicked = self._names(shot, scoreboard), shot["puck"]
        touched = [c["b"] if c["a"] == flicked else c["a"] for c in shot["contacts"] if flicked in (c["a"], c["b"])]
        doors = [{"puck": names[c["puck"]], "door": c["door"]} for c in shot["crossings"] if c["direction"] == "in"]
        return {
            "flicked": names[flicked],
            "touched": [names[k] for k in dict.fromkeys(touched)],
            "doors": doors,
            "exits": [names[e["puck"]] for e in shot["exits"]],
            "on_gate": [names[k] for k in shot["on_gate"]],
        }


def shot_asked_about(state: Any, table: Json) -> Json | None:
    """The shot that the screen asks about, as it truly was; None where nobody played. table: with its "shots"."""
    if state is None or not state.waiting:
        return None
    account = state.waiting[0].account
    near = min(table["shots"], key=lambda s: abs(s["t_start"] - account.t_start), default=None)
    if near is None or near["t_start"] >= account.t_end + SLACK_S or account.t_start >= near["t_end"] + SLACK_S:
        return None
    return dict(near)


def _mark(scoreboard: Json) -> Any:
    """Changes whenever a shot was ruled or asked about."""
    question = scoreboard.get("question") or {}
    return (scoreboard.get("shots"), scoreboard.get("phase"), scoreboard.get("waiting_shots"), question.get("id"))


def act_on(companion: CompanionLike, acts: Sequence[Act]) -> None:
    """Does what the players want; what is refused is left, as people do who look at the screen again."""
    for act in acts:
        try:
            if act.kind == "command":
                companion.command(act.name, act.data, SIMULATED)
            else:
                companion.table_command(act.data, SIMULATED)
        except IllegalMove:
            continue


def autoplay(companion: CompanionLike, *, seed: int, stop: threading.Event,
             clock: Callable[[], float] = time.monotonic) -> None:  # fmt: skip
    """Plays match after match in real time until stop is set; waits while people play by hand.

    What they are asked about a shot they answer by what they saw of it, as people around a table do. What the journal
    cannot take, as where a disk is full, they do once more, a while later.
    """
    players = Players(companion.board, seed, truth=lambda: shot_asked_about(companion.score.state, companion.table()))
    while not stop.wait(STEP_S):
        if companion.players == "wait":
            continue
        acts = players.step(companion.scoreboard(), companion.live(), companion.table(), clock())
        try:
            act_on(companion, acts)
        except JournalError:  # pages say so
            players.answers.clear()  # none was refused
            stop.wait(PATIENCE_S)
