"""The whole of it: `paleo run` in its own processes, a flick by mouse on its page, and the score that follows."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.cli.running import Running
from tests.dashboard.serving import Served, StreamClient

pytestmark = pytest.mark.browser

DOOR = (325.0, 325.0)
CAMP_X = 200.0  # red's camp lies west of this
PATIENCE_S = 90.0
STEP_MS = 100


class Table:
    """A companion without players, and a person at its page."""

    def __init__(self, running: Running, page: Any) -> None:
        self.running, self.page = running, page
        page.goto(running.address + "/table")
        page.wait_for_selector('#link[data-state="live"]')
        token = page.request.get(running.address + "/api/session").json()["csrf_token"]
        self.headers = {"X-CSRFToken": token}

    def post(self, path: str, **body: Any) -> None:
        answer = self.page.request.post(self.running.address + path, data=body, headers=self.headers)
        assert answer.ok, answer.text()

    def wait(self, met: Callable[[], Any]) -> Any:
        """Asks until the answer is true."""
        deadline = time.monotonic() + PATIENCE_S
        while not (answer := met()):
            assert time.monotonic() < deadline, self.running.get("/api/scoreboard")["log"]
            self.page.wait_for_timeout(STEP_MS)
        return answer

    def wait_for_live(self, met: Callable[[Any], bool]) -> None:
        """Follows the live view until it is as awaited."""
        deadline = time.monotonic() + PATIENCE_S
        port = urlsplit(self.running.address).port
        assert port is not None
        with StreamClient(Served(port, None, lambda: None)) as stream:
            while (event := stream.next()).name != "live" or not met(event.data):
                assert time.monotonic() < deadline, event

    def foremost(self) -> str:
        """The red pawn of the camp that is furthest east: its way is free."""
        pucks = [p for p in self.running.get("/api/scoreboard")["pucks"] if p["team"] == "red" and p["x_mm"] < CAMP_X]
        return str(max(pucks, key=lambda p: p["x_mm"])["puck"])

    def points(self) -> list[str]:
        return [e.inner_text() for e in self.page.query_selector_all(".side-number")]

    def drag(self, puck: str, right_px: float) -> None:
        box = self.wait(lambda: self.page.query_selector(f'[data-puck="{puck}"]')).bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + right_px, y, steps=4)
        self.page.mouse.up()


def all_lie_still(live: Any) -> bool:
    return live["state"] == "still" and len(live["pucks"]) == 16


def one_lies_on_the_door(live: Any) -> bool:
    near = [p for p in live["pucks"] if abs(p["x_mm"] - DOOR[0]) + abs(p["y_mm"] - DOOR[1]) < 10]
    return bool(near) and all_lie_still(live)


@pytest.fixture
def table(chromium: Any, tmp_path: Path) -> Iterator[Table]:
    running = Running("--data", tmp_path / "data", "--no-autoplay", "--seed", "3")
    context = chromium.new_context(viewport={"width": 1280, "height": 720}, locale="en-GB")
    try:
        running.camera("running")
        yield Table(running, context.new_page())
    finally:
        context.close()
        running.process.kill()
        running.process.communicate()


def test_a_virtual_shot_is_seen_refereed_and_scored_on_the_page(table: Table) -> None:
    table.wait_for_live(all_lie_still)
    table.post("/api/table", do="place", puck="red-4", x_mm=DOOR[0], y_mm=DOOR[1])
    table.wait_for_live(one_lies_on_the_door)
    table.post("/api/command/new_match", players={"red": "Ann", "green": "Ben"})
    keys = [d["name"] for d in table.running.get("/api/scoreboard")["doors"] if d["team"] == "green"]
    assert len(keys) == 2
    table.post("/api/command/as_it_lies", turn="red", keys={"red": keys})
    assert table.points() == ["0", "0"]
    table.drag(table.foremost(), 90)
    assert table.wait(lambda: table.points() != ["0", "0"])
    assert table.points() == ["2", "0"]
    assert "opens the door" in table.page.inner_text("#log, #said")
