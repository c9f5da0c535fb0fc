"""The pieces of a mask, against another library's."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest
from skimage.measure import label

from vision.pieces import LABELS, MANY, MANY_RUNS, Mask, large_pieces, largest, light_pieces, pieces, pixels_of


def noise(shape: tuple[int, int], share: float, seed: int, grain: int = 1) -> Mask:
    """Noise of which a share is 1, in squares of some pixels."""
    mask = (np.random.default_rng(seed).random(shape) < share).astype(np.uint8)
    return np.kron(mask, np.ones((grain, grain), np.uint8))


EACH = pytest.mark.parametrize("mask", [
    pytest.param(noise(shape, share, seed, grain), id=f"{shape[0]}-{share}-{seed}-{grain}")
    for shape, share, seed, grain in (
        *itertools.product(((40, 57), (140, 130)), (0.1, 0.45, 0.6, 0.9), range(6), (1,)),
        *itertools.product(((8, 12), (20, 13)), (0.1, 0.45, 0.9), range(3), (7,)),
        ((600, 500), 0.003, 0, 1), ((30, 1), 0.5, 0, 1),
    )
])  # fmt: skip


def test_all_ways_to_find_them_are_tried() -> None:
    masks = [p.values[0] for p in EACH.args[1]]
    few_runs = [m for m in masks if np.count_nonzero(m[:, 1:] > m[:, :-1]) <= MANY_RUNS * len(m)]
    counts = [len(cv2.findContours(m, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)[0]) for m in few_runs]
    assert min(counts) < MANY < max(counts)
    assert 0 < len(few_runs) < len(masks)
    assert min(m.size for m in masks) < 4 * LABELS < max(m.size for m in masks)


@pytest.mark.parametrize("shape", [(511, 511), (513, 511), (1, 140_000), (3, 70_001)])
def test_as_many_pieces_as_a_mask_can_have_are_told_apart(shape: tuple[int, int]) -> None:
    mask = np.zeros(shape, np.uint8)
    mask[::2, ::2] = 1
    assert not large_pieces(mask, 1).any()
    assert np.array_equal(large_pieces(mask, 0), mask)


@EACH
def test_those_in_which_little_is_found_are_told(mask: Mask) -> None:
    values = np.random.default_rng(5).random(mask.shape).astype(np.float32)
    labels, count = label(mask, connectivity=2, return_num=True)
    wanted = np.zeros_like(mask)
    for piece in (labels == k for k in range(1, count + 1)):
        wanted[piece] = 3 < piece.sum() < 60 and values[piece].sum() < 12.0
    assert np.array_equal(light_pieces(mask, values, (3, 60), 12.0), wanted)


@EACH
def test_the_pieces_are_those_that_scikit_image_finds(mask: Mask) -> None:
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


@EACH
def test_only_those_between_two_sizes_are_drawn(mask: Mask) -> None:
    wanted = sorted(p.pixels for p in pieces(mask, 3) if p.pixels < 40)
    assert sorted(p.pixels for p in pieces(mask, 3, 40)) == wanted


@EACH
@pytest.mark.parametrize("least", [3, 12, 40])
def test_small_ones_are_taken_away(mask: Mask, least: int) -> None:
    labels, count = label(mask, connectivity=2, return_num=True)
    wanted = np.isin(labels, [k for k in range(1, count + 1) if (labels == k).sum() > least])
    np.testing.assert_array_equal(large_pieces(mask, least), wanted.astype(np.uint8))


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


@pytest.mark.parametrize("window", [np.s_[:, :], np.s_[5:80, 7:90], np.s_[:, ::2], np.s_[:0, :]])
def test_the_pixels_of_a_mask_are_those_that_are_1(window: tuple[slice, slice]) -> None:
    mask = (np.random.default_rng(1).random((120, 140)) < 0.1).astype(np.uint8)[window]
    assert pixels_of(mask).tolist() == [n for n, value in enumerate(mask.ravel().tolist()) if value]
