"""`make rehearse`: whole matches through camera and pipeline, as fast as can be, judged by the second referee.

    python -m tests.rehearsal --seeds 20 --shots 120 --jobs 2

Ends with exit code 1 where a rule was applied wrongly (not: where the camera was wrong, which is counted) or where a
match came to a standstill.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from calibration.board import default_board_path
from tests.rehearsal.judging import OUTCOMES
from tests.rehearsal.matches import Result, Task, rehearse

SEEDS, SHOTS = 20, 120


def line(result: Result) -> str:
    """A match in one line."""
    counts = ", ".join(f"{result.counts[o]} {o}" for o in OUTCOMES if result.counts[o])
    points = " : ".join(f"{team} {n}" for team, n in result.points.items())
    seconds, took = result.played_s, result.took_s
    return (f"match {result.seed:3d}  {result.ended:14s} {points} in {result.rounds} rounds, {len(result.findings)} "
            f"shots: {counts}; {result.reviewed} reviewed; {seconds:.0f} s of play in {took:.0f} s")  # fmt: skip


def summary(results: list[Result]) -> str:
    """All matches in a few lines."""
    total: Counter[str] = sum((r.counts for r in results), Counter())
    won = sum(r.ended == "won" for r in results)
    counts = ", ".join(f"{total[o]} {o}" for o in OUTCOMES)
    reviewed, shots = sum(r.reviewed for r in results), sum(total.values())
    speed = sum(r.played_s for r in results) / max(sum(r.took_s for r in results), 1e-9)
    return (f"{len(results)} matches, {won} played to their end; {shots} shots: {counts}; {reviewed} reviewed\n"
            f"wrong by the camera: {sum(total[o] for o in ('wrong', 'not seen', 'no shot'))}; wrong by the rules: "
            f"{total['rules']}; {speed:.1f} times as fast as play")  # fmt: skip


def details(result: Result) -> list[str]:
    """What was not right, in the order of time."""
    bad = [f for f in result.findings if f.outcome != "right"]
    return [f"    {f.outcome} at {f.time_s:.2f} s{' (reviewed)' * f.reviewed}: {f.detail}" for f in bad]


def arguments(given: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make rehearse", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=SEEDS, help="how many matches")
    parser.add_argument("--first", type=int, default=1, help="the first match's seed")
    parser.add_argument("--shots", type=int, default=SHOTS, help="shots after which a match is broken off")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="matches at the same time")
    parser.add_argument("--board", type=Path, default=default_board_path(), help="board file")
    parser.add_argument("--size", type=int, nargs=2, default=(1280, 720), metavar=("W", "H"))
    parser.add_argument("--details", action="store_true", help="tell what was true and what was seen")
    return parser.parse_args(given)


def played(tasks: list[Task], jobs: int) -> Iterator[Result]:
    """The matches' results in the order of their seeds."""
    if jobs <= 1:
        yield from map(rehearse, tasks)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        yield from pool.map(rehearse, tasks)


def main(given: list[str] | None = None) -> int:
    args = arguments(given)
    seeds = range(args.first, args.first + args.seeds)
    tasks = [Task(seed, args.board, args.shots, tuple(args.size)) for seed in seeds]
    results: list[Result] = []
    for result in played(tasks, args.jobs):
        results.append(result)
        print(line(result), flush=True)
        if args.details or result.failed:
            print(*details(result), sep="\n", flush=True)
    print(summary(results))
    return 1 if any(r.failed for r in results) else 0


if __name__ == "__main__":
    sys.exit(main())
