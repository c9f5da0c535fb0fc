"""Films of real cameras as others would have seen them: python -m benchmarks.real_variants FOLDER OUT [--kind KIND].

FOLDER holds films (clip.mp4, board.toml, corners.json with the board's corners in pixels, expected.json with what must
come out, its places in mm). OUT/KIND/NAME then holds the same play mirrored, turned, from a tilted camera, or as the
kinds of benchmarks.variants change it, with corners and places carried along, so that one scorer reads them all: what
is right of a film by luck alone is hardly right of twenty variants.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tomllib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.variants import KINDS, STREAM, frames
from vision.sources import open_film
from vision.virtual_table.film import CODING, open_writer

Json = dict[str, Any]
Matrix = NDArray[np.float64]

MIRRORED = {"mirrored": (True, False), "upside-down": (False, True), "turned": (True, True)}  # sideways, up and down
TILTED = ((0.07, 0.05), (0.93, 0.05), (1.0, 1.0), (0.0, 1.0))  # where a frame's corners come to lie, shares of its size
SKEW_DEG, SKEW_SHARE = 3.0, 0.95
CHANGES = ("sharpened", "soft", "jpeg", "dark", "auto", "warm", "cool", "crisp", "bright", "hazy", "stream", "wobble",
           "stripes")  # fmt: skip
NAMES = ("plain", *MIRRORED, "tilted", "skewed", *CHANGES)


def seen_by(kind: str, size: tuple[int, int]) -> Matrix:
    """(3, 3) by which a variant's pixels follow from the film's. size: (width, height)"""
    w, h = size
    if kind in MIRRORED:
        x, y = MIRRORED[kind]
        across, down = ((-1.0, w - 1.0) if x else (1.0, 0.0)), ((-1.0, h - 1.0) if y else (1.0, 0.0))
        return np.array([[across[0], 0.0, across[1]], [0.0, down[0], down[1]], [0.0, 0.0, 1.0]])
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    if kind == "tilted":
        return np.asarray(cv2.getPerspectiveTransform(corners, (np.array(TILTED) * size).astype(np.float32)))
    if kind == "skewed":
        turn = cv2.getRotationMatrix2D((w / 2, h / 2), SKEW_DEG, SKEW_SHARE)
        return np.vstack([turn, [0.0, 0.0, 1.0]])
    return np.eye(3)


def carried(kind: str, corners: list[list[float]], expected: Json, board_mm: tuple[float, float], seen: Matrix) -> None:
    """Puts corners, in the order NW, NE, SE, SW, and places where a variant shows them."""
    moved = cv2.perspectiveTransform(np.array(corners, np.float64)[:, None], seen)[:, 0]
    x, y = MIRRORED.get(kind, (False, False))
    order = [1, 0, 3, 2] if x else [0, 1, 2, 3]
    order = [order[k] for k in (3, 2, 1, 0)] if y else order
    corners[:] = [[float(v) for v in moved[k]] for k in order]
    for noted in [*expected.get("rest", ()), *([expected["start"]] if "start" in expected else [])]:
        for axis, turned in enumerate((x, y)):
            if turned:
                noted["at"][axis] = board_mm[axis] - noted["at"][axis]


def vary(film: Path, out: Path, kind: str) -> None:
    """Makes one variant of a film."""
    out.mkdir(parents=True, exist_ok=True)
    source = open_film(film / "clip.mp4")
    size, fps = source.size, source.fps
    source.close()
    seen = seen_by(kind, size)
    notes = ("corners.json", "expected.json")
    corners, expected = (json.loads((film / name).read_text(encoding="utf-8")) for name in notes)
    board = tomllib.loads((film / "board.toml").read_text(encoding="utf-8"))
    carried(kind, corners["corners_px"], expected, tuple(board["size"]), seen)
    corners["corners_px"] = np.clip(corners["corners_px"], 0, size).tolist()
    change = KINDS[kind](fps) if kind in KINDS else None
    writer = open_writer(out / "clip.mp4", size, fps, STREAM if kind == "stream" else CODING)
    for number, image in enumerate(frames(film / "clip.mp4")):
        if change is not None:
            writer.write(change(image, number))
        else:
            warped = cv2.warpPerspective(image, seen, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
            writer.write(np.asarray(warped, dtype=np.uint8))
    writer.close()
    (out / "corners.json").write_text(json.dumps(corners), encoding="utf-8")
    (out / "expected.json").write_text(json.dumps(expected), encoding="utf-8")
    shutil.copy(film / "board.toml", out / "board.toml")


def main() -> None:
    told_by = (__doc__ or "").splitlines()[0]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.real_variants", description=told_by)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--kind", choices=NAMES, help="only this one")
    told = parser.parse_args()
    for kind in [told.kind] if told.kind else NAMES:
        for expected in sorted(told.folder.glob("*/expected.json")):
            vary(expected.parent, told.out / kind / expected.parent.name, kind)
            print(kind, expected.parent.name, flush=True)


if __name__ == "__main__":
    main()
