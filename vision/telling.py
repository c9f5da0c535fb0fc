"""What an episode came to, as the contract's events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from calibration.board import Board
from vision.crossings import lies_on_gate
from vision.events import (
    Contact,
    DoorCrossed,
    Event,
    GatePassed,
    LeftBoard,
    PuckMoved,
    PuckPlaced,
    PuckRemoved,
    PuckSeen,
    ShotEnded,
    ShotStarted,
)
from vision.explain import Explained
from vision.frames import Frame, Image
from vision.knock import Since
from vision.known import Known
from vision.rolling_on import RollingOn
from vision.roster import Roster, TrackedPuck
from vision.shots import Episode, Handled, Shot
from vision.view import TopView

Places = Mapping[str, tuple[float, float]]
HANDLED = {"removed": PuckRemoved, "moved": PuckMoved, "placed": PuckPlaced}


class Teller:
    """Tells it, and keeps where every puck lies since.

    shots: how many have been told; any: whether anything was told of any puck; explained: the last shot, and what it
    was decided on; rolling: its pucks, which may roll on
    """

    def __init__(self, known: Known) -> None:
        self._known = known
        self.shots, self.any = 0, False
        self.explained: Explained | None = None
        self.rolling = RollingOn()

    def tell(self, episode: Episode, image: Image, stayed: Places, was: tuple[Image, TopView]) -> list[Event]:
        """What an episode came to. image: the board as it lies now; stayed: where pucks lie now that lay still, or were
        only shifted a little; was: the board as it lay before, from above."""
        known, shot, events = self._known, episode.shot, list[Event]()
        pucks, now = known.pucks, {**stayed, **{i: disc.place for i, disc in episode.ends.items()}}
        self.any = self.any or shot is not None or bool(episode.handled)
        if shot is not None:
            labels = {p.puck: f"{p.team} {p.number if p.number is not None else p.puck}" for p in pucks}
            self.shots += 1
            events += shot_events(shot, self.shots, known.board, pucks.seen(), now)
            self.explained = Explained(self.shots, shot, *was, labels, known.reefs.known)
            self.rolling.tell(shot, known.time_s)
        known.doubtful.proved(now.keys() | episode.gone)
        handled = _follow(pucks, episode, now)
        if shot is not None and shot.reasons:
            pucks.mixed_up(episode.ends)
        if shot is not None or episode.handled:
            known.read(image, [*episode.ends, *(p.puck for h, p in handled if h.kind != "removed")])
        for h, p in handled:
            events.append(HANDLED[h.kind](h.time_s, p.puck, *h.place, p.team, p.number))
        return events

    def tell_since(self, since: Since, frame: Frame) -> list[Event]:
        """Where the board was looked at anew: what has changed on it. frame: that in which it was"""
        known, events = self._known, list[Event]()
        for puck in list(known.pucks):
            if puck.puck in since.gone:
                events.append(PuckRemoved(frame.time_s, puck.puck, *puck.place, puck.team, puck.number))
                known.pucks.remove(puck.puck)
            elif puck.puck in since.found:
                puck.move(since.found[puck.puck].place)
                if puck.puck in since.moved:
                    known.read(frame.image, [puck.puck])  # it may be another one of its team
                    events.append(PuckMoved(frame.time_s, puck.puck, *puck.place, puck.team, puck.number))
        for disc in since.new:
            new = known.pucks.add(disc.team, disc.place)
            known.read(frame.image, [new.puck])
            events.append(PuckPlaced(frame.time_s, new.puck, *disc.place, new.team, new.number))
        self.any = self.any or bool(events)
        return events


def _follow(pucks: Roster, episode: Episode, now: Places) -> list[tuple[Handled, TrackedPuck]]:
    """Puts every puck where it lies since an episode. now: by id. -> what hands did with which puck"""
    for puck, place in now.items():
        pucks[puck].move(place)
    handled: list[tuple[Handled, TrackedPuck]] = []
    for h in episode.handled:
        if h.kind == "placed" and h.disc is not None:
            handled.append((h, pucks.add(h.disc.team, h.place)))
        elif h.puck is not None:
            handled.append((h, pucks[h.puck]))
    for gone in episode.gone:
        pucks.remove(gone)
    for made_up in episode.made_up:
        pucks.forget(made_up)
    return handled


def shot_events(
    shot: Shot, number: int, board: Board, before: Iterable[PuckSeen], now: Places
) -> list[Event]:
    """What is told of a shot, in the contract's order.

    number: the shot's; before: the pucks as they lay; now: by id, where those lie that lie elsewhere than before.
    """
    before = tuple(before)
    middle: list[Event] = [
        Contact(max(t.time_s, shot.start_s), number, t.striker, t.struck, t.x_mm, t.y_mm, t.confidence)
        for t in shot.graph.touches
    ]
    middle += [DoorCrossed(c.time_s, number, c.puck, c.door, c.direction, c.confidence) for c in shot.crossings]
    middle += [GatePassed(p.time_s, number, p.puck) for p in shot.passages]
    middle += [LeftBoard(p.time_s, number, p.puck) for p in shot.exits]
    middle.sort(key=lambda e: e.t)
    lost = {m.puck for m in shot.motions if m.end is None}
    lies = [
        p._replace(x_mm=now[p.puck][0], y_mm=now[p.puck][1]) if p.puck in now else p
        for p in before if p.puck not in lost
    ]  # fmt: skip
    on_gate = tuple(p.puck for p in lies if lies_on_gate(board, p.x_mm, p.y_mm))
    last = max([shot.rest_s, *(e.t for e in middle)])
    return [
        ShotStarted(shot.start_s, number, shot.flicked, before, shot.pushed),
        *middle,
        ShotEnded(last, number, tuple(lies), on_gate, bool(shot.reasons), shot.reasons),
    ]
