"""From a camera's frame to the puck drawn on a page: a stream of pictures, `paleo run`, and a Chromium at its board.

    python -m benchmarks.drawn [SEED]

The camera is this process: it sends a film of the virtual table as JPEGs over HTTP, 30 a second, and knows when it
gave each picture and where every puck truly was in it. The page writes down where it has drawn each puck, and when, one
frame of the screen later. A place on a puck's way was filmed at one moment: the delay is the time from that moment to
the one at which the puck is drawn there. So it holds all there is: decoding, tracking, the worker's and the
companion's messages, the line, the page, and the glide that smooths it. Slow stretches are left out: where a puck
creeps, half a millimetre's error of place would be twenty milliseconds of time.
"""

from __future__ import annotations

import math
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import default_board_path, load_board
from tests.cli.running import Running
from vision.virtual_table.aiming import lane_is_clear
from vision.virtual_table.table import VirtualTable

FPS = 30.0
STILL_FRAMES = 15  # shown round and round until the film begins: noise differs, as a camera's does
FLICKS = 10
REACH_MM = (200.0, 450.0)
BORDER_MM = 30.0
BETWEEN_S = 1.2  # from one shot's rest to the next hand
LEAST_MM_S = 200.0
LEAST_FRAMES = 4
BESIDE_MM = 6.0  # a place drawn further than this from the way truly taken says nothing about time
STRAIGHT = math.radians(4)  # a way is followed up to its first bend, as later it may cross itself
BEGUN_MM = 3.0  # and from here on: before, the puck stands still for all that is seen
PATIENCE_S = 90.0
JPEG_QUALITY = 85
RECORD = """() => { window.drawn = []; const moved = new Set();
    const told = () => { const at = performance.timeOrigin + performance.now();
        for (const puck of moved) { const [x, y] = puck.dataset.drawn.split(" ").map(Number);
            drawn.push([puck.dataset.puck, x, y, at]); } moved.clear(); };
    new MutationObserver((all) => { if (!moved.size) requestAnimationFrame(told);
        for (const { target } of all) { const place = /([-\\d.]+) ([-\\d.]+)/.exec(target.getAttribute("transform"));
            if (place) { target.dataset.drawn = place[0]; moved.add(target); } } })
        .observe(document.querySelector(".layer-pucks"),
                 { subtree: true, attributes: true, attributeFilter: ["transform"] });
    window.tasks = []; new PerformanceObserver((all) => all.getEntries().forEach((task) =>
        tasks.push([performance.timeOrigin + task.startTime, task.duration]))).observe({ type: "longtask" }); }"""

Places = dict[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Way:
    """One flicked puck's straight way: in each of its frames, where it was. places_mm: (N, 2)."""

    first_frame: int
    places_mm: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Film:
    """What the camera will send: pictures of the board at rest, those of the play, and what is true in them."""

    still: tuple[bytes, ...]
    play: tuple[bytes, ...]
    ways: tuple[Way, ...]


def film_of_flicks(seed: int, flicks: int = FLICKS) -> Film:
    """Films the virtual table while one puck after another is flicked."""
    table = VirtualTable(load_board(default_board_path()), seed=seed, fps=FPS, reefs=(), keep_positions=True)
    frames = table.frames()
    rng = np.random.default_rng(seed)
    still = tuple(_jpeg(next(frames).image) for _ in range(STILL_FRAMES))
    play: list[bytes] = []
    places: list[Places] = []
    for _ in range(flicks):
        _flick(table, rng)
        rest = int(BETWEEN_S * FPS)
        while table.busy or rest > 0:
            rest -= not table.busy
            places.append({k: (x, y) for k, (_, _, x, y) in table.pucks().items()})  # of the frame that comes next
            play.append(_jpeg(next(frames).image))
    return Film(still, tuple(play), tuple(_ways(places)))


def _flick(table: VirtualTable, rng: np.random.Generator) -> None:
    """Some puck is flicked along a lane in which nothing lies."""
    pucks = {key: (x, y) for key, (_, _, x, y) in table.pucks().items()}
    while True:
        key = str(rng.choice(list(pucks)))
        angle, reach_mm = rng.uniform(0, 2 * math.pi), rng.uniform(*REACH_MM)
        start = pucks[key]
        end = (start[0] + reach_mm * math.cos(angle), start[1] + reach_mm * math.sin(angle))
        others = [place for other, place in pucks.items() if other != key]
        within = all(BORDER_MM < v < most - BORDER_MM for v, most in zip(end, table.board.size, strict=True))
        if within and lane_is_clear(table.board, table.walls, others, start, end):
            break
    table.command({"do": "flick", "puck": key, "angle_deg": math.degrees(angle),
                   "speed_mm_s": table.material.speed_mm_s(reach_mm)})  # fmt: skip


def _ways(places: list[Places]) -> Iterator[Way]:
    """The straight ways on which a puck moved quickly, with where it lay before."""
    for key in sorted({k for now in places for k in now}):
        frame = 1
        while frame < len(places):
            start = frame - 1
            while frame < len(places) and _quick(places, key, frame) and _onward(places, key, frame, start):
                frame += 1
            if frame - start > LEAST_FRAMES:
                yield Way(start, np.array([places[n][key] for n in range(start, frame)]))
            frame += 1


def _quick(places: list[Places], key: str, frame: int) -> bool:
    now, before = places[frame].get(key), places[frame - 1].get(key)
    return now is not None and before is not None and math.dist(now, before) * FPS > LEAST_MM_S


def _onward(places: list[Places], key: str, frame: int, start: int) -> bool:
    """Whether the way still leads where its first step led."""
    if frame < start + 2:
        return True
    first = np.subtract(places[start + 2].get(key, (0, 0)), places[start + 1].get(key, (0, 0)))
    step = np.subtract(places[frame][key], places[frame - 1][key])
    cosine = float(first @ step) / max(float(np.linalg.norm(first) * np.linalg.norm(step)), 1e-9)
    return cosine > math.cos(STRAIGHT)


def _jpeg(image: NDArray[np.uint8]) -> bytes:
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()


@dataclass
class Camera:
    """Sends a film as a camera in the house's network does; `given` says when each picture of the play was given."""

    film: Film
    given: list[float] = field(default_factory=list)
    plays: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)

    def send(self, out: Any) -> None:
        """Picture after picture, each at its time, until the other end goes."""
        due, number = time.monotonic(), 0
        while not self.ended.is_set():
            playing = self.plays.is_set() and len(self.given) < len(self.film.play)
            picture = self.film.play[len(self.given)] if playing else self.film.still[number % STILL_FRAMES]
            if self.plays.is_set() and not playing:
                picture = self.film.play[-1 - number % STILL_FRAMES]
                self.over.set()
            time.sleep(max(due - time.monotonic(), 0.0))
            due = max(due + 1 / FPS, time.monotonic())
            if playing:
                self.given.append(1000 * time.time())
            head = f"--picture\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n"
            out.write(head.encode() + picture + b"\r\n")
            number += 1


@contextmanager
def served(camera: Camera) -> Iterator[str]:
    """The camera's address."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=picture")
            self.end_headers()
            try:
                camera.send(self.wfile)
            except OSError:  # who looked has gone
                return

        def log_message(self, format: str, *args: Any) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/table.mjpg"
    finally:
        camera.ended.set()
        server.shutdown()
        server.server_close()


@dataclass(frozen=True, slots=True)
class Drawn:
    """Milliseconds from frame to drawing; how many ways they come from; the page's tasks over 50 ms in the play."""

    delays_ms: NDArray[np.float64]
    ways: int
    tasks_ms: tuple[float, ...]


def measure(chromium: Any, film: Film, data: Path) -> Drawn:
    """Plays the film to a companion in its own processes, and looks at its page."""
    camera = Camera(film)
    with served(camera) as address:
        running = Running("--camera", address, "--data", data)
        try:
            page = chromium.new_page(viewport={"width": 1280, "height": 720})
            page.goto(running.address + "/table")
            _until(page, lambda: page.locator("[data-puck]").count() >= 16)
            page.evaluate(RECORD)
            camera.plays.set()
            _until(page, camera.over.is_set)
            page.wait_for_timeout(1000)
            drawn, tasks = page.evaluate("[drawn, tasks]")
            page.close()
        finally:
            running.process.kill()
            running.process.communicate()
    found = [delays_on(way, drawn, camera.given) for way in film.ways]
    long_ms = tuple(took for at, took in tasks if camera.given[0] <= at <= camera.given[-1])
    return Drawn(np.concatenate([*found, np.empty(0)]), sum(len(d) > 0 for d in found), long_ms)


def delays_on(way: Way, drawn: list[tuple[str, float, float, float]], given: list[float]) -> NDArray[np.float64]:
    """Of each place drawn on a way while it was played: how long before, in ms, the puck was filmed there."""
    since, until = given[way.first_frame], given[min(way.first_frame + len(way.places_mm), len(given) - 1)] + 1000
    seen = [(x, y, at) for _, x, y, at in drawn if since <= at <= until]
    out = []
    for x, y, at in seen:
        frame, beside_mm, gone_mm, left_mm = _nearest(way.places_mm, np.array([x, y]))
        if beside_mm <= BESIDE_MM and gone_mm >= BEGUN_MM and left_mm >= BEGUN_MM:
            number = way.first_frame + frame
            whole = int(number)
            out.append(at - given[whole] - (number - whole) * (given[whole + 1] - given[whole]))
    return np.array(out)


def _nearest(places_mm: NDArray[np.float64], place: NDArray[np.float64]) -> tuple[float, float, float, float]:
    """On a way: the frame, with its fraction, at which a puck was nearest; how far beside; how far from both ends."""
    steps = np.diff(places_mm, axis=0)
    lengths = np.linalg.norm(steps, axis=1)
    shares = ((place - places_mm[:-1]) * steps).sum(axis=1) / np.maximum(lengths**2, 1e-9)
    shares = np.clip(shares, 0.0, 1.0)
    beside = np.linalg.norm(places_mm[:-1] + shares[:, None] * steps - place, axis=1)
    best = int(beside.argmin())
    gone = lengths[:best].sum() + shares[best] * lengths[best]
    return best + float(shares[best]), float(beside[best]), float(gone), float(lengths.sum() - gone)


def _until(page: Any, met: Callable[[], Any]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not met():
        assert time.monotonic() < deadline, "waited in vain"
        page.wait_for_timeout(50)


def main() -> None:
    """Prints the delays, and the load beside them."""
    from playwright.sync_api import sync_playwright

    film = film_of_flicks(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        found = measure(browser, film, Path(folder))
        browser.close()
    p50, p95, most = np.percentile(found.delays_ms, [50, 95, 100])
    print(
        f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; {len(found.delays_ms)} places on {found.ways} ways"
    )
    print(f"frame to drawn: p50 {p50:.0f} ms, p95 {p95:.0f} ms, most {most:.0f} ms; "
          f"longest task {max(found.tasks_ms, default=0):.0f} ms")  # fmt: skip


if __name__ == "__main__":
    main()
