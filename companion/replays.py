"""The films of the last shots, kept as files beside the journal: as many as fit, the oldest go first."""

from __future__ import annotations

import json
import os
import re
import tempfile
from pathlib import Path

from vision.shot_film import Replay

FOLDER = "replays"
KEEP = 40  # shots of an evening that anybody may still want to see again
KEEP_BYTES = 150 * 2**20
HEAD_BYTES = 4  # the length of the JSON that says when each picture was taken, and how long it is


class Replays:
    """Films by the journal's entry of their shot. One that cannot be written or read is as good as none."""

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / FOLDER

    def keep(self, entry: int, replay: Replay) -> None:
        """Writes a film, whole or not at all, and lets old ones go."""
        if not replay.pictures:
            return
        try:
            self._folder.mkdir(exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as file:
                file.write(packed(replay))
            os.replace(file.name, self._path(entry))
            self._prune()
        except OSError:  # a full disk costs the film, never the score
            return

    def entries(self) -> list[int]:
        """The journal's entries of which there is a film, oldest first."""
        try:
            names = os.listdir(self._folder)
        except OSError:
            return []
        return sorted(int(n.removesuffix(".film")) for n in names if re.fullmatch(r"\d+\.film", n))

    def film(self, entry: int) -> bytes | None:
        """The film as the page gets it (see packed); None where there is none."""
        try:
            return self._path(entry).read_bytes()
        except OSError:
            return None

    def _path(self, entry: int) -> Path:
        return self._folder / f"{entry}.film"

    def _prune(self) -> None:
        left = 0
        for n, entry in enumerate(reversed(self.entries())):
            left += self._path(entry).stat().st_size
            if n >= KEEP or left > KEEP_BYTES:
                self._path(entry).unlink()


def packed(replay: Replay) -> bytes:
    """Four bytes (big-endian): the length of a JSON {"times_s", "sizes"}; that JSON; the JPEGs one after the other."""
    head = {"times_s": [round(t, 4) for t in replay.times_s], "sizes": [len(p) for p in replay.pictures]}
    text = json.dumps(head).encode()
    return len(text).to_bytes(HEAD_BYTES, "big") + text + b"".join(replay.pictures)
