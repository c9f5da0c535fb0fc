"""A film's pictures as they are coded, read along with it: where zeros stand in place of them, no decoder tells."""

from __future__ import annotations

from collections import deque

import cv2

CHECKED = (b"h264", b"hevc", b"avc1", b"hvc1", b"hev1")
REORDERED = 16  # pictures that may be coded before one that is shown earlier (H.264, A.4.2: no decoder keeps more)
READS_PAST = 30  # reads tried past a picture that cannot even be taken apart
ZEROS = b"\0\0\0"
FORBIDDEN = b"\0\0\2"


class CodedPictures:
    """Tells from when on pictures are damaged.

    capture: the film opened once more, of which nothing was read; frame_ms: from one picture to the next
    """

    def __init__(self, capture: cv2.VideoCapture, frame_ms: float) -> None:
        self._capture = capture
        code = int(self._capture.get(cv2.CAP_PROP_FOURCC)).to_bytes(4, "little", signed=True)
        self._ended = code not in CHECKED or not self._capture.set(cv2.CAP_PROP_FORMAT, -1)
        self._ahead_ms = 2 * REORDERED * frame_ms
        self._read_ms = 0.0  # when the newest one read is shown
        self._latest = deque[tuple[float, bool]]()  # ms when they are shown, and whether they are damaged
        self._starts = list[float]()  # ms, from when on pictures are damaged

    def damaged_by(self, stamp_ms: float) -> bool:
        """True where a stretch that is damaged has begun since the last call, up to the picture shown at stamp_ms."""
        while not self._ended and self._read_ms < stamp_ms + self._ahead_ms:
            self._read()
        begun = [start for start in self._starts if start <= stamp_ms]
        self._starts = [start for start in self._starts if start > stamp_ms]
        return bool(begun)

    def close(self) -> None:
        """Lets go of the film; safe to call twice."""
        self._ended = True
        self._capture.release()

    def _read(self) -> None:
        ok, coded = self._capture.read()
        damaged = not ok
        for _ in range(READS_PAST if damaged else 0):
            ok, coded = self._capture.read()
            if ok:
                break
        self._ended = not ok
        if ok:
            shown_ms = self._capture.get(cv2.CAP_PROP_POS_MSEC)
            self._read_ms = max(self._read_ms, shown_ms)
            self._latest.append((shown_ms, damaged or breaks_rules(coded.tobytes())))
        while len(self._latest) > (0 if self._ended else REORDERED):
            shown_ms, damaged = self._latest.popleft()
            if damaged:  # those shown before it and coded after it are copied from it
                self._starts.append(min([shown_ms, *(later_ms for later_ms, _ in self._latest)]))


def breaks_rules(coded: bytes) -> bool:
    """True where a coded picture holds bytes that none does: three zeros that no start code follows.

    Source: ITU-T H.264, 7.4.1, and H.265, 7.4.2; so it is with what was never copied, as file systems give zeros there.
    """
    if FORBIDDEN in coded:
        return True
    start = coded.find(ZEROS)
    while start >= 0:
        rest = coded[start:].lstrip(b"\0")
        if rest and rest[0] != 1:
            return True
        start = coded.find(ZEROS, len(coded) - len(rest)) if rest else -1
    return False
