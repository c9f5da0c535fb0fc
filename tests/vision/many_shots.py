"""Films of the virtual table in number: boards, lights, shutters and seeds, each tracked and judged against its truth.

    python -m tests.vision.many_shots --films 250 --first 1 --out shots.jsonl --keep FOLDER

One line of JSON per film goes to --out as it is done; seeds that are in that file already are not filmed again, so the
measurement can be broken off and gone on with. --keep holds the films of which a shot was not right, or one invented.
--deeds 9 films hands instead: after each of three shots a film, pucks are slid by 6 to 40 mm, lifted and put elsewhere;
only shots are judged, as always: those that were played, and those that hands were taken for.
Ends with the table that docs/vision-figures.md shows.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

from companion.tracking import track_film
from tests.vision.film_score import decided, numbers_read, rest_errors, touch_errors
from vision.virtual_table.film import make_film

Result = dict[str, Any]
Task = TypeVar("Task")

# One of each ten films; the two of 1080p, which take long to film, take turns in the last place.
TIERS = ("standard", "dim", "slant", "standard", "bump", "lights", "vga", "standard", "pinch", "sharp")
SHOTS, SHOTS_AMONG_DEEDS = 8, 3  # in each film
RANDOM_BOARD_EVERY = 3  # films, which has no factor in common with the number of tiers
CONFIDENCE = 0.95


def tier_of(seed: int) -> str:
    """The tier that a film of this seed is made in."""
    tier = TIERS[seed % len(TIERS)]
    return "easy" if tier == "sharp" and seed // len(TIERS) % 2 else tier


def judge(name: str, keep: Path | None, shots: int = SHOTS, **film: Any) -> Result:
    """Makes a film as make_film's words say, tracks it and judges.

    -> verdicts, speeds at the flick in mm/s, errors of rest in mm and of touches in ms, numbers, seconds taken by the
    tracker. keep: a folder that the film is moved to, under its name, where a verdict is not right.
    """
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="paleo-shots-") as spare:
        folder = Path(spare) / name
        clip, told = folder / "clip.mp4", folder / "events.jsonl"
        truth = make_film(clip, shots=shots, **film)
        began = time.perf_counter()
        track_film(str(clip), folder / "board.toml", folder / "lens.json", None, told, lambda done, total: None)
        took = time.perf_counter() - began
        events = [json.loads(line) for line in told.read_text(encoding="utf-8").splitlines()]
        verdicts = decided(truth, events)
        if keep is not None and set(verdicts) != {"right"}:
            shutil.move(folder, keep / folder.name)
    return {"verdicts": verdicts, "speeds": [shot["speed"] for shot in truth["shots"]],
            "rest_mm": [round(d, 3) for d in rest_errors(truth, events)],
            "touch_ms": [round(1000 * s, 2) for s in touch_errors(truth, events)],
            "numbers": numbers_read(truth, events), "film_s": truth["frames"] / truth["fps"],
            "took_s": round(took, 2)}  # fmt: skip


def judge_film(seed: int, keep: Path | None, deeds: int = 0) -> Result:
    """The film of a seed: its tier, its board, and how it was judged. deeds: of hands after each shot."""
    tier, random_board = tier_of(seed), seed % RANDOM_BOARD_EVERY == 2
    shots = SHOTS_AMONG_DEEDS if deeds else SHOTS
    return {"seed": seed, "tier": tier, "random_board": random_board, "deeds": deeds} | judge(
        f"{tier}-{seed}", keep, shots, seed=seed, tier=tier, random_board=random_board, deeds=deeds
    )


def at_most(bad: int, of: int, confidence: float = CONFIDENCE) -> float:
    """The share that is exceeded with no more than 1 - confidence, having seen `bad` of `of` (Clopper and Pearson)."""
    if bad >= of:
        return 1.0

    def fewer(share: float) -> float:
        return sum(math.comb(of, k) * share**k * (1 - share) ** (of - k) for k in range(bad + 1))

    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if fewer(middle) > 1 - confidence else (low, middle)
    return high


def root_mean_square(errors: Iterable[float]) -> float:
    """Not a number where there is none."""
    squares = [e * e for e in errors]
    return math.sqrt(sum(squares) / len(squares)) if squares else math.nan


def summary(results: Iterable[Result]) -> list[str]:
    """A table: one row a tier, and all together."""
    rows = ["| tier | films, shots | right | review | wrong | not seen | invented | rest rms | numbers wrong, unread |",
            "|---|---|---|---|---|---|---|---|---|"]  # fmt: skip
    results = list(results)
    for tier in (*sorted({r["tier"] for r in results}), "all"):
        mine = [r for r in results if tier in (r["tier"], "all")]
        count = Counter(v for r in mine for v in r["verdicts"])
        shots = sum(count.values()) - count["invented"]
        rms = root_mean_square(d for r in mine for d in r["rest_mm"])
        read = Counter(n for r in mine for n in r["numbers"])
        rows.append(f"| {tier} | {len(mine)}, {shots} | {count['right']} | {count['review']} | {count['wrong']} "
                    f"| {count['unseen']} | {count['invented']} | {rms:.2f} mm "
                    f"| {read['wrong']}, {read['unread']} of {sum(read.values())} |")  # fmt: skip
    bad = count["wrong"] + count["unseen"]
    return [*rows, f"wrong or not seen: {bad} of {shots}, with 95 % confidence at most {at_most(bad, shots):.2%}"]


def measure(tasks: Sequence[Task], out: Path, jobs: int, judge_one: Callable[[Task], Result],
            marks: Callable[[Task], Result]) -> list[Result]:  # fmt: skip
    """Judges each task that `out` does not hold yet, and writes it there. -> the results of all these tasks

    judge_one: runs in processes of their own; marks: what a task's result, and no other's, bears.
    """
    known = [json.loads(line) for line in out.read_text("utf-8").splitlines()] if out.exists() else []
    found = {i: r for i, task in enumerate(tasks) for r in known if marks(task).items() <= r.items()}
    left = [i for i in range(len(tasks)) if i not in found]
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool, out.open("a", encoding="utf-8") as file:
        for i, result in zip(left, pool.map(judge_one, [tasks[i] for i in left]), strict=True):
            found[i] = result
            file.write(json.dumps(result) + "\n")
            file.flush()
            print(f"{' '.join(str(v) for v in marks(tasks[i]).values())}: {' '.join(result['verdicts'])}", flush=True)
    return [found[i] for i in range(len(tasks))]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--films", type=int, default=250, help=f"films of {SHOTS} shots")
    parser.add_argument("--first", type=int, default=1, help="the first film's seed")
    parser.add_argument("--out", type=Path, required=True, help="a line of JSON per film")
    parser.add_argument("--deeds", type=int, default=0, help="what hands do besides after each shot")
    parser.add_argument("--keep", type=Path, help="folder for the films in which something was not right")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="films at the same time")
    args = parser.parse_args()
    seeds = range(args.first, args.first + args.films)
    judge_one = partial(judge_film, keep=args.keep, deeds=args.deeds)
    results = measure(seeds, args.out, args.jobs, judge_one, lambda seed: {"seed": seed, "deeds": args.deeds})
    print("\n".join(summary(results)))


if __name__ == "__main__":
    main()
