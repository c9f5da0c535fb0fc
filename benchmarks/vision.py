"""How quick the tracker is: python -m benchmarks.vision FOLDER [--only NAME].

FOLDER holds folders with clip.mp4, board.toml and lens.json (paleo film writes such). For each, in frames a second on
the same cores: the whole pipeline; the bare pass (decode, grey, difference, threshold); and the usual recipe of
background model and circles (MOG2 and HoughCircles on every frame), without its tracking, which would only add to it.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from pathlib import Path

import cv2

from calibration.board import load_board
from calibration.lens import load_lens
from companion.tracking import decoded_ahead
from vision.pipeline import Tracker
from vision.sources import open_film

THRESHOLD = 20  # grey levels
RECIPE_FRAMES = 150  # of the recipe, which is slow
MIB = 1024  # of the kilobytes that Linux counts memory in


def pipeline(folder: Path, most: int | None = None) -> int:
    """The tracker over a film. -> frames"""
    source = open_film(folder / "clip.mp4")
    board, lens = load_board(folder / "board.toml"), load_lens(folder / "lens.json")
    tracker = Tracker(board, frame_size=source.size, fps=source.fps, lens=lens)
    count = 0
    with decoded_ahead(source) as frames:
        for frame in frames:
            tracker.update(frame)
            count += 1
            if count == most:
                return count
    tracker.finish()
    return count


def bare_pass(folder: Path, most: int | None = None) -> int:
    """Decode, grey, difference from the frame before, threshold. -> frames"""
    capture = cv2.VideoCapture(str(folder / "clip.mp4"))
    before, count = None, 0
    while count != most:
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


def usual_recipe(folder: Path, most: int | None = RECIPE_FRAMES) -> int:
    """A model of the background, and circles, in every frame. -> frames"""
    capture = cv2.VideoCapture(str(folder / "clip.mp4"))
    model = cv2.createBackgroundSubtractorMOG2()
    height = int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))
    radius, count = height / 46, 0  # a puck's, where the board fills the picture
    while count != most:
        there, image = capture.read()
        if not there:
            break
        model.apply(image)
        gray = cv2.medianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), 5)
        cv2.HoughCircles(gray, cv2.HOUGH_GRADIENT, 1, 1.8 * radius, param1=100, param2=20,
                         minRadius=int(0.8 * radius), maxRadius=int(1.2 * radius) + 1)  # fmt: skip
        count += 1
    capture.release()
    return count


def rate(work: Callable[[Path], int], folder: Path) -> float:
    """Frames a second."""
    began = time.perf_counter()
    return work(folder) / (time.perf_counter() - began)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.vision", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="folders whose names hold this")
    args = parser.parse_args()
    print(f"{'film':26s} {'size':>10s} {'film fps':>8s} {'pipeline':>9s} {'bare':>7s} {'recipe':>7s}  times real time")
    for clip in sorted(args.folder.glob("*/clip.mp4")):
        if args.only not in clip.parent.name:
            continue
        source = open_film(clip)
        (w, h), fps = source.size, source.fps
        source.close()
        ours, bare, recipe = (rate(work, clip.parent) for work in (pipeline, bare_pass, usual_recipe))
        rates = f"{fps:8.0f} {ours:9.0f} {bare:7.0f} {recipe:7.0f}  {ours / fps:.1f}"
        print(f"{clip.parent.name:26s} {w:5d}x{h:4d} {rates}", flush=True)
    print(f"most memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MIB:.0f} MiB")


if __name__ == "__main__":
    main()
