"""Pictures as JPEGs, as pages and films get them."""

from __future__ import annotations

import cv2

from vision.frames import Image


def encode_jpeg(image: Image, quality: int) -> bytes:
    """A picture as a JPEG. image: (H, W, 3) BGR, or (H, W); quality: 0 to 100"""
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
