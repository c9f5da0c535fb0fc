"""How a film looks: resolution, light, lens and faults of the camera, in the tiers of the recordings."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

Colour = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Look:
    """A camera in a room.

    exposure_s: how long the shutter is open; noise: standard deviation in grey values; gain_bgr: light times cast;
    flicker: amplitude of brightness with the mains; light_change: share by which the room's light drifts and jumps;
    knock: the camera is knocked once; tilt_deg: lean of the camera;
    pinch: lifted pucks are held in view by the fingertips, not hidden under the palm; sharpness_px: width of an edge;
    readout_s: from the exposure of the first row to that of the last, the middle one's being the frame's, where lamps'
    flicker makes stripes; sway_px: how far the picture swings, at 1280 pixels' width, when a finger strikes the table;
    push_mm: hands push the board over its table now and then, this far at the most.
    """

    tier: str = "standard"
    size: tuple[int, int] = (1280, 720)
    fps: float = 30.0
    exposure_s: float = 1 / 90
    noise: float = 2.0
    gain_bgr: Colour = (1.0, 1.0, 1.0)
    flicker: float = 0.008
    light_change: float = 0.0
    people: float = 0.0
    knock: bool = False
    tilt_deg: float = 5.0
    sharpness_px: float = 1.3
    vignette: float = 0.25
    shadow: float = 0.38
    pinch: bool = False
    readout_s: float = 0.0
    sway_px: float = 0.0
    push_mm: float = 0.0
    seed: int = 0


TIERS: dict[str, Look] = {
    "easy": Look("easy", (1920, 1080), 60.0, 1 / 250, 1.2, flicker=0.003, tilt_deg=3.0),
    "sharp": Look("sharp", (1920, 1080), 30.0, 1 / 120, 1.6),
    "standard": Look(),
    "dim": Look("dim", exposure_s=1 / 34, noise=6.0, gain_bgr=(0.36, 0.42, 0.5), flicker=0.015),
    "slant": Look("slant", tilt_deg=22.0),
    "bump": Look("bump", knock=True),
    "lights": Look("lights", light_change=0.35, people=0.35, noise=2.4),
    "pinch": Look("pinch", pinch=True),
    "webcam": Look("webcam", exposure_s=1 / 120, flicker=0.03, readout_s=0.024, sway_px=0.8),
    "pushed": Look("pushed", push_mm=8.0),
    "vga": Look("vga", (640, 480), 30.0, 1 / 70, 2.6, sharpness_px=1.5),
}
CLEAN = Look("clean", noise=0.0, flicker=0.0, vignette=0.0, exposure_s=1e-4, tilt_deg=3.0)


def look_for(tier: str, seed: int = 0) -> Look:
    """The tier's look with its light, cast and shutter varied by seed. Raises ValueError for an unknown tier."""
    if tier not in TIERS:
        raise ValueError(f"tier {tier!r}: expected one of {', '.join(TIERS)}")
    base, rng = TIERS[tier], random.Random(f"look {tier} {seed}")
    warmth, light = rng.uniform(-0.1, 0.1), rng.uniform(0.82, 1.05)
    b, g, r = base.gain_bgr
    gain = (b * light * (1 - warmth), g * light * rng.uniform(0.97, 1.03), r * light * (1 + warmth))
    return replace(base, gain_bgr=gain, exposure_s=base.exposure_s * rng.uniform(0.8, 1.15),
                   noise=base.noise * rng.uniform(0.8, 1.2), shadow=rng.uniform(0.25, 0.45), seed=seed)  # fmt: skip
