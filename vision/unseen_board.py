"""A board that is not to be seen for a while: the room is dark, the picture white, or something before the camera."""

from __future__ import annotations

import math
from dataclasses import replace

from vision.runners import UNSEEN_WAY
from vision.shots import Episode, Shot, not_a_shot

# of the light in which the board lay at rest: where there is less, grey levels are too few to tell pucks by
DARK = 0.16
LIT_AGAIN = 1.25  # so many times as much there must be for the board to be seen again
# of the same light: where there is less, a hand may hardly differ from what it hides, and seem to be none …
LITTLE = 0.4
PASSES_S = 1.5  # … so that at first more of it is waited for. Play may well go on in it
# of the board: so much more of it must be white than where it lay at rest, as a lamp goes on for which the exposure is
# far too long …
GLARE = 0.25
GLARES_STILL = 0.5  # … until there is so many times as much …
GLARING = 1.25  # … while the light has grown to so many times what it was: else what is white was pale …
GLARES_S = 5.0  # … and no exposure takes longer to follow
# mean grey levels: with fewer no board can be told, and more light is waited for however long that takes …
LEAST_LEVEL = 14.0
# … where less than this is left of the same light: else the board is as dark as it was when it was looked at
GOES_BY = 0.5
# of the board: so much must differ, while nothing of what the camera is watched by is seen, to be covered
COVERED = 0.5
LONG_S = 20.0  # what lasts for longer is how the board looks now, if there is light enough to see anything by
EVERY_S = 0.1  # so often a picture that shows nothing is kept, as one in which a hand covers everything
BESIDE_S = 0.1  # a shot so near to such a time may have gone on in it
GLIMPSED_S = 0.1  # what is seen for a shorter time is no way that a puck was seen to run
IN_LITTLE_LIGHT = "there was little light during the shot"
UNSEEN = "the board was not to be seen during the shot"
UNSEEN_BEFORE = "{} may have been moved before the shot, while the board was not to be seen"


class _Wait:
    """How long something has been lasting, and whether for no longer than it may."""

    def __init__(self, most_s: float) -> None:
        self._most_s = most_s
        self._since: float | None = None

    def lasts(self, time_s: float, on: bool, *, ever: bool = False) -> bool:
        """The next frame, and whether it goes on in it. ever: it may last for as long as it likes"""
        if not on:
            self._since = None
        elif self._since is None:
            self._since = time_s
        return self._since is not None and (ever or time_s - self._since < self._most_s)


class _Spans:
    """Spans of time, from the first to the last frame in which something was so."""

    def __init__(self) -> None:
        self._of_late = list[tuple[float, float]]()
        self._goes_on = False

    def take(self, time_s: float, so: bool) -> None:
        """The next frame, and whether it is so in it."""
        if so:
            self._of_late.append((self._of_late.pop()[0] if self._goes_on else time_s, time_s))
        self._goes_on = so

    def meet(self, start_s: float, end_s: float) -> bool:
        """True where it was so in some moment of a time."""
        return any(since <= end_s and until >= start_s for since, until in self._of_late)

    def hold(self, start_s: float, end_s: float) -> bool:
        """True where it was so all along."""
        return any(since <= start_s and until >= end_s for since, until in self._of_late)

    def forget_before(self, time_s: float) -> None:
        """Forgets those that ended before a moment."""
        self._of_late = [span for span in self._of_late if span[1] >= time_s]
        self._goes_on = self._goes_on and bool(self._of_late)


class UnseenBoard:
    """Follows when the board was not to be seen.

    now: in the last frame; blind: nothing at all is seen in it, so that nobody flicks; else it is less than may be soon
    """

    def __init__(self) -> None:
        self.now = self.blind = False
        self._dark = self._black = self._dims = self._glares = False
        self._hidden, self._glare, self._dim = _Wait(LONG_S), _Wait(GLARES_S), _Wait(PASSES_S)
        self._unseen, self._blind, self._little = _Spans(), _Spans(), _Spans()
        self._began_s = self._kept_s = -math.inf

    def look(self, time_s: float, light: float, level: float, white: float, differs: float, watched: bool) -> None:
        """The next frame. light: against that in which the board lay at rest; level: its mean grey level; white: how
        much more of the board is white than then; differs: the part of it that looks otherwise than then; watched:
        whether anything is seen by which the camera is watched"""
        self._heed(time_s, light, level, white, covered=differs > COVERED and not watched)
        self._unseen.take(time_s, self.now)
        self._blind.take(time_s, self.blind)
        self._little.take(time_s, light < LITTLE)

    def blinds(self, time_s: float, light: float, level: float, white: float) -> bool:
        """True where the board is not to be looked at anew yet, as light may come back, or the exposure follow it.
        Words as of look"""
        self._heed(time_s, light, level, white, covered=False)
        return self.now

    def _heed(self, time_s: float, light: float, level: float, white: float, *, covered: bool) -> None:
        """Sets now and blind."""
        was, hidden = self.blind, self._is_dark(light, level) or covered
        self._black = level < LEAST_LEVEL * (LIT_AGAIN if self._black else 1.0)
        self._dims = light < LITTLE * (LIT_AGAIN if self._dims else 1.0)
        self._glares = light > GLARING and white > GLARE * (GLARES_STILL if self._glares else 1.0)
        hides, glares = self._hidden.lasts(time_s, hidden, ever=self._black), self._glare.lasts(time_s, self._glares)
        self.blind = hides or glares
        self.now = self._dim.lasts(time_s, self._dims and not hidden) or self.blind
        if self.blind and not was:
            self._began_s = time_s

    def _is_dark(self, light: float, level: float) -> bool:
        still = LIT_AGAIN if self._dark else 1.0
        self._dark = light < DARK * still or (level < LEAST_LEVEL * still and light < GOES_BY)
        return self._dark

    def to_be_kept(self, time_s: float) -> bool:
        """True where a frame in which the board is not seen is to be kept: at first each, as after a knock the last are
        left out, and then now and then."""
        due = time_s - self._began_s < EVERY_S or not 0 <= time_s - self._kept_s < EVERY_S
        self._kept_s = time_s if due else self._kept_s
        return due

    def during(self, start_s: float, end_s: float) -> bool:
        """True where the board was not seen in some moment of a shot."""
        return self._unseen.meet(start_s - BESIDE_S, end_s + BESIDE_S)

    def between(self, lay_s: float, left_s: float) -> bool:
        """True where the board was not seen in some moment between when a puck was seen to lie in its place for the
        last time and when it was seen to leave."""
        return self._unseen.meet(lay_s, left_s)

    def in_little_light(self, start_s: float, end_s: float) -> bool:
        """True where there was little light in some moment of a shot."""
        return self._little.meet(start_s - BESIDE_S, end_s + BESIDE_S)

    def all_of(self, start_s: float, end_s: float) -> bool:
        """True where nothing was seen at all from before a shot until after it."""
        return self._blind.hold(start_s + BESIDE_S, end_s - BESIDE_S)

    def heed(self, episode: Episode) -> None:
        """What seems to be a shot while the board was not to be seen is none, nor is what began then and of which only
        the end was seen; another that began or ended then is to be asked about."""
        shot = episode.shot
        if shot is None:
            return
        if self._as_by_a_hand(shot) or self.all_of(shot.start_s, shot.rest_s):
            not_a_shot(episode)
        elif self.during(shot.start_s, shot.rest_s):
            episode.shot = replace(shot, reasons=(*shot.reasons, UNSEEN))
        elif self.in_little_light(shot.start_s, shot.rest_s):
            episode.shot = replace(shot, reasons=(*shot.reasons, IN_LITTLE_LIGHT))
        elif moved := [m.puck for m in shot.motions
                       if m.puck in episode.lay_s and self.between(episode.lay_s[m.puck], m.onset_s)]:  # fmt: skip
            reasons = tuple(UNSEEN_BEFORE.format(puck) for puck in moved)
            episode.shot = replace(shot, reasons=(*shot.reasons, *reasons))

    def _as_by_a_hand(self, shot: Shot) -> bool:
        """True where what seems to be a shot began while the board was not to be seen, and is one puck's, of whose way
        nothing or hardly anything was seen, or that was pushed: where light has just gone, nobody plays, and hands show
        so little that they may seem to be none."""
        hardly = UNSEEN_WAY in shot.reasons or bool(shot.pushed) or shot.rest_s - shot.start_s < GLIMPSED_S
        return len(shot.motions) == 1 and hardly and self._unseen.meet(shot.start_s, shot.start_s)

    def forget_before(self, time_s: float) -> None:
        """Forgets what was before a moment."""
        for spans in (self._unseen, self._blind, self._little):
            spans.forget_before(time_s)


__all__ = ["COVERED", "IN_LITTLE_LIGHT", "UNSEEN", "UNSEEN_BEFORE", "UnseenBoard"]
