"""Why found markers do not lie as the board file says: glued on turned, in each other's place, or mirrored."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, permutations

import cv2
import numpy as np

from calibration.board import Board
from calibration.marker_fit import FloatArray, projected
from calibration.markers import marker_of

LEAST_MARKERS = 3  # the middles of fewer do not tell which way a marker is turned
MUCH_BETTER = 0.25  # a slip explains the markers where without it this part of the residual is left, or less
TURNED = (
    "markers that are glued on turned: {ids}; glue them anew, the side that their sheet marks as north to the north"
)
ALL_TURNED = (
    "all markers are turned by {degrees} degrees against their places: each is glued on turned, or in the place of "
    "another; glue them anew as their sheet says, north to the north"
)
MIRRORED = (
    "the markers lie as in a mirror of the board file: measure x from the west edge to the east, and y from the north "
    "edge to the south, of all that is in it"
)
EXCHANGED = (
    "markers {one} and {other} are in each other's place: glue them as their sheet says, or exchange their ids in the "
    "board file"
)
MIXED = (
    "markers {ids} are in each other's place or turned, or both; glue them anew as their sheet says, each in its place "
    "and north to the north"
)
MOST_MIXED = 5  # markers that are tried in every order: 120 of them
ALIKE = 2.0  # two ways to undo a slip fit alike where one leaves at most this many times what the other does

Markers = dict[int, FloatArray]


@dataclass(frozen=True, slots=True)
class Slip:
    """What was done wrong, in a sentence, and markers (id -> (4, 2) pixels) and board as they would be without.

    wrong: ids of the markers that are to be glued on anew, none where that is the board file's.
    """

    said: str
    markers: Markers
    board: Board
    wrong: tuple[int, ...] = ()


def slip_of(markers: Markers, board: Board) -> Slip | None:
    """What is wrong with how markers were glued on, or their places written down; None where nothing such explains how
    they lie. markers: id -> (4, 2) pixels"""
    numbers = sorted(markers)
    if len(numbers) < LEAST_MARKERS:
        return None
    found = [Slip(EXCHANGED.format(one=a, other=b), {**markers, a: markers[b], b: markers[a]}, board, (a, b))
             for a, b in combinations(numbers, 2)]  # fmt: skip
    found += [Slip(MIRRORED, markers, mirrored) for mirrored in _mirrored(board)]
    turns = _turns(markers, board)
    if any(turns.values()):
        turned = {n: np.roll(markers[n], -quarters, axis=0) for n, quarters in turns.items()}
        found.append(Slip(_said(turns), turned, board, tuple(n for n, quarters in turns.items() if quarters)))
    most_px = MUCH_BETTER * _off_px(markers, board)
    best = min(found, key=lambda slip: _off_px(slip.markers, slip.board))
    return best if _off_px(best.markers, best.board) <= most_px else _mixed(markers, board, most_px)


def _mixed(markers: Markers, board: Board, most_px: float) -> Slip | None:
    """Some markers in the place of others, and turned there; None where two ways to undo it are as good."""
    numbers, found = sorted(markers), []
    for order in permutations(numbers) if len(numbers) <= MOST_MIXED else ():
        moved = {n: markers[other] for n, other in zip(numbers, order, strict=True)}
        turns = _turns(moved, board)
        undone = {n: np.roll(moved[n], -quarters, axis=0) for n, quarters in turns.items()}
        wrong = tuple(n for n, other in zip(numbers, order, strict=True) if n != other or turns[n])
        if (off_px := _off_px(undone, board)) <= most_px and 0 < len(wrong) < len(numbers):
            said = MIXED.format(ids=", ".join(map(str, wrong)))
            found.append((off_px, Slip(said, undone, board, wrong)))
    least_px = min((off_px for off_px, _ in found), default=0.0)
    fits = sorted((slip for off_px, slip in found if off_px <= ALIKE * least_px), key=lambda slip: len(slip.wrong))
    return fits[0] if fits and [len(slip.wrong) for slip in fits].count(len(fits[0].wrong)) == 1 else None


def _said(turns: dict[int, int]) -> str:
    if len(set(turns.values())) == 1:
        return ALL_TURNED.format(degrees=90 * next(iter(turns.values())))
    return TURNED.format(ids=", ".join(str(n) for n, quarters in turns.items() if quarters))


def _mirrored(board: Board) -> Iterator[Board]:
    """The board with the places of its markers measured from the other edge."""
    w, h = board.size
    for east, south in ((w, None), (None, h)):
        yield replace(board, markers=tuple(
            replace(m, centre=(m.centre[0] if east is None else east - m.centre[0],
                               m.centre[1] if south is None else south - m.centre[1])) for m in board.markers
        ))  # fmt: skip


def _turns(markers: Markers, board: Board) -> dict[int, int]:
    """By how many quarters each marker is turned against where the middles of all say it should point."""
    numbers = sorted(markers)
    corners_mm = {n: marker_of(board, n).corners_mm()[:, :2] for n in numbers}
    middles = np.array([[*corners_mm[n].mean(0), 1.0] for n in numbers])
    from_board, *_ = np.linalg.lstsq(middles, np.array([markers[n].mean(0) for n in numbers]), rcond=None)
    turns = {}
    for n in numbers:
        expected = (corners_mm[n] - corners_mm[n].mean(0)) @ from_board[:2]
        seen = markers[n] - markers[n].mean(0)
        turns[n] = int(np.argmax([float((np.roll(seen, -k, axis=0) * expected).sum()) for k in range(4)]))
    return turns


def _off_px(markers: Markers, board: Board) -> float:
    """How far corners lie from where the board, seen flat and through any camera, would have them: rms."""
    numbers = sorted(markers)
    points = np.concatenate([marker_of(board, n).corners_mm()[:, :2] for n in numbers])
    pixels = np.concatenate([markers[n] for n in numbers])
    from_board, _ = cv2.findHomography(points, pixels)
    if from_board is None:
        return float("inf")
    apart = projected(np.asarray(from_board, dtype=np.float64), points) - pixels
    return float(np.sqrt((apart**2).sum(1).mean()))
