"""How quick the tracker is.

    python -m benchmarks.vision FOLDER [--only NAME] [--recipe-python PYTHON] [--rounds 1] [--work WORK]

FOLDER holds folders with clip.mp4, board.toml and lens.json (paleo film writes such). For each, on the same cores and
each in a process of its own: the whole pipeline; the bare pass (decode, grey, difference, threshold); and the usual
recipe (benchmarks/usual_recipe.py), in another interpreter where norfair lives in one. `x bare` is the pipeline's time
by the bare pass's, on the wall and on the cores; other people's work spoils the first and hardly the second.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

import cv2

from benchmarks.costs import Cost, measured, of_child, tell
from calibration.board import load_board
from calibration.lens import load_lens
from companion.tracking import decoded_ahead
from vision.pipeline import Tracker
from vision.sources import open_film

THRESHOLD = 20  # grey levels
RECIPE = Path(__file__).with_name("usual_recipe.py")
HEAD = (f"{'film':22s} {'size':>9s} {'fps':>3s} | {'pipeline':>8s} {'bare':>6s} {'recipe':>6s} fps | "
        f"{'x bare':>6s} {'(cpu)':>6s} {'x recipe':>8s} {'(cpu)':>6s} {'x real':>6s} {'MiB':>5s}")  # fmt: skip


def pipeline(folder: Path) -> int:
    """The tracker over a film. -> frames"""
    source = open_film(folder / "clip.mp4")
    board, lens = load_board(folder / "board.toml"), load_lens(folder / "lens.json")
    tracker = Tracker(board, frame_size=source.size, fps=source.fps, lens=lens)
    count = 0
    with decoded_ahead(source, tracker) as frames:
        for frame in frames:
            tracker.update(frame)
            count += 1
    tracker.finish()
    return count


def bare_pass(folder: Path) -> int:
    """Decode, grey, difference from the frame before, threshold. -> frames"""
    capture = cv2.VideoCapture(str(folder / "clip.mp4"))
    before, count = None, 0
    while True:
        there, image = capture.read()
        if not there:
            break
        gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        if before is not None:
            cv2.threshold(cv2.absdiff(gray, before), THRESHOLD, 255, cv2.THRESH_BINARY)
        before = gray
        count += 1
    capture.release()
    return count


WORKS: dict[str, Callable[[Path], int]] = {"pipeline": pipeline, "bare": bare_pass}


def alone(work: str, folder: Path, rounds: int = 1) -> Cost:
    """What one of WORKS costs in a process of its own."""
    return of_child(["-m", "benchmarks.vision", str(folder), "--work", work], rounds=rounds)


def row(name: str, size: tuple[int, int], fps: float, ours: Cost, bare: Cost, recipe: Cost) -> str:
    """One film's figures, under HEAD."""
    return (f"{name:22s} {size[0]:4d}x{size[1]:4d} {fps:3.0f} | {ours.rate:8.0f} {bare.rate:6.0f} {recipe.rate:6.0f}"
            f"     | {ours.frame_ms / bare.frame_ms:6.2f} {ours.frame_cpu_ms / bare.frame_cpu_ms:6.2f} "
            f"{recipe.frame_ms / ours.frame_ms:8.1f} {recipe.frame_cpu_ms / ours.frame_cpu_ms:6.1f} "
            f"{ours.rate / fps:6.1f} {ours.peak_mib:5.0f}")  # fmt: skip


def compare(folder: Path, only: str, python: str, rounds: int) -> None:
    """Prints a row for each film."""
    print(HEAD)
    made_with = ""
    for clip in sorted(folder.glob("*/clip.mp4")):
        if only not in clip.parent.name:
            continue
        source = open_film(clip)
        size, fps = source.size, source.fps
        source.close()
        ours, bare = (alone(work, clip.parent, rounds) for work in WORKS)
        recipe = of_child([str(RECIPE), str(clip)], python, rounds)
        made_with = recipe.made_with
        print(row(clip.parent.name, size, fps, ours, bare, recipe), flush=True)
    print(f"recipe: {made_with}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.vision", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="folders whose names hold this")
    parser.add_argument("--recipe-python", default=sys.executable, help="an interpreter that has norfair and OpenCV")
    parser.add_argument("--rounds", type=int, default=1, help="the quickest of so many counts")
    parser.add_argument("--work", choices=WORKS, help="do this alone on the film in FOLDER itself, and print its cost")
    told = parser.parse_args()
    if told.work:
        tell(measured(lambda: WORKS[told.work](told.folder)))
    else:
        compare(told.folder, told.only, told.recipe_python, told.rounds)


if __name__ == "__main__":
    main()
