"""The small pictures by which each frame is first looked at, made by the thread that decodes it where there is one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.differencing import coarse_picture, small_gray
from vision.frames import Frame, Image, Small
from vision.view import TopView


def readied(frame: Frame, view: TopView) -> Frame:
    """A frame with its small pictures, which hold for as long as the board is seen in that part of it."""
    return replace(frame, small=_made(frame.image, view))


def gray_of(frame: Frame, view: TopView) -> Image:
    """A frame's small grey picture."""
    small = frame.made_small(_part(view))
    return small_gray(frame.image, view.roi, view.step) if small is None else small.gray


def coarse_of(frame: Frame, view: TopView) -> NDArray[np.float32]:
    """The mean colours of a frame's blocks. -> (rows, columns, 3)"""
    small = frame.made_small(_part(view))
    return coarse_picture(frame.image, view.roi, view.light_step) if small is None else small.coarse


def _made(image: Image, view: TopView) -> Small:
    gray, coarse = small_gray(image, view.roi, view.step), coarse_picture(image, view.roi, view.light_step)
    return Small(image, _part(view), gray, coarse)


def _part(view: TopView) -> tuple[int, ...]:
    return (*view.roi, view.step, view.light_step)
