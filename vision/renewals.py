"""What a coder does to a picture long after something has moved.

A stream that is coded hard leaves out what differs little, and puts it right bit by bit: where a hand has been, blocks
change for half a second and more, and each whole picture changes many at once. None of it changes by much. Pucks and
hands do, where they stir for so long; so what stirs but faintly for longer is the coder, and the board rests.
"""

from __future__ import annotations

BOLD, BOLD_MOST = 0.3, 26.0  # of the picture's level, and grey levels: what changes by more between two frames is bold
FAINT_S = 0.45  # with nothing but faint stirs for so long, it is a coder; no puck runs for as long and shows so little
LASTS_S = 30.0  # after which a stream that did not do it again is taken for one that does not
LEAST, LEAST_MOST = 0.15, 16.0  # of the level, and grey levels: what changes by less in such a stream is no change


class Renewals:
    """Tells a coder's renewals from what stirs on the board.

    still_s: for how long nothing has stirred but faintly, or nothing at all; seen: whether the stream is one whose
    coder renews the picture bit by bit
    """

    def __init__(self) -> None:
        self.still_s, self.seen = 0.0, False
        self._faint_s = 0.0  # of that, with faint stirs; where nothing stirs for as long they count no more
        self._since_s = 0.0  # a coder was last found out

    def look(self, *, stirs: bool, boldly: bool, dt: float) -> None:
        """The next frame, dt seconds after the one before. stirs: whether anything stirs beyond noise; boldly: whether
        it does by more than bold() as well, or is not to be told from that"""
        self._since_s += dt
        if boldly:
            self.still_s = self._faint_s = 0.0
        else:
            self.still_s += dt
            self._faint_s = max(self._faint_s + (dt if stirs else -dt), 0.0)
        if self.only:
            self.seen, self._since_s = True, 0.0
        elif self._since_s > LASTS_S:
            self.seen = False

    @property
    def only(self) -> bool:
        """Whether things have stirred for so long, but faintly, that it is the coder."""
        return self._faint_s >= FAINT_S

    def least(self, level: float) -> float:
        """Grey levels by which anything must change at the least. level: how bright the picture is, in grey levels"""
        return min(LEAST * level, LEAST_MOST) if self.seen else 0.0


def bold(level: float, threshold: float) -> float:
    """Grey levels beyond which a change between two frames is bold. level: how bright the picture is; threshold: beyond
    which it is no noise, both in grey levels"""
    return max(min(BOLD * level, BOLD_MOST), threshold)


__all__ = ["FAINT_S", "LASTS_S", "Renewals", "bold"]
