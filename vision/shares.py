"""Each pixel's share of puck: how far its colour went from the ground's towards a team's paint.

All works on planes, (3, N) float32: blue, green and red of N pixels.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Values = NDArray[np.float32]

SHARE_MIN = 0.10  # less puck than this in a pixel is noise
COLOUR_COS = 0.80  # how well a change must point from the ground's colour to the puck's
SHADED_COS_LEAST = 0.3  # and this where its shadow may darken the ground as well …
SHADED_COS = 0.9  # … and across the direction of shadow the change points to the paint so well …
SHADED_CONTRAST = 40.0  # … whose colour parts it so far, in grey levels, from any shade of the ground …
SHADE_MAX = 0.5  # … which shadow darkens by no more than this share
INKED_COS = 0.9  # how well a change must point to some mixture of paint and number, where paint alone is not enough
INK_SLACK = 0.15  # … and the number's share may be below nothing, or above the puck's, by so much
OTHER_TEAM_COS = 0.03  # another team's paint explains a change better by this much: it is that team's
CONTRAST_MIN = 12.0  # grey levels between ground and puck below which a pixel tells nothing
SHARE_MAX = 1.7  # brighter than the paint by so much is something else


class PaintShares:
    """Shares of every team's puck in some pixels. now, was: (3, N) the frame and the ground in its light.

    looks: team -> (3,) BGR colours of its pucks in the frame's light; contrast: grey levels, the least and the most,
    by which ground and puck must differ where a pixel is to tell anything.
    """

    def __init__(self, now: Values, was: Values, looks: Mapping[str, Sequence[FloatArray]],
                 contrast: tuple[float, float] = (CONTRAST_MIN, math.inf)) -> None:  # fmt: skip
        self._was, self._change = was, now - was
        size = _dot(self._change, self._change)
        self._found = {team: [_Towards(self._change, was, size, p, contrast) for p in paint]
                       for team, paint in looks.items()}  # fmt: skip
        self._fits = {team: _most([one.cosine for one in found]) for team, found in self._found.items()}

    def plain(self) -> dict[str, Values]:
        """Each team's share in each pixel, 0 where another team's paint explains the change clearly better."""
        return self._told({team: [one.share for one in found] for team, found in self._found.items()})

    def where_alone(self, alone: NDArray[np.bool_], inks: Mapping[str, FloatArray]) -> dict[str, Values]:
        """The same where a puck may show through its own shadow, or its number may colour it, as no hand can be there.

        alone: (N,) pixels of pieces that are too small for a hand; inks: team -> (3,) BGR of the numbers on its pucks.
        """
        there = np.flatnonzero(alone)
        return self._told({
            team: [one.share_alone(self._change, self._was, there, inks.get(team)) for one in found]
            for team, found in self._found.items()
        })  # fmt: skip

    def _told(self, shares: Mapping[str, Sequence[Values]]) -> dict[str, Values]:
        out = {}
        for team, mine in shares.items():
            share = _most(mine).copy()
            for other, fit in self._fits.items():
                if other != team:
                    share[fit > self._fits[team] + OTHER_TEAM_COS] = 0.0
            out[team] = share
        return out


class _Towards:
    """The share of the way from the ground to one paint, and how well the change points along it, (N,).

    The way itself, (3, N), is as large as a picture, and reckoned again where it is wanted.
    """

    def __init__(self, change: Values, was: Values, size: Values, paint_bgr: FloatArray,
                 contrast: tuple[float, float]) -> None:  # fmt: skip
        self.paint = paint_bgr
        dot, far = self._along(change, was)
        self.cosine = dot / np.sqrt(np.maximum(far * size, 1.0))
        along = np.flatnonzero(self.cosine > COLOUR_COS)
        share = dot[along] / np.maximum(far[along], 1.0)
        least, most = contrast
        good = (far[along] > least**2) & (far[along] < most**2) & (share > SHARE_MIN) & (share < SHARE_MAX)
        self.share = np.zeros(len(dot), np.float32)
        self.share[along] = np.where(good, np.minimum(share, 1.0), 0.0)

    def share_alone(self, change: Values, was: Values, there: NDArray[np.intp], ink: FloatArray | None) -> Values:
        """The share, with its shadow and its number allowed for in some pixels."""
        share, cosine = self.share.copy(), self.cosine[there]
        unsure = there[(cosine > SHADED_COS_LEAST) & (cosine <= COLOUR_COS)]
        share[unsure] = _share_in_shade(change[:, unsure], was[:, unsure], self._toward(was[:, unsure]))
        if ink is not None:
            inked = there[(cosine <= COLOUR_COS) & (share[there] == 0)]
            way = (ink - self.paint).astype(np.float32)
            share[inked] = _share_with_ink(change[:, inked], self._toward(was[:, inked]), way)
        return share

    def _toward(self, was: Values) -> Values:
        """(3, N) the way from some pixels' ground to the paint."""
        return np.asarray(self.paint.astype(np.float32)[:, None] - was)

    def _along(self, change: Values, was: Values) -> tuple[Values, Values]:
        """(N,) how far a change goes along the way, times its length, and the square of its length."""
        paint = self.paint.astype(np.float32)
        way = paint[0] - was[0]
        dot, far = change[0] * way, way * way
        for k in (1, 2):
            way = paint[k] - was[k]
            dot += change[k] * way
            far += way * way
        return dot, far


def _dot(a: Values, b: Values) -> Values:
    """(3, N), (3, N) -> (N,)"""
    out: Values = a[0] * b[0]
    out += a[1] * b[1]
    out += a[2] * b[2]
    return out


def _most(of: Sequence[Values]) -> Values:
    return of[0] if len(of) == 1 else np.asarray(np.maximum.reduce(list(of)))


def _share_in_shade(change: Values, was: Values, toward: Values) -> Values:
    """Share of puck where its shadow darkens the ground, too: change = share * toward - shade * was. (3, N) -> (N,)"""
    tt, ww, tw = _dot(toward, toward), _dot(was, was), _dot(toward, was)
    ct, cw = _dot(change, toward), _dot(change, was)
    # squared lengths of the way to the paint, and of the change, across the direction in which shadow acts
    beside = tt - tw * tw / np.maximum(ww, 1.0)
    rest = _dot(change, change) - cw * cw / np.maximum(ww, 1.0)
    share = (ct - cw * tw / np.maximum(ww, 1.0)) / np.maximum(beside, 1.0)
    shade = (share * tw - cw) / np.maximum(ww, 1.0)
    explained = share * np.sqrt(np.maximum(beside, 0.0)) > SHADED_COS * np.sqrt(np.maximum(rest, 1.0))
    good = explained & (beside > SHADED_CONTRAST**2) & (share > SHARE_MIN) & (share < SHARE_MAX) & (shade > 0)
    return np.where(good & (shade < SHADE_MAX), np.minimum(share, 1.0), 0.0).astype(np.float32)


def _share_with_ink(change: Values, toward: Values, ink: Values) -> Values:
    """Share of puck where its number shows, too: change = share * toward + number * ink. -> (N,)"""
    tt, ti, ii = _dot(toward, toward), ink @ toward, float(ink @ ink)
    ct, ci, cc = _dot(change, toward), ink @ change, _dot(change, change)
    apart = tt * ii - ti * ti  # 0 where paint and number differ from the ground in one direction
    share = (ct * ii - ci * ti) / np.maximum(apart, 1.0)
    number = (ci * tt - ct * ti) / np.maximum(apart, 1.0)
    explained = share * ct + number * ci > INKED_COS**2 * cc  # the squared length of what is explained
    good = explained & (tt > CONTRAST_MIN**2) & (share > SHARE_MIN) & (share < SHARE_MAX)
    good &= (number > -INK_SLACK) & (number < share + INK_SLACK)
    return np.where(good, np.minimum(share, 1.0), 0.0).astype(np.float32)
