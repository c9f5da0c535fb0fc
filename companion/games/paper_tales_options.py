"""Paper Tales' open points (T7, T13-T19) as options, each with its default first and the reason."""

from __future__ import annotations

from companion.games.base import Option
from companion.games.setup import option

OPTIONS: tuple[Option, ...] = (
    option(
        "cards",
        "dealt",
        "table",
        rule="T5",
        en="The companion deals on the players' screens; at a table with paper cards players name what they lay down.",
        fr="Le compagnon distribue sur les écrans ; avec les cartes en papier on indique ce que l’on pose.",
    ),
    option(
        "upgrade_cost",
        "right",
        "left",
        rule="T13",
        en="The text says 'left', but the cards print the cost of level 2 on the right.",
        fr="Le texte dit « gauche », mais les cartes impriment le coût du niveau 2 à droite.",
    ),
    option(
        "double_strength",
        "at_least",
        "exactly",
        rule="T14",
        en="More than double is a clearer victory than exactly double, so it counts as well.",
        fr="Plus du double est une victoire plus nette que le double exact : cela compte aussi.",
    ),
    option(
        "fifth_spot",
        "front",
        "either",
        rule="T15",
        en="Level-2 building cards show three spots at the front and two at the back.",
        fr="Les cartes Bâtiment de niveau 2 montrent trois emplacements devant et deux derrière.",
    ),
    option(
        "tie_is_won",
        "yes",
        "no",
        rule="T7",
        en="In a tie both receive the points of a war won, so effects of a war won apply as well.",
        fr="À égalité les deux reçoivent les points d’une guerre gagnée ; les effets de guerre gagnée s’appliquent.",
    ),
    option(
        "tie_after_gold",
        "shared",
        "nobody",
        rule="T17",
        en="Nothing is left to compare after points and gold, so the victory is shared.",
        fr="Après les points et l’or il n’y a plus rien à comparer : la victoire est partagée.",
    ),
    option(
        "most_players",
        "five",
        "more",
        rule="T18",
        en="The text names no number; the box is for two to five, and more need the expansion.",
        fr="Le texte ne dit pas le nombre ; la boîte est pour deux à cinq, au-delà il faut l’extension.",
    ),
    option(
        "double_victory_effects",
        "once",
        "twice",
        rule="T19",
        en="Two victories are spoken of for the points; there is still one opponent and one war.",
        fr="Les deux victoires concernent les points ; il n’y a qu’un adversaire et qu’une guerre.",
    ),
    option(
        "shapeshifters_unit",
        "revealed",
        "silent",
        rule="T16",
        en="The unit that takes the Shapeshifter's place is revealed like any other, so its effect applies.",
        fr="L’unité qui remplace le Métamorphe est révélée comme les autres : son effet s’applique.",
    ),
)
