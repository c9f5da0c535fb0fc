"""`paleo doctor`: what works on this machine, and what to do about the rest."""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from companion.announcing import can_announce
from companion.config import ConfigError, prepare_data_dir

OLDEST_PYTHON = (3, 11)
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
CAMERAS_LOOKED_AT = 4  # numbers 0 to 3: each that is none takes a while


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at. works: None where it is not needed for the main job and missing."""

    what: str
    works: bool | None
    seen: str
    advice: str = ""


def examine(data_dir: Path, port: int) -> list[Finding]:
    """Looks at everything in turn."""
    return [
        look_at_python(),
        look_at_opencv(),
        look_at_tracker(),
        look_at_data(data_dir),
        look_at_port(port),
        look_at_cameras(),
        *look_at_settings(data_dir),
        look_at_serial_ports(),
        look_at_encoder(),
        look_at_announcing(),
        look_at_browser(),
    ]


def show(findings: list[Finding], told: Callable[[str], str] = str) -> int:
    """Prints the findings as a table; the exit code is 0 where everything that the main job needs works.

    told: a text as it is read, in the language of whoever reads it.
    """
    from rich.console import Console
    from rich.table import Table

    table = Table(title=told("Paleo Companion on this machine"), show_lines=False)
    for column in ("", "What", "Seen", "What to do"):
        table.add_column(told(column), overflow="fold")
    for finding in findings:
        mark = {True: "[green]✓[/]", False: "[red]✗[/]", None: "[yellow]–[/]"}[finding.works]
        table.add_row(mark, told(finding.what), told(finding.seen), told(finding.advice))
    console = Console()
    console.print(table)
    broken = [told(f.what) for f in findings if f.works is False]
    console.print(told(f"Not ready: {', '.join(broken)}." if broken else "Ready: `paleo run` will do its job here."))
    return 1 if broken else 0


def look_at_python() -> Finding:
    works = sys.version_info >= OLDEST_PYTHON
    return Finding(
        "Python", works, f"{platform.python_version()}, {platform.system()} {platform.machine()}",
        "" if works else "install Python 3.11 or newer",
    )  # fmt: skip


def look_at_opencv() -> Finding:
    try:
        import cv2
    except ImportError as error:
        return Finding("OpenCV", False, f"does not load: {error}", "pip install opencv-python-headless in its place")
    build = cv2.getBuildInformation()
    video = any(line.split()[:2] == ["FFMPEG:", "YES"] for line in build.splitlines())
    window = next((line.split(":")[1].strip() for line in build.splitlines() if line.strip().startswith("GUI:")), "?")
    kind = "headless" if window in ("NONE", "?") else f"with windows by {window}"
    return Finding(
        "OpenCV", video, f"{cv2.__version__}, {kind}, FFmpeg: {'yes' if video else 'no'}",
        "" if video else "use the opencv-python wheel, which reads films",
    )  # fmt: skip


def look_at_tracker() -> Finding:
    missing = [
        name for name in ("scipy", "skimage", "pymunk", "flask", "sqlalchemy", "waitress") if not find_spec(name)
    ]
    advice = "install again: pip install --force-reinstall paleo-companion" if missing else ""
    return Finding("Libraries", not missing, "all there" if not missing else f"missing: {', '.join(missing)}", advice)


def look_at_data(data_dir: Path) -> Finding:
    try:
        prepare_data_dir(data_dir)
    except ConfigError as error:
        return Finding("Data folder", False, str(data_dir), str(error))
    free_mib = shutil.disk_usage(data_dir).free / 2**20
    return Finding("Data folder", True, f"{data_dir}, {free_mib:.0f} MiB free")


def look_at_port(port: int) -> Finding:
    from companion.serving import check_port

    try:
        check_port("127.0.0.1", port)
    except ConfigError as error:
        return Finding("Port", None, f"{port} is taken", str(error))
    return Finding("Port", True, f"{port} is free")


def look_at_cameras() -> Finding:
    from vision.sources import SourceError, open_source

    seen = []
    for number in range(CAMERAS_LOOKED_AT):
        try:
            camera = open_source(str(number))
        except SourceError:
            continue
        seen.append(f"{number} ({camera.size[0]}x{camera.size[1]})")
        camera.close()
    if seen:
        return Finding("Cameras", True, ", ".join(seen), "paleo run --camera NUMBER")
    return Finding("Cameras", None, "no camera", "plug one in; the virtual table, films and streams work without")


def look_at_settings(data_dir: Path) -> list[Finding]:
    """What became of each camera's settings when it was last opened; nothing for cameras that were never locked."""
    from calibration.lens import CalibrationError
    from companion.calibration_desk import TOLD_FILE
    from vision.camera_settings import load_told

    findings = []
    for path in sorted((data_dir / "cameras").glob(f"*/{TOLD_FILE}")):
        what = f"Settings of camera {path.parent.name}"
        try:
            told = load_told(path)
        except CalibrationError as error:
            findings.append(Finding(what, None, "unreadable", str(error)))
            continue
        missed = [str(setting) for setting in told if not setting.took]
        seen = "\n".join(missed or map(str, told))
        findings.append(Finding(what, None if missed else True, seen, "paleo calibrate camera" if missed else ""))
    return findings


def look_at_serial_ports() -> Finding:
    from serial.tools import list_ports

    ports = [port.device for port in list_ports.comports()]
    return Finding(
        "Serial ports", True if ports else None, ", ".join(ports) or "no port",
        "" if ports else "only needed for a sensor board",
    )  # fmt: skip


def look_at_encoder() -> Finding:
    if find_spec("av") is None:
        return Finding("PyAV", None, "not installed", "only to record the camera: pip install 'paleo-companion[film]'")
    import av

    return Finding("PyAV", True, f"{av.__version__}, H.264: {'yes' if 'libx264' in av.codecs_available else 'no'}")


def look_at_announcing() -> Finding:
    if not can_announce():
        advice = "only for --lan, where phones can scan the code instead: pip install 'paleo-companion[lan]'"
        return Finding("Found by name", None, "zeroconf is not installed", advice)
    from zeroconf import __version__

    return Finding("Found by name", True, f"zeroconf {__version__}: paleo run --lan is found in the house's network")


def look_at_browser() -> Finding:
    path = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    return Finding("Chromium", True if path else None, path or "not there", "" if path else "only the tests need it")
