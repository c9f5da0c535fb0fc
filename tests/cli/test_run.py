"""`paleo run` as a whole: it serves, follows, survives what happens to its worker, and ends cleanly."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.journal import Journal
from companion.recorded import clip_times, finish
from companion.scoreboard import fold, scoreboard
from tests.cli.running import PATIENCE_S, Running
from vision.sources import open_film
from vision.virtual_table.film import make_film


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("film") / "clip.mp4"
    make_film(out, seed=5, shots=1, seconds=5.0)
    return out


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Running]]:
    started: list[Running] = []

    def run(*arguments: str | Path) -> Running:
        started.append(Running("--data", tmp_path / "data", *arguments))
        return started[-1]

    yield run
    for running in started:
        running.process.kill()
        running.process.communicate()


def test_a_film_is_followed_to_its_end_and_an_interrupt_ends_the_companion(
    start: Callable[..., Running], clip: Path
) -> None:
    running = start("--camera", clip, "--board", clip.parent / "board.toml", "--lens", clip.parent / "lens.json")
    running.camera("running")
    running.camera("ended")
    code, errors = running.end()
    assert code == 0
    assert errors == ""


def test_a_second_companion_on_one_data_folder_is_refused_in_a_line_and_takes_nothing_from_the_first(
    start: Callable[..., Running], tmp_path: Path
) -> None:
    """Each went on from its own idea of the journal, into which both wrote: two pages, two scores."""
    first = start("--camera", "none")
    first.get("/healthz")
    second = ["run", "--data", tmp_path / "data", "--camera", "none", "--port", "0"]
    done = subprocess.run([sys.executable, "-m", "companion.cli", *second], capture_output=True, text=True,
                          timeout=PATIENCE_S, check=False)  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"paleo: {tmp_path / 'data'}: another companion keeps its matches in this folder; ")
    first.process.kill()  # as the plug is pulled
    first.process.wait(PATIENCE_S)
    start("--camera", "none").get("/healthz")


HEAP_BYTES = 1 << 26  # of address space, that each heap of glibc's but the first takes, from a multiple of it on


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc's heaps are counted by what Linux tells")
def test_the_threads_of_its_server_share_a_heap(start: Callable[..., Running]) -> None:
    """Each would keep for itself what an answer has needed for a moment, be it the picture of a lens."""
    running = start("--camera", "none")
    for _ in range(20):
        running.get("/healthz")
    maps = Path(f"/proc/{running.process.pid}/maps").read_text(encoding="utf-8").splitlines()
    spans = [tuple(int(end, 16) for end in line.split()[0].split("-")) for line in maps]
    written = [span for span, line in zip(spans, maps, strict=True) if line.split()[1] == "rw-p"]
    rest = {span for span, line in zip(spans, maps, strict=True) if line.split()[1] == "---p"}
    heaps = [(begin, end) for begin, end in written
             if begin % HEAP_BYTES == 0 and any(a == end and b - begin == HEAP_BYTES for a, b in rest)]  # fmt: skip
    assert len(heaps) <= 1, "one may be there from before"


def wait_for_pictures(times: Path) -> None:
    """Waits until a few pictures of a film are kept."""
    deadline = time.monotonic() + PATIENCE_S
    while not times.exists() or len(times.read_text().splitlines()) < 5:
        assert time.monotonic() < deadline


def test_the_virtual_table_and_its_film_survive_the_death_of_the_worker(
    start: Callable[..., Running], tmp_path: Path
) -> None:
    running = start("--no-autoplay", "--record", tmp_path / "films")
    (film,) = (tmp_path / "films").iterdir()
    wait_for_pictures(film / "film-1.csv")
    os.kill(running.worker(), signal.SIGKILL)
    running.camera("lost")
    running.camera("running")
    wait_for_pictures(film / "film-2.csv")
    code, errors = running.end(signal.SIGTERM)
    assert "Traceback" not in errors
    assert code in (0, 143)
    told = finish(film)
    assert told["parts"] == 2, "the new worker went on where the old one was killed"
    source = open_film(film / "clip.mp4")
    assert told["frames"] == sum(1 for _ in source.frames()) == len(clip_times(film)) > 0


def test_the_vision_process_does_not_outlive_a_killed_companion(start: Callable[..., Running]) -> None:
    running = start("--no-autoplay")
    running.camera("running")
    worker = running.worker()
    running.process.kill()
    running.process.communicate()
    deadline = time.monotonic() + PATIENCE_S
    while Path(f"/proc/{worker}").exists():
        assert time.monotonic() < deadline


SAME = ("match", "round", "phase", "turn", "players", "shots", "keys", "doors", "todo", "question")


def told_of(board: dict[str, Any]) -> dict[str, Any]:
    """What must be the same; the ids under which vision knows the pucks are given anew."""
    pucks = [{k: v for k, v in p.items() if k != "seen_as"} for p in board["pucks"]]
    return {**{k: board.get(k) for k in SAME}, "pucks": pucks}


def test_a_companion_killed_in_mid_play_goes_on_with_the_same_score_turn_and_board(
    start: Callable[..., Running], tmp_path: Path
) -> None:
    """Killed twice at moments of chance while the simulated players play; nobody is asked to start over."""
    chance = random.Random(8)
    for _ in range(2):
        running = start("--size", "640x360", "--fps", "20")
        entries = running.get("/healthz")["journal"]["last_id"] + chance.randint(4, 9)
        running.wait("/healthz", lambda health, enough=entries: health["journal"]["last_id"] >= enough)
        running.end(signal.SIGKILL)
        journal = Journal(f"sqlite:///{tmp_path}/data/journal.sqlite3")
        left = scoreboard(fold(journal.entries_after(0, None)))
        journal.close()
        again = start("--no-autoplay", "--size", "640x360", "--fps", "20")
        now = again.get("/api/scoreboard")
        again.end(signal.SIGKILL)
        assert left["match"] == 1
        assert told_of(now) == told_of(json.loads(json.dumps(left)))
