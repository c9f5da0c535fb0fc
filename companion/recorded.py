"""The folder of a recording: what is in it, and how its film is put together when it is over.

clip.mp4, board.toml, lens.json, recording.json, times.csv    as it was filmed
said.jsonl                                                     what players said during a match
seen/, answers.jsonl, truth.json                               `paleo label`: the camera's account, the players' word
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from calibration.lens import CalibrationError
from calibration.store import write_json
from companion.atomic import atomic_text
from vision.film_file import RecordError, copy_film
from vision.recorder import HEAD, LOCK, RATE, film_parts, grows, read_times, told_rate
from vision.sources import STREAM_SCHEMES

CLIP, BOARD, LENS, CALIBRATION = "clip.mp4", "board.toml", "lens.json", "calibration.json"
ABOUT, TIMES, SAID, TRUTH = "recording.json", "times.csv", "said.jsonl", "truth.json"
BY_HAND = "shot_by_hand"
KEPT = ("shot", BY_HAND, "correction", "answer", "undo")  # journal entries that are taken down beside a match's film
FORMAT = 1


def begin(folder: Path, about: Mapping[str, Any], board: Path, lens: Path | None, calibration: Path | None) -> None:
    """Makes a recording's folder and puts into it what is known before the first picture. Raises RecordError."""
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise RecordError(f"{folder}: something is there already, and is not written over; name a new folder")
        folder.mkdir(parents=True, exist_ok=True)
        with taken_away(folder):
            for source, name in ((board, BOARD), (lens, LENS), (calibration, CALIBRATION)):
                if source is not None:
                    shutil.copyfile(source, folder / name)
            put_about(folder, {"format": FORMAT, "program": version("paleo-companion"), **about})
    except RecordError:
        raise
    except OSError as error:
        raise RecordError(f"{folder}: cannot be written ({error.strerror}); choose another place") from None


@contextmanager
def taken_away(folder: Path) -> Iterator[None]:
    """A folder that was just made is taken away again where what goes into it does not come: on an error or an
    interrupt, after which it would be in the way of a recording of that name, and is none itself."""
    try:
        yield
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def about_camera(camera: str, size: tuple[int, int]) -> dict[str, Any]:
    """What a recording says of where it comes from: neither names nor addresses are in it."""
    device, stream = camera.isdecimal(), camera.lower().startswith(STREAM_SCHEMES)
    kind = camera if camera == "virtual" else "device" if device else "stream" if stream else "film"
    return {"source": kind, "begun": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), "size": list(size)}


def new_name(folder: Path, now: datetime) -> Path:
    """A folder in `folder` for a recording that begins now."""
    plain = folder / now.strftime("%Y-%m-%d-%H%M%S")
    tries = (plain.with_name(f"{plain.name}-{n}") for n in range(2, 1000))
    return plain if not plain.exists() else next(path for path in tries if not path.exists())


def about(folder: Path) -> dict[str, Any]:
    """What a recording's folder says of itself. Raises RecordError where it is none."""
    try:
        found = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        found = None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise RecordError(f"{folder}: no recording is there ({ABOUT} is missing or damaged); make one by paleo record")
    return found


def put_about(folder: Path, said: Mapping[str, Any]) -> None:
    """Writes what a recording's folder says of itself, whole or not at all."""
    write_json(folder / ABOUT, said, "recording")


def finish(folder: Path) -> dict[str, Any]:
    """Puts the film together, where that was not done before; gives what the folder says of itself then.

    After a kill what is there is made whole, up to the last second. Raises RecordError where nothing can be read, where
    it is still being recorded, or what is put together cannot be written; its parts stay then.
    """
    said = about(folder)
    if grows(folder):
        raise RecordError(f"{folder}: it is still being recorded; end paleo run or paleo record first (Ctrl-C)")
    parts = film_parts(folder)
    if not parts:
        if not (folder / CLIP).exists():
            raise RecordError(f"{folder}: it holds no film; record it anew")
        return said
    fps = told_rate(folder)
    if fps is None:
        raise RecordError(f"{folder}: {RATE} is missing or damaged, so the film's rate is not known; record it anew")
    times = [read_times(part.with_suffix(".csv")) for part in parts]
    growing = folder / f".{CLIP}.part"
    kept, again = ", ".join(part.name for part in parts), shlex.quote(str(folder))
    try:
        counts = copy_film([(part, len(t)) for part, t in zip(parts, times, strict=True)], growing, fps)
        lines = [line for t, count in zip(times, counts, strict=True) for line in t[:count]]
        with atomic_text(folder / TIMES) as file:
            file.write(HEAD)
            file.writelines(f"{t:.4f},{int(shown)}\n" for t, shown in lines)
        os.replace(growing, folder / CLIP)
        said |= {"fps": float(fps), "frames": len(lines), "again": sum(shown for _, shown in lines),
                 "parts": len(parts)}  # fmt: skip
        put_about(folder, said)
    except RecordError:
        raise
    except (OSError, CalibrationError) as error:  # a full disk above all
        reason = getattr(error, "strerror", None) or error
        raise RecordError(
            f"{folder}: the film cannot be put together ({reason}); what was kept is whole, in {kept}: free some room, "
            f"then paleo label {again} completes it"
        ) from None
    except KeyboardInterrupt:  # the second one of whoever presses twice, as a long film takes a while
        raise RecordError(
            f"{folder}: interrupted before the film was put together; what was kept is whole, in {kept}: "
            f"paleo label {again} completes it"
        ) from None
    finally:
        growing.unlink(missing_ok=True)
    for part in parts:
        part.unlink()
        part.with_suffix(".csv").unlink(missing_ok=True)
    for name in (RATE, LOCK):
        (folder / name).unlink(missing_ok=True)
    return said


def whole_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a file of JSON lines, none where it is not there.

    What is none is left out: a kill or a full disk may cut a line short, within a letter even.
    """
    found = []
    for line in path.read_bytes().split(b"\n") if path.exists() else ():
        try:
            said = json.loads(line.decode("utf-8"))
        except ValueError:
            continue
        if isinstance(said, dict):
            found.append(said)
    return found


def clip_times(folder: Path) -> list[float]:
    """The source's time of each picture of clip.mp4."""
    return [t for t, _ in read_times(folder / TIMES)]
