"""`paleo calibrate camera`: a camera's settings locked, read back, and kept for the next start."""

from __future__ import annotations

import time
from pathlib import Path

from companion.calibration_desk import SETTINGS_FILE, TOLD_FILE, camera_folder
from companion.config import prepare_data_dir
from vision.camera_settings import CameraSettings, save_settings, save_told
from vision.sources import DeviceSource

RATE_FRAMES = 30  # from which the rate that is really delivered is measured
RATE_NEAR = 0.9  # share of the wanted rate from which a camera keeps it


def lock_camera(number: int, wanted: CameraSettings, size: tuple[int, int], fps: float, data_dir: Path) -> str:
    """Sets a camera, keeps what was asked for, and says what took.

    Raises SourceError, ConfigError or CalibrationError.
    """
    camera = DeviceSource(number, clock=time.monotonic, size=size, fps=fps, settings=wanted)
    try:
        lines = [_size_line(camera.size, size), _rate_line(_measured_fps(camera), fps), *map(str, camera.settings)]
    finally:
        camera.close()
    folder = camera_folder(prepare_data_dir(data_dir), str(number))
    folder.mkdir(parents=True, exist_ok=True)
    save_settings(folder / SETTINGS_FILE, wanted)
    save_told(folder / TOLD_FILE, camera.settings)
    return "\n".join([*lines, f"kept in {folder / SETTINGS_FILE} for `paleo run --camera {number}`"])


def _size_line(found: tuple[int, int], wanted: tuple[int, int]) -> str:
    shown = f"{found[0]}x{found[1]}"
    return (
        f"size: {shown}" if found == wanted else f"size: did not take: asked for {wanted[0]}x{wanted[1]}, got {shown}"
    )


def _rate_line(found: float, wanted: float) -> str:
    if found >= RATE_NEAR * wanted:
        return f"rate: {found:.1f} pictures a second"
    return (
        f"rate: did not take: asked for {wanted:g}, got {found:.1f} pictures a second; shorten the exposure, add light"
    )


def _measured_fps(camera: DeviceSource) -> float:
    """Pictures a second that come, by their arrival."""
    frames = camera.frames()
    next(frames)
    first = last = next(frames).time_s
    for _ in range(RATE_FRAMES):
        last = next(frames).time_s
    return RATE_FRAMES / max(last - first, 1e-6)
