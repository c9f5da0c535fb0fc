"""Forged, misdirected and oversized requests, headers, and errors."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from companion.dashboard import create_app
from tests.dashboard.fake import FakeCompanion

PAGES = ("/", "/table", "/camera", "/nothing-here")


@pytest.mark.parametrize("path", ["/api/command/undo", "/api/table"])
@pytest.mark.parametrize("headers", [{}, {"X-CSRFToken": "guessed"}])
def test_a_command_without_this_sessions_token_changes_nothing(
    client: FlaskClient, fake: FakeCompanion, path: str, headers: dict[str, str]
) -> None:
    answer = client.post(path, json={"do": "setup"} if path.endswith("table") else {}, headers=headers)
    assert answer.status_code == 400
    assert answer.get_json()["rule"] is None
    assert (fake.commands, fake.table_commands) == ([], [])


def test_a_token_of_another_session_is_refused(fake: FakeCompanion) -> None:
    app = create_app(fake)
    stolen = app.test_client().get("/api/session").get_json()["csrf_token"]
    assert app.test_client().post("/api/command/undo", json={}, headers={"X-CSRFToken": stolen}).status_code == 400
    assert fake.commands == []


def test_the_session_cookie_is_kept_from_scripts_and_other_sites(client: FlaskClient) -> None:
    cookie = client.get("/api/session").headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie


@pytest.mark.parametrize("path", [*PAGES, "/api/scoreboard", "/healthz", "/static/js/main.js", "/api/nothing"])
def test_every_answer_carries_the_protecting_headers(client: FlaskClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize("path", PAGES)
def test_pages_carry_no_inline_script_and_no_inline_style(client: FlaskClient, path: str) -> None:
    page = client.get(path).get_data(as_text=True)
    scripts = [part.split(">")[0] for part in page.split("<script")[1:]]
    assert all("src=" in s or 'type="application/json"' in s for s in scripts)
    assert "<style" not in page
    assert " style=" not in page
    assert "onclick=" not in page


@pytest.mark.parametrize("path", PAGES)
def test_pages_load_nothing_from_elsewhere(client: FlaskClient, path: str) -> None:
    page = client.get(path).get_data(as_text=True)
    assert "http://" not in page.replace("http://www.w3.org/", "")
    assert "https://" not in page


@pytest.mark.parametrize(
    ("host", "status"),
    [("localhost:8000", 200), ("127.0.0.1", 200), ("[::1]:8000", 200), ("evil.example", 400), ("table.local", 400)],
)
def test_only_known_hosts_are_answered(fake: FakeCompanion, host: str, status: int) -> None:
    assert create_app(fake).test_client().get("/healthz", headers={"Host": host}).status_code == status


def test_a_host_that_was_configured_is_answered(fake: FakeCompanion) -> None:
    client = create_app(fake, hosts=["table.local"]).test_client()
    assert client.get("/healthz", headers={"Host": "table.local:8000"}).status_code == 200


def test_a_body_that_is_too_large_is_refused(client: FlaskClient) -> None:
    token = client.get("/api/session").get_json()["csrf_token"]
    body = b'{"players": {"red": "' + b"A" * 100_000 + b'"}}'
    answer = client.post(
        "/api/command/new_match", data=body, content_type="application/json", headers={"X-CSRFToken": token}
    )
    assert answer.status_code == 413


def test_a_body_that_is_not_json_is_refused(client: FlaskClient, fake: FakeCompanion) -> None:
    token = client.get("/api/session").get_json()["csrf_token"]
    headers = {"X-CSRFToken": token}
    assert client.post("/api/command/undo", data="{}", content_type="text/plain", headers=headers).status_code == 415
    broken = client.post("/api/command/undo", data="{", content_type="application/json", headers=headers)
    assert broken.status_code == 422
    assert fake.commands == []


def test_unknown_addresses_and_methods_answer_in_kind(client: FlaskClient) -> None:
    assert client.get("/api/nothing").get_json()["error"]
    assert client.get("/nothing").mimetype == "text/html"
    wrong = client.get("/api/table")
    assert (wrong.status_code, wrong.get_json()["rule"]) == (405, None)
    assert "POST" in wrong.headers["Allow"]
    token = client.get("/api/session").get_json()["csrf_token"]
    unknown = client.post("/api/command/cheat", json={}, headers={"X-CSRFToken": token})
    assert unknown.status_code == 404


def test_a_fault_of_ours_shows_no_traceback(fake: FakeCompanion) -> None:
    class Faulty(FakeCompanion):
        def scoreboard(self) -> dict[str, object]:
            raise KeyError("secret detail")

    app = create_app(Faulty())
    app.logger.disabled = True
    answer = app.test_client().get("/api/scoreboard")
    assert answer.status_code == 500
    assert "secret" not in answer.get_data(as_text=True)
    assert answer.get_json()["rule"] is None


@pytest.mark.parametrize("bad", ["-1", "x", "1e3", "9" * 30, "1;2"])
def test_a_last_id_that_is_no_id_is_refused(client: FlaskClient, bad: str) -> None:
    assert client.get("/api/stream", headers={"Last-Event-ID": bad}).status_code == 400
