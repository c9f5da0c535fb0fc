"""An episode while it goes on: all that is kept of it until the board rests again."""

from __future__ import annotations

from collections.abc import Iterable

from vision.frames import Image
from vision.lingering import Lingering
from vision.records import Record, Records
from vision.sighted import Sighted
from vision.stirs import BesideHand
from vision.tone import Levels, toned

EPISODE_MAX_S = 20.0  # of what lasts for longer only the end is kept: no shot does, and memory is bounded


class Ongoing:
    """The episode that goes on.

    on: whether something is going on at all; hand: whether a hand reaches in; records: what of each frame differed;
    latest: the newest frame; missed: frames that the source lost; told: whether anything was told of this episode;
    barred: whether an arm was barred in it; watched: what was seen of it when it was solved last
    """

    def __init__(self) -> None:
        self.on = self.hand = self.told = self.barred = False
        self.records = Records()
        self.latest: Image | None = None
        self.missed = 0
        self.beside_hand, self.lingering = BesideHand(), Lingering()
        self.watched: Sighted | None = None

    def begin(self, preroll: Iterable[Record]) -> None:
        """Something begins. preroll: of the frames right before it"""
        self.on, self.told = True, False
        self.latest, self.missed = None, 0
        self.lingering.begin()
        self.beside_hand.clear()
        for record in preroll:
            self.records.add(record)

    def forget(self) -> None:
        """What was seen until now does not count any more."""
        self.records.clear()
        self.watched, self.barred = None, False

    def forget_before(self, time_s: float) -> None:
        """Of what lasts for too long only the end is kept. time_s: of the newest frame"""
        self.records.forget_before(time_s - EPISODE_MAX_S)

    def straighten(self, curve: Levels) -> None:
        """Puts other levels in the levels' place in all pictures that are kept."""
        self.records.tone(curve)
        self.watched = None
        if self.latest is not None:
            self.latest = toned(self.latest, curve)
