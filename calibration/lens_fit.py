"""Measures a lens from views of a pattern: outlying views dropped by rule, the model chosen by held-out views."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import CalibrationError, Lens
from calibration.lens_views import View, Views
from calibration.medians import sigma_by_medians
from calibration.pose_fit import fit_pose

FloatArray = NDArray[np.float64]

MIN_VIEWS = 3  # of fewer no lens is measured
GOOD_VIEWS = 8  # fewer views are warned of
OUTLIER_SIGMAS = 4.0  # a view is dropped when its rms lies so many robust deviations above the median …
OUTLIER_FACTOR = 1.5  # … and is this many times the median
OUTLIER_PX = 0.15  # a view that fits better than this is never dropped
MAX_DROPPED = 0.34  # at most this part of the views is dropped: beyond, the pattern or its measures are wrong
FOLDS = 6  # parts of the views, each left out in turn, by which a model is judged and how sure a lens is
SIMPLER_BY = 1.01  # a simpler model is taken when its held-out rms is at most this many times the best
TOLD_NAMES = 3  # pictures that are named where they are refused
MAX_RMS_PX = 2.0  # above, the pattern's description does not match the pictures
# how much a sound lens stretches the picture along its radius, anywhere in the picture: beyond, it folds over
SLOPES = (0.1, 4.0)
MAX_FOCAL_ERROR = 0.01  # part of the focal length; what is less sure is warned of
LEAST_INFORMATION = 1e-9  # less is rounding: nothing decides there
# part by which cameras stretch what they see one way, at most: their pixels are square. Printers feed less exactly
MAX_STRETCH = 0.005
SURELY = 3.0  # standard deviations
STRETCHED = (
    "by these views the picture is stretched by {percent} % one way, as no camera's is: the sheet was printed so, or "
    "is not flat; measure its squares along and across, and print it anew at full size"
)
# change of scale across a view below which it is seen straight on and says nothing about the focal length
MIN_TILT_RATIO = 0.03

_FREE = cv2.CALIB_FIX_K1 | cv2.CALIB_FIX_K2 | cv2.CALIB_FIX_K3 | cv2.CALIB_ZERO_TANGENT_DIST
MODELS: dict[str, int] = {  # distortion models, simplest first: name -> flags of cv2.calibrateCamera
    "no distortion": _FREE,
    "k1": _FREE & ~cv2.CALIB_FIX_K1,
    "k1 k2": cv2.CALIB_FIX_K3 | cv2.CALIB_ZERO_TANGENT_DIST,
    "k1 k2 k3": cv2.CALIB_ZERO_TANGENT_DIST,
    "k1 k2 p1 p2": cv2.CALIB_FIX_K3,
    "k1 k2 p1 p2 k3": 0,
}


@dataclass(frozen=True, slots=True)
class LensFit:
    """A measured lens with its evidence.

    views: (name, rms px) of the kept; dropped: (name, why); focal_error_px: one standard deviation; held_out_px: rms
    over views that did not take part in the fit, by model.
    """

    lens: Lens
    model: str
    views: tuple[tuple[str, float], ...]
    dropped: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]
    focal_error_px: float
    held_out_px: dict[str, float]


def fit_lens(views: Views) -> LensFit:
    """Measures the lens. Raises CalibrationError where too few views are left or they do not fit the pattern."""
    kept = list(views.kept)
    _enough(kept, views)
    kept, outliers = _without_outliers(kept)
    held_out = {name: held_out_rms_px(kept, name) for name in MODELS}
    fits = {name: _calibrate(kept, flags) for name, flags in MODELS.items()}
    sound = [name for name, fit in fits.items() if not fit.folds(kept[0].size)] or ["no distortion"]
    best = min(held_out[name] for name in sound)
    model = next(name for name in sound if held_out[name] <= best * SIMPLER_BY)
    fit = fits[model]
    if not fit.rms_px <= MAX_RMS_PX:
        raise CalibrationError(
            f"the pictures do not fit the pattern: rms {fit.rms_px:.1f} px, expected below {MAX_RMS_PX:g}; "
            "check the pattern's counts and sizes, and that the sheet lies flat"
        )
    lens = Lens(kept[0].size, fit.camera, fit.distortion, round(fit.rms_px, 4), len(kept), _variants(kept, model))
    return LensFit(
        lens, model, tuple((v.name, round(float(r), 4)) for v, r in zip(kept, fit.per_view_px, strict=True)),
        (*views.refused, *outliers), (*views.warnings, *_warnings(kept), *_unsure(fit)), fit.focal_error_px, held_out,
    )  # fmt: skip


def _variants(views: list[View], model: str) -> tuple[Lens, ...]:
    """The lens with each of FOLDS parts of the views left out; empty where too few are left."""
    folds = min(FOLDS, len(views))
    parts = [[v for i, v in enumerate(views) if i % folds != fold] for fold in range(folds)]
    if min(len(p) for p in parts) < MIN_VIEWS:
        return ()
    found = []
    for part in parts:
        try:
            fit = _calibrate(part, MODELS[model])
        except CalibrationError:  # views that decide nothing without the others: nothing is sure
            return ()
        found.append(Lens(views[0].size, fit.camera, fit.distortion))
    return tuple(found)


def held_out_rms_px(views: list[View], model: str, folds: int = FOLDS) -> float:
    """Rms over views that took no part in the fit of the lens (only their own pose is fitted to them)."""
    squares: list[float] = []
    for fold in range(min(folds, len(views))):
        out = views[fold :: min(folds, len(views))]
        rest = [v for v in views if v not in out]
        if len(rest) < 2:
            continue
        try:
            fit = _calibrate(rest, MODELS[model])
        except CalibrationError:
            return float("inf")
        squares += [view_rms_px(v, fit.camera, fit.distortion) ** 2 for v in out]
    return float(np.sqrt(np.mean(squares))) if squares else float("inf")


def view_rms_px(view: View, camera: FloatArray, distortion: FloatArray) -> float:
    """Rms of a view under a lens, its pose fitted."""
    try:
        return fit_pose(view.pixels, view.places_mm, Lens(view.size, camera, distortion), np.inf).rms_px
    except CalibrationError:
        return float("inf")


@dataclass(frozen=True, slots=True)
class _Calibration:
    rms_px: float
    camera: FloatArray
    distortion: FloatArray
    per_view_px: FloatArray
    focal_error_px: float
    aspect_error: float

    def folds(self, image_size: tuple[int, int]) -> bool:
        """True where the distortion makes no lens: it was fitted to noise and folds the picture beyond the views."""
        w, h = image_size
        corners = (np.array([[0, 0], [w, 0], [0, h], [w, h]]) - self.camera[:2, 2]) / np.diag(self.camera)[:2]
        r2 = np.linspace(0, np.linalg.norm(corners, axis=1).max(), 100) ** 2
        k1, k2, _, _, k3 = self.distortion
        slope = 1 + 3 * k1 * r2 + 5 * k2 * r2**2 + 7 * k3 * r2**3
        return bool(slope.min() < SLOPES[0] or slope.max() > SLOPES[1])


def _calibrate(views: list[View], flags: int) -> _Calibration:
    """cv2.calibrateCamera (Zhang 2000) over views of one size."""
    places = [v.places_mm.astype(np.float32) for v in views]
    pixels = [v.pixels.astype(np.float32).reshape(-1, 1, 2) for v in views]
    start = np.empty((0, 0))
    try:
        rms, camera, distortion, rvecs, tvecs, _, _, per_view = cv2.calibrateCameraExtended(
            places, pixels, views[0].size, start, start, flags=flags
        )
    except cv2.error:  # homographies from which no focal length follows
        raise CalibrationError(
            "the views do not decide the focal length; tilt the pattern by 20 to 40 degrees, to each side"
        ) from None
    coefficients = np.zeros(5)
    coefficients[: min(distortion.size, 5)] = distortion.ravel()[:5]
    matrix = np.asarray(camera, dtype=np.float64)
    poses = [np.array([*np.ravel(r), *np.ravel(t)], dtype=np.float64) for r, t in zip(rvecs, tvecs, strict=True)]
    focal, aspect = _sigmas(views, matrix, coefficients, poses, float(rms))
    return _Calibration(float(rms), matrix, coefficients, np.asarray(per_view, dtype=np.float64).ravel(),
                        focal * float(matrix[0, 0]), aspect)  # fmt: skip


def _sigmas(
    views: list[View], camera: FloatArray, distortion: FloatArray, poses: list[FloatArray], rms: float
) -> tuple[float, float]:
    """One standard deviation of the focal length's logarithm, and of that of the ratio of the two, across and down.

    poses: (6,) rvec and tvec of each view. By the normal equations from which the views' own poses are taken out
    (Schur): OpenCV takes what nothing decides, as the focal length where all views are straight on, for exactly known.
    """
    free = [0, 1, 2, 3, *(4 + np.flatnonzero(distortion))]
    scales = np.array([camera[0, 0], camera[1, 1], *2 * [camera[0, 0]], *5 * [1.0]])[free]
    information, points = np.zeros((len(free), len(free))), 0
    for view, pose in zip(views, poses, strict=True):
        _, jacobian = cv2.projectPoints(view.places_mm, pose[:3], pose[3:], camera, distortion)
        own, shared = jacobian[:, :6], jacobian[:, 6:15][:, free] * scales
        taken_up, *_ = np.linalg.lstsq(own, shared, rcond=None)
        rest = shared - own @ taken_up
        information += rest.T @ rest
        points += len(view.places_mm)
    spare = max(2 * points - 6 * len(views) - len(free), 1)
    values, vectors = np.linalg.eigh(information)
    covariance = (vectors / np.maximum(values, LEAST_INFORMATION)) @ vectors.T * points * rms**2 / spare
    both = np.zeros((2, len(free)))
    both[0, :2], both[1, :2] = 0.5, (1.0, -1.0)
    focal, aspect = np.sqrt(np.diag(both @ covariance @ both.T))
    return float(focal), float(aspect)


def _without_outliers(views: list[View]) -> tuple[list[View], list[tuple[str, str]]]:
    """Drops views whose rms stands out, one at a time, the worst first, fitting again after each."""
    kept = list(views)
    dropped: list[tuple[str, str]] = []
    while len(kept) > MIN_VIEWS and len(dropped) < int(MAX_DROPPED * len(views)):
        fit = _calibrate(kept, MODELS["k1 k2 p1 p2"])
        median = float(np.median(fit.per_view_px))
        spread = float(sigma_by_medians(fit.per_view_px))
        limit = max(median + OUTLIER_SIGMAS * spread, OUTLIER_FACTOR * median, OUTLIER_PX)
        worst = int(np.argmax(fit.per_view_px))
        if fit.per_view_px[worst] <= limit:
            break
        dropped.append((kept[worst].name, f"outlier: rms {fit.per_view_px[worst]:.2f} px, the others {median:.2f}"))
        del kept[worst]
    return kept, dropped


def _enough(kept: list[View], views: Views) -> None:
    if len(kept) >= MIN_VIEWS:
        return
    reason = ""
    if views.refused:  # the commonest
        why, _ = Counter(why for _, why in views.refused).most_common(1)[0]
        names = [name for name, other in views.refused if other == why]
        reason = f" ({', '.join(names[:TOLD_NAMES])}{' …' if len(names) > TOLD_NAMES else ''}: {why})"
    views_of = {0: "no usable view", 1: "1 usable view"}.get(len(kept), f"{len(kept)} usable views")
    raise CalibrationError(
        f"{views_of} of the pattern, expected at least {MIN_VIEWS}{reason}; check the pattern's description, and take "
        "10 to 20 sharp views, tilted, in all corners of the picture"
    )


def _warnings(kept: list[View]) -> list[str]:
    said = []
    if len(kept) < GOOD_VIEWS:
        said.append(f"only {len(kept)} views: take 10 to 20 for a lens to rely on")
    w, h = kept[0].size
    if h > w:
        said.append(f"the pictures stand upright ({w}x{h}): the lens file holds only for a camera turned the same way")
    pixels = np.concatenate([v.pixels for v in kept])
    covered = [(pixels[:, 0] < w / 3), (pixels[:, 0] > 2 * w / 3), (pixels[:, 1] < h / 3), (pixels[:, 1] > 2 * h / 3)]
    names = ("left", "right", "upper", "lower")
    missing = [n for n, c in zip(names, covered, strict=True) if not c.any()]
    if missing:
        where = " and ".join(missing)
        said.append(f"the pattern was never in the {where} third of the picture: distortion is unsure there")
    if max(_tilt(v) for v in kept) < MIN_TILT_RATIO:
        said.append("all views are straight on: tilt the pattern by 20 to 40 degrees to pin the focal length")
    return said


def _unsure(fit: _Calibration) -> list[str]:
    part = fit.focal_error_px / float(fit.camera[0, 0])
    said = []
    if part > MAX_FOCAL_ERROR:
        known = f"{min(100 * part, 100):.0f}"
        said.append(f"the focal length is known to {known} % only: add views tilted by 20 to 40 degrees")
    stretch = float(fit.camera[0, 0] / fit.camera[1, 1]) - 1
    if abs(stretch) > max(MAX_STRETCH, SURELY * fit.aspect_error):
        said.append(STRETCHED.format(percent=f"{100 * abs(stretch):.1f}"))
    return said


def _tilt(view: View) -> float:
    """How much the pattern's scale changes across a view, as a part."""
    from_pattern, _ = cv2.findHomography(view.places_mm[:, :2], view.pixels)
    if from_pattern is None:
        return 0.0
    places = np.column_stack([view.places_mm[:, :2], np.ones(len(view.places_mm))])
    depth = places @ (from_pattern[2] / from_pattern[2, 2])
    return float(np.ptp(depth) / depth.mean())
