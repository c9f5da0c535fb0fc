"""How fast the games are: python -m benchmarks.games [seconds a game]."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from companion.games import GAMES, armadora
from companion.games.base import Action
from companion.journal import Journal
from companion.scoreboard import fold
from tests.companion.random_setups import ALL_GAMES, CAP, random_setup

JOURNAL_EVENTS = 10_000
REPEATS = 20
SLICES = 8
FOLDS = 3


def actions_per_second(name: str, seconds: float) -> float:
    """Random legal play in slices of this process's time, and the best of them: whatever else the machine does counts
    against us, and the best try tells our own speed."""
    best, seed = 0.0, 0
    for _ in range(SLICES):
        actions, spent = 0, 0.0
        while spent < seconds / SLICES:
            played, took = _played(name, seed)
            actions, spent, seed = actions + played, spent + took, seed + 1
        best = max(best, actions / spent)
    return best


def _played(name: str, seed: int) -> tuple[int, float]:
    """One random match: actions, and seconds of this process's time."""
    game, actions = GAMES[name], 0
    state, rng = game.start(random_setup(name, seed)), Random(seed)
    begin = time.process_time()
    for _ in range(CAP[name]):
        action = game.pick(state, rng)
        if action is None:
            break
        state = game.apply(state, action)
        actions += 1
    return actions, time.process_time() - begin


def busiest_armadora() -> Any:
    """The position with most legal actions: the first turn of the advanced game at four, a Goblin with all Warriors."""
    players = {"ann": "Ann", "ben": "Ben", "cid": "Cid", "dan": "Dan"}
    characters = {"ann": "goblin", "ben": "elf", "cid": "mage", "dan": "orc"}
    options = {"rules": "advanced"}
    return armadora.GAME.start({"players": players, "characters": characters, "options": options, "seed": 1})


def milliseconds(work: Callable[[], object]) -> float:
    """The median of some runs."""
    runs = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        work()
        runs.append(1000 * (time.perf_counter() - begin))
    return sorted(runs)[len(runs) // 2]


def legal_of_armadora() -> tuple[int, float, float]:
    """Legal actions of the busiest position, ms to list them all with nothing remembered, ms to check one."""
    from companion.games.armadora_board import free_edges

    state = busiest_armadora()

    def listed() -> list[Action]:
        free_edges.cache_clear()
        return armadora.moves(state, "ann")

    one = Action("palisade", {"seat": "ann", "edge": "d3-e3"})
    return len(listed()), milliseconds(listed), milliseconds(lambda: armadora.legal(state, one))


def replay(folder: Path) -> float:
    """Seconds of this process to read a journal of 10,000 events of many matches and fold it: the best of some runs."""
    journal = Journal(f"sqlite:///{folder / 'journal.sqlite3'}", clock=lambda: "2026-01-01T00:00:00.000+00:00")
    items: list[tuple[str, dict[str, Any]]] = []
    seed = 0
    while len(items) < JOURNAL_EVENTS:
        name = ALL_GAMES[seed % len(ALL_GAMES)]
        setup = {**random_setup(name, seed), "match": seed + 1}
        items.append(("match_started", {"game": name, **setup}))
        state, rng = GAMES[name].start(setup), Random(seed)
        while len(items) < JOURNAL_EVENTS and (action := GAMES[name].pick(state, rng)) is not None:
            items.append((action.type, dict(action.data)))
            state = GAMES[name].apply(state, action)
        seed += 1
    journal.append_all(items)
    runs = []
    for _ in range(FOLDS):
        begin = time.process_time()
        fold(journal.entries_after(0, None))
        runs.append(time.process_time() - begin)
    journal.close()
    return min(runs)


def main() -> None:
    """Prints one line a figure."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    rates = {name: actions_per_second(name, seconds) for name in ALL_GAMES}
    for name, rate in rates.items():
        print(f"{name:12} {rate:9.0f} actions/s")
    print(f"{'all':12} {sum(rates.values()) / len(rates):9.0f} actions/s (equal time for each game)")
    count, listing, checking = legal_of_armadora()
    print(f"Armadöra, {count} legal actions: {listing:.2f} ms to list them, {checking:.3f} ms to check one")
    with tempfile.TemporaryDirectory() as folder:
        print(f"journal of {JOURNAL_EVENTS} events read and folded in {replay(Path(folder)):.2f} s")


if __name__ == "__main__":
    main()
