"""Who sits at which camp of Paleo (P1, P39): one player or partners, and whose turn it is among them."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.base import MalformedAction, all_of, counted
from companion.games.paleo_state import PaleoState
from companion.games.paleo_words import team_text

MOST_AT_A_CAMP = 2  # P1: at most four players, two at each of two camps
MAX_NAME = 60  # letters; longer names break every screen


def read_members(players: object, teams: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """P1, P39: each camp's players by name, the camp's own name where none is told.

    players: {team: a name, or a list of partners' names}. With more than two camps everybody plays alone.
    Raises MalformedAction.
    """
    if not isinstance(players, Mapping):
        raise MalformedAction(
            "players: found {players!r}, expected a name for each of {expected}",
            "P1",
            players=players,
            expected=", ".join(teams),
        )
    most = MOST_AT_A_CAMP if len(teams) == 2 else 1
    found = {}
    for team, told in players.items():
        if team not in teams:
            raise MalformedAction("players: found team {team!r}, expected {all}", "P1", team=team, all=all_of(teams))
        names = told if isinstance(told, list | tuple) else (told,)
        if not 1 <= len(names) <= most:
            raise MalformedAction(
                "players: found {found} for {team}, expected 1 to {most}",
                "P39",
                found=counted(len(names), ("name", "names"), ("nom", "noms")),
                team=team,
                most=most,
            )
        for name in names:
            if not isinstance(name, str) or not name.strip() or len(name) > MAX_NAME:
                raise MalformedAction("players: found {name!r} for {team}, expected a name", "P1", name=name, team=team)
        found[team] = tuple(str(name).strip() for name in names)
    return {team: found.get(team, (team_text(team).en,)) for team in teams}


def p39_plays(state: PaleoState, team: str) -> tuple[str, ...]:
    """P39, house rule: who of a camp's players flicks next: partners by turns, or either of them."""
    members = state.members.get(team) or (state.players[team],)
    if len(members) == 1 or state.options.partners == "either":
        return members
    return (members[state.played.get(team, 0) % len(members)],)
