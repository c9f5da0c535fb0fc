"""Paper Tales' fifth phase (T9, T12, T13, T16): one building or one upgrade, its land and its resources."""

from __future__ import annotations

from itertools import product

from companion.games.base import Action, IllegalMove
from companion.games.fast import replace
from companion.games.paper_tales_cards import BUILDINGS, WOOD
from companion.games.paper_tales_realm import kind, resources
from companion.games.paper_tales_state import Kingdom, PaperTalesState, with_kingdom
from companion.games.setup import known_fields, logged, whole, word

LAND = 2  # T9: gold for each building owned before


def t9_price(state: PaperTalesState, kingdom: Kingdom, building: str, level: int) -> int | None:
    """T9, T13: the least gold that a building or upgrade costs now, land included; None where resources are missing.

    Resources are produced, not spent; a Wood Merchant lets gold stand for wood, a Grand Architect for anything.
    """
    owned = kingdom.buildings.get(building, 0)
    kinds = {kind(unit) for unit in kingdom.units}
    land = 0 if owned or "landlord" in kinds else LAND * len(kingdom.buildings)
    prices = []
    for way in product(*_costs(state, building, owned, level)):
        needed = "".join(resources_ for resources_, _ in way)
        missing = _missing(kingdom, needed, kinds)
        if missing is not None:
            prices.append(land + missing + sum(gold for _, gold in way))
    return min(prices, default=None)


def _costs(state: PaperTalesState, building: str, owned: int, level: int) -> list[tuple[tuple[str, int], ...]]:
    """T9, T13: the costs to be met: level 1's, level 2's or both; each a choice between ways to pay."""
    first, second = BUILDINGS[building].costs
    if owned:
        return [first if state.options["upgrade_cost"] == "left" else second]
    return [first] if level == 1 else [first, second]


def _missing(kingdom: Kingdom, needed: str, kinds: set[str]) -> int | None:
    """The gold that stands for resources that are needed and not produced; None where it may not."""
    got, gold = resources(kingdom), 0
    for resource, produced in got.items():
        short = max(needed.count(resource) - produced, 0)
        if short and "grand_architect" not in kinds and not (resource == WOOD and "wood_merchant" in kinds):
            return None
        gold += short
    return gold


def t9_build(state: PaperTalesState, action: Action, n: int) -> PaperTalesState:
    """T9, T12: one building a round, at level 1 or at once at 2, or one upgrade from 1 to 2, paid now.

    Raises IllegalMove where the seat has built, the level is there, or the kingdom has not what it needs and costs.
    """
    known_fields(action, "building", "level")
    kingdom = state.kingdoms[n]
    if kingdom.done:
        raise IllegalMove("{seat} is done with building this round", "T9", seat=state.seats[n])
    building, level = word(action, "building", BUILDINGS), whole(action, "level", 1, 2)
    owned = kingdom.buildings.get(building, 0)
    if owned >= level:
        raise IllegalMove("{building} stands at level {owned} already", "T9", building=building, owned=owned)
    price = t9_price(state, kingdom, building, level)
    if price is None:
        raise IllegalMove(
            "{building} at level {level} needs resources that the kingdom does not produce",
            "T12",
            building=building,
            level=level,
        )
    if price > kingdom.gold:
        raise IllegalMove(
            "{building} at level {level} costs {price} gold; there is {gold}",
            "T12",
            building=building,
            level=level,
            price=price,
            gold=kingdom.gold,
        )
    kingdom = replace(kingdom, gold=kingdom.gold - price, buildings={**kingdom.buildings, building: level}, done=True)
    name, who = BUILDINGS[building].name, state.names[n]
    log = logged(
        state.log, action.id, f"{who}: {name.en}, level {level}, for {price} gold.",
        f"{who} : {name.fr}, niveau {level}, pour {price} or.", "T9",
    )  # fmt: skip
    return with_kingdom(replace(state, log=log), n, kingdom)
