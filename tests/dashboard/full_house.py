"""A table at which every page has something to show, and how to wait until it does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import cv2

from companion.access import Access, Role
from companion.board_desk import BoardDesk
from companion.calibration_desk import CalibrationDesk
from tests.calibration import scene
from tests.dashboard.fake import FakeCompanion, played_entries, question
from tests.dashboard.serving import Served, serving

PAGES = ("/", "/table", "/seat", "/games", "/lobby", "/join", "/history", "/help", "/camera", "/referee", "/report/1",
         "/offline", "/nothing-here", "/boards", "/calibration")  # fmt: skip


@cache
def camera_picture() -> bytes:
    return cv2.imencode(".jpg", scene.picture(scene.pose()))[1].tobytes()


@contextmanager
def full_house(fake: FakeCompanion, folder: Path) -> Iterator[Served]:
    """A table in the middle of a match, with a history and passes, and a camera that sees its board and is filmed."""
    access = Access()
    access.new_pass(Role.PLAYER, "red", "Ada's phone")
    played_entries(fake)
    fake.filming = True
    fake.films = {3: b""}
    fake.append("question", question=question(), ruled=[{"id": 3, "facts": {}}], replays=[3],
                todo=[{"do": "remove", "puck": "green-4", "team": "green", "at": None}])  # fmt: skip
    fake.pictures = {"camera": camera_picture()}
    addresses = ["http://192.168.1.5:8000", "https://192.168.1.5:8443"]
    boards = BoardDesk(folder / "boards", camera_picture, None)
    calibration = CalibrationDesk(folder / "camera", camera_picture, scene.paleo())
    with serving(fake, access=access, addresses=addresses, desk=boards, calibration=calibration) as served:
        yield served


def settle(page: Any) -> None:
    """Waits until a page shows what it has to show."""
    if page.query_selector("#link"):
        page.wait_for_selector('#link[data-state="live"]')
    if page.query_selector("#steps"):
        page.wait_for_selector("#steps li")
    if page.query_selector("#charts"):
        page.wait_for_selector("#charts figure")
    if page.query_selector("#states"):
        page.wait_for_selector("#states li")
    if page.query_selector("#stage image"):
        page.wait_for_selector("#stage image[href]")
