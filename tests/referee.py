"""A second referee for Paleo, small and written from the rule text alone: it judges the real one. Stdlib only.

It is told what truly happened in each shot (the form of a recording's truth.json: `puck`, `contacts` with `t`, `a`,
`b`, `slide`, `crossings`, `exits`, `on_gate`, `start`, `end`) and which exchanges the players chose.

How it reads what the text leaves open: "in its camp" is the pawn's centre before the shot; touches less than
TIE_S apart have no order; a pawn put back in camp is safe until the opponent's next shot is over, from the rim too;
an expelled last pawn ends the round; what happens first in a shot counts first.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TIE_S = 0.005
WIN_POINTS = 4
GRAZE_MM = 1.5  # a touch that slides the other pawn less can hardly be seen
EDGE_MM = 1.5  # nor a pawn so close to a line

News = tuple[float, int, str, str, str]  # when, order among equals, what, pawn, door


@dataclass
class Verdict:
    """What one shot meant."""

    captured: list[str] = field(default_factory=list)
    back_to_camp: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    round_winner: str | None = None
    points: int = 0
    close_calls: list[str] = field(default_factory=list)


class Referee:
    """Keeps one match: `captured` pawns, `keys` by door, `turn`, `points`, `round_winners`."""

    def __init__(self, board: Path | Mapping[str, Any]) -> None:
        self.board: Mapping[str, Any] = board if isinstance(board, Mapping) else tomllib.loads(board.read_text())
        self.sides = [str(t["name"]) for t in self.board["team"]]
        self.points = dict.fromkeys(self.sides, 0)
        self.round_winners: list[tuple[str, int]] = []
        self.pawns: dict[str, str] = {}
        self.begin(self.sides[0])

    def begin(self, turn: str) -> None:
        """A round: 8 pawns a side, all keys in place."""
        self.turn = turn
        self.pawns = {f"{t['name']}-{n}": t["name"] for t in self.board["team"] for n in
                      (*t["mercenaries"], *t["explorers"])}  # fmt: skip
        self.captured: set[str] = set()
        self.keys: dict[str, str] = {}
        self.safe: set[str] = set()
        self.over = False

    @property
    def winner(self) -> str | None:
        return next((s for s in self.sides if self.points[s] >= WIN_POINTS), None)

    def shot(self, truth: Mapping[str, Any], exchanges: Mapping[str, str] | None = None,
             unseen: frozenset[str] = frozenset()) -> Verdict:  # fmt: skip
        """Judges a shot and passes the turn.

        exchanges: pawn that entered -> captured pawn that comes back for it; not named: no exchange. unseen: pawns
        whose touch was a graze (see close_calls) that the table agreed to leave out.
        """
        assert not self.over, "the round is over"
        verdict, played = Verdict(), truth["puck"]
        me = self.pawns[played]
        entered = self._entered(truth)
        news = self._touch_captures(truth, played, entered, unseen, verdict)
        for fall in truth["exits"]:
            pawn = fall["puck"]
            if pawn in self.captured or pawn in entered:
                continue
            protected = pawn in self.safe and self.pawns[pawn] != me
            news.append((fall["t"], 2, "saved" if protected else "taken", pawn, ""))
        news += [(t, 1, "in", pawn, door) for pawn, (t, door) in entered.items()]
        last = max([float(truth.get("t_rest", truth["t_end"])), *(n[0] for n in news)])
        news += [(last, 3, "door", pawn, "") for pawn in truth["on_gate"] if pawn not in entered]
        returned: set[str] = set()
        for t, _, what, pawn, door in sorted(news):
            if self.over:
                break
            if what == "taken" and pawn not in self.captured:
                self.captured.add(pawn)
                verdict.captured.append(pawn)
                if not self._left(self.pawns[pawn]):
                    self._win(self._enemy(self.pawns[pawn]), 1, verdict)
            elif what == "saved":
                returned.add(pawn)
            elif what == "in":
                returned.add(self._sanctuary(truth, t, pawn, door, entered, exchanges or {}, verdict))
            elif what == "door" and pawn not in self.captured:
                self._open(pawn, verdict)
        verdict.back_to_camp = sorted(returned)
        self.safe = {p for p in self.safe if self.pawns[p] == me and p not in self.captured} | returned
        self.turn = self._enemy(me)
        return verdict

    # -- touching ----------------------------------------------------------------------------------------
    def _touch_captures(self, truth: Mapping[str, Any], played: str, entered: Mapping[str, Any],
                        unseen: frozenset[str], verdict: Verdict) -> list[News]:  # fmt: skip
        """Who the played Mercenary captures: everybody it touches itself, but only the first of those at home."""
        if not self._is(played, "mercenaries"):
            return []
        first: dict[str, float] = {}
        for contact in sorted(truth["contacts"], key=lambda c: float(c["t"])):
            if played not in (contact["a"], contact["b"]):
                continue
            other = contact["b"] if contact["a"] == played else contact["a"]
            enemy = self.pawns[other] != self.pawns[played]
            if not enemy or other in self.captured or other in self.safe or other in unseen:
                continue
            first.setdefault(other, float(contact["t"]))
            hits = [c["slide"] for c in truth["contacts"] if {c["a"], c["b"]} == {played, other}]
            if max(hits) < GRAZE_MM:
                verdict.close_calls.append(other)
        at_home = [p for p in first if self._depth_in_camp(p, truth["start"][p]) >= 0]
        verdict.close_calls += [p for p in first if abs(self._depth_in_camp(p, truth["start"][p])) < EDGE_MM]
        spared = set(at_home) - {self._first_at_home(truth, played, at_home, first)}
        return [(t, 0, "taken", p, "") for p, t in first.items() if p not in spared and p not in entered]

    def _first_at_home(self, truth: Mapping[str, Any], played: str, home: list[str], first: Mapping[str, float]) -> str:
        """The first touched; of those that cannot be told apart the nearest to the Mercenary after the shot."""
        if not home:
            return ""
        begin = min(first[p] for p in home)
        tied = [p for p in home if first[p] - begin < TIE_S and p in truth["end"]]
        if len([p for p in home if first[p] - begin < TIE_S]) == 1 or played not in truth["end"] or not tied:
            return min(home, key=lambda p: first[p])
        return min(tied, key=lambda p: math.dist(truth["end"][p], truth["end"][played]))

    def _depth_in_camp(self, pawn: str, place: tuple[float, float]) -> float:
        """How far inside its own camp's circle a place is; boards with a camp of another shape are not judged here."""
        for zone in self.board.get("zone", []):
            if zone["kind"] == "base_camp" and zone.get("team") == self.pawns[pawn]:
                x, y, r = zone["circle"]
                return float(r) - math.dist((x, y), place)
        return -math.inf

    # -- sanctuaries -------------------------------------------------------------------------------------
    def _entered(self, truth: Mapping[str, Any]) -> dict[str, tuple[float, str]]:
        """Pawns that were wholly through a door, even if they came out again: when, and which door first."""
        entered: dict[str, tuple[float, str]] = {}
        for c in sorted(truth["crossings"], key=lambda c: float(c["t"])):
            if c["direction"] == "in" and c["puck"] not in self.captured:
                entered.setdefault(c["puck"], (float(c["t"]), c["door"]))
        return entered

    def _sanctuary(self, truth: Mapping[str, Any], t: float, pawn: str, door: str, entered: Mapping[str, Any],
                   exchanges: Mapping[str, str], verdict: Verdict) -> str:  # fmt: skip
        """Key and exchange in an enemy's Sanctuary; returns the pawn that goes to a circle of its camp."""
        side = self.pawns[pawn]
        if self._side_of(door) == side:
            return pawn
        if self._is(pawn, "explorers") and door not in self.keys:
            self.keys[door] = side
            verdict.keys.append(door)
            for waiting in self._left(side):
                still = not any(waiting in (c["a"], c["b"]) and c["t"] <= t for c in truth["contacts"])
                if waiting in truth["start"] and waiting != truth["puck"] and waiting not in entered and still:
                    gate = self.board["gate"][0]["circle"]
                    if math.dist(gate[:2], truth["start"][waiting]) + self.board["puck"]["diameter"] / 2 <= gate[2]:
                        self._open(waiting, verdict)
        back = exchanges.get(pawn, "none")
        if self.over or back not in self.captured or self.pawns[back] != side:
            return pawn
        self.captured.remove(back)
        self.captured.add(pawn)
        return back

    # -- door and points ---------------------------------------------------------------------------------
    def _open(self, pawn: str, verdict: Verdict) -> None:
        """An Explorer on the city's door wins if its side has the keys of both enemy Sanctuaries."""
        side = self.pawns[pawn]
        needed = [d["name"] for d in self.board["door"] if d["team"] != side]
        if not self.over and self._is(pawn, "explorers") and all(self.keys.get(d) == side for d in needed):
            self._win(side, 2, verdict)

    def _win(self, side: str, points: int, verdict: Verdict) -> None:
        self.over = True
        self.points[side] += points
        self.round_winners.append((side, points))
        verdict.round_winner, verdict.points = side, points

    # -- who is who --------------------------------------------------------------------------------------
    def _left(self, side: str) -> list[str]:
        return [p for p, s in self.pawns.items() if s == side and p not in self.captured]

    def _enemy(self, side: str) -> str:
        return self.sides[1 - self.sides.index(side)]

    def _side_of(self, door: str) -> str:
        return str(next(d["team"] for d in self.board["door"] if d["name"] == door))

    def _is(self, pawn: str, role: str) -> bool:
        team = next(t for t in self.board["team"] if t["name"] == self.pawns[pawn])
        return bool(int(pawn.rsplit("-", 1)[1]) in team[role])
