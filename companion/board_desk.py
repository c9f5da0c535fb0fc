"""Where a board is drawn: the picture, seen from above, its colours, and the boards that were saved."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.board import BoardFileError, default_board_path, load_board, parse_board, without_mark
from calibration.board_merge import can_be_merged
from calibration.drawn_board import DrawingError, DrawnBoard, judge_drawing
from calibration.lens import USUAL_WIDTH_PX, CalibrationError, Lens, load_lens
from calibration.pose_fit import DOUBTFUL, strangeness
from calibration.rectify import MARGIN_MM, BareBoard, Rectified, colour_at, corners_in_picture, rectify
from calibration.redrawn import drawing_from_text, unknown_fields
from calibration.store import write_bytes
from companion.picture_files import read_picture
from companion.words import team_in
from vision.jpeg import encode_jpeg

Json = dict[str, Any]

BOARDS = "boards"  # folder of the boards that were drawn, in the data folder
JPEG_QUALITY = 88  # of the picture on which a board is drawn
MOST_THINGS = 800  # things on a board that can be opened: two hundred, and what each of them is mirrored to
MOST_CHARACTERS = 150_000  # of a board file that can be opened; the shipped one has 6,000
FIT_PX = 1.0  # residual at 1280 pixels' width above which the measures that were typed do not fit the picture
CLICKED_FIT_PX = 3.0  # the same where corners were clicked: a click is off by a pixel or two
SHIPPED = "shipped:paleo"  # what the list calls the board that ships; no file in the folder is called so
_UNSAFE = re.compile(r"[^a-z0-9]+")


class BoardDesk:
    """One drawing table: thread-safe. folder: where boards are saved; picture: gives the camera's newest JPEG."""

    def __init__(self, folder: Path, picture: Callable[[], bytes | None], lens_path: Path | None = None) -> None:
        self._folder, self._camera, self._lens_path = folder, picture, lens_path
        self._lock = threading.Lock()
        self._image: NDArray[np.uint8] | None = None
        self._from_camera = True
        self._above: Rectified | None = None
        self._number = 0  # of the pictures that were taken

    def take_picture(self, data: bytes | None = None) -> Json:
        """Takes the camera's picture, or the one that is given (JPEG or PNG). Raises CalibrationError."""
        jpeg = data if data is not None else self._camera()
        if jpeg is None:
            raise CalibrationError("the camera gives no picture yet; wait a moment, or choose a picture from a file")
        image = read_picture(jpeg)
        with self._lock:
            self._image, self._above = image, None
            self._from_camera = data is None
            self._number += 1
            return {"size": [image.shape[1], image.shape[0]], "picture": self._number}

    def picture(self) -> bytes | None:
        """The picture that was taken, as JPEG."""
        with self._lock:
            return None if self._image is None else encode_jpeg(self._image, JPEG_QUALITY)

    def from_above(
        self, bare: BareBoard, corners_px: list[list[float]] | None, picture: int | None = None
    ) -> Json:  # fmt: skip
        """Rectifies the picture by the board's markers or by clicked corners.

        picture: the number of the picture that is meant. Raises CalibrationError, also where another was taken since.
        """
        with self._lock:
            self._still(picture)
            if self._image is None:
                raise CalibrationError("there is no picture yet; take one first")
            corners = np.array(corners_px, dtype=np.float64) if corners_px is not None else None
            self._above = rectify(self._image, bare, self._lens(), corners)
            pose, above = self._above.pose, self._above
            errors = pose.corner_error_mm
            return {
                "source": above.source, "px_per_mm": above.px_per_mm, "margin_mm": MARGIN_MM,
                "camera_mm": [round(float(v), 1) for v in pose.camera_mm()], "rms_px": round(pose.rms_px, 2),
                "misfits": list(above.misfits), "fits": self._fits(),
                "error_mm": round(max(errors), 2) if errors else None,
                "corners_px": corners_in_picture(pose, bare).round(1).tolist(),
            }  # fmt: skip

    def _still(self, picture: int | None) -> None:
        """Raises CalibrationError where the picture that somebody sees is no longer the one that is here."""
        if picture is not None and picture != self._number:
            raise CalibrationError(
                "another picture was taken meanwhile, on another screen or in another window; take yours again"
            )

    def _fits(self) -> bool:
        """Whether the measures that were typed fit the picture."""
        if self._image is None or self._above is None:
            return False
        pose, clicked = self._above.pose, self._above.source == "corners"
        if clicked and self._lens() is None:
            return strangeness(pose) <= DOUBTFUL
        return bool(pose.rms_px <= (CLICKED_FIT_PX if clicked else FIT_PX) * self._image.shape[1] / USUAL_WIDTH_PX)

    def above(self) -> bytes | None:
        """The rectified picture as JPEG."""
        with self._lock:
            return None if self._above is None else encode_jpeg(self._above.image, JPEG_QUALITY)

    def colour(self, place_mm: tuple[float, float], height_mm: float, picture: int | None = None) -> str:
        """The paint at a place. Raises CalibrationError where there is no picture from above, or another was taken."""
        with self._lock:
            self._still(picture)
            if self._above is None:
                raise CalibrationError("colours are picked from the picture from above; make it first")
            return colour_at(self._above, place_mm, height_mm)

    def judge(self, drawing: Mapping[str, Any]) -> DrawnBoard:
        """What is wrong with a drawing, and its file."""
        return judge_drawing(drawing, team_in)

    def boards(self) -> list[Json]:
        """What can be opened: file (its name without ending), and the board's name, None where it cannot be read."""
        paths = sorted(self._folder.glob("*.toml")) if self._folder.is_dir() else []
        listed = [{"file": path.stem, "name": _board_name(path), "shipped": False} for path in paths]
        return [*listed, {"file": SHIPPED, "name": _board_name(default_board_path()), "shipped": True}]

    def open(self, file: str | None, text: str | None = None) -> Json:
        """A board as a drawing: of a listed file, or of a text. Raises BoardFileError where it is none.

        Gives drawing, unknown (fields that are kept as they are), and remarks: True where they can be kept.
        """
        if text is None:
            text, source = self._text_of(file)
        else:
            source = "the file"
        drawing = drawing_from_text(text, source)
        drawing["file"] = None if file in (None, SHIPPED) else file
        return {"drawing": drawing, "unknown": unknown_fields(text), "remarks": can_be_merged(text)}

    def save(
        self, drawing: Mapping[str, Any], file: str | None = None, replace: bool = False
    ) -> tuple[Path, DrawnBoard]:
        """Writes a drawing's board file: the one that it was opened from, a new one where its name is another.

        Gives the file's path, and what the drawing was judged to be. Raises DrawingError where the board is not
        usable, FileExistsError where another board is saved under that name and is not to be replaced,
        CalibrationError where it cannot be written, or has so many things that it could not be opened again.
        """
        drawn = self.judge(drawing)
        mistake = next((m for m in drawn.mistakes if m.error), None)
        if mistake is not None:
            raise DrawingError(mistake.texts)
        _can_be_opened(drawn.text)
        stem = self._stem(drawing, file)
        path = self._folder / f"{stem}.toml"
        if path.exists() and stem != file and not replace:
            raise FileExistsError(str(path))
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CalibrationError(f"{self._folder}: cannot be made ({error.strerror}); free some room") from None
        write_bytes(path, drawn.text.encode(), "board file")
        return path, drawn

    def saved(self, name: str) -> bytes | None:
        """A saved board file by its name without ending."""
        path = self._listed(name)
        return path.read_bytes() if path is not None else None

    def _listed(self, file: str | None) -> Path | None:
        """The saved file of that name; names lead nowhere else, as they are only compared."""
        paths = self._folder.glob("*.toml") if self._folder.is_dir() else ()
        return next((path for path in paths if path.stem == file and path.is_file()), None)

    def _text_of(self, file: str | None) -> tuple[str, str]:
        """The text of a listed file, and what messages call it. Raises BoardFileError."""
        path = default_board_path() if file == SHIPPED else self._listed(file)
        if path is None:
            raise BoardFileError(f"{file}: there is no saved board of this name; choose one of the list")
        try:
            return without_mark(path.read_text(encoding="utf-8")), path.name
        except (OSError, UnicodeDecodeError):
            load_board(path)  # says why
            raise

    def _stem(self, drawing: Mapping[str, Any], file: str | None) -> str:
        """The file's name without ending: as it was opened, unless the board bears another name now."""
        source = drawing.get("source")
        same = bool(source) and parse_board(str(source)).name == drawing["name"]
        if file is not None and same and self._listed(file) is not None:
            return file
        return file_name(str(drawing["name"]))

    def _lens(self) -> Lens | None:
        """The companion's lens, for the companion's camera only."""
        return load_lens(self._lens_path) if self._lens_path is not None and self._from_camera else None


def _can_be_opened(text: str) -> None:
    """Raises CalibrationError where a board file could be saved, but not opened again."""
    things = len(drawing_from_text(text, "the board")["shapes"])
    if things > MOST_THINGS or len(text) > MOST_CHARACTERS:
        raise CalibrationError(
            f"the board has {things} things, with what is mirrored, expected {MOST_THINGS} at most, so that it can be "
            "opened again; draw fewer"
        )


def _board_name(path: Path) -> str | None:
    try:
        return load_board(path).name
    except BoardFileError:
        return None


def file_name(name: str) -> str:
    """A board's name as a file's: small letters without accents and digits, nothing that leads elsewhere."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name.lower()) if not unicodedata.combining(c))
    return _UNSAFE.sub("-", plain.replace("œ", "oe")).strip("-")[:60] or "board"
