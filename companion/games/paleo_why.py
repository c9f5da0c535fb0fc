"""Paleo's options as every game lists them: choices, rule and reason in both languages."""

from __future__ import annotations

from dataclasses import fields

from companion.games.base import Option, Text
from companion.games.paleo_options import PaleoOptions

WHY_FR = {
    "kept_by": "Une caméra dit les coups elle-même ; sans elle les joueurs les saisissent, et rien n’est mesuré.",
    "partners": "Le texte n’a pas de règles à trois et quatre ; les partenaires d’un camp jouent donc à tour de rôle.",
    "keys_needed": "À plus de deux camps, deux clés adverses ouvrent la porte : autant que le texte en veut à deux.",
    "exchange_from": "À plus de deux camps, tout pion capturé peut revenir, quel que soit celui qui le tient.",
    "own_pawn_expelled": "À plus de deux camps, « son adversaire » n’est pas unique ; le suivant prend le pion.",
    "next_begins": "Les règles ne disent pas qui commence une manche suivante ; alterner est le plus équitable.",
    "reefs_kept": "P9 laisse choisir entre les manches, ce que P8 interdirait ; le choix est donc laissé aux joueurs.",
    "new_round": "Une manche se gagne en prenant les deux clés : chaque manche repart avec clés et pions en place.",
    "pushed_shot": "Pousser est interdit (P11) sans pénalité prévue ; la table est prévenue et le jeu continue.",
    "wrong_pawn": "Un pion d’un autre camp a pu être joué par erreur ou d’un commun accord ; la table seule le sait.",
    "moved_by_hand": "Seul le pion joué peut être décollé à la main (P12) ; deux pions déplacés sont signalés.",
    "unstick_by": "Le texte dit l’épaisseur d’un pion ; l’écart d’un diamètre se voit et se joue plus facilement.",
    "touch_tie_ms": "Deux touches trop proches pour une caméra comptent comme « ne peut être déterminé ».",
    "points_to_win": "Les règles jouent en 4 points ; une courte soirée en 2.",
    "camp_judged": "La place du pion avant le coup est ce que les deux joueurs ont vu, et se mesure au plus juste.",
    "camp_edge": "Le centre décide pour un pion sur la ligne, sans demander quelle part doit être dedans.",
    "exchange": "« Peut être échangé » laisse au propriétaire du pion le choix de l’échange et du pion rendu.",
    "door_opens": "La règle parle d’amener un Explorateur sur la porte ; un pion qui glisse dessus n’y est pas amené.",
    "door_pushed_by_enemy": "Un pion poussé dans un Sanctuaire a les mêmes effets (P20) ; la porte se lit de même.",
    "last_pawn_and_door": "Dans un coup, tout compte dans l’ordre du temps : la première victoire finit la manche.",
    "entered_then_expelled": "Un pion ressorti par rebond est entré (P17) et va à son camp ; la suite importe peu.",
    "expelled_mercenary": "Les touches ont eu lieu avant sa sortie, et rien dans les règles ne les annule.",
    "reef_gap": "« La taille d’un pion et demi » se mesure à plat, car on pose les récifs avec des pions à côté.",
    "reefs_in_advanced_camps": "Le texte les permet à deux joueurs ; la figure qui en dirait plus manque.",
    "immunity": "Un pion remis au camp ne pourrait être pris qu’au coup suivant de l’adversaire : "
    "une protection finie avant ne protégerait de rien.",
    "immune_expelled": "« Il ne peut pas être capturé » est pris au mot : expulsé, il revient sur un cercle.",
    "expelled_last_pawn": "P16 dit capturé tout pion expulsé : le dernier finit donc la manche comme un autre.",
    "numberless_pawns": "Sans numéros personne ne distingue les rôles ; chaque pion peut capturer et prendre les clés.",
}


def paleo_options() -> tuple[Option, ...]:
    """P29-P39 and the further open points of Paleo, each with its choices, the default first."""
    return tuple(
        Option(
            field.name,
            tuple(field.metadata.get("choices") or field.metadata["offered"]),
            str(field.metadata["rule"]),
            Text(str(field.metadata["why"]), WHY_FR[field.name]),
        )
        for field in fields(PaleoOptions)
    )
