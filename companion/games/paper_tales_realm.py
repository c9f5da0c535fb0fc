"""What a kingdom is worth at any moment (T7, T8, T16): resources, strength, income, each from cards and buildings."""

from __future__ import annotations

from companion.games.paper_tales_cards import CRYSTAL, FOOD, TYPE_OF, WOOD
from companion.games.paper_tales_state import Kingdom, Unit

BASE_INCOME = 2  # T8
STRONG = 3  # Barracks: from this strength on a unit gives a point
FROM_THE_BACK = ("archer", "strategist")
NO_AGE = {"giant_snake", "leviathan"}  # these cannot fight once they have an age


def kind(unit: Unit) -> str:
    """A unit's type."""
    return TYPE_OF[unit.card].key


def resources(kingdom: Kingdom) -> dict[str, int]:
    """T9, T16: wood, food and crystal that units and buildings produce; they are never used up."""
    icons = "".join(_produced(unit) for unit in kingdom.units)
    if "mine" in kingdom.buildings:
        icons += CRYSTAL
    town = kingdom.buildings.get("town", 0)
    icons += "" if not town else WOOD + FOOD + (CRYSTAL if town == 2 else "")
    return {r: icons.count(r) for r in (WOOD, FOOD, CRYSTAL)}


def _produced(unit: Unit) -> str:
    name = kind(unit)
    if name == "adventurer":
        return CRYSTAL * unit.age
    if name == "hunter":
        return FOOD if unit.front else ""
    if name == "leviathan":
        return FOOD * 2 if unit.age else ""
    return TYPE_OF[unit.card].produces


def strength(kingdom: Kingdom, unit: Unit) -> int:
    """T7, T16: one unit's strength, whether or not it may fight where it stands."""
    name, base = kind(unit), TYPE_OF[unit.card].strength
    got = resources(kingdom)
    if name in NO_AGE and unit.age:
        return 0
    if name in ("militiaman", "salamander"):
        return base + unit.age
    if name in ("manticore", "leviathan"):
        return base + 2 * got[FOOD]
    if name == "strategist":
        return base + sum(u.age for u in kingdom.units)
    if name == "ogre":
        return base + income(kingdom)
    return _conditional(name, unit, got, base)


def _conditional(name: str, unit: Unit, got: dict[str, int], base: int) -> int:
    raised = {"cerberus": (got[FOOD], 3), "colossus": (unit.age, 7), "dragon": (got[CRYSTAL], 7)}
    if name in raised and raised[name][0]:
        return raised[name][1]
    return base


def t7_force(kingdom: Kingdom) -> int:
    """T7: the shields of the front, of those who fight from the back, and of the Barracks."""
    fighting = (u for u in kingdom.units if u.front or kind(u) in FROM_THE_BACK)
    force = sum(strength(kingdom, unit) for unit in fighting)
    return force + (resources(kingdom)[WOOD] if "barracks" in kingdom.buildings else 0)


def income(kingdom: Kingdom) -> int:
    """T8: two gold and what buildings and units bring."""
    return BASE_INCOME + sum(gold for _, gold in income_parts(kingdom))


def income_parts(kingdom: Kingdom) -> list[tuple[str, int]]:
    """T8, T16: what each building and unit adds to the income."""
    got = resources(kingdom)
    parts = []
    if "temple" in kingdom.buildings:
        parts.append(("temple", 2))
    if "tavern" in kingdom.buildings:
        parts.append(("tavern", got[FOOD]))
    for unit in kingdom.units:
        gold = {
            "blacksmith": 1,
            "peddler": 1,
            "cook": got[FOOD],
            "master_alchemist": got[WOOD],
            "giant_snake": 3 if unit.age else 0,
        }.get(kind(unit), 0)
        parts.append((unit.card, gold))
    return [part for part in parts if part[1]]


def war_points(kingdom: Kingdom) -> list[tuple[str, int]]:
    """T7, T16: what level-2 buildings give in the war, won or not."""
    got = resources(kingdom)
    strong = sum(1 for unit in kingdom.units if strength(kingdom, unit) >= STRONG)
    given = {"mine": 2 * got[CRYSTAL], "temple": 2, "barracks": strong, "tavern": got[FOOD]}
    return [(b, given[b]) for b, level in kingdom.buildings.items() if level == 2 and given.get(b)]


def points_per_war_won(kingdom: Kingdom) -> list[tuple[str, int]]:
    """T16: points that units give for each war won."""
    got = resources(kingdom)
    given = {"colossus": 1, "commander": 1, "master_alchemist": got[CRYSTAL]}
    return [(u.card, given[kind(u)]) for u in kingdom.units if given.get(kind(u))]


def gold_per_war_won(kingdom: Kingdom) -> int:
    """T16: gold that units give for each war won."""
    return sum(1 for u in kingdom.units if kind(u) == "rogue")
