"""The lens: OpenCV's pinhole model with five distortion coefficients, and its file."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

SAME_SHAPE = 0.01  # pictures whose ratio of sides differs by less have the same shape

MOST_OBLONG = 2.0  # pixels are square, or nearly: focal lengths along and across differ by less than this factor

MOST_PIXELS = 100_000  # no picture is wider or higher: such a number is a slip


# no picture was ever taken by a shorter lens: such a number is a slip, and nothing can be reckoned with it
LEAST_FOCAL_PX = 1.0

# no figure of a lens or a pose is larger, in pixels, in millimetres or without a unit: such a number is a slip
MOST_FIGURE = 1_000_000


# pictures are usually so wide: what is told in pixels, as an error is, is told for this width
USUAL_WIDTH_PX = 1280


class CalibrationError(ValueError):
    """A calibration cannot be made or read; the message says what was seen, expected, and what to do."""


@dataclass(frozen=True, slots=True)
class Lens:
    """Intrinsics of a camera at one picture size.

    image_size: (width, height) pixels; camera_matrix: (3, 3); distortion: (5,) k1, k2, p1, p2, k3.
    Pixel (0, 0) is the centre of the first pixel, as in OpenCV. variants: the lens as it comes out when a part of the
    views is left out (a jackknife): how far they differ says how sure it is.
    """

    image_size: tuple[int, int]
    camera_matrix: NDArray[np.float64]
    distortion: NDArray[np.float64]
    rms_px: float | None = None
    views: int | None = None
    variants: tuple[Lens, ...] = ()

    @property
    def focal_px(self) -> float:
        return float((self.camera_matrix[0, 0] + self.camera_matrix[1, 1]) / 2)

    @property
    def stretch(self) -> float:
        """How much higher than wide it shows what is square; 1 is neither."""
        return float(self.camera_matrix[1, 1] / self.camera_matrix[0, 0])

    @property
    def bends(self) -> bool:
        """False of one that is free of distortion."""
        return bool(self.distortion.any())

    def for_size(self, image_size: tuple[int, int]) -> Lens:
        """The same lens for pictures resized to another size of the same shape.

        Raises CalibrationError where the shape differs: a cropped, letter-boxed or turned picture needs its own lens.
        """
        if image_size == self.image_size:
            return self
        (w, h), (other_w, other_h) = self.image_size, image_size
        if abs(other_w / w * h / other_h - 1) > SAME_SHAPE:
            turned = "turned: " if abs(other_h / w * h / other_w - 1) <= SAME_SHAPE else ""
            raise CalibrationError(
                f"the lens was measured on pictures of {w}x{h}, these are {turned}{other_w}x{other_h}; "
                "expected the same shape: measure the lens as the camera is used, or leave the lens file out"
            )
        scale = np.array([other_w / w, other_h / h, 1.0])
        matrix = self.camera_matrix * scale[:, None]
        matrix[:2, 2] += (scale[:2] - 1) / 2
        variants = tuple(v.for_size(image_size) for v in self.variants)
        return Lens(image_size, matrix, self.distortion, self.rms_px, self.views, variants)

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {
            "image_size": list(self.image_size),
            "camera_matrix": [[float(v) for v in row] for row in self.camera_matrix],
            "distortion": [float(v) for v in self.distortion],
        }
        if self.rms_px is not None:
            data["rms_px"] = self.rms_px
        if self.views is not None:
            data["views"] = self.views
        if self.variants:
            data["variants"] = [
                {"camera_matrix": v.to_json()["camera_matrix"], "distortion": v.to_json()["distortion"]}
                for v in self.variants
            ]
        return data


def lens_from_json(data: Any, source: str) -> Lens:
    """Checks the content of a lens file; `source` is what messages call it. Raises CalibrationError."""
    if not isinstance(data, dict):
        expected = "an object with image_size, camera_matrix, distortion"
        raise CalibrationError(f"{source}: found {type(data).__name__}, expected {expected}")
    size = data.get("image_size")
    if not (isinstance(size, list) and len(size) == 2 and all(type(v) is int and 0 < v <= MOST_PIXELS for v in size)):
        raise CalibrationError(f"{source}: image_size: found {size!r:.60}, expected [width, height] in pixels")
    matrix = numbers_of(data.get("camera_matrix"), (3, 3), f"{source}: camera_matrix")
    coefficients = data.get("distortion")
    if isinstance(coefficients, list) and len(coefficients) == 4:
        coefficients = [*coefficients, 0.0]
    distortion = numbers_of(coefficients, (5,), f"{source}: distortion")
    if (focal_px := min(matrix[0, 0], matrix[1, 1])) < LEAST_FOCAL_PX:
        raise CalibrationError(f"{source}: camera_matrix: found a focal length of {focal_px:g} px, expected one of at "
                               f"least {LEAST_FOCAL_PX:g}")  # fmt: skip
    if matrix[2].tolist() != [0, 0, 1] or not MOST_OBLONG > matrix[0, 0] / matrix[1, 1] > 1 / MOST_OBLONG:
        raise CalibrationError(f"{source}: camera_matrix: found {matrix.tolist()}, expected "
                               "[[fx, 0, cx], [0, fy, cy], [0, 0, 1]] with fx and fy alike")  # fmt: skip
    rms, views = data.get("rms_px"), data.get("views")
    if not isinstance(data.get("variants") or [], list):
        raise CalibrationError(f"{source}: variants: found {data['variants']!r:.60}, expected a list of lenses")
    rms_px = None if rms is None else float(numbers_of(rms, (), f"{source}: rms_px"))
    variants = tuple(
        lens_from_json({"image_size": size, **v} if isinstance(v, dict) else v, f"{source}: variants")
        for v in data.get("variants") or ()
    )
    return Lens((size[0], size[1]), matrix, distortion, rms_px, views if isinstance(views, int) else None, variants)


def load_lens(path: str | Path) -> Lens:
    """Reads LENS.json. Raises CalibrationError with one line that says what is wrong."""
    return lens_from_json(read_json(path, "lens file"), str(path))


def read_json(path: str | Path, what: str) -> Any:
    """Reads a JSON file. Raises CalibrationError with one line that says why not, in which `what` names it."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8-sig"))  # editors on Windows put a mark before UTF-8
    except FileNotFoundError:
        raise CalibrationError(
            f"{path}: the {what} does not exist; check the path, or paleo calibrate makes one"
        ) from None
    except OSError as error:
        reason = error.strerror
        raise CalibrationError(f"{path}: the {what} cannot be read ({reason}); check the path and its rights") from None
    except (ValueError, RecursionError) as error:
        raise CalibrationError(
            f"{path}: the {what} is not valid JSON ({error}); paleo calibrate makes a new one"
        ) from None


def guessed_lens(image_size: tuple[int, int], focal_px: float | None = None) -> Lens:
    """A lens without distortion, principal point in the middle; focal length as a webcam's 65° when not given."""
    w, h = image_size
    f = focal_px if focal_px is not None else w / (2 * math.tan(math.radians(65) / 2))
    matrix = np.array([[f, 0.0, (w - 1) / 2], [0.0, f, (h - 1) / 2], [0.0, 0.0, 1.0]])
    return Lens(image_size, matrix, np.zeros(5))


def numbers_of(value: Any, shape: tuple[int, ...], what: str) -> NDArray[np.float64]:
    """Numbers as JSON has them, in an array of a shape, (): one number; none larger than MOST_FIGURE.

    Raises CalibrationError that begins with `what`.
    """
    try:
        array = np.array(value, dtype=np.float64) if _of_numbers(value) else np.empty(0)
    except (TypeError, ValueError, OverflowError):
        array = np.empty(0)
    if array.shape != shape or not (np.abs(array) <= MOST_FIGURE).all():  # nan is no less
        numbers = " x ".join(map(str, shape)) + " numbers" if shape else "a number"
        raise CalibrationError(f"{what}: found {str(value)[:60]!r}, expected {numbers} of at most {MOST_FIGURE}")
    return array


def _of_numbers(value: Any) -> bool:
    """Whether a value is a number, or lists of nothing else: no text that reads as one, no true or false."""
    if isinstance(value, list):
        return all(_of_numbers(one) for one in value)
    return isinstance(value, int | float) and not isinstance(value, bool)
