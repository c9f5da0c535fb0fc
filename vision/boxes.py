"""Boxes of pictures: upright rectangles of whole pixels, and which of them meet."""

from __future__ import annotations

from collections.abc import Iterable

Box = tuple[int, int, int, int]  # x0, y0, x1, y1 in pixels; the column x1 and the row y1 are outside


def crossing(a: Box, b: Box) -> Box | None:
    """What two boxes share; None where they do not overlap."""
    x0, y0, x1, y1 = max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])
    return (x0, y0, x1, y1) if x1 > x0 and y1 > y0 else None


def merged(boxes: Iterable[Box]) -> list[Box]:
    """Boxes, none of them empty, of which those that overlap are made one, until none does."""
    out: list[Box] = []
    for box in boxes:
        while (other := next((o for o in out if crossing(box, o)), None)) is not None:
            out.remove(other)
            box = (min(box[0], other[0]), min(box[1], other[1]), max(box[2], other[2]), max(box[3], other[3]))
        out.append(box)
    return out
