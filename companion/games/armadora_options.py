"""Armadöra's open points (A5, A18-A26) as options, each with its default first and the reason."""

from __future__ import annotations

from companion.games.base import Option
from companion.games.setup import option

OPTIONS: tuple[Option, ...] = (
    option(
        "rules",
        "base",
        "advanced",
        rule="A11",
        en="The base game first; powers and reinforcements are the text's advanced rules.",
        fr="D’abord le jeu de base ; pouvoirs et renforts sont les règles avancées du texte.",
    ),
    option(
        "values",
        "phones",
        "at_end",
        rule="A5",
        en="Values tapped on each player's own phone let the end be counted at once; "
        "where there is one screen they are typed in when all are turned over.",
        fr="Les valeurs saisies sur le téléphone de chacun permettent de compter la fin aussitôt ; "
        "avec un seul écran on les saisit quand tous les Guerriers sont retournés.",
    ),
    option(
        "own_values",
        "visible",
        "remember",
        rule="A5",
        en="The text leaves it to the table; looking again is easier for new players.",
        fr="Le texte laisse la table décider ; revoir ses Guerriers est plus facile pour débuter.",
    ),
    option(
        "full_tie",
        "shared",
        "nobody",
        rule="A18",
        en="Where all piles are equal the rules have nothing left to compare, so the victory is shared.",
        fr="Quand tous les tas sont égaux, les règles n’ont plus rien à comparer : la victoire est partagée.",
    ),
    option(
        "gold_without_warriors",
        "nobody",
        "left_player",
        rule="A19",
        en="A territory without Warriors has no player with the most points, so its gold stays. "
        "The other choice gives it to the last player to have passed.",
        fr="Un territoire sans Guerrier n’a pas de joueur majoritaire : son or reste. "
        "L’autre choix le donne au dernier joueur qui a passé.",
    ),
    option(
        "least_value",
        "zero",
        "none",
        rule="A20",
        en="A Warrior hit by arrows is worth at least 0: nobody's points fall for having come.",
        fr="Un Guerrier touché par des flèches vaut au moins 0 : venir ne fait pas perdre de points.",
    ),
    option(
        "orc_palisade",
        "obeys_four",
        "any_line",
        rule="A21",
        en="The Orc lays 'a palisade', and palisades may not make a territory of fewer than 4 squares.",
        fr="L’Orque pose « une palissade », et une palissade ne crée pas de territoire de moins de 4 cases.",
    ),
    option(
        "empty_turn",
        "forbidden",
        "allowed",
        rule="A22",
        en="A turn is one of the listed actions; who will play none of them passes for good.",
        fr="Un tour est une des actions citées ; qui n’en joue aucune passe définitivement.",
    ),
    option(
        "arrow_on_partner",
        "forbidden",
        "allowed",
        rule="A23",
        en="The arrow hits an enemy Warrior, and a partner is no enemy.",
        fr="La flèche atteint un Guerrier adverse, et un partenaire n’est pas un adversaire.",
    ),
    option(
        "partners_warrior_counts_as_elf",
        "no",
        "yes",
        rule="A23",
        en="'If an Elf is present' means a Warrior of the Elf player.",
        fr="« Si un Elfe est présent » désigne un Guerrier du joueur Elfe.",
    ),
    option(
        "later_starter",
        "next",
        "same",
        rule="A24",
        en="The youngest begins the first game only; taking turns after that is the fairest.",
        fr="Le plus jeune ne commence que la 1re partie ; alterner ensuite est le plus équitable.",
    ),
    option(
        "mines",
        "printed",
        "own",
        rule="A25",
        en="The text's picture is missing; the places are those of the printed board as its owners show it.",
        fr="L’image manque dans le texte ; les emplacements sont ceux du plateau imprimé montré par ses possesseurs.",
    ),
    option(
        "surplus_warrior",
        "stays",
        "one_less_each",
        rule="A26",
        en="Three players own 33 Warriors for 32 free squares: the last one simply stays behind its screen.",
        fr="À trois il y a 33 Guerriers pour 32 cases libres : le dernier reste simplement derrière son paravent.",
    ),
)
