"""Judges a rehearsed match shot by shot: what the companion decided against the second referee and the table's truth.

Three verdicts on every shot: the companion's, the second referee's from the truth, and the second referee's from what
the camera saw. Where the first differs from the second but not from the third, the camera was wrong; where it differs
from both, a rule was.
"""

from __future__ import annotations

import copy
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.games.paleo_state import PaleoState, WaitingShot
from companion.journal import Entry
from companion.rehearsal_match import Rehearsal
from companion.scoreboard import DERIVED, Score, step
from tests.referee import Referee, Verdict
from vision.events import PuckSeen

NEAR_MM = 14.0  # a puck is seen within its own radius of where it truly lies
SAME_SHOT_S = 0.4  # a shot's start is seen this close to its true start
TOLD_STEP_S = 0.02  # players tell an order of touches, not times
OUTCOMES = ("right", "close call", "wrong", "not seen", "no shot", "rules")

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Finding:
    """One shot's outcome (one of OUTCOMES) and, unless it is right, what was true and what was told."""

    outcome: str
    time_s: float
    detail: str = ""
    reviewed: bool = False


@dataclass
class Judge:
    """Watches one rehearsal; findings: one for each shot, true or told."""

    board: Path
    findings: list[Finding] = field(default_factory=list)
    misread: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.score = Score()
        self.referee = Referee(self.board)
        self.true_of: dict[str, str] = {}  # the companion's name of a pawn -> the pawn that it truly is
        self.paired: set[int] = set()
        self.deeds: list[Json] = []  # what hands were seen to do

    def __call__(self, rehearsal: Rehearsal) -> None:
        """Takes in what the journal has new."""
        truths = rehearsal.table.truth()["shots"]
        for entry in rehearsal.companion.entries_after(self.score.last_id):
            before, self.score = self.score, step(self.score, entry)
            if entry.type not in DERIVED:
                self._follow(before.state, entry, truths)

    def finish(self, truths: Sequence[Json]) -> None:
        """The match is over: shots that no account told of were not seen."""
        for shot in truths:
            if shot["shot"] not in self.paired and shot["t_end"] < self._until(truths):
                self.findings.append(Finding("not seen", shot["t_start"], f"{_told(shot)} | {self._instead(shot)}"))
        self.findings.sort(key=lambda f: f.time_s)

    def count(self, outcome: str) -> int:
        return sum(f.outcome == outcome for f in self.findings)

    @property
    def reviewed(self) -> int:
        return sum(f.reviewed for f in self.findings)

    def _instead(self, shot: Json) -> str:
        """What was told at the time of a shot that was not seen."""
        near = [d for d in self.deeds if shot["t_start"] - 1.0 < d["t"] < shot["t_end"] + 1.0]
        return "; ".join(f"{d['did']} {d['team']} ({d['x_mm']:.0f}, {d['y_mm']:.0f})" for d in near) or "nothing told"

    def _until(self, truths: Sequence[Json]) -> float:
        """The last shot of a match that was broken off may not have been told yet."""
        ended = self.score.state is not None and self.score.state.phase == "match_over"
        return math.inf if ended or not truths else float(truths[-1]["t_end"])

    # -- following the journal ---------------------------------------------------------------------------
    def _follow(self, before: PaleoState | None, entry: Entry, truths: Sequence[Json]) -> None:
        state = self.score.state
        if entry.type == "hand":
            self.deeds.append(entry.data)
        if entry.type == "match_started":
            self.referee = Referee(self.board)
        elif entry.type == "round_started":
            self.referee.begin(state.turn)
            self.true_of = {}
        if before is None or state is before or entry.type not in ("shot", "answer"):
            return
        shots = [*before.waiting]
        if entry.type == "answer":
            shots[0] = _answered(before, entry)
        elif before.phase == "playing" and len(state.waiting) <= len(before.waiting):
            shots.append(_waiting(self.score, entry))
        done = shots[: len(shots) - len(state.waiting)]
        if done and state.shots == before.shots:  # ignored, or to be played again
            self.paired |= {t["shot"] for s in done if (t := _true_shot(s, truths)) is not None}
        elif done:
            self._judge(before, state, done[-1], truths)

    def _judge(self, before: PaleoState, after: PaleoState, shot: WaitingShot, truths: Sequence[Json]) -> None:
        """Compares what followed from one shot."""
        truth = _true_shot(shot, truths)
        told = shot.answers.get("review:shot")
        reviewed = shot.account.needs_review
        lying = truth["start"] if truth is not None else {}
        self._name_pawns(before, after, shot, lying)
        seen = self._as_seen(after, shot) if not isinstance(told, Mapping) or truth is None else truth
        chosen = {self.true_of[slot.partition(":")[2]]: self.true_of.get(str(choice), "none")
                  for slot, choice in shot.answers.items() if slot.startswith("exchange:")}  # fmt: skip
        now = self._standing(before, after)
        by_sight = copy.deepcopy(self.referee)
        sight = by_sight.shot(seen, chosen)
        agrees = _standing(by_sight, sight) == now
        if truth is None:
            outcome, detail = ("no shot" if agrees else "rules"), f"seen: {_told(seen)}"
        else:
            self.paired.add(truth["shot"])
            by_truth = copy.deepcopy(self.referee)
            verdict = by_truth.shot(truth, chosen)
            outcome = self._outcome(now, _standing(by_truth, verdict), verdict, agrees, after, shot)
            detail = "" if outcome == "right" else f"true: {_told(truth)} | seen: {_told(seen)}"
        wrong_names = ", ".join(f"{k} is {t}" for k, t in self.true_of.items() if k != t and after.pawns[k].sure)
        if wrong_names and outcome != "right":
            detail += f" | misread: {wrong_names}"
        if outcome != "right":
            detail += f" | {dict(shot.answers)} | companion {_short(now)} referee {_short(_standing(by_sight, sight))}"
        self.findings.append(Finding(outcome, shot.account.t_start, detail, reviewed))
        self._adopt(by_sight, now, after)

    def _outcome(self, now: Json, true: Json, verdict: Verdict, agrees: bool, after: PaleoState,
                 shot: WaitingShot) -> str:  # fmt: skip
        if now == true:
            return "right"
        doubtful = set(verdict.close_calls)
        differs = set(now["captured"]) ^ set(true["captured"])
        if agrees and doubtful and differs <= doubtful and now["keys"] == true["keys"]:
            return "close call"
        return "wrong" if agrees or self._misnamed(after, shot) else "rules"

    # -- who is who --------------------------------------------------------------------------------------
    def _name_pawns(self, before: PaleoState, after: PaleoState, shot: WaitingShot,
                    lying: Mapping[str, Sequence[float]]) -> None:  # fmt: skip
        """Which pawn each name of the companion truly is: by place for those on the board, else as it was."""
        ids = {**before.seen_as, **after.seen_as}
        names: dict[str, str] = {}
        for puck in shot.account.before:
            true = _nearest(puck, lying)
            if true is not None and puck.puck in ids and true not in names.values():
                names[ids[puck.puck]] = true
        for key in after.pawns:
            wanted = [self.true_of.get(key, key), key]
            free = [k for k in after.pawns if k not in names.values() and after.pawns[k].team == after.pawns[key].team]
            if key not in names:
                names[key] = next((k for k in wanted if k in free), free[0])
        self.true_of = names
        self.misread.update(k for k, p in after.pawns.items() if p.sure and names[k] != k)

    def _misnamed(self, after: PaleoState, shot: WaitingShot) -> bool:
        """True where a pawn on the board has a number that is not its own: what follows is the camera's fault."""
        ids = {p.puck for p in shot.account.before}
        return any(self.true_of[k] != k and after.pawns[k].sure for i, k in after.seen_as.items() if i in ids)

    def _as_seen(self, after: PaleoState, shot: WaitingShot) -> Json:
        """The account in the form of the truth."""
        account = shot.account
        known = {p.puck: p for p in (*account.before, *account.after)}
        names = {i: self._true_of_puck(after, p) for i, p in known.items()}
        contacts = [{"t": c.t, "a": names[c.puck], "b": names[c.other], "slide": 99.0, "at": (c.x_mm, c.y_mm)}
                    for c in account.touches if c.puck in names and c.other in names]  # fmt: skip
        return {
            "puck": names[account.flicked], "t_start": account.t_start, "t_end": account.t_end,
            "t_rest": account.t_end, "contacts": contacts,
            "start": {names[p.puck]: (p.x_mm, p.y_mm) for p in account.before},
            "end": {names[p.puck]: (p.x_mm, p.y_mm) for p in account.after},
            "crossings": [{"t": d.t, "puck": names[d.puck], "door": d.door, "direction": "in"}
                          for d in account.doors_in if d.puck in names],
            "exits": [{"t": m.t, "puck": names[m.puck]} for m in account.exits if m.puck in names],
            "on_gate": [names[i] for i in account.on_gate if i in names],
        }  # fmt: skip

    def _true_of_puck(self, after: PaleoState, puck: PuckSeen) -> str:
        key = after.seen_as.get(puck.puck)
        key = key if key is not None else next((k for k in self.true_of if k == f"{puck.team}-{puck.number}"), "")
        return self.true_of.get(key, puck.puck)

    # -- how things stand --------------------------------------------------------------------------------
    def _standing(self, before: PaleoState, after: PaleoState) -> Json:
        """How things stand after the shot, as the companion has it, in true pawns."""
        over = after.phase != "playing"
        fresh = [k for k in after.to_place if k not in before.to_place]
        return {
            "points": dict(after.points), "over": over, "turn": None if over else after.turn,
            "keys": dict(after.keys), "captured": sorted(self.true_of[k] for k, p in after.pawns.items() if p.captured),
            "to camp": [] if over else sorted(self.true_of[k] for k in fresh),
        }  # fmt: skip

    def _adopt(self, referee: Referee, now: Json, after: PaleoState) -> None:
        """The second referee goes on from where the companion stands, so that each shot is judged by itself."""
        referee.points, referee.keys = dict(now["points"]), dict(now["keys"])
        referee.captured, referee.over = set(now["captured"]), bool(now["over"])
        referee.safe = {self.true_of[k] for k in after.immune}
        referee.turn = now["turn"] or referee.turn
        self.referee = referee


def _standing(referee: Referee, verdict: Verdict) -> Json:
    return {
        "points": dict(referee.points), "over": referee.over, "turn": None if referee.over else referee.turn,
        "keys": dict(referee.keys), "captured": sorted(referee.captured),
        "to camp": [] if referee.over else list(verdict.back_to_camp),
    }  # fmt: skip


def _answered(before: PaleoState, entry: Entry) -> WaitingShot:
    assert before.question is not None
    first = before.waiting[0]
    return WaitingShot(first.entry, first.account, {**first.answers, before.question.slot: entry.data["choice"]})


def _waiting(score: Score, entry: Entry) -> WaitingShot:
    from companion.fusion import account_from_json

    return WaitingShot(entry.id, account_from_json(entry.data))


def _true_shot(shot: WaitingShot, truths: Sequence[Json]) -> Json | None:
    """The true shot that an account tells of."""
    account = shot.account
    near = sorted((abs(t["t_start"] - account.t_start), t["shot"]) for t in truths)
    if near and near[0][0] < SAME_SHOT_S:
        return next(t for t in truths if t["shot"] == near[0][1])
    return next((t for t in truths if t["t_start"] < account.t_end and account.t_start < t["t_end"]), None)


def _nearest(puck: PuckSeen, lying: Mapping[str, Sequence[float]]) -> str | None:
    mine = ((math.dist(at, (puck.x_mm, puck.y_mm)), k) for k, at in lying.items() if k.startswith(puck.team + "-"))
    distance, key = min(mine, default=(math.inf, None))
    return key if distance < NEAR_MM else None


def _told(shot: Json) -> str:
    """A shot in a few words."""
    return ", ".join([f"{shot['puck']} t={shot['t_start']:.2f}", *_parts(shot)])


def _parts(shot: Json) -> Iterator[str]:
    touches = sorted(shot["contacts"], key=lambda c: float(c["t"]))
    direct = [c["b"] if c["a"] == shot["puck"] else c["a"] for c in touches if shot["puck"] in (c["a"], c["b"])]
    doors = [(c["puck"], c["door"]) for c in shot["crossings"] if c["direction"] == "in"]
    parts = {"touched": list(dict.fromkeys(direct)), "doors": doors, "exits": [e["puck"] for e in shot["exits"]],
             "gate": shot["on_gate"]}  # fmt: skip
    yield from (f"{name} {what}" for name, what in parts.items() if what)


def _short(standing: Json) -> str:
    return " ".join(f"{k}={v}" for k, v in standing.items() if k != "over")
