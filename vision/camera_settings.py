"""A camera's settings, locked where the driver allows, read back, and told where they did not take.

A camera that changes exposure, focus or colour by itself makes pucks look different from one second to the next.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

import cv2

from calibration.lens import CalibrationError, read_json
from calibration.store import write_json

NEAR = 0.15  # a value took when what is read back differs by at most this part: drivers know steps only
V4L2_EXPOSURE_S = 1e-4  # Linux counts exposures in units of 100 µs (V4L2_CID_EXPOSURE_ABSOLUTE)
# values of CAP_PROP_AUTO_EXPOSURE that switch it off, by OpenCV's backend
MANUAL = {"V4L2": 1.0, "DSHOW": 0.25, "MSMF": 0.25}
LOG2 = ("DSHOW", "MSMF")  # backends that give exposures as the logarithm (base 2) of seconds


class Device(Protocol):
    """What is needed of cv2.VideoCapture."""

    def set(self, propId: int, value: float) -> bool: ...
    def get(self, propId: int) -> float: ...
    def getBackendName(self) -> str: ...


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """What a camera is to be set to; None holds what it has at that moment, with its automatics off.

    exposure_s: seconds; gain and focus: in the driver's own units; white_balance_k: kelvin.
    """

    exposure_s: float | None = None
    gain: float | None = None
    focus: float | None = None
    white_balance_k: float | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """What became of one setting: what was wanted (None: to be held), what the camera says now, and whether it took."""

    name: str
    wanted: float | None
    found: float | None
    took: bool

    def __str__(self) -> str:
        shown = _shown(self.name, self.found)
        if self.took:
            return f"{self.name}: {shown}" + (" (held)" if self.wanted is None else "")
        asked = "held" if self.wanted is None else _shown(self.name, self.wanted)
        return f"{self.name}: did not take: asked for {asked}, the camera has {shown}; set it with the maker's program"


def apply_settings(device: Device, wanted: CameraSettings) -> tuple[Setting, ...]:
    """Sets and locks everything, and says what took."""
    return tuple(_apply(device, wanted))


def load_settings(path: Path) -> CameraSettings:
    """Reads a camera's settings. Raises CalibrationError in one line."""
    data = read_json(path, "camera's settings")
    names = CameraSettings.__slots__
    if not isinstance(data, Mapping) or not set(data) <= set(names):
        raise CalibrationError(f"{path}: found {str(data)[:60]!r}, expected an object with {', '.join(names)}")
    for name, value in data.items():
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise CalibrationError(f"{path}: {name}: found {value!r}, expected a number or null")
    return CameraSettings(**data)


def save_settings(path: Path, settings: CameraSettings) -> None:
    """Writes a camera's settings whole or not at all. Raises CalibrationError."""
    write_json(path, asdict(settings), "camera's settings")


def save_told(path: Path, told: tuple[Setting, ...]) -> None:
    """Keeps what became of a camera's settings when it was last opened. Raises CalibrationError."""
    write_json(path, [asdict(setting) for setting in told], "what became of the camera's settings")


def load_told(path: Path) -> tuple[Setting, ...]:
    """What became of a camera's settings when it was last opened; empty where it never was, or nothing was asked.

    Raises CalibrationError where the file is damaged.
    """
    if not path.is_file():
        return ()
    data = read_json(path, "what became of the camera's settings")
    try:
        return tuple(Setting(str(d["name"]), d["wanted"], d["found"], bool(d["took"])) for d in data)
    except (TypeError, KeyError):
        raise CalibrationError(f"{path}: not what was kept of the camera's settings; delete it") from None


def _apply(device: Device, wanted: CameraSettings) -> Iterator[Setting]:
    backend = device.getBackendName()
    yield _exposure(device, backend, wanted.exposure_s)
    yield _plain(device, "gain", cv2.CAP_PROP_GAIN, None, wanted.gain)
    yield _plain(device, "focus", cv2.CAP_PROP_FOCUS, cv2.CAP_PROP_AUTOFOCUS, wanted.focus)
    yield _plain(device, "white balance", cv2.CAP_PROP_WB_TEMPERATURE, cv2.CAP_PROP_AUTO_WB, wanted.white_balance_k)


def _exposure(device: Device, backend: str, wanted_s: float | None) -> Setting:
    if backend not in MANUAL:
        return Setting("exposure", wanted_s, None, False)
    held = device.get(cv2.CAP_PROP_EXPOSURE)
    device.set(cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL[backend])
    device.set(cv2.CAP_PROP_EXPOSURE, held if wanted_s is None else _units(backend, wanted_s))
    found_s = _seconds(backend, device.get(cv2.CAP_PROP_EXPOSURE))
    off = math.isclose(device.get(cv2.CAP_PROP_AUTO_EXPOSURE), MANUAL[backend])
    asked_s = _seconds(backend, held) if wanted_s is None else wanted_s
    return Setting("exposure", wanted_s, found_s, off and _near(found_s, asked_s, backend in LOG2))


def _plain(device: Device, name: str, value: int, automatic: int | None, wanted: float | None) -> Setting:
    """A setting with a value, and for most an automatic that is switched off."""
    held = device.get(value)
    off = True
    if automatic is not None:
        device.set(automatic, 0.0)
        off = device.get(automatic) == 0.0
    accepted = device.set(value, held if wanted is None else wanted)
    found = device.get(value)
    asked = held if wanted is None else wanted
    return Setting(name, wanted, found, accepted and off and _near(found, asked, False))


def _units(backend: str, seconds: float) -> float:
    return round(math.log2(seconds)) if backend in LOG2 else round(seconds / V4L2_EXPOSURE_S)


def _seconds(backend: str, units: float) -> float | None:
    """Seconds of a driver's value; None where it is none."""
    if not math.isfinite(units):
        return None
    if backend in LOG2:
        return float(2.0**units) if -20 <= units <= 2 else None
    return units * V4L2_EXPOSURE_S if units > 0 else None


def _near(found: float | None, asked: float | None, whole_steps: bool) -> bool:
    """True where a value is near enough; a step of a logarithmic driver is a factor of two."""
    if found is None or asked is None:
        return False
    if whole_steps:
        return 1 / 1.5 < found / asked < 1.5
    return math.isclose(found, asked, rel_tol=NEAR, abs_tol=1e-9)


def _shown(name: str, value: float | None) -> str:
    if value is None:
        return "nothing that can be read"
    if name == "exposure":
        return f"1/{1 / value:.0f} s" if value < 0.5 else f"{value:g} s"
    return f"{value:g} K" if name == "white balance" else f"{value:g}"


def parse_exposure(text: str) -> float:
    """Seconds of "1/250" or "0.004". Raises CalibrationError."""
    first, _, second = text.partition("/")
    try:
        seconds = float(first) / (float(second) if second else 1.0)
    except (ValueError, ZeroDivisionError):
        seconds = 0.0
    if not 1e-5 <= seconds <= 2.0:
        raise CalibrationError(f"exposure {text!r}: expected seconds such as 1/250")
    return seconds
