"""Which pictures of a film may be made up in part, as the film is damaged: from the damage to the next key picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from vision.coded_pictures import REORDERED
from vision.decoder_words import words

HELD_BACK = 2  # pictures by which damage may show later than the decoder complains of it: REORDERED ones where pictures
# are coded out of order
TORN_MOST_S = 10.0  # a film without key pictures is believed again after so long
TOLD_MOST = 4  # stretches that are told one by one
APART_S = 0.05  # stretches that begin and end at the same tenth of a second are one moment

Span = tuple[float, float]  # seconds: of the first and the last torn picture


class Tears:
    """Follows them, picture by picture. spans: torn stretches so far

    Pictures are to be decoded in the thread that reads them.
    """

    def __init__(self) -> None:
        self.spans = list[Span]()
        self._complained = self._torn = False
        self._held_back = HELD_BACK
        self._since = 0  # pictures since the last complaint, …
        self._complaint_s = 0.0  # … which was at this time

    @contextmanager
    def heard(self) -> Iterator[None]:
        """What the decoder complains of meanwhile is about the next picture, or one after it."""
        before = words.complaints()
        yield
        self._complained = self._complained or words.complaints() > before

    def look(self, time_s: float, kind: str, damaged: bool) -> bool:
        """True where the picture that is shown at time_s may be torn.

        kind: I where it is decoded without any other one, B where later ones were coded before it; damaged: its code is
        known to be, or that of one since the last
        """
        if kind == "B":
            self._held_back = REORDERED
        complained, self._complained = self._complained or damaged, False
        self._since = 0 if complained else self._since + 1
        if self._torn and not complained:
            believed = time_s - self._complaint_s > TORN_MOST_S
            self._torn = not believed and not (kind == "I" and self._since > self._held_back)
        elif complained:
            if not self._torn:
                self.spans.append((time_s, time_s))
            self._torn, self._complaint_s = True, time_s
        if self._torn:
            self.spans[-1] = (self.spans[-1][0], time_s)
        return self._torn


def told_damage(spans: Sequence[Span]) -> str:
    """Where a film is damaged, and what came of it, in a line."""
    shown = [f"{a:.1f} s" if b - a < APART_S else f"{a:.1f}–{b:.1f} s" for a, b in spans[:TOLD_MOST]]
    more = f" (more places: {len(spans) - TOLD_MOST})" if len(spans) > TOLD_MOST else ""
    return (
        f"the film is damaged at {', '.join(shown)}{more}: the decoder made parts of pictures up there; shots "
        "that ran then are asked about or missed; copy the film again from where it was recorded"
    )
