"""Roles over HTTP: what strangers, players, referees and owners may, and that refusals change nothing."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from flask import Flask

from companion.access import Access, Role
from companion.dashboard import create_app
from companion.dashboard.counts import Counts
from companion.dashboard.guard import Once
from companion.dashboard.security import EVERY_ADDRESS
from companion.games.base import IllegalMove
from companion.journal import JournalError
from tests.dashboard.fake import FakeCompanion, question

TABLE = "http://192.168.1.5:8000"


@pytest.fixture
def access() -> Access:
    return Access()


@pytest.fixture
def app(fake: FakeCompanion, access: Access) -> Flask:
    fake.pictures = {"camera": b"jpeg"}
    fake.films = {1: b"film"}
    return create_app(fake, access=access, hosts=[EVERY_ADDRESS], addresses=[TABLE])


class Phone:
    """A browser elsewhere in the house, with its own address and cookies."""

    def __init__(self, app: Flask, address: str = "192.168.1.77") -> None:
        self.client = app.test_client()
        self.where = {"base_url": TABLE, "environ_overrides": {"REMOTE_ADDR": address}}
        self.token = self.get("/api/session").get_json()["csrf_token"]

    def get(self, path: str, **more: Any) -> Any:
        return self.client.get(path, **{**self.where, **more})

    def post(self, path: str, **body: Any) -> Any:
        return self.client.post(path, json=body, headers={"X-CSRFToken": self.token}, **self.where)

    def holding(self, access: Access, role: Role, seat: str | None = None) -> Phone:
        """The same phone after it came in by a pass."""
        secret, _ = access.new_pass(role, seat)
        assert self.post("/api/join", token=secret).status_code == 200
        return self


def audited(fake: FakeCompanion) -> list[str]:
    return [e.data["what"] for e in fake.journal if e.type == "access"]


def test_at_the_machine_itself_nobody_is_asked_for_a_code(app: Flask, fake: FakeCompanion) -> None:
    here = app.test_client()
    assert here.get("/api/me").get_json() == {"role": "owner", "seat": None, "here": True, "pass": None}
    token = here.get("/api/session").get_json()["csrf_token"]
    assert here.post("/api/command/undo", json={}, headers={"X-CSRFToken": token}).status_code == 200
    assert fake.commands == [("undo", {}, "table")]


@pytest.mark.parametrize("proxy", ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"])
def test_what_comes_through_a_proxy_is_not_from_the_machine_itself(app: Flask, proxy: str) -> None:
    answer = app.test_client().get("/api/me", headers={proxy: "127.0.0.1"})
    assert answer.get_json()["role"] == "spectator"


def test_what_a_device_asked_is_counted_by_seconds_that_pass_whatever_the_clock_is_set_to(app: Flask) -> None:
    """Set back by an hour, the time of day would have made the last ten seconds an hour long."""
    (limiter,) = app.extensions["limiter"]
    assert isinstance(limiter.storage, Counts)
    times = [100.0]
    counts = Counts(clock=lambda: times[0])
    assert [counts.incr("phone", 10) for _ in range(3)] == [1, 2, 3]
    assert 0 < counts.get_expiry("phone") - time.time() <= 10
    assert counts.get("another") == 0
    times[0] += 10.0
    assert counts.get("phone") == 0
    assert counts.incr("phone", 10) == 1


def test_a_machine_that_is_not_trusted_needs_the_code_too(fake: FakeCompanion) -> None:
    app = create_app(fake, access=Access(trust_machine=False))
    assert app.test_client().get("/api/me").get_json()["role"] == "spectator"


@pytest.mark.parametrize("path", ["/", "/api/scoreboard", "/api/board", "/healthz", "/games", "/api/me"])
def test_a_stranger_may_watch(app: Flask, path: str) -> None:
    assert Phone(app).get(path).status_code == 200


@pytest.mark.parametrize(
    "path", ["/picture/camera.jpg", "/replay/1", "/camera", "/export/plays.csv", "/export/journal.json", "/api/access"]
)
def test_a_stranger_sees_no_picture_no_film_and_no_record(app: Flask, path: str) -> None:
    answer = Phone(app).get(path)
    assert answer.status_code == 403
    assert b"jpeg" not in answer.data
    assert b"film" not in answer.data


def test_a_player_sees_the_picture_and_the_film(app: Flask, access: Access) -> None:
    phone = Phone(app).holding(access, Role.PLAYER, "red")
    assert phone.get("/picture/camera.jpg").data == b"jpeg"
    assert phone.get("/replay/1").data == b"film"
    assert phone.get("/export/journal.json").status_code == 403


COMMANDS: list[tuple[str, dict[str, Any]]] = [
    ("/api/command/undo", {}),
    ("/api/command/pause", {}),
    ("/api/command/start_round", {"begins": "red"}),
    ("/api/command/as_it_lies", {"turn": "red"}),
    ("/api/command/answer", {"question": 7, "choice": None}),
    ("/api/command/shot_by_hand", {"flicked": "red-1"}),
    ("/api/command/correct", {"of": 1, "facts": {"flicked": "red-1"}}),
    ("/api/command/new_match", {"players": {"red": "Eve"}}),
    ("/api/table", {"do": "setup"}),
    ("/api/players", {"play": True}),
    ("/api/passes", {"role": "player"}),
    ("/api/passes/1/revoke", {}),
    ("/api/codes/owner", {}),
    ("/api/seat/ann/claim", {}),
]


@pytest.mark.parametrize(("path", "body"), COMMANDS)
def test_a_stranger_commands_nothing_and_the_journal_says_who_tried(
    app: Flask, fake: FakeCompanion, access: Access, path: str, body: dict[str, Any]
) -> None:
    before = access.passes()
    stranger = Phone(app)
    answers = [stranger.post(path, **body) for _ in range(3)]
    assert {a.status_code for a in answers} == {403}
    assert (fake.commands, fake.table_commands, access.passes()) == ([], [], before)
    assert [e.data for e in fake.journal] == [
        {"what": "not allowed", "path": path, "by": "spectator at 192.168.1.77", "address": "192.168.1.77"}
    ]


def test_every_address_that_changes_something_is_closed_to_strangers(app: Flask) -> None:
    open_to_all = {"/api/join", "/api/sign-in", "/api/sign-out"}
    stranger, tried = Phone(app), 0
    for rule in app.url_map.iter_rules():
        if "POST" not in (rule.methods or ()) or rule.rule in open_to_all:
            continue
        path = rule.rule
        for part, value in (("<name>", "undo"), ("<seat>", "ann"), ("<role>", "owner")):
            path = path.replace(part, value)
        path = re.sub(r"<int:\w+>", "1", path)
        assert stranger.post(path).status_code in (403, 429), path
        tried += 1
    assert tried > 20


def test_a_player_plays_but_ends_no_match_and_hands_out_nothing(
    app: Flask, fake: FakeCompanion, access: Access
) -> None:
    phone = Phone(app).holding(access, Role.PLAYER, "red")
    assert phone.post("/api/command/pause").status_code == 200
    assert fake.commands == [("pause", {}, "player 1 (red)")]
    for path, body in (
        ("/api/command/new_match", {"players": {"red": "Eve"}}),
        ("/api/command/shot_by_hand", {"flicked": "red-1"}),
        ("/api/passes", {"role": "player"}),
        ("/api/codes/referee", {}),
    ):
        assert phone.post(path, **body).status_code == 403, path
    assert len(fake.commands) == 1


def test_a_player_takes_back_what_was_played_but_not_the_match_itself(
    app: Flask, fake: FakeCompanion, access: Access
) -> None:
    phone = Phone(app).holding(access, Role.PLAYER, "red")
    for undoes, status in (("shot", 200), ("match_started", 403), ("match_resumed", 403)):
        fake.append("note", undoes=undoes)
        assert phone.post("/api/command/undo").status_code == status, undoes
    assert len(fake.commands) == 1
    referee = Phone(app).holding(access, Role.REFEREE)
    assert referee.post("/api/command/undo").status_code == 200


def test_a_player_begins_a_match_where_none_is_on(app: Flask, fake: FakeCompanion, access: Access) -> None:
    fake.append("note", game=None, phase="lobby")
    phone = Phone(app).holding(access, Role.PLAYER)
    assert phone.post("/api/command/new_match", players={"red": "Ann", "green": "Ben"}).status_code == 200


def test_a_player_answers_no_question_of_the_other_side(app: Flask, fake: FakeCompanion, access: Access) -> None:
    fake.append("question", question={**question(), "team": "green"})
    red, green = Phone(app).holding(access, Role.PLAYER, "red"), Phone(app).holding(access, Role.PLAYER, "green")
    refused = red.post("/api/command/answer", question=7, choice="red-8")
    assert refused.status_code == 403
    assert "green" in refused.get_json()["error"]
    assert fake.commands == []
    assert audited(fake)[-1] == "out of turn"
    assert green.post("/api/command/answer", question=7, choice="red-8").status_code == 200


@pytest.mark.parametrize(
    "told",
    [
        {"puck": "green-2", "angle_deg": 0.0, "speed_mm_s": 500.0},
        {"puck": "red-1", "at": [430.0, 196.0], "angle_deg": 0.0, "speed_mm_s": 500.0},
    ],
)
def test_a_player_flicks_no_puck_of_the_other_side_whatever_it_is_called(
    app: Flask, fake: FakeCompanion, access: Access, told: dict[str, Any]
) -> None:
    seen = [("green", 2, 430.0, 196.0), ("red", 1, 203.0, 214.0)]
    pucks = [{"puck": f"v{n}", "team": team, "number": n, "x_mm": x, "y_mm": y} for team, n, x, y in seen]
    fake.seen = {**fake.seen, "pucks": pucks}
    red = Phone(app).holding(access, Role.PLAYER, "red")
    assert red.post("/api/table", do="flick", **told).status_code == 403
    assert fake.table_commands == []


def test_a_player_does_not_flick_out_of_turn(app: Flask, fake: FakeCompanion, access: Access) -> None:
    green = Phone(app).holding(access, Role.PLAYER, "green")
    flick = {"do": "flick", "puck": "green-2", "angle_deg": 0.0, "speed_mm_s": 500.0}
    assert green.post("/api/table", **flick).status_code == 403
    fake.append("note", turn="green")
    assert green.post("/api/table", **flick).status_code == 200
    assert len(fake.table_commands) == 1


def test_a_referee_comes_by_code_and_hands_out_passes_for_players(
    app: Flask, fake: FakeCompanion, access: Access
) -> None:
    phone = Phone(app)
    assert phone.post("/api/sign-in", code=access.new_code(Role.REFEREE)).get_json()["role"] == "referee"
    made = phone.post("/api/passes", role="player", seat="red", label="Ann").get_json()
    assert made["links"][0]["url"].startswith(f"{TABLE}/join#")
    assert set("".join(made["links"][0]["qr"])) == {"0", "1"}
    ann = Phone(app, "192.168.1.78")
    assert ann.post("/api/join", token=made["links"][0]["url"].partition("#")[2]).get_json()["seat"] == "red"
    assert phone.post("/api/passes", role="referee").status_code == 403
    assert phone.post("/api/passes/2/revoke").status_code == 200
    assert ann.get("/picture/camera.jpg").status_code == 403
    assert audited(fake) == ["came in", "pass made", "came in", "not allowed", "pass taken back"]


def test_a_secret_is_in_no_entry_and_strangers_are_told_nothing_of_who_came_in(
    app: Flask, fake: FakeCompanion, access: Access
) -> None:
    code = access.new_code(Role.OWNER)
    owner = Phone(app)
    owner.post("/api/sign-in", code=code)
    link = owner.post("/api/passes", role="referee", label="Marie").get_json()["links"][0]["url"]
    kept = str([e.data for e in fake.journal])
    assert code not in kept
    assert link.partition("#")[2] not in kept
    from companion.dashboard.wire import entry_json

    assert all(entry_json(e)["data"] == {} for e in fake.journal)


def test_codes_are_not_guessed_by_trying(app: Flask, fake: FakeCompanion, access: Access) -> None:
    code = access.new_code(Role.OWNER)
    guesser = Phone(app)
    assert [guesser.post("/api/sign-in", code=f"AAAAA-AAAA{n}").status_code for n in range(6)] == [403] * 5 + [429]
    late = guesser.post("/api/sign-in", code=code)
    assert late.status_code == 429
    assert int(late.headers["Retry-After"]) > 0
    assert guesser.get("/api/me").get_json()["role"] == "spectator"
    assert audited(fake) == ["code refused"]


def test_a_device_that_sends_commands_without_end_is_slowed_down(
    app: Flask, fake: FakeCompanion, access: Access
) -> None:
    phone = Phone(app).holding(access, Role.PLAYER)
    answers = [phone.post("/api/command/pause").status_code for _ in range(70)]
    assert answers[0] == 200
    assert answers[-1] == 429
    assert len(fake.commands) < 70


def test_a_command_that_is_sent_again_is_carried_out_once(app: Flask, fake: FakeCompanion) -> None:
    here = app.test_client()
    token = here.get("/api/session").get_json()["csrf_token"]
    headers = {"X-CSRFToken": token, "Idempotency-Key": "5f2a"}
    assert here.post("/api/command/undo", json={}, headers=headers).status_code == 200
    again = here.post("/api/command/undo", json={}, headers=headers)
    assert (again.status_code, again.get_json()["error"]) == (409, "this command was carried out already")
    assert len(fake.commands) == 1
    assert here.post("/api/command/undo", json={}, headers={**headers, "Idempotency-Key": "5f2b"}).status_code == 200


def test_a_page_that_was_opened_before_a_renewal_tells_the_id_of_a_command_by_its_earlier_name(
    app: Flask, fake: FakeCompanion
) -> None:
    here = app.test_client()
    headers = {"X-CSRFToken": here.get("/api/session").get_json()["csrf_token"], "X-Command-Id": "5f2a"}
    assert [here.post("/api/command/undo", json={}, headers=headers).status_code for _ in range(2)] == [200, 409]
    assert len(fake.commands) == 1


def test_a_command_that_was_refused_can_be_sent_again_as_the_same(app: Flask, fake: FakeCompanion) -> None:
    """A full disk: "this was not done; see that the disk is not full, then do it once more" is taken at its word."""
    here = app.test_client()
    headers = {"X-CSRFToken": here.get("/api/session").get_json()["csrf_token"], "Idempotency-Key": "5f2a"}
    fake.refuse = JournalError("the disk is full")
    assert here.post("/api/command/undo", json={}, headers=headers).status_code == 503
    fake.refuse = None
    assert here.post("/api/command/undo", json={}, headers=headers).status_code == 200
    assert here.post("/api/command/undo", json={}, headers=headers).status_code == 409
    assert len(fake.commands) == 1


def test_a_key_that_another_command_had_is_told_as_such(app: Flask, fake: FakeCompanion) -> None:
    here = app.test_client()
    headers = {"X-CSRFToken": here.get("/api/session").get_json()["csrf_token"], "Idempotency-Key": "always the same"}
    assert here.post("/api/command/pause", json={}, headers=headers).status_code == 200
    other = here.post("/api/command/undo", json={}, headers={**headers, "Accept-Language": "fr"})
    assert other.status_code == 409
    assert other.get_json()["error"] == (
        "cette clé a déjà servi à une autre commande\u00a0; choisissez-en une nouvelle pour chaque commande"
    )
    assert len(fake.commands) == 1


def test_a_command_that_is_sent_again_while_it_is_carried_out_waits_for_its_outcome() -> None:
    once = Once()
    once.begin("table", "5f2a", "/api/command/undo")
    with pytest.raises(IllegalMove, match="is being carried out"):
        once.begin("table", "5f2a", "/api/command/undo")
    once.end("table", "5f2a", done=True)
    with pytest.raises(IllegalMove, match="was carried out already"):
        once.begin("table", "5f2a", "/api/command/undo")


def test_the_id_of_a_command_is_no_book(app: Flask, fake: FakeCompanion) -> None:
    here = app.test_client()
    token = here.get("/api/session").get_json()["csrf_token"]
    headers = {"X-CSRFToken": token, "Idempotency-Key": "5" * 65}
    assert here.post("/api/command/undo", json={}, headers=headers).status_code == 400
    assert fake.commands == []


def test_signing_out_ends_what_came_by_a_code(app: Flask, access: Access) -> None:
    phone = Phone(app)
    phone.post("/api/sign-in", code=access.new_code(Role.OWNER))
    assert phone.get("/api/me").get_json()["role"] == "owner"
    assert phone.post("/api/sign-out").status_code == 200
    assert phone.get("/api/me").get_json()["role"] == "spectator"
    assert access.passes() == []


def test_a_forged_cookie_is_no_pass(app: Flask, access: Access) -> None:
    secret, _ = access.new_pass(Role.OWNER)
    phone = Phone(app)
    phone.client.set_cookie("paleo_session", f'{{"pass":"{secret}"}}', domain="192.168.1.5")
    assert phone.get("/api/me").get_json()["role"] == "spectator"


def test_a_pass_that_never_was_is_refused(app: Flask, fake: FakeCompanion) -> None:
    phone = Phone(app)
    assert phone.post("/api/join", token="x" * 22).status_code == 403
    assert phone.get("/api/me").get_json()["role"] == "spectator"
    assert audited(fake) == ["pass refused"]
