"""Lobby, seat, history, rules, referee and this screen's wishes in a real Chromium: what people see and do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.access import Access, Role
from companion.app import Companion
from companion.backup import PENDING
from companion.replays import packed
from companion.sensor_words import sensor_name, trouble
from firmware_bridge.inputs import GATE
from firmware_bridge.transport import why_not_open
from tests.dashboard.conftest import Browser, until
from tests.dashboard.fake import LOG, FakeCompanion, played_entries, question
from tests.dashboard.serving import Served, serving
from vision.shot_film import Replay

pytestmark = pytest.mark.browser

HERE = "http://192.168.1.5:8000"


@pytest.fixture
def house(fake: FakeCompanion, tmp_path: Path) -> Iterator[Served]:
    """A table that listens to the house, with a match in its journal."""
    played_entries(fake)
    fake.data_dir = tmp_path
    with serving(fake, access=Access(), addresses=[HERE]) as served:
        yield served


@pytest.fixture
def served(house: Served) -> Served:
    return house


def test_the_lobby_shows_a_code_for_a_seat_and_takes_it_back(browser: Browser, house: Served) -> None:
    page = browser.open("/lobby")
    page.select_option("#pass-seat", "green")
    page.fill("#pass-label", "Ben")
    page.click("#pass-player")
    page.wait_for_selector("#pass-made svg.qr-code")
    page.wait_for_selector("#passes li:has-text('Ben')")
    assert page.locator("#passes li").all_inner_texts()[0].startswith("1 · player · Green · Ben")
    (held,) = house.access.passes()
    assert (held.role, held.seat, held.label) == (Role.PLAYER, "green", "Ben")
    page.click("#passes button")
    page.wait_for_selector("#passes:has-text('Nobody came in')")
    assert house.access.passes() == []
    assert browser.complaints == []


def test_the_lobby_tells_a_new_code_once_and_it_opens_the_table(browser: Browser, house: Served) -> None:
    page = browser.open("/lobby")
    page.click("#code-referee")
    page.wait_for_selector("#code-told:has-text('-')")
    code = page.inner_text("#code-told").rsplit(" ", 1)[1]
    assert house.access.role_of_code(code) == Role.REFEREE
    page.reload()
    assert page.inner_text("#code-told") == ""


def test_the_lobby_says_what_is_done_and_what_is_still_to_do(browser: Browser) -> None:
    page = browser.open("/lobby")
    page.wait_for_selector("#steps li")
    done = page.eval_on_selector_all("#steps li", "all => all.map(e => e.dataset.done)")
    assert done == ["false", "false", "false", "false", "true"]


def test_a_seat_says_in_large_letters_whose_turn_it_is(browser: Browser, fake: FakeCompanion) -> None:
    page = browser.open("/seat", width=390, height=844)
    page.wait_for_selector("#mine-turn:has-text('Who are you?')")
    page.click("text=I am Blaise")
    page.wait_for_selector("#mine-turn:has-text('Ada plays')")
    page.evaluate("window.trembled = 0; navigator.vibrate = () => { trembled += 1; return true; }; 0")
    fake.append("note", turn="green")
    page.wait_for_selector("#mine-turn:has-text('Your turn')")
    assert page.evaluate("trembled") == 1
    assert page.locator("#mine-pawns .token").count() == 7
    fake.append("question", question={**question(), "team": "green"})
    page.wait_for_selector("#mine-turn:has-text('A question for you')")
    page.reload()
    page.wait_for_selector("#mine-turn:has-text('A question for you')")
    page.click("text=No exchange")
    until(page, lambda: fake.commands)
    assert fake.commands[0][0] == "answer"
    assert browser.complaints == []


def test_who_one_may_be_are_those_who_play_now_and_a_key_leaves_the_focus_there(
    browser: Browser, fake: FakeCompanion
) -> None:
    page = browser.open("/seat")
    page.get_by_role("button", name="I am Blaise").press("Enter")
    page.locator("#mine-choose [aria-pressed=true]:focus", has_text="Blaise").wait_for()
    players = [{**player, "name": name} for player, name in zip(fake.score["players"], ("Zoé", "Yves"), strict=True)]
    fake.append("match_started", players=players)
    page.get_by_role("button", name="I am Zoé").wait_for()
    assert page.get_by_role("button", name="I am Blaise").count() == 0
    assert browser.complaints == []


def test_history_that_comes_anew_leaves_focus_and_choices_where_they_are(browser: Browser, fake: FakeCompanion) -> None:
    page = browser.open("/history")
    save = page.get_by_role("button", name="Save as a picture: Ways of the pawns")
    save.focus()
    page.evaluate("window.chosen = document.querySelector('#which option'); charts.firstChild.dataset.old = ''")
    fake.append("note")
    page.locator("#charts figure[data-old]").wait_for(state="detached")
    assert save.evaluate("(one) => one === document.activeElement")
    assert page.evaluate("chosen.isConnected"), "somebody may have the list open"
    assert browser.complaints == []


def test_the_list_of_matches_says_which_game_each_was(companion: Companion, pages: Browser) -> None:
    for game, seats in (("zargo", ("knights", "dragons")), ("paleo", ("red", "green"))):
        companion.command("new_match", {"game": game, "players": dict(zip(seats, ("Ann", "Ben"), strict=True))})
    page = pages.open("/history?lang=fr")
    page.locator("#which option").nth(2).wait_for(state="attached")
    newest, first, _ = page.locator("#which option").all_text_contents()
    assert newest.startswith("2 · Paleo · ")
    assert first.startswith("1 · Zargo's Lords · ")
    assert first.endswith(" · Ann, Ben")
    page.get_by_text("Il ne s’est encore rien passé.").wait_for()
    assert not page.locator("#pucks").is_visible(), "a table without a line"
    assert not pages.complaints


def test_the_sides_of_a_match_without_names_are_read_in_the_pages_language(
    companion: Companion, pages: Browser
) -> None:
    """They were "red" and "green" in French, too."""
    companion.command("new_match", {"players": {}, "options": {}})
    companion.command("start_round", {"begins": "green"})
    page = pages.open("/seat?lang=fr")
    page.get_by_role("button", name="Je suis Rouge", exact=True).click()
    page.locator("#mine-turn", has_text="Au tour de Vert").wait_for()
    companion.command("undo", {})
    for _ in range(4):
        companion.command("start_round", {"begins": "red"})
        for pawn in range(1, 9):
            companion.command("shot_by_hand", {"flicked": "red-1", "touched": [f"green-{pawn}"], "in_camp": []})
            if companion.scoreboard()["phase"] == "playing":
                companion.command("shot_by_hand", {"flicked": "green-8", "touched": []})
    for lang, sides in (("fr", ["Rouge", "Vert"]), ("en", ["Red", "Green"])):
        page = pages.open(f"/history?lang={lang}")
        page.locator("#people tbody tr").nth(1).wait_for()
        assert page.locator("#people tbody th").all_text_contents() == sides
        table = page.url.rpartition("/")[0]
        page.goto(f"{table}/report/1?lang={lang}")
        assert [told.rstrip(" ★") for told in page.locator("tbody th").all_text_contents()] == sides
        history = page.request.get(f"{table}/api/history?lang={lang}").json()
        assert [player["name"] for player in history["plays"][0]["players"]] == sides
        rows = page.request.get(f"{table}/export/plays.csv?lang={lang}").text().splitlines()[1:]
        assert [row.replace(";", ",").split(",")[6] for row in rows] == sides
    assert not pages.complaints


def test_history_is_drawn_and_saved_as_a_picture(browser: Browser, tmp_path: Path) -> None:
    page = browser.open("/history")
    page.wait_for_selector("#charts figure >> nth=4")
    assert page.locator("#pucks tbody tr").count() == 1
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save as a picture: Ways of the pawns").click()
    waiting.value.save_as(tmp_path / "ways.png")
    picture = cv2.imread(str(tmp_path / "ways.png"))
    assert picture is not None
    assert picture.shape[1] == 1600
    assert len(np.unique(picture[::16, ::16].reshape(-1, 3), axis=0)) > 10
    page.click("#report")
    page.get_by_text("Red Mercenary 1 was played").wait_for()
    assert browser.complaints == []


def test_a_ruling_leads_to_its_rule_and_rules_are_searched(browser: Browser) -> None:
    page = browser.open("/")
    page.locator("#log a.rule", has_text="P17").first.click()
    page.wait_for_url("**/help#P17")
    until(page, lambda: page.evaluate("document.activeElement.id === 'P17'"))
    page.fill("#rule-search", "gate keys")
    until(page, lambda: page.locator("#rule-list li:visible .rule").all_inner_texts() == ["P22"])
    page.fill("#rule-search", "elephant")
    page.get_by_text("No rule has these words.").wait_for()
    assert browser.complaints == []


def test_what_is_searched_before_the_pages_script_is_there_is_all_that_is_shown(browser: Browser) -> None:
    page = browser.open("/")
    held: list[Any] = []
    page.route("**/js/help.js", lambda route: held.append(route))
    page.locator("#log a.rule", has_text="P17").first.click()
    page.fill("#rule-search", "gate keys")
    until(page, lambda: held)
    held[0].continue_()
    page.unroute("**/js/help.js")
    until(page, lambda: page.locator("#rule-list li:visible .rule").all_inner_texts() == ["P22"])


def test_the_referee_enters_a_shot_by_hand(browser: Browser, fake: FakeCompanion) -> None:
    page = browser.open("/referee")
    page.click("#by-hand")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Red, mercenary 1").click()
    dialog.get_by_role("button", name="Green, explorer 5").click()
    dialog.get_by_role("button", name="Rule it so").click()
    dialog.wait_for(state="hidden")
    name, data, by = fake.commands[-1]
    assert (name, data["flicked"], data["touched"], by) == ("shot_by_hand", "red-1", ["green-5"], "table")


def test_the_referee_sees_what_is_amiss_and_what_to_do(browser: Browser, fake: FakeCompanion) -> None:
    well = fake.health()
    lost = {**well, "camera": {**well["camera"], "state": "lost"}, "sensors": {"state": "searching"}}
    fake.health = lambda: lost  # type: ignore[method-assign]
    page = browser.open("/referee")
    page.wait_for_selector("#states li:has-text('Look at the camera')")
    assert page.eval_on_selector_all("#states li", "all => all.map(e => e.dataset.well)") == ["false", "false", "true"]


@pytest.mark.parametrize(("lang", "says", "advice", "aside"), [
    ("en", "Looking for the board", "no permission to open it", "the gate's sensor set aside"),
    ("fr", "On cherche la carte", "pas la permission de l’ouvrir", "le capteur de la porte de la cité mis à l’écart"),
])  # fmt: skip
def test_the_referee_reads_what_is_wrong_with_the_sensors_in_the_pages_language(
    browser: Browser, fake: FakeCompanion, lang: str, says: str, advice: str, aside: str
) -> None:
    why = trouble(why_not_open("/dev/null", PermissionError(13, "Permission denied")))
    gate = sensor_name(GATE, ())
    sensors = {"state": "searching", "detail": why.en, "told": why.to_json(), "set_aside": ["gate"],
               "set_aside_told": [gate.to_json()]}  # fmt: skip
    amiss = {**fake.health(), "sensors": sensors}
    fake.health = lambda: amiss  # type: ignore[method-assign]
    page = browser.open(f"/referee?lang={lang}")
    page.wait_for_selector(f"#states li:has-text('{says}')")
    shown = " ".join(page.locator("#states").inner_text().split())
    assert advice in shown
    assert aside in shown


@pytest.mark.parametrize("state", ["silent", "garbled", "refused", "stopped"])
def test_every_state_of_the_sensors_has_a_word_of_its_own(browser: Browser, fake: FakeCompanion, state: str) -> None:
    amiss = {**fake.health(), "sensors": {"state": state}}
    fake.health = lambda: amiss  # type: ignore[method-assign]
    page = browser.open("/referee?lang=fr")
    page.wait_for_selector("#states li:has-text('Voyez la prise et la lampe de la carte')")
    assert state not in page.locator("#states").inner_text()


def test_a_table_without_a_camera_is_not_told_as_one_that_is_amiss(browser: Browser, fake: FakeCompanion) -> None:
    blind = {**fake.health(), "camera": {**fake.health()["camera"], "state": "off", "fps": 0.0}}
    fake.health = lambda: blind  # type: ignore[method-assign]
    page = browser.open("/referee?lang=fr")
    page.wait_for_selector("#states li:has-text('Aucune ; les joueurs racontent les coups')")
    assert page.locator("#states li").first.get_attribute("data-well") == "true"


def test_the_referee_has_the_whole_board_in_sight(browser: Browser) -> None:
    page = browser.open("/referee", width=1920, height=1080)
    page.wait_for_selector("#states li")
    board = page.locator(".board").bounding_box()
    assert board["y"] >= 0
    assert board["y"] + board["height"] <= 1080
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert page.locator(".board").bounding_box()["y"] >= 0


@pytest.mark.parametrize("asked", [False, True])
@pytest.mark.parametrize("height", [720, 1080])
def test_what_the_referee_presses_is_in_sight_however_long_the_log_is(
    browser: Browser, fake: FakeCompanion, height: int, asked: bool
) -> None:
    fake.score["log"] = [{**LOG[0], "id": n} for n in range(60)]
    fake.score["question"] = question() if asked else None
    page = browser.open("/referee", width=1920, height=height)
    page.wait_for_selector("#states li")
    for name in ("Undo", "Pause"):
        box = page.get_by_role("button", name=name, exact=True).bounding_box()
        assert box["y"] + box["height"] <= height
    tools, controls = (page.locator(where).bounding_box() for where in (".tools-log", "#controls"))
    assert controls["y"] + controls["height"] <= tools["y"]


def test_everything_is_saved_and_restored_from_the_page(browser: Browser, tmp_path: Path) -> None:
    page = browser.open("/referee")
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Save in one file").click()
    waiting.value.save_as(tmp_path / "saved" / "all.zip")
    page.set_input_files("#restore", tmp_path / "saved" / "all.zip")
    page.wait_for_selector("#restore-said:has-text('Checked: 4 entries')")
    assert (tmp_path / PENDING).exists()
    (tmp_path / "saved" / "bad.zip").write_bytes(b"no zip")
    page.set_input_files("#restore", tmp_path / "saved" / "bad.zip")
    page.wait_for_selector("#restore-said:has-text('Nothing was changed.')")


def test_a_second_backup_is_not_sent_while_the_first_is(browser: Browser, tmp_path: Path) -> None:
    page = browser.open("/referee")
    (tmp_path / "bad.zip").write_bytes(b"no zip")
    held: list[Any] = []
    page.route("**/api/restore/0*", lambda route: held.append(route))
    page.set_input_files("#restore", tmp_path / "bad.zip")
    until(page, lambda: held)
    assert page.locator("#restore").is_disabled()
    held[0].continue_()
    page.wait_for_selector("#restore-said:has-text('Nothing was changed.')")
    assert page.locator("#restore").is_enabled(), "another one can be tried"


def test_a_report_has_the_times_of_the_house(house: Served, chromium: Any) -> None:
    page = chromium.new_page(locale="fr-FR", timezone_id="Europe/Paris")
    page.goto(f"{house.url}/report/1")
    page.locator("time", has_text="1 janvier 2026").wait_for()
    assert "21:00" in page.locator("time").first.inner_text(), "it began at 20:00 UTC"
    assert page.locator(".report-log time").first.inner_text() == "21:00"
    page.context.close()


@pytest.mark.parametrize("content", [b"", b"no zip"])
def test_a_file_that_is_no_backup_is_refused_in_french_alone(browser: Browser, tmp_path: Path, content: bytes) -> None:
    page = browser.open("/referee?lang=fr")
    (tmp_path / "bad.zip").write_bytes(content)
    page.set_input_files("#restore", tmp_path / "bad.zip")
    page.locator("#toast", has_text="aucune sauvegarde ne peut y être lue (attendu un fichier zip)").wait_for()
    assert str(tmp_path) not in page.inner_text("#toast")


def test_a_shots_film_comes_with_its_ways_and_its_verdict_and_is_kept(
    browser: Browser, fake: FakeCompanion, tmp_path: Path
) -> None:
    ok, jpeg = cv2.imencode(".jpg", np.full((90, 160, 3), 120, np.uint8))
    assert ok
    door = {"t": 10.15, "x": 50, "y": 45, "line": [[48, 40], [52, 50]], "direction": "in", "depth_mm": 21.5}
    drawn = {
        "size": [160, 90],
        "paths": [{"team": "red", "flicked": True, "points": [[10, 20, 30], [10.2, 60, 50]]}],
        "touches": [{"t": 10.05, "x": 30, "y": 35, "sure": 0.9}],
        "doors": [door],
    }
    fake.films = {3: packed(Replay((10.0, 10.1, 10.2), (jpeg.tobytes(),) * 3, drawn))}
    fake.append("note", ruled=[{"id": 3, "facts": {"flicked": "red-1"}}], replays=[3])
    page = browser.open("/")
    page.keyboard.press("r")
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Green 2 touched Red 8").wait_for()
    assert dialog.locator(".map-way").count() == 2
    assert dialog.locator(".map-touch").all_text_contents() == ["1"]
    dialog.locator("#replay-at").fill("1")
    page.wait_for_selector(".film-touch[visibility=visible]")
    assert dialog.locator(".film-way").get_attribute("points") == "20,30 40,40"
    assert dialog.locator(".film-door").get_attribute("visibility") == "hidden"
    dialog.locator("#replay-at").fill("2")
    page.wait_for_selector(".film-door[visibility=visible]:has-text('21.5 mm inside')")
    film, over = dialog.locator("#replay-film").bounding_box(), dialog.locator(".film-map").bounding_box()
    assert film == over, "what is drawn lies on the film"
    with page.expect_download() as waiting:
        dialog.get_by_role("button", name="Keep this recording").click()
    assert waiting.value.suggested_filename == "shot-3.zip"
    assert fake.disputed == [3]
    assert browser.complaints == []


def test_single_keys_work_until_they_are_not_wished(browser: Browser, fake: FakeCompanion) -> None:
    page = browser.open("/")
    page.keyboard.press("p")
    until(page, lambda: fake.commands)
    page.click("#open-settings")
    page.uncheck("#settings input[name=keys]")
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("u")
    page.reload()
    page.wait_for_selector('#link[data-state="live"]')
    page.keyboard.press("u")
    page.click("#pause")
    until(page, lambda: len(fake.commands) == 2)
    assert [name for name, _, _ in fake.commands] == ["pause", "resume"]


def test_rulings_are_spoken_only_where_that_is_wished(browser: Browser, fake: FakeCompanion) -> None:
    page = browser.open("/", locale="fr-FR")
    page.evaluate("window.spoken = []; speechSynthesis.speak = (words) => spoken.push([words.lang, words.text]); 0")
    fake.append("note", last={"en": "One.", "fr": "Un."})
    page.wait_for_selector("#said:has-text('Un.')")
    page.click("#open-settings")
    page.check("#settings input[name=voice]")
    fake.append("note", last={"en": "Two.", "fr": "Deux."})
    page.wait_for_selector("#said:has-text('Deux.')", state="attached")
    assert page.evaluate("spoken") == [["fr", "Deux."]]
    fake.append("question", question={**question(), "account": {"en": "Seen.", "fr": "Vu."}})
    page.wait_for_selector(".ask-saw:has-text('Vu.')", state="attached")
    assert " ".join(page.evaluate("spoken")[-1][1].split()) == f"{question()['text']['fr']} Vu."


def test_offline_the_page_says_so_and_comes_back_by_itself(chromium: Any, fake: FakeCompanion) -> None:
    page = chromium.new_page()
    with serving(fake) as first:
        port = first.port
        page.goto(first.url)
        page.wait_for_selector('#link[data-state="live"]')
        until(page, lambda: page.evaluate("navigator.serviceWorker.ready.then((r) => r.active !== null)"))
    page.goto(f"http://127.0.0.1:{port}/history")
    page.get_by_text("The companion cannot be reached.").wait_for()
    with serving(fake, port=port):
        page.wait_for_selector("h1:has-text('History')")
        page.close()
