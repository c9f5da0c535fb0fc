"""The check of a set-up: green, amber or red for each thing that the referee rests on, with what to change."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from calibration.colours import alike_in_grey, colourless
from calibration.film_look import FilmLook, look_at_film
from calibration.flick_ways import puck_px
from calibration.hidden_look import Hidden, Kept, look_for_hidden
from calibration.lens import USUAL_WIDTH_PX, Lens
from calibration.lens_doubt import doubted
from calibration.marker_fit import BLURS_PX, fit_marker
from calibration.marker_pose import MarkerPose, find_pose
from calibration.markers import gray_image, marker_bits, marker_of
from calibration.misplaced import Misplaced
from calibration.outline import INDEPENDENT_POINTS, OUTLINE_SIGMA_PX, board_outline
from calibration.pose import Pose
from calibration.pose_doubts import Sizes, other_sizes, wrong_measure
from calibration.uncertainty import board_errors_mm, board_grid_mm

FloatArray = NDArray[np.float64]
Image = NDArray[np.uint8]

RMS_PX = (0.5, 1.2)  # at 1280 pixels' width: fitted markers agree to 0.3 px where lens and board file are right
ERROR_MM = (0.5, 1.5)  # a door's line is judged to a millimetre
PUCK_PX = (16.0, 11.0)  # numbers are read well from 16 px, pucks are told from each other from 11
FOCUS_PX = (1.1, 1.6)  # standard deviation of an edge's blur, at 1280 pixels' width
BRIGHT = (90.0, 45.0)  # gray level of the board's bright parts: below, colours drown in noise
NAMED = 0.1  # of what is hidden: smaller bits in another part of the board are not worth their name
HIDDEN = (0.0, 0.03)  # part of the surface that something covers
GLARE = (0.002, 0.02)  # part of the board that is washed out
NOISE = (4.0, 9.0)  # gray levels
FLICKER = (0.012, 0.04)  # part of the brightness
FPS = (28.0, 20.0)  # frames a second: a touch lasts less than a frame anyway, but a path needs a few
STEADY = 0.9  # of the frames that were promised are delivered
SHUTTER_S = (1 / 150, 1 / 50)  # a flick of 2 m/s is then 13 or 40 mm longer than the puck
GOOD_SHUTTER = 250  # what is recommended: 1/250 s
FLICK_MM_S = 2000.0  # a hard flick, to say what its blur would be
MARGIN_MM = 20.0  # table that should be seen around the rim
SAMPLED_FPS = 5.0  # of pictures that are sent to a page: enough for flicker, brightness and noise
PARTS = (("nw", "n", "ne"), ("w", "middle", "e"), ("sw", "s", "se"))  # ninths of the board


class Grade(StrEnum):
    """How well a thing serves; worse is later."""

    GREEN = "green"
    AMBER = "amber"
    RED = "red"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    key: its name in check_words; figures: what the sentence is filled with; advice: key of what to do, "" where all is
    well.
    """

    key: str
    grade: Grade
    figures: dict[str, str] = field(default_factory=dict)
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """All findings, and what the pictures are drawn from: errors_mm is (GRID[1] * GRID[0],) over the board."""

    findings: tuple[Finding, ...]
    board: Board
    found: MarkerPose
    errors_mm: FloatArray
    image: Image
    hidden: Hidden

    @property
    def grade(self) -> Grade:
        """The worst of all."""
        order = list(Grade)
        return max((f.grade for f in self.findings), key=order.index)


def check_set_up(
    still: list[Image], film: Iterable[Image], board: Board, lens: Lens | None, fps: float, sampled: bool = False
) -> Check:
    """Checks a camera over a board.

    still: pictures of the board at rest, from which the pose is found by markers; film: frames in order, with a test
    flick in them if possible; sampled: only some of the camera's frames, which tell nothing of the shutter,
    nor of the rate but what fps says. Raises CalibrationError where the board is not found.
    """
    found = find_pose(still, board, lens)
    errors = _errors_mm(found, board, lens_known=lens is not None)
    kept = Kept(still)
    look = look_at_film(kept.through(film), board, found.pose, SAMPLED_FPS if sampled else fps)
    if sampled:
        look = replace(look, fps=fps, delivered_fps=fps, flick=None)
    hidden = look_for_hidden(kept.still_image(), board, found.pose)
    sizes = other_sizes(found, board, lens_known=lens is not None)
    wrong = wrong_measure(found, board, lens_known=lens is not None)
    findings = (
        _pose(found, board, sizes, wrong), _accuracy(errors),
        _lens(lens, found, board, asked=sizes is None and wrong is None),
        view_finding(found.pose, board),
        _hidden(hidden, board), _scale(found.pose, board), _focus(still[0], found, board), *_light(look),
        _colours(still[0], board), _rate(look),
        Finding("shutter.film", Grade.AMBER, {}, "shutter.film") if sampled else _shutter(look),
    )  # fmt: skip
    return Check(findings, board, found, errors, still[0], hidden)


def _errors_mm(found: MarkerPose, board: Board, lens_known: bool) -> FloatArray:
    """How far off places may be, over the board: by its markers' corners, or by its outline."""
    if not found.markers:
        points = board_outline(board).points_mm
        points = points[:: max(len(points) // INDEPENDENT_POINTS, 1)]
        sigma = OUTLINE_SIGMA_PX * found.pose.lens.image_size[0] / USUAL_WIDTH_PX
        pixels = found.pose.image_from_board(points)
        return board_errors_mm(found.pose, pixels, points, board, lens_known=lens_known, sigma_px=sigma)
    pixels = np.concatenate([found.markers[n] for n in sorted(found.markers)])
    points = np.concatenate([marker_of(board, n).corners_mm() for n in sorted(found.markers)])
    return board_errors_mm(found.pose, pixels, points, board, lens_known=lens_known)


def graded(value: float, bounds: tuple[float, float]) -> Grade:
    """Green up to the first bound, amber up to the second; bounds that fall mean that more is better."""
    sign = 1 if bounds[0] < bounds[1] else -1
    if sign * value <= sign * bounds[0]:
        return Grade.GREEN
    return Grade.AMBER if sign * value <= sign * bounds[1] else Grade.RED


def _pose(found: MarkerPose, board: Board, sizes: Sizes | None, wrong: Misplaced | None) -> Finding:
    if not board.markers:
        key = "pose.outline" if found.sure else "pose.unsure"
        figures = {"rms": f"{found.pose.rms_px:.2f}"}
        return Finding(key, Grade.GREEN if found.sure else Grade.AMBER, figures, "" if found.sure else "pose.unsure")
    rms = found.pose.rms_px * USUAL_WIDTH_PX / found.pose.lens.image_size[0]
    unseen = sorted({m.id for m in board.markers} - set(found.markers) - set(found.left_out))
    figures = {"rms": f"{found.pose.rms_px:.2f}", "used": str(len(found.markers)), "all": str(len(board.markers)),
               "crooked": ", ".join(map(str, found.left_out)), "unseen": ", ".join(map(str, unseen))}  # fmt: skip
    grade, advice = graded(rms, RMS_PX), ""
    if grade is not Grade.GREEN:
        advice = "pose.misfit"
    if unseen:
        grade, advice = max(grade, Grade.AMBER, key=list(Grade).index), "pose.unseen"
    if found.left_out:
        grade, advice = max(grade, Grade.AMBER, key=list(Grade).index), "pose.crooked"
    if sizes is not None:
        grade, advice = Grade.RED, "pose.sizes"
        figures |= {"file": f"{sizes.file_mm:.1f}", "seen": f"{sizes.seen_mm:.1f}"}
    if wrong is not None:
        grade, advice = Grade.RED, "pose.elsewhere" if isinstance(wrong.what, int) else f"pose.{wrong.what}"
        file_mm, seen_mm = wrong.sides_mm(board)
        figures |= {"id": str(wrong.what), "off": f"{wrong.far_mm:.0f}", "way": wrong.way,
                    "file": f"{file_mm:.0f}", "seen": f"{seen_mm:.0f}"}  # fmt: skip
    return Finding("pose", grade, figures, advice)


def _accuracy(errors: FloatArray) -> Finding:
    worst = float(errors.max())
    grade = graded(worst, ERROR_MM)
    figures = {"worst": f"{worst:.2f}", "middle": f"{float(np.median(errors)):.2f}"}
    return Finding("accuracy", grade, figures, "" if grade is Grade.GREEN else "accuracy")


def _lens(lens: Lens | None, found: MarkerPose, board: Board, asked: bool) -> Finding:
    """Whether the lens belongs to the pictures; not asked where the board file has wrong sizes or places of markers."""
    doubt = doubted(found, board) if lens is not None and found.markers and asked else None
    if doubt is not None:
        return Finding(f"lens.{doubt.why}", Grade.RED, {}, "lens.misfit")
    if lens is None and found.stretch != 1.0:
        return Finding("lens.stretched", Grade.AMBER, {"percent": f"{100 * found.stretch:.0f}"}, "lens.stretched")
    if lens is None:
        return Finding("lens.none", Grade.AMBER, {}, "lens")
    return Finding("lens", Grade.GREEN, {"focal": f"{lens.focal_px:.0f}", "views": str(lens.views or "?")})


def view_finding(pose: Pose, board: Board) -> Finding:
    """Whether the board with its rim is in the picture, and how much higher the camera must be if it is not."""
    places, pixels = rim_and_surface(pose, board)
    size = np.array(pose.lens.image_size)
    inside = ((pixels > -0.5) & (pixels < size - 0.5)).all(1)
    if inside.all():
        return Finding("view", Grade.GREEN, {"share": "100"})
    outer = np.abs(pixels - (size - 1) / 2) / ((size - 1) / 2)
    raise_mm = float(pose.camera_mm()[2]) * (float(outer.max()) - 1) + MARGIN_MM
    surface = board_grid_mm(board)
    seen = pose.image_from_board(surface)
    lost = not ((seen > -0.5) & (seen < size - 0.5)).all()
    figures = {"share": f"{100 * float(inside.mean()):.0f}", "raise": f"{np.ceil(raise_mm / 10):.0f}",
               "parts": " ".join(_parts(places[~inside], board))}  # fmt: skip
    return Finding("view.cut", Grade.RED if lost else Grade.AMBER, figures, "view")


def _hidden(hidden: Hidden, board: Board) -> Finding:
    """Whether something lies on the board or reaches over it, and where."""
    if not hidden.known:
        return Finding("hidden.unknown", Grade.GREEN)
    grade = graded(hidden.share, HIDDEN)
    if grade is Grade.GREEN:
        return Finding("hidden", grade)
    figures = {"share": f"{100 * hidden.share:.1f}", "parts": " ".join(_parts(hidden.places_mm, board, NAMED))}
    return Finding("hidden.found", grade, figures, "hidden")


def rim_and_surface(pose: Pose, board: Board) -> tuple[FloatArray, FloatArray]:
    """(N, 2) places all over the surface and its rim, mm, and (N, 2) the pixels at which they would be seen."""
    w, h = board.size
    edge, height = (board.rim.width_mm, board.rim.height_mm) if board.rim else (0.0, 0.0)
    xs, ys = np.meshgrid(np.linspace(-edge, w + edge, 25), np.linspace(-edge, h + edge, 25))
    places = np.column_stack([xs.ravel(), ys.ravel()])
    return places, pose.image_from_board(np.column_stack([places, np.full(len(places), height)]))


def _parts(places: FloatArray, board: Board, least: float = 0.0) -> list[str]:
    """The ninths of the board in which places (N, 2) lie, as keys of check_words.PARTS, from the north-west on.

    least: part of the places that a ninth has at least to be named.
    """
    ninths = np.clip(np.floor(places / board.size * 3), 0, 2).astype(int)[:, ::-1]
    seen, counts = np.unique(ninths, axis=0, return_counts=True)
    return [PARTS[row][column] for (row, column), n in zip(seen, counts, strict=True) if n >= least * len(places)]


def _scale(pose: Pose, board: Board) -> Finding:
    w, h = board.size
    r = board.puck.radius_mm
    places = ((w / 2, h / 2), (r, r), (w - r, r), (w - r, h - r), (r, h - r))
    pixels = min(puck_px(pose, board, p) for p in places)
    grade = graded(pixels, PUCK_PX)
    lower = float(pose.camera_mm()[2]) * (1 - pixels / PUCK_PX[0])
    return Finding("scale", grade, {"px": f"{pixels:.0f}", "lower": f"{np.ceil(max(lower, 0.0) / 10):.0f}"},
                   "" if grade is Grade.GREEN else "scale")  # fmt: skip


def _focus(image: Image, found: MarkerPose, board: Board) -> Finding:
    """The blur with which the markers fit best."""
    gray = gray_image(image)
    fits = [fit_marker(gray, corners, marker_bits(marker_of(board, n).dictionary, n))
            for n, corners in found.markers.items()]  # fmt: skip
    blurs = [BLURS_PX[f.blur] for f in fits if f is not None]
    if not blurs:
        return Finding("focus.unknown", Grade.AMBER, {}, "focus")
    blur = float(np.median(blurs))
    grade = graded(blur * USUAL_WIDTH_PX / image.shape[1], FOCUS_PX)
    return Finding("focus", grade, {"px": f"{blur:.1f}"}, "" if grade is Grade.GREEN else "focus")


def _light(look: FilmLook) -> tuple[Finding, ...]:
    bright, glare = graded(look.bright, BRIGHT), graded(look.glare_share, GLARE)
    noise, wavers = graded(look.noise, NOISE), graded(look.flicker, FLICKER)
    spots = " ".join(f"({x:.0f}, {y:.0f})" for x, y in look.glare_mm)
    places = "" if glare is Grade.GREEN else spots
    return (
        Finding("bright", bright, {"level": f"{look.bright:.0f}"}, "" if bright is Grade.GREEN else "bright"),
        Finding("glare", glare, {"share": f"{100 * look.glare_share:.1f}", "places": places},
                "" if glare is Grade.GREEN else "glare"),
        Finding("noise", noise, {"levels": f"{look.noise:.1f}"}, "" if noise is Grade.GREEN else "noise"),
        Finding("flicker", wavers, {"share": f"{100 * look.flicker:.1f}"}, "" if wavers is Grade.GREEN else "flicker"),
    )  # fmt: skip


def _colours(image: Image, board: Board) -> Finding:
    """Without colours teams that are as light as each other are one; those that are not may do."""
    if not colourless(image):
        return Finding("colours", Grade.GREEN)
    if (alike := alike_in_grey(board)) is None:
        return Finding("colours.none", Grade.AMBER, {}, "colours")
    return Finding("colours.alike", Grade.RED, {"one": alike[0], "other": alike[1]}, "colours")


def _rate(look: FilmLook) -> Finding:
    grade = graded(look.delivered_fps, FPS)
    if grade is Grade.GREEN and look.delivered_fps < STEADY * look.fps:
        grade = Grade.AMBER
    figures = {"delivered": f"{look.delivered_fps:.1f}", "said": f"{look.fps:.1f}"}
    return Finding("rate", grade, figures, "" if grade is Grade.GREEN else "rate")


def _shutter(look: FilmLook) -> Finding:
    """What flicked pucks tell; a film whose frames come twice does not tell their speed."""
    flick = look.flick
    if flick is None:
        return Finding("shutter.none", Grade.AMBER, {}, "shutter.none")
    speed = {"speed": f"{flick.speed_mm_s / 1000:.1f}"}
    if not flick.sure or look.delivered_fps < STEADY * look.fps:
        return Finding("shutter.unsure", Grade.AMBER, speed, "shutter.unsure")
    longest = f"1/{1 / flick.longest_s:.0f}"
    if flick.short:
        return Finding("shutter.short", Grade.GREEN, {**speed, "longest": longest})
    grade = graded(flick.exposure_s, SHUTTER_S)
    figures = {
        **speed,
        "shutter": f"1/{1 / flick.exposure_s:.0f}",
        "shortest": f"1/{1 / flick.shortest_s:.0f}",
        "longest": longest,
        "blur": f"{flick.blur_mm(FLICK_MM_S):.0f}",
        "better": f"1/{GOOD_SHUTTER}",
    }
    return Finding("shutter", grade, figures, "" if grade is Grade.GREEN else "shutter")
