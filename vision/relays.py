"""Sources that pass on another source's frames: with orders carried out in between, or from a later moment on."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from vision.frames import Frame, FrameSource, Through
from vision.worker_messages import Table


class Commanded(Through):
    """The virtual table's frames, with orders carried out between two of them, in the thread that makes the frames."""

    def __init__(
        self, source: FrameSource, table: Table, commands: deque[dict[str, Any]], refuse: Callable[[str], None]
    ) -> None:
        super().__init__(source)
        self._table = table
        self._commands = commands
        self._refuse = refuse

    def frames(self) -> Iterator[Frame]:
        """The table's frames."""
        frames = iter(self._source.frames())
        while True:
            while self._commands:
                self._carry_out(self._commands.popleft())
            frame = next(frames, None)
            if frame is None:
                return
            yield frame

    def _carry_out(self, order: dict[str, Any]) -> None:
        try:
            self._table.command(order)
        except ValueError as error:  # an order about a puck that is gone must not cost the table
            self._refuse(str(error))


class Resumed(Through):
    """A source that goes on where the worker before it was stopped.

    Frames up to `after_s` are left out; `shift_s` is added to the time of those given.
    """

    def __init__(self, source: FrameSource, *, after_s: float = 0.0, shift_s: float = 0.0) -> None:
        super().__init__(source)
        self._after_s = after_s
        self._shift_s = shift_s

    def frames(self) -> Iterator[Frame]:
        """The frames after, in the time of the source before."""
        for frame in self._source.frames():
            time_s = frame.time_s + self._shift_s
            if time_s > self._after_s:
                yield replace(frame, time_s=time_s) if self._shift_s else frame
