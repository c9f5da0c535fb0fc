"""What hides a board is told, and nothing else: python -m benchmarks.hidden_parts RECORDINGS [--things 4].

RECORDINGS: folders with clip.mp4, board.toml and lens.json. The first second of each film must hide nothing; then
things are drawn on its first picture: arms that reach in, boxes over the rim, boxes that lie on the board.
"""

from __future__ import annotations

import argparse
from collections import Counter
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board, load_board
from calibration.hidden_look import Kept, look_for_hidden
from calibration.lens import load_lens
from calibration.marker_pose import find_pose
from calibration.pictures import read_film
from calibration.pose import Pose

FloatArray = NDArray[np.float64]
Image = NDArray[np.uint8]

# black, white, steel, wood, red, green, slate: BGR in good light
COLOURS = ((25, 25, 28), (235, 238, 240), (150, 150, 152), (40, 70, 110), (40, 40, 190), (60, 160, 60), (90, 60, 40))
MOST_FRAMES = 120
WHITE = 235.0
ARM_MM, BOX_MM = (16, 40), (70, 160)
OUTSIDE_MM = 60.0
SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
SIDES = np.array([[0.0, 1.0], [0.0, -1.0], [1.0, 0.0], [-1.0, 0.0]])


def main() -> None:
    """Reads the arguments and prints the figures; exit code 1 where something is seen that is not there."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hidden_parts", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("recordings", type=Path)
    parser.add_argument("--things", type=int, default=4, help="of each kind and film")
    arguments = parser.parse_args()
    false, hits, tried = [], Counter[str](), Counter[str]()
    for folder in sorted(p.parent for p in arguments.recordings.glob("*/clip.mp4")):
        image, board, pose = first_second(folder)
        found = look_for_hidden(image, board, pose)
        if found.share or not found.known:
            false.append(folder.name)
        rng = np.random.default_rng(sum(map(ord, folder.name)))
        for kind in ("arm", "box over the rim", "box on the board"):
            for _ in range(arguments.things):
                tried[kind] += 1
                hits[kind] += look_for_hidden(with_thing(image, board, pose, kind, rng), board, pose).share > 0
    print(f"first seconds in which something is hidden, or nothing can be told: {len(false)} {' '.join(false)}")
    for kind in tried:
        print(f"{kind}: {hits[kind]} of {tried[kind]} told")
    raise SystemExit(1 if false else 0)


def first_second(folder: Path) -> tuple[Image, Board, Pose]:
    """What its first second agrees in, the board, and the pose by its markers."""
    board, (fps, frames) = load_board(folder / "board.toml"), read_film(folder / "clip.mp4", MOST_FRAMES)
    images = list(islice(frames, round(fps)))
    lens = load_lens(folder / "lens.json").for_size((images[0].shape[1], images[0].shape[0]))
    kept = Kept(images[:1])
    for _ in kept.through(images):
        pass
    return kept.still_image(), board, find_pose(images[:3], board, lens).pose


def with_thing(image: Image, board: Board, pose: Pose, kind: str, rng: np.random.Generator) -> Image:
    """The picture with a thing of one colour over the board."""
    size = np.array(board.size)
    edge = (board.rim.width_mm if board.rim else 0.0) + OUTSIDE_MM
    inward = SIDES[rng.integers(4)]
    at = np.where(inward == 0, rng.uniform(0.1, 0.9, 2) * size, np.where(inward > 0, 0.0, size))
    if kind == "arm":
        turn = rng.uniform(-0.5, 0.5)
        along = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ inward
        start, end = at - along * edge, at + along * rng.uniform(120, 350)
        half = np.array([-along[1], along[0]]) * rng.uniform(*ARM_MM) / 2
        outline, height = np.array([start + half, end + half, end - half, start - half]), rng.uniform(15, 150)
    elif kind == "box over the rim":
        outline, height = at + SQUARE * rng.uniform(100, 220, 2), rng.uniform(12, 60)
    else:
        outline = rng.uniform(0.15, 0.85, 2) * size + SQUARE * rng.uniform(*BOX_MM, 2)
        height = rng.uniform(5, 50)
    light = float(np.percentile(image, 95)) / WHITE
    colour = tuple(float(c) * light for c in COLOURS[rng.integers(len(COLOURS))])
    over = image.copy()
    pixels = pose.image_from_board(np.column_stack([outline, np.full(4, height)]))
    cv2.fillPoly(over, [np.round(pixels * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)
    return over


if __name__ == "__main__":
    main()
