"""Calibrating from the browser: the lens live, the pose by markers or clicked corners, and the check."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from calibration.capture import LensCapture, Look
from calibration.check import Check, Finding, Grade, check_set_up
from calibration.check_view import lens_picture, residuals_picture, uncertainty_picture
from calibration.commands import LEAST_CHECK_FRAMES, find_pose_in
from calibration.lens import CalibrationError, Lens, load_lens
from calibration.lens_fit import fit_lens
from calibration.patterns import parse_pattern
from calibration.store import save_calibration, save_lens
from calibration.uncertainty import lens_errors_mm
from companion.flick_film import FlickFilm, images_of, rate_of
from companion.words import LANGUAGES
from vision.camera_settings import load_told
from vision.jpeg import encode_jpeg
from vision.worker_messages import FILM_S

Json = dict[str, Any]
Image = NDArray[np.uint8]

STILL_FRAMES = 3  # first pictures of a check from which the pose is taken
# so long a board should lie at rest before a test flick: then it is known what it looks like without the puck
STILL_S = 2.0
JPEG_QUALITY = 95  # of the pictures of a check: fine lines and figures are read in them
LENS_FILE, POSE_FILE, SETTINGS_FILE = "lens.json", "calibration.json", "settings.json"
TOLD_FILE = "settings-told.json"  # what became of the settings when the camera was last opened
# name and password before a stream's host
_SECRET = re.compile(r"^([a-z0-9+.-]+://)[^/?#]*@", re.IGNORECASE)


class CalibrationDesk:
    """One camera's calibration: thread-safe. folder: where this camera's files are kept.

    picture: gives the camera's newest JPEG; fps: what it delivers, where that is known; film: of a test flick, nothing
    comes where None.
    """

    def __init__(
        self, folder: Path, picture: Callable[[], bytes | None], board: Board, lens_path: Path | None = None,
        fps: Callable[[], float | None] = lambda: None, clock: Callable[[], float] = time.monotonic,
        film: FlickFilm | None = None,
    ) -> None:  # fmt: skip
        self._folder, self._camera, self._board = folder, picture, board
        self._lens_path, self._fps, self._clock = lens_path, fps, clock
        self._film = film or FlickFilm()
        self._lock = threading.Lock()
        self._capture: LensCapture | None = None
        self._turn = 0  # of those who began to measure the lens
        self._measured = False  # from the views that were taken
        self._frames: list[Image] = []
        self._last: bytes | None = None
        self._pictures: dict[tuple[str, str], bytes] = {}

    # -- lens ----------------------------------------------------------------------------------------
    def begin_lens(self, pattern: str) -> Json:
        """Begins to take views of a pattern. Raises CalibrationError where its description is wrong."""
        with self._lock:
            self._capture, self._last = LensCapture(parse_pattern(pattern)), None
            self._turn += 1
            self._measured = False
            return {"pattern": pattern, "corners": self._capture.pattern.corners, "turn": self._turn}

    def begun(self) -> Json | None:
        """Turn and number of the views from which no lens was measured yet; None where there are none."""
        with self._lock:
            taken = self._capture.taken if self._capture is not None else 0
            return {"turn": self._turn, "taken": taken} if taken and not self._measured else None

    def look(self, turn: int | None = None) -> Json:
        """Looks at the newest picture. turn: of whoever asks, as begin_lens told it.

        Raises CalibrationError where nothing was begun, somebody else began since, or the camera gives none.
        """
        with self._lock:
            self._still(turn)
            if self._capture is None:
                raise CalibrationError("no pattern is being looked for; begin with its description")
            jpeg = self._newest()
            if jpeg is None:
                return {"word": "waiting"}
            image = _decoded(jpeg)
            return {"size": [image.shape[1], image.shape[0]], **_told(self._capture.look(image, self._clock()))}

    def finish_lens(self, turn: int | None = None) -> Json:
        """Measures the lens from the views and keeps it. turn: as look.

        Raises CalibrationError where the views are too few or misfit, or somebody else began since.
        """
        with self._lock:
            self._still(turn)
            if self._capture is None:
                raise CalibrationError("no pattern is being looked for; begin with its description")
            fit = fit_lens(self._capture.views)
            path = self._kept(LENS_FILE)
            save_lens(path, fit.lens)
            self._measured = True
            errors = lens_errors_mm(fit.lens)
            if errors is not None:
                self._draw("lens", partial(lens_picture, fit.lens, errors))
            return {
                "path": str(path), "rms_px": fit.lens.rms_px, "focal_px": round(fit.lens.focal_px, 1),
                "focal_error_px": round(fit.focal_error_px, 1), "views": fit.lens.views, "model": fit.model,
                "error_mm": round(float(np.median(errors)), 2) if errors is not None else None,
                "dropped": [{"view": name, "why": why} for name, why in fit.dropped], "warnings": list(fit.warnings),
            }  # fmt: skip

    # -- pose ----------------------------------------------------------------------------------------
    def pose(self, corners_px: list[list[float]] | None, size: list[int] | None = None) -> Json:
        """Finds the pose in the newest picture, by markers or by clicked corners, and keeps it.

        size: width and height of the picture that was clicked in. Raises CalibrationError, also where they are others
        now.
        """
        with self._lock:
            image = self._image()
            height, width = image.shape[:2]
            if size is not None and [width, height] != size:
                raise CalibrationError(
                    f"the camera gives pictures of {width}x{height} now, and the corners were clicked in one of "
                    f"{size[0]}x{size[1]}; click them again"
                )
            clicked = np.array(corners_px, dtype=np.float64) if corners_px is not None else None
            report = find_pose_in([image], self._board, self._lens(), clicked)
            path = self._kept(POSE_FILE)
            save_calibration(path, report.pose)
            errors = report.pose.corner_error_mm
            return {
                "path": str(path), "source": report.source, "rms_px": round(report.pose.rms_px, 2),
                "error_mm": round(max(errors), 2) if errors else None, "warnings": list(report.warnings),
                "height_mm": round(float(report.pose.camera_mm()[2])),
            }  # fmt: skip

    # -- check ---------------------------------------------------------------------------------------
    def begin_check(self) -> Json:
        with self._lock:
            self._frames, self._last = [], None
            return {"frames": 0, "needed": LEAST_CHECK_FRAMES}

    def add_frame(self) -> Json:
        """Adds the newest picture to those that are checked."""
        with self._lock:
            jpeg = self._newest()
            if jpeg is not None:
                self._frames.append(_decoded(jpeg))
            return {"frames": len(self._frames), "needed": LEAST_CHECK_FRAMES}

    def check(self) -> Check:
        """Checks the set-up by the pictures so far. Raises CalibrationError where they are too few, or no board."""
        with self._lock:
            if len(self._frames) < LEAST_CHECK_FRAMES:
                raise CalibrationError(
                    f"{len(self._frames)} pictures were taken, expected {LEAST_CHECK_FRAMES} or more; "
                    "wait until the camera gives them"
                )
            still = self._frames[:STILL_FRAMES]
            found = check_set_up(still, self._frames, self._board, self._lens(), self._fps() or 0.0, sampled=True)
            self._frames = []
            return self._kept_check(found)

    def begin_flick(self) -> Json:
        """Begins to film a test flick: every frame for FILM_S seconds."""
        self._film.begin()
        return self.watch_flick()

    def watch_flick(self) -> Json:
        """How far the film is. Raises CalibrationError where none was begun, or the camera gives none."""
        seconds, whole = self._film.state()
        return {"seconds": round(seconds, 1), "needed": FILM_S, "still": STILL_S, "done": whole}

    def check_flick(self) -> Check:
        """Checks the set-up by the film of a test flick: as a film from a file, the shutter too.

        Raises CalibrationError where the film is not whole or too poor, or no board is in it.
        """
        with self._lock:
            film = self._film.finish()
            if len(film) < LEAST_CHECK_FRAMES:
                raise CalibrationError(f"the camera gave {len(film)} pictures in {FILM_S:.0f} s, expected 30 a second; "
                                       "switch its automatic exposure off, then flick again")  # fmt: skip
            still = list(islice(images_of(film), STILL_FRAMES))
            return self._kept_check(check_set_up(still, images_of(film), self._board, self._lens(), rate_of(film)))

    def picture(self, kind: str, language: str = "en") -> bytes | None:
        """residuals, uncertainty or lens as JPEG, its words in this language; None where there is none yet."""
        with self._lock:
            return self._pictures.get((kind, language))

    # -- inside --------------------------------------------------------------------------------------
    def _still(self, turn: int | None) -> None:
        """Raises CalibrationError where the views are those of somebody who began later."""
        if turn is not None and turn != self._turn:
            raise CalibrationError(
                "the lens is being measured on another screen or in another window since; finish there, or "
                "begin again here"
            )

    def _newest(self) -> bytes | None:
        """The camera's newest picture, None while it is the same as the last."""
        jpeg = self._camera()
        if jpeg is None or jpeg == self._last:
            return None
        self._last = jpeg
        return jpeg

    def _image(self) -> Image:
        jpeg = self._camera()
        if jpeg is None:
            raise CalibrationError("the camera gives no picture yet; wait a moment and try again")
        return _decoded(jpeg)

    def _lens(self) -> Lens | None:
        """The lens measured here, else the one that the companion was started with."""
        kept = self._folder / LENS_FILE
        path = kept if kept.is_file() else self._lens_path
        return load_lens(path) if path is not None else None

    def _kept_check(self, found: Check) -> Check:
        """With what became of the camera's settings; its pictures are kept."""
        self._draw("residuals", partial(residuals_picture, found))
        self._draw("uncertainty", partial(uncertainty_picture, found))
        return replace(found, findings=found.findings + self._settings())

    def _draw(self, kind: str, picture: Callable[[str], Image]) -> None:
        """Keeps a picture with its words in each language: two people may look at it."""
        self._pictures |= {(kind, one): encode_jpeg(picture(one), JPEG_QUALITY) for one in LANGUAGES}

    def _settings(self) -> tuple[Finding, ...]:
        """What became of the settings that the camera is locked at; nothing where none were asked for."""
        told = load_told(self._folder / TOLD_FILE)
        if not told:
            return ()
        missed = [setting for setting in told if not setting.took]
        if missed:
            return (Finding("settings.missed", Grade.AMBER, {"missed": ", ".join(s.name for s in missed)}, "settings"),)
        return (Finding("settings", Grade.GREEN, {"locked": "; ".join(map(str, told))}),)

    def _kept(self, name: str) -> Path:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CalibrationError(f"{self._folder}: cannot be made ({error.strerror}); free some room") from None
        return self._folder / name


def camera_folder(data_dir: Path, camera: str) -> Path:
    """Where a camera's calibration is kept: by its number, path, or address without the name and password in it.

    A folder that was named with them before stays in use.
    """
    cameras = data_dir / "cameras"
    named, before = cameras / _as_name(_SECRET.sub(r"\1", camera)), cameras / _as_name(camera)
    return before if before.is_dir() and not named.is_dir() else named


def _as_name(camera: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", camera).strip("-")[:80] or "camera"


def _told(look: Look) -> Json:
    return {"word": look.word, "outline": look.outline.round(1).tolist(), "missing": list(look.missing),
            "coverage": list(look.coverage), "taken": look.taken, "enough": look.enough}  # fmt: skip


def _decoded(jpeg: bytes) -> Image:
    image = cv2.imdecode(np.frombuffer(jpeg, dtype=np.uint8), cv2.IMREAD_COLOR) if jpeg else None
    if image is None:
        raise CalibrationError("the camera's picture cannot be read; look at the page Camera")
    return np.asarray(image, dtype=np.uint8)
