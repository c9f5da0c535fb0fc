"""Pictures of a board and of chessboards drawn through a known camera, for tests."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board, default_board_path, load_board
from calibration.lens import Lens
from calibration.markers import marker_bits
from calibration.pose import Pose

FloatArray = NDArray[np.float64]
Image = NDArray[np.uint8]

SIZE = (960, 540)
TEXELS_PER_MM = 2
BORDER_MM = 120  # table drawn around the surface


def paleo() -> Board:
    return load_board(default_board_path())


def lens(size: tuple[int, int] = SIZE, focal: float = 0.68, k1: float = -0.1) -> Lens:
    """A lens whose focal length is a part of the picture's width."""
    w, h = size
    camera = np.array([[focal * w, 0, w / 2 + 4.3], [0, focal * w, h / 2 - 3.7], [0, 0, 1.0]])
    return Lens(size, camera, np.array([k1, 0.01, 0.0003, -0.0002, 0.0]))


def pose(
    lens_: Lens | None = None, board: Board | None = None, tilt: tuple[float, float, float] = (0.07, -0.06, 0.03),
    height_mm: float = 960.0, aside_mm: tuple[float, float] = (0.0, 0.0),
) -> Pose:  # fmt: skip
    """A camera that looks at the board's middle, turned by a rotation vector."""
    board = board or paleo()
    rvec = np.array(tilt)
    turn = cv2.Rodrigues(rvec)[0]
    middle = np.array([board.size[0] / 2 + aside_mm[0], board.size[1] / 2 + aside_mm[1], 0.0])
    return Pose(lens_ or lens(), rvec, np.array([0.0, 0.0, height_mm]) - turn @ middle)


def picture(
    camera: Pose, board: Board | None = None, *, only: tuple[int, ...] | None = None, crooked: int | None = None,
    noise: float = 1.5, light: float = 1.0, blur_px: float = 0.6, seed: int = 1,
) -> Image:  # fmt: skip
    """Draws the board. only: ids of the markers that are there; crooked: one turned by 6° and shifted by 2 mm."""
    board = board or paleo()
    surface, rim = _textures(board, only, crooked)
    w, h = camera.lens.image_size
    on_rim = _places(camera, 2, board.rim.height_mm if board.rim else 0.0)
    inside = ((on_rim > 0) & (on_rim < board.size)).all(2)
    shown = np.where(inside, _sample(surface, _places(camera, 2)), _sample(rim, on_rim))
    small = cv2.resize(shown, (w, h), interpolation=cv2.INTER_AREA)
    blurred = cv2.GaussianBlur(small, (0, 0), blur_px) * light
    return np.clip(blurred + np.random.default_rng(seed).normal(0, noise, (h, w)), 0, 255).astype(np.uint8)


def coloured(grey: Image) -> Image:
    """The picture in colours: something beside the board is red."""
    shown = cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)
    shown[-16:] = (60, 60, 180)
    return np.asarray(shown, dtype=np.uint8)


def without_markers(board: Board | None = None) -> Board:
    return replace(board or paleo(), markers=())


def grid_mm(board: Board, height_mm: float = 0.0) -> FloatArray:
    xs, ys = np.meshgrid(np.linspace(0, board.size[0], 7), np.linspace(0, board.size[1], 7))
    return np.column_stack([xs.ravel(), ys.ravel(), np.full(xs.size, height_mm)])


def error_mm(found: Pose, true: Pose, board: Board, height_mm: float = 0.0) -> float:
    """Rms over the board of how far millimetres read with one pose lie from the true ones."""
    points = grid_mm(board, height_mm)
    read = found.board_from_image(true.image_from_board(points), height_mm)
    return float(np.sqrt(((read - points[:, :2]) ** 2).sum(1).mean()))


def error_px(found: Pose, true: Pose, board: Board, height_mm: float = 0.0) -> float:
    points = grid_mm(board, height_mm)
    return float(np.sqrt(((found.image_from_board(points) - true.image_from_board(points)) ** 2).sum(1).mean()))


def chessboard(
    cols: int, rows: int, camera: Lens, rvec: FloatArray, tvec: FloatArray, square_mm: float, fine: int = 4
) -> Image:
    """A chessboard of cols x rows inner corners, the first at (0, 0), seen through a lens at a pose."""
    seen = Pose(camera, rvec, tvec)
    places = _places(seen, fine) / square_mm
    cell = np.floor(places).astype(int)
    on = (places > -1).all(2) & (places < (cols, rows)).all(2)
    shown = np.where(on & (cell.sum(2) % 2 == 0), 30.0, 220.0).astype(np.float32)
    small = cv2.resize(shown, camera.image_size, interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(2).normal(0, 1.0, small.shape)
    return np.clip(cv2.GaussianBlur(small, (0, 0), 0.7) + noise, 0, 255).astype(np.uint8)


@cache
def _textures(board: Board, only: tuple[int, ...] | None, crooked: int | None) -> tuple[Image, Image]:
    """The surface with its lines, and the rim with its markers, both over the table."""
    t, edge = TEXELS_PER_MM, BORDER_MM
    w, h = (int(s + 2 * edge) * t for s in board.size)
    table = np.full((h, w), 70, dtype=np.uint8)
    clutter = np.random.default_rng(5).integers(-12, 12, (h // 24 + 1, w // 24 + 1)).astype(np.float32)
    mottled = np.clip(table + cv2.resize(clutter, (w, h), interpolation=cv2.INTER_CUBIC), 0, 255).astype(np.uint8)
    surface = np.clip(mottled.astype(int) + 40, 0, 255).astype(np.uint8)
    for zone in board.zones:
        if zone.polygon is not None:
            points = _texels(np.array(zone.polygon))
            cv2.polylines(surface, [np.round(points * 16).astype(np.int32)], True, (40,), 4, cv2.LINE_AA, 4)
        elif zone.circle is not None:
            x, y = _texels(np.array(zone.circle[:2]))
            centre = (round(float(x) * 16), round(float(y) * 16))
            cv2.circle(surface, centre, round(zone.circle[2] * t * 16), (40,), 4, cv2.LINE_AA, 4)
    rim = mottled.copy()
    if board.rim is not None:
        corners = np.array([[-board.rim.width_mm] * 2, np.array(board.size) + board.rim.width_mm])
        (left, top), (right, bottom) = np.round(_texels(corners)).astype(int)
        rim[top:bottom, left:right] = 150
    for marker in board.markers:
        if only is None or marker.id in only:
            _print_marker(rim, board, marker.id, marker.id == crooked)
    return surface, rim


def _print_marker(rim: Image, board: Board, number: int, crooked: bool) -> None:
    marker = next(m for m in board.markers if m.id == number)
    bits = marker_bits(marker.dictionary, number)
    n = len(bits)
    corners = marker.corners_mm()[:, :2]
    if crooked:
        centre, (c, s) = np.array(marker.centre), (np.cos(np.radians(6)), np.sin(np.radians(6)))
        corners = (corners - centre) @ np.array([[c, s], [-s, c]]) + centre + (2.0, 0.0)
    printed = np.kron(np.pad(bits, 1, constant_values=1), np.full((16, 16), 1, dtype=np.uint8)) * 200 + 25
    square = np.array([[1, 1], [n + 1, 1], [n + 1, n + 1], [1, n + 1]], dtype=np.float32) * 16 - 0.5
    matrix = cv2.getPerspectiveTransform(square, _texels(corners).astype(np.float32))
    size = (rim.shape[1], rim.shape[0])
    drawn = cv2.warpPerspective(printed.astype(np.uint8), matrix, size, flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.full(printed.shape, 255, dtype=np.uint8), matrix, size) > 127
    rim[mask] = drawn[mask]


def _texels(places_mm: FloatArray) -> FloatArray:
    return (places_mm + BORDER_MM) * TEXELS_PER_MM - 0.5


def _places(camera: Pose, fine: int, height_mm: float = 0.0) -> FloatArray:
    """(fine * H, fine * W, 2) where the fine pixels meet a plane: exact every few pixels, linear between."""
    w, h = camera.lens.image_size
    step = 6
    assert fine % 2 == 0, "between two of the fine pixels lies the middle of a pixel"
    columns, rows = np.arange(-step, w + 2 * step, step), np.arange(-step, h + 2 * step, step)
    coarse = np.stack(np.meshgrid(columns, rows), axis=-1)
    known = camera.board_from_image(coarse.reshape(-1, 2), height_mm).reshape(coarse.shape)
    size = (known.shape[1] * fine * step, known.shape[0] * fine * step)
    dense = cv2.resize(known, size, interpolation=cv2.INTER_LINEAR)
    first = fine * (3 * step - 1) // 2  # where the middle of the first fine pixel of the picture lies
    return np.asarray(dense[first : first + fine * h, first : first + fine * w])


def _sample(texture: Image, places_mm: FloatArray) -> NDArray[np.float32]:
    at = _texels(places_mm).astype(np.float32)
    found = cv2.remap(texture, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return found.astype(np.float32)
