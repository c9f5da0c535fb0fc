"""Players' ratings by openskill (Plackett-Luce), for each game and over all of them; recomputed from the history."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from openskill.models import PlackettLuce

from companion.history import Play, by_one_name

ALL = "all"


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed about one player. ordinal: mean less three deviations, which is what tables are sorted by."""

    name: str
    mu: float
    sigma: float
    plays: int
    wins: int

    @property
    def ordinal(self) -> float:
        return self.mu - 3 * self.sigma


def ratings(history: Iterable[Play]) -> dict[str, dict[str, Rating]]:
    """Ratings by game and name, and under `all` over every game; the same history gives the same ratings."""
    tables: dict[str, dict[str, Rating]] = {ALL: {}}
    for play in by_one_name(history):
        if len({seat.name for seat in play.seats}) == len(play.seats) > 1:
            for table in (tables[ALL], tables.setdefault(play.game, {})):
                _rate(table, play)
    return tables


def _rate(table: dict[str, Rating], play: Play) -> None:
    """Partners, who share a place as winners or by the same points, are rated as a team."""
    model = PlackettLuce()
    fresh = model.rating()
    teams = _teams(play)
    old = [[table.get(n, Rating(n, fresh.mu, fresh.sigma, 0, 0)) for n in names] for names, _, _ in teams]
    rated = model.rate(
        [[model.rating(mu=r.mu, sigma=r.sigma, name=r.name) for r in team] for team in old],
        ranks=[float(place) for _, place, _ in teams],
    )
    for (_, _, won), before, after in zip(teams, old, rated, strict=True):
        for r, new in zip(before, after, strict=True):
            table[r.name] = Rating(r.name, new.mu, new.sigma, r.plays + 1, r.wins + won)


def _teams(play: Play) -> list[tuple[list[str], int, bool]]:
    seats = play.seats
    if play.game == "armadora" and len(seats) == 4:  # A10: opposite players are partners
        pairs = ((seats[0], seats[2]), (seats[1], seats[3]))
        return [([s.name for s in pair], min(s.place for s in pair), pair[0].won) for pair in pairs]
    camps = {s.seat: [one for one in seats if one.seat == s.seat] for s in seats}  # P39: partners at one camp
    return [([s.name for s in camp], camp[0].place, camp[0].won) for camp in camps.values()]


def ranking(table: dict[str, Rating]) -> list[Rating]:
    """Players with the best one first."""
    return sorted(table.values(), key=lambda r: (-r.ordinal, r.name))
