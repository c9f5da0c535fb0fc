"""A companion by hand, a client, a served dashboard, a browser."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.dashboard import create_app
from tests.dashboard.fake import FakeCompanion
from tests.dashboard.serving import Served, serving

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
         "--disable-component-update", "--disable-sync"]  # fmt: skip


@pytest.fixture
def fake() -> FakeCompanion:
    return FakeCompanion()


@pytest.fixture
def client(fake: FakeCompanion) -> FlaskClient:
    return create_app(fake).test_client()


@pytest.fixture
def post(client: FlaskClient) -> Callable[..., Any]:
    """Posts JSON as a page does, with its token."""
    token = client.get("/api/session").get_json()["csrf_token"]

    def send(path: str, body: Any) -> Any:
        return client.post(path, json=body, headers={"X-CSRFToken": token})

    return send


@pytest.fixture
def served(fake: FakeCompanion) -> Iterator[Served]:
    with serving(fake) as where:
        yield where


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    path = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if path is None:
        pytest.skip("no Chromium on this machine; install it, on Debian with: apt-get install chromium")
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=QUIET)
        yield browser
        browser.close()


STEP_MS = 20
PATIENCE = 1500  # steps: 30 s, as other tests keep the machine busy
PATIENCE_MS = PATIENCE * STEP_MS


def until(page: Any, met: Callable[[], Any]) -> Any:
    """Asks until the answer is true, as Playwright's own waiting for a function needs eval, which the pages forbid."""
    for _ in range(PATIENCE):
        if answer := met():
            return answer
        page.wait_for_timeout(STEP_MS)
    raise AssertionError("waited in vain")


class Browser:
    """Opens pages, and remembers what they complained about."""

    def __init__(self, chromium: Any, served: Served, base: str | None = None) -> None:
        self._chromium = chromium
        self._base = base or served.url
        self._contexts: list[Any] = []
        self.complaints: list[str] = []

    def open(self, path: str = "/", width: int = 1280, height: int = 720, live: bool = True, **options: Any) -> Any:
        context = self._chromium.new_context(
            viewport={"width": width, "height": height}, **{"locale": "en-GB", "color_scheme": "light", **options}
        )
        self._contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", lambda m: self.complaints.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(self._base + path)
        if live:
            page.wait_for_selector('#link[data-state="live"]')
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()


@pytest.fixture
def browser(chromium: Any, served: Served) -> Iterator[Browser]:
    pages = Browser(chromium, served)
    yield pages
    pages.close()
