"""What it takes to keep a camera's film.

    python -m benchmarks.recording CLIP [--seconds 60]

A film is served as a network camera would, picture by picture at its own rate, and `paleo record` keeps it. Printed are
the pictures served and kept, megabytes a minute, the share of one core used, and the most memory. Linux.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2

from benchmarks.footprint import memory_mib, processor_s
from vision.film_file import key_frames
from vision.sources import open_film

QUALITY = 92
KEPT_PICTURES = 300  # of the film, served over and over
LOOK_EVERY_S = 0.5


class Camera(ThreadingHTTPServer):
    """Serves JPEGs at an even rate to whoever asks. served: pictures sent so far."""

    def __init__(self, pictures: list[bytes], fps: float) -> None:
        self.pictures, self.fps, self.served = pictures, fps, 0
        super().__init__(("127.0.0.1", 0), _Stream)


class _Stream(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        camera = self.server
        assert isinstance(camera, Camera)
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=picture")
        self.end_headers()
        began_s = time.monotonic()
        try:
            while True:
                jpeg = camera.pictures[camera.served % len(camera.pictures)]
                head = f"--picture\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                self.wfile.write(head.encode() + jpeg + b"\r\n")
                camera.served += 1
                time.sleep(max(0.0, began_s + camera.served / camera.fps - time.monotonic()))
        except OSError:  # whoever looked has gone
            return

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


def pictures_of(clip: Path) -> tuple[list[bytes], float]:
    """The first pictures of a film as JPEG, and its rate."""
    source = open_film(clip)
    jpegs = []
    for frame in source.frames():
        jpegs.append(cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes())
        if len(jpegs) == KEPT_PICTURES:
            break
    source.close()
    return jpegs, source.fps


def watch(process: subprocess.Popen[str]) -> tuple[float, float]:
    """The processor time and the most memory that a process used until it ended. -> s, MiB"""
    used_s = most = 0.0
    while process.poll() is None:
        try:
            used_s, most = processor_s([process.pid]), max(most, memory_mib([process.pid]))
        except OSError:
            break
        time.sleep(LOOK_EVERY_S)
    return used_s, most


def main() -> None:
    """Serves, records, and prints what it took."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recording", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("clip", type=Path)
    parser.add_argument("--seconds", type=float, default=60)
    told = parser.parse_args()
    camera = Camera(*pictures_of(told.clip))
    threading.Thread(target=camera.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "film"
        address = f"http://127.0.0.1:{camera.server_address[1]}/"
        command = [sys.executable, "-m", "companion.cli", "record", str(out), "--source", address]
        command += ["--seconds", str(told.seconds)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            used_s, most = watch(process)
            assert process.stdout is not None
            print(process.stdout.read().strip())
        said = json.loads((out / "recording.json").read_text())
        size = (out / "clip.mp4").stat().st_size
        seconds = said["frames"] / said["fps"]
        print(f"lost {said['lost']}, shown again {said['again']} of {said['frames']} pictures "
              f"at {said['fps']:g} a second; {size / 1e6 * 60 / seconds:.0f} MB a minute; "
              f"{used_s / seconds:.0%} of a core; at most {most:.0f} MiB; "
              f"key pictures {len(key_frames(out / 'clip.mp4'))}")  # fmt: skip


if __name__ == "__main__":
    main()
