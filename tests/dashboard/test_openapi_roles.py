"""Whatever anybody in the house sends by the description: no fault of ours, and what is refused changes nothing."""

from __future__ import annotations

import json
import threading
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

import pytest
from hypothesis import settings
from schemathesis.checks import not_a_server_error

from companion.access import Access, Role
from companion.app import Companion
from companion.dashboard import create_app, open_server
from companion.dashboard.security import EVERY_ADDRESS
from tests.companion.fed_companion import TableInView, companion_for
from tests.dashboard.test_openapi import DRAWN, QUICK

MANY = 100
REFUSED = range(400, 500)
FROM = "X-Elsewhere"  # where this test's server believes a request to come from


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Before the pages: each request comes from the address that it names, as it would from all over the house."""

    pages: Callable[[dict[str, Any], Any], Iterable[bytes]]

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        environ["REMOTE_ADDR"] = environ.get("HTTP_X_ELSEWHERE", "192.168.1.2")
        return self.pages(environ, start_response)


class Table:
    """A real companion in the middle of a match, and devices that have come in to it."""

    def __init__(self, companion: Companion, access: Access, url: str) -> None:
        self.companion, self.access, self.url = companion, access, url
        self._last = self._kept = 0  # the journal's last entry that was looked at, and the last that changes anything
        self._held: dict[Role, tuple[str, dict[str, str]]] = {}
        self._addresses = (f"192.168.{n // 250 % 250}.{n % 250 + 1}" for n in count(3))

    def headers(self, role: Role) -> dict[str, str]:
        """Of a device with that role, from an address that no limit has heard of yet."""
        secret, kept = self._held.get(role, ("", {}))
        if not kept or (role != Role.SPECTATOR and self.access.find(secret) is None):  # given back, or taken away
            secret, kept = self._come_in(role)
            self._held[role] = secret, kept
        return {**kept, FROM: next(self._addresses)}

    def told(self) -> Any:
        """All that a refused command must leave as it is; who tried it is journalled."""
        score = {k: v for k, v in self.companion.scoreboard().items() if k != "last_id"}
        while fresh := self.companion.entries_after(self._last):
            self._last = fresh[-1].id
            self._kept = next((e.id for e in reversed(fresh) if e.type != "access"), self._kept)
        return json.dumps(score, sort_keys=True), self._kept, self.access.passes()

    def _come_in(self, role: Role) -> tuple[str, dict[str, str]]:
        session, cookie = self._ask("/api/session", {})
        headers = {"X-CSRFToken": session["csrf_token"], "Cookie": cookie}
        if role == Role.SPECTATOR:
            return "", headers
        secret, _ = self.access.new_pass(role, "red" if role == Role.PLAYER else None)
        body = json.dumps({"token": secret}).encode()
        _, cookie = self._ask("/api/join", {**headers, "Content-Type": "application/json"}, body)
        return secret, {**headers, "Cookie": cookie}

    def _ask(self, path: str, headers: dict[str, str], body: bytes | None = None) -> tuple[Any, str]:
        asked = urllib.request.Request(self.url + path, body, {**headers, FROM: next(self._addresses)})
        with urllib.request.urlopen(asked, timeout=10) as answer:
            return json.load(answer), answer.headers["Set-Cookie"].partition(";")[0]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    companion, _ = companion_for(tmp_path_factory.mktemp("table"))
    companion.take(TableInView().live())
    companion.command("new_match", {"players": {"red": "Ada", "green": "Ben"}})
    access = Access()
    app = create_app(companion, access=access, hosts=[EVERY_ADDRESS], addresses=["http://192.168.1.1"])
    app.wsgi_app = Elsewhere(app.wsgi_app)  # type: ignore[method-assign]
    server = open_server(app, "127.0.0.1", 0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield Table(companion, access, f"http://127.0.0.1:{server.effective_port}")
    server.close()
    thread.join()
    companion.stop()


@pytest.mark.long
@pytest.mark.parametrize("role", list(Role), ids=lambda role: role.word)
@DRAWN.parametrize()
@settings(QUICK, max_examples=MANY, derandomize=False)
def test_whatever_anybody_sends_is_no_fault_of_ours_and_refused_it_changes_nothing(
    case: Any, table: Table, role: Role
) -> None:
    headers, before = table.headers(role), table.told()
    answer = case.call(table.url, headers=headers)
    case.validate_response(answer, checks=[not_a_server_error])
    if answer.status_code in REFUSED:
        assert table.told() == before
