"""Reads the number printed on a puck: picture of its top -> likelihoods -> belief -> number, or unread.

The reader is a small convolutional network trained on numbers drawn in many typefaces, turned by any angle and
spoilt as cameras do it (benchmarks/train_numbers.py); its weights ship beside this file. It knows 0 to 99; whatever
the board file allows beyond stays unread. A 6 without a line below is a 9 as well: where both are allowed, the two
come out equally likely, and so unread.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from calibration.board import Board, Team
from calibration.colours import bgr_of
from calibration.medians import median_colour
from calibration.pose import Pose

Image = NDArray[np.uint8]
FloatArray = NDArray[np.float64]
FloatImage = NDArray[np.float32]

PATCH_PX = 32  # the network's input
PATCH_REACH = 0.85  # half of the patch's side, in radii of the puck: the number without the rim
AT_ONCE = 16  # pictures that the network looks at together: what it makes of more does not fit a core's cache
KNOWN_NUMBERS = 100  # 0 to 99, which the network tells apart
INK_QUANTILE = 0.97  # of a top's pixels: what stands out more is the number's strokes, and not noise
LEAST_SCALE = 6.0  # grey levels: what contrasts less than this is noise
FLOOR = -6.0  # log-likelihood below the best: one bad picture must not outweigh many good ones
SAME_PLACE_MM = 1.5  # pictures of a puck nearer than this are the same view of it
CERTAIN = 3.0  # log-likelihood by which a number must beat the next …
CERTAIN_JOINTLY = 3.5  # … and by which it must where those of all pucks of a team are told together
CERTAIN_BESIDE_TWINS = 7.0  # … and by which it must where one that is misread for another's may bear it
SETTLED = 7.0  # lead after which more looks at a puck that lies still are no use …
LOOKS_HERE = 6  # … and so are more than so many of them: all later ones together count less than a sixth of the first
FOREIGN = -6.5  # log-likelihood, below a puck's best number, of a puck that bears none of the free numbers …
FOREIGN_CLEAR = -9.0  # … and of one whose number is clear: it would be a second of the same
IMPOSSIBLE = -1e6  # log-likelihood of what cannot be, below all that others come to together
LUMA = np.array([0.114, 0.587, 0.299], dtype=np.float32)  # how bright blue, green and red are (ITU-R BT.601)


@dataclass(frozen=True, slots=True)
class Reading:
    """One look at a number: log-likelihood per allowed number (the best one's is the largest), best and its lead."""

    scores: Mapping[int, float]
    best: int | None
    margin: float


def puck_patch(image: Image, pose: Pose, board: Board, x_mm: float, y_mm: float, size_px: int = PATCH_PX) -> Image:
    """Cuts out a puck's top, upright in board coordinates, size_px square; PATCH_REACH radii to each side.

    The pose maps so small a piece almost linearly, hence an affine map; finer pictures are averaged, not skipped.
    """
    reach, height = PATCH_REACH * board.puck.radius_mm, board.puck.height_mm
    signs = ((-1, -1), (1, -1), (-1, 1), (1, 1))
    corners = np.array([[x_mm + sx * reach, y_mm + sy * reach, height] for sx, sy in signs])
    a, b, c, d = pose.image_from_board(corners)
    right, down, middle = (b - a + d - c) / 2, (c - a + d - b) / 2, (a + b + c + d) / 4
    finer = max(1, int(np.ceil(math.hypot(*right) / size_px)))
    side = size_px * finer
    step = np.column_stack([right / side, down / side])
    matrix = np.column_stack([step, middle - step @ np.full(2, (side - 1) / 2)])
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    patch = cv2.warpAffine(image, matrix, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    if finer > 1:
        patch = cv2.resize(patch, (size_px, size_px), interpolation=cv2.INTER_AREA)
    return np.asarray(patch, dtype=np.uint8)


def ink(patch: Image, puck_colour: FloatArray, digit_colour: FloatArray) -> FloatImage:
    """(2, S, S) how much each pixel is number rather than puck: along the two paints' difference, and in brightness.

    puck_colour, digit_colour: (3,) BGR as painted, any scale. The puck counts 0, the number about 1.
    """
    pixels = patch.reshape(-1, 3).astype(np.float32)
    disc = np.flatnonzero(_disc(patch.shape[0]))
    base = median_colour(pixels[disc])
    towards = np.asarray(digit_colour - puck_colour, dtype=np.float32)
    axis = towards / max(float(np.linalg.norm(towards)), 1e-6)
    bright = LUMA if towards @ LUMA >= 0 else -LUMA
    planes = np.column_stack([axis, bright]).T.astype(np.float32) @ (pixels - base).T
    scale = np.maximum(_quantiles(planes[:, disc], INK_QUANTILE), LEAST_SCALE)
    inked = np.clip(planes / scale[:, None], -1.5, 1.5)
    return np.ascontiguousarray(inked.reshape(2, *patch.shape[:2]), dtype=np.float32)


def _quantiles(rows: FloatImage, share: float) -> FloatArray:
    """numpy's quantile of each row, without its overhead. rows: (K, N) -> (K,)"""
    at = share * (rows.shape[1] - 1)
    k = math.floor(at)
    sorted_to = np.partition(rows, (k, k + 1), axis=1)[:, k : k + 2].astype(np.float64)
    return np.asarray(sorted_to[:, 0] + (at - k) * (sorted_to[:, 1] - sorted_to[:, 0]))


def towards_ink(team: Team) -> FloatArray:
    """(3,) BGR, of length 1: the way from a team's paint to that of its numbers."""
    towards = np.subtract(bgr_of(team.digit_colour), bgr_of(team.colour), dtype=np.float64)
    return np.asarray(towards / max(float(np.linalg.norm(towards)), 1e-6))


def ink_contrast(patch: Image, team: Team) -> float:
    """How far what stands out on a puck's top differs from its paint towards the colour of its number, in grey levels.

    patch: as puck_patch cuts it.
    """
    pixels = patch[_disc(patch.shape[0])].astype(np.float64)
    along = (pixels - np.median(pixels, axis=0)) @ towards_ink(team)
    return float(np.quantile(along, INK_QUANTILE))


@lru_cache(maxsize=4)
def _disc(size: int) -> NDArray[np.bool_]:
    away = np.hypot(*(np.indices((size, size)) - (size - 1) / 2))
    return np.asarray(away < 0.8 / PATCH_REACH * size / 2, dtype=np.bool_)


class DigitNet:
    """The network: three convolutions, each with halving, then two dense layers; plain numpy.

    Weights: arrays named c1, c2, c3 (out, in, 3, 3), d1, d2 (out, in), each with a bias named b + its name.
    """

    def __init__(self, weights: Mapping[str, NDArray[np.float32]]) -> None:
        self._weights = {name: np.asarray(value, dtype=np.float32) for name, value in weights.items()}

    def log_likelihoods(self, inputs: FloatImage) -> FloatArray:
        """inputs: (N, 2, 32, 32) of `ink` -> (N, 100) natural logarithms."""
        return np.concatenate([self._some(inputs[k : k + AT_ONCE]) for k in range(0, len(inputs), AT_ONCE)])

    def _some(self, inputs: FloatImage) -> FloatArray:
        values = np.ascontiguousarray(inputs.transpose(1, 0, 2, 3))
        for name in ("c1", "c2", "c3"):
            values = np.maximum(_halved(_convolved(values, self._weights[name], self._weights["b" + name])), 0)
        flat = values.transpose(1, 0, 2, 3).reshape(len(inputs), -1)
        hidden = np.maximum(flat @ self._weights["d1"].T + self._weights["bd1"], 0)
        logits = (hidden @ self._weights["d2"].T + self._weights["bd2"]).astype(np.float64)
        top = logits.max(axis=1, keepdims=True)
        return np.asarray(logits - top - np.log(np.exp(logits - top).sum(axis=1, keepdims=True)), dtype=np.float64)


def _convolved(values: FloatImage, kernels: FloatImage, bias: FloatImage) -> FloatImage:
    """(C, N, H, W) -> (K, N, H, W): 3 x 3 kernels (K, C, 3, 3), zeros around. Rows are copied whole: it is quickest."""
    channels, n, h, w = values.shape
    padded = np.pad(values, ((0, 0), (0, 0), (1, 1), (1, 1)))
    columns = np.empty((3, 3, *values.shape), np.float32)
    for row, column in np.ndindex(3, 3):
        columns[row, column] = padded[:, :, row : row + h, column : column + w]
    out = kernels.transpose(0, 2, 3, 1).reshape(len(kernels), -1) @ columns.reshape(9 * channels, -1)
    out += bias[:, None]
    return np.asarray(out.reshape(-1, n, h, w))


def _halved(values: FloatImage) -> FloatImage:
    rows = np.maximum(values[:, :, ::2], values[:, :, 1::2])
    return np.maximum(rows[..., ::2], rows[..., 1::2])


@lru_cache(maxsize=1)
def shipped_net() -> DigitNet:
    """The network with the weights that ship with the package."""
    with resources.files("vision").joinpath("numbers.npz").open("rb") as file, np.load(file) as data:
        return DigitNet({name: data[name] for name in data.files})


class NumberReader:
    """Reads numbers of the teams of one board."""

    def __init__(self, board: Board, net: DigitNet | None = None) -> None:
        self._net = net or shipped_net()
        self._numbers = {t.name: t.numbers for t in board.teams}
        self._colours = {
            t.name: (np.array(bgr_of(t.colour), np.float64), np.array(bgr_of(t.digit_colour), np.float64))
            for t in board.teams
        }

    def numbers(self, team: str) -> tuple[int, ...]:
        """The numbers that the team's pucks may bear."""
        return self._numbers[team]

    def read(self, patch: Image, team: str) -> Reading:
        """One puck: patch as puck_patch cuts it, in any rotation."""
        return self.read_many([patch], [team])[0]

    def read_many(self, patches: Sequence[Image], teams: Sequence[str]) -> list[Reading]:
        """Several pucks at once, which is faster.

        Each is looked at in four rotations: what is doubtful in one of them is rarely so in all, and where they
        disagree the mean of the log-likelihoods is not certain.
        """
        if not patches:
            return []
        inputs = np.stack([ink(_sized(p), *self._colours[t]) for p, t in zip(patches, teams, strict=True)])
        turned = np.concatenate([np.rot90(inputs, quarter, (2, 3)) for quarter in range(4)])
        likelihoods = self._net.log_likelihoods(turned).reshape(4, len(inputs), -1).mean(axis=0)
        return [_reading(row, self._numbers[team]) for row, team in zip(likelihoods, teams, strict=True)]


def _sized(patch: Image) -> Image:
    if patch.shape[0] == PATCH_PX:
        return patch
    how = cv2.INTER_AREA if patch.shape[0] > PATCH_PX else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(patch, (PATCH_PX, PATCH_PX), interpolation=how), dtype=np.uint8)


def _reading(likelihoods: FloatArray, numbers: tuple[int, ...]) -> Reading:
    """Keeps the allowed numbers. A number that the network does not know makes every look inconclusive."""
    if not numbers or max(numbers) >= KNOWN_NUMBERS:
        return Reading(dict.fromkeys(numbers, 0.0), None, 0.0)
    scores = {n: float(likelihoods[n]) for n in numbers}
    top = max(scores.values())
    scores = {n: max(s - top, FLOOR) for n, s in scores.items()}
    best, margin = _lead(scores)
    return Reading(scores, best, margin)


def _lead(scores: Mapping[int, float]) -> tuple[int | None, float]:
    """The best number and its lead over the next (infinite where it is the only one)."""
    ranked = sorted(scores, key=lambda n: scores[n], reverse=True)
    if not ranked:
        return None, 0.0
    return ranked[0], scores[ranked[0]] - scores[ranked[1]] if len(ranked) > 1 else math.inf


@dataclass(slots=True)
class NumberBelief:
    """What is known of one puck's number after several looks. barred: what it is not, whatever it looks like."""

    scores: dict[int, float] = field(default_factory=dict)
    looks: int = 0
    barred: set[int] = field(default_factory=set)
    _place: tuple[float, float] | None = None
    _here: int = 0

    def combine(self, reading: Reading, place_mm: tuple[float, float] | None = None) -> None:
        """Adds a look. Looks at the same place are much alike: the second counts a quarter, the third a ninth."""
        moved = place_mm is None or self._place is None or math.hypot(
            place_mm[0] - self._place[0], place_mm[1] - self._place[1]) > SAME_PLACE_MM  # fmt: skip
        known_place = place_mm is not None and self._place is not None
        self._here = 1 if moved and known_place else self._here + 1
        self._place = place_mm
        self.looks += 1
        for number, score in reading.scores.items():
            self.scores[number] = self.scores.get(number, 0.0) + score / self._here**2

    def agreement(self, reading: Reading) -> float:
        """Log-likelihood of a look, were it a look at this puck. 0 where nothing is known of it."""
        if not self.scores or not reading.scores:
            return 0.0
        top = max(self.scores.values())
        weights = {n: math.exp(max(s - top, FLOOR)) for n, s in self.scores.items()}
        total = sum(weights.values())
        return math.log(sum(w / total * math.exp(reading.scores.get(n, FLOOR)) for n, w in weights.items()))

    @property
    def best(self) -> int | None:
        return _lead(self.scores)[0]

    @property
    def margin(self) -> float:
        return _lead(self.scores)[1] if self.looks else 0.0

    @property
    def settled(self) -> bool:
        """True where another look at the same place would not change what this puck's number is taken for."""
        return self.exhausted or (self.looks > 1 and self.margin >= SETTLED)

    @property
    def exhausted(self) -> bool:
        """True where another look at the same place would not tell anything."""
        return self._here >= LOOKS_HERE

    def number(self) -> int | None:
        """The number, or None while it is not certain."""
        return self.best if self.looks and self.margin >= CERTAIN and self.best not in self.barred else None


def assign(beliefs: Mapping[str, NumberBelief], numbers: Sequence[int]) -> dict[str, int | None]:
    """Gives the pucks of one team their numbers, each number once, where that is certain.

    A puck may also bear none of the numbers that are left (a foreign one), at a price. A number is certain when
    every other way to give out the numbers, in which this puck bears another or none, is less likely by
    CERTAIN_JOINTLY; where two pucks clearly look like the same number, one of them bears what it looks like next, and
    that number must be certain by CERTAIN_BESIDE_TWINS. Source: scipy's linear_sum_assignment.
    """
    pucks = [p for p in beliefs if beliefs[p].looks]
    given: dict[str, int | None] = dict.fromkeys(beliefs)
    if not pucks or not numbers:
        return given
    gains = _gains([beliefs[p] for p in pucks], list(numbers))
    rows, columns = linear_sum_assignment(gains, maximize=True)
    total = float(gains[rows, columns].sum())
    doubted = _next_of_twins([beliefs[p] for p in pucks])
    for row, column in zip(rows, columns, strict=True):
        if column < len(numbers):
            number = numbers[column]
            least = CERTAIN_BESIDE_TWINS if number in doubted else CERTAIN_JOINTLY
            if total - _without(gains, int(row), int(column)) >= least:
                given[pucks[row]] = number
    return given


def _next_of_twins(beliefs: Sequence[NumberBelief]) -> set[int]:
    """What pucks look like next, where two clearly look like the same number: a misread one may bear it."""
    clear = [b for b in beliefs if b.margin >= SETTLED]
    often = Counter(b.best for b in clear)
    nexts = (_lead({n: s for n, s in b.scores.items() if n != b.best}) for b in clear if often[b.best] > 1)
    return {number for number, lead in nexts if number is not None and lead > 0}


def _gains(beliefs: list[NumberBelief], numbers: list[int]) -> FloatArray:
    """(P, N + P) log-likelihoods below each puck's best: its numbers, then its own way to bear none of them."""
    out = np.full((len(beliefs), len(numbers) + len(beliefs)), IMPOSSIBLE)
    for i, belief in enumerate(beliefs):
        top = max(belief.scores.values(), default=0.0)
        scores = ((IMPOSSIBLE if n in belief.barred else belief.scores.get(n, IMPOSSIBLE) - top) for n in numbers)
        out[i, : len(numbers)] = list(scores)
        out[i, len(numbers) + i] = FOREIGN_CLEAR if belief.margin >= SETTLED else FOREIGN
    return out


def _without(gains: FloatArray, row: int, column: int) -> float:
    barred = gains.copy()
    barred[row, column] = IMPOSSIBLE
    return float(barred[linear_sum_assignment(barred, maximize=True)].sum())
