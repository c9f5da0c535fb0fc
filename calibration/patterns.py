"""The printed patterns from which a lens is measured, and finding them in a picture."""

from __future__ import annotations

import re
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import CalibrationError

FloatArray = NDArray[np.float64]
Gray = NDArray[np.uint8]

FORMS = "chessboard:COLSxROWS:MM or charuco:COLSxROWS:SQUARE_MM:MARKER_MM:DICTIONARY[:legacy]"
MIN_SQUARES = 3  # squares in a row of a ChArUco sheet, at least
MIN_INNER = 3  # OpenCV looks for no chessboard with fewer inner corners in a row
# half the corner window as a part of the smallest distance between neighbours: it must see one corner only
WINDOW_OF_SPACING = 0.33
WINDOW_OF_MARGIN = 0.4  # … and of the distance to the nearest corner of a ChArUco marker
WINDOW_PX = (2, 11)  # least and most half-window
MIN_CHARUCO_CORNERS = 6  # a view with fewer says little about the lens
LEAST_PX = 40  # smaller pictures show no pattern, and OpenCV fails on them
COUNTS = re.compile(r"(\d{1,9})x(\d{1,9})")
MOST_SQUARES = 60  # a sheet with more in a row has none that a camera sees
REFINE_STEPS = 100  # steps in which OpenCV refines a corner at most, …
REFINE_PX = 1e-4  # … and the step that ends it: far below what a corner is known to


@dataclass(frozen=True, slots=True)
class PatternSeen:
    """A pattern seen in a picture: (N, 2) pixels, (N, 3) places on the pattern in mm, same order."""

    pixels: FloatArray
    places_mm: FloatArray


@dataclass(frozen=True, slots=True)
class Pattern:
    """A chessboard (cols x rows inner corners) or a ChArUco sheet (cols x rows squares), sizes in mm."""

    kind: str
    cols: int
    rows: int
    square_mm: float
    marker_mm: float = 0.0
    dictionary: str = ""
    legacy: bool = False

    @property
    def corners(self) -> int:
        """How many corners the whole pattern has."""
        return self.cols * self.rows if self.kind == "chessboard" else (self.cols - 1) * (self.rows - 1)

    def find(self, gray: Gray, fast: bool = False) -> PatternSeen | None:
        """Finds the pattern in a picture (H, W), corners to a fraction of a pixel; None where it is not seen.

        fast: give up early on pictures without it (for films).
        """
        if min(gray.shape) < LEAST_PX:
            return None
        return self._chessboard(gray, fast) if self.kind == "chessboard" else self._charuco(gray)

    def _chessboard(self, gray: Gray, fast: bool) -> PatternSeen | None:
        size = (self.cols, self.rows)
        flags = cv2.CALIB_CB_ADAPTIVE_THRESH | cv2.CALIB_CB_NORMALIZE_IMAGE
        ok, corners = cv2.findChessboardCorners(gray, size, flags=flags | (cv2.CALIB_CB_FAST_CHECK if fast else 0))
        if not ok and not fast:
            ok, corners = cv2.findChessboardCornersSB(gray, size, flags=cv2.CALIB_CB_EXHAUSTIVE)
        if not ok:
            return None
        grid = np.asarray(corners, dtype=np.float64).reshape(self.rows, self.cols, 2)
        spacing = min(float(np.linalg.norm(np.diff(grid, axis=a), axis=2).min()) for a in (0, 1))
        columns, rows = np.meshgrid(np.arange(self.cols), np.arange(self.rows))
        places = np.zeros((self.corners, 3))
        places[:, 0], places[:, 1] = columns.ravel() * self.square_mm, rows.ravel() * self.square_mm
        return PatternSeen(_refined(gray, grid.reshape(-1, 2), spacing * WINDOW_OF_SPACING), places)

    def _charuco(self, gray: Gray) -> PatternSeen | None:
        board = self._charuco_board()
        found, ids, _, _ = cv2.aruco.CharucoDetector(board).detectBoard(gray)
        if found is None or ids is None:
            return None
        corners = np.asarray(found, dtype=np.float64).reshape(-1, 2)
        if len(corners) < min(MIN_CHARUCO_CORNERS, self.corners):
            return None
        places = np.asarray(board.getChessboardCorners(), dtype=np.float64).reshape(-1, 3)[np.ravel(ids).astype(int)]
        flat = np.linalg.svd(places[:, :2] - places[:, :2].mean(0), compute_uv=False)
        if flat[1] < self.square_mm / 2:
            return None
        spacing = _spacing(corners, places, self.square_mm)
        margin = spacing * (self.square_mm - self.marker_mm) / 2 / self.square_mm
        half = min(spacing * WINDOW_OF_SPACING, margin * WINDOW_OF_MARGIN)
        return PatternSeen(_refined(gray, corners, half), places)

    def _charuco_board(self) -> cv2.aruco.CharucoBoard:
        book = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, self.dictionary))
        board = cv2.aruco.CharucoBoard((self.cols, self.rows), self.square_mm, self.marker_mm, book)
        board.setLegacyPattern(self.legacy)
        return board


def parse_pattern(text: str) -> Pattern:
    """Reads PATTERN as the command line gives it. Raises CalibrationError that says what is wrong with it."""
    kind, *rest = text.strip().split(":")
    if kind == "chessboard" and len(rest) == 2:
        cols, rows = _counts(text, rest[0], "inner corners", MIN_INNER)
        return Pattern(kind, cols, rows, _millimetres(text, rest[1], "side of a square"))
    if kind == "charuco" and len(rest) in (4, 5):
        cols, rows = _counts(text, rest[0], "squares", MIN_SQUARES)
        square = _millimetres(text, rest[1], "side of a square")
        marker = _millimetres(text, rest[2], "side of a marker")
        if marker >= square:
            raise CalibrationError(f"pattern {text!r}: marker of {marker:g} mm, expected one smaller than its square "
                                   f"of {square:g} mm")  # fmt: skip
        if not rest[3].startswith("DICT_") or not isinstance(getattr(cv2.aruco, rest[3], None), int):
            raise CalibrationError(f"pattern {text!r}: dictionary {rest[3]!r} is not known; expected an OpenCV name "
                                   "as DICT_5X5_100")  # fmt: skip
        if rest[4:] not in ([], ["legacy"]):
            raise CalibrationError(f"pattern {text!r}: found {rest[4]!r} at the end, expected legacy or nothing")
        book = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, rest[3]))
        if cols * rows // 2 > len(book.bytesList):
            raise CalibrationError(f"pattern {text!r}: {cols}x{rows} squares need {cols * rows // 2} markers, "
                                   f"{rest[3]} has {len(book.bytesList)}")  # fmt: skip
        return Pattern(kind, cols, rows, square, marker, rest[3], len(rest) == 5)
    raise CalibrationError(f"pattern {text!r}: expected {FORMS}")


def _counts(text: str, part: str, what: str, least: int) -> tuple[int, int]:
    found = COUNTS.fullmatch(part.lower())
    cols, rows = map(int, found.groups()) if found else (0, 0)
    if min(cols, rows) < least:
        raise CalibrationError(f"pattern {text!r}: found {part!r}, expected COLSxROWS {what}, at least {least} each")
    if max(cols, rows) > MOST_SQUARES:
        raise CalibrationError(f"pattern {text!r}: found {part!r}, expected at most {MOST_SQUARES} {what} each")
    return cols, rows


def _millimetres(text: str, part: str, what: str) -> float:
    try:
        value = float(part)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise CalibrationError(f"pattern {text!r}: found {part!r}, expected the {what} in mm, above 0")
    return value


def _refined(gray: Gray, corners: FloatArray, half_px: float) -> FloatArray:
    """Corners where the edges cross, from a window of 2 * half_px + 1 (cv2.cornerSubPix)."""
    half = int(np.clip(half_px, *WINDOW_PX))
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, REFINE_STEPS, REFINE_PX)
    start = np.ascontiguousarray(corners.reshape(-1, 1, 2), dtype=np.float32)
    return np.asarray(cv2.cornerSubPix(gray, start, (half, half), (-1, -1), criteria), dtype=np.float64).reshape(-1, 2)


def _spacing(corners: FloatArray, places: FloatArray, square: float) -> float:
    """Smallest distance between corners that are neighbours on the pattern, pixels."""
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)
    pixels = np.linalg.norm(corners[:, None] - corners[None], axis=2)
    neighbours = np.abs(apart - square) < square / 10
    return float(pixels[neighbours].min()) if neighbours.any() else float(pixels[pixels > 0].min())
