"""Views of a pattern for measuring a lens; blurred, partial and repeated ones are refused with a word why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.markers import gray_image
from calibration.patterns import Pattern, PatternSeen
from calibration.pictures import Picture

FloatArray = NDArray[np.float64]

BLUR_PX = 5.0  # edges wider than this are blurred …
BLUR_FACTOR = 1.8  # … when they are also this many times as wide as in the middle one of the views
REPEATED_PX = 0.002  # two views whose corners differ by less (part of the picture's width) are the same view
FILM_VIEWS = 30  # views taken from a film: more add little
SHARPER_PX = 0.5  # differences of edge width that tell a sharper picture from noise
# side of the square around a corner in which the width of its edges is measured: wider than a blurred edge
EDGE_WINDOW_PX = 17

OLDER_LAYOUT = "laid out as older programs do it: put :legacy at the end of the pattern's description"
NEWER_LAYOUT = "laid out as newer programs do it: leave :legacy out of the pattern's description"


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A picture with the pattern in it; edge_px: how wide its edges are (sharp: 1 to 3). Each equals itself alone."""

    name: str
    size: tuple[int, int]
    pixels: FloatArray
    places_mm: FloatArray
    edge_px: float
    from_film: bool


@dataclass(frozen=True, slots=True)
class Views:
    """The views to measure with, those refused (name, why), and what is to be said about all of them."""

    kept: tuple[View, ...]
    refused: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]


def gather_views(pictures: Iterable[Picture], pattern: Pattern) -> Views:
    """Finds the pattern in pictures or a film's frames and keeps the views that say something."""
    found: list[View] = []
    refused: list[tuple[str, str]] = []
    for picture in pictures:
        film = picture.seconds is not None
        gray = gray_image(picture.image)
        seen = pattern.find(gray, fast=film)
        if seen is not None:
            edge = edge_width_px(gray, seen)
            found.append(View(picture.name, picture.size, seen.pixels, seen.places_mm, edge, film))
        elif not film:
            refused.append((picture.name, _why_not(gray, pattern)))
    found, warnings = _same_size(found, refused)
    found = _sharp(found, refused)
    found = _different(found, refused)
    return Views(tuple(spread(found)), tuple(refused), tuple(warnings))


def _why_not(gray: NDArray[np.uint8], pattern: Pattern) -> str:
    """Why a pattern is not found in a picture; ChArUco sheets are laid out in two ways."""
    if pattern.kind == "charuco" and replace(pattern, legacy=not pattern.legacy).find(gray) is not None:
        return NEWER_LAYOUT if pattern.legacy else OLDER_LAYOUT
    return "partial: the whole pattern is not seen"


def _same_size(views: list[View], refused: list[tuple[str, str]]) -> tuple[list[View], list[str]]:
    """Views of the commonest picture size; a lens belongs to one."""
    sizes = Counter(v.size for v in views)
    if len(sizes) < 2:
        return views, []
    (size, _), *others = sizes.most_common()
    for view in views:
        if view.size != size:
            turned = "turned" if view.size == size[::-1] else "resized or cropped"
            refused.append((view.name, f"{turned}: {view.size[0]}x{view.size[1]}, the others are {size[0]}x{size[1]}"))
    count = sum(n for _, n in others)
    return [v for v in views if v.size == size], [
        f"{count} of the pictures have another size than {size[0]}x{size[1]} and were left out: "
        "a lens file holds for one size, and only for pictures that were not cropped or turned"
    ]


def _sharp(views: list[View], refused: list[tuple[str, str]]) -> list[View]:
    if not views:
        return []
    limit = max(BLUR_PX, BLUR_FACTOR * float(np.median([v.edge_px for v in views])))
    for view in views:
        if view.edge_px > limit and not view.from_film:
            refused.append((view.name, f"blurred: edges of {view.edge_px:.1f} px, expected below {limit:.1f}"))
    return [v for v in views if v.edge_px <= limit]


def _different(views: list[View], refused: list[tuple[str, str]]) -> list[View]:
    kept: list[View] = []
    for view in sorted(views, key=lambda v: round(v.edge_px / SHARPER_PX)):  # of twins the sharper, else the first
        twin = next((k for k in kept if apart_px(k, view) < REPEATED_PX * view.size[0]), None)
        if twin is None:
            kept.append(view)
        elif not view.from_film:
            refused.append((view.name, f"repeated: the same view as {twin.name}"))
    return sorted(kept, key=views.index)


def spread(views: list[View]) -> list[View]:
    """Of films' many views those that lie farthest from each other, beginning with the sharpest; all pictures."""
    filmed = [v for v in views if v.from_film]
    if len(filmed) <= FILM_VIEWS:
        return views
    chosen = [min(filmed, key=lambda v: v.edge_px)]
    distance = {v: apart_px(v, chosen[0]) for v in filmed}
    while len(chosen) < FILM_VIEWS:
        chosen.append(max(filmed, key=lambda v: distance[v]))
        distance = {v: min(distance[v], apart_px(v, chosen[-1])) for v in filmed}
    return [v for v in views if v in chosen or not v.from_film]


def apart_px(one: View, other: View) -> float:
    """How far two views of a pattern lie apart: mean over the corners that both show, pixels."""
    if one.places_mm.shape == other.places_mm.shape and np.array_equal(one.places_mm, other.places_mm):
        return float(np.linalg.norm(one.pixels - other.pixels, axis=1).mean())
    places = {tuple(p): q for p, q in zip(one.places_mm.round(3), one.pixels, strict=True)}
    others = zip(other.places_mm.round(3), other.pixels, strict=True)
    both = [q - places[tuple(p)] for p, q in others if tuple(p) in places]
    return float(np.linalg.norm(both, axis=1).mean()) if both else float("inf")


def edge_width_px(gray: NDArray[np.uint8], seen: PatternSeen) -> float:
    """How many pixels the change from black to white takes at the pattern's corners (median over them)."""
    widths, half = [], EDGE_WINDOW_PX // 2
    for x, y in seen.pixels.round().astype(int):
        cut = gray[max(y - half, 0) : y + half + 1, max(x - half, 0) : x + half + 1].astype(np.float64)
        if min(cut.shape) < EDGE_WINDOW_PX:
            continue
        rows, columns = np.gradient(cut)
        steepest = float(np.percentile(np.hypot(rows, columns), 95))
        contrast = float(np.percentile(cut, 95) - np.percentile(cut, 5))
        widths.append(contrast / max(steepest, 1e-6))
    return float(np.median(widths)) if widths else 0.0
