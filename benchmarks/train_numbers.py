"""Trains the number reader on numbers drawn in many typefaces and spoilt as cameras do it; writes vision/numbers.npz.

    python -m benchmarks.train_numbers --out vision/numbers.npz [--fonts FOLDER] [--samples 450000] [--epochs 6]
        [--seed 1] [--threads 2]

Needs torch and pillow beside the project's own dependencies (use an environment of its own), and typefaces: every
TrueType or OpenType file below --fonts that draws ten different digits is used, so install as many free ones as the
system offers; those that people print with count more than scripts and ornaments. One typeface in ten is kept for
validation. No picture of a real or recorded board is used.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from PIL import Image as Pictures
from PIL import ImageDraw, ImageFont

from vision.numbers import KNOWN_NUMBERS, PATCH_PX, PATCH_REACH, DigitNet, ink

GLYPH_PX = 60
DISC_PX = 33.0  # radius of the puck on the drawing, pixels
DRAWING_PX = 96
VIEWS = 3  # pictures taken of each drawing
SINGLE_SHARE = 0.62  # of samples that show one digit; boards have few pucks above 9
UNDERLINED_SHARE = 0.35  # of numbers that turn into another one
# of a typeface's file, in small letters: what looks bold, or is not light at least, and what people print with
BOLD = re.compile("bold|black|heavy|demi|semi|extra")
PLAIN = re.compile(
    "sans|serif|mono|dejavu|vera|liberation|arimo|roboto|lato|noto|nimbus|ubuntu|inter|open|free|carlito"
)
OFTEN = 3.0  # times that a typeface is drawn more often for being bold, and for being plain
DRAWN_AT_ONCE = 3000  # samples, by one process


def font_files(folder: str) -> list[Path]:
    """The typefaces that draw ten different digits, each drawing once."""
    seen, files = set(), []
    for path in sorted(p for e in ("ttf", "otf", "TTF", "OTF") for p in Path(folder).rglob(f"*.{e}")):
        try:
            font = ImageFont.truetype(str(path), 40)
            glyphs = [glyph(font, d, False).tobytes() for d in "0123456789"]
            missing = glyph(font, "\uffff", False).tobytes()
        except (OSError, ValueError):
            continue
        key = hashlib.sha1(b"".join(glyphs)).hexdigest()
        if len(set(glyphs)) == 10 and missing not in glyphs and key not in seen and min(map(len, glyphs)) > 60:
            seen.add(key)
            files.append(path)
    return files


def glyph(font: ImageFont.FreeTypeFont, text: str, underlined: bool) -> np.ndarray:
    """(H, W) uint8 ink of a text, cut to its box."""
    canvas = Pictures.new("L", (320, 200))
    draw = ImageDraw.Draw(canvas)
    draw.text((60, 50), text, font=font, fill=255)
    box = canvas.getbbox()
    if box is None:
        raise ValueError("blank")
    if underlined:
        thick = max(3, (box[3] - box[1]) // 9)
        draw.rectangle((box[0], box[3] + thick, box[2], box[3] + 2 * thick), fill=255)
    return np.asarray(canvas.crop(canvas.getbbox()))


def ring(image: np.ndarray, centre: np.ndarray, radius: float, colour: np.ndarray, wide: int) -> None:
    """Draws a circle, filled where wide is -1."""
    x, y = np.round(centre).astype(int).tolist()
    cv2.circle(image, (x, y), round(radius), colour.tolist(), wide, cv2.LINE_AA)


class Drawer:
    """Draws pucks of random looks as a camera would show them, and gives the network's input."""

    def __init__(self, files: list[Path], seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.glyphs = []
        for path in files:
            font = ImageFont.truetype(str(path), GLYPH_PX)
            name = path.name.lower()
            weight = (OFTEN if BOLD.search(name) else 1.0) * (OFTEN if PLAIN.search(name) else 1.0)
            self.glyphs.append((font, {}, weight))
        weights = np.array([g[2] for g in self.glyphs])
        self.weights = weights / weights.sum()

    def number(self) -> int:
        if self.rng.random() < SINGLE_SHARE:
            return int(self.rng.integers(0, 10))
        return int(self.rng.integers(10, KNOWN_NUMBERS))

    def mask(self, number: int, font_index: int) -> np.ndarray:
        font, cache, _ = self.glyphs[font_index]
        turns = set(str(number)) <= set("0689") or (len(str(number)) == 2 and set(str(number)) <= set("01689"))
        underlined = bool(turns and number not in (0, 8) and self.rng.random() < UNDERLINED_SHARE)
        if (number, underlined) not in cache:
            cache[number, underlined] = glyph(font, str(number), underlined)
        return cache[number, underlined]

    def colours(self) -> tuple[np.ndarray, np.ndarray]:
        """Paints of puck and number that people can tell apart."""
        while True:
            if self.rng.random() < 0.75:
                hsv = self.rng.integers(180), self.rng.integers(120, 256), self.rng.integers(60, 240)
                puck = cv2.cvtColor(np.array([[hsv]], dtype=np.uint8), cv2.COLOR_HSV2BGR)[0, 0]
            else:
                puck = np.clip(self.rng.integers(15, 245) + self.rng.integers(-12, 13, 3), 0, 255)
            digit = self.rng.integers(0, 130, 3)
            if self.rng.random() < 0.7:
                digit = np.clip(self.rng.integers(215, 256) + self.rng.integers(-25, 5, 3), 0, 255)
            puck, digit = puck.astype(float), digit.astype(float)
            if np.linalg.norm(puck - digit) > 110:
                return puck, digit

    def drawing(self, mask: np.ndarray, puck: np.ndarray, digit: np.ndarray) -> np.ndarray:
        """(DRAWING_PX, DRAWING_PX, 3) float: background, side, top, rim, number, gloss."""
        rng, c = self.rng, DRAWING_PX / 2
        ground = rng.uniform(20, 235, 3)
        out = np.full((DRAWING_PX, DRAWING_PX, 3), ground, dtype=np.float32)
        shade = rng.normal(0, 25, (6, 6, 3)).astype(np.float32)
        out += cv2.resize(shade, (DRAWING_PX, DRAWING_PX), interpolation=cv2.INTER_CUBIC)
        side = rng.normal(0, 4, 2)
        for t in np.linspace(1, 0, 5):
            ring(out, c + side * t, DISC_PX, puck * 0.6, -1)
        ring(out, np.array([c, c]), DISC_PX, puck, -1)
        if rng.random() < 0.6:
            wide = int(rng.integers(1, 5))
            ring(out, np.array([c, c]), DISC_PX * rng.uniform(0.8, 0.95), puck * rng.uniform(0.55, 1.25), wide)
        ink_share = self.placed(mask)[..., None]
        out += (digit.astype(np.float32) - out) * ink_share
        if rng.random() < 0.35:
            y, x = np.indices((DRAWING_PX, DRAWING_PX), dtype=np.float32)
            gx, gy = rng.normal(c, DISC_PX, 2)
            spot = np.exp(-((x - gx) ** 2 + (y - gy) ** 2) / (2 * rng.uniform(9, 38) ** 2))[..., None]
            out += (255 - out) * spot * rng.uniform(0.1, 0.6)
        if rng.random() < 0.3:
            a = rng.uniform(0, 2 * np.pi)
            y, x = np.indices((DRAWING_PX, DRAWING_PX), dtype=np.float32) - np.float32(c)
            edge = 1 / (1 + np.exp(-(x * np.cos(a) + y * np.sin(a) - rng.normal(0, 15)) / rng.uniform(1, 11)))
            out *= 1 - rng.uniform(0.1, 0.5) * edge[..., None]
        return out

    def placed(self, mask: np.ndarray) -> np.ndarray:
        """(DRAWING_PX, DRAWING_PX) share of ink: the number turned, sized and set on the puck."""
        rng = self.rng
        h, w = mask.shape
        diagonal = np.hypot(h, w)
        size = 2 * DISC_PX * min(rng.uniform(0.27, 0.64) / h, rng.uniform(0.6, 0.86) / diagonal)
        a = rng.uniform(0, 2 * np.pi)
        stretch = np.diag([size * rng.uniform(0.9, 1.1), size])
        shear = np.array([[1, rng.normal(0, 0.04)], [0, 1]])
        turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) @ shear @ stretch
        shift = DRAWING_PX / 2 + rng.normal(0, 0.03 * DISC_PX, 2) - turn @ np.array([(w - 1) / 2, (h - 1) / 2])
        put = cv2.warpAffine(mask, np.column_stack([turn, shift]), (DRAWING_PX, DRAWING_PX), flags=cv2.INTER_AREA)
        return np.minimum(put.astype(np.float32) / 255 * np.float32(rng.uniform(0.85, 1.0)), 1)

    def camera(self, drawing: np.ndarray) -> np.ndarray:
        """The drawing as a patch: blur, pixels, light, noise, compression, and the cut through an uncertain pose."""
        rng = self.rng
        radius = float(np.exp(rng.uniform(np.log(7.5), np.log(26))))  # of the puck, camera pixels
        scale = radius / DISC_PX
        blur = np.hypot(0.42, rng.uniform(0, 0.75) if radius > 10 else rng.uniform(0, 0.45)) / scale
        seen = cv2.GaussianBlur(drawing, (0, 0), blur)
        side = int(np.ceil(2.6 * radius)) + 8
        a, squeeze = rng.uniform(0, np.pi), 1 - abs(rng.normal(0, 0.06))
        r = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        to_camera = r @ np.diag([scale, scale * squeeze]) @ r.T
        middle = (side - 1) / 2 + rng.uniform(-0.5, 0.5, 2)
        matrix = np.column_stack([to_camera, middle - to_camera @ np.full(2, DRAWING_PX / 2)])
        seen = cv2.warpAffine(seen, matrix, (side, side), borderMode=cv2.BORDER_REPLICATE)
        light = np.exp(rng.normal(0, 0.13, 3)) * np.exp(rng.uniform(np.log(0.22), np.log(1.25)))
        seen = seen * light + rng.standard_normal(seen.shape, np.float32) * rng.uniform(0.5, 6) + rng.uniform(-4, 8)
        seen = np.clip(seen, 0, 255).astype(np.uint8)
        if rng.random() < 0.85:
            quality = int(rng.integers(40, 97))
            seen = cv2.imdecode(cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], 1)
        off = middle + rng.normal(0, 0.035 * radius, 2)
        back = to_camera / scale * (PATCH_REACH * radius * 2 / PATCH_PX)
        cut = np.column_stack([back, off - back @ np.full(2, (PATCH_PX - 1) / 2)])
        how = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
        return cv2.warpAffine(seen, cut, (PATCH_PX, PATCH_PX), flags=how, borderMode=cv2.BORDER_REPLICATE)

    def samples(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Network inputs as int8 (80 is the number's full strength), and the numbers; VIEWS of each drawing."""
        inputs, labels = np.empty((count, 2, PATCH_PX, PATCH_PX), np.int8), np.empty(count, np.int64)
        for i in range(count):
            if i % VIEWS == 0:
                number = self.number()
                mask = self.mask(number, int(self.rng.choice(len(self.glyphs), p=self.weights)))
                puck, digit = self.colours()
                drawing = self.drawing(mask, puck, digit)
            inputs[i], labels[i] = np.round(ink(self.camera(drawing), puck, digit) * 80).astype(np.int8), number
        return inputs, labels


def drawn(files: list[Path], seed: int, count: int, processes: int) -> tuple[np.ndarray, np.ndarray]:
    """Drawer.samples by several processes, each lot of DRAWN_AT_ONCE with a seed of its own, in whole lots.

    -> (N, 2, PATCH_PX, PATCH_PX) int8, (N,) numbers; N is the least that is `count` or more
    """
    lots = -(-count // DRAWN_AT_ONCE)
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        parts = list(pool.map(_lot, [files] * lots, [1000 * seed + k for k in range(lots)]))
    return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])


def _lot(files: list[Path], seed: int) -> tuple[np.ndarray, np.ndarray]:
    cv2.setNumThreads(1)
    return Drawer(files, seed).samples(DRAWN_AT_ONCE)


def report(weights: dict[str, np.ndarray], inputs: np.ndarray, labels: np.ndarray) -> None:
    """Accuracy on typefaces never trained on, for 1 to 8 and for two digits."""
    likelihoods = DigitNet(weights).log_likelihoods(inputs.astype(np.float32) / 80)
    for name, allowed in (("1 to 8", np.arange(1, 9)), ("10 to 99", np.arange(10, 100))):
        rows = np.isin(labels, allowed)
        found = allowed[likelihoods[rows][:, allowed].argmax(axis=1)]
        print(f"{name}: {100 * (found == labels[rows]).mean():.2f} % of {rows.sum()} right")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.train_numbers", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("--out", required=True)
    parser.add_argument("--fonts", default="/usr/share/fonts")
    parser.add_argument("--samples", type=int, default=450_000)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2, help="that learn, and processes that draw")
    args = parser.parse_args()
    import torch  # not before: the help is shown, and pictures are drawn, without it

    from benchmarks.number_net import Net, train

    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    cv2.setNumThreads(1)
    files = font_files(args.fonts)
    print(f"{len(files)} typefaces", flush=True)
    held = files[::10]
    start = time.time()
    inputs, labels = drawn([f for f in files if f not in held], args.seed, args.samples, args.threads)
    print(f"{len(labels)} samples in {time.time() - start:.0f} s", flush=True)
    net = Net()
    train(net, inputs, labels, args.epochs, args.seed)
    np.savez_compressed(args.out, **net.weights())
    report(net.weights(), *drawn(held, args.seed + 1, 4 * DRAWN_AT_ONCE, args.threads))


if __name__ == "__main__":
    main()
