"""Which way a board lies in the picture: told by its teams' colours where its lines look alike from several sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board, PolygonMm
from calibration.colours import lab_of
from calibration.outline import circle_mm
from calibration.pose import Pose

FloatArray = NDArray[np.float64]
Image = NDArray[np.uint8]

SQUARE_MM = 4.0  # sides that differ by less may be taken for each other
# difference (Lab) between the teams' areas in the picture from which they tell anything: less is light and shadow
LEAST_COLOUR = 2.5
LEAST_AGREEMENT = 0.35  # correlation of the areas' colours with the teams', -1 to 1, by which the best way must lead


def turns_of(board: Board) -> tuple[int, ...]:
    """Quarter turns by which a board's corners may be taken for each other."""
    return (0, 1, 2, 3) if abs(board.size[0] - board.size[1]) < SQUARE_MM else (0, 2)


def turned(pose: Pose, board: Board, quarters: int) -> Pose:
    """The pose that sees the board, turned by quarters about its middle, where this one sees it."""
    angle = quarters * np.pi / 2
    c, s = float(np.cos(angle)), float(np.sin(angle))
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    middle = np.array([board.size[0] / 2, board.size[1] / 2, 0.0])
    rotation = np.asarray(cv2.Rodrigues(pose.rvec)[0], dtype=np.float64)
    rvec = np.asarray(cv2.Rodrigues(rotation @ turn)[0], dtype=np.float64).ravel()
    return replace(pose, rvec=rvec, tvec=np.ravel(pose.tvec) + rotation @ (middle - turn @ middle))


def least_turned(pose: Pose) -> float:
    """How far the board's east points away from the picture's right, radians."""
    ends = pose.image_from_board(np.array([[0.0, 0.0, 0.0], [100.0, 0.0, 0.0]]))
    x, y = ends[1] - ends[0]
    return float(abs(np.arctan2(y, x)))


def which_way(image: Image, board: Board, ways: Sequence[Pose]) -> tuple[Pose, bool]:
    """The pose under which the teams' areas have the teams' colours, and whether that is sure; else the first.

    ways: for the picture (H, W, 3) at any size, in the order in which they are believed.
    """
    if len(ways) == 1:
        return ways[0], True
    lab = _lab(image)
    scores = [_agreement(lab, board, pose) for pose in ways]
    order = np.argsort(scores)[::-1]
    if scores[order[0]] - scores[order[1]] < LEAST_AGREEMENT:
        return ways[0], False
    return ways[int(order[0])], True


def _agreement(lab: FloatArray, board: Board, pose: Pose) -> float:
    """-1 to 1: how the colours of the teams' areas go with the teams', by the kind of area that says most."""
    pose = replace(pose, lens=pose.lens.for_size((lab.shape[1], lab.shape[0])))
    best = 0.0
    for areas in _areas(board):
        wanted = np.array([lab_of(colour) for colour, _, _ in areas])
        seen = np.array([_mean(lab, pose, polygon, height) for _, polygon, height in areas])
        known = np.isfinite(seen).all(1)
        if known.sum() < 2:
            continue
        wanted, seen = (v[known] - v[known].mean(0) for v in (wanted, seen))
        spread = float(np.sqrt((seen**2).sum(1).mean()))
        if spread < LEAST_COLOUR or not wanted.any():
            continue
        said = float((wanted * seen).sum() / np.sqrt((wanted**2).sum() * (seen**2).sum()))
        best = said if abs(said) > abs(best) else best
    return best


def _areas(board: Board) -> Iterator[list[tuple[str, PolygonMm, float]]]:
    """Kinds of areas whose colour the board file tells: (colour, polygon, height) of each."""
    teams = {t.name: t for t in board.teams}
    inside = [(teams[z.team].colour, _shape(z.polygon, z.circle), 0.0) for z in board.zones
              if z.kind == "sanctuary" and z.team in teams]  # fmt: skip
    walls = [(teams[o.team].reef_colour or "", o.polygon, o.height_mm) for o in board.obstacles
             if o.team in teams and teams[o.team].reef_colour]  # fmt: skip
    camps = [(teams[z.team].colour, _shape(z.polygon, z.circle), board.puck.height_mm) for z in board.zones
             if z.kind == "base_camp" and z.team in teams]  # fmt: skip
    yield from (kind for kind in (inside, walls, camps) if len({colour for colour, _, _ in kind}) > 1)


def _shape(polygon: PolygonMm | None, circle: tuple[float, float, float] | None) -> PolygonMm:
    if polygon is not None:
        return polygon
    assert circle is not None
    return tuple((float(x), float(y)) for x, y in circle_mm(*circle)[:-1])


def _mean(lab: FloatArray, pose: Pose, polygon: PolygonMm, height_mm: float) -> FloatArray:
    """(3,) mean colour of what the picture shows inside a polygon at a height; nan outside the picture."""
    points = np.column_stack([np.array(polygon), np.full(len(polygon), height_mm)])
    at = np.round(pose.image_from_board(points)).astype(np.int32)
    left, top, width, height = cv2.boundingRect(at)
    part = lab[max(top, 0) : max(top + height, 0), max(left, 0) : max(left + width, 0)]
    mask = np.zeros(part.shape[:2], dtype=np.uint8)
    if mask.size:
        cv2.fillPoly(mask, [at - (max(left, 0), max(top, 0))], (1,))
    return part[mask > 0].mean(0) if mask.any() else np.full(3, np.nan)


def _lab(image: Image) -> FloatArray:
    bgr = image if image.ndim == 3 else cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    return np.asarray(cv2.cvtColor(bgr.astype(np.float32) / 255, cv2.COLOR_BGR2Lab), dtype=np.float64)
