"""Paper Tales' cards: 42 types of units (81 cards) and 5 buildings, as public scans of the cards show them (T16)."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.base import Text

WOOD, FOOD, CRYSTAL = "W", "F", "C"


@dataclass(frozen=True, slots=True)
class UnitType:
    """A type of unit. cost in gold, may be negative; produces: resources while in play; text: what it does."""

    key: str
    name: Text
    cost: int
    strength: int
    copies: int
    produces: str
    text: Text


def _unit(key: str, fr: str, cost: int, strength: int, copies: int, produces: str, does: str, fait: str) -> UnitType:
    name = Text(key.replace("_", " ").capitalize(), fr)
    return UnitType(key, name, cost, strength, copies, produces, Text(does, fait))


_ALL = (
    _unit("adventurer", "Aventurier", 0, 2, 2, "", "A crystal for each age on it.", "Un cristal par âge sur lui."),
    _unit("archer", "Archer", 1, 2, 2, "", "Fights from the back.", "Combat depuis l’arrière."),
    _unit("blacksmith", "Forgeron", 0, 1, 3, "", "Income: 1 gold.", "Revenu : 1 or."),
    _unit("cave_spirit", "Esprit des cavernes", 1, 4, 2, "C", "Revealed: ages once.", "Révélé : prend un âge."),
    _unit("cerberus", "Cerbère", 0, 2, 3, "", "Strength 3 with food.", "Force 3 avec nourriture."),
    _unit("colossus", "Colosse", 2, 1, 1, "", "Strength 7 with an age; 1 point per war won.",
          "Force 7 avec un âge ; 1 point par guerre gagnée."),
    _unit("commander", "Commandant", 2, 4, 2, "", "1 point per war won.", "1 point par guerre gagnée."),
    _unit("cook", "Cuisinier", 0, 1, 2, "", "Income: 1 gold per food.", "Revenu : 1 or par nourriture."),
    _unit("demon", "Démon", 2, 7, 1, "", "Revealed: ages once; loses 3 points dying with exactly one age.",
          "Révélé : prend un âge ; 3 points de moins s’il meurt avec exactement un âge."),
    _unit("dragon", "Dragon", 3, 0, 1, "", "Strength 7 with crystal.", "Force 7 avec cristal."),
    _unit("farmer", "Fermier", 0, 1, 3, "F", "Food.", "Nourriture."),
    _unit("forest_child", "Enfant de la forêt", 1, 1, 3, "WF", "Wood and food.", "Bois et nourriture."),
    _unit("forest_spirit", "Esprit de la forêt", 3, 3, 1, "WWW", "Three wood.", "Trois bois."),
    _unit("giant_snake", "Serpent géant", 1, 4, 1, "", "With an age: strength 0 and 3 gold of income.",
          "Avec un âge : force 0 et 3 or de revenu."),
    _unit("golem", "Golem", 2, 3, 2, "", "Revealed: all level-1 buildings become level 2, free.",
          "Révélé : tous les bâtiments de niveau 1 passent au niveau 2, gratuitement."),
    _unit("grand_architect", "Grand architecte", 1, 1, 1, "", "Building: 1 gold stands for any resource.",
          "Construction : 1 or remplace toute ressource."),
    _unit("hunter", "Chasseur", 0, 2, 2, "", "Food at the front.", "Nourriture à l’avant."),
    _unit("knight", "Chevalier", 1, 4, 3, "", "No effect.", "Sans effet."),
    _unit("kraken", "Kraken", 6, 9, 1, "", "Revealed: 3 points less per level-2 building, every other unit ages; "
          "1 point per age on own dying units.", "Révélé : 3 points de moins par bâtiment de niveau 2, "
          "chaque autre unité prend un âge ; 1 point par âge sur ses unités qui meurent."),
    _unit("landlord", "Propriétaire", 2, 1, 1, "W", "Wood; no land cost.", "Bois ; pas de coût de terrain."),
    _unit("leviathan", "Léviathan", 3, 4, 1, "", "2 strength more per food; with an age it cannot fight, and gives two "
          "food.", "Force +2 par nourriture ; avec un âge ne combat pas et donne deux nourritures."),
    _unit("manticore", "Manticore", 2, 2, 3, "", "2 strength more per food.", "Force +2 par nourriture."),
    _unit("master_alchemist", "Maître alchimiste", 2, 1, 1, "", "Each deployment: one unit ages once per food; "
          "1 point per crystal for each war won; income: 1 gold per wood.", "À chaque déploiement : une unité prend un "
          "âge par nourriture ; 1 point par cristal et par guerre gagnée ; revenu : 1 or par bois."),
    _unit("militiaman", "Milicien", 0, 2, 3, "", "1 strength more per age on it.", "Force +1 par âge sur lui."),
    _unit("miner", "Mineur", 1, 2, 3, "C", "Crystal.", "Cristal."),
    _unit("monkey", "Singe", -1, 1, 2, "", "Gives 1 gold; dying: 1 gold per age on it.",
          "Rapporte 1 or ; en mourant : 1 or par âge sur lui."),
    _unit("mystical_healer", "Guérisseuse mystique", 0, 1, 3, "", "Age: saves one unit with a single age.",
          "Âge : sauve une unité avec un seul âge."),
    _unit("necromancer", "Nécromancien", 1, 4, 1, "", "Revealed: every other unit ages once.",
          "Révélé : chaque autre unité prend un âge."),
    _unit("ogre", "Ogre", 2, 2, 1, "", "1 strength more per gold of this round's income.",
          "Force +1 par or du revenu de ce tour."),
    _unit("palm_reader", "Chiromancienne", 2, 1, 2, "", "1 point per age on own dying units.",
          "1 point par âge sur ses unités qui meurent."),
    _unit("peddler", "Colporteur", 1, 1, 3, "W", "Wood; income: 1 gold.", "Bois ; revenu : 1 or."),
    _unit("relic_of_wisdom", "Relique de sagesse", 2, 0, 1, "", "Never dies; end: 2 points per age on it.",
          "Ne meurt jamais ; fin : 2 points par âge sur elle."),
    _unit("rogue", "Voleur", 1, 3, 2, "", "1 gold per war won.", "1 or par guerre gagnée."),
    _unit("salamander", "Salamandre", 2, 4, 1, "", "1 strength more per age on it; dies only at two.",
          "Force +1 par âge sur elle ; ne meurt qu’à deux."),
    _unit("sculptor", "Sculpteur", 0, 1, 2, "", "3 points when it dies.", "3 points quand il meurt."),
    _unit("shapeshifter", "Métamorphe", 0, 0, 1, "", "Revealed: the first unit of cost 3 or less from the pile takes "
          "its place, free, and ages once.", "Révélé : la première unité de la pioche de coût 3 ou moins prend sa "
          "place, gratuitement, avec un âge."),
    _unit("strategist", "Stratège", 3, 1, 1, "", "Fights from the back; 1 strength more per age in the kingdom.",
          "Combat depuis l’arrière ; force +1 par âge dans le royaume."),
    _unit("time_master", "Maîtresse du temps", 0, 1, 3, "", "Revealed: one own unit ages twice.",
          "Révélée : une de ses unités prend deux âges."),
    _unit("treefolk", "Sylvain", 1, 3, 2, "F", "Food.", "Nourriture."),
    _unit("veteran", "Vétéran", 0, 3, 3, "", "Revealed: ages once.", "Révélé : prend un âge."),
    _unit("wood_merchant", "Marchand de bois", 0, 1, 2, "", "Building: 1 gold stands for wood.",
          "Construction : 1 or remplace un bois."),
    _unit("woodcutter", "Bûcheron", 0, 2, 3, "W", "Wood.", "Bois."),
)  # fmt: skip

UNITS: dict[str, UnitType] = {unit.key: unit for unit in _ALL}
TYPE_OF: dict[str, UnitType] = {
    f"{u.key}-{n}": u for u in _ALL for n in range(1, u.copies + 1)
}  # by card, such as archer-2
CARDS: tuple[str, ...] = tuple(TYPE_OF)


@dataclass(frozen=True, slots=True)
class BuildingType:
    """A building. costs: for level 1 and 2, each a list of ways to pay as (resources, gold)."""

    key: str
    name: Text
    costs: tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]]
    text: Text


BUILDINGS: dict[str, BuildingType] = {
    b.key: b
    for b in (
        BuildingType("mine", Text("Mine", "Mine"), ((("W", 0),), (("WC", 0),)),
                     Text("Crystal. Level 2: war, 2 points per crystal.",
                          "Cristal. Niveau 2 : guerre, 2 points par cristal.")),
        BuildingType("temple", Text("Temple", "Temple"), ((("C", 0), ("", 2)), (("CC", 0), ("", 3))),
                     Text("Income: 2 gold. Level 2: war, 2 points.", "Revenu : 2 or. Niveau 2 : guerre, 2 points.")),
        BuildingType("barracks", Text("Barracks", "Caserne"), ((("W", 0),), (("WF", 0),)),
                     Text("1 strength more per wood. Level 2: war, 1 point per unit of strength 3 or more.",
                          "Force +1 par bois. Niveau 2 : guerre, 1 point par unité de force 3 ou plus.")),
        BuildingType("tavern", Text("Tavern", "Taverne"), ((("F", 0),), (("WF", 0),)),
                     Text("Income: 1 gold per food. Level 2: war, 1 point per food.",
                          "Revenu : 1 or par nourriture. Niveau 2 : guerre, 1 point par nourriture.")),
        BuildingType("town", Text("Town", "Ville"), ((("W", 0),), (("WW", 0),)),
                     Text("Wood and food. Level 2: crystal as well.",
                          "Bois et nourriture. Niveau 2 : cristal en plus.")),
    )
}  # fmt: skip
POINTS = {1: 1, 2: 3}  # T11: a building's points by its level
