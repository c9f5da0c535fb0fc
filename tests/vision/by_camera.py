"""The same shots of the virtual table filmed by one camera after another: what resolution, rate and shutter are worth.

    python -m tests.vision.by_camera --films 8 --costly 3 --first 9001 --out cameras.jsonl --keep FOLDER

A seed plays the same shots on the same board whatever films them, slow flicks and fast ones in turn. One line of JSON
per film goes to --out as it is done, one seed after the other by all cameras; what is there is not filmed again.
Ends with the tables that docs/vision-figures.md shows: shutters, poor cameras, those that are costly to film; each of
the seeds that all cameras of the table have filmed.
"""

from __future__ import annotations

import argparse
import math
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise, product
from pathlib import Path
from typing import Any

from tests.vision.many_shots import RANDOM_BOARD_EVERY, at_most, judge, measure, root_mean_square
from vision.virtual_table.looks import Look, look_for

Result = dict[str, Any]

WIDTHS = {480: 640, 720: 1280, 1080: 1920}
PACE = (1.0, 0.55, 1.0, 1.7)  # flicks as the table plans them (0.5 to 2.9 m/s), and slower and faster ones among them

# speeds at the flick: slides 100 mm, up to 400 mm, up to 900 mm, and over the rim unless something stops it
BANDS_MM_S = (0.0, 750.0, 1500.0, 2250.0, math.inf)

TWO_SIDED = 0.975  # a bound on either side that holds so surely leaves 95 % between the two


@dataclass(frozen=True, slots=True)
class Camera:
    """lines of the picture; pictures a second; one over the shutter in seconds; grain: noise, times that of 720p."""

    lines: int
    fps: int
    shutter: int
    grain: float = 1.0

    @property
    def name(self) -> str:
        noise = f", grain x {self.grain:g}" if self.grain != 1 else ""
        return f"{self.lines}p{self.fps} 1/{self.shutter}{noise}"

    def look(self, seed: int) -> Look:
        """The seed's room seen by this camera: as bright whatever the shutter, as if the light were made to fit it."""
        room = look_for("standard", seed)
        return replace(room, tier=self.name, size=(WIDTHS[self.lines], self.lines), fps=float(self.fps),
                       exposure_s=1 / self.shutter, noise=room.noise * self.grain)  # fmt: skip


MIDDLE = Camera(720, 30, 120)
SHUTTERS = (MIDDLE, Camera(720, 30, 30), Camera(720, 30, 60), Camera(720, 30, 250), Camera(720, 30, 500))
# few lines, and short shutters by the middle's lamp: gain makes up for it, and noise grows at most as much
POOR = (Camera(480, 30, 30), Camera(480, 30, 120), Camera(720, 30, 250, 2.0), Camera(720, 30, 500, 4.0))

COSTLY = (Camera(720, 60, 120), Camera(720, 60, 250), Camera(1080, 30, 120), Camera(1080, 30, 250),
          Camera(1080, 60, 500))  # fmt: skip
TABLES = (SHUTTERS, (MIDDLE, *POOR), (MIDDLE, *COSTLY))


def judge_film(task: tuple[int, Camera], keep: Path | None) -> Result:
    """The shots of a seed as one camera shows them."""
    seed, camera = task
    return {"seed": seed, "camera": camera.name} | judge(
        f"{camera.name.replace('/', '-').replace(' ', '-')}-{seed}", keep,
        seed=seed, look=camera.look(seed), pace=PACE, random_board=seed % RANDOM_BOARD_EVERY == 2,
    )  # fmt: skip


def complete(results: Iterable[Result], cameras: Sequence[str]) -> dict[str, list[Result]]:
    """Each camera's films of the seeds that all of them have filmed, by seed."""
    by_both = {(r["camera"], r["seed"]): r for r in results}
    seeds = sorted({seed for _, seed in by_both})
    whole = [seed for seed in seeds if all((name, seed) in by_both for name in cameras)]
    return {name: [by_both[name, seed] for seed in whole] for name in cameras}


def played(films: Iterable[Result]) -> list[tuple[float, str]]:
    """Speed at the flick and verdict of each shot that was played, in order."""
    return [pair for r in films for pair in zip(r["speeds"], r["verdicts"], strict=False)]


def share(right: int, of: int) -> str:
    """The bounds between which the true share lies with 95 %."""
    if not of:
        return "-"
    low, high = 1 - at_most(of - right, of, TWO_SIDED), at_most(right, of, TWO_SIDED)
    return f"{low:.0%} to {high:.0%}".replace("%", " %")


def by_camera(films: dict[str, list[Result]]) -> list[str]:
    """A row for each camera; better, worse: shots that it shows rightly and the first one not, and the other way."""
    rows = ["| camera | right | review | wrong | not seen | invented | true share of right | better, worse | rest rms "
            "| touches, median | numbers wrong, unread |", "|---|---|---|---|---|---|---|---|---|---|---|"]  # fmt: skip
    first = [verdict == "right" for _, verdict in played(next(iter(films.values())))]
    for name, mine in films.items():
        count = Counter(v for r in mine for v in r["verdicts"])
        right = [verdict == "right" for _, verdict in played(mine)]
        pairs = Counter(zip(right, first, strict=True))
        touches, read = [e for r in mine for e in r["touch_ms"]], Counter(n for r in mine for n in r["numbers"])
        rows.append(
            f"| {name} | {count['right']} | {count['review']} | {count['wrong']} | {count['unseen']} "
            f"| {count['invented']} | {share(count['right'], len(right))} | {pairs[True, False]}, {pairs[False, True]} "
            f"| {root_mean_square(d for r in mine for d in r['rest_mm']):.2f} mm "
            f"| {statistics.median(touches) if touches else math.nan:.1f} ms "
            f"| {read['wrong']}, {read['unread']} of {sum(read.values())} |"
        )
    return rows


def by_speed(films: dict[str, list[Result]]) -> list[str]:
    """How many were right of how many, for each camera by the speed at the flick; all cameras together with bounds."""
    bands = list(pairwise(BANDS_MM_S))
    rows = ["| camera | " + " | ".join(_band(low, high) for low, high in bands) + " |", "|---" * (len(bands) + 1) + "|"]
    for name, mine in films.items():
        shots = played(mine)
        rows.append(f"| {name} | " + " | ".join("{} of {}".format(*_right_in(shots, *band)) for band in bands) + " |")
    everything = played(r for mine in films.values() for r in mine)
    counts = [_right_in(everything, *band) for band in bands]
    return [*rows, "| all | " + " | ".join(f"{right} of {of}" for right, of in counts) + " |"]


def _band(low: float, high: float) -> str:
    if high == math.inf:
        return f"above {low / 1000:g} m/s"
    return f"below {high / 1000:g}" if low == 0 else f"{low / 1000:g} to {high / 1000:g}"


def _right_in(shots: Iterable[tuple[float, str]], low: float, high: float) -> tuple[int, int]:
    mine = [verdict for speed, verdict in shots if low <= speed < high]
    return mine.count("right"), len(mine)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--films", type=int, default=8, help="films by each camera that is quick to film")
    parser.add_argument("--costly", type=int, default=3, help="films by each of the others")
    parser.add_argument("--first", type=int, default=9001, help="the first film's seed")
    parser.add_argument("--out", type=Path, required=True, help="a line of JSON per film")
    parser.add_argument("--keep", type=Path, help="folder for the films in which something was not right")
    parser.add_argument("--jobs", type=int, default=1, help="films at the same time")
    args = parser.parse_args()
    many, few = (range(args.first, args.first + count) for count in (args.films, args.costly))
    tasks = sorted(
        [*product(many, (*SHUTTERS, *POOR)), *product(few, COSTLY)], key=lambda task: task[0] + (task[1] in COSTLY)
    )
    results = measure(tasks, args.out, args.jobs, partial(judge_film, keep=args.keep),
                      lambda task: {"seed": task[0], "camera": task[1].name})  # fmt: skip
    for cameras in TABLES:
        films = complete(results, [camera.name for camera in cameras])
        print("\n".join([f"\n{sum(len(played([r])) for r in films[MIDDLE.name])} shots", *by_camera(films), "",
                         *by_speed(films)]))  # fmt: skip


if __name__ == "__main__":
    main()
