"""Recordings as other cameras would have given them: python -m benchmarks.variants FOLDER OUT [--kind KIND].

FOLDER holds recordings (clip.mp4, board.toml, lens.json, truth.json each). OUT/KIND/NAME then holds the same play, as a
camera that sharpens would have filmed it, or one with harder contrast, haze, another cast, another size, and so on. The
truth is carried along, so that the scorer reads the variants as it reads the recordings: what is told of a film should
not depend on how its camera was set.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Image
from vision.sources import open_film
from vision.virtual_table.film import open_writer

Change = Callable[[Image, int], Image]  # of a frame and its number
SHAPES = {1920: 2 / 3, 1280: 0.75, 640: 0.8}  # how much smaller `small` is, by width
NOISE_MARGIN = 64
REPEAT_EVERY, REPEAT_AT = 17, 9  # frames


def levels(curve: Callable[[float], float]) -> NDArray[np.uint8]:
    """A table of grey levels from a curve of shares 0 to 1."""
    return np.clip(np.array([curve(i / 255) for i in range(256)]) * 255 + 0.5, 0, 255).astype(np.uint8)


def crisp(steepness: float, middle: float) -> NDArray[np.uint8]:
    """An S-shaped curve, as cameras bend it to make pictures look crisp."""
    return levels(lambda v: 0.5 + 0.5 * math.tanh(steepness * (v - middle)) / math.tanh(steepness / 2))


def by_table(table: NDArray[np.uint8]) -> Change:
    return lambda image, _: np.asarray(cv2.LUT(image, table), dtype=np.uint8)


def cast(blue: float, red: float) -> Change:
    tables = np.dstack([levels(lambda v, g=g: v * g) for g in (blue, 1.0, red)])  # type: ignore[misc]
    return lambda image, _: np.asarray(cv2.LUT(image, tables.reshape(256, 1, 3)), dtype=np.uint8)


def sharpened(image: Image, _: int) -> Image:
    soft = cv2.GaussianBlur(image, (0, 0), 1.2)
    return np.asarray(cv2.addWeighted(image, 2.2, soft, -1.2, 0), dtype=np.uint8)


def soft(image: Image, _: int) -> Image:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 1.1 * image.shape[1] / 1280), dtype=np.uint8)


def jpeg(image: Image, _: int) -> Image:
    coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 45])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), dtype=np.uint8)


class Dark:
    """Half of the light, and more noise. share: of the light; noise: standard deviation in grey levels."""

    def __init__(self, share: float = 0.55, noise: float = 2.5) -> None:
        self.share, self.noise = share, noise
        self.grains: list[tuple[Image, Image]] = []

    def __call__(self, image: Image, number: int) -> Image:
        h, w = image.shape[:2]
        if not self.grains:
            rng = np.random.default_rng(5)
            for _ in range(2):
                grain = rng.standard_normal((h + NOISE_MARGIN, w + NOISE_MARGIN, 3), dtype=np.float32)
                grain = cv2.GaussianBlur(grain, (3, 3), 0.5) * np.float32(1.25 * self.noise)
                self.grains.append(tuple(np.clip(0.5 + s * grain, 0, 255).astype(np.uint8) for s in (1, -1)))  # type: ignore[arg-type]
        x, y = (number * 29) % NOISE_MARGIN, (number * 17) % NOISE_MARGIN
        more, less = self.grains[number % 2]
        lit = cv2.convertScaleAbs(image, alpha=self.share)
        noisy = cv2.subtract(cv2.add(lit, more[y : y + h, x : x + w]), less[y : y + h, x : x + w])
        return np.asarray(noisy, dtype=np.uint8)


class AutoExposure:
    """A camera that makes up for what is dark in its picture, as a hand is, within half a second."""

    def __init__(self) -> None:
        self.usual, self.gain = 0.0, 1.0

    def __call__(self, image: Image, _: int) -> Image:
        now = float(cv2.resize(image, (64, 36), interpolation=cv2.INTER_AREA)[4:32, 16:48].mean())
        self.usual = self.usual or now
        self.gain += 0.06 * (self.usual / max(now, 1.0) - self.gain)
        return np.asarray(cv2.convertScaleAbs(image, alpha=self.gain), dtype=np.uint8)


class Repeated:
    """Every now and then a frame is given twice, and the next one lost."""

    def __init__(self) -> None:
        self.before: Image | None = None

    def __call__(self, image: Image, number: int) -> Image:
        if number % REPEAT_EVERY == REPEAT_AT and self.before is not None:
            image = self.before
        self.before = image
        return image


KINDS: dict[str, Callable[[], Change]] = {
    "sharpened": lambda: sharpened,
    "soft": lambda: soft,
    "jpeg": lambda: jpeg,
    "dark": Dark,
    "auto": AutoExposure,
    "repeated": Repeated,
    "warm": lambda: cast(0.7, 1.2),
    "cool": lambda: cast(1.2, 0.78),
    "crisp": lambda: by_table(crisp(2.2, 0.47)),
    "harsh": lambda: by_table(crisp(3.2, 0.42)),
    "bright": lambda: by_table(levels(lambda v: 1 - (1 - min(1.25 * v, 1)) ** 1.5)),
    "hazy": lambda: by_table(levels(lambda v: 0.2 + 0.55 * v)),
    "small": lambda: lambda image, _: image,  # its frames are made smaller, see `vary`
}


def frames(clip: Path) -> Iterator[Image]:
    source = open_film(clip)
    try:
        for frame in source.frames():
            yield frame.image
    finally:
        source.close()


def vary(recording: Path, out: Path, kind: str) -> None:
    """Makes one variant of a recording, with lens and truth to go with it."""
    out.mkdir(parents=True, exist_ok=True)
    truth, lens = (json.loads((recording / name).read_text(encoding="utf-8")) for name in ("truth.json", "lens.json"))
    source = open_film(recording / "clip.mp4")
    (w, h), fps = source.size, source.fps
    source.close()
    size = (w, h)
    if kind == "small":
        size = (round(w * SHAPES.get(w, 0.75) / 2) * 2, round(h * SHAPES.get(w, 0.75) / 2) * 2)
        _shrink(lens, size)
    change, writer = KINDS[kind](), open_writer(out / "clip.mp4", size, fps)
    for number, image in enumerate(frames(recording / "clip.mp4")):
        seen = change(image, number)
        writer.write(seen if size == (w, h) else np.asarray(cv2.resize(seen, size, interpolation=cv2.INTER_AREA)))
    writer.close()
    truth["size"] = list(size)
    (out / "lens.json").write_text(json.dumps(lens), encoding="utf-8")
    (out / "truth.json").write_text(json.dumps(truth), encoding="utf-8")
    shutil.copy(recording / "board.toml", out / "board.toml")


def _shrink(lens: dict[str, Any], size: tuple[int, int]) -> None:
    """Fits a lens to smaller pictures; pixels count from the middle of the first one."""
    matrix = lens["camera_matrix"]
    for row, (now, before) in enumerate(zip(size, lens["image_size"], strict=True)):
        share = now / before
        matrix[row] = [v * share for v in matrix[row]]
        matrix[row][2] += 0.5 * share - 0.5
    lens["image_size"] = list(size)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.variants", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--kind", choices=KINDS, help="only this one")
    parser.add_argument("--only", default="", help="recordings whose names hold this")
    told = parser.parse_args()
    for kind in [told.kind] if told.kind else KINDS:
        for clip in sorted(told.folder.glob("*/clip.mp4")):
            if told.only in clip.parent.name:
                vary(clip.parent, told.out / kind / clip.parent.name, kind)
                print(kind, clip.parent.name, flush=True)


if __name__ == "__main__":
    main()
