"""The games that the companion keeps: one module and one line here for each."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.games import armadora, paleo, paper_tales, sacrifice, zargo
from companion.games.base import Game
from companion.games.paleo_why import paleo_options

GAMES: dict[str, Game[Any]] = {
    game.name: game
    for game in (
        replace(paleo.GAME, options=paleo_options()),
        armadora.GAME,
        paper_tales.GAME,
        sacrifice.GAME,
        zargo.GAME,
    )
}
