"""The films of the last shots, kept as files beside the journal: as many as fit, the oldest go first."""

from __future__ import annotations

import json
import os
import re
from itertools import chain
from pathlib import Path

from calibration.outputs import unfinished
from vision.shot_film import Replay

FOLDER = "replays"
KEEP = 40  # shots of an evening that anybody may still want to see again
KEEP_BYTES = 150 * 2**20  # of all films that nobody disputes, however few they are
KEEP_DISPUTED = 60  # more than an evening's disputes; these are kept beside the last ones
DISPUTED = ".disputed"  # the ending of the empty file that marks a film
LEFT = (".*.part", "tmp*")  # names of what a kill has left of films; the second is of versions before
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
            self._drop_what_is_left()
            growing = unfinished(self._path(entry))
            try:
                growing.write_bytes(packed(replay))
                growing.replace(self._path(entry))
            finally:
                growing.unlink(missing_ok=True)
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

    def dispute(self, entry: int) -> None:
        """Keeps a film on, as its shot was seen otherwise."""
        try:
            if self._path(entry).exists():
                self._mark(entry).touch()
        except OSError:  # as with films: a full disk costs the mark, never the score
            return

    def disputed(self) -> list[int]:
        """Entries whose films are kept on, oldest first."""
        return [entry for entry in self.entries() if self._mark(entry).exists()]

    def film(self, entry: int) -> bytes | None:
        """The film as the page gets it (see packed); None where there is none."""
        try:
            return self._path(entry).read_bytes()
        except OSError:
            return None

    def _path(self, entry: int) -> Path:
        return self._folder / f"{entry}.film"

    def _mark(self, entry: int) -> Path:
        return self._folder / f"{entry}{DISPUTED}"

    def _drop_what_is_left(self) -> None:
        """Removes what a kill has cut off."""
        for path in chain.from_iterable(map(self._folder.glob, LEFT)):
            path.unlink(missing_ok=True)

    def _prune(self) -> None:
        marked = self.disputed()
        for entry in marked[:-KEEP_DISPUTED]:
            self._mark(entry).unlink(missing_ok=True)
        kept = set(marked[-KEEP_DISPUTED:])
        left = 0
        for n, entry in enumerate(e for e in reversed(self.entries()) if e not in kept):
            left += self._path(entry).stat().st_size
            if n >= KEEP or left > KEEP_BYTES:
                self._path(entry).unlink()


def packed(replay: Replay) -> bytes:
    """Four bytes (big-endian): the length of a JSON {"times_s", "sizes", "drawn"}; that JSON; the JPEGs one after the
    other. drawn: see vision.explain.over_film; null where it is not known."""
    times, sizes = [round(t, 4) for t in replay.times_s], [len(p) for p in replay.pictures]
    head = {"times_s": times, "sizes": sizes, "drawn": replay.drawn}
    text = json.dumps(head).encode()
    return len(text).to_bytes(HEAD_BYTES, "big") + text + b"".join(replay.pictures)


def unpacked(film: bytes) -> tuple[list[float], list[bytes]]:
    """The reverse of packed: when each picture was taken, and the pictures. Raises ValueError or KeyError."""
    length = int.from_bytes(film[:HEAD_BYTES], "big")
    head = json.loads(film[HEAD_BYTES : HEAD_BYTES + length])
    at, pictures = HEAD_BYTES + length, []
    for size in head["sizes"]:
        pictures.append(film[at : at + size])
        at += size
    return head["times_s"], pictures
