"""When the board is looked at: how long nothing must have stirred, and how often a verdict is put off."""

from __future__ import annotations

from vision.shots import Episode

QUIET_S = 0.10  # without motion for so long, and no hand about, the board rests
CALM_S = 0.07  # without motion but a hand's for so long, and two frames at the least, it may be a sure shot's end
STUCK_S = 0.6  # with something lying still on the board for so long, the rest of the board is looked at anyway
LAID_S = 15.0  # what does not stir for so long is no hand any more, but a thing that was laid down
LOST_S = 1.0  # no puck runs for longer
PUT_OFF_MOST = 8  # times that a verdict waits for a puck that runs and makes no stir: it stops within a second …
UNSEEN_MOST = 3  # … and for one that is not seen to lie where it is found: it may run on, hardly other than the ground


class Patience:
    """Counts the time in which nothing stirs. quiet_s: how long that has been"""

    def __init__(self) -> None:
        self.quiet_s = 0.0
        self._looked_s = 0.0  # how long that had been when the board was looked at although a hand was there
        self._looked_at_edge_s = 0.0  # the same, for what may be a puck that hangs over the border
        self._put_off = 0  # how often this episode's verdict was, as a puck still ran

    def saw(self, moving: bool, dt: float, still_s: float = 0.0) -> None:
        """The next frame, dt seconds later, and whether anything moves in it; still_s: for how long nothing has, where
        that was not known so far."""
        self.quiet_s = 0.0 if moving else max(self.quiet_s + dt, still_s)

    def begin_anew(self) -> None:
        """What was seen does not count: it begins anew."""
        self.quiet_s = 0.0

    @property
    def quiet(self) -> bool:
        """True where nothing has stirred for long enough."""
        return self.quiet_s >= QUIET_S

    def rests(self, frame_s: float) -> bool:
        """True where nothing has stirred for so long that the board rests, to half a frame of frame_s seconds."""
        return self.quiet_s > QUIET_S - frame_s / 2

    def unsettled(self) -> None:
        """The board does not rest: when a hand may be looked past begins anew."""
        self._looked_s = self._looked_at_edge_s = 0.0

    def new_shot(self) -> None:
        """No verdict of it was put off yet."""
        self._put_off = 0

    def due(self, hand: bool, doubted: bool) -> bool:
        """True where the board is to be looked at, although a hand may be about.

        doubted: that may be what a hand left behind which lay there at first.
        """
        if not hand or doubted:
            return self.quiet_s >= min(2 * self._looked_s, LAID_S)
        return self.quiet_s >= (LAID_S if self._looked_s else STUCK_S)

    @property
    def due_at_edge(self) -> bool:
        """True where the board is to be looked at, as what reaches in may be a puck that came to lie at the border."""
        return self.quiet_s >= 2 * self._looked_at_edge_s

    @property
    def laid(self) -> bool:
        """True where whatever is on the board was laid down there: no hand holds still for so long."""
        return self.quiet_s >= LAID_S

    def looked(self, *, at_edge: bool = False) -> None:
        """The board was looked at. at_edge: for what may be a puck at the border, which puts no other look off"""
        self._looked_at_edge_s = self.quiet_s
        if not at_edge:
            self._looked_s = self.quiet_s

    def goes_on(self, episode: Episode, time_s: float, beside_hand: bool, looked_long: bool) -> bool:
        """True where a puck may still be running, although nothing seems to stir: sets when to look again.

        beside_hand: a hand is about; looked_long: many frames were looked at.
        """
        left_s = LOST_S - (time_s - episode.lost_s) if episode.lost_s is not None else 0.0
        if left_s > 0:  # where it is hardly other than the ground
            self._looked_s = min(self._looked_s, (self.quiet_s + left_s) / 2)  # and no later than then
            self._looked_at_edge_s = min(self._looked_at_edge_s, self._looked_s)
            return True
        unseen = episode.shot is not None and not episode.rests and not looked_long
        if beside_hand:
            return episode.running or unseen
        if self._put_off < (PUT_OFF_MOST if episode.running else UNSEEN_MOST if unseen else 0):
            self._put_off += 1
            self.quiet_s = 0.0
            return True
        return False


def calm(calm_s: float, frame_s: float) -> bool:
    """True where nothing but a hand has stirred for so long that a look for a sure shot is worth while.

    frame_s: how long a frame takes
    """
    return calm_s > min(QUIET_S, max(CALM_S, 2 * frame_s)) - frame_s / 2
