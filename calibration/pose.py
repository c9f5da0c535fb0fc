"""The pose: where the camera is, so that board millimetres and image pixels can be told from each other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import CalibrationError, Lens, lens_from_json, numbers_of

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pose:
    """A camera over a board: lens, rotation and translation (camera from board).

    rvec, tvec: (3,) as OpenCV has them, for points (x, y, -height); rms_px: residual of the fit.
    corner_error_mm: (4,) estimated error at the surface's corners, in the order NW, NE, SE, SW, or None.
    """

    lens: Lens
    rvec: FloatArray
    tvec: FloatArray
    rms_px: float = 0.0
    corner_error_mm: tuple[float, ...] | None = None

    def image_from_board(self, points_mm: FloatArray) -> FloatArray:
        """Projects board points. points_mm: (N, 3) as (x, y, height) -> (N, 2) pixels."""
        points = np.asarray(points_mm, dtype=np.float64).reshape(-1, 1, 3)
        if len(points) == 0:
            return np.empty((0, 2))
        # as cv2.projectPoints does it, which takes five times as long: it gives all derivatives as well
        rotation, shift = cv2.Rodrigues(self.rvec)[0], np.asarray(self.tvec, dtype=np.float64).ravel()
        across = np.column_stack([rotation * (1.0, 1.0, -1.0), shift])
        x, y = cv2.perspectiveTransform(points, np.vstack([across, across[2]])[[0, 1, 3]]).reshape(-1, 2).T
        k1, k2, p1, p2, k3 = self.lens.distortion[:5]
        xy, xx, yy = x * y, x * x, y * y
        rr = xx + yy
        radial = 1.0 + rr * (k1 + rr * (k2 + rr * k3))
        (fx, _, cx), (_, fy, cy) = self.lens.camera_matrix[:2]
        return np.column_stack([
            fx * (x * radial + 2 * p1 * xy + p2 * (rr + 2 * xx)) + cx,
            fy * (y * radial + p1 * (rr + 2 * yy) + 2 * p2 * xy) + cy,
        ])  # fmt: skip

    def board_from_image(self, points_px: FloatArray, height_mm: float = 0.0) -> FloatArray:
        """Where pixels meet the plane at a height above the surface. points_px: (N, 2) -> (N, 2) millimetres."""
        points = np.asarray(points_px, dtype=np.float64).reshape(-1, 1, 2)
        if len(points) == 0:
            return np.empty((0, 2))
        rays = cv2.undistortPoints(points, self.lens.camera_matrix, self.lens.distortion).reshape(-1, 2)
        rotation = cv2.Rodrigues(self.rvec)[0]
        directions = np.column_stack([rays, np.ones(len(rays))]) @ rotation
        origin = -rotation.T @ np.asarray(self.tvec, dtype=np.float64).ravel()
        scale = (-height_mm - origin[2]) / directions[:, 2]
        return np.asarray((origin + directions * scale[:, None])[:, :2], dtype=np.float64)

    def camera_mm(self) -> FloatArray:
        """(3,) the camera's place as (x, y, height)."""
        rotation = cv2.Rodrigues(self.rvec)[0]
        centre = -rotation.T @ np.asarray(self.tvec, dtype=np.float64).ravel()
        return np.array([centre[0], centre[1], -centre[2]])

    def for_size(self, image_size: tuple[int, int]) -> Pose:
        """The same camera for pictures resized to another size of the same shape.

        Raises CalibrationError where the shape differs.
        """
        try:
            return replace(self, lens=self.lens.for_size(image_size))
        except CalibrationError:
            (w, h), (other_w, other_h) = self.lens.image_size, image_size
            raise CalibrationError(
                f"the calibration was made on pictures of {w}x{h}, these are {other_w}x{other_h}; expected the same "
                "shape: calibrate the pose on pictures as the camera gives them now (paleo calibrate pose)"
            ) from None

    def to_json(self) -> dict[str, Any]:
        return {
            "lens": self.lens.to_json(),
            "rvec": [float(v) for v in self.rvec],
            "tvec": [float(v) for v in self.tvec],
            "rms_px": self.rms_px,
            "corner_error_mm": list(self.corner_error_mm) if self.corner_error_mm else None,
        }


def pose_from_json(data: Any, source: str) -> Pose:
    """Checks the content of a calibration file. Raises CalibrationError."""
    if not isinstance(data, dict):
        raise CalibrationError(f"{source}: found {type(data).__name__}, expected an object with lens, rvec, tvec")
    lens = lens_from_json(data.get("lens"), f"{source}: lens")
    rvec, tvec = (numbers_of(data.get(name), (3,), f"{source}: {name}") for name in ("rvec", "tvec"))
    rms, errors = data.get("rms_px"), data.get("corner_error_mm")
    rms_px = float(numbers_of(rms, (), f"{source}: rms_px")) if rms is not None else 0.0
    at_corners = numbers_of(errors, (4,), f"{source}: corner_error_mm").tolist() if errors else None
    return Pose(lens, rvec, tvec, rms_px, tuple(at_corners) if at_corners else None)
