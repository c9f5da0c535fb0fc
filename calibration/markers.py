"""Finds the board's printed markers in a picture, corners to a fraction of a pixel."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board, Marker
from calibration.lens import CalibrationError
from calibration.marker_fit import fit_marker

FloatArray = NDArray[np.float64]
Gray = NDArray[np.uint8]

MIN_DETECTION_WIDTH_PX = 960
"""Narrower pictures are enlarged before the search: the detector needs about 25 px a marker."""
MIN_PERIMETER_RATE = 0.015
"""Smallest perimeter of a marker as a part of the picture's longer side: 5 px sides at 1280."""


def gray_image(image: NDArray[np.uint8]) -> Gray:
    """(H, W) of a picture that is gray, BGR or BGRA."""
    if image.ndim == 2:
        return image
    code = cv2.COLOR_BGRA2GRAY if image.shape[2] == 4 else cv2.COLOR_BGR2GRAY
    return np.asarray(cv2.cvtColor(image, code), dtype=np.uint8)


def find_markers(image: NDArray[np.uint8], board: Board) -> dict[int, FloatArray]:
    """Finds the board's markers.

    image: (H, W) or (H, W, 3) BGR. Returns id -> (4, 2) pixels in ArUco's order (north-west corner first),
    fitted to the whole printed pattern; only ids that the board has, each at most once.
    Raises CalibrationError where the board file names a dictionary that OpenCV does not know.
    """
    gray = gray_image(image)
    found: dict[int, FloatArray] = {}
    for dictionary in dict.fromkeys(m.dictionary for m in board.markers):
        ids = {m.id for m in board.markers if m.dictionary == dictionary}
        for number, corners in detect(gray, dictionary):
            if number in ids and number not in found:
                refined = fit_marker(gray, corners, marker_bits(dictionary, number))
                if refined is not None:
                    found[number] = refined
    return found


def detect(gray: Gray, dictionary: str) -> list[tuple[int, FloatArray]]:
    """All markers of a dictionary in a picture: (id, (4, 2) corners), roughly placed (about 1 px)."""
    scale = 1 if gray.shape[1] >= MIN_DETECTION_WIDTH_PX else 2
    if scale > 1:
        gray = np.asarray(cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), dtype=np.uint8)
    corners, ids, _ = _detector(dictionary).detectMarkers(gray)
    if ids is None:
        return []
    places = [(np.asarray(c, dtype=np.float64).reshape(-1, 2) + 0.5) / scale - 0.5 for c in corners]
    return list(zip([int(i) for i in np.ravel(ids)], places, strict=True))


@cache
def _detector(dictionary: str) -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.minMarkerPerimeterRate = MIN_PERIMETER_RATE
    return cv2.aruco.ArucoDetector(_dictionary(dictionary), parameters)


@cache
def _dictionary(name: str) -> cv2.aruco.Dictionary:
    number = getattr(cv2.aruco, name, None)
    if not name.startswith("DICT_") or not isinstance(number, int):
        raise CalibrationError(f'marker dictionary "{name}" is not known; expected an OpenCV name as "DICT_4X4_50"')
    return cv2.aruco.getPredefinedDictionary(number)


@cache
def marker_bits(dictionary: str, number: int) -> NDArray[np.uint8]:
    """(N, N) modules of a printed marker with its black border: 0 black, 1 white."""
    book = _dictionary(dictionary)
    if number >= len(book.bytesList):
        raise CalibrationError(f"marker id {number}: {dictionary} has only ids 0 to {len(book.bytesList) - 1}")
    side = book.markerSize + 2
    return np.asarray(cv2.aruco.generateImageMarker(book, number, side) > 127, dtype=np.uint8)


def marker_of(board: Board, number: int) -> Marker:
    """The board's marker with an id."""
    return next(m for m in board.markers if m.id == number)
