"""The pages of the games kept by taps, in a real browser over a real companion: take a seat, tap, see one's own."""

from __future__ import annotations

import re
import time
from random import Random
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from companion.app import Companion
from companion.games import GAMES
from companion.tap import seat_view
from tests.companion.random_setups import ARENA, FEW
from tests.dashboard.conftest import Browser, until

pytestmark = pytest.mark.browser

PLAYERS = {
    "armadora": {"ann": "Ann", "ben": "Ben"},
    "paper_tales": {"ann": "Ann", "ben": "Ben"},
    "sacrifice": {"ann": "Ann", "ben": "Ben"},
    "zargo": {"knights": "Ann", "monks": "Ben"},
}


def begun(companion: Companion, game: str, **setup: Any) -> None:
    extra = {"map": ARENA, "forces": FEW, "months": 4} if game == "zargo" else {}
    setup = {**extra, "seed": 1, **setup}
    companion.command("new_match", {"game": game, "players": PLAYERS[game], "setup": setup})


def seated(pages: Browser, number: int = 0, **options: Any) -> Any:
    """A page whose browser has taken the seat of that number."""
    page = pages.open("/games", **options)
    page.locator("#games-seats li").nth(number).get_by_role("button").first.click()
    page.locator("#games-seats li").nth(number).get_by_role("button", name="yours").wait_for()
    return page


@pytest.mark.parametrize(
    ("locale", "said", "way"),
    [
        ("en-GB", "Another game is on", "To the game that is on"),
        ("fr-FR", "Un autre jeu est en cours", "Vers le jeu en cours"),
    ],
)
def test_the_page_of_paleos_board_shows_no_keys_of_another_game_but_the_way_to_it(
    companion: Companion, pages: Browser, locale: str, said: str, way: str
) -> None:
    begun(companion, "armadora", begins="ann")
    page = pages.open("/", locale=locale)
    until(page, lambda: page.inner_text("#phase") == said)
    assert page.locator(".side-name").all_inner_texts() == list(PLAYERS["armadora"].values())
    assert page.locator(".side-keys, .side-captured, .side-of").count() == 0
    page.get_by_role("link", name=way).click()
    page.wait_for_url("**/games")
    assert not pages.complaints


@pytest.mark.parametrize(("passing", "winning"), [(0, ["Ann", "Cid"]), (1, ["Ann", "Ben", "Cid", "Dan"])])
def test_all_who_win_are_shown_as_winners_partners_and_those_who_share_a_victory(
    companion: Companion, pages: Browser, passing: int, winning: list[str]
) -> None:
    """Armadöra's partners (A10), and a tie to the last pile (A18): nobody had been."""
    names = dict(zip("abcd", ("Ann", "Ben", "Cid", "Dan"), strict=True))
    companion.command("new_match", {"game": "armadora", "players": names, "setup": {"begins": "a", "seed": 1}})
    if not passing:
        companion.tap("a", "warrior", {"square": "a1", "value": 1})
    for seat in "abcd" if passing else "bcda":
        companion.tap(seat, "pass", {})
    page = pages.open("/")
    page.locator(".side.winner").first.wait_for()
    assert page.locator(".side.winner .side-name").all_inner_texts() == winning
    page.goto(page.url + "report/1")
    assert page.locator("th[scope=row]", has_text="★").count() == len(winning)
    assert not pages.complaints


SHAPE = """(e) => JSON.stringify(e.tagName === "rect" ? ["width", "height", "rx"].map((one) => e.getAttribute(one))
    : e.getAttribute("points").split(" ").length)"""


def test_everybodys_warriors_have_a_shape_of_their_own_as_colours_say_nothing_to_some(
    companion: Companion, pages: Browser
) -> None:
    names = dict(zip("abcd", ("Ann", "Ben", "Cid", "Dan"), strict=True))
    companion.command("new_match", {"game": "armadora", "players": names, "setup": {"begins": "a", "seed": 1}})
    for seat, square in zip("abcd", ("a1", "c1", "e1", "f1"), strict=True):
        companion.tap(seat, "warrior", {"square": square, "value": 1})
    page = pages.open("/games")
    page.locator("svg.play .side3").wait_for()
    shapes = [page.locator(f"svg.play .side{n}").evaluate(SHAPE) for n in range(4)]
    assert len(set(shapes)) == 4
    listed = [page.locator("li", has_text=f"{name}, ").locator("svg > *") for name in names.values()]
    assert [one.evaluate(SHAPE) for one in listed] == shapes, "told beside each name"
    assert not pages.complaints


def test_where_no_match_is_on_one_is_to_be_begun_and_nothing_empty_is_shown(
    companion: Companion, pages: Browser
) -> None:
    page = pages.open("/games")
    page.locator("#games-begin-box[open]").wait_for()
    assert not any(page.locator(part).is_visible() for part in ("#games-seats-title", "#games-log-title"))
    companion.command("new_match", {"game": "paper_tales", "players": {"ann": "Ann", "ben": "Ben"}})
    page.locator("#games-log li").first.wait_for()
    assert page.locator("#games-seats-title").is_visible()
    assert not page.locator("#games-begin-box").evaluate("(box) => box.open")
    assert page.locator("#toast").is_hidden(), "nobody had begun to fill it in"
    assert not pages.complaints


def test_a_match_is_begun_from_the_page(companion: Companion, pages: Browser) -> None:
    page = pages.open("/games")
    page.locator("#games-begin-box[open]").wait_for()
    page.locator("select[name=game]").select_option("zargo")
    page.locator("textarea[name=setup]").wait_for(state="attached")
    page.locator("select[name=game]").select_option("armadora")
    page.locator("input[name='player:p1']").fill("Ann")
    page.locator("input[name='player:p2']").fill("Ben")
    page.get_by_role("button", name="Begin").click()
    page.get_by_text("Ann (p1)").wait_for()
    assert companion.score.game == "armadora"
    assert not pages.complaints


def test_armadora_is_played_by_tapping_squares_and_lines(companion: Companion, pages: Browser) -> None:
    begun(companion, "armadora", begins="ann")
    ann, ben = seated(pages, 0), seated(pages, 1)
    ann.locator("[data-square=a1]").click()
    ann.get_by_role("button", name="warrior a1 3").click()
    ann.get_by_text("Waiting for the others.").wait_for()
    assert companion.score.state.warriors[0].value == 3
    assert ann.locator("svg.play text", has_text="3").count() >= 1
    ben.get_by_text("It is for you to act.").wait_for()
    assert ben.locator("title", has_text="a1, ann ?").count() == 1
    assert ben.get_by_role("img", name="a1, ann ?").count() == 1  # heard, although it cannot be tapped
    ben.locator("[data-edge=d2-e2]").click()
    ben.get_by_role("button", name="Only one palisade").click()
    ann.get_by_text("It is for you to act.").wait_for()
    assert companion.score.state.palisades == 34
    assert not pages.complaints


def test_paper_tales_is_drafted_and_laid_by_tapping_cards(companion: Companion, pages: Browser) -> None:
    begun(companion, "paper_tales")
    ann, ben = seated(pages, 0), seated(pages, 1)
    for step in range(4):
        for page in (ann, ben):
            page.locator(f"button.card >> nth={8 - 2 * step}").wait_for()
            page.locator("button.card").nth(0).click()
            page.locator("button.card").nth(1).click()
            if page is ann:
                page.get_by_text("Until everybody has chosen you can choose otherwise.").wait_for()
            elif step < 3:  # after the last one the hand of five is laid out
                page.locator(f"button.card >> nth={8 - 2 * step}").wait_for(state="detached")
    ann.locator("[data-do=deploy]").wait_for()
    ann.locator("button.card").nth(0).click()
    assert ann.locator("button.card[data-where=front]").count() == 1
    ann.locator("[data-do=deploy]").click()
    ben.locator("[data-do=deploy]").click()
    ann.get_by_text("War: Ann").first.wait_for()
    assert companion.score.state.phase in ("war", "choose")
    assert not pages.complaints


def test_a_choice_of_the_draft_is_replaced_by_two_taps_until_everybody_has_chosen(
    companion: Companion, pages: Browser
) -> None:
    begun(companion, "paper_tales")
    ann = pages.open("/games", locale="fr-FR")
    ann.locator("[data-seat=ann]").click()
    ann.locator("[data-leave=ann]").wait_for()
    cards = ann.locator("button.card")
    cards.nth(8).wait_for()
    names = [cards.nth(n).get_attribute("data-card") for n in range(9)]
    for kept, away in ((0, 1), (0, 2), (3, 0)):
        cards.nth(kept).click()
        ann.get_by_text("Laquelle défausser").wait_for()
        cards.nth(away).click()
        until(ann, lambda choice=(names[kept], names[away]): companion.score.state.kingdoms[0].choice == choice)
        ann.locator(f"button.card[data-card={names[kept]}][data-where=keep]").wait_for()
        ann.locator(f"button.card[data-card={names[away]}][data-where=aside]").wait_for()
    ann.get_by_text("Tant que tous n’ont pas choisi").wait_for()
    ann.reload()
    ann.locator(f"button.card[data-card={names[3]}][data-where=keep]").wait_for()
    packet = companion.score.state.kingdoms[1].packet
    companion.tap("ben", "keep", {"card": packet[0], "discard": packet[1]})
    cards.nth(8).wait_for(state="detached")
    assert companion.score.state.kingdoms[0].chosen == (names[3],)
    assert not pages.complaints


def test_cards_of_the_tables_own_are_laid_by_naming_them(companion: Companion, pages: Browser) -> None:
    """Ann lays a Knight and a Farmer, names a second Farmer and keeps it, and sets a Cook aside again."""
    body = {"game": "paper_tales", "players": PLAYERS["paper_tales"], "options": {"cards": "table"}}
    companion.command("new_match", body)
    ann = seated(pages, 0)
    ann.get_by_role("button", name="Ready").click()
    companion.tap("ben", "ready", {})
    held = ann.locator("select[name=named]")
    for name, taps in (("knight", 0), ("farmer", 1), ("cook", 3), ("farmer", 2)):  # front, back, set aside, kept
        held.select_option(name)
        for _ in range(taps):
            ann.locator("button.card").last.click()
    assert [ann.locator(f"button.card[data-where={row}]").count() for row in ("front", "back", "keep")] == [1, 1, 1]
    ann.locator("[data-do=deploy]").click()
    ann.locator("[data-do=deploy]").wait_for(state="detached")
    companion.tap("ben", "deploy", {"front": [], "back": [], "keep": None})
    kingdom = companion.score.state.kingdoms[0]
    assert [(u.card, u.front) for u in kingdom.units] == [("knight-1", True), ("farmer-1", False)]
    assert kingdom.kept == "farmer-2"
    assert not pages.complaints


def test_a_tap_counts_although_somebody_else_acts_between_press_and_release(
    companion: Companion, pages: Browser
) -> None:
    begun(companion, "paper_tales")
    ann, ben = seated(pages, 0), seated(pages, 1)
    for page in (ann, ben):
        page.locator("button.card >> nth=8").wait_for()
        page.locator("button.card").nth(0).click()
    second = ben.locator("button.card").nth(1)
    second.hover()
    ben.mouse.down()
    ann.locator("button.card").nth(1).click()
    ann.get_by_text("Until everybody has chosen you can choose otherwise.").wait_for()
    ben.wait_for_timeout(300)  # time for what ann did to be drawn on ben's page, too
    ben.mouse.up()
    ben.locator("button.card >> nth=8").wait_for(state="detached")
    assert not pages.complaints


def test_an_answer_that_a_later_one_has_overtaken_is_not_drawn(companion: Companion, pages: Browser) -> None:
    begun(companion, "paper_tales")
    page = seated(pages, 0)
    page.locator("button.card >> nth=8").wait_for()
    held: list[Any] = []

    def hold_the_first(route: Any) -> None:
        if held:
            route.continue_()
        else:
            held.append((route, route.fetch()))

    page.route("**/api/seat/*", hold_the_first)
    for seat in ("ben", "ann"):
        packet = next(p for p in seat_view(companion.score, seat)["players"] if p["team"] == seat)["own"]["packet"]
        companion.tap(seat, "keep", {"card": packet[0]["card"], "discard": packet[1]["card"]})
        until(page, lambda: held)
    page.locator("button.card >> nth=8").wait_for(state="detached")
    route, answer = held[0]
    with page.expect_response("**/api/seat/*"):
        route.fulfill(response=answer)
    page.evaluate("new Promise((done) => setTimeout(done, 0))")
    assert page.locator("button.card").count() == 7
    assert not pages.complaints


def test_sacrifice_is_played_by_tapping_a_piece_and_a_square(companion: Companion, pages: Browser) -> None:
    begun(companion, "sacrifice", begins="ann")
    page = seated(pages, 0)
    page.locator("[data-square=a9]").click()
    page.locator("[data-square=a8]").click()
    page.get_by_role("button", name="End the turn").click()
    page.get_by_text("Waiting for the others.").wait_for()
    assert companion.score.state.turn == 1
    assert not pages.complaints


def test_in_sacrifice_a_mineral_is_handed_to_a_friend_in_passing(companion: Companion, pages: Browser) -> None:
    """The monkey on b9 passes the falcon on b10, leaves its mineral there and is back."""
    begun(companion, "sacrifice", begins="ann")
    page = seated(pages, 0)
    monkey = page.locator("[data-square=b9]")

    def tap_again() -> None:
        """After a while: two taps at once are one."""
        page.wait_for_timeout(600)
        monkey.click()

    monkey.click()
    tap_again()
    handed = page.get_by_role("button", name="Monkey 1 → b9 left on b10")
    handed.wait_for()
    tap_again()
    handed.wait_for(state="detached")
    tap_again()
    tap_again()
    handed.click()
    page.get_by_role("button", name="End the turn").wait_for()
    state = companion.score.state
    assert state.board.name(state.minerals["ann-mineral-1"].square) == "b10"
    assert state.board.name(state.pieces["ann-monkey-1"].square) == "b9"
    assert not pages.complaints


def test_zargo_shows_calendar_cities_and_map(companion: Companion, pages: Browser) -> None:
    begun(companion, "zargo")
    rng = Random(3)
    while companion.score.state.phase in ("cities", "garrisons", "rest"):
        action = GAMES["zargo"].pick(companion.score.state, rng)
        assert action is not None
        companion.tap(action.data["seat"], action.type, {k: v for k, v in action.data.items() if k != "seat"})
    page = seated(pages, 0)
    assert page.locator(".calendar li").count() == 4
    page.get_by_role("button", name="Next phase").click()
    page.get_by_text("(moves)").wait_for()
    page.locator("[data-counter]").first.click()
    assert companion.score.state.phase == "moves"
    assert not pages.complaints


@pytest.mark.parametrize("game", ["paleo", *PLAYERS])
def test_axe_finds_nothing_while_a_game_is_on(companion: Companion, pages: Browser, game: str) -> None:
    """With a log that is longer than its place, in the room's light and in the dark."""
    if game == "paleo":
        companion.command("new_match", {"game": "paleo", "players": {}, "options": {"kept_by": "taps"}})
        companion.command("start_round", {"begins": "red"})
        for n in range(12):
            companion.command("shot_by_hand", {"flicked": f"{'green' if n % 2 else 'red'}-3"})
        page = pages.open("/games")
    else:
        begun(companion, game)
        page = seated(pages, 0)
    page.locator("#games-board > *").first.wait_for()
    page.evaluate(AXE_SCRIPT)
    for theme in ("light", "dark"):
        page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        told = page.evaluate("axe.run({resultTypes: ['violations']}).then((told) => told.violations)")
        assert [(one["id"], [node["html"][:120] for node in one["nodes"]]) for one in told] == []
    assert not pages.complaints


def test_whoever_has_no_name_but_the_peoples_goes_by_it_in_the_pages_language(
    companion: Companion, pages: Browser
) -> None:
    setup = {"map": ARENA, "forces": FEW, "months": 4, "seed": 1}
    players = {"knights": "knights", "monks": "Ben"}
    companion.command("new_match", {"game": "zargo", "players": players, "setup": setup})
    page = pages.open("/games", locale="fr-FR")
    page.get_by_text("Ben (Moines)").first.wait_for()
    assert "knights" not in page.locator("main").inner_text().lower()
    companion.command("new_match", {"game": "armadora", "players": {"p1": "Zoé", "p2": "Léa"}})
    shelf = page.locator("#games-shelf li", has_text="Chevaliers, Ben")
    shelf.wait_for()
    assert not pages.complaints


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 720)])
def test_the_page_fits_a_phone_and_speaks_french(companion: Companion, pages: Browser, width: int, height: int) -> None:
    begun(companion, "armadora", begins="ann")
    page = pages.open("/games", width=width, height=height, locale="fr-FR")
    page.get_by_text("Vous regardez.").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not pages.complaints


def test_where_the_camera_tells_the_shots_nobody_is_asked_to_tell_them(companion: Companion, pages: Browser) -> None:
    """Told as well, each would count twice; what the camera has missed is the referee's, on a page of their own."""
    companion.command("new_match", {"game": "paleo", "players": {}})
    companion.command("start_round", {"begins": "red"})
    page = pages.open("/games")
    page.get_by_text("The camera tells the shots").wait_for()
    page.locator("[data-do=pause]").wait_for()
    assert page.locator("[data-side=red]").count() == 1
    assert page.locator("[data-do=tell]").count() == 0


def test_paleo_is_kept_by_taps_without_a_camera(companion: Companion, pages: Browser) -> None:
    """Flicked 8, touched 4 and 5 in their camp: the first is captured; the round, the turn and the partner are told."""
    page = pages.open("/games")
    page.locator("#games-begin-box[open]").wait_for()
    page.locator("select[name=game]").select_option("paleo")
    page.locator("input[name='player:red']").fill("Ann")
    page.locator("input[name='player:red+']").fill("Cid")
    page.locator("#games-begin details summary").first.click()
    page.locator("select[name='option:kept_by']").select_option("taps")
    page.locator("#games-begin").get_by_role("button", name="Begin").click()
    page.get_by_text("Who begins this round?").wait_for()
    page.locator("[data-do=begin]").first.click()
    page.get_by_text("Turn: Red (Ann)").wait_for()
    page.locator("[data-do=tell]").click()
    for pawn in ("red-8", "green-4", "green-5"):
        page.locator(f"[data-pawn={pawn}]").click()
    page.locator("label", has_text="in their base camp").click()
    for pawn in ("green-4", "green-5"):
        page.locator(f"[data-pawn={pawn}]").click()
    page.locator("#tell-send").click()
    page.get_by_text(re.compile("Turn: Green$")).wait_for()
    assert companion.score.state.captured("green") == ("green-4",)
    assert companion.score.state.members["red"] == ("Ann", "Cid")
    assert not pages.complaints


def test_reefs_are_told_by_tapping_the_board_where_no_camera_sees_them(companion: Companion, pages: Browser) -> None:
    """One of red, which lies inside a line, then green is next; picked, turned, moved and taken away."""
    companion.command("new_match", {"game": "paleo", "players": {}, "options": {"kept_by": "taps"}})
    page = pages.open("/games")
    x, y, w, _ = page.locator(".reef-chart svg").get_attribute("viewBox").split()
    box = page.locator(".reef-chart svg").bounding_box()
    scale = box["width"] / float(w)
    spot = {"x": (240 - float(x)) * scale, "y": (170 - float(y)) * scale}
    page.locator(".reef-chart svg").click(position=spot)
    page.get_by_text("Green places 2 more.").wait_for()
    (reef,) = companion.score.state.reefs
    assert (reef["team"], reef["angle_deg"]) == ("red", 0)
    assert abs(reef["x_mm"] - 240) < 2
    assert abs(reef["y_mm"] - 170) < 2
    assert page.locator("[data-reefs-of=green]").get_attribute("aria-pressed") == "true"
    page.locator("[data-reef='0']").click()
    page.locator("[data-turn-reef=left]").click()
    page.get_by_text("165°").wait_for()
    page.locator("[data-reef='0']").click()
    page.locator("input[name=reef-x]").fill("20")
    page.locator("[data-do=put-reef]").click()
    page.locator(".reef-notices", has_text="from the board's edge").wait_for()
    assert companion.score.state.reefs[0]["angle_deg"] == 165
    page.locator("[data-reef='0']").click()
    page.locator("[data-do=lift-reef]").click()
    page.locator("[data-reef='0']").wait_for(state="detached")
    assert companion.score.state.reefs == ()
    assert not pages.complaints


def test_a_shot_of_long_ago_is_told_otherwise_after_its_difference_was_shown(
    companion: Companion, pages: Browser
) -> None:
    companion.command("new_match", {"game": "paleo", "players": {}, "options": {"kept_by": "taps"}})
    companion.command("start_round", {"begins": "red"})
    for flicked, touched in (("red-8", ["green-4"]), ("green-3", []), ("red-3", []), ("green-3", [])):
        companion.command("shot_by_hand", {"flicked": flicked, "touched": touched})
    page = pages.open("/games")
    page.locator("#games-earlier summary").click()
    row = page.locator("#games-entries li", has_text="Green Explorer 4 captured")
    row.get_by_role("button", name="It was otherwise").click()
    page.locator("label", has_text="Touched, in order").click()
    for pawn in ("green-4", "green-7"):
        page.locator(f"[data-pawn={pawn}]").click()
    page.locator("#tell-send").click()
    changes = page.locator("#games-change")
    changes.get_by_text("What would change").wait_for()
    assert "green-4" in changes.inner_text()
    assert "green-7" in changes.inner_text()
    assert companion.score.state.captured("green") == ("green-4",), "shown, not done"
    changes.locator("[data-do=accept]").click()
    page.get_by_text("A shot was corrected").first.wait_for()
    assert companion.score.state.captured("green") == ("green-7",)
    assert not pages.complaints


def test_earlier_entries_opened_before_anything_is_drawn_are_there_then(companion: Companion, pages: Browser) -> None:
    companion.command("new_match", {"game": "paleo", "players": {}, "options": {"kept_by": "taps"}})
    companion.command("start_round", {"begins": "red"})
    companion.command("shot_by_hand", {"flicked": "red-8", "touched": ["green-4"]})
    page = pages.open("/help")
    held: list[Any] = []
    page.route("**/js/game_paleo.js", lambda route: held.append(route))
    page.goto(page.url.replace("/help", "/games"), wait_until="commit")
    until(page, lambda: held)
    page.locator("#games-earlier summary").click()
    page.evaluate("new Promise((done) => setTimeout(done, 0))")
    for route in held:
        route.continue_()
    page.locator("#games-entries li", has_text="Green Explorer 4 captured").wait_for()
    assert not pages.complaints


def test_an_own_earlier_action_is_taken_back_or_changed(companion: Companion, pages: Browser) -> None:
    begun(companion, "armadora", begins="ann")
    for seat, square in (("ann", "a1"), ("ben", "b1"), ("ann", "c1")):
        companion.tap(seat, "warrior", {"square": square, "value": 1})
    page = seated(pages, 0)
    page.locator("#games-earlier summary").click()
    row = page.locator("#games-entries li", has_text="Ann: a Warrior on a1.")
    assert page.locator("#games-entries li", has_text="Ben").get_by_role("button").count() == 0
    row.get_by_role("button", name="It was otherwise").click()
    changes = page.locator("#games-change")
    changes.locator("select").select_option(label="warrior a2 5")
    changes.get_by_role("button", name="Show what would change").click()
    changes.get_by_text("Accept the change").click()
    page.locator("#games-change:not([open])").wait_for(state="attached")
    page.get_by_text("An earlier entry was corrected.").first.wait_for()
    assert companion.score.state.warriors[8].value == 5
    row = page.locator("#games-entries li", has_text="Ann: a Warrior on c1.")
    row.get_by_role("button", name="Take back").click()
    changes.get_by_text("Accept the change").click()
    page.get_by_text("Undone:").first.wait_for()
    assert set(companion.score.state.warriors) == {1, 8}
    assert not pages.complaints


def test_what_would_change_is_told_thing_by_thing_in_the_pages_language(companion: Companion, pages: Browser) -> None:
    begun(companion, "sacrifice", begins="ann")
    companion.tap("ann", "move", {"piece": "ann-monkey-1", "path": ["b8"]})
    page = pages.open("/games", locale="fr-FR", width=360, height=640)
    page.locator("[data-seat=ann]").click()
    page.locator("[data-leave=ann]").wait_for()
    page.locator("#games-earlier summary").click()
    page.locator("#games-entries li").first.get_by_role("button", name="Reprendre").click()
    row = page.locator("#games-change tbody tr", has_text="singe 1 (Ann)")
    row.wait_for()
    assert row.locator("th").inner_text() == "pièces · singe 1 (Ann) · case"
    assert row.locator("td").all_inner_texts() == ["b8", "b9"]
    words = row.locator("th").evaluate("(e) => [e.scrollWidth <= e.clientWidth, e.clientWidth]")
    assert words[0]
    assert words[1] >= 90, "no word is broken"
    assert not pages.complaints


def test_a_match_without_names_is_told_by_its_sides_alone(companion: Companion, pages: Browser) -> None:
    """The page said "Vert (Green)", and of one that waits its day with a dot after it."""
    companion.command("new_match", {"game": "paleo", "players": {}, "options": {"kept_by": "taps"}})
    companion.command("start_round", {"begins": "green"})
    page = pages.open("/games", locale="fr-FR")
    assert page.locator(".paleo-turn").inner_text().endswith("Tour\u00a0: Vert")
    companion.command("new_match", {"game": "paleo", "players": {"red": ["Ann", "Ben"]}, "options": {}})
    companion.command("start_round", {"begins": "red"})
    page.locator(".paleo-turn", has_text="Rouge (Ann)").wait_for()
    assert re.search(r"Paleo · [^·]*\d{4}$", page.locator("#games-shelf li span").inner_text())
    assert not pages.complaints


def test_an_unfinished_match_is_taken_up_again(companion: Companion, pages: Browser) -> None:
    begun(companion, "armadora", begins="ann")
    companion.tap("ann", "warrior", {"square": "a1", "value": 1})
    begun(companion, "sacrifice", begins="ann")
    page = pages.open("/games")
    page.locator("#games-shelf [data-resume]").click()
    page.get_by_role("heading", name="Armadöra").wait_for()
    assert companion.score.game == "armadora"
    assert set(companion.score.state.warriors) == {0}
    assert page.locator("#games-shelf li").count() == 1
    assert not pages.complaints


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_open_point_is_offered_with_its_reason(companion: Companion, pages: Browser, language: str) -> None:
    page = pages.open("/games", locale="fr-FR" if language == "fr" else "en-GB")
    page.locator("#games-begin-box[open]").wait_for()
    for name, game in GAMES.items():
        page.locator("select[name=game]").select_option(name)
        page.locator("#games-begin details summary").last.click()
        for option in game.options:
            select = page.locator(f"select[name='option:{option.name}']")
            assert select.input_value() == option.default
            assert select.locator("option").count() == len(option.choices)
            words = select.locator("..").inner_text().replace("\u00a0", " ")  # before French signs of two parts
            assert option.why.to_json()[language] in words
    assert not pages.complaints


def test_a_choice_has_the_word_of_its_own_option(companion: Companion, pages: Browser) -> None:
    page = pages.open("/games", locale="fr-FR")
    page.locator("#games-begin-box[open]").wait_for()
    for game, option, words in (
        ("zargo", "zones_while_leaving", ["libre", "bloqué"]),
        ("zargo", "combat_results", ["dits par les joueurs", "lus dans les tableaux"]),
        ("sacrifice", "wall_cost", ["gratuit", "un point"]),
        ("armadora", "gold_without_warriors", ["à personne", "au dernier à passer"]),
    ):
        page.locator("select[name=game]").select_option(game)
        choices = page.locator(f"select[name='option:{option}'] option")
        choices.first.wait_for(state="attached")
        assert choices.evaluate_all("(all) => all.map((one) => one.textContent)") == words
    assert not pages.complaints


def at_the_alliances(companion: Companion) -> None:
    """A match of Zargo's Lords whose counters are placed: the Knights' first phase."""
    begun(companion, "zargo")
    rng = Random(3)
    while companion.score.state.phase in ("cities", "garrisons", "rest"):
        action = GAMES["zargo"].pick(companion.score.state, rng)
        assert action is not None
        companion.tap(action.data["seat"], action.type, {k: v for k, v in action.data.items() if k != "seat"})


def tap_twice(page: Any, button: Any, gap_ms: int) -> None:
    """A double tap: both halves at the place where the button lay at first.

    The page is told when each half fell, so that they are no further apart where the machine is busy.
    """
    button.scroll_into_view_if_needed()
    box = until(page, button.bounding_box)  # None while it is just being drawn anew
    middle = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    page.mouse.move(*middle.values())
    mouse = page.context.new_cdp_session(page)
    first = time.time()
    for after_ms in (0, gap_ms):
        page.wait_for_timeout(after_ms)
        at = {**middle, "button": "left", "clickCount": 1, "timestamp": first + after_ms / 1000}
        for kind in ("mousePressed", "mouseReleased"):
            mouse.send("Input.dispatchMouseEvent", {"type": kind, **at})
    mouse.detach()


def test_a_double_tap_goes_on_by_one_phase_and_takes_nobodys_turn(companion: Companion, pages: Browser) -> None:
    at_the_alliances(companion)
    page = seated(pages, 0)
    page.locator("#games-seats li").nth(1).get_by_role("button").first.click()
    page.locator("#games-seats li").nth(1).get_by_role("button", name="yours").wait_for()
    page.get_by_text("(alliances)").wait_for()
    for phase in ("moves", "engagements"):
        tap_twice(page, page.locator("[data-do=next]"), 150)
        page.get_by_text(f"({phase})").wait_for()
        page.wait_for_timeout(600)  # whoever taps again after a while means it
        assert companion.score.state.phase == phase
    page.locator("[data-do=next]").click()
    page.get_by_text("Turn: Monks (alliances)").wait_for()
    assert not pages.complaints


def test_a_double_tap_takes_back_one_action(companion: Companion, pages: Browser) -> None:
    begun(companion, "armadora", begins="ann")
    for seat, square in (("ann", "a1"), ("ben", "b1"), ("ann", "c1")):
        companion.tap(seat, "warrior", {"square": square, "value": 1})
    page = pages.open("/games")
    page.locator("#games-log li").nth(2).wait_for()
    tap_twice(page, page.locator("[data-do=undo]"), 150)
    page.get_by_text("Undone:").first.wait_for()
    page.wait_for_timeout(300)
    assert set(companion.score.state.warriors) == {0, 1}
    assert not pages.complaints


def test_two_screens_that_undo_the_same_action_take_back_one(companion: Companion, pages: Browser) -> None:
    """The second one's page had not shown yet that it was taken back."""
    begun(companion, "armadora", begins="ann")
    for seat, square in (("ann", "a1"), ("ben", "b1"), ("ann", "c1")):
        companion.tap(seat, "warrior", {"square": square, "value": 1})
    page = pages.open("/games", locale="fr-FR")
    page.locator("[data-do=undo]").wait_for()
    held: list[Any] = []
    page.route("**/api/command/undo", lambda route: held.append(route))
    page.locator("[data-do=undo]").click()
    until(page, lambda: held)
    companion.command("undo", {"seen": companion.last_id()})
    held[0].continue_()
    page.get_by_text("Autre chose a été fait ou annulé entre-temps").wait_for()
    assert set(companion.score.state.warriors) == {0, 1}
    pages.complaints.clear()  # the browser tells of the refusal


def test_a_refusal_is_told_in_french_with_players_for_seats(companion: Companion, pages: Browser) -> None:
    """The seat has acted on another screen meanwhile, and its turn is over: the page had not shown it yet."""
    players = {"p1": "Zoé", "p2": "Léa"}
    companion.command("new_match", {"game": "armadora", "players": players, "setup": {"begins": "p1", "seed": 1}})
    page = pages.open("/games", locale="fr-FR")
    page.locator("[data-seat=p1]").click()
    page.locator("[data-square=a1]").click()
    held: list[Any] = []
    page.route("**/api/seat/p1/act", lambda route: held.append(route))
    page.get_by_role("button", name="Guerrier a1 3").first.click()
    until(page, lambda: held)
    companion.tap("p1", "warrior", {"square": "b1", "value": 1})
    held[0].continue_()
    page.get_by_text("c’est à Léa de jouer, pas à Zoé (règle A4)").wait_for()
    assert set(companion.score.state.warriors) == {1}
    pages.complaints.clear()  # the browser tells of the refusal


def test_one_screen_of_two_seats_shows_which_one_acts(companion: Companion, pages: Browser) -> None:
    begun(companion, "paper_tales")
    page = seated(pages, 0)
    second = page.locator("#games-seats li").nth(1)
    second.get_by_role("button").first.click()
    second.get_by_role("button", name="yours").wait_for()
    pressed = page.locator("#games-seats button[aria-pressed]")
    assert [one.get_attribute("aria-pressed") for one in pressed.all()] == ["false", "true"]
    assert not pages.complaints


@pytest.mark.parametrize("game", ["sacrifice", "zargo"])
def test_a_board_begins_at_the_left_of_a_phone_with_squares_for_a_finger(
    companion: Companion, pages: Browser, game: str
) -> None:
    companion.command("new_match", {"game": game, "players": PLAYERS[game]})
    page = pages.open("/games", width=360, height=640)
    page.locator("svg.play").wait_for()
    place = page.locator("#games-board").bounding_box()
    cell = page.locator("svg.play .cell, svg.play .hex").first.bounding_box()
    assert abs(cell["x"] - place["x"]) < 3, "nothing but board at the left"
    assert cell["height"] >= 44
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not pages.complaints


@pytest.mark.parametrize("width", [320, 360, 433, 640])
def test_armadora_is_seen_whole_on_a_phone_with_targets_for_fingers(
    companion: Companion, pages: Browser, width: int
) -> None:
    """A square and the lines around it have 24 pixels each, and the board is not scrolled in its box."""
    begun(companion, "armadora", begins="ann")
    page = seated(pages, 0, width=width, height=740)
    page.locator("[data-edge]").first.wait_for()
    assert page.locator("#games-board").evaluate("(e) => e.scrollWidth - e.clientWidth") == 0
    cell = page.locator("svg.play .cell").first.bounding_box()["width"]
    for line in page.locator("[data-edge]").all()[:12]:
        box = line.bounding_box()
        assert min(box["width"], box["height"]) >= 23.9
        assert cell - min(box["width"], box["height"]) >= 23.9
    assert page.locator("svg.play").bounding_box()["height"] <= 740 - 200, "it is seen whole from top to bottom, too"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not pages.complaints


def test_armadora_takes_a_quarter_turn_on_a_phone_and_back_on_its_side(companion: Companion, pages: Browser) -> None:
    """As whoever sits at the short side sees the board: nothing is mirrored, and a tap means the same."""
    begun(companion, "armadora", begins="ann")
    page = seated(pages, 0, width=360, height=740)

    def place(name: str) -> tuple[int, int]:
        box = until(page, page.locator(f"[data-square={name}]").bounding_box)  # None while it is just being drawn anew
        return round(box["x"]), round(box["y"])

    page.locator("[data-square=a1]").wait_for()
    assert place("a1")[1] == place("a2")[1] < place("b1")[1]
    assert place("a1")[0] > place("a2")[0]
    line = page.locator("[data-edge=a1-a2]").bounding_box()
    assert place("a2")[0] < line["x"] + line["width"] / 2 - 20 < place("a1")[0]
    page.locator("[data-edge=d2-e2]").click()
    until(page, lambda: companion.score.state.palisades == 34)
    assert GAMES["armadora"].view(companion.score.state)["palisades"] == ["d2-e2"]
    companion.command("undo", {})
    page.locator("[data-square=a1]").wait_for()
    page.set_viewport_size({"width": 740, "height": 360})
    until(page, lambda: place("a1")[0] < place("b1")[0])
    assert place("a1")[1] == place("b1")[1] < place("a2")[1]
    assert not pages.complaints


def test_points_stay_behind_a_name_written_from_right_to_left(companion: Companion, pages: Browser) -> None:
    """Else "Mohammed: 0 points, 3 gold" reads as "0: Mohammed points, 3 gold"."""
    players = {"p1": "\u0645\u062d\u0645\u062f \u0639\u0628\u062f", "p2": "\u05d9\u05e2\u05dc"}
    companion.command("new_match", {"game": "paper_tales", "players": players, "setup": {"seed": 1}})
    page = pages.open("/games")
    heads = page.locator(".kingdom h2")
    heads.first.wait_for()
    for n, name in enumerate(players.values()):
        text = heads.nth(n).evaluate("(e) => e.textContent")
        assert text.startswith(f"\u2068{name}\u2069: 0 points, 3 gold")
    page.goto(page.url.replace("/games", "/report/1"))
    until(page, lambda: page.locator("th[scope=row]").first.evaluate("(e) => e.textContent")[0] == "\u2068")
    assert not pages.complaints


def test_one_is_told_in_the_singular_and_nothing_by_its_id(companion: Companion, pages: Browser) -> None:
    """French has zero in the singular, too; pieces, peoples and players go by their names."""
    players = {"p1": "Zoé", "p2": "Léa"}
    companion.command("new_match", {"game": "sacrifice", "players": players, "setup": {"begins": "p1"}})
    companion.tap("p1", "move", {"piece": "p1-martyr-1", "path": ["a8"]})
    page = pages.open("/games", locale="fr-FR")
    page.get_by_text("1 point de mouvement").wait_for()
    page.get_by_text("Zoé (p1) · 0 point", exact=True).wait_for()
    assert "Zoé\u00a0: martyr\u00a01 en a8." in page.locator("#games-log").inner_text()
    companion.command("new_match", {"game": "zargo", "players": {"knights": "Ann", "monks": "Ben"}})
    page.get_by_text("Ann (Chevaliers)\u00a0: 4 villes").wait_for()
    page.locator("#games-begin-box summary").first.click()
    page.locator("select[name=game]").select_option("zargo")
    assert page.locator("label", has_text="Chevaliers").locator("input").count() == 1
    assert not pages.complaints


def test_whoever_plays_by_keys_stays_where_they_were(companion: Companion, pages: Browser) -> None:
    """What others do draws the page anew; what was unfolded stays so, and an action done leaves one at its place."""
    begun(companion, "armadora", begins="ann")
    page = seated(pages, 0)
    page.locator("[data-fold=all] > summary").click()
    page.locator("[data-square=a1]").focus()
    page.keyboard.press("Enter")
    focused = "document.activeElement.dataset.square ?? document.activeElement.id"
    assert page.evaluate(focused) == "a1"
    page.get_by_role("button", name="warrior a1 3").first.focus()
    page.keyboard.press("Enter")
    page.get_by_text("Waiting for the others.").wait_for()
    until(page, lambda: page.evaluate(focused) == "games-board")
    companion.tap("ben", "warrior", {"square": "b1", "value": 1})
    page.get_by_text("It is for you to act.").wait_for()
    page.locator("[data-fold=all] > summary").click()
    page.locator("[data-square=c1]").focus()
    companion.command("undo", {})
    page.get_by_text("Undone:").first.wait_for()
    page.get_by_text("Waiting for the others.").wait_for()
    companion.tap("ben", "warrior", {"square": "a2", "value": 1})
    page.get_by_text("It is for you to act.").wait_for()
    assert page.evaluate(focused) == "games-board", "c1 could not be tapped meanwhile"
    assert not pages.complaints


def test_seats_have_the_colours_of_the_board(companion: Companion, pages: Browser) -> None:
    begun(companion, "armadora", begins="ann")
    for seat, square in (("ann", "a1"), ("ben", "b1")):
        companion.tap(seat, "warrior", {"square": square, "value": 1})
    page = pages.open("/games")
    page.locator("svg.play .side1").wait_for()
    fills = [page.locator(f"svg.play .side{n}").evaluate("(e) => getComputedStyle(e).fill") for n in (0, 1)]
    rows = page.locator("#games-seats li")
    assert [rows.nth(n).evaluate("(e) => getComputedStyle(e).borderLeftColor") for n in (0, 1)] == fills
    assert fills[0] != fills[1]
    assert not pages.complaints


@pytest.mark.parametrize("inside", [2, 3])
def test_each_counter_of_a_garrison_can_be_tapped(companion: Companion, pages: Browser, inside: int) -> None:
    begun(companion, "zargo")
    rng = Random(3)
    while companion.score.state.phase == "cities":
        action = GAMES["zargo"].pick(companion.score.state, rng)
        assert action is not None
        companion.tap(action.data["seat"], action.type, {k: v for k, v in action.data.items() if k != "seat"})
    garrison = ["knights-knight-1", "knights-infantry-1", "knights-infantry-2"][:inside]
    companion.tap("knights", "garrison", {"city": "knights-city-1", "counters": garrison})
    page = seated(pages, 0)
    page.locator("[data-counter=knights-knight-1]").wait_for()
    boxes = [page.locator(f"[data-counter={name}] rect").bounding_box() for name in garrison]
    assert len({round(box["x"]) for box in boxes}) == len(garrison)
    # all of them do the same here: of three the hex does it
    page.locator("[data-pile]" if inside == 3 else "[data-counter=knights-knight-1] rect").click()
    page.locator("[data-plan^='garrison:']").first.wait_for()
    assert not pages.complaints


def at_most_moves(companion: Companion, game: str, actions: int) -> str:
    """Plays on at random, and goes back to where most could be done; the seat that could."""
    rng, most, best = Random(4), 0, (companion.last_id(), "")
    for _ in range(actions):
        state = companion.score.state
        for seat in GAMES[game].waiting(state) if GAMES[game].waiting else ():
            count = len(list(GAMES[game].moves(state, seat)))
            if count > most:
                most, best = count, (companion.last_id(), seat)
        action = GAMES[game].pick(state, rng)
        if action is None:
            break
        companion.tap(action.data["seat"], action.type, {k: v for k, v in action.data.items() if k != "seat"})
    while companion.score.acts[-1][0] > best[0]:
        companion.command("undo", {})
    return best[1]


@pytest.mark.parametrize("game", sorted(PLAYERS))
def test_every_legal_action_is_reached_by_tapping_through_the_list(
    companion: Companion, pages: Browser, game: str
) -> None:
    """On a phone: each fold is tapped open, and each action is a button of its own in one of them, told apart."""
    begun(companion, game)
    seat = at_most_moves(companion, game, 60)
    moves = list(GAMES[game].moves(companion.score.state, seat))
    assert len(moves) > {"armadora": 100, "sacrifice": 60, "zargo": 25, "paper_tales": 3}[game]
    page = pages.open("/games", width=360, height=640)
    page.locator(f"[data-seat={seat}]").click()
    page.locator("#games-do details").first.wait_for()
    closed = page.locator("#games-do details:not([open]) > summary")
    buttons = page.locator("#games-do [data-move]")

    def unfolded() -> bool:
        """Opens one more fold; what is in it comes a moment later."""
        if not closed.count():
            return bool(buttons.count() == len(moves))
        assert closed.first.bounding_box()["height"] >= 44
        closed.first.click()
        return False

    until(page, unfolded)
    kinds = buttons.evaluate_all("(all) => all.map((one) => one.dataset.move)")
    assert sorted(kinds) == sorted(move.type for move in moves)
    words = buttons.all_inner_texts()
    assert len(set(words)) == len(words), "each is told from the others"
    before = companion.last_id()
    buttons.last.click()
    until(page, lambda: companion.last_id() > before)
    assert kinds[-1] in [entry.type for entry in companion.whole_journal() if entry.id > before]
    assert not pages.complaints


def test_a_wall_behind_many_moves_is_built_by_tap(companion: Companion, pages: Browser) -> None:
    """What was unfolded stays so when the page is drawn anew."""
    begun(companion, "sacrifice", begins="ann")
    page = seated(pages, 0)
    wall = next(m for m in GAMES["sacrifice"].moves(companion.score.state, "ann") if m.type == "wall")
    page.locator("[data-fold=all] > summary").click()
    page.locator("[data-fold=wall] > summary").click()
    button = page.locator("[data-move=wall]", has_text=wall.data["edge"])
    button.wait_for()
    companion.tap("ann", "move", {"piece": "ann-martyr-1", "path": ["a8"]})
    page.locator("[data-square=a8]").wait_for()
    button.wait_for()
    button.click()
    until(page, lambda: companion.score.state.walls)
    assert not pages.complaints


def test_each_pawn_of_paleo_can_be_told_by_tap(companion: Companion, pages: Browser) -> None:
    """As the one that was flicked, and as touched."""
    companion.command("new_match", {"game": "paleo", "players": {}, "options": {"kept_by": "taps"}})
    companion.command("start_round", {"begins": "red"})
    told = [m for m in GAMES["paleo"].moves(companion.score.state, "red") if m.type == "shot_by_hand"]
    page = pages.open("/games", width=360, height=640)
    page.locator("[data-do=tell]").click()
    for pawn in {m.data["flicked"] for m in told} | {pawn for m in told for pawn in m.data["touched"]}:
        assert page.locator(f"[data-pawn={pawn}]").bounding_box()["height"] >= 44
    assert told
    assert not pages.complaints


def test_who_was_typed_in_plays_another_game_too_and_a_slip_in_the_tables_is_told_by_its_line(
    companion: Companion, pages: Browser
) -> None:
    page = pages.open("/games", locale="fr-FR")
    page.locator("#games-begin-box[open]").wait_for()
    page.locator("input[name='player:p2']").fill("Zoé")
    page.locator("select[name=game]").select_option("zargo")
    assert page.locator("input[name='player:dragons']").input_value() == "Zoé"
    assert page.locator("input[name='player:knights']").input_value() == "knights"
    for name in ("minutes", "bonus en secondes"):
        page.get_by_role("spinbutton", name=name).wait_for()
    page.locator("#games-begin summary", has_text="tableaux").click()
    page.locator("textarea[name=setup]").fill('{\n "months": 4,\n oops\n}')
    page.get_by_role("button", name="Commencer").click()
    page.locator("#toast", has_text="quelque chose cloche à la ligne 3").wait_for()
    assert companion.score.game is None
    assert not pages.complaints


def test_the_newest_line_of_the_log_comes_first(companion: Companion, pages: Browser) -> None:
    begun(companion, "armadora", begins="ann")
    for n, square in enumerate("abc"):
        companion.tap(("ann", "ben")[n % 2], "warrior", {"square": f"{square}1", "value": 1})
    page = pages.open("/games")
    page.locator("#games-log li", has_text="c1").wait_for()
    first = page.locator("#games-log li").first
    assert "c1" in first.inner_text()
    for path, log in (("games", "#games-log"), ("", "#log")):
        page.goto(page.url.rpartition("/")[0] + f"/{path}")
        page.set_viewport_size({"width": 1280, "height": 1100})
        page.locator(f"{log} li").first.wait_for()
        page.keyboard.press("Tab")
        page.locator(log).focus()
        assert page.locator(log).evaluate("(one) => getComputedStyle(one).maskImage") == "none", "its ring is seen"
    assert not pages.complaints
