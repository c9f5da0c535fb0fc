"""What an episode keeps of its frames: all that is to be seen, in a bounded memory."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.aside import aside
from vision.frames import Image
from vision.records import Masks, Record, Records, empty, toned_records
from vision.streaks import CHANGE_LEVEL

SIZE = (400, 300)
CORNER = (30, 50)
LIGHT = np.full((30, 40, 3), 0.8, np.float32)
PUCK, FINGER = (250, 180), (60, 80)  # x, y in the part


def board() -> Image:
    """A textured board at rest, (360, 480, 3)."""
    grain = np.random.default_rng(4).integers(60, 160, (36, 48, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(grain, (480, 360), interpolation=cv2.INTER_CUBIC))


def part(noise: float = 0.0) -> Image:
    """The board in less light, with a puck and a finger far from each other."""
    (x, y), (w, h) = CORNER, SIZE
    out = board()[y : y + h, x : x + w] * 0.8 + np.random.default_rng(5).normal(0, 1, (h, w, 3)) * noise
    seen = np.clip(out, 0, 255).astype(np.uint8)
    cv2.circle(seen, PUCK, 15, (20, 20, 220), -1)
    cv2.ellipse(seen, FINGER, (40, 12), 20, 0, 360, (120, 150, 200), -1)
    return seen


def record(time_s: float = 0.0, noise: float = 0.0) -> Record:
    return Record(time_s, CORNER, SIZE, LIGHT, board(), part(noise))


@pytest.mark.parametrize("noise", [0.0, 1.5, 3.0])
def test_tiles_show_all_that_is_not_the_board(noise: float) -> None:
    whole, packed = record(noise=noise), record(noise=noise).packed()
    assert packed.whole is None
    assert packed.patch.shape == whole.patch.shape
    off = cv2.absdiff(packed.patch, whole.patch).max(axis=2)
    assert off.max() <= CHANGE_LEVEL + 3 * noise
    for x, y in (PUCK, FINGER):
        assert not off[y - 30 : y + 30, x - 30 : x + 30].any()


def test_where_something_else_may_be_seen_is_told_by_tiles_and_by_the_whole() -> None:
    at_rest = Record(0.0, CORNER, SIZE, np.ones_like(LIGHT), board(), board()[50:350, 30:430].copy())
    cv2.circle(at_rest.whole, PUCK, 15, (20, 20, 220), -1)
    beside, outside = (PUCK[0] - 100, PUCK[1] + 60), (-5, -5)
    px = np.array([PUCK, beside, outside]) + CORNER
    for seen in (at_rest, at_rest.packed()):
        assert seen.changed_at(px).tolist() == [True, False, False]
    assert record().packed().changed_at(np.array([FINGER, beside]) + CORNER).tolist() == [True, False]
    assert empty(0.0, LIGHT, board()).changed_at(px).tolist() == [False] * 3


def test_tiles_take_a_fraction_of_the_memory() -> None:
    kept = sum(tile.nbytes for _, _, tile in record(noise=1.5).packed().kept_tiles())
    assert kept < 0.3 * part().nbytes


def test_a_box_is_cut_from_tiles_as_from_the_whole() -> None:
    packed = record().packed()
    for box in ((0, 0, 400, 300), (200, 150, 290, 260), (-20, -10, 90, 100), (390, 290, 500, 500), (500, 0, 600, 90)):
        x0, y0, x1, y1 = box
        cut = packed.cut(*box)
        assert cut.size == record().cut(*box).size
        if cut.size:
            assert (cut == packed.patch[max(y0, 0) : y1, max(x0, 0) : x1]).all()


def test_a_part_that_is_found_out_aside_is_the_same_part() -> None:
    later = replace(record(), whole=aside(part))
    assert later.nbytes == record().nbytes == part().nbytes
    assert (later.patch == part()).all()
    assert (later.packed().patch == record().packed().patch).all()
    assert later.packed().nbytes == 0
    darker = np.arange(256, dtype=np.uint8) // 2
    (toned,) = toned_records([later], darker)
    assert (toned.patch == part() // 2).all()


def test_the_newest_frames_are_kept_whole_and_all_are_kept() -> None:
    records = Records(whole_bytes=3 * part().nbytes)
    for k in range(8):
        records.add(record(float(k)))
    assert [r.time_s for r in records] == [float(k) for k in range(8)]
    assert [r.whole is not None for r in records] == [False] * 5 + [True] * 3
    records.forget_before(6.0)
    assert [r.time_s for r in records] == [6.0, 7.0]
    records.add(record(8.0))
    assert all(r.whole is not None for r in records)
    records.clear()
    assert len(records) == 0


def test_a_frame_without_change_stays_empty() -> None:
    bare = empty(1.0, LIGHT, board())
    assert bare.packed().patch.shape == (0, 0, 3)
    assert bare.cut(0, 0, 9, 9).size == 0


def test_masks_come_back_as_they_were_however_many() -> None:
    rng = np.random.default_rng(6)
    given = [rng.integers(0, 2, (20 + k, 33), dtype=np.uint8) for k in range(12)] + [np.zeros((0, 0), np.uint8)]
    masks = Masks(most_bytes=2000)
    for mask in given:
        masks.append(mask)
    assert len(masks) == len(given)
    others = Masks()
    others.take(masks, 3)
    others.take(masks, 12)
    assert (others[0] == given[3]).all()
    assert others[1].shape == (0, 0)
    for k in (*range(13), 3, 0, 12):
        assert masks[k].shape == given[k].shape
        assert (masks[k] == given[k]).all()
