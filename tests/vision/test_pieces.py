"""The pieces of a mask, against another library's."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from skimage.measure import label

from vision.pieces import largest, pieces


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("share", [0.1, 0.45, 0.6, 0.9])
def test_the_pieces_are_those_that_scikit_image_finds(seed: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    mask = (rng.random((40, 57)) < share).astype(np.uint8)
    labels, count = label(mask, connectivity=2, return_num=True)
    wanted = {bytes(np.packbits(labels == k)) for k in range(1, count + 1) if (labels == k).sum() > 3}
    found = set()
    for piece in pieces(mask, 3):
        whole = np.zeros_like(mask)
        whole[piece.window] = piece.inside
        assert piece.pixels == cv2.countNonZero(whole)
        assert piece.size == (whole[piece.window].shape[1], whole[piece.window].shape[0])
        found.add(bytes(np.packbits(whole > 0)))
    assert found == wanted


def test_the_largest_is_told_with_its_holes() -> None:
    mask = np.zeros((30, 30), np.uint8)
    mask[2:12, 3:13] = 255
    mask[5:8, 6:9] = 0
    mask[20:24, 20:24] = 255
    assert largest(mask) == 100
    assert largest(np.zeros_like(mask)) == 0


def test_an_island_in_a_hole_is_a_piece_of_its_own() -> None:
    mask = np.zeros((30, 30), np.uint8)
    mask[2:22, 2:22] = 1
    mask[5:19, 5:19] = 0
    mask[9:14, 9:14] = 1
    assert sorted(piece.pixels for piece in pieces(mask)) == [25, 400 - 14 * 14]
