"""In the house's network: another address than localhost, plain and secure, from the first byte to a phone's screen."""

from __future__ import annotations

import errno
import http.client
import select
import socket
import ssl
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from waitress.channel import HTTPChannel
from waitress.task import ThreadedTaskDispatcher

from companion.access import Access, Role
from companion.certificate import Certificate, certificate_for
from companion.dashboard.server import SPARE_THREADS, Tls
from companion.dashboard.tls import TlsSocket, server_context
from companion.serving import EVERYWHERE, own_addresses
from tests.dashboard.conftest import Browser, Chromium, until
from tests.dashboard.fake import FakeCompanion
from tests.dashboard.serving import Served, StreamClient, serving


@pytest.fixture(scope="module")
def address() -> str:
    found = own_addresses()
    assert found, "this machine is in no network; connect it, or give it an address: ip addr add 192.168.77.1/24 dev lo"
    return found[0]


@pytest.fixture
def certificate(tmp_path: Path, address: str) -> Certificate:
    return certificate_for(tmp_path, ("table.local", address))


@pytest.fixture
def house(fake: FakeCompanion, certificate: Certificate) -> Iterator[Served]:
    fake.pictures = {"camera": b"jpeg"}
    with serving(fake, host=EVERYWHERE[0], tls=Tls(certificate, 0), access=Access()) as served:
        yield served


def test_a_phone_watches_over_the_plain_line_and_sees_no_picture(house: Served, address: str) -> None:
    line = http.client.HTTPConnection(address, house.port, timeout=10)
    line.request("GET", "/api/me")
    assert b'"spectator"' in line.getresponse().read()
    line.request("GET", "/picture/camera.jpg")
    answer = line.getresponse()
    assert (answer.status, b"jpeg" in answer.read()) == (403, False)
    line.close()


def test_the_secure_line_gives_the_same_in_large_and_small_pieces(
    house: Served, address: str, certificate: Certificate
) -> None:
    trust = ssl.create_default_context(cafile=str(certificate.authority))
    line = http.client.HTTPSConnection(address, house.secure_port, timeout=10, context=trust)
    line.request("GET", "/static/js/flick.js")
    script = line.getresponse().read()
    assert len(script) > 4000
    body = b'{"token": "' + b"x" * 40_000 + b'"}'  # more than one record of TLS, read in more than one piece
    line.request("POST", "/api/join", body=body, headers={"Content-Type": "application/json"})
    assert line.getresponse().status == 400
    line.close()


def test_the_stream_is_live_over_the_secure_line(
    house: Served, fake: FakeCompanion, address: str, certificate: Certificate
) -> None:
    trust = ssl.create_default_context(cafile=str(certificate.authority))
    with StreamClient(house, host=address, trust=trust) as stream:
        stream.until(lambda e: e.name == "live")
        for _ in range(20):
            fake.append("note")
        assert stream.journal(up_to=20) == list(range(1, 21))


def test_who_speaks_plainly_on_the_secure_line_disturbs_nobody(
    house: Served, address: str, certificate: Certificate
) -> None:
    assert house.secure_port is not None
    for rubbish in (b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03", b""):
        with socket.create_connection((address, house.secure_port), timeout=10) as plain:
            plain.sendall(rubbish)
    trust = ssl.create_default_context(cafile=str(certificate.authority))
    line = http.client.HTTPSConnection(address, house.secure_port, timeout=10, context=trust)
    line.request("GET", "/healthz")
    assert line.getresponse().status == 200
    line.close()


def test_where_the_secure_port_is_taken_the_plain_line_is_served(fake: FakeCompanion, certificate: Certificate) -> None:
    with socket.socket() as other:
        other.bind((EVERYWHERE[0], 0))
        other.listen()
        with serving(fake, host=EVERYWHERE[0], tls=Tls(certificate, other.getsockname()[1])) as served:
            assert served.secure_port is None
            line = http.client.HTTPConnection("127.0.0.1", served.port, timeout=10)
            line.request("GET", "/healthz")
            assert line.getresponse().status == 200
            line.close()


def test_a_phone_that_went_is_told_of_in_numbers_that_waitress_knows(certificate: Certificate, address: str) -> None:
    """Any other is logged with a traceback, each time that a phone goes while it is sent something."""
    trust = ssl.create_default_context(cafile=str(certificate.authority))
    with socket.create_server((address, 0)) as listening:
        line = socket.create_connection(listening.getsockname())
        secure = TlsSocket(listening.accept()[0], server_context(certificate.chain, certificate.key))
        with ThreadPoolExecutor(1) as phone:
            shaken = phone.submit(trust.wrap_socket, line, server_hostname=address)
            while not shaken.done():
                secure.take(1)
    assert secure.send(b"told") == 4
    shaken.result().close()
    while secure.take(1) != b"":
        assert select.select([secure], [], [], 10)[0], "nothing more came, not even that the phone went"
    with pytest.raises(ConnectionResetError) as told:
        secure.send(b"told on")
    assert told.value.args[0] == errno.ECONNRESET
    secure.close()


@pytest.mark.parametrize("gone", [errno.ETIMEDOUT, errno.EHOSTUNREACH, errno.ENETDOWN])
def test_a_phone_that_left_the_house_leaves_no_traceback(
    house: Served, gone: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def send(self: HTTPChannel, data: bytes, do_close: bool = True) -> int:
        raise OSError(gone, "gone")

    with monkeypatch.context() as patch:
        patch.setattr(HTTPChannel, "send", send)
        line = http.client.HTTPConnection("127.0.0.1", house.port, timeout=10)
        line.request("GET", "/healthz")
        with pytest.raises(http.client.RemoteDisconnected):
            line.getresponse()
    assert caplog.records == []
    line.request("GET", "/healthz")
    assert line.getresponse().status == 200
    line.close()


def test_a_request_that_waits_for_a_thread_is_no_news(
    fake: FakeCompanion, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is served a moment later; waitress would tell of each."""
    queued, held, release = threading.Semaphore(0), threading.Semaphore(0), threading.Event()
    add_task, phones_there = ThreadedTaskDispatcher.add_task, SPARE_THREADS + 4

    def add(self: ThreadedTaskDispatcher, task: Any) -> None:
        add_task(self, task)
        queued.release()

    def health() -> dict[str, Any]:
        held.release()
        release.wait(10)
        return {}

    def ask(port: int) -> int:
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        line.request("GET", "/healthz")
        status = line.getresponse().status
        line.close()
        return status

    monkeypatch.setattr(ThreadedTaskDispatcher, "add_task", add)
    monkeypatch.setattr(fake, "health", health)
    with serving(fake, max_streams=1) as served, ThreadPoolExecutor(phones_there) as phones:
        answers = [phones.submit(ask, served.port) for _ in range(phones_there)]
        assert all(queued.acquire(timeout=10) for _ in range(phones_there))
        assert all(held.acquire(timeout=10) for _ in range(SPARE_THREADS + 1))
        assert not held.acquire(timeout=0.05), "nobody waits for a thread"
        release.set()
        assert [answer.result() for answer in answers] == [200] * phones_there
    assert caplog.records == []


@pytest.mark.browser
def test_a_phone_scans_a_code_over_the_secure_line_sits_down_and_plays(
    house: Served, fake: FakeCompanion, chromium: Chromium, certificate: Certificate, address: str
) -> None:
    secret, _ = house.access.new_pass(Role.PLAYER, "red")
    base = f"https://{address}:{house.secure_port}"
    with chromium.trusting(certificate.authority) as trusting:
        pages = Browser(trusting, house, base)
        page = pages.open(f"/join#{secret}", width=390, height=844, is_mobile=True, has_touch=True)
        page.wait_for_url(f"{base}/seat")
        page.wait_for_selector('#link[data-state="live"]')
        assert page.evaluate("isSecureContext && 'wakeLock' in navigator")
        assert secret not in page.evaluate("JSON.stringify(performance.getEntries().map(e => e.name))")
        page.click("#pause")
        page.wait_for_selector("#pause:has-text('Resume')")
        assert [(name, by) for name, _, by in fake.commands] == [("pause", "player 1 (red)")]
        until(page, lambda: page.evaluate("navigator.serviceWorker.ready.then((r) => r.active !== null)"))
        assert pages.complaints == []
        pages.close()


@pytest.mark.browser
def test_a_code_that_is_typed_while_a_scanned_pass_is_looked_into_is_sent_once(
    house: Served, chromium: Any, address: str
) -> None:
    pages = Browser(chromium, house, f"http://{address}:{house.port}")
    page = pages.open("/help", width=390, height=844)
    held: list[Any] = []
    sent: list[str] = []
    page.route("**/api/join", lambda route: held.append(route))
    page.on("request", lambda request: sent.append(request.url))
    page.goto(page.url.replace("/help", "/join#OLD-PASS"))
    until(page, lambda: held)
    page.fill("#code", "WRONG-CODE")
    page.press("#code", "Enter")
    for route in held:
        route.continue_()
    page.wait_for_selector('#link[data-state="live"]')
    until(page, lambda: page.locator("#join-said").inner_text() == "")
    assert [url for url in sent if url.endswith("/api/sign-in")] == [f"http://{address}:{house.port}/api/sign-in"]
    assert pages.complaints_but("403") == []
    pages.close()


@pytest.mark.browser
def test_a_strangers_phone_shows_the_match_and_no_buttons_that_would_be_refused(
    house: Served, fake: FakeCompanion, chromium: Any, address: str
) -> None:
    pages = Browser(chromium, house, f"http://{address}:{house.port}")
    page = pages.open("/", width=390, height=844)
    page.wait_for_selector(".side-number")
    assert page.locator("#controls button:visible").all_inner_texts() == ["This screen"]
    assert page.locator("#otherwise button:visible").count() == 0
    assert page.get_by_role("link", name="Come in").count() == 1
    assert pages.complaints == []
    pages.close()
