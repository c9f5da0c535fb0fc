"""The usual recipe for following pieces on a board, to compare with: python usual_recipe.py CLIP [--frames N].

MOG2 as a model of the background, HoughCircles in every frame, and norfair to follow the circles' centres. It stands
alone, so that it can run in an environment of its own (`pip install norfair opencv-python-headless`: norfair wants an
older numpy than OpenCV 5 does). Without norfair it goes without, and says so. Prints one line of JSON.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from importlib import metadata
from typing import Any

import cv2
import numpy as np

try:
    import norfair
except ImportError:
    norfair = None

FRAMES = 150  # it is slow
PUCKS_HIGH = 46  # puck radii in a picture's height, where the board fills it
KIB_IN_MIB = 1024


def follow(clip: str, most: int) -> int:
    """Finds and follows circles in a film's first frames. -> frames"""
    capture = cv2.VideoCapture(clip)
    model = cv2.createBackgroundSubtractorMOG2()
    radius, count = capture.get(cv2.CAP_PROP_FRAME_HEIGHT) / PUCKS_HIGH, 0
    tracker = norfair.Tracker("euclidean", distance_threshold=2 * radius) if norfair else None
    while count < most:
        there, image = capture.read()
        if not there:
            break
        model.apply(image)
        centres = circles(image, radius)
        if tracker is not None:
            tracker.update([norfair.Detection(points=centre[None]) for centre in centres])
        count += 1
    capture.release()
    return count


def circles(image: Any, radius: float) -> Any:
    """Centres of the circles of about a puck's size. -> (N, 2) pixels"""
    gray = cv2.medianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), 5)
    found = cv2.HoughCircles(gray, cv2.HOUGH_GRADIENT, 1, 1.8 * radius, param1=100, param2=20,
                             minRadius=int(0.8 * radius), maxRadius=int(1.2 * radius) + 1)  # fmt: skip
    return np.empty((0, 2)) if found is None else found.reshape(-1, found.shape[-1])[:, :2]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("clip")
    parser.add_argument("--frames", type=int, default=FRAMES)
    told = parser.parse_args()
    began, cpu = time.perf_counter(), time.process_time()
    frames = follow(told.clip, told.frames)
    seconds, cpu_s = time.perf_counter() - began, time.process_time() - cpu
    followed = f"norfair {metadata.version('norfair')}" if norfair else "without norfair, which is not installed here"
    print(json.dumps({"frames": frames, "seconds": seconds, "cpu_s": cpu_s,
                      "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / KIB_IN_MIB,
                      "made_with": f"OpenCV {cv2.__version__}, {followed}"}))  # fmt: skip


if __name__ == "__main__":
    main()
