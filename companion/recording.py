"""A disputed shot as a small recording: the film, and what camera, referee and players said of it."""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np

from companion.games.base import Json
from companion.journal import Entry
from companion.replays import unpacked

CODEC = "mp4v"
FEWEST_FRAMES = 2  # from which a film has a rate
FALLBACK_FPS = 30.0  # of pictures whose times tell none


def recording(film: bytes, entries: Iterable[Entry], of: int, board: Json) -> bytes:
    """A ZIP with clip.mp4 and shot.json of the shot of a journal's entry."""
    times_s, pictures = unpacked(film)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("shot.json", json.dumps(account(entries, of, times_s, board), ensure_ascii=False, indent=1))
        archive.writestr("clip.mp4", _clip(times_s, pictures))
    return out.getvalue()


def account(entries: Iterable[Entry], of: int, times_s: list[float], board: Json) -> Json:
    """What is known of the shot: the camera's account, the rulings, and how players told it otherwise."""
    entries = list(entries)
    about = [e for e in entries if e.data.get("of") == of]
    told = [e for e in about if e.type == "correction"]
    shot = next((e for e in entries if e.id == of), None)
    return {
        "entry": of,
        "board": board,
        "frame_times_s": times_s,
        "seen": shot.data if shot is not None else None,
        "rulings": [e.data["lines"] for e in about if e.type == "ruling"],
        "corrections": [{"by": e.data.get("by"), "facts": e.data.get("facts")} for e in told],
    }


def _clip(times_s: list[float], pictures: list[bytes]) -> bytes:
    """The pictures as a film at their mean rate."""
    took_s = times_s[-1] - times_s[0] if len(times_s) >= FEWEST_FRAMES else 0.0
    fps = (len(times_s) - 1) / took_s if took_s > 0 else FALLBACK_FPS
    frames = [cv2.imdecode(np.frombuffer(p, np.uint8), cv2.IMREAD_COLOR) for p in pictures]
    whole = [f for f in frames if f is not None]
    if not whole:
        return b""
    height, width = whole[0].shape[:2]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "clip.mp4"
        writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*CODEC), fps, (width, height))
        for frame in whole:
            writer.write(frame)
        writer.release()
        return path.read_bytes() if path.exists() else b""
