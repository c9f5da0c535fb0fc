"""A board that is not to be seen for a while: the room is dark, the picture white, or something before the camera."""

from __future__ import annotations

from collections.abc import Sequence

DARK = 0.16
"""Of the light in which the board lay at rest: where there is less, grey levels are too few to tell pucks by."""
LIT_AGAIN = 1.25
"""So many times as much there must be for the board to be seen again."""
LITTLE = 0.4
"""Of the same light: where there is less, a hand may hardly differ from what it hides, and seem to be none …"""
PASSES_S = 1.5
"""… so that at first more of it is waited for. Play may well go on in it."""
GLARE = 0.25
"""Of the board: so much more of it must be white than where it lay at rest, as a lamp goes on for which the exposure is
far too long …"""
GLARES_STILL = 0.5
"""… until there is so many times as much …"""
GLARING = 1.25
"""… while the light has grown to so many times what it was: else what is white was pale …"""
GLARES_S = 5.0
"""… and no exposure takes longer to follow."""
LEAST_LEVEL = 14.0
"""Mean grey levels: with fewer no board can be told, and more light is waited for however long that takes …"""
GOES_BY = 0.5
"""… where less than this is left of the same light: else the board is as dark as it was when it was looked at."""
COVERED = 0.5
"""Of the board: so much must differ, while nothing of what the camera is watched by is seen, to be covered."""
LONG_S = 20.0
"""What lasts for longer is how the board looks now, if there is light enough to see anything by."""
EVERY_S = 0.1
"""So often a picture that shows nothing is kept, as one in which a hand covers everything."""
BESIDE_S = 0.1
"""A shot so near to such a time may have gone on in it."""
IN_LITTLE_LIGHT = "there was little light during the shot"
UNSEEN = "the board was not to be seen during the shot"
UNSEEN_BEFORE = "{} may have been moved before the shot, while the board was not to be seen"


class UnseenBoard:
    """Follows when the board was not to be seen. now: in the last frame"""

    def __init__(self) -> None:
        self.now = False
        self._dark = self._dims = self._glares = False
        self._since: float | None = None
        self._spans = list[tuple[float, float]]()
        self._little = list[tuple[float, float]]()
        self._kept_s = float("-inf")

    def look(self, time_s: float, light: float, level: float, white: float, differs: float, watched: bool) -> None:
        """The next frame. light: against that in which the board lay at rest; level: its mean grey level; white: how
        much more of the board is white than then; differs: the part of it that looks otherwise than then; watched:
        whether anything is seen by which the camera is watched"""
        hidden = self._is_dark(light, level) or (differs > COVERED and not watched)
        self.now = self._lasts(time_s, hidden, self._may_pass(light, white), level)
        if self.now:
            goes_on = self._spans and self._spans[-1][0] == self._since
            since = self._spans.pop()[0] if goes_on else time_s
            self._spans.append((since, time_s))
        if light < LITTLE:
            goes_on = self._little and time_s - self._little[-1][1] < BESIDE_S
            self._little.append((self._little.pop()[0] if goes_on else time_s, time_s))

    def blinds(self, time_s: float, light: float, level: float, white: float) -> bool:
        """True where the board is not to be looked at anew yet, as light may come back, or the exposure follow it.
        Words as of look"""
        self.now = self._lasts(time_s, self._is_dark(light, level), self._may_pass(light, white), level)
        return self.now

    def _is_dark(self, light: float, level: float) -> bool:
        still = LIT_AGAIN if self._dark else 1.0
        self._dark = light < DARK * still or (level < LEAST_LEVEL * still and light < GOES_BY)
        return self._dark

    def _may_pass(self, light: float, white: float) -> bool:
        """Whether there is too little light, or far too much, as there may be for a while."""
        self._dims = light < LITTLE * (LIT_AGAIN if self._dims else 1.0)
        self._glares = light > GLARING and white > GLARE * (GLARES_STILL if self._glares else 1.0)
        return self._dims or self._glares

    def _lasts(self, time_s: float, hidden: bool, passes: bool, level: float) -> bool:
        """Whether the board is not to be seen, and has been so for no longer than it may."""
        if not (hidden or passes):
            self._since = None
        elif self._since is None:
            self._since = time_s
        most_s = LONG_S if hidden else PASSES_S if self._dims else GLARES_S
        return self._since is not None and (level < LEAST_LEVEL or time_s - self._since < most_s)

    def to_be_kept(self, time_s: float) -> bool:
        """True where a frame in which the board is not seen is to be kept: at first each, as after a knock the last are
        left out, and then now and then."""
        begins = self._since is not None and time_s - self._since < EVERY_S
        due = begins or not 0 <= time_s - self._kept_s < EVERY_S
        self._kept_s = time_s if due else self._kept_s
        return due

    def during(self, start_s: float, end_s: float) -> bool:
        """True where the board was not seen in some moment of a shot."""
        return _meet(self._spans, start_s, end_s)

    def between(self, lay_s: float, left_s: float) -> bool:
        """True where the board was not seen in some moment between when a puck was seen to lie in its place for the
        last time and when it was seen to leave."""
        return any(since < left_s and until > lay_s for since, until in self._spans)

    def as_it_began(self, start_s: float) -> bool:
        """True where the board was not seen just when a shot began."""
        return any(since <= start_s <= until for since, until in self._spans)

    def in_little_light(self, start_s: float, end_s: float) -> bool:
        """True where there was little light in some moment of a shot."""
        return _meet(self._little, start_s, end_s)

    def all_of(self, start_s: float, end_s: float) -> bool:
        """True where the board was not seen from before a shot until after it."""
        return any(since <= start_s + BESIDE_S and until >= end_s - BESIDE_S for since, until in self._spans)

    def forget_before(self, time_s: float) -> None:
        """Forgets what was before a moment."""
        self._spans, self._little = ([s for s in spans if s[1] >= time_s] for spans in (self._spans, self._little))


def _meet(spans: Sequence[tuple[float, float]], start_s: float, end_s: float) -> bool:
    """True where some of spans, from and until so many seconds, lie in a time, or just beside it."""
    return any(since <= end_s + BESIDE_S and until >= start_s - BESIDE_S for since, until in spans)


__all__ = ["COVERED", "IN_LITTLE_LIGHT", "UNSEEN", "UNSEEN_BEFORE", "UnseenBoard"]
