"""Recordings as other cameras would have given them.

    python -m benchmarks.variants FOLDER OUT [--kind KIND] [--only NAME]

FOLDER holds recordings (clip.mp4, board.toml, lens.json, truth.json each). OUT/KIND/NAME then holds the same play, as a
camera that sharpens would have filmed it, or one with harder contrast, haze, another cast, another size, and so on. The
truth is carried along, so that the scorer reads the variants as it reads the recordings: what is told of a film should
not depend on how its camera was set.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.people import Arms, People, aiming, beside_board
from vision.frames import Image
from vision.sources import open_film
from vision.virtual_table.film import CODING, open_writer
from vision.virtual_table.renderer import MAINS_HZ

Change = Callable[[Image, int], Image]  # of a frame and its number
FEW_FPS = 15.0  # frames a second that `fifteen` leaves
SHAPES = {1920: 2 / 3, 1280: 0.75, 640: 0.8}  # how much smaller `small` is, by width
NOISE_MARGIN = 64
SWINGS_S, SWINGS_HZ = 0.25, 7.0
HUNTS_EVERY_S, HUNTS_S = 7.0, 0.8
SAGS_PX_S = 0.1  # of an arm that sinks, at 1280 pixels' width
SHADOW_EVERY_S, SHADOW_COMES_S, SHADOW_STAYS_S = 4.3, 0.5, 1.6
OFF_LEAST_S, OFF_MOST_S = 0.9, 3.0
LAMPS = {"switched": (0.03, 0.07), "dimmed": (0.25, 0.4)}  # what is left of the light, and in how much time it goes
ADAPTED_LIGHT, SWITCHED_IN_S = 0.4, 0.1  # what is left of the light, and in how much time the rest goes
ADAPTS_S = 0.5  # time constant of an exposure that follows
ADAPTED_NOISE, NOISY_GAIN = 1.5, 1.3  # grey levels, and the gain from which on they show
STREAM = {"crf": "33", "preset": "veryfast", "tune": "zerolatency", "g": "30"}  # a whole picture every 30 frames


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


class Stripes:
    """Lamps that flicker with the mains, under a shutter that goes down the picture and is no multiple of the flicker.

    depth: amplitude of the stripes, of the grey levels; readout_s: from the first row's exposure to the last one's.
    """

    def __init__(self, depth: float, fps: float, readout_s: float = 0.024) -> None:
        self.depth, self.fps, self.readout_s = depth, fps, readout_s

    def __call__(self, image: Image, number: int) -> Image:
        h, w = image.shape[:2]
        times = number / self.fps + self.readout_s * np.arange(h) / h
        gain = 1 + self.depth * np.sin(2 * np.pi * 2 * MAINS_HZ * times)
        rows = np.repeat(np.rint(128 * gain).astype(np.uint8)[:, None], w, axis=1)
        return np.asarray(cv2.multiply(image, cv2.merge([rows, rows, rows]), scale=1 / 128), dtype=np.uint8)


class Wobble:
    """A camera on an arm that trembles a little, and swings for a moment every few seconds, as when the table is hit.

    tremble_px, swing_px: at 1280 pixels' width.
    """

    def __init__(self, fps: float, tremble_px: float = 0.12, swing_px: float = 1.0) -> None:
        self.fps, self.tremble_px, self.swing_px = fps, tremble_px, swing_px
        rng = np.random.default_rng(11)
        self.hits_s = np.cumsum(rng.uniform(1.5, 4.5, 40))
        self.phases = rng.uniform(0, 2 * np.pi, 4)

    def __call__(self, image: Image, number: int) -> Image:
        h, w = image.shape[:2]
        time_s = number / self.fps
        since = time_s - self.hits_s[self.hits_s <= time_s]
        swing = self.swing_px * float((np.exp(-since / SWINGS_S) * np.sin(2 * np.pi * SWINGS_HZ * since)).sum())
        tremble = np.sin(2 * np.pi * np.array([3.1, 4.3, 8.7, 9.9]) * time_s + self.phases)
        x = swing + self.tremble_px * float(tremble[0] + tremble[2])
        y = 0.4 * swing + self.tremble_px * float(tremble[1] + tremble[3])
        shift = np.array([[1, 0, x * w / 1280], [0, 1, y * w / 1280]])
        moved = cv2.warpAffine(image, shift, (w, h), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(moved, dtype=np.uint8)


class Focus:
    """A camera that looks for its focus every few seconds: for a moment the picture is soft and a little larger."""

    def __init__(self, fps: float, larger: float = 0.004, blur_px: float = 2.0) -> None:
        self.fps, self.larger, self.blur_px = fps, larger, blur_px

    def __call__(self, image: Image, number: int) -> Image:
        h, w = image.shape[:2]
        since = (number / self.fps) % HUNTS_EVERY_S - 2.0
        if not 0 <= since < HUNTS_S:
            return image
        off = math.sin(math.pi * since / HUNTS_S) ** 2
        turn = cv2.getRotationMatrix2D(((w - 1) / 2, (h - 1) / 2), 0, 1 + self.larger * off)
        grown = cv2.warpAffine(image, turn, (w, h), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(cv2.GaussianBlur(grown, (0, 0), max(self.blur_px * off * w / 1280, 0.1)), dtype=np.uint8)


class Trails:
    """A camera that takes the mean over time where little changes, against noise: what moves leaves a trail."""

    def __init__(self, kept: float = 0.7, levels: float = 12.0) -> None:
        self.kept, self.levels = kept, levels
        self.mean: NDArray[np.float32] | None = None

    def __call__(self, image: Image, _: int) -> Image:
        now = image.astype(np.float32)
        if self.mean is None:
            self.mean = now
        off = cv2.blur(cv2.absdiff(now, self.mean).max(axis=2), (5, 5))
        kept = (self.kept * np.clip(2 - off / self.levels, 0, 1))[..., None]
        self.mean = np.asarray(self.mean * kept + now * (1 - kept), dtype=np.float32)
        return np.asarray(self.mean + 0.5, dtype=np.uint8)


class WhiteBalance:
    """A camera that takes the room for bluer and redder in turns."""

    def __init__(self, fps: float, share: float = 0.08) -> None:
        self.fps, self.share = fps, share

    def __call__(self, image: Image, number: int) -> Image:
        swing = self.share * math.sin(0.9 * number / self.fps)
        return cast(1 + swing, 1 - swing)(image, number)


class Shadow:
    """Somebody between lamp and board: a dark shape with a rim of some pixels comes, stays, and goes again."""

    def __init__(self, fps: float, dark: float = 0.4, rim_px: float = 12.0) -> None:
        self.fps, self.dark, self.rim_px = fps, dark, rim_px

    def __call__(self, image: Image, number: int) -> Image:
        h, w = image.shape[:2]
        turn, since = divmod(number / self.fps, SHADOW_EVERY_S)
        come = min(since / SHADOW_COMES_S, 1.0, max(2 * SHADOW_COMES_S + SHADOW_STAYS_S - since, 0.0) / SHADOW_COMES_S)
        if come == 0:
            return image
        come = come * come * (3 - 2 * come)
        angle = 2.4 * turn
        x = w / 2 + math.cos(angle) * w * (0.75 - 0.5 * come)
        y = h / 2 + math.sin(angle) * h * (0.95 - 0.6 * come)
        mask = np.zeros((h // 2, w // 2), np.float32)
        ellipse = ((x / 2, y / 2), (0.22 * w, 0.14 * w), 40.0 * turn)
        cv2.ellipse(mask, ellipse, self.dark, -1, cv2.LINE_AA)
        soft = cv2.GaussianBlur(mask, (0, 0), self.rim_px / 2 * w / 1280)
        light = cv2.resize(np.rint(128 * (1 - soft)).astype(np.uint8), (w, h), interpolation=cv2.INTER_LINEAR)
        return np.asarray(cv2.multiply(image, cv2.merge([light, light, light]), scale=1 / 128), dtype=np.uint8)


class Sagging:
    """A camera whose arm sinks slowly, and a little aside."""

    def __init__(self, fps: float) -> None:
        self.fps = fps

    def __call__(self, image: Image, number: int) -> Image:
        h, w = image.shape[:2]
        down = SAGS_PX_S * number / self.fps * w / 1280
        shift = np.array([[1, 0, 0.3 * down], [0, 1, down]])
        moved = cv2.warpAffine(image, shift, (w, h), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(moved, dtype=np.uint8)


class Reflection:
    """A lamp mirrored in a board's lacquer: a white spot as large as half a puck, and a wide skirt."""

    def __init__(self, _: float) -> None:
        self.glow: Image | None = None

    def __call__(self, image: Image, _: int) -> Image:
        if self.glow is None:
            h, w = image.shape[:2]
            k = w / 1280
            spot = np.zeros((h, w), np.float32)
            cv2.ellipse(spot, (int(0.4 * w), int(0.55 * h)), (int(14 * k), int(9 * k)), 20, 0, 360, 1.0, -1)
            glow = 230 * cv2.GaussianBlur(spot, (0, 0), 4 * k) + 700 * cv2.GaussianBlur(spot, (0, 0), 48 * k)
            self.glow = np.clip(glow + 0.5, 0, 255).astype(np.uint8)
        return np.asarray(cv2.add(image, cv2.merge([self.glow] * 3)), dtype=np.uint8)


class Lamp:
    """A lamp that is switched off, or not the only one, after each shot for three seconds at the most, and on again
    before the next hand comes to flick. least: the light that is left; ramp_s: in so much time it goes"""

    def __init__(self, truth: dict[str, Any], fps: float, least: float, ramp_s: float) -> None:
        self.fps, self.least, self.ramp_s = fps, least, ramp_s
        shots = truth["shots"]
        pauses = [(a["t_end"] + 0.35, b["t_start"] - 0.75) for a, b in itertools.pairwise(shots)]
        self.off = [(a, min(b, a + OFF_MOST_S)) for a, b in pauses if b - a > OFF_LEAST_S]

    def __call__(self, image: Image, number: int) -> Image:
        t = (number + 0.5) / self.fps
        gone = max((min((t - a) / self.ramp_s, (b - t) / self.ramp_s, 1.0) for a, b in self.off), default=0.0)
        if gone <= 0:
            return image
        light = 1 - (1 - self.least) * gone * gone * (3 - 2 * gone)
        return np.asarray(np.clip(image * light + 0.5, 0, 255), dtype=np.uint8)


class Adapting:
    """A room whose lamp is switched off, or on again, after each shot, so that 40 % of the light is left or all comes
    back; and a camera whose exposure follows: what comes back is white at first. Gain makes noise."""

    def __init__(self, truth: dict[str, Any], fps: float) -> None:
        self.fps, self.gain = fps, 1.0
        self.switches_s = [shot["t_end"] + 0.4 for shot in truth["shots"][:-1]]
        self.noise = Dark(1.0, ADAPTED_NOISE)

    def __call__(self, image: Image, number: int) -> Image:
        t = (number + 0.5) / self.fps
        switched = sum(min(max(t - s, 0.0) / SWITCHED_IN_S, 1.0) * (-1) ** i for i, s in enumerate(self.switches_s))
        light = 1 - (1 - ADAPTED_LIGHT) * switched
        self.gain += (1 / light - self.gain) / (ADAPTS_S * self.fps)
        seen = np.asarray(cv2.convertScaleAbs(image, alpha=light * self.gain), dtype=np.uint8)
        return self.noise(seen, number) if self.gain > NOISY_GAIN else seen


class Repeated:
    """Every so many-th frame is the one before given again, and lost itself."""

    def __init__(self, every: int, at: int) -> None:
        self.every, self.at = every, at
        self.before: Image | None = None

    def __call__(self, image: Image, number: int) -> Image:
        if number % self.every == self.at and self.before is not None:
            image = self.before
        self.before = image
        return image


KINDS: dict[str, Callable[[float], Change]] = {  # for a film of so many frames a second
    "sharpened": lambda _: sharpened,
    "soft": lambda _: soft,
    "jpeg": lambda _: jpeg,
    "dark": lambda _: Dark(),
    "auto": lambda _: AutoExposure(),
    "repeated": lambda _: Repeated(17, 9),
    "slower": lambda _: Repeated(6, 5),  # 25 frames a second as 30
    "halved": lambda _: Repeated(2, 1),  # each frame twice, as many cameras give them where there is little light
    "fifteen": lambda _: lambda image, _: image,  # fewer frames a second are taken, see `vary`
    "stripes": lambda fps: Stripes(0.03, fps),
    "bold-stripes": lambda fps: Stripes(0.08, fps),
    "wobble": Wobble,
    "focus": Focus,
    "trails": lambda _: Trails(),
    "white": WhiteBalance,
    "shadow": Shadow,
    "stream": lambda _: lambda image, _: image,  # it is coded harder, see `vary`
    "warm": lambda _: cast(0.7, 1.2),
    "cool": lambda _: cast(1.2, 0.78),
    "crisp": lambda _: by_table(crisp(2.2, 0.47)),
    "harsh": lambda _: by_table(crisp(3.2, 0.42)),
    "bright": lambda _: by_table(levels(lambda v: 1 - (1 - min(1.25 * v, 1)) ** 1.5)),
    "hazy": lambda _: by_table(levels(lambda v: 0.2 + 0.55 * v)),
    "sagging": Sagging,
    "reflection": Reflection,
    "people": lambda _: lambda image, _: image,  # they sit around where the board lies, see `_change`
    "arms": lambda _: lambda image, _: image,  # they rest on the board, see `_change`
    "aiming": lambda _: lambda image, _: image,  # hands aim for longer, see `people.aiming`
    "switched": lambda _: lambda image, _: image,  # the light goes off between shots, see `_change`
    "dimmed": lambda _: lambda image, _: image,  # so does most of it, see `_change`
    "adapting": lambda _: lambda image, _: image,  # so does more than half, and exposure follows, see `_change`
    "small": lambda _: lambda image, _: image,  # its frames are made smaller, see `vary`
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
    step = max(round(fps / FEW_FPS), 1) if kind == "fifteen" else 1
    coding = STREAM if kind == "stream" else CODING
    change = _change(kind, recording, size, fps)
    writer = open_writer(out / "clip.mp4", size, fps / step, coding)
    play = aiming(frames(recording / "clip.mp4"), truth, fps) if kind == "aiming" else frames(recording / "clip.mp4")
    for number, image in enumerate(itertools.islice(play, 0, None, step)):
        seen = change(image, number)
        writer.write(seen if size == (w, h) else np.asarray(cv2.resize(seen, size, interpolation=cv2.INTER_AREA)))
    writer.close()
    truth["size"], truth["fps"] = list(size), fps / step
    (out / "lens.json").write_text(json.dumps(lens), encoding="utf-8")
    (out / "truth.json").write_text(json.dumps(truth), encoding="utf-8")
    shutil.copy(recording / "board.toml", out / "board.toml")


def _change(kind: str, recording: Path, size: tuple[int, int], fps: float) -> Change:
    """What is done to each frame of a recording."""
    if kind == "people":
        return People(fps, beside_board(recording, size))
    truth = json.loads((recording / "truth.json").read_text(encoding="utf-8"))
    if kind in LAMPS:
        return Lamp(truth, fps, *LAMPS[kind])
    if kind == "adapting":
        return Adapting(truth, fps)
    return Arms(fps, recording, size) if kind == "arms" else KINDS[kind](fps)


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
