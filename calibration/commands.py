"""Calibrations, check and sheets as commands: files in, files and a short report out. Errors are one line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board, load_board
from calibration.board_search import steady_image
from calibration.check import Check, check_set_up
from calibration.check_view import lens_picture, residuals_picture, uncertainty_picture
from calibration.check_words import GRADES, advised, name, told
from calibration.figures import COLON
from calibration.lens import USUAL_WIDTH_PX, CalibrationError, Lens, load_lens
from calibration.lens_doubt import Doubt, doubted
from calibration.lens_fit import LensFit, fit_lens
from calibration.lens_views import gather_views
from calibration.marker_pose import MarkerPose, find_pose, pose_from_markers
from calibration.markers import find_markers
from calibration.outline import refine_pose_on_outline
from calibration.patterns import parse_pattern
from calibration.pictures import read_film, read_pictures, read_still_frames
from calibration.pose import Pose
from calibration.pose_doubts import doubts_of, other_sizes, other_unit, wrong_measure
from calibration.pose_fit import DOUBTFUL, fit_pose_from_corners, strangeness, surface_corners_mm
from calibration.sheets import SheetPlan, make_sheets
from calibration.store import save_calibration, save_lens, write_bytes
from calibration.uncertainty import NOMINAL_MM, lens_errors_mm

FloatArray = NDArray[np.float64]
Image = NDArray[np.uint8]

POSE_FRAMES = 9  # frames of a film (the first three seconds) from which the pose is taken: a hand may pass
CHECK_FRAMES = 900  # frames of a film that are checked: half a minute, or a quarter at 60 a second
LEAST_CHECK_FRAMES = 12  # fewer tell neither flicker nor rate
# at 1280 pixels' width: markers whose pose agrees with the clicked corners to this say it more precisely
CLICK_REACH_PX = 8.0
# at 1280 pixels' width: clicked corners that are further from where the markers have them are doubted. Clicks are off
# by a few pixels, and what a lens that nobody measured bends by some more
FAR_CLICK_PX = 20.0
NO_LENS = {
    "markers": "no lens file: the focal length is estimated from the markers, distortion is not; measure the lens",
    "bent": "no lens file: the focal length and how much the lens bends (k1 {k1:+.2f}) are estimated from the markers; "
    "measure the lens to be sure of fractions of a millimetre",
    "outline": "no lens file: the focal length is estimated from the outline, distortion is not; measure the lens",
    "corners": "no lens file: distortion is not known, the focal length is estimated",
}
DOUBTS = {
    "turned": "the picture is upside-down against those of the lens file; the lens was turned with it",
    "cropped": "the picture is cropped or zoomed (about {percent} %) against those of the lens file; the lens was "
    "fitted to it by the markers: measure it again as the camera is used",
}
ODD_CLICKS = (
    "the clicked corners fit the board's measures by an unusual camera alone: check the corners and the board file, or "
    "measure the lens"
)
FAR_CLICKS = (
    "the markers that are seen say otherwise: by them the {which} corner is {px:.0f} pixels from where it was clicked; "
    "click the corners in turn, from the north-west one clockwise, or take the markers"
)
CORNER_NAMES = ("north-west", "north-east", "south-east", "south-west")
_CORNERS = 'four corners as "x,y x,y x,y x,y" in pixels: north-west, north-east, south-east, south-west'
_NUMBER = r"[-+]?\d{1,9}(?:\.\d*)?|[-+]?\.\d+"


@dataclass(frozen=True, slots=True)
class LensReport:
    """What was measured, and its text."""

    fit: LensFit
    out: Path

    def __str__(self) -> str:
        fit = self.fit
        lines = [
            f"{self.out}: rms {fit.lens.rms_px:.3f} px over {fit.lens.views} views, focal length "
            f"{fit.lens.focal_px:.1f} ± {fit.focal_error_px:.1f} px, model {fit.model} "
            f"(held-out rms {fit.held_out_px[fit.model]:.3f} px)",
            *self._sure(),
            *(f"  {name}: {rms:.3f} px" for name, rms in fit.views),
            *(f"  left out {name}: {why}" for name, why in fit.dropped),
            *(f"warning: {text}" for text in fit.warnings),
        ]
        return "\n".join(lines)

    def _sure(self) -> list[str]:
        """How far off a place may be by this lens."""
        errors = lens_errors_mm(self.fit.lens)
        if errors is None:
            return ["  how sure it is cannot be told from so few views"]
        middle, worst = float(np.median(errors)), float(errors.max())
        return [f"  by this lens a place is right to {middle:.2f} mm, at worst to {worst:.2f} mm (one sigma; a board "
                f"of {NOMINAL_MM:g} mm that fills the picture's height)"]  # fmt: skip


@dataclass(frozen=True, slots=True)
class PoseReport:
    """The pose, where it comes from, and its text."""

    pose: Pose
    source: str
    out: Path | None
    warnings: tuple[str, ...]

    def __str__(self) -> str:
        x, y, height = self.pose.camera_mm()
        lines = [f"{self.out or 'pose'}: pose from {self.source}, rms {self.pose.rms_px:.2f} px; camera "
                 f"{height:.0f} mm above the board at ({x:.0f}, {y:.0f}) mm"]  # fmt: skip
        if self.pose.corner_error_mm:
            errors = ", ".join(f"{e:.2f}" for e in self.pose.corner_error_mm)
            lines.append(f"  estimated error at the corners (NW, NE, SE, SW): {errors} mm")
        return "\n".join([*lines, *(f"warning: {text}" for text in self.warnings)])


def calibrate_lens(
    inputs: str | Path | Iterable[str | Path],
    pattern: str,
    out: Path,
    picture: Path | None = None,
    language: str = "en",
) -> LensReport:
    """Measures a lens from pictures (files, a folder, a pattern of names) or a film, and writes LENS.json.

    pattern: see patterns.FORMS; picture: where a picture of how sure it is is written. Raises CalibrationError.
    """
    fit = fit_lens(gather_views(read_pictures(inputs), parse_pattern(pattern)))
    save_lens(out, fit.lens)
    errors = lens_errors_mm(fit.lens)
    if picture is not None and errors is not None:
        write_bytes(picture, cv2.imencode(".png", lens_picture(fit.lens, errors, language))[1].tobytes(), "picture")
    return LensReport(fit, Path(out))


def calibrate_pose(
    view: str | Path, board_path: Path, out: Path, lens_path: Path | None = None, corners: str | None = None
) -> PoseReport:
    """Finds the camera's pose over a board in a film or picture, and writes CAL.json.

    corners: "x,y x,y x,y x,y" pixels of the surface's corners; without it the markers are used, or the
    outline of a board that has none. Raises BoardFileError
    or CalibrationError.
    """
    board = load_board(board_path)
    lens = load_lens(lens_path) if lens_path is not None else None
    clicked = parse_corners(corners) if corners is not None else None
    images = [p.image for p in read_still_frames(view, POSE_FRAMES)]
    try:
        report = find_pose_in(images, board, lens, clicked, Path(out))
    except CalibrationError as error:
        raise CalibrationError(f"{view}: {error}") from None
    save_calibration(out, report.pose)
    return report


@dataclass(frozen=True, slots=True)
class CheckReport:
    """A check, the pictures that were written, and its text."""

    check: Check
    pictures: tuple[Path, ...]
    language: str = "en"

    def __str__(self) -> str:
        grades = {grade: words[self.language] for grade, words in GRADES.items()}
        wide = max(map(len, grades.values()))
        lines = []
        for finding in self.check.findings:
            said = told(finding.key, finding.figures, self.language)
            about = name(finding.key, self.language)
            lines.append(f"{grades[finding.grade]:{wide}}  {about}{COLON[self.language]}{said}")
            if finding.advice:
                lines.append(f"{'':{wide}}  -> {advised(finding.advice, finding.figures, self.language)}")
        lines += [f"{'':{wide}}  {path}" for path in self.pictures]
        return "\n".join([*lines, grades[self.check.grade]])


def calibrate_check(
    film: str | Path, board_path: Path, lens_path: Path | None = None, pictures: Path | None = None,
    language: str = "en",
) -> CheckReport:  # fmt: skip
    """Checks the set-up that a film shows. pictures: a folder for residuals.png and uncertainty.png.

    Raises BoardFileError or CalibrationError.
    """
    board = load_board(board_path)
    lens = load_lens(lens_path) if lens_path is not None else None
    fps, frames = read_film(film, CHECK_FRAMES)
    images = [p.image for p in read_still_frames(film, POSE_FRAMES)]
    frames = _long_enough(frames, film)
    try:
        check = check_set_up(images, frames, board, lens, fps)
    except CalibrationError as error:
        raise CalibrationError(f"{film}: {error}") from None
    return CheckReport(check, _write_pictures(check, pictures, language) if pictures is not None else (), language)


def _long_enough(frames: Iterator[Image], film: str | Path) -> Iterator[Image]:
    """The frames as they come. Raises CalibrationError at the end of a film that is too short to tell anything."""
    count = 0
    for count, image in enumerate(frames, 1):  # noqa: B007 counted to the end
        yield image
    if count < LEAST_CHECK_FRAMES:
        raise CalibrationError(f"{film}: found {count} frames; expected a film of some seconds, with a flick in it")


def _write_pictures(check: Check, folder: Path, language: str) -> tuple[Path, ...]:
    drawn = {
        "residuals.png": residuals_picture(check, language),
        "uncertainty.png": uncertainty_picture(check, language),
    }
    for file, picture in drawn.items():
        write_bytes(folder / file, cv2.imencode(".png", picture)[1].tobytes(), "picture")
    return tuple(folder / file for file in drawn)


def write_sheets(
    out: Path, board_path: Path, paper: str, kinds: tuple[str, ...], measured_mm: float, language: str
) -> str:
    """Writes the PDF of sheets and says what is on it. Raises BoardFileError or CalibrationError."""
    plan = SheetPlan(load_board(board_path), paper, kinds, measured_mm, language)
    write_bytes(out, make_sheets(plan), "sheets")
    made = f"{out}: {', '.join(kinds)} on {paper}; print at full size (100 %) and measure the ruler"
    return "\n".join([made, *(f"warning: {text}" for text in other_unit(plan.board))])


def parse_corners(text: str) -> FloatArray:
    """(4, 2) pixels from "x,y x,y x,y x,y". Raises CalibrationError that says what is wrong."""
    parts = text.replace(";", " ").split()
    if len(parts) != 4:
        raise CalibrationError(f"--corners: found {len(parts)} points, expected {_CORNERS}")
    for number, part in enumerate(parts, 1):
        if not re.fullmatch(rf"({_NUMBER}),({_NUMBER})", part):
            raise CalibrationError(f"--corners: point {number} is {part!r:.60}, expected {_CORNERS}")
    points = np.array([[float(v) for v in part.split(",")] for part in parts])
    _check_order(points)
    return points


def _check_order(points: FloatArray) -> None:
    """Refuses corners that cross over, or that go round the wrong way (a mirrored board)."""
    turns = []
    for i in range(4):
        (ax, ay), (bx, by) = points[(i + 1) % 4] - points[i], points[(i + 2) % 4] - points[(i + 1) % 4]
        turns.append(float(ax * by - ay * bx))
    if all(t > 0 for t in turns):
        return
    if all(t < 0 for t in turns):
        raise CalibrationError(f"--corners: found points anticlockwise, as in a mirrored picture; expected {_CORNERS}")
    raise CalibrationError(f"--corners: the four points do not make a convex shape; expected {_CORNERS}")


def find_pose_in(
    images: list[NDArray[np.uint8]], board: Board, lens: Lens | None, clicked: FloatArray | None,
    out: Path | None = None,
) -> PoseReport:  # fmt: skip
    """Finds the pose in pictures of a camera that stands still: by markers, or from clicked corners (4, 2) pixels.

    A board without markers is found by its outline where no corners are clicked. out: the file that the report
    names. Raises CalibrationError.
    """
    size = (images[0].shape[1], images[0].shape[0])
    lens = lens.for_size(size) if lens is not None else None
    if clicked is None:
        found = find_pose(images, board, lens)
        said = doubts_of(found, board, lens is not None)
        if not board.markers:
            bare = (NO_LENS["outline"],) if lens is None else ()
            return PoseReport(found.pose, "the board's outline", out, bare + said)
        bent = NO_LENS["bent" if found.pose.lens.bends else "markers"].format(k1=float(found.pose.lens.distortion[0]))
        warnings: tuple[str, ...] = (bent,) if lens is None else ()
        known = lens is not None
        right = known and wrong_measure(found, board, known) is None  # else it is the board file, and not the lens
        if right and (doubt := doubted(found, board)) is not None:
            found, warnings = _as_it_is(doubt, found, board, size)
        return PoseReport(found.pose, f"markers {', '.join(map(str, sorted(found.markers)))}", out, warnings + said)
    pose = fit_pose_from_corners(clicked, board, size, lens)
    warnings = (NO_LENS["corners"],) if lens is None else ()
    better = _by_markers_near(images, board, lens, clicked)
    if better is not None:
        return PoseReport(better, "markers near the clicked corners", out, warnings)
    warnings = (*_doubts_of_clicks(images, board, pose, lens), *warnings)
    if lens is None:
        return PoseReport(pose, "clicked corners", out, warnings)
    refined = refine_pose_on_outline(steady_image(images), board, pose)
    if refined is None:
        return PoseReport(pose, "clicked corners", out, warnings)
    return PoseReport(refined, "clicked corners, refined on the board's outline", out, warnings)


def _as_it_is(
    doubt: Doubt, found: MarkerPose, board: Board, size: tuple[int, int]
) -> tuple[MarkerPose, tuple[str, ...]]:
    """What is made of a lens that does not belong to the picture: it is turned or zoomed with it, and that is told.

    Where sides of another size explain the markers better, the lens is left as it is.
    """
    told_why = DOUBTS[doubt.why].format(percent=f"{100 * (doubt.zoom - 1):+.0f}")
    other, sizes = pose_from_markers(found.markers, board, size, doubt.lens), other_sizes(found, board, lens_known=True)
    if sizes is not None and sizes.rms_px < other.pose.rms_px:
        return found, ()  # it is the markers' size, and not the lens
    return other, (told_why,)


def _by_markers_near(
    images: list[NDArray[np.uint8]], board: Board, lens: Lens | None, clicked: FloatArray
) -> Pose | None:
    """The markers' pose where it agrees with the clicked corners, else None."""
    if lens is None:
        return None
    pose, width = _by_markers(images, board, lens), images[0].shape[1]
    if pose is None:
        return None
    apart = np.linalg.norm(pose.image_from_board(surface_corners_mm(board)) - clicked, axis=1)
    return pose if float(apart.max()) <= CLICK_REACH_PX * width / USUAL_WIDTH_PX else None


def _by_markers(images: list[NDArray[np.uint8]], board: Board, lens: Lens | None) -> Pose | None:
    """The markers' pose, None where they do not tell it."""
    if not board.markers:
        return None
    size = (images[0].shape[1], images[0].shape[0])
    try:
        return pose_from_markers(find_markers(steady_image(images), board), board, size, lens).pose
    except CalibrationError:
        return None


def _doubts_of_clicks(
    images: list[NDArray[np.uint8]], board: Board, pose: Pose, lens: Lens | None
) -> tuple[str, ...]:  # fmt: skip
    """What is to be said of clicked corners: that the markers lie elsewhere, or that no usual camera sees them so."""
    marked, width = _by_markers(images, board, lens), images[0].shape[1]
    if marked is not None:
        corners = surface_corners_mm(board)
        apart = np.linalg.norm(marked.image_from_board(corners) - pose.image_from_board(corners), axis=1)
        worst = int(np.argmax(apart))
        if apart[worst] > FAR_CLICK_PX * width / USUAL_WIDTH_PX:
            return (FAR_CLICKS.format(which=CORNER_NAMES[worst], px=apart[worst]),)
    return (ODD_CLICKS,) if lens is None and strangeness(pose) > DOUBTFUL else ()
