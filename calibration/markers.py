"""Finds the board's printed markers in a picture, corners to a fraction of a pixel; says why it does not."""

from __future__ import annotations

import itertools
import math
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board, Marker
from calibration.lens import USUAL_WIDTH_PX, CalibrationError
from calibration.marker_fit import FloatArray, fit_marker, homography, projected

Gray = NDArray[np.uint8]

ENOUGH_MARKERS = 2  # markers from which a pose is worth having
# narrower pictures are enlarged before the search: the detector needs about 25 px a marker
MIN_DETECTION_WIDTH_PX = 960
MIN_PERIMETER_RATE = 0.015  # smallest perimeter of a marker as a part of the picture's longer side: 5 px sides at 1280
SEARCH_REACH = 0.6  # how far around its expected place a marker is searched, in marker sides
MOST_WAYS = 1024  # in which markers that are seen more than once are tried together: as of ten in two boards
# at 1280 pixels' width: markers of another board lie to each other as the file says, or are bent by the lens by less
WHOLE_PX = 2.0
# looked through when the expected markers are not seen; the larger ones hold the smaller ones of their family
OTHER_DICTIONARIES = tuple(
    f"DICT_{family}" for family in (
        "4X4_1000", "5X5_1000", "6X6_1000", "7X7_1000", "ARUCO_ORIGINAL", "APRILTAG_16h5", "APRILTAG_25h9",
        "APRILTAG_36h10", "APRILTAG_36h11", "ARUCO_MIP_36h12",
    )
)  # fmt: skip


def gray_image(image: NDArray[np.uint8]) -> Gray:
    """(H, W) of a picture that is gray, BGR or BGRA."""
    if image.ndim == 2:
        return image
    code = cv2.COLOR_BGRA2GRAY if image.shape[2] == 4 else cv2.COLOR_BGR2GRAY
    return np.asarray(cv2.cvtColor(image, code), dtype=np.uint8)


def find_markers(image: NDArray[np.uint8], board: Board) -> dict[int, FloatArray]:
    """Finds the board's markers.

    image: (H, W) or (H, W, 3) BGR. Returns id -> (4, 2) pixels in ArUco's order (north-west corner first),
    fitted to the whole printed pattern; only ids that the board has, each at most once: of two markers of one id, in
    two dictionaries, the board's first, and where another board or a spare sheet lies beside it, those that lie to each
    other as the board's do.
    Raises CalibrationError where the board file names a dictionary or id that OpenCV does not know.
    """
    gray = gray_image(image)
    seen: dict[int, list[FloatArray]] = {}
    for dictionary in dict.fromkeys(m.dictionary for m in board.markers):
        wanted = {m.id: marker_bits(dictionary, m.id) for m in own_markers(board) if m.dictionary == dictionary}
        for number, corners in detect(gray, dictionary):
            if number in wanted:
                fit = fit_marker(gray, corners, wanted[number])
                if fit is not None:
                    seen.setdefault(number, []).append(fit.corners_px)
    found = _of_one_board(seen, board, gray.shape)
    return found | _find_missed(gray, board, found)


def find_markers_near(gray: Gray, board: Board, expected: dict[int, FloatArray]) -> dict[int, FloatArray]:
    """Finds markers close to where they are expected (within SEARCH_REACH sides): a fraction of the full search's time.

    gray: (H, W); expected: id -> (4, 2) pixels. Returns those that are there, as find_markers does.
    """
    found = {}
    for number, corners in expected.items():
        bits = marker_bits(marker_of(board, number).dictionary, number)
        fit = fit_marker(gray, corners, bits)
        if fit is None:
            start = _match(gray, corners, bits)
            fit = fit_marker(gray, start, bits) if start is not None else None
        if fit is not None:
            found[number] = fit.corners_px
    return found


def why_not_found(image: NDArray[np.uint8], board: Board) -> str:
    """Says in one line why the board's markers are not seen in a picture, and what to do."""
    gray = gray_image(image)
    expected = _listed({m.id for m in board.markers})
    names = ", ".join(dict.fromkeys(m.dictionary for m in board.markers))
    wanted = f"expected markers {expected} of {names}"
    if len(board.markers) < ENOUGH_MARKERS:
        return (f"the board file has one marker alone, expected at least {ENOUGH_MARKERS}: glue on another and add it, "
                "or take it out of the file, and the board is found by its outline")  # fmt: skip
    if len(_seen_ids(np.ascontiguousarray(gray[:, ::-1]), board)) >= ENOUGH_MARKERS:
        return (f"the picture is mirrored, as a selfie camera shows it; {wanted} the right way round: "
                "switch mirroring off")  # fmt: skip
    seen = _seen_ids(gray, board)
    if seen:
        which = (
            f"only marker {_listed(seen)} is"
            if len(seen) < ENOUGH_MARKERS
            else f"markers {_listed(seen)} are not clearly"
        )
        return (f"{which} seen, {wanted}, at least {ENOUGH_MARKERS} of them clearly: "
                "show the whole board to the camera, with more light and no glare")  # fmt: skip
    for dictionary in OTHER_DICTIONARIES:
        others = {number for number, _ in detect(gray, dictionary)}
        if len(others) >= ENOUGH_MARKERS:
            return (f"markers {_listed(others)} of {dictionary} are seen, {wanted}: "
                    "use the sheet that belongs to this board, or correct the board file")  # fmt: skip
    return (f"no markers are seen, {wanted}: show the whole board to the camera, with more light and no glare, "
            "or give the board's corners")  # fmt: skip


def detect(gray: Gray, dictionary: str) -> list[tuple[int, FloatArray]]:
    """All markers of a dictionary in a picture: (id, (4, 2) corners), roughly placed (about 1 px)."""
    scale = 1 if max(gray.shape) >= MIN_DETECTION_WIDTH_PX else 2
    if scale > 1:
        gray = np.asarray(cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), dtype=np.uint8)
    corners, ids, _ = _detector(dictionary).detectMarkers(gray)
    if ids is None:
        return []
    places = [(np.asarray(c, dtype=np.float64).reshape(-1, 2) + 0.5) / scale - 0.5 for c in corners]
    return list(zip([int(i) for i in np.ravel(ids)], places, strict=True))


@cache
def marker_bits(dictionary: str, number: int) -> NDArray[np.uint8]:
    """(N, N) modules of a printed marker with its black border: 0 black, 1 white. Raises CalibrationError."""
    book = _dictionary(dictionary)
    if number >= len(book.bytesList):
        raise CalibrationError(f"marker id {number}: {dictionary} has only ids 0 to {len(book.bytesList) - 1}")
    side = book.markerSize + 2
    return np.asarray(cv2.aruco.generateImageMarker(book, number, side) > 127, dtype=np.uint8)


def marker_of(board: Board, number: int) -> Marker:
    """The board's marker with an id; the first where two dictionaries have it."""
    return next(m for m in board.markers if m.id == number)


def own_markers(board: Board) -> list[Marker]:
    """The markers that are told apart by their ids: of two with one id, in two dictionaries, the first."""
    return list({m.id: m for m in reversed(board.markers)}.values())[::-1]


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


def _of_one_board(seen: dict[int, list[FloatArray]], board: Board, shape: tuple[int, ...]) -> dict[int, FloatArray]:
    """Of markers that are seen more than once those that lie to each other as the board's do: id -> (4, 2) pixels.

    Where two boards are seen, those of the one in the middle of the picture, (height, width).
    """
    numbers = sorted(seen)
    ways = math.prod(len(seen[n]) for n in numbers)
    first = {n: seen[n][0] for n in numbers}
    if ways == 1 or ways > MOST_WAYS or len(numbers) < ENOUGH_MARKERS:
        return first
    points = np.concatenate([marker_of(board, n).corners_mm()[:, :2] for n in numbers])
    judged = []
    for chosen in itertools.product(*(seen[n] for n in numbers)):
        pixels = np.concatenate(chosen)
        found, _ = cv2.findHomography(points, pixels)
        if found is not None:
            apart = projected(np.asarray(found, dtype=np.float64), points) - pixels
            off = float(np.sqrt((apart**2).sum(1).mean()))
            aside = float(np.linalg.norm(pixels.mean(0) - ((shape[1] - 1) / 2, (shape[0] - 1) / 2)))
            judged.append((off, aside, chosen))
    if not judged:
        return first
    best = min(judged, key=lambda one: one[0])
    fits = max(best[0], WHOLE_PX * shape[1] / USUAL_WIDTH_PX)
    whole = [one for one in judged if one[0] <= fits and not any(a is b for a, b in zip(one[2], best[2], strict=True))]
    _, _, chosen = min([best, *whole], key=lambda one: one[1])
    return dict(zip(numbers, chosen, strict=True))


def _find_missed(gray: Gray, board: Board, found: dict[int, FloatArray]) -> dict[int, FloatArray]:
    """Markers that the detector missed (dim, blurred, small), searched where the found ones let them expect."""
    missed = [m for m in own_markers(board) if m.id not in found]
    if not missed or len(found) < ENOUGH_MARKERS:
        return {}
    points = np.concatenate([marker_of(board, n).corners_mm()[:, :2] for n in found])
    from_board, _ = cv2.findHomography(points, np.concatenate(list(found.values())))
    if from_board is None:
        return {}
    expected = {}
    for marker in missed:
        h = np.column_stack([marker.corners_mm()[:, :2], np.ones(4)]) @ from_board.T
        if (h[:, 2] > 0).all():
            expected[marker.id] = np.asarray(h[:, :2] / h[:, 2:], dtype=np.float64)
    return find_markers_near(gray, board, expected)


def _match(gray: Gray, corners: FloatArray, bits: NDArray[np.uint8]) -> FloatArray | None:
    """Slides a drawn marker over the neighbourhood of its expected place: (4, 2) corners, to a pixel, or None."""
    side = float(np.sqrt(abs(cv2.contourArea(corners.astype(np.float32)))))
    reach = int(np.ceil(SEARCH_REACH * side))
    low = np.floor(corners.min(0)).astype(int) - 1
    size = np.ceil(corners.max(0)).astype(int) + 2 - low
    top, left = low[1] - reach, low[0] - reach
    area = gray[max(top, 0) : low[1] + size[1] + reach, max(left, 0) : low[0] + size[0] + reach]
    if side < len(bits) or area.shape[0] <= size[1] or area.shape[1] <= size[0]:
        return None
    drawn = _drawn(bits, corners - low, (int(size[0]), int(size[1])))
    _, _, _, place = cv2.minMaxLoc(cv2.matchTemplate(area, drawn, cv2.TM_CCOEFF_NORMED))
    return np.asarray(corners - low + np.array(place) + (max(left, 0), max(top, 0)), dtype=np.float64)


def _drawn(bits: NDArray[np.uint8], corners: FloatArray, size: tuple[int, int]) -> Gray:
    """A marker drawn on white with its corners in given places; size: (width, height)."""
    texel = 8
    big = np.kron(bits, np.full((texel, texel), 255, dtype=np.uint8))
    side = len(bits) * texel
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], dtype=np.float64) - 0.5
    warped = cv2.warpPerspective(big, homography(square, corners), size, flags=cv2.INTER_AREA, borderValue=(255,))
    return np.asarray(cv2.GaussianBlur(warped, (0, 0), 0.8), dtype=np.uint8)


def _seen_ids(gray: Gray, board: Board) -> set[int]:
    wanted = {(m.dictionary, m.id) for m in board.markers}
    return {n for d in {m.dictionary for m in board.markers} for n, _ in detect(gray, d) if (d, n) in wanted}


def _listed(numbers: set[int]) -> str:
    return ", ".join(str(n) for n in sorted(numbers)[:8])
