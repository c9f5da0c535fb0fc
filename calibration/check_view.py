"""Pictures of a check: where the markers were seen and expected, and how sure a place is over the board."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.check import ERROR_MM, Check, rim_and_surface
from calibration.figures import figure
from calibration.hidden_look import MM_A_PX
from calibration.lens import USUAL_WIDTH_PX, Lens
from calibration.lettering import drawable
from calibration.markers import marker_of
from calibration.uncertainty import GRID, board_grid_mm

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]

RESIDUAL_TIMES = 50  # residuals are drawn so many times as long: they are fractions of a pixel
GREEN: Colour = (90, 170, 40)
AMBER: Colour = (30, 160, 235)
RED: Colour = (50, 50, 215)
INK: Colour = (40, 30, 20)
PAPER: Colour = (245, 250, 255)
CUT_PX = 7  # radius of a spot at the picture's edge, where the board goes on outside it: to be seen at a glance
CAPTIONS = {
    "residuals": {"en": "rms {rms} px, drawn x{times}", "fr": "résidu {rms} px, dessiné x{times}"},
    "sure": {"en": "mm, one sigma", "fr": "mm, un sigma"},
}
SHIFT = 4  # OpenCV draws to a sixteenth of a pixel


def residuals_picture(check: Check, language: str = "en") -> Image:
    """The board's picture with grid, markers, and their residuals RESIDUAL_TIMES as long."""
    picture = _dimmed(check.image)
    pose, board = check.found.pose, check.board
    grid = pose.image_from_board(board_grid_mm(board)).reshape(GRID[1], GRID[0], 2)
    for line in (*grid[::3], *grid.transpose(1, 0, 2)[::3]):
        cv2.polylines(picture, [_fixed(line)], False, PAPER, 1, cv2.LINE_AA, SHIFT)
    _draw_cut(picture, check)
    _draw_hidden(picture, check)
    for number, seen in check.found.markers.items():
        expected = pose.image_from_board(marker_of(board, number).corners_mm())
        cv2.polylines(picture, [_fixed(expected)], True, GREEN, 2, cv2.LINE_AA, SHIFT)
        for corner, off in zip(expected, seen - expected, strict=True):
            start, end = _fixed(corner), _fixed(corner + off * RESIDUAL_TIMES)
            cv2.line(picture, start.tolist(), end.tolist(), RED, 2, cv2.LINE_AA, SHIFT)
        _label(picture, f"{number}", expected.mean(0))
    for number in check.found.left_out:
        _label(picture, f"{number}?", pose.image_from_board(marker_of(board, number).corners_mm()).mean(0))
    caption = CAPTIONS["residuals"][language].format(rms=figure(language, pose.rms_px), times=RESIDUAL_TIMES)
    _label(picture, caption, np.array([14.0, 24.0]), centred=False)
    return picture


def _draw_cut(picture: Image, check: Check) -> None:
    """Red spots at the picture's edge where board or rim go on outside it."""
    _, pixels = rim_and_surface(check.found.pose, check.board)
    last = np.array(check.found.pose.lens.image_size) - 1.0
    for point in pixels[((pixels < 0) | (pixels > last)).any(1)]:
        cv2.circle(picture, _fixed(np.clip(point, 0, last)).tolist(), CUT_PX << SHIFT, RED, -1, cv2.LINE_AA, SHIFT)


def _draw_hidden(picture: Image, check: Check) -> None:
    """A red tint over what is hidden."""
    places = check.hidden.places_mm
    if not len(places):
        return
    half = MM_A_PX / 2
    corners = [places + (dx * half, dy * half) for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    points = np.stack([np.column_stack([c, np.zeros(len(c))]) for c in corners], axis=1)
    pixels = check.found.pose.image_from_board(points.reshape(-1, 3)).reshape(-1, 4, 2)
    tint = picture.copy()
    for cell in pixels:
        cv2.fillConvexPoly(tint, _fixed(cell), RED, cv2.LINE_AA, SHIFT)
    picture[:] = cv2.addWeighted(tint, 0.6, picture, 0.4, 0)


def uncertainty_picture(check: Check, language: str = "en") -> Image:
    """The board's picture tinted by how far a place may be off, with figures in mm."""
    picture = _dimmed(check.image)
    points = check.found.pose.image_from_board(board_grid_mm(check.board)).reshape(GRID[1], GRID[0], 2)
    errors = check.errors_mm.reshape(GRID[1], GRID[0])
    tint = picture.copy()
    for row in range(GRID[1] - 1):
        for column in range(GRID[0] - 1):
            cell = points[row : row + 2, column : column + 2].reshape(4, 2)[[0, 1, 3, 2]]
            colour = _colour(float(errors[row : row + 2, column : column + 2].mean()))
            cv2.fillConvexPoly(tint, _fixed(cell), colour, cv2.LINE_8, SHIFT)
    picture = np.asarray(cv2.addWeighted(tint, 0.55, picture, 0.45, 0), dtype=np.uint8)
    for row in range(0, GRID[1], 3):
        for column in range(0, GRID[0], 3):
            _label(picture, figure(language, errors[row, column]), points[row, column])
    _label(picture, CAPTIONS["sure"][language], np.array([14.0, 24.0]), centred=False)
    return picture


def lens_picture(lens: Lens, errors_mm: NDArray[np.float64], language: str = "en") -> Image:
    """How sure the lens is over its picture: tints and figures in mm, for a board that fills its height."""
    w, h = lens.image_size
    picture = np.full((h, w, 3), 235, dtype=np.uint8)
    errors = errors_mm.reshape(GRID[1], GRID[0])
    left, side = (w - h) / 2, h / (GRID[0] - 1)
    for row in range(GRID[1] - 1):
        for column in range(GRID[0] - 1):
            x, y = round(left + column * side), round(row * side)
            colour = _colour(float(errors[row : row + 2, column : column + 2].mean()))
            cv2.rectangle(picture, (x, y), (round(x + side), round(y + side)), colour, -1)
    for row in range(1, GRID[1], 3):
        for column in range(1, GRID[0], 3):
            _label(picture, figure(language, errors[row, column]), np.array([left + column * side, row * side]))
    _label(picture, CAPTIONS["sure"][language], np.array([10.0, 20.0]), centred=False)
    return picture


def _colour(error_mm: float) -> Colour:
    """From green over amber to red, as ERROR_MM grades."""
    good, fair = ERROR_MM
    if error_mm <= good:
        return _between(GREEN, AMBER, 0.5 * error_mm / good)
    return _between(AMBER, RED, min((error_mm - good) / (fair - good), 1.0))


def _between(one: Colour, other: Colour, share: float) -> Colour:
    b, g, r = (round(a + (o - a) * share) for a, o in zip(one, other, strict=True))
    return b, g, r


def _dimmed(image: Image) -> Image:
    bgr = image if image.ndim == 3 else np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), dtype=np.uint8)
    return np.asarray(cv2.convertScaleAbs(bgr, alpha=0.75, beta=40), dtype=np.uint8)


def _fixed(points: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.asarray(np.round(points * 2**SHIFT), dtype=np.int32)


def _label(picture: Image, text: str, at: NDArray[np.float64], centred: bool = True) -> None:
    """Dark letters on a light border, readable on any board."""
    text = drawable(text)
    scale = max(picture.shape[1] / USUAL_WIDTH_PX * 0.55, 0.35)
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 1)
    x, y = (int(at[0] - width / 2), int(at[1] + height / 2)) if centred else (int(at[0]), int(at[1]))
    cv2.putText(picture, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, scale, PAPER, 4, cv2.LINE_AA)
    cv2.putText(picture, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, scale, INK, 1, cv2.LINE_AA)
