"""A companion by hand, a client, a served dashboard, a browser."""

from __future__ import annotations

import base64
import hashlib
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from flask.testing import FlaskClient

from companion.app import Companion
from companion.dashboard import create_app
from tests.companion.fed_companion import companion_for
from tests.dashboard.fake import FakeCompanion
from tests.dashboard.serving import Served, serving

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
         "--disable-component-update", "--disable-sync"]  # fmt: skip
USUAL = {"locale"}  # what a context may be asked for and still be used again
FORGET = "try { sessionStorage.clear(); localStorage.clear(); } catch { /* the server was gone: nothing was kept */ }"


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


def chromium_here() -> str | None:
    """Where a Chromium is on this machine."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


@pytest.fixture
def companion(tmp_path: Path) -> Iterator[Companion]:
    made, _ = companion_for(tmp_path)
    yield made
    made.stop()


class Chromium:
    """One Chromium for all tests.

    A context of its own costs a test two seconds of a processor, one that is there already half a second. So those that
    ask for nothing unusual are used again, emptied of all that an earlier page has left there.
    """

    def __init__(self, browser: Any) -> None:
        self._free: dict[Any, list[Any]] = {}
        self.new_context, self.new_page = browser.new_context, browser.new_page
        self._launch = browser.browser_type.launch

    @contextmanager
    def trusting(self, authority: Path) -> Iterator[Chromium]:
        """A Chromium of its own in which an authority is as if installed.

        One that is told to ignore errors of certificates asks for each file anew after each of them, from connections
        that others opened, and gives up after 32: on a busy machine, now and then, a file is missing.
        """
        key = x509.load_pem_x509_certificate(authority.read_bytes()).public_key()
        info = key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        pin = base64.b64encode(hashlib.sha256(info).digest()).decode()
        arguments = [*QUIET, f"--ignore-certificate-errors-spki-list={pin}"]
        browser = self._launch(executable_path=chromium_here(), args=arguments)
        try:
            yield Chromium(browser)
        finally:
            browser.close()

    def page(self, wishes: dict[str, Any]) -> Any:
        """A page in an empty context that fulfils these wishes."""
        free = self._free.get(tuple(sorted(wishes.items())))
        return free.pop() if free else self.new_context(**wishes).new_page()

    def leave(self, page: Any, wishes: dict[str, Any], origin: str) -> None:
        """Empties a page's context for whoever comes next; an unusual one, or one without its page, is closed."""
        if page.is_closed() or len(page.context.pages) > 1 or not wishes.keys() <= USUAL:
            page.context.close()
            return
        page.context.set_offline(False)
        page.unroute_all(behavior="ignoreErrors")
        page.evaluate(FORGET)
        page.goto("about:blank")
        page.context.clear_cookies()
        session = page.context.new_cdp_session(page)
        session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        session.detach()
        self._free.setdefault(tuple(sorted(wishes.items())), []).append(page)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    path = chromium_here()
    if path is None:
        pytest.skip("no Chromium on this machine; install it, on Debian with: apt-get install chromium")
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=QUIET)
        yield Chromium(browser)
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


def until_page(page: Any, condition: str) -> None:
    """The same of a condition that is told in JavaScript."""
    until(page, lambda: page.evaluate(condition))


class Browser:
    """Opens pages, and remembers what they complained about."""

    def __init__(self, chromium: Any, served: Served, base: str | None = None) -> None:
        self._chromium: Chromium = chromium
        self._base = base or served.url
        self._opened: list[tuple[Any, dict[str, Any]]] = []
        self.complaints: list[str] = []

    def open(self, path: str = "/", width: int = 1280, height: int = 720, live: bool = True, **options: Any) -> Any:
        media = {"color_scheme": options.pop("color_scheme", "light"),
                 "reduced_motion": options.pop("reduced_motion", "no-preference")}  # fmt: skip
        wishes = {"locale": "en-GB", **options}
        page = self._chromium.page(wishes)
        self._opened.append((page, wishes))
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(**media)
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", self._heard)
        page.on("pageerror", self._failed)
        page.goto(self._base + path)
        if live:
            page.wait_for_selector('#link[data-state="live"]')
        return page

    def close(self) -> None:
        for page, wishes in self._opened:
            page.remove_listener("console", self._heard)
            page.remove_listener("pageerror", self._failed)
            self._chromium.leave(page, wishes, self._base)

    def complaints_but(self, expected: str) -> list[str]:
        """Those that do not hold these words."""
        return [told for told in self.complaints if expected not in told]

    def _heard(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _failed(self, error: Any) -> None:
        self.complaints.append(str(error))


@pytest.fixture
def browser(chromium: Any, served: Served) -> Iterator[Browser]:
    pages = Browser(chromium, served)
    yield pages
    pages.close()


@pytest.fixture
def pages(companion: Companion, chromium: Any) -> Iterator[Browser]:
    with serving(companion) as where:
        opened = Browser(chromium, where)
        yield opened
        opened.close()
