"""Reads and writes calibration files: the lens (LENS.json) and the pose (CAL.json)."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any

from calibration.lens import CalibrationError, Lens, read_json
from calibration.outputs import behind_links, unfinished, written_as_it_comes
from calibration.pose import Pose, pose_from_json


def load_calibration(path: str | Path) -> Pose:
    """Reads CAL.json: lens, pose, rms_px and the errors at the corners. Raises CalibrationError in one line."""
    return pose_from_json(read_json(path, "calibration file"), str(path))


def save_calibration(path: str | Path, pose: Pose) -> None:
    """Writes CAL.json whole or not at all. Raises CalibrationError where it cannot be written."""
    write_json(path, {"format": 1, **pose.to_json()}, "calibration file")


def save_lens(path: str | Path, lens: Lens) -> None:
    """Writes LENS.json whole or not at all. Raises CalibrationError where it cannot be written."""
    write_json(path, lens.to_json(), "lens file")


def write_json(path: str | Path, data: Any, what: str) -> None:
    """Writes JSON whole or not at all; see write_bytes."""
    write_bytes(path, (json.dumps(data, indent=1) + "\n").encode(), what)


def write_bytes(path: str | Path, data: bytes, what: str) -> None:
    """Writes beside its place and moves it there: nothing half-written is ever seen. Raises CalibrationError.

    What no file can take the place of (a pipe, /dev/stdout) is written to directly.
    """
    target = behind_links(Path(path))
    temporary = unfinished(target)
    try:  # around its making too: an interrupt may come at any moment
        if device := written_as_it_comes(Path(path)):
            with device:
                device.write(data)
            return
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o644)
        temporary.replace(target)
    except OSError as error:
        reason = error.strerror or "unknown reason"
        raise CalibrationError(f"{path}: the {what} cannot be written ({reason}); choose a folder that exists "
                               "and has room") from None  # fmt: skip
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
