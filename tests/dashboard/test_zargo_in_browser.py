"""Zargo's Lords by taps, on a phone, in French: garrisons, ways, and attacks by several counters are composed."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from companion.app import Companion
from companion.games.zargo_map import geometry, read_map
from tests.companion.random_setups import ARENA
from tests.dashboard.conftest import Browser, until

pytestmark = pytest.mark.browser

FORCES = {
    "knights": {"knight": 3, "infantry": 3, "sorcerer": 1, "archer": 1},
    "dragons": {"dragon": 2, "infantry": 1, "flamethrower": 0, "serpent": 1},
    "monks": {"monk": 1, "infantry": 4, "rider": 1, "illusionist": 0},
}
CITIES = {
    "knights": ("0303", "0304", "0305", "0306"),
    "dragons": ("0303", "0304", "0305", "0306"),
    "monks": ("0605", "0706", "0806", "0906"),
}
INSIDE = {"monks": ["monks-infantry-1", "monks-infantry-2"]}  # of the first city, at 0605
STAND = {
    "knights": {"knight-1": "0504", "knight-2": "0505", "infantry-1": "0506", "infantry-2": "0404", "knight-3": "0202",
                "infantry-3": "0203", "sorcerer-1": "0406", "archer-1": "0307"},
    "dragons": {"dragon-1": "0504", "dragon-2": "0505", "serpent-1": "0202", "infantry-1": "0203"},
    "monks": {"monk-1": "0604", "infantry-3": "0802", "infantry-4": "1006", "rider-1": "1007"},
}  # fmt: skip


SIDES = ("knights", "dragons", "winged", "monks")
BARS = """(e) => {  // on which side of its middle the bars of a counter or city lie
    const { y, height } = e.querySelector("rect").getBBox();
    const bars = [...(e.querySelector(".mark")?.getAttribute("d") ?? "").matchAll(/M\\S+ ([\\d.]+)h/g)];
    return bars.map(([, at]) => Math.sign(Number(at) - y - height / 2));
}"""


def at(
    companion: Companion, phase: str, people: str = "knights", options: Any = None, tables: Any = None, **stand: str
) -> None:
    """A match of a people against the Monks, played on to a phase of the set-up or of that people's first turn.

    stand: where some of the people's counters stand, instead of as usual.
    """
    players = {people: "Ann", "monks": "Ben"}
    setup = {"map": ARENA, "forces": FORCES, "months": 4, **({"tables": tables} if tables else {})}
    companion.command("new_match", {"game": "zargo", "players": players, "options": options or {}, "setup": setup})
    for stage, kind in (("cities", "city"), ("garrisons", "garrison"), ("rest", "place")):
        if stage == phase:
            return
        for seat in players:
            for data in told_at(stage, seat, stand if seat == people else {}):
                companion.tap(seat, kind, data)
            companion.tap(seat, "ready", {})
    while companion.score.state.phase != phase:
        companion.tap(people, "next", {})


def told_at(stage: str, seat: str, stand: dict[str, str]) -> list[dict[str, Any]]:
    if stage == "cities":
        return [{"city": f"{seat}-city-{n}", "hex": place} for n, place in enumerate(CITIES[seat], 1)]
    if stage == "garrisons":
        return [{"city": f"{seat}-city-1", "counters": INSIDE[seat]}] if seat in INSIDE else []
    places = {**STAND[seat], **{name.replace("_", "-"): place for name, place in stand.items()}}
    return [{"counters": {f"{seat}-{name}": place for name, place in places.items()}}]


def seated(pages: Browser, seat: str = "knights", locale: str = "fr-FR", **options: Any) -> Any:
    page = pages.open("/games", locale=locale, **{"width": 360, "height": 740, **options})
    page.locator(f"[data-seat={seat}]").click()
    page.locator(".plan").wait_for()
    return page


def tap(page: Any, *keys: str) -> None:
    """Taps what is composed with: counters and hexes on the map, buttons below it."""
    for key in keys:
        kind, _, name = key.partition(" ")
        if kind == "hex":
            page.locator(f"[data-hex='{name}'][role=button]").click(position={"x": 18, "y": 25})
        elif kind in ("counter", "city"):
            page.locator(f"[data-{kind}={name}][role=button]").click()  # a target is one when it is offered
        else:
            page.locator(f"[data-plan='{key}']").click()


def test_counters_and_cities_of_each_people_are_marked_as_colours_say_nothing_to_some(
    companion: Companion, pages: Browser
) -> None:
    marks = {}
    for people in ("knights", "dragons", "winged"):
        at(companion, "cities" if people == "winged" else "moves", people)
        page = pages.open("/games", locale="fr-FR")
        for seat in (people, "monks"):
            sample = page.locator("li svg.tile", has=page.locator(f".side{SIDES.index(seat)}"))
            marks[seat] = sample.evaluate(BARS)
            if people != "winged":
                counter = page.locator(f"[data-counter={seat}-infantry-{1 if seat == people else 4}]").evaluate(BARS)
                assert marks[seat] == counter == page.locator(f"[data-city={seat}-city-2]").evaluate(BARS)
    assert sorted(marks.values()) == [[], [-1], [-1, 1], [1]], marks
    assert not pages.complaints


@pytest.mark.parametrize(
    ("locale", "signs"), [("fr-FR", ["fa", "ar", "mo", "mc"]), ("en-GB", ["in", "ar", "mo", "ri"])]
)
def test_counters_on_the_map_are_told_apart_by_their_signs(
    companion: Companion, pages: Browser, locale: str, signs: list[str]
) -> None:
    at(companion, "moves")
    page = seated(pages, locale=locale)
    named = ("knights-infantry-1", "knights-archer-1", "monks-monk-1", "monks-rider-1")
    assert [page.locator(f"[data-counter={name}] text").inner_html() for name in named] == signs
    assert not pages.complaints


def test_several_counters_attack_at_once(companion: Companion, pages: Browser) -> None:
    at(companion, "engagements")
    page = seated(pages)
    tap(page, "counter knights-knight-1", "counter knights-knight-2", "counter monks-monk-1")
    page.get_by_text("force : 4 – 2").wait_for()
    tap(page, "bonus+", "result:defender_out")
    page.get_by_text("force : 5 – 2").wait_for()
    tap(page, "send")
    page.get_by_text("le défenseur est éliminé").first.wait_for()
    state = companion.score.state
    assert state.counters["monks-monk-1"].out
    assert state.acted == {"knights-knight-1", "knights-knight-2"}
    page.locator("[data-plan=send]").wait_for(state="detached")
    assert not pages.complaints


OVERTAKEN = """async () => {
    const { post } = await import("/static/js/api.js");
    const data = { attackers: ["knights-knight-1"], target: "monks-monk-1", result: "none" };
    await post("/api/seat/knights/act", { type: "combat", data });
    document.querySelector("[data-plan=send]").click();
}"""  # as on two screens of one people: what was composed on this one is not to be had any more when it is sent


def test_a_refusal_is_told_once_beside_what_was_chosen_and_loses_nothing(companion: Companion, pages: Browser) -> None:
    """What can still be done of it stays chosen: the attack is made without the counter that has acted already."""
    at(companion, "engagements")
    page = seated(pages)
    tap(page, "counter knights-knight-1", "counter knights-knight-2", "counter monks-monk-1", "bonus−",
        "result:attackers_back")  # fmt: skip
    page.locator("[data-plan=send]").wait_for()
    page.evaluate(OVERTAKEN)
    plan = page.locator(".plan")
    plan.locator(".plan-refused", has_text="chevalier 1 (Chevaliers) a déjà agi ce tour").wait_for()
    assert "(règle Z6)" in plan.locator(".plan-refused").inner_text()
    assert page.locator("#toast").is_hidden(), "it stands beside the choice, and nowhere else"
    plan.locator("[data-plan='who:knights-knight-1']").wait_for(state="detached")
    pressed = plan.locator("[aria-pressed=true]").evaluate_all("(all) => all.map((one) => one.dataset.plan)")
    assert sorted(pressed) == ["result:attackers_back", "target:monks-monk-1", "who:knights-knight-2"]
    assert plan.locator(".plan-refused").count() == 1, "newer news do not take it away"
    tap(page, "bonus−")
    plan.locator(".plan-refused").wait_for(state="detached")
    tap(page, "send")
    until(page, lambda: set(companion.score.state.retreats) == {"knights-knight-2"})
    page.locator("[data-hex][role=button]").first.wait_for()
    assert len(pages.complaints) == 1
    assert "409" in pages.complaints[0], "the browser tells of the refusal, and of nothing else"


SAID = """async () => {
    const seen = [];
    new MutationObserver((all) => all.forEach(({ addedNodes }) => addedNodes.forEach((node) => {
        for (const one of node.querySelectorAll?.("[role=alert]") ?? []) seen.push(one.textContent);
    }))).observe(document.querySelector("#games-board"), { childList: true, subtree: true });
    window.said = seen;
}"""


def test_a_refusal_is_announced_once(companion: Companion, pages: Browser) -> None:
    """A screen reader hears it when it comes, not again with every drawing after it."""
    at(companion, "engagements")
    page = seated(pages, locale="en-GB")
    page.evaluate(SAID)
    tap(page, "counter knights-knight-1", "counter knights-knight-2", "counter monks-monk-1", "result:none")
    page.locator("[data-plan=send]").wait_for()
    page.evaluate(OVERTAKEN)
    page.locator(".plan-refused", has_text="has acted this turn").wait_for()
    page.locator("[data-plan='who:knights-knight-1']").wait_for(state="detached")
    assert len(page.evaluate("window.said")) == 1


def offered(page: Any, mark: str) -> list[str]:
    """What can be tapped on the map: hexes, or counters."""
    found: list[str] = page.locator(f"[data-{mark}][role=button]").evaluate_all(
        f"(all) => all.map((one) => one.dataset.{mark}).sort()"
    )
    return found


def test_the_page_offers_what_the_companion_offers_and_nothing_else(companion: Companion, pages: Browser) -> None:
    at(companion, "moves")
    page = seated(pages)
    assert offered(page, "counter") == sorted(companion.offers("knights", {}).fields["own"])
    for name in sorted(companion.offers("knights", {}).fields["own"]):
        page.locator(f"[data-counter={name}]").focus()
        page.keyboard.press("Enter")
        told = companion.offers("knights", {"chosen": [name]}).fields
        until(page, lambda name=name: page.locator(f"[data-plan='who:{name}'][aria-pressed=true]").count())
        assert offered(page, "hex") == sorted(told["steps"])
        tap(page, f"hex {told['steps'][0]}")
        further = companion.offers("knights", {"chosen": [name], "path": told["steps"][:1]}).fields
        page.locator("[data-plan=back]").wait_for()
        assert offered(page, "hex") == sorted({*further["steps"], told["steps"][0]})
        tap(page, "clear")
        page.locator("[data-plan=clear]").wait_for(state="detached")
    assert not pages.complaints


AT_ONCE = """(marks) => {
    for (const mark of marks) document.querySelector(mark)?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
}"""


def test_taps_that_come_faster_than_their_answers_are_all_taken_in_their_order(
    companion: Companion, pages: Browser
) -> None:
    """Each is held against what is offered when its turn comes: the second of two taps on a counter lets it go."""
    at(companion, "engagements")
    page = seated(pages)
    one, two = "[data-counter=knights-knight-1]", "[data-counter=knights-knight-2]"
    page.evaluate(AT_ONCE, [one, two])
    page.locator("[data-plan='who:knights-knight-2'][aria-pressed=true]").wait_for()
    assert page.locator("[data-plan='who:knights-knight-1']").get_attribute("aria-pressed") == "true"
    page.evaluate(AT_ONCE, [one, one, two, "[data-counter=monks-monk-1]"])
    page.get_by_text("force : 2 – 2").wait_for()
    assert page.locator("[data-plan='who:knights-knight-1']").get_attribute("aria-pressed") == "true"
    assert not pages.complaints


def test_a_phase_is_ended_once_however_often_it_is_tapped_before_the_next_is_shown(
    companion: Companion, pages: Browser
) -> None:
    at(companion, "moves")
    page = seated(pages)
    page.evaluate(AT_ONCE, ["[data-do=next]"] * 3)
    page.get_by_text("(combats)").wait_for()
    page.wait_for_timeout(300)
    assert companion.score.state.phase == "engagements"
    assert companion.score.state.people == "knights"
    page.locator("[data-do=next]").click()
    until(page, lambda: companion.score.state.people == "monks")
    assert not pages.complaints


def test_what_is_tapped_in_a_long_choice_stays_in_sight(companion: Companion, pages: Browser) -> None:
    at(companion, "engagements")
    page = seated(pages, width=320, height=640)
    tap(page, "counter knights-knight-1", "counter knights-knight-2", "counter monks-monk-1", "result:both_out")
    page.locator("[data-plan=send]").wait_for()
    assert page.locator("[data-plan='result:both_out'][aria-pressed=true]").bounding_box()["y"] < 640
    assert page.locator(".plan").evaluate("(plan) => plan.scrollTop") > 0
    assert not pages.complaints


def test_what_was_composed_loses_what_an_undo_takes_away(companion: Companion, pages: Browser) -> None:
    """Somebody else takes the last thing back while a way is composed that depends on it."""
    at(companion, "moves", knight_1="0502")
    way = {"path": ["0503", "0504"], "target": "monks-monk-1"}
    companion.tap("knights", "move", {"counter": "knights-knight-1", **way})
    page = seated(pages)
    tap(page, "counter knights-knight-3", "hex 0302")
    page.locator("[data-plan=back]").wait_for()
    companion.command("undo", {})
    page.locator("[data-counter=knights-knight-1][role=button]").wait_for()
    assert page.get_by_text("0202 → 0302").count() == 1, "what does not depend on it stays"
    tap(page, "send")
    until(page, lambda: companion.score.state.moved.keys() == {"knights-knight-3"})
    assert not pages.complaints


def test_a_garrison_is_shown_then_besieged_by_those_chosen(companion: Companion, pages: Browser) -> None:
    """Who stands beside the city is offered below the map; a garrison does not fall back."""
    at(companion, "engagements")
    page = seated(pages)
    tap(page, "counter knights-knight-2", "city monks-city-1", "who:knights-infantry-1")
    assert page.locator("[data-plan='result:defender_back']").count() == 0
    assert page.locator("[data-plan='target:monks-city-1']").inner_text() == "⌂ ville 1 (Moines)"
    tap(page, "result:reveal", "send")
    page.get_by_text("la garnison se révèle").first.wait_for()
    tap(
        page, "counter knights-knight-2", "target:monks-city-1", "who:knights-infantry-1", "result:defender_out", "send"
    )
    until(page, lambda: companion.score.state.cities["monks-city-1"].owner == "knights")
    assert companion.score.state.counters["monks-infantry-2"].out
    assert not pages.complaints


def test_a_charge_is_told_for_each_knight(companion: Companion, pages: Browser) -> None:
    at(companion, "moves", knight_1="0502")
    way = {"path": ["0503", "0504"], "target": "monks-monk-1"}
    companion.tap("knights", "move", {"counter": "knights-knight-1", **way})
    companion.tap("knights", "next", {})
    page = seated(pages)
    tap(page, "counter knights-knight-1", "counter monks-monk-1", "charge:knights-knight-1:front")
    page.get_by_text("force : 5 – 2").wait_for()
    tap(page, "result:none", "send")
    page.locator("#games-log", has_text="(5)").wait_for()
    assert not pages.complaints


def test_a_die_is_read_from_the_tables(companion: Companion, pages: Browser) -> None:
    rows = {str(d): ["none"] * 3 + ["defender_out"] * 3 for d in range(-9, 10)}
    at(companion, "engagements", options={"combat_results": "table"}, tables={"combats": rows})
    page = seated(pages)
    tap(page, "counter knights-knight-1", "counter knights-knight-2", "counter monks-monk-1", "die:4", "send")
    until(page, lambda: companion.score.state.counters["monks-monk-1"].out)
    assert not pages.complaints


def test_a_way_is_chosen_hex_by_hex_and_gone_back_on(companion: Companion, pages: Browser) -> None:
    at(companion, "moves")
    page = seated(pages)
    tap(page, "counter knights-knight-3", "hex 0302", "hex 0402")
    page.get_by_text("0202 → 0302 → 0402 · 2 / 5").wait_for()
    tap(page, "back")
    page.get_by_text("0202 → 0302 · 1 / 5").wait_for()
    page.wait_for_timeout(600)  # whoever taps at the same place at once taps twice by mistake
    tap(page, "hex 0302")
    page.get_by_text("l’une après l’autre").wait_for()
    page.wait_for_timeout(600)
    tap(page, "hex 0302", "hex 0402", "hex 0502")
    assert companion.score.state.counters["knights-knight-3"].place == geometry(read_map(ARENA)).by_name["0202"]
    tap(page, "send")
    until(page, lambda: companion.score.state.moved.get("knights-knight-3"))
    assert companion.score.state.moved["knights-knight-3"].steps == 3
    assert not pages.complaints


def test_a_way_ends_beside_the_enemy_that_it_is_for(companion: Companion, pages: Browser) -> None:
    at(companion, "moves", knight_1="0502")
    page = seated(pages)
    tap(page, "counter knights-knight-1", "hex 0503", "hex 0504", "target:monks-monk-1", "send")
    until(page, lambda: companion.score.state.targets == {"knights-knight-1": "monks-monk-1"})
    assert not pages.complaints


def test_an_escort_is_joined_and_left(companion: Companion, pages: Browser) -> None:
    at(companion, "moves")
    page = seated(pages)
    tap(page, "counter knights-infantry-3", "hex 0202")
    page.get_by_text("Ils y forment une escorte.").wait_for()
    tap(page, "send")
    until(page, lambda: companion.score.state.counters["knights-infantry-3"].escorts == "knights-knight-3")
    for _ in range(2):
        companion.tap("knights", "next", {})
    for _ in range(3):
        companion.tap("monks", "next", {})
    companion.tap("knights", "next", {})
    page.locator("#games-board", has_text="Mois 2 / 4").wait_for()
    page.get_by_text("(mouvements)").wait_for()
    page.locator("[data-counter=knights-knight-3]").focus()
    page.keyboard.press("Enter")
    assert page.locator("[data-plan=leave]").get_attribute("aria-pressed") == "true", "who is escorted moves only so"
    tap(page, "hex 0302", "hex 0402", "send")
    until(page, lambda: not companion.score.state.counters["knights-infantry-3"].escorts)
    assert not pages.complaints


def test_a_way_and_an_attack_are_chosen_by_keys(companion: Companion, pages: Browser) -> None:
    """Whoever goes by keys stays at the hex that was chosen, and what it is now is its name."""
    at(companion, "moves")
    page = seated(pages)
    page.locator("[data-counter=knights-knight-3]").focus()
    page.keyboard.press(" ")
    page.locator("[data-hex='0302'][role=button]").focus()
    page.keyboard.press("Enter")
    page.locator("[data-hex='0302'][aria-label$='pas 1']").wait_for()
    focused = "[document.activeElement.dataset.hex, document.activeElement.getAttribute('aria-label')]"
    assert page.evaluate(focused) == ["0302", "case 0302, plaine, pas 1"]
    page.locator("[data-plan=send]").focus()
    page.keyboard.press("Enter")
    until(page, lambda: companion.score.state.moved)
    assert not pages.complaints


def test_a_garrison_is_composed_of_any_counters(companion: Companion, pages: Browser) -> None:
    at(companion, "garrisons")
    page = seated(pages)
    for key in ("garrison:knight+", "garrison:knight+", "garrison:sorcerer+", "garrison:archer+"):
        tap(page, key)
    page.get_by_text("Dans cette ville : 4 / 4").wait_for()
    assert page.locator("[data-plan='garrison:infantry+']").get_attribute("aria-disabled") == "true"
    tap(page, "garrison:knight−", "send")
    until(page, lambda: companion.score.state.occupied())
    state = companion.score.state
    inside = state.garrison(state.cities["knights-city-1"].place)
    assert inside == ["knights-knight-1", "knights-sorcerer-1", "knights-archer-1"]
    page.locator("[data-pile]").click()
    tap(page, "garrison:archer−", "send")
    until(
        page, lambda: len(companion.score.state.occupied()) == 1 and len(companion.score.state.unplaced("knights")) == 6
    )
    assert not pages.complaints


def test_cities_are_placed_by_tapping_hexes(companion: Companion, pages: Browser) -> None:
    at(companion, "cities")
    page = seated(pages)
    for n, place in enumerate(CITIES["knights"], 1):
        tap(page, f"hex {place}")
        page.locator(f"[data-city=knights-city-{n}]").wait_for()
    by_name = geometry(read_map(ARENA)).by_name
    placed = [city.place for city in companion.score.state.cities.values() if city.people == "knights"]
    assert placed == [by_name[place] for place in CITIES["knights"]]
    assert not pages.complaints


def test_counters_are_placed_by_tapping_hexes(companion: Companion, pages: Browser) -> None:
    at(companion, "rest")
    page = seated(pages)
    page.locator("[data-plan='kind:archer']").wait_for()
    tap(page, "kind:archer", "hex 0504", "kind:knight", "hex 0505", "hex 0506")
    page.wait_for_timeout(600)
    tap(page, "hex 0506")  # taken back
    page.get_by_role("button", name="Les placer (2)").click()
    until(page, lambda: len(companion.score.state.unplaced("knights")) == 6)
    by_name = geometry(read_map(ARENA)).by_name
    mine = [one for one in companion.score.state.counters.values() if one.people == "knights" and one.place >= 0]
    standing = {one.kind: one.place for one in mine}
    assert standing == {"archer": by_name["0504"], "knight": by_name["0505"]}
    assert not pages.complaints


def test_dragons_flame_together_before_they_move(companion: Companion, pages: Browser) -> None:
    at(companion, "moves", "dragons")
    page = seated(pages, "dragons")
    tap(page, "counter dragons-dragon-1", "mode:shoot", "who:dragons-dragon-2", "target:monks-infantry-3")
    tap(page, "result:missed", "send")
    until(page, lambda: companion.score.state.acted == {"dragons-dragon-1", "dragons-dragon-2"})
    tap(page, "counter dragons-dragon-1")
    page.get_by_text("Touchez les cases de son chemin").wait_for()
    assert not pages.complaints


def test_a_serpent_that_won_charges_on(companion: Companion, pages: Browser) -> None:
    stand = {**STAND["monks"], "infantry-3": "0207", "infantry-4": "0407"}
    companion.command("new_match", {"game": "zargo", "players": {"dragons": "Ann", "monks": "Ben"},
                                    "setup": {"map": ARENA, "forces": FORCES, "months": 4,
                                              "continents": {"dragons": [1, 4], "monks": [2, 3]}}})  # fmt: skip
    cities = {"dragons": ("0303", "0304", "0706", "0806"), "monks": ("0803", "0903", "1003", "0904")}
    stands = {"dragons": {"serpent-1": "0202", "dragon-1": "0502", "dragon-2": "0503", "infantry-1": "0402"},
              "monks": {**stand, "infantry-3": "0206", "infantry-4": "0207", "monk-1": "0702", "rider-1": "0802",
                        "infantry-1": "0703", "infantry-2": "0902"}}  # fmt: skip
    for kind in ("city", "garrison", "place"):
        for seat in ("dragons", "monks"):
            if kind == "city":
                for n, place in enumerate(cities[seat], 1):
                    companion.tap(seat, "city", {"city": f"{seat}-city-{n}", "hex": place})
            if kind == "place":
                companion.tap(seat, "place", {"counters": {f"{seat}-{k}": v for k, v in stands[seat].items()}})
            companion.tap(seat, "ready", {})
    companion.tap("dragons", "next", {})
    page = seated(pages, "dragons")
    tap(page, "counter dragons-serpent-1", "hex 0203", "hex 0204", "hex 0205", "target:monks-infantry-3", "send")
    until(page, lambda: companion.score.state.moved)
    companion.tap("dragons", "next", {})
    page.get_by_text("(combats)").wait_for()
    tap(page, "counter dragons-serpent-1", "target:monks-infantry-3", "result:defender_out", "send")
    until(page, lambda: companion.score.state.counters["monks-infantry-3"].out)
    page.locator("[data-counter=monks-infantry-3]").wait_for(state="detached")
    tap(page, "counter dragons-serpent-1", "hex 0206", "target:monks-infantry-4", "send")
    until(page, lambda: not companion.score.state.acted)
    assert companion.score.state.moved["dragons-serpent-1"].steps == 4
    assert not pages.complaints


def test_what_is_composed_has_names_for_all_and_targets_for_fingers(companion: Companion, pages: Browser) -> None:
    """On a phone and a screen, light and dark; beside the map nothing is wider than the page."""
    at(companion, "engagements")
    page = seated(pages)
    tap(page, "counter knights-knight-1", "counter knights-knight-2", "counter monks-monk-1", "result:none")
    page.evaluate(AXE_SCRIPT)
    for theme in ("light", "dark"):
        page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        told = page.evaluate("axe.run('#games-board', {resultTypes: ['violations']}).then((told) => told.violations)")
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in told] == []
    for width in (320, 360, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for button in page.locator(".plan button").all():
            assert button.bounding_box()["height"] >= 44
    page.set_viewport_size({"width": 360, "height": 740})
    for counter in page.locator("[data-counter][role=button]").all():
        box = counter.bounding_box()
        assert min(box["width"], box["height"]) >= 40
    send = page.locator("[data-plan=send]").bounding_box()
    page.locator("[data-counter=knights-knight-3]").scroll_into_view_if_needed()
    assert send["y"] + send["height"] <= 740, "what is composed stays in sight"
    assert not pages.complaints


OVERLAPPING = """() => {
  const boxes = [...document.querySelectorAll("[data-counter] rect, [data-city] rect")].map((rect) => {
    const { left, right, top, bottom } = rect.getBoundingClientRect();
    return { name: rect.parentNode.dataset.counter ?? rect.parentNode.dataset.city, left, right, top, bottom };
  });
  const over = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 0.5
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 0.5;
  return boxes.flatMap((one, n) => boxes.slice(n + 1).filter((other) => over(one, other))
    .map((other) => [one.name, other.name]));
}"""


@pytest.mark.parametrize("inside", [1, 2, 3, 4])
def test_counters_that_share_a_hex_lie_beside_each_other_on_a_phone(
    companion: Companion, pages: Browser, inside: int
) -> None:
    """A garrison of the Monks as they see it, and an escort of the Knights."""
    garrison = ["monks-infantry-1", "monks-infantry-2", "monks-monk-1", "monks-rider-1"][:inside]
    free = iter(("0604", "0802", "1006", "1007", "0807"))
    stand = {name: next(free) for name in ("infantry-3", "infantry-4", "monk-1", "rider-1", "infantry-2")
             if f"monks-{name}" not in garrison}  # fmt: skip
    setup = {"map": ARENA, "forces": FORCES, "months": 4}
    companion.command("new_match", {"game": "zargo", "players": {"knights": "Ann", "monks": "Ben"}, "setup": setup})
    for stage in ("cities", "garrisons", "rest"):
        for seat in ("knights", "monks"):
            if stage == "cities":
                for n, place in enumerate(CITIES[seat], 1):
                    companion.tap(seat, "city", {"city": f"{seat}-city-{n}", "hex": place})
            elif stage == "garrisons" and seat == "monks":
                companion.tap(seat, "garrison", {"city": "monks-city-1", "counters": garrison})
            elif stage == "rest":
                where = stand if seat == "monks" else STAND[seat]
                companion.tap(seat, "place", {"counters": {f"{seat}-{name}": place for name, place in where.items()}})
            companion.tap(seat, "ready", {})
    companion.tap("knights", "next", {})
    companion.tap("knights", "move", {"counter": "knights-infantry-3", "path": ["0202"], "escort": True})
    for _ in range(2):
        companion.tap("knights", "next", {})
    companion.tap("monks", "next", {})
    assert companion.score.state.counters["knights-infantry-3"].escorts == "knights-knight-3"
    page = seated(pages, "monks")
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate(OVERLAPPING) == []
    for target in page.locator(".map-box [role=button]").all():
        box = target.bounding_box()
        assert min(box["width"], box["height"]) >= 24, target.get_attribute("aria-label")
    for name in garrison:
        if inside >= 3:
            page.locator("[data-pile='0605']").click()
            listed = page.locator(f"[data-plan='pile:{name}']")
            assert listed.bounding_box()["height"] >= 44
            listed.click()
        else:
            page.locator(f"[data-counter={name}] rect").click()
        page.locator(f"[data-plan='who:{name}'][aria-pressed=true]").wait_for()
        page.wait_for_timeout(600)  # whoever taps at once taps twice by mistake
        page.locator("[data-plan=clear]").click()
        page.locator("[data-plan=clear]").wait_for(state="detached")
    assert not pages.complaints
