"""Films of flicks into pucks that touch or nearly do: python -m tests.vision.touching KIND [--films N] [--first SEED].

KIND: `pair` (two that touch or lie less than 3 mm apart), `row` (three), `crowd` (four or five), less than 20 mm apart
each. In every film of the virtual table two such clusters lie, and one puck of each is flicked into it. Prints each
shot that was not told rightly, in who was flicked, what it touched and every pair that touched, and counts them all.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from calibration.board import default_board_path, load_board
from tests.vision.film_score import SLIGHT_MM, decided
from vision.events import event_to_line
from vision.pipeline import Tracker
from vision.virtual_table.looks import TIERS, look_for
from vision.virtual_table.physics import Material, Puck
from vision.virtual_table.setup import is_free
from vision.virtual_table.table import VirtualTable

BOARD = load_board(default_board_path())
DIAMETER = BOARD.puck.diameter_mm
WALLS = [o.polygon for o in BOARD.obstacles]
COUNTS = {"pair": (2,), "row": (3,), "crowd": (4, 5)}
APART_MM, INSIDE_MM = 150.0, 40.0  # between clusters, and from the border
CLEAR_MM = 2.0  # from walls
LEAST_MM = 0.05  # between two
REST_S, LONGEST_S = 0.7, 20.0
TRIES = 400
Json = dict[str, Any]


def cluster(rng: random.Random, kind: str, taken: Sequence[Puck], names: dict[str, list[int]]) -> list[Puck]:
    """Pucks of which the first is to be flicked at the second. names: numbers left by team, which it takes of."""
    (w, h), count = BOARD.size, rng.choice(COUNTS[kind])
    for _ in range(TRIES):
        places = [(rng.uniform(110, w - 110), rng.uniform(110, h - 110))]
        if not _free(*places[0]) or any(math.dist(places[0], (p.x_mm, p.y_mm)) < APART_MM for p in taken):
            continue
        ahead = rng.uniform(0, 2 * math.pi)
        for _ in range(TRIES):
            gap = rng.choice([0.1, rng.uniform(0.2, 3.0 if kind == "pair" else 20.0)])
            turn = ahead + rng.uniform(-1.2, 1.2) * (0.5 if len(places) == 1 else 1.0)
            x, y = rng.choice(places)
            place = (x + (DIAMETER + gap) * math.cos(turn), y + (DIAMETER + gap) * math.sin(turn))
            if _free(*place) and all(math.dist(place, p) > DIAMETER + LEAST_MM for p in places):
                places.append(place)
            if len(places) == count:
                teams = ["red", *(rng.choice(["red", "green"]) for _ in places[1:])]
                numbers = [(team, names[team].pop()) for team in teams]
                return [Puck(f"{team}-{n}", team, n, *at) for (team, n), at in zip(numbers, places, strict=True)]
    raise ValueError(f"no room for a {kind} of pucks was found beside {len(taken)} others")


def _free(x: float, y: float) -> bool:
    w, h = BOARD.size
    return INSIDE_MM < x < w - INSIDE_MM and INSIDE_MM < y < h - INSIDE_MM and is_free(BOARD, WALLS, (), x, y, CLEAR_MM)


def flick_at(rng: random.Random, pucks: Sequence[Puck]) -> Json:
    """A flick of the first puck that strikes the second one, full or less so."""
    first, second = pucks[:2]
    line = math.degrees(math.atan2(second.y_mm - first.y_mm, second.x_mm - first.x_mm))
    return {"do": "flick", "puck": first.key, "angle_deg": (line + rng.uniform(-25, 25)) % 360,
            "speed_mm_s": rng.uniform(350, 1600)}  # fmt: skip


def play(kind: str, seed: int, tier: str = "standard") -> tuple[Json, list[Json]]:
    """Two clusters, and a flick into each. -> what happened, and what was told"""
    rng = random.Random(f"touching {kind} {seed}")
    names, pucks, flicks = {team: list(range(1, 17)) for team in ("red", "green")}, list[Puck](), list[Json]()
    for _ in range(2):
        its = cluster(rng, kind, pucks, names)
        pucks += its
        flicks.append(flick_at(rng, its))
    material = Material(rng.uniform(2400, 3400), rng.uniform(0.6, 0.9))
    table = VirtualTable(BOARD, seed=seed, look=look_for(tier, seed), pucks=pucks, reefs=(), material=material)
    tracker = Tracker(BOARD, frame_size=table.size, fps=table.fps, pose=table.pose, lens=table.lens)
    events, rest_until = [], REST_S
    for frame in table.frames():
        events += tracker.update(frame)
        if table.busy:
            rest_until = frame.time_s + REST_S
        elif frame.time_s > rest_until and flicks:
            table.command(flicks.pop(0))
        elif frame.time_s > rest_until or frame.time_s > LONGEST_S:
            break
    events += tracker.finish()
    return table.truth(), [json.loads(event_to_line(e)) for e in events]


def verdicts(truth: Json, events: Sequence[Json]) -> list[str]:
    """As film_score.decided, by all pairs that touched too: `wrong` for each shot told without a doubt in which one is
    missing that moved the other puck visibly, or one is told that never was."""
    out = decided(truth, events)
    for k, shot in enumerate(truth["shots"]):
        if out[k] == "right" and not _pairs_right(shot, events):
            out[k] = "wrong"
    return out


def _pairs_right(shot: Json, events: Sequence[Json]) -> bool:
    started = min((e for e in events if e["type"] == "shot_started"), key=lambda e: abs(e["t"] - shot["t_start"]))
    keys = {p["puck"]: min(shot["start"], key=lambda k: math.dist(shot["start"][k], (p["x_mm"], p["y_mm"])))
            for p in started["pucks"]}  # fmt: skip
    told = {frozenset(keys[e[k]] for k in ("puck", "other")) for e in events
            if e["type"] == "contact" and e["shot"] == started["shot"]}  # fmt: skip
    may = {frozenset((c["a"], c["b"])) for c in shot["contacts"]}
    must = {frozenset((c["a"], c["b"])) for c in shot["contacts"] if c["slide"] >= SLIGHT_MM}
    return must <= told <= may


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.vision.touching", description="clusters that touch")
    parser.add_argument("kind", choices=COUNTS)
    parser.add_argument("--films", type=int, default=24)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--tier", choices=sorted(TIERS), default="standard")
    told = parser.parse_args()
    counts: Counter[str] = Counter()
    for seed in range(told.first, told.first + told.films):
        found = verdicts(*play(told.kind, seed, told.tier))
        counts.update(found)
        if set(found) != {"right"}:
            print(seed, *found, flush=True)
    print(*(f"{count} {verdict}" for verdict, count in counts.most_common()), sep=", ")


if __name__ == "__main__":
    main()
