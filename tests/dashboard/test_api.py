"""Reading, commanding, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.dashboard.models import COMMANDS
from companion.games.base import IllegalMove
from companion.journal import JournalError
from tests.dashboard.fake import FakeCompanion, question

Post = Callable[..., Any]


def test_healthz_says_what_the_companion_says(client: FlaskClient, fake: FakeCompanion) -> None:
    fake.append("note")
    body = client.get("/healthz").get_json()
    assert body["status"] == "ok"
    assert set(body) == {"status", "camera", "sensors", "journal"}
    assert body["journal"] == {"last_id": 1}


def test_the_scoreboard_is_the_companions_own_and_never_cached(client: FlaskClient, fake: FakeCompanion) -> None:
    answer = client.get("/api/scoreboard")
    assert answer.get_json() == fake.scoreboard()
    assert answer.headers["Cache-Control"] == "no-store"


def test_the_board_has_everything_that_is_drawn(client: FlaskClient) -> None:
    board = client.get("/api/board").get_json()
    assert board["size"] == [650.0, 650.0]
    assert [t["name"] for t in board["teams"]] == ["red", "green"]
    assert {z["kind"] for z in board["zones"]} == {"base_camp", "no_reef", "island", "advanced_camp", "sanctuary"}
    assert len(board["doors"]) == 4
    assert len(board["gates"]) == 1


def test_a_command_reaches_the_companion_and_brings_its_entries_back(post: Post, fake: FakeCompanion) -> None:
    answer = post("/api/command/new_match", {"players": {"red": "Ada", "green": "Blaise"}})
    assert answer.status_code == 200
    assert [e["type"] for e in answer.get_json()["entries"]] == ["new_match"]
    assert fake.commands == [("new_match", {"players": {"red": "Ada", "green": "Blaise"}, "options": {}}, "table")]


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("\u202eAda", "Ada"),
        (" A\nd\ta ", "A d a"),
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f468\u200d\U0001f469\u200d\U0001f467"),
        ("عمر", "عمر"),
    ],
)
def test_a_name_is_one_line_and_turns_nothing_round(post: Any, fake: FakeCompanion, told: str, kept: str) -> None:
    """A sign that is not seen turned the points after a name round; a family of emoji stays one."""
    assert post("/api/command/new_match", {"players": {"red": told, "green": [told, "Cid"]}}).status_code == 200
    assert fake.commands[0][1]["players"] == {"red": kept, "green": [kept, "Cid"]}


@pytest.mark.parametrize("choice", ["red-8", None])
def test_an_answer_may_be_a_value_or_nothing(post: Post, fake: FakeCompanion, choice: str | None) -> None:
    fake.append("question", question=question())
    assert post("/api/command/answer", {"question": 7, "choice": choice}).status_code == 200
    assert fake.commands == [("answer", {"question": 7, "choice": choice}, "table")]


def test_a_review_may_be_answered_with_what_happened(post: Post, fake: FakeCompanion) -> None:
    facts = {"flicked": "red-1", "touched": ["green-4"], "doors": [{"puck": "red-3", "door": "green-north-east"}],
             "exits": [], "on_gate": []}  # fmt: skip
    assert post("/api/command/answer", {"question": "4:review:shot", "choice": facts}).status_code == 200
    assert fake.commands[0][1]["choice"] == facts


def test_what_the_rules_forbid_is_refused_with_the_rule(post: Post, fake: FakeCompanion) -> None:
    fake.refuse = IllegalMove("the match is over", "P24")
    answer = post("/api/command/undo", {})
    assert answer.status_code == 409
    assert answer.get_json() == {"error": "the match is over (rule P24)", "rule": "P24"}
    assert fake.journal == []


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("new_match", {}),
        ("new_match", {"players": {"red": ""}}),
        ("new_match", {"players": {"red": "A" * 41}}),
        ("start_round", {"begins": 3}),
        ("answer", {"question": 1}),
        ("undo", {"everything": True}),
        ("pause", []),
    ],
)
def test_a_body_of_the_wrong_form_is_refused_and_says_where(
    post: Post, fake: FakeCompanion, name: str, body: Any
) -> None:
    answer = post(f"/api/command/{name}", body)
    assert answer.status_code == 422
    assert "openapi.json" in answer.get_json()["error"]
    assert fake.commands == []


@pytest.mark.parametrize(
    "body",
    [
        {"do": "flick", "puck": "red-1", "angle_deg": 30.5, "speed_mm_s": 1200.0},
        {"do": "flick", "puck": "red-1", "at": [203.0, 214.0], "angle_deg": -90.0, "speed_mm_s": 900.0},
        {"do": "remove", "puck": "red-1"},
        {"do": "place", "puck": "red-1", "x_mm": 100.0, "y_mm": 200.0, "off_board": True},
        {"do": "slide", "puck": "red-1", "x_mm": 100.0, "y_mm": 200.0},
        {"do": "flick", "puck": "red-1", "angle_deg": 30.5, "speed_mm_s": 1200.0, "push": True},
        {"do": "pass"},
        {"do": "clear"},
        {"do": "setup"},
    ],
)
def test_the_virtual_tables_hand_is_told_exactly_what_was_asked(post: Post, fake: FakeCompanion, body: Any) -> None:
    assert post("/api/table", body).status_code == 200
    assert fake.table_commands == [body]


@pytest.mark.parametrize(
    "body",
    [
        {"do": "flick", "puck": "red-1", "angle_deg": 0, "speed_mm_s": 0},
        {"do": "flick", "puck": "red-1", "angle_deg": 0, "speed_mm_s": 1e9},
        {"do": "flick", "puck": "red-1", "angle_deg": "east", "speed_mm_s": 900},
        {"do": "throw", "puck": "red-1"},
        {"do": "place", "puck": "red-1", "x_mm": 100},
        {"do": "remove"},
    ],
)
def test_a_hand_that_makes_no_sense_is_refused(post: Post, fake: FakeCompanion, body: Any) -> None:
    assert post("/api/table", body).status_code == 422
    assert fake.table_commands == []


def test_a_number_that_is_not_finite_is_refused(client: FlaskClient, fake: FakeCompanion) -> None:
    token = client.get("/api/session").get_json()["csrf_token"]
    body = '{"do":"place","puck":"red-1","x_mm":NaN,"y_mm":1}'
    answer = client.post("/api/table", data=body, content_type="application/json", headers={"X-CSRFToken": token})
    assert answer.status_code == 422
    assert fake.table_commands == []


def test_pictures_come_as_jpeg_or_not_at_all(client: FlaskClient, fake: FakeCompanion) -> None:
    assert client.get("/picture/camera.jpg").status_code == 204
    fake.pictures = {"camera": b"\xff\xd8camera", "secrets": b"no"}
    answer = client.get("/picture/camera.jpg")
    assert (answer.data, answer.mimetype) == (b"\xff\xd8camera", "image/jpeg")
    assert answer.headers["Cache-Control"] == "no-store"
    assert client.get("/picture/secrets.jpg").status_code == 404


def test_a_journal_that_fails_is_said_without_telling_where_it_lies(fake: FakeCompanion) -> None:
    class Broken(FakeCompanion):
        def scoreboard(self) -> dict[str, Any]:
            raise JournalError("the journal /home/ada/journal.sqlite3 cannot be read: disk full")

    from companion.dashboard import create_app

    answer = create_app(Broken()).test_client().get("/api/scoreboard")
    assert answer.status_code == 503
    assert "ada" not in answer.get_json()["error"]


def test_the_description_has_every_command_with_the_model_that_checks_it(client: FlaskClient) -> None:
    document = client.get("/api/openapi.json").get_json()
    assert document["openapi"].startswith("3.1")
    for name, model in COMMANDS.items():
        body = document["paths"][f"/api/command/{name}"]["post"]["requestBody"]["content"]["application/json"]
        assert body["schema"] == {"$ref": f"#/components/schemas/{model.__name__}"}
    for path in ("/healthz", "/api/scoreboard", "/api/board", "/api/stream", "/api/table", "/picture/{kind}.jpg"):
        assert path in document["paths"]


def test_every_reference_in_the_description_leads_somewhere(client: FlaskClient) -> None:
    document = client.get("/api/openapi.json").get_json()
    schemas = document["components"]["schemas"]
    found = list(_references(document))
    assert found
    assert {r.removeprefix("#/components/schemas/") for r in found} <= set(schemas)


def _references(node: Any) -> Any:
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "$ref":
                yield value
            elif key == "mapping":
                yield from value.values()
            else:
                yield from _references(value)
    elif isinstance(node, list):
        for value in node:
            yield from _references(value)


def test_a_shots_film_comes_as_it_is_kept_or_not_at_all(client: FlaskClient, fake: FakeCompanion) -> None:
    fake.films[9] = b"packed film"
    answer = client.get("/replay/9")
    assert (answer.status_code, answer.data, answer.mimetype) == (200, b"packed film", "application/octet-stream")
    assert client.get("/replay/10").status_code == 404
    assert client.get("/replay/10").get_json()["error"]
    assert client.get("/replay/nine").status_code == 404


@pytest.mark.parametrize("seen", [-1, 10**20, "7", 1.5, True])
def test_an_undo_tells_what_its_screen_showed_as_a_number_of_the_journal(post: Post, seen: Any) -> None:
    assert post("/api/command/undo", {"seen": seen}).status_code == 422
