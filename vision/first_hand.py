"""A hand that was over the board when it was looked at first: it hid what lay there, or was taken for it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.frames import Image
from vision.tone import toned

PROVEN_S = 0.5  # a hand that is about does not hold still for so long
DOUBT_S = 6.0  # and has left after so long, or rests on the board for good


@dataclass(slots=True)
class FirstHand:
    """What is known of it.

    doubted: whether one may have been there; veil: (h, w) of the top view where one was that has left, else None;
    top: (h, w, 3) what the board looked like with it, from above, for as long as it takes until nothing stirs.
    """

    doubted: bool = False
    veil: NDArray[np.bool_] | None = None
    top: Image | None = None
    _for_s: float = 0.0

    def passes(self, dt: float) -> None:
        """So many seconds have passed since the last frame."""
        if self.doubted:
            self._for_s += dt
            self.doubted = self._for_s < DOUBT_S

    def lies_still(self, still_s: float) -> None:
        """The board has been lying still for so long."""
        self.doubted = self.doubted and still_s < PROVEN_S

    def left(self, ghost: NDArray[np.bool_]) -> None:
        """It has left. ghost: (h, w) of the top view where it was"""
        if ghost.any():
            self.veil = ghost if self.veil is None else self.veil | ghost

    def looked_like(self, top: Image) -> None:
        """What the board looked like with it, from above: the first time counts. top: (h, w, 3)"""
        self.top = top if self.top is None else self.top

    def lifted(self) -> NDArray[np.bool_] | None:
        """Where it was, once: what lies there has been seen since."""
        veil, self.veil = self.veil, None
        return veil

    def tone(self, curve: NDArray[np.uint8]) -> None:
        """Puts other levels in the picture's levels' place. curve: (256,)"""
        if self.top is not None:
            self.top = toned(self.top, curve)
