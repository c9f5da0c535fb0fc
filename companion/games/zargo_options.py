"""Zargo's Lords' open points (Z18, Z19) as options, each with its default first and the reason."""

from __future__ import annotations

from companion.games.base import Option
from companion.games.setup import option

OPTIONS: tuple[Option, ...] = (
    option(
        "combat_results",
        "told",
        "table",
        rule="Z18",
        en="The four tables are not in the text, so players read their own and tell the result; "
        "with tables typed into the editor the companion reads them.",
        fr="Les quatre tableaux manquent dans le texte : les joueurs lisent les leurs et disent le résultat ; "
        "saisis dans l’éditeur, le compagnon les lit lui-même.",
    ),
    option(
        "zones_while_leaving",
        "free",
        "blocked",
        rule="Z18",
        en="The paragraph breaks off; a counter that begins in a zone may leave it, or it could never move again.",
        fr="Le paragraphe s’interrompt ; un pion qui part d’une zone peut la quitter, sinon il serait bloqué.",
    ),
    option(
        "garrison_size",
        "hidden",
        "shown",
        rule="Z18",
        en="Garrisons lie face down 'so that the enemies do not know how many forces defend' a city; "
        "where stacks are seen on the table anyway, their number can be shown.",
        fr="Les garnisons sont cachées « de façon que les ennemis ne sachent pas combien de forces » défendent la "
        "ville ; si les piles se voient sur la table, leur nombre peut être montré.",
    ),
    option(
        "tie",
        "shared",
        "nobody",
        rule="Z19",
        en="Counters do not matter at the end, so nothing is left to compare at equal cities.",
        fr="Les pions ne comptent pas à la fin : à villes égales il n’y a rien d’autre à comparer.",
    ),
    option(
        "alliances_win_together",
        "no",
        "yes",
        rule="Z19",
        en="The winner is 'he who has the most cities', one people.",
        fr="Le vainqueur est « celui qui a le plus grand nombre de villes » : un seul peuple.",
    ),
    option(
        "eliminated_player",
        "keeps_cities",
        "loses_cities",
        rule="Z19",
        en="Only a conquered city changes hands; a people without counters keeps what nobody has taken.",
        fr="Seule une ville conquise change de main ; un peuple sans pions garde ce qu’on ne lui a pas pris.",
    ),
    option(
        "emptied_city",
        "conquered_at_once",
        "must_be_entered",
        rule="Z19",
        en="To conquer a city one must eliminate its garrison, and nothing more is asked.",
        fr="Pour conquérir une ville il faut éliminer sa garnison ; rien de plus n’est demandé.",
    ),
    option(
        "cities_at_two",
        "four",
        "eight",
        rule="Z19",
        en="Two peoples hold two continents each, but each has only its own four city counters.",
        fr="À deux, chaque peuple a deux continents mais seulement ses quatre pions de ville.",
    ),
    option(
        "month_without_knights",
        "first_people",
        "all_together",
        rule="Z19",
        en="Where nobody plays the Knights, the first people in the fixed order strikes the month.",
        fr="Sans Chevaliers, le premier peuple dans l’ordre fixe biffe le mois.",
    ),
)
