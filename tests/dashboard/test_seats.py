"""Games kept by taps over HTTP: seats are held by one browser each, and what is hidden leaves for its seat only."""

from __future__ import annotations

import codecs
import re
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import pytest
from flask import Flask
from flask.sessions import SecureCookieSessionInterface
from flask.testing import FlaskClient
from itsdangerous import TimestampSigner

import companion.dashboard as companion_dashboard
from companion.access import ACCESS_FILE, Access, Role
from companion.amend import steps
from companion.app import Companion
from companion.claims import SEATS_FILE
from companion.clocks import KINDS as CLOCK_KINDS
from companion.dashboard import create_app
from companion.dashboard.security import EVERY_ADDRESS
from companion.export import CSV_FIELDS
from companion.games import GAMES
from companion.games.base import Action
from companion.games.zargo_state import FORCES
from companion.words import game_terms, game_words
from tests.companion.fed_companion import companion_for
from tests.companion.random_setups import ARENA, FEW
from tests.companion.test_games_at_random import KINDS
from tests.dashboard.serving import StreamClient, serving
from tests.dashboard.test_roles import TABLE, Phone

PLAYERS: dict[str, dict[str, str]] = {
    "armadora": {"ann": "Ann", "ben": "Ben"},
    "paper_tales": {"ann": "Ann", "ben": "Ben", "cid": "Cid"},
    "sacrifice": {"ann": "Ann", "ben": "Ben"},
    "zargo": {"knights": "Ann", "monks": "Ben"},
}
EXTRA: dict[str, dict[str, Any]] = {"zargo": {"map": ARENA, "forces": FEW, "months": 4}}


class Browser:
    """A client with its own cookies that posts as a page does."""

    def __init__(self, app: Flask) -> None:
        self.client: FlaskClient = app.test_client()
        self._meet()

    def at(self, app: Flask) -> Browser:
        """The same browser, cookies and all, at a server that was started again."""
        known, self.client = self.client.get_cookie("paleo_session"), app.test_client()
        assert known is not None
        self.client.set_cookie("paleo_session", known.value)
        self._meet()
        return self

    def _meet(self) -> None:
        self.token = self.client.get("/api/session").get_json()["csrf_token"]

    def post(self, path: str, **body: Any) -> Any:
        return self.client.post(path, json=body, headers={"X-CSRFToken": self.token})

    def get(self, path: str) -> Any:
        return self.client.get(path)


@pytest.fixture
def app(companion: Companion) -> Flask:
    return create_app(companion)


@pytest.fixture
def kept(tmp_path: Path) -> Access:
    """Codes and the key of cookies in the data folder of `companion`."""
    return Access(tmp_path / ACCESS_FILE)


def begun(app: Flask, game: str, **setup: Any) -> dict[str, Browser]:
    """A match with one browser a seat, and one of a spectator ("")."""
    spectator = Browser(app)
    setup = {**EXTRA.get(game, {}), **setup}
    body = {"game": game, "players": PLAYERS[game], "setup": setup}
    assert spectator.post("/api/command/new_match", **body).status_code == 200
    browsers = {"": spectator}
    for seat in PLAYERS[game]:
        browsers[seat] = Browser(app)
        assert browsers[seat].post(f"/api/seat/{seat}/claim").status_code == 200
    return browsers


def play_on(companion: Companion, browsers: dict[str, Browser], count: int, seed: int) -> None:
    """Random legal actions through the API, each from its seat's browser."""
    rng = Random(seed)
    for _ in range(count):
        score = companion.score
        action = GAMES[str(score.game)].pick(score.state, rng)
        if action is None:
            return
        data = {k: v for k, v in action.data.items() if k != "seat"}
        seat = action.data["seat"]
        answer = browsers[seat].post(f"/api/seat/{seat}/act", type=action.type, data=data)
        assert answer.status_code == 200, answer.get_json()


def secrets_of(state: Any, game: str, seat: str) -> set[str]:
    """Words that only this seat may read now: cards of its hand, counters in its garrisons."""
    if game == "paper_tales":
        k = state.kingdoms[state.seats.index(seat)]
        plan = (*k.plan.front, *k.plan.back, k.plan.keep) if k.plan else ()
        seen = {u.card for other in state.kingdoms for u in other.units}
        seen |= {g.why for other in state.kingdoms for g in other.gains}
        own = {c for c in (*k.packet, *k.chosen, *k.choice, *k.hand, k.kept, *plan) if c}
        return own - seen
    if game == "zargo":
        return {n for n, c in state.counters.items() if c.people == seat and c.hidden}
    return set()


APART = ("/api/stream", "/static/<path:filename>")
WHOLE = ("/backup.zip",)  # the owner of the machine saves all of its files, which lie open to him anyway


def addresses(app: Flask, seats: list[str]) -> list[str]:
    """Every address that answers to GET, with every seat filled in; the stream is read apart."""
    found = []
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.rule in (*APART, *WHOLE):
            continue
        if "<seat>" in rule.rule:
            found += [rule.rule.replace("<seat>", seat) for seat in seats]
        elif rule.rule.startswith("/api/amend"):
            path = rule.rule.replace("<int:of>", "5")
            found += [path, *(f"{path}?seat={seat}" for seat in seats)]
        else:
            found.append(re.sub(r"<(?:int:|path:)?\w+>", "1", rule.rule))
    return found


def read(browser: Browser, path: str) -> str:
    """An answer as text; pictures and archives as what can be read of them."""
    return str(browser.get(path).get_data().decode("utf-8", errors="replace"))


@pytest.mark.parametrize("game", ["paper_tales", "zargo"])
def test_no_address_and_no_stream_tells_a_seat_what_another_one_holds(
    companion: Companion, app: Flask, game: str
) -> None:
    browsers, seats, checked = begun(app, game), list(PLAYERS[game]), 0
    for part in range(6):
        play_on(companion, browsers, 7, part)
        state = companion.score.state
        for reader, browser in browsers.items():
            texts = {path: read(browser, path) for path in addresses(app, seats)}
            for seat in seats:
                hidden = secrets_of(state, game, seat)
                checked += len(hidden)
                for path, text in texts.items():
                    if seat != reader:
                        knew = known_before(companion, game, reader) if path.startswith("/api/amend") else set()
                        leaked = {word for word in hidden - knew if f'"{word}"' in text}
                        assert not leaked, f"{path} tells {reader or 'a spectator'} {leaked} of {seat}"
        if any(secrets_of(state, game, seat) for seat in seats):
            stream = stream_text(companion)
            hidden = set().union(*(secrets_of(state, game, seat) for seat in seats))
            hidden -= seen_entering(companion)
            assert not {word for word in hidden if f'"{word}"' in stream}
    assert checked > 20


def known_before(companion: Companion, game: str, reader: str) -> set[str]:
    """What a reader has seen by right earlier in the match: cards that went through its hand, counters in the open."""
    if game == "zargo":
        return seen_entering(companion)
    if not reader:
        return set()
    known: set[str] = set()
    for one in steps(companion.whole_journal()):
        kingdom = one.before.state.kingdoms[one.before.state.seats.index(reader)]
        known |= {*kingdom.packet, *kingdom.hand}
    return known


def seen_entering(companion: Companion) -> set[str]:
    """Counters that were in the open once: everybody saw them move, be it into a city."""
    return {str(e.data["counter"]) for e in companion.whole_journal() if e.type == "move" and "counter" in e.data}


def stream_text(companion: Companion) -> str:
    """Everything that the stream tells somebody who has missed all of it, over a real connection."""
    with serving(companion) as served, StreamClient(served, last_id=0) as stream:
        return "".join(str(event.data).replace("'", '"') for event in stream.until(lambda e: e.name == "live"))


def twins(tmp_path: Path, value: int) -> tuple[Companion, Flask]:
    """A table at which Ann's hidden Warrior on a1 has this value, and all else is the same."""
    made, _ = companion_for(tmp_path / str(value))
    return made, create_app(made)


def test_no_address_tells_a_hidden_value_in_armadora_in_any_way(tmp_path: Path) -> None:
    """Two tables differ in the value of one face-down Warrior only: nobody but its owner can tell them apart."""
    setup = {"begins": "ann", "seed": 7, "characters": {"ann": "elf", "ben": "orc"}}
    told: dict[int, dict[tuple[str, str], str]] = {}
    for value in (1, 5):
        companion, app = twins(tmp_path, value)
        browsers = begun(app, "armadora", **setup)
        for seat, square, worth in (("ann", "a1", value), ("ben", "b1", 2), ("ann", "a2", 2), ("ben", "c3", 1)):
            answer = browsers[seat].post(
                f"/api/seat/{seat}/act", type="warrior", data={"square": square, "value": worth}
            )
            assert answer.status_code == 200
        told[value] = {
            (reader, path): TIMES.sub("", read(browser, path))
            for reader, browser in browsers.items()
            for path in addresses(app, list(PLAYERS["armadora"]))
            if not path.startswith(UNLIKE)
        }
        told[value]["", "the stream"] = TIMES.sub("", stream_text(companion))
        companion.stop()
    differ = {key for key in told[1] if told[1][key] != told[5][key]}
    assert {reader for reader, _ in differ} == {"ann"}, sorted(differ)
    assert ("ann", "/api/seat/ann") in differ, "its owner sees it"


UNLIKE = ("/api/session", "/api/access", "/picture", "/healthz")  # tokens and codes of their own; no word of the game
TIMES = re.compile(
    r"\b\d\d:\d\d\b(?!:)|[\d-]{10}[T ][\d:.]{5,}(?:\+00:00)?|csrf-token\" content=\"[^\"]*|nonce-[\w+/=-]+"
    r"|\"holdings\":\s*\{[^}]*\}"  # names out of the air, other ones in each match
)


def test_the_value_of_a_face_down_warrior_leaves_for_its_owner_only(companion: Companion, app: Flask) -> None:
    browsers = begun(app, "armadora", begins="ann")
    act = browsers["ann"].post("/api/seat/ann/act", type="warrior", data={"square": "a1", "value": 5})
    assert "value" not in act.get_json()["entries"][0]["data"]
    assert '"value": 5' not in stream_text(companion)
    assert browsers[""].get("/api/scoreboard").get_json()["warriors"]["a1"]["value"] is None
    assert browsers["ben"].get("/api/seat/ben").get_json()["warriors"]["a1"]["value"] is None
    assert browsers["ann"].get("/api/seat/ann").get_json()["warriors"]["a1"]["value"] == 5


def test_chance_is_never_told(companion: Companion, app: Flask) -> None:
    """Who knew the seed would know every card that is still to come."""
    browsers = begun(app, "paper_tales")
    seed = companion.whole_journal()[-1].data["seed"]
    assert seed > 2**20, "drawn by the server"
    for path in addresses(app, list(PLAYERS["paper_tales"])):
        assert str(seed) not in read(browsers["ann"], path), path
    assert str(seed) not in stream_text(companion)


def test_a_seat_is_held_by_one_browser_until_it_lets_go(app: Flask) -> None:
    browsers = begun(app, "armadora")
    assert browsers["ben"].post("/api/seat/ann/claim").status_code == 409
    assert browsers["ann"].post("/api/seat/ann/claim").status_code == 200
    assert browsers["ben"].post("/api/seat/ann/release").status_code == 403
    assert browsers["ann"].post("/api/seat/ann/release").status_code == 200
    assert browsers["ben"].post("/api/seat/ann/claim").status_code == 200
    assert browsers["ben"].get("/api/seats").get_json()["mine"] == ["ann", "ben"]


def test_answers_that_overtake_each_other_leave_no_seat_without_its_holder(app: Flask) -> None:
    """Two seats asked for at once, or one twice: the browser sends each time what it knew before either answer."""
    Browser(app).post("/api/command/new_match", game="armadora", players=PLAYERS["armadora"])
    browser = Browser(app)
    assert browser.get("/games").status_code == 200
    assert browser.get("/api/seats").get_json()["mine"] == []
    known = browser.client.get_cookie("paleo_session")
    assert known is not None
    for seat in ("ann", "ben", "ben"):
        browser.client.set_cookie("paleo_session", known.value)
        assert browser.post(f"/api/seat/{seat}/claim").status_code == 200, seat
    assert browser.get("/api/seats").get_json()["mine"] == ["ann", "ben"]


def test_nobody_acts_for_a_seat_that_is_not_his(app: Flask) -> None:
    browsers = begun(app, "armadora", begins="ann")
    told = {"type": "warrior", "data": {"square": "a1", "value": 1}}
    for reader in ("", "ben"):
        assert browsers[reader].post("/api/seat/ann/act", **told).status_code == 403
        assert browsers[reader].get("/api/seat/ann").status_code == 403
    forged = {"type": "warrior", "data": {"square": "a1", "value": 1, "seat": "ann"}}
    assert browsers["ben"].post("/api/seat/ben/act", **forged).status_code == 409
    french = {"Accept-Language": "fr", "X-CSRFToken": browsers["ben"].token}
    refused = browsers["ben"].client.post("/api/seat/ann/act", json=told, headers=french).get_json()["error"]
    assert refused == "cet écran ne tient pas ce siège, ou ne le tient plus\u00a0; prenez-le d’abord"
    wrong = browsers["ben"].post("/api/seat/ben/act", **told)
    assert (wrong.status_code, wrong.get_json()["rule"]) == (409, "A4")


@pytest.mark.parametrize(("game", "seat", "type"), [("zargo", "knights", "next"), ("paper_tales", "ann", "ready")])
def test_what_ends_a_phase_ends_one_where_it_is_sent_twice_as_seen_once(
    companion: Companion, app: Flask, game: str, seat: str, type: str
) -> None:
    browsers = begun(app, game)
    until_it_may(companion, browsers, seat, type)
    address, body = f"/api/seat/{seat}/act", {"type": type, "data": {}, "seen": companion.last_id()}
    assert browsers[seat].post(address, **body).status_code == 200
    until_it_may(companion, browsers, seat, type)
    before = companion.score.state
    again = browsers[seat].post(address, **body)
    assert again.status_code == 409
    assert "has acted meanwhile" in again.get_json()["error"]
    assert companion.score.state == before
    assert browsers[seat].post(address, **{**body, "seen": companion.last_id()}).status_code == 200


def until_it_may(companion: Companion, browsers: dict[str, Browser], seat: str, type: str) -> None:
    """Plays on through the API until a seat can end a phase."""
    for part in range(200):
        if any(move["type"] == type for move in companion.seat_view(seat)["moves"]):
            return
        play_on(companion, browsers, 1, part)
    raise AssertionError(f"{seat} never could {type}")


def test_what_other_seats_do_at_the_same_time_refuses_nobody(companion: Companion, app: Flask) -> None:
    browsers = begun(app, "paper_tales")
    seen = companion.last_id()
    for seat in ("ann", "ben", "cid"):
        move = next(m for m in companion.seat_view(seat)["moves"])
        answer = browsers[seat].post(f"/api/seat/{seat}/act", **move, seen=seen)
        assert answer.status_code == 200, answer.get_json()


def test_what_was_seen_before_an_undo_is_refused_and_in_french(companion: Companion, app: Flask) -> None:
    browsers = begun(app, "armadora", begins="ann")
    seen = companion.last_id()
    told = {"type": "warrior", "data": {"square": "a1", "value": 1}}
    assert browsers["ann"].post("/api/seat/ann/act", **told).status_code == 200
    assert browsers[""].post("/api/command/undo").status_code == 200
    french = {"Accept-Language": "fr", "X-CSRFToken": browsers["ann"].token}
    refused = browsers["ann"].client.post("/api/seat/ann/act", json={**told, "seen": seen}, headers=french)
    assert refused.status_code == 409
    assert refused.get_json()["error"].startswith("ann a joué entre-temps, ou quelque chose a été annulé")
    assert companion.score.state.warriors == {}


def test_what_can_be_chosen_next_is_told_to_the_holder_of_the_seat_alone(companion: Companion, app: Flask) -> None:
    browsers = begun(app, "zargo")
    address = "/api/seat/knights/offers"
    assert (
        browsers["knights"].get(address).get_json()["hexes"]
        == browsers["knights"].get("/api/seat/knights").get_json()["offers"]["hexes"]
    )
    for other in ("", "monks"):
        assert browsers[other].get(address).status_code == 403
    for plan, status in (("[]", 422), ("no", 422), ('{"chosen": 1}', 409), ('{"steps": []}', 409)):
        assert browsers["knights"].get(f"{address}?plan={plan}").status_code == status, plan
    french = browsers["knights"].client.get(f'{address}?plan={{"bonus":"x"}}', headers={"Accept-Language": "fr"})
    told = french.get_json()["error"].replace("\u00a0", " ")
    assert told == "plan : bonus : trouvé 'x', attendu : un nombre entier"


def test_a_game_whose_actions_are_listed_whole_offers_nothing_more(app: Flask) -> None:
    browsers = begun(app, "armadora")
    assert browsers["ann"].get("/api/seat/ann/offers").get_json() == {"why": None}
    assert "offers" not in browsers["ann"].get("/api/seat/ann").get_json()


def test_a_server_that_is_started_again_knows_who_holds_which_seat(companion: Companion, kept: Access) -> None:
    browsers = begun(create_app(companion, access=kept), "paper_tales")
    hand = browsers["ann"].get("/api/seat/ann").get_json()
    app = create_app(companion, access=Access(companion.data_dir / ACCESS_FILE))
    stranger = Browser(app)
    assert stranger.post("/api/seat/ann/claim").status_code == 409
    assert stranger.get("/api/seat/ann").status_code == 403
    assert browsers["ann"].at(app).get("/api/seat/ann").get_json() == hand
    assert browsers["ben"].at(app).get("/api/seats").get_json()["mine"] == ["ben"]


def test_a_browser_that_is_started_again_keeps_its_seats_too(app: Flask) -> None:
    """The screen at the table goes out with the machine: its cookie outlives it."""
    known = begun(app, "armadora")["ann"].client.get_cookie("paleo_session")
    assert known is not None
    assert known.expires is not None


@pytest.mark.parametrize("off_s", [3600, -56 * 365 * 24 * 3600])
def test_whoever_came_in_stays_in_whatever_this_machines_clock_is_set_to(app: Flask, off_s: int) -> None:
    """Set back by an hour, or right at last after a start in 1970: cookies had been of the future, or too old."""
    browser = begun(app, "armadora")["ann"]
    known = browser.client.get_cookie("paleo_session")
    signer = SecureCookieSessionInterface().get_signing_serializer(app)
    assert known is not None
    assert signer is not None

    class ByAnotherClock(TimestampSigner):
        def get_timestamp(self) -> int:
            return super().get_timestamp() + off_s

    signer.signer = ByAnotherClock
    browser.client.set_cookie("paleo_session", str(signer.dumps(signer.loads(known.value))))
    assert browser.get("/api/seats").get_json()["mine"] == ["ann"]
    assert browser.post("/api/seat/ann/release").status_code == 200


def test_browsers_keep_their_cookies_by_their_own_clocks_alone(app: Flask) -> None:
    """One of a machine that starts in 1970 would have ended long ago, for a phone that knows what day it is."""
    known = begun(app, "armadora")["ann"].client.get_cookie("paleo_session")
    assert known is not None
    assert known.expires is not None
    assert known.expires.year == 2100


def test_a_cookie_that_nothing_changed_is_not_sent_again(app: Flask) -> None:
    """An answer that is late would put it in the place of a newer one: of a pass that just came in, say."""
    browser = begun(app, "armadora")["ann"]
    for path in ("/api/seats", "/api/seat/ann", "/games"):
        assert "Set-Cookie" not in browser.get(path).headers, path


@pytest.mark.parametrize("text", ["", "{", '{"format": 1, "match": 1, "begun": "", "seats": {"ann": "é"}}'])
def test_where_seats_are_damaged_they_are_taken_again_and_nothing_hidden_is_shown(
    companion: Companion, kept: Access, text: str
) -> None:
    browsers = begun(create_app(companion, access=kept), "paper_tales")
    (companion.data_dir / SEATS_FILE).write_text(text, encoding="utf-8")
    app = create_app(companion, access=kept)
    for seat in ("ann", "ben"):
        assert browsers[seat].at(app).get(f"/api/seat/{seat}").status_code == 403
    assert browsers["ben"].get("/api/seats").get_json()["held"] == []
    assert browsers["ben"].post("/api/seat/ben/claim").status_code == 200
    assert browsers["ben"].get("/api/seat/ann").status_code == 403


def test_seats_of_a_match_before_the_one_that_is_on_are_void_after_a_restart(
    companion: Companion, kept: Access
) -> None:
    """Another match is begun while no page asks; its seats have the same names."""
    browsers = begun(create_app(companion, access=kept), "armadora")
    companion.command("new_match", {"game": "armadora", "players": PLAYERS["armadora"]})
    app = create_app(companion, access=kept)
    assert browsers["ann"].at(app).get("/api/seat/ann").status_code == 403
    assert browsers["ben"].at(app).post("/api/seat/ann/claim").status_code == 200


@pytest.mark.parametrize("restarted", [False, True])
def test_undo_past_a_matchs_beginning_gives_nobody_a_seat_of_the_match_before(
    companion: Companion, kept: Access, restarted: bool
) -> None:
    """Ann and Ben have changed their seats in the match that is undone."""
    app = create_app(companion, access=kept)
    browsers = begun(app, "armadora")
    first = browsers[""].get("/api/seats").get_json()["match"]
    assert browsers[""].post("/api/command/new_match", game="armadora", players=PLAYERS["armadora"]).status_code == 200
    for seat, other in (("ann", "ben"), ("ben", "ann")):
        assert browsers[seat].post(f"/api/seat/{other}/claim").status_code == 200
    assert browsers[""].post("/api/command/undo").status_code == 200
    app = create_app(companion, access=kept) if restarted else app
    for seat, other in (("ann", "ben"), ("ben", "ann")):
        browser = browsers[seat].at(app)
        assert browser.get("/api/seats").get_json()["match"] == first
        assert browser.get(f"/api/seat/{other}").status_code == 403
    assert browsers["ann"].post("/api/seat/ann/claim").status_code == 200


def test_undo_past_the_only_matchs_beginning_leaves_no_seat(companion: Companion, kept: Access) -> None:
    browsers = begun(create_app(companion, access=kept), "armadora")
    assert browsers[""].post("/api/command/undo").status_code == 200
    app = create_app(companion, access=kept)
    assert browsers["ann"].at(app).get("/api/seats").get_json()["held"] == []
    assert browsers["ann"].get("/api/seat/ann").status_code == 403


def asked(browser: Browser, seat: str = "ann") -> dict[str, Any]:
    """What a question about a seat is asked of: the match, and the holder."""
    seats = browser.get("/api/seats").get_json()
    return {"match": seats["match"], "holding": seats["holdings"].get(seat, "nobody's")}


def test_who_took_a_seat_after_the_question_is_not_put_out(companion: Companion, app: Flask) -> None:
    browsers = begun(app, "armadora")
    question = asked(browsers[""])
    browsers["ann"].post("/api/seat/ann/release")
    other = Browser(app)
    assert other.post("/api/seat/ann/claim").status_code == 200
    before = companion.last_id()
    refused = browsers[""].post("/api/seat/ann/free", **question)
    assert (refused.status_code, companion.last_id()) == (409, before)
    assert refused.get_json()["error"] == "ann was taken anew meanwhile; look who holds it now, then free it"
    assert other.get("/api/seat/ann").status_code == 200
    assert browsers[""].post("/api/seat/ann/free", match=question["match"]).status_code == 422
    assert browsers[""].post("/api/seat/ann/free", **asked(browsers[""])).status_code == 200
    assert other.get("/api/seat/ann").status_code == 403


def test_a_seat_whose_phone_is_dead_is_freed_at_the_table_and_everybody_is_told(
    companion: Companion, app: Flask
) -> None:
    browsers = begun(app, "paper_tales")
    question = asked(browsers[""])
    assert browsers[""].post("/api/seat/ann/free", **question).status_code == 200
    log = browsers["ben"].get("/api/scoreboard").get_json()["log"]
    assert log[-1]["en"] == "A seat was freed: Ann. Whoever takes it next sees what is hidden there."
    assert log[-1]["fr"] == "Un siège a été libéré : Ann. Qui le prend ensuite voit ce qui y est caché."
    assert browsers["ann"].get("/api/seat/ann").status_code == 403
    assert browsers["ann"].get("/api/seats").get_json()["mine"] == []
    assert browsers["ben"].get("/api/seats").get_json()["mine"] == ["ben"]
    assert Browser(app).post("/api/seat/ann/claim").status_code == 200
    told = companion.whole_journal()[-1]
    assert (told.type, told.data["seat"], told.data["by"]) == ("note", "ann", "table")


def test_a_freed_seat_stays_freed_after_a_restart(companion: Companion, kept: Access) -> None:
    browsers = begun(create_app(companion, access=kept), "armadora")
    question = asked(browsers[""])
    assert browsers[""].post("/api/seat/ann/free", **question).status_code == 200
    app = create_app(companion, access=kept)
    assert browsers["ann"].at(app).get("/api/seat/ann").status_code == 403
    assert browsers["ben"].at(app).get("/api/seat/ben").status_code == 200


def test_a_seat_is_freed_only_in_the_match_that_was_shown(companion: Companion, app: Flask) -> None:
    """The question was asked in one match, and answered when another one was on."""
    browsers = begun(app, "armadora")
    question = asked(browsers[""])
    assert browsers[""].post("/api/command/new_match", game="armadora", players=PLAYERS["armadora"]).status_code == 200
    assert browsers["ann"].post("/api/seat/ann/claim").status_code == 200
    before = companion.last_id()
    refused = browsers[""].post("/api/seat/ann/free", **question)
    assert (refused.status_code, companion.last_id()) == (409, before)
    assert refused.get_json()["error"] == "another match is on by now; look who holds which of its seats"
    assert browsers["ann"].get("/api/seat/ann").status_code == 200


def test_a_seat_that_nobody_holds_is_not_freed(companion: Companion, app: Flask) -> None:
    browsers = begun(app, "armadora")
    question = asked(browsers[""])
    browsers["ann"].post("/api/seat/ann/release")
    before = companion.last_id()
    assert browsers[""].post("/api/seat/ann/free", **question).status_code == 409
    assert browsers[""].post("/api/seat/nobody/free", **question).status_code == 409
    assert browsers[""].post("/api/seat/ben/free").status_code == 422
    assert companion.last_id() == before


@pytest.mark.parametrize(("role", "status"), [(None, 403), (Role.PLAYER, 403), (Role.REFEREE, 200), (Role.OWNER, 200)])
def test_only_who_may_end_a_match_frees_seats(companion: Companion, role: Role | None, status: int) -> None:
    access = Access()
    app = create_app(companion, access=access, hosts=[EVERY_ADDRESS], addresses=[TABLE])
    browsers = begun(app, "armadora")
    question = asked(browsers[""])
    phone = Phone(app)
    if role is not None:
        phone.holding(access, role, "ben" if role == Role.PLAYER else None)
    assert phone.post("/api/seat/ann/free", **question).status_code == status
    assert browsers["ann"].get("/api/seat/ann").status_code == (403 if status == 200 else 200)


def test_a_new_match_takes_all_seats_back(app: Flask) -> None:
    browsers = begun(app, "armadora")
    browsers[""].post("/api/command/new_match", game="armadora", players=PLAYERS["armadora"])
    assert browsers["ann"].get("/api/seat/ann").status_code == 403
    assert browsers["ben"].post("/api/seat/ann/claim").status_code == 200


@pytest.mark.parametrize(("game", "other"), [("armadora", "sacrifice"), ("sacrifice", "armadora")])
def test_who_begins_follows_from_the_matches_of_that_game_alone(
    companion: Companion, app: Flask, game: str, other: str
) -> None:
    """A3, A24, S27: the first seat begins the first match, whatever else was played before it."""
    turns = []
    for played in (other, game, other, other, game):
        begun(app, played)
        if played == game:
            turns.append(companion.score.state.turn)
    assert turns == [0, 1]


def test_the_scoreboard_shows_whichever_game_is_on(app: Flask) -> None:
    for game in PLAYERS:
        browsers = begun(app, game)
        shown = browsers[""].get("/api/scoreboard").get_json()
        assert shown["game"] == game
        assert [p["name"] for p in shown["players"]] == list(PLAYERS[game].values())


@pytest.mark.parametrize("game", PLAYERS)
def test_a_match_is_played_to_its_end_and_kept_in_the_history(companion: Companion, app: Flask, game: str) -> None:
    browsers = begun(app, game)
    play_on(companion, browsers, 60, 1)
    if game == "armadora":
        play_on(companion, browsers, 400, 2)
        history = browsers[""].get("/api/history").get_json()
        assert history["plays"][0]["game"]["sourceGameId"] == game
        for lang, separator in (("en", ","), ("fr", ";")):
            csv = browsers[""].get(f"/export/plays.csv?lang={lang}").get_data()
            assert csv.startswith(codecs.BOM_UTF8 + separator.join(CSV_FIELDS).encode())
            assert f"{separator}Ann{separator}".encode() in csv
            (play,) = browsers[""].get(f"/api/history?lang={lang}").get_json()["plays"]
            reason = companion.scoreboard()["reason"][lang]
            assert play["comments"] == reason
            assert reason in csv.decode()
            assert quote(reason) in play["link"]
        assert {r["name"] for r in browsers[""].get("/api/ratings").get_json()["armadora"]} == {"Ann", "Ben"}


def test_the_match_that_is_on_is_not_exported_yet(companion: Companion, app: Flask) -> None:
    browsers = begun(app, "armadora")
    play_on(companion, browsers, 5, 1)
    assert '"warrior"' not in browsers["ben"].get("/export/journal.json").get_data(as_text=True)
    play_on(companion, browsers, 400, 2)
    assert '"warrior"' in browsers["ben"].get("/export/journal.json").get_data(as_text=True)


def test_a_match_that_waits_on_the_shelf_is_not_exported_either(companion: Companion, app: Flask) -> None:
    browsers = begun(app, "armadora")
    play_on(companion, browsers, 5, 1)
    begun(app, "sacrifice")
    exported = browsers["ben"].get("/export/journal.json").get_data(as_text=True)
    assert '"warrior"' not in exported
    shelf = browsers["ben"].get("/api/shelf").get_json()["matches"]
    assert [m["game"] for m in shelf] == ["armadora"]
    assert browsers[""].post("/api/command/resume_match", of=shelf[0]["id"]).status_code == 200
    assert browsers["ben"].get("/api/seat/ben").status_code == 403, "seats are taken anew"
    assert browsers["ben"].post("/api/seat/ben/claim").status_code == 200
    assert browsers[""].post("/api/command/resume_match", of=999).status_code == 409


def test_undo_takes_the_last_action_back(companion: Companion, app: Flask) -> None:
    browsers = begun(app, "armadora", begins="ann")
    before = companion.score.state
    browsers["ann"].post("/api/seat/ann/act", type="warrior", data={"square": "a1", "value": 1})
    assert browsers[""].post("/api/command/undo").status_code == 200
    assert companion.score.state == before


def test_a_correction_is_shown_before_it_is_accepted(companion: Companion, app: Flask) -> None:
    """Ann's Warrior stood on b1, not on a1; what Ben played on b1 afterwards falls away."""
    browsers = begun(app, "armadora", begins="ann")
    told = browsers["ann"].post("/api/seat/ann/act", type="warrior", data={"square": "a1", "value": 1}).get_json()
    of = told["entries"][0]["id"]
    ben = browsers["ben"].post("/api/seat/ben/act", type="warrior", data={"square": "b1", "value": 2}).get_json()
    change = {"of": of, "type": "warrior", "data": {"square": "b1", "value": 1}}
    assert browsers["ben"].post("/api/seat/ben/correct", **change).status_code == 409
    before = companion.score.state
    shown = browsers["ann"].post("/api/seat/ann/correct", **change).get_json()
    assert (shown["dropped"], set(shown["after"]["warriors"]), shown["accepted"]) == (
        [ben["entries"][0]["id"]],
        {"b1"},
        False,
    )
    assert companion.score.state == before
    browsers["ann"].post("/api/seat/ann/correct", **change, accept=True)
    assert set(companion.score.state.warriors) == {1}
    assert companion.score.state.turn == 1
    browsers[""].post("/api/command/undo")
    assert companion.score.state == before


def test_a_correction_that_would_not_have_been_legal_is_refused(app: Flask) -> None:
    browsers = begun(app, "armadora", begins="ann")
    told = browsers["ann"].post("/api/seat/ann/act", type="warrior", data={"square": "a1", "value": 1}).get_json()
    change = {"of": told["entries"][0]["id"], "type": "warrior", "data": {"square": "a1", "value": 9}}
    assert browsers["ann"].post("/api/seat/ann/correct", **change, accept=True).status_code == 409


def test_a_match_goes_on_after_the_companion_was_started_again(tmp_path: Path) -> None:
    first, _ = companion_for(tmp_path)
    browsers = begun(create_app(first), "paper_tales")
    play_on(first, browsers, 12, 1)
    state = first.score.state
    first.stop()
    again, _ = companion_for(tmp_path)
    assert again.score.state == state
    again.stop()


def test_paleos_own_commands_are_refused_while_another_game_is_on(app: Flask) -> None:
    browsers = begun(app, "sacrifice")
    assert browsers[""].post("/api/command/start_round", begins="red").status_code == 409
    assert browsers[""].post("/api/command/pause").status_code == 409


@pytest.mark.parametrize("body", [{"type": 3}, {}, {"type": "warrior", "data": []}, {"type": "x", "more": 1}])
def test_a_malformed_action_is_refused(app: Flask, body: dict[str, Any]) -> None:
    browsers = begun(app, "armadora")
    assert browsers["ann"].post("/api/seat/ann/act", **body).status_code == 422


def test_every_game_and_option_is_listed_for_the_set_up_page(app: Flask) -> None:
    listed = {g["name"]: g for g in Browser(app).get("/api/games").get_json()["games"]}
    assert set(listed) == set(GAMES)
    for name, game in GAMES.items():
        assert [o["name"] for o in listed[name]["options"]] == [o.name for o in game.options]


def test_the_journals_actions_are_those_of_the_engine(companion: Companion, app: Flask) -> None:
    """The same functions drive API and terminal: what is journalled can be applied as it stands."""
    browsers = begun(app, "sacrifice")
    play_on(companion, browsers, 30, 4)
    entries = companion.whole_journal()
    start = next(n for n, e in enumerate(entries) if e.type == "match_started")
    game = GAMES["sacrifice"]
    state = game.start({**entries[start].data, "match": 1})
    for entry in entries[start + 1 :]:
        if entry.data.get("game") == "sacrifice":
            state = game.apply(state, Action(entry.type, entry.data, entry.id))
    assert state == companion.score.state


def test_every_word_that_the_pages_ask_for_is_there_in_both_languages() -> None:
    folder = Path(companion_dashboard.__file__).parent
    scripts = "".join(
        p.read_text(encoding="utf-8")
        for pattern in ("game*.js", "reefs_by_hand.js")
        for p in sorted((folder / "static" / "js").glob(pattern))
    )
    template = (folder / "templates" / "games.html").read_text(encoding="utf-8")
    asked = set(re.findall(r"\bw\.(\w+)", scripts)) | set(re.findall(r"\bwords\.(\w+)", template))
    words = game_words()
    assert asked <= set(words)
    assert all(set(word) == {"en", "fr"} and all(word.values()) for word in words.values())
    spare = set(words) - asked
    assert not spare, f"nobody asks for {spare}"


def test_every_name_of_the_games_has_words_in_both_languages() -> None:
    """Options, their choices, actions, phases: what a page shows of the engine's own names."""
    names = {name for game in GAMES.values() for o in game.options for name in (o.name, *o.choices)}
    names |= {kind for kinds in KINDS.values() for kind in kinds} | set(CLOCK_KINDS)
    terms = game_terms()
    missing = (
        {name for name in names if not re.fullmatch(r"[\d.]+", name)} - set(terms) - {"correction", "pause", "resume"}
    )
    assert not missing, sorted(missing)
    assert all(set(term) == {"en", "fr"} and all(term.values()) for term in terms.values())


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("people", FORCES)
def test_counters_of_a_people_have_a_sign_for_each_kind_of_two_letters(people: str, lang: str) -> None:
    """On the French map an infantry, an archer and a falcon of the Winged were all "fa", and so were two of others."""
    signs = [game_terms()[f"sign.{kind}"][lang] for kind in FORCES[people]]
    assert {len(sign) for sign in signs} == {2}
    assert len(set(signs)) == len(signs)


def test_clocks_run_in_a_match_and_can_be_paused(app: Flask) -> None:
    browsers = begun(app, "armadora")
    assert browsers[""].get("/api/seats").get_json()["clocks"] is None
    assert browsers[""].post("/api/command/pause").status_code == 409
    clock = {"kind": "fischer", "base_s": 300, "bonus_s": 5}
    body = {"game": "armadora", "players": PLAYERS["armadora"], "clock": clock}
    assert browsers[""].post("/api/command/new_match", **body).status_code == 200
    assert browsers[""].post("/api/command/pause").status_code == 200
    clocks = browsers[""].get("/api/seats").get_json()["clocks"]
    assert (clocks["paused"], clocks["running"]) == (True, [])
    assert 290 < min(clocks["seconds"].values()) <= 300
    assert browsers[""].post("/api/command/resume").status_code == 200


@pytest.mark.parametrize("game", PLAYERS)
def test_what_the_editor_shows_is_a_set_up_that_can_be_given_back(app: Flask, game: str) -> None:
    browser = Browser(app)
    shown = next(g for g in browser.get("/api/games").get_json()["games"] if g["name"] == game)["setup"]
    answer = browser.post("/api/command/new_match", game=game, players=PLAYERS[game], setup=shown)
    assert answer.status_code == 200, answer.get_json()


def test_paleo_has_clocks_that_pause(companion: Companion, app: Flask) -> None:
    browser = Browser(app)
    clock = {"kind": "sand", "base_s": 60}
    told = {"game": "paleo", "players": {"red": ["Ann", "Cid"], "green": "Ben"}, "options": {"kept_by": "taps"}}
    assert browser.post("/api/command/new_match", **told, clock=clock).status_code == 200
    assert browser.post("/api/command/start_round", begins="red").status_code == 200
    clocks = browser.get("/api/seats").get_json()["clocks"]
    assert (clocks["kind"], clocks["running"], clocks["paused"]) == ("sand", ["red"], False)
    assert browser.post("/api/command/pause").status_code == 200
    clocks = browser.get("/api/seats").get_json()["clocks"]
    assert (clocks["running"], clocks["paused"]) == ([], True)
    refused = browser.post("/api/command/shot_by_hand", flicked="red-3")
    assert (refused.status_code, refused.get_json()["rule"]) == (409, "P7")
    assert browser.post("/api/command/resume").status_code == 200
    assert browser.post("/api/command/shot_by_hand", flicked="red-3").status_code == 200
    assert browser.get("/api/seats").get_json()["clocks"]["running"] == ["green"]
