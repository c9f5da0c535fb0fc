"""A match at standard input and output, in the language of whoever plays, and kept in a file where one is named."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from calibration.board import BoardFileError, default_board_path, load_board
from companion.atomic import OutputError, atomic_text
from companion.config import ConfigError
from companion.export import ImportFileError, from_json, to_json
from companion.games import GAMES
from companion.games.base import GameError, Json
from companion.games.paleo_sheet import sheet_to_json
from companion.games.paleo_state import sheet_from_board
from companion.games.setup import SEED_BITS
from companion.journal import Entry
from companion.play import Session, play, read_players
from companion.play_words import terminal_texts
from companion.terminal import ask
from companion.troubles import trouble_in_french
from companion.words import catalogue, refusal_in_french, typeset

BROKEN = (ValueError, LookupError, TypeError, AttributeError)  # by which entries fail that nobody has played


def in_terminal(
    name: str, players: str, seed: int | None, options: list[str], language: str, file: Path | None = None
) -> None:
    """A match at standard input and output, kept in a file where one is named, and gone on with from there.

    seed: where the chance of a new match comes from; None: another one for each.
    Raises ConfigError when the set-up or the file is wrong, OutputError when the file cannot be written.
    """
    with _told_in(language, file):
        kept = _kept_in(file) if file is not None else []
        its = str(kept[0].data.get("game", name)) if kept else name
        if its != name and its in GAMES and name in GAMES:
            raise ImportFileError(
                f"a match of {its} is kept here, expected one of {name}; name another file, or play that"
            )
        name = its
        chance = secrets.randbits(SEED_BITS) if seed is None else seed
        setup = _setup(name, players, chance, options, language)
        try:
            session: Session | None = Session(name, setup, print, language, kept)
        except BROKEN as error:
            if not kept or isinstance(error, GameError):
                raise
            session = None
        if session is None or session.state is None:
            raise ImportFileError("its entries make no match; expected a match that was kept, or a new name")
    if file is not None:
        session.keep = lambda: _keep(file, session)
    try:
        with _told_in(language):
            play(session, _line)
            sys.stdout.flush()
    except KeyboardInterrupt:
        print(f"\n{terminal_texts()['say.ended'][language]}")


@contextmanager
def _told_in(language: str, file: Path | None = None) -> Iterator[None]:
    """What goes wrong is told in one line, in the language that is spoken; with the file that it was found in."""
    try:
        yield
    except GameError as error:
        told = refusal_in_french(error) if language == "fr" else str(error)
        where = "" if file is None else typeset(f"{file} : ") if language == "fr" else f"{file}: "
        raise ConfigError(f"{where}{told}") from None
    except (ImportFileError, BoardFileError) as error:
        told = f"{file}: {error}" if isinstance(error, ImportFileError) else str(error)
        raise ConfigError(trouble_in_french(told) if language == "fr" else told) from None
    except OutputError as error:
        raise OutputError(trouble_in_french(str(error)) if language == "fr" else str(error)) from None


def _kept_in(file: Path) -> list[Entry]:
    """The entries of a kept match; none where there is no such file yet, or it is no file. Raises ImportFileError."""
    if file.exists() and not (file.is_file() or file.is_dir()):
        return []  # a pipe or a device, which has no end
    try:
        return from_json(file.read_text(encoding="utf-8-sig"))  # editors on Windows put a mark before UTF-8
    except FileNotFoundError:
        return []
    except UnicodeDecodeError:
        why = "this is no text"
    except OSError as error:
        why = f"cannot be read ({error.strerror})"
    raise ImportFileError(f"{why}; expected a match that was kept, or a new name")


def _keep(file: Path, session: Session) -> None:
    """Writes the match after every line that changed it, whole or not at all: nothing is lost by pulling a plug."""
    with atomic_text(file) as out:
        out.write(to_json(session.entries))


def _setup(name: str, players: str, seed: int, options: list[str], language: str) -> Json:
    game = GAMES.get(name)
    told: Mapping[str, str] | None = read_players(players, game) if game is not None else None
    sheet = sheet_from_board(load_board(default_board_path())) if name == "paleo" else None
    if told is None and game is not None:
        names = game.seat_names[: game.players[0]] or (sheet.names if sheet is not None else ())
        letter = terminal_texts()["say.player"][language]
        unnamed = {f"p{n}": f"{letter}{n}" for n in range(1, game.players[0] + 1)}
        told = unnamed if not names else _own_names(names) if language == "fr" else {}
    chosen = {name: choice for name, _, choice in (option.partition("=") for option in options)}
    setup: dict[str, Any] = {"players": told or {}, "seed": seed, "options": chosen}
    if sheet is not None:
        setup["options"] = {"kept_by": "taps", **chosen}
        setup["sheet"] = sheet_to_json(sheet)
    return setup


def _own_names(sides: tuple[str, ...]) -> dict[str, str]:
    """Sides that nobody gave a player's name, by their own French names."""
    return {side: str(catalogue().get(f"team.{side}", {}).get("fr", side)) for side in sides}


def _line() -> str | None:
    return ask("> " if sys.stdin.isatty() else "")
