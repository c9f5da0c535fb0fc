"""Sacrifice's open points (S18, S24-S27) as options, each with its default first and the reason."""

from __future__ import annotations

from companion.games.base import Option
from companion.games.setup import option

OPTIONS: tuple[Option, ...] = (
    option(
        "steps",
        "straight",
        "diagonal_too",
        rule="S24",
        en="The figure of the moves is missing; every worked example of the text counts squares side by side.",
        fr="La figure des déplacements manque ; tous les exemples du texte comptent des cases côte à côte.",
    ),
    option(
        "hyper_neighbours",
        "sides",
        "corners_too",
        rule="S24",
        en="A wall or an enemy blocks the way to the 'directly adjacent' hyper-square, which fits sides, not corners.",
        fr="Un mur ou un ennemi bloque le passage vers l’hyper-case « directement adjacente » : par un côté.",
    ),
    option(
        "wall_contact",
        "touching",
        "side",
        rule="S24",
        en="Three types of contact are allowed and their figures are missing: a wall may lie along the builder's "
        "square or touch its corner; the other choice allows sides only.",
        fr="Trois types de contact sont autorisés et les figures manquent : le mur longe la case du bâtisseur ou en "
        "touche un coin ; l’autre choix n’autorise que les côtés.",
    ),
    option(
        "wall_cost",
        "free",
        "one_point",
        rule="S24",
        en="No cost is named, and a wall may be built even at the end of a movement.",
        fr="Aucun coût n’est cité, et un mur peut être construit même à la fin d’un mouvement.",
    ),
    option(
        "falcon_chain",
        "each_piece",
        "first_piece",
        rule="S18",
        en="'It pays only for climbing onto the other': so it pays for each one in the chain.",
        fr="« Il ne paye que le mouvement pour monter sur l’autre » : il paye donc pour chacun de la chaîne.",
    ),
    option(
        "elevated_pieces",
        "safe",
        "may_be_sacrificed",
        rule="S25",
        en="An elevated piece is frozen and nobody can reach it, so it is out of the game's exchanges.",
        fr="Un personnage élevé est figé et hors d’atteinte : il ne sert plus aux sacrifices.",
    ),
    option(
        "falcon_on_mineral",
        "may_land",
        "may_not_land",
        rule="S26",
        en="A mineral is no character, and characters may end on minerals, so the square counts as empty.",
        fr="Un minéral n’est pas un personnage et l’on peut finir dessus : la case compte comme vide.",
    ),
    option(
        "later_starter",
        "other",
        "same",
        rule="S27",
        en="Nobody says who is player 1; changing after each match is the fairest.",
        fr="Rien ne dit qui est le joueur 1 ; changer à chaque partie est le plus équitable.",
    ),
)
