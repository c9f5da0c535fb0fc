"""Which server holds the screens: waitress, gunicorn's gthread and gevent's pywsgi under the same streams.

    python -m benchmarks.server                 all three, 50 and 200 streams
    python -m benchmarks.server waitress 200    one of them

Each runs in a process of its own over the same pages; entries are written ten times a second and positions thirty
times, and each stream's client says how long after its writing an entry arrived (one clock for all processes).
Needs the extra `benchmark`. The clients share the machine's cores with the server: read the figures with the load.
"""

from __future__ import annotations

import json
import os
import selectors
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

KINDS = ("waitress", "gunicorn", "gevent")
CLIENTS = (50, 200)
HOST = "127.0.0.1"
SECONDS = 8.0
ENTRY_PERIOD_S, LIVE_PERIOD_S = 0.1, 1 / 30
READY_S = 20.0
COME_AND_GO = 500
SPARE = 20  # threads for pages beside those of the streams


@dataclass(frozen=True, slots=True)
class Figures:
    """What one server did under one number of streams. Times in ms."""

    p50_ms: float
    p95_ms: float
    p99_ms: float
    lost: int
    cpu_percent: float
    memory_mb: float
    threads: int
    page_ms: float
    left_threads: int
    left_sockets: int


def application() -> Any:
    """The dashboard over a companion that writes entries and moves pucks for ever."""
    from companion.dashboard import create_app
    from tests.dashboard.fake import FakeCompanion

    fake = FakeCompanion()

    def write() -> None:
        while True:
            fake.append("note", {"at": time.monotonic(), "at_ms": 1000 * time.time()})
            time.sleep(ENTRY_PERIOD_S)

    def move() -> None:
        for step in range(10**9):
            pucks = [{"puck": f"v{n}", "team": "red", "number": n, "x_mm": (step * 7.0) % 600, "y_mm": 40.0 * n}
                     for n in range(16)]  # fmt: skip
            fake.seen = {"time_s": float(step), "state": "shot", "pose_known": True, "pucks": pucks}
            time.sleep(LIVE_PERIOD_S)

    for work in (write, move):
        threading.Thread(target=work, daemon=True).start()
    return create_app(fake, max_streams=max(CLIENTS))


def serve(kind: str, port: int) -> None:
    """Runs one server until it is killed; gunicorn is started by its own command."""
    if kind == "gevent":
        from gevent import monkey

        monkey.patch_all()
        from gevent.pywsgi import WSGIServer

        WSGIServer((HOST, port), application(), log=None).serve_forever()
        return
    from companion.dashboard import open_server

    open_server(application(), HOST, port).run()


def command(kind: str, port: int) -> list[str]:
    """How a server is started."""
    if kind != "gunicorn":
        return [sys.executable, "-m", "benchmarks.server", "--serve", kind, str(port)]
    threads = str(max(CLIENTS) + SPARE)
    return [sys.executable, "-m", "gunicorn", "-k", "gthread", "-w", "1", "--threads", threads, "--log-level", "error",
            "-b", f"{HOST}:{port}", "benchmarks.server:application()"]  # fmt: skip


@contextmanager
def running(kind: str) -> Iterator[tuple[int, int]]:
    """A server in a process of its own: its port and process id."""
    port = _free_port()
    process = subprocess.Popen(command(kind, port))
    try:
        _wait_for(port)
        yield port, process.pid
    finally:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def measure(kind: str, clients: int, seconds: float = SECONDS) -> Figures:
    """Starts a server, listens with so many clients, and ends it."""
    with running(kind) as (port, pid):
        quiet = threads_of(pid), sockets_of(pid)
        busy_s, started = _cpu_s(pid), time.monotonic()
        delays, lost, page_ms = listen(port, clients, seconds)
        cpu = 100 * (_cpu_s(pid) - busy_s) / (time.monotonic() - started)
        threads, memory = threads_of(pid), memory_of(pid)
        come_and_go(port, COME_AND_GO)
        _until(lambda: sockets_of(pid) <= quiet[1] + 1)
        left = threads_of(pid) - max(quiet[0], threads), sockets_of(pid) - quiet[1]
        p50, p95, p99 = np.percentile(delays, [50, 95, 99]) * 1000
        return Figures(float(p50), float(p95), float(p99), lost, cpu, memory, threads, page_ms, *left)


def come_and_go(port: int, times: int) -> None:
    """Opens a stream and leaves, so many times."""
    for _ in range(times):
        _stream(port).close()


def listen(port: int, clients: int, seconds: float) -> tuple[list[float], int, float]:
    """Delays of all entries at all clients, how many entries some client missed, and a page's time meanwhile."""
    selector = selectors.DefaultSelector()
    rest: dict[socket.socket, bytes] = {}
    ids: dict[socket.socket, list[int]] = {}
    for _ in range(clients):
        line = _stream(port)
        line.setblocking(False)
        selector.register(line, selectors.EVENT_READ)
        rest[line], ids[line] = b"", []
    delays: list[tuple[float, float]] = []
    began = time.monotonic()  # what was written while the others still came in has waited here, unread
    pages: list[float] = []
    asking = threading.Thread(target=lambda: pages.extend(_page_s(port) for _ in range(20)))
    asking.start()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for key, _ in selector.select(0.2):
            line: Any = key.fileobj
            rest[line] = _take(line, rest[line], delays, ids[line])
    asking.join()
    lost = sum(b - a - 1 for seen in ids.values() for a, b in pairwise(seen))
    for line in rest:
        line.close()
    return [took for at, took in delays if at > began], lost, 1000 * float(np.median(pages))


def _take(line: socket.socket, rest: bytes, delays: list[tuple[float, float]], ids: list[int]) -> bytes:
    data = rest + line.recv(1 << 16)
    now = time.monotonic()
    *blocks, rest = data.split(b"\n\n")
    for block in blocks:
        if b"event: note\n" not in block:
            continue
        body = json.loads(block[block.index(b"data: ") + 6 :].partition(b"\n")[0])
        delays.append((body["data"]["at"], now - body["data"]["at"]))
        ids.append(body["id"])
    return rest


def _stream(port: int) -> socket.socket:
    line = socket.create_connection((HOST, port), timeout=READY_S)
    line.sendall(f"GET /api/stream HTTP/1.1\r\nHost: {HOST}:{port}\r\n\r\n".encode())
    line.recv(1)
    return line


def _page_s(port: int) -> float:
    started = time.monotonic()
    with socket.create_connection((HOST, port), timeout=READY_S) as line:
        line.sendall(f"GET / HTTP/1.1\r\nHost: {HOST}:{port}\r\nConnection: close\r\n\r\n".encode())
        while line.recv(1 << 16):
            pass
    return time.monotonic() - started


def _wait_for(port: int) -> None:
    _until(lambda: _answers(port))


def _answers(port: int) -> bool:
    try:
        return _page_s(port) > 0
    except OSError:
        return False


def _until(met: Any) -> None:
    deadline = time.monotonic() + READY_S
    while not met() and time.monotonic() < deadline:
        time.sleep(0.1)


def _family(pid: int) -> list[int]:
    """A process and all that descend from it; threads and processes may end while they are counted."""
    found = [pid]
    with suppress(FileNotFoundError, ProcessLookupError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with (
                suppress(FileNotFoundError, ProcessLookupError),
                open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file,
            ):
                for child in file.read().split():
                    found += _family(int(child))
    return found


def threads_of(pid: int) -> int:
    return sum(len(_listed(f"/proc/{p}/task")) for p in _family(pid))


def sockets_of(pid: int) -> int:
    links = [f"/proc/{p}/fd/{fd}" for p in _family(pid) for fd in _listed(f"/proc/{p}/fd")]
    return sum(1 for link in links if os.path.islink(link) and _target(link).startswith("socket:"))


def _listed(folder: str) -> list[str]:
    with suppress(FileNotFoundError, ProcessLookupError):
        return os.listdir(folder)
    return []


def _target(link: str) -> str:
    with suppress(FileNotFoundError):
        return os.readlink(link)
    return ""


def memory_of(pid: int) -> float:
    total = 0
    for p in _family(pid):
        with open(f"/proc/{p}/statm", encoding="ascii") as file:
            total += int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return total / 2**20


def _cpu_s(pid: int) -> float:
    total = 0.0
    for p in _family(pid):
        with open(f"/proc/{p}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def main() -> None:
    """Prints one line a server and number of streams."""
    if sys.argv[1:2] == ["--serve"]:
        serve(sys.argv[2], int(sys.argv[3]))
        return
    kinds = [k for k in KINDS if k in sys.argv[1:]] or list(KINDS)
    counts = [int(a) for a in sys.argv[1:] if a.isdecimal()] or list(CLIENTS)
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; an entry each {1000 * ENTRY_PERIOD_S:.0f} ms")
    print("server    streams  p50 ms  p95 ms  p99 ms  lost  cpu %  MB   threads  page ms  left threads, sockets")
    for kind in kinds:
        for count in counts:
            print(_line(kind, count, measure(kind, count)), flush=True)


def _line(kind: str, count: int, f: Figures) -> str:
    times = f"{f.p50_ms:7.0f} {f.p95_ms:7.0f} {f.p99_ms:7.0f}"
    cost = f"{f.cpu_percent:6.0f} {f.memory_mb:4.0f} {f.threads:8d} {f.page_ms:8.0f}"
    return f"{kind:9} {count:7d} {times} {f.lost:5d} {cost}  {f.left_threads}, {f.left_sockets}"


if __name__ == "__main__":
    main()
