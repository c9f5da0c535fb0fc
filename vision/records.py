"""What an episode keeps of its frames: the changed part of each, within a bounded memory.

A hand in one corner and a puck in the other make nearly the whole board the changed part, 3 MiB a frame at 1080p, and
most of it is bare board. So the older frames of a long episode keep only the tiles in which something is to be seen;
the others show what the board looked like, in the light of the frame.
"""

from __future__ import annotations

import math
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.aside import aside
from vision.frames import Image
from vision.pieces import large_pieces
from vision.streaks import CHANGE_LEVEL, Ground, strongest
from vision.tone import toned

Mask = NDArray[np.uint8]
Tile = tuple[int, int, Image]

WHOLE_BYTES = 24 * 2**20  # of parts that are kept as they are: most episodes at 720p
MASK_BYTES = 6 * 2**20  # of masks that are kept as they are
TILE_PX = 32  # side of a tile: pucks of the box's size are 24 to 34 wide in a top view
SPECK_PX = 16  # a piece of change that is no larger is noise: a sixteenth of the smallest puck
ROUND_PX = 15  # pixels around a change that are kept with it


@dataclass(frozen=True, slots=True)
class Record:
    """One frame of an episode: what changed in the top view.

    corner: (x, y) of the part in the view; size: its (width, height) in pixels; light: (rows, columns, 3) against the
    board at rest; base: (h, w, 3) top view of the board as it then lay at rest; whole: the part itself, or None where
    only the tiles of it (x, y, picture) are kept. Either may be found out aside.
    """

    time_s: float
    corner: tuple[int, int]
    size: tuple[int, int]
    light: NDArray[np.float32]
    base: Image
    whole: Image | Future[Image] | None
    tiles: tuple[Tile, ...] | Future[tuple[Tile, ...]] = ()

    @property
    def patch(self) -> Image:
        """(h, w, 3) the changed part of the top view."""
        return self.cut(0, 0, *self.size)

    def cut(self, x0: int, y0: int, x1: int, y1: int) -> Image:
        """What of a box of the part's own pixels lies in the part. -> (h, w, 3), to be read only"""
        x0, x1 = (min(max(x, 0), self.size[0]) for x in (x0, x1))
        y0, y1 = (min(max(y, 0), self.size[1]) for y in (y0, y1))
        if (whole := self._whole()) is not None:
            return whole[y0:y1, x0:x1]
        if x1 <= x0 or y1 <= y0:
            return np.zeros((0, 0, 3), np.uint8)
        out = self._bare(x0, y0, x1, y1)
        for x, y, tile in self.kept_tiles():
            left, top = max(x, x0), max(y, y0)
            seen = tile[top - y : max(y1 - y, 0), left - x : max(x1 - x, 0)]
            if seen.size:
                out[top - y0 : top - y0 + seen.shape[0], left - x0 : left - x0 + seen.shape[1]] = seen
        return out

    def changed_at(self, px: NDArray[np.int64]) -> NDArray[np.bool_]:
        """(N,) whether something else may be seen at pixels (N, 2) of the top view than the board as it then lay."""
        out, at = np.zeros(len(px), np.bool_), px - self.corner
        inside = np.flatnonzero(((at >= 0) & (at < self.size)).all(axis=1))
        if not len(inside):
            return out
        at = at[inside]
        if (whole := self._whole()) is not None:
            before = self.base[px[inside, 1], px[inside, 0]]
            out[inside] = cv2.absdiff(whole[at[:, 1], at[:, 0]], before).max(axis=1) > CHANGE_LEVEL
        elif tiles := self.kept_tiles():
            of = at // TILE_PX
            out[inside] = np.isin(of[:, 1] * self.size[0] + of[:, 0],
                                  [y // TILE_PX * self.size[0] + x // TILE_PX for x, y, _ in tiles])  # fmt: skip
        return out

    def _bare(self, x0: int, y0: int, x1: int, y1: int) -> Image:
        """The board as it lay at rest, in a box of the part and in the frame's light."""
        return Ground(self.base).lit((self.corner[0] + x0, self.corner[1] + y0), (y1 - y0, x1 - x0, 3), self.light)

    def packed(self) -> Record:
        """The same of which only the tiles are kept that show something else than the board at rest."""
        if self.whole is None or 0 in self.size:
            return self
        return replace(self, whole=None, tiles=aside(self._busy_tiles))

    def toned(self, curve: NDArray[np.uint8], base: Image) -> Record:
        """The same with other levels in its pictures' levels' place. curve: (256,); base: in these levels"""
        whole = self._whole()
        shown = whole if whole is None or whole.size == 0 else toned(whole, curve)
        tiles = tuple((x, y, toned(tile, curve)) for x, y, tile in self.kept_tiles())
        return replace(self, base=base, whole=shown, tiles=tiles)

    def _busy_tiles(self) -> tuple[Tile, ...]:
        whole = self.patch
        busy = strongest(np.asarray(cv2.absdiff(whole, self._bare(0, 0, *self.size))), CHANGE_LEVEL)
        clear: Any = cv2.morphologyEx(busy, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))  # no single pixels of noise
        seen = large_pieces(np.asarray(clear), SPECK_PX)
        return tuple((x, y, whole[y : y + TILE_PX, x : x + TILE_PX].copy()) for x, y in _tiles_with(seen))

    def _whole(self) -> Image | None:
        return self.whole.result() if isinstance(self.whole, Future) else self.whole

    def kept_tiles(self) -> tuple[Tile, ...]:
        """Those that show something else than the board at rest; none where the part is kept as it is."""
        return self.tiles.result() if isinstance(self.tiles, Future) else self.tiles

    @property
    def nbytes(self) -> int:
        """What the part takes where it is kept as it is."""
        return 0 if self.whole is None else 3 * math.prod(self.size)


def toned_records(records: Iterable[Record], curve: NDArray[np.uint8]) -> list[Record]:
    """The same with other levels in their pictures' levels' place. curve: (256,)"""
    bases: dict[int, Image] = {}  # many records have the same
    out = []
    for r in records:
        if id(r.base) not in bases:
            bases[id(r.base)] = toned(r.base, curve)
        out.append(r.toned(curve, bases[id(r.base)]))
    return out


def empty(time_s: float, light: NDArray[np.float32], base: Image) -> Record:
    """The record of a frame in which nothing has changed."""
    return Record(time_s, (0, 0), (0, 0), light, base, np.zeros((0, 0, 3), np.uint8))


def _tiles_with(busy: Mask) -> list[tuple[int, int]]:
    """Corners (x, y) of the tiles that hold anything of a mask, or lie within ROUND_PX of it."""
    around = cv2.dilate(busy, np.ones((2 * ROUND_PX + 1, 2 * ROUND_PX + 1), np.uint8))
    rows, columns = (math.ceil(n / TILE_PX) for n in busy.shape)
    padded = np.zeros((rows * TILE_PX, columns * TILE_PX), np.uint8)
    padded[: busy.shape[0], : busy.shape[1]] = around
    held = padded.reshape(rows, TILE_PX, columns, TILE_PX).max(axis=(1, 3))
    return [(int(c) * TILE_PX, int(r) * TILE_PX) for r, c in zip(*np.nonzero(held), strict=True)]


@dataclass(slots=True)
class Records:
    """The frames of an episode, oldest first. whole_bytes: how much of them is kept as it was, the newest first."""

    whole_bytes: int = WHOLE_BYTES
    _kept: deque[Record] = field(default_factory=deque)
    _packed: int = 0
    _bytes: int = 0

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[Record]:
        return iter(self._kept)

    def first(self) -> Record:
        """The oldest."""
        return self._kept[0]

    def last(self) -> Record:
        """The newest."""
        return self._kept[-1]

    def add(self, record: Record) -> None:
        """Takes the next frame's record in."""
        self._kept.append(record)
        self._bytes += record.nbytes
        while self._bytes > self.whole_bytes and self._packed < len(self._kept) - 1:
            older = self._kept[self._packed]
            self._kept[self._packed] = older.packed()
            self._bytes -= older.nbytes
            self._packed += 1

    def tone(self, curve: NDArray[np.uint8]) -> None:
        """Puts other levels in all pictures' levels' place. curve: (256,)"""
        self._kept = deque(toned_records(self._kept, curve))

    def forget_before(self, time_s: float) -> None:
        """Leaves out what is older."""
        while self._kept and self._kept[0].time_s < time_s:
            self._bytes -= self._kept.popleft().nbytes
            self._packed = max(self._packed - 1, 0)

    def clear(self) -> None:
        """Forgets all."""
        self._kept.clear()
        self._packed = self._bytes = 0


class Masks(Sequence[Mask]):
    """Masks of 0 and 1, a bit a pixel; those asked for last are kept as they are, up to `most_bytes`."""

    def __init__(self, most_bytes: int = MASK_BYTES) -> None:
        self._bits: list[tuple[tuple[int, ...], NDArray[np.uint8]]] = []
        self._whole: OrderedDict[int, Mask] = OrderedDict()
        self._most_bytes = most_bytes
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._bits)

    def append(self, mask: Mask) -> None:
        """Takes the next mask in, which must not be changed after."""
        self._bits.append((mask.shape, np.packbits(mask)))
        self._keep(len(self._bits) - 1, mask)

    def take(self, other: Masks, index: int) -> None:
        """Takes one of others in, as it is kept there."""
        self._bits.append(other._bits[index])

    def __getitem__(self, index: int) -> Mask:  # type: ignore[override]  # nobody asks for slices
        """(h, w) a mask, to be read only."""
        if index in self._whole:
            self._whole.move_to_end(index)
            return self._whole[index]
        shape, bits = self._bits[index]
        mask = np.unpackbits(bits, count=math.prod(shape)).reshape(shape)
        self._keep(index, mask)
        return mask

    def pack(self) -> None:
        """Keeps no mask as it is until it is asked for."""
        self._whole.clear()
        self._bytes = 0

    def _keep(self, index: int, mask: Mask) -> None:
        self._whole[index] = mask
        self._bytes += mask.nbytes
        while self._bytes > self._most_bytes and len(self._whole) > 1:
            self._bytes -= self._whole.popitem(last=False)[1].nbytes
