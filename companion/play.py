"""Any game of the registry in a terminal: one line an action, by the same engine that the pages use."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Mapping
from typing import Any

import typer

from calibration.board import default_board_path, load_board
from companion.config import ConfigError
from companion.games import GAMES
from companion.games.base import Action, Game, IllegalMove, Json, MalformedAction
from companion.games.paleo_sheet import sheet_to_json
from companion.games.paleo_state import sheet_from_board
from companion.play_board import lines_of

LISTS = frozenset({"path", "front", "back", "attackers", "shooters", "counters", "touched", "doors"})
MOST_LISTED = 40  # moves shown at once
HELP = {
    "en": "Type an action, such as: warrior square=a1 value=3 | a number of the list of 'moves' | moves | me SEAT "
    "(what only this seat may see) | board | log | undo | options | quit. Actions are those of the seat in turn; "
    "seat=NAME acts for another one. Lists are written a,b,c.",
    "fr": "Tapez une action, par exemple : warrior square=a1 value=3 | un numéro de la liste de « moves » | moves | "
    "me SIÈGE (ce que seul ce siège peut voir) | board | log | undo | options | quit. Une action est celle du siège "
    "dont c'est le tour ; seat=NOM agit pour un autre. Les listes s'écrivent a,b,c.",
}


class Session:
    """One match at the keyboard. write: where lines go. Raises MalformedAction when the set-up is wrong."""

    def __init__(self, name: str, setup: Mapping[str, Any], write: Callable[[str], None], language: str = "en") -> None:
        if name not in GAMES:
            raise MalformedAction(f"unknown game {name!r}; expected one of {', '.join(GAMES)}")
        self.game: Game[Any] = GAMES[name]
        self.language = "fr" if language == "fr" else "en"
        self._setup = dict(setup)
        self._write = write
        self._states = [self.game.start(setup)]
        self._listed: list[Action] = []

    @property
    def state(self) -> Any:
        return self._states[-1]

    def show(self) -> None:
        """Writes the board, and who is to act."""
        for line in lines_of(self.game.view(self.state)):
            self._write(line)
        who = self._waiting()
        if who:
            self._write(("To act: " if self.language == "en" else "À jouer : ") + ", ".join(who))

    def _waiting(self) -> tuple[str, ...]:
        if self.game.waiting is not None:
            return self.game.waiting(self.state)
        turn = self.game.view(self.state).get("turn")
        return (turn,) if turn else ()

    def take(self, line: str) -> bool:
        """Does what one line says; False when it says to quit. What is refused is said, and changes nothing."""
        try:
            words = shlex.split(line)
        except ValueError as error:
            self._write(f"! {error}")
            return True
        if not words:
            return True
        if words[0] in ("quit", "exit"):
            return False
        orders: dict[str, Callable[[list[str]], None]] = {
            "help": lambda _: self._write(HELP[self.language]),
            "moves": lambda _: self._list_moves(),
            "me": self._me,
            "board": lambda _: self.show(),
            "log": lambda _: self._log(),
            "undo": lambda _: self._undo(),
            "options": lambda _: self._options(),
        }
        try:
            if words[0] in orders:
                orders[words[0]](words[1:])
            else:
                self._act(self._action(words))
        except IllegalMove as error:
            self._write(f"! {error}")
        return True

    def _action(self, words: list[str]) -> Action:
        if words[0].isdecimal():
            number = int(words[0])
            if not 1 <= number <= len(self._listed):
                raise MalformedAction(f"no move {number} is listed; type 'moves' first")
            return self._listed[number - 1]
        data: Json = {}
        for word in words[1:]:
            name, equals, value = word.partition("=")
            if not equals:
                raise MalformedAction(f"found {word!r}, expected name=value")
            data[name] = read_value(name, value)
        who = self._waiting()
        if self.game.waiting is not None and "seat" not in data and len(who) == 1:
            data["seat"] = who[0]
        return Action(words[0], data, len(self._states))

    def _act(self, action: Action) -> None:
        before = len(self.game.view(self.state)["log"])
        self._states.append(self.game.apply(self.state, action))
        self._listed = []
        log = self.game.view(self.state)["log"]
        for line in log[before:] if len(log) > before else log[-1:]:
            self._write(f"  {line[self.language]}")
        outcome = self.game.outcome(self.state)
        if outcome is None:
            who = self._waiting()
            self._write("  → " + ", ".join(who))
        else:
            self._write("== " + outcome.reason.to_json()[self.language])

    def _list_moves(self) -> None:
        self._listed = [a for seat in self._waiting() for a in self.game.moves(self.state, seat)]
        for n, action in enumerate(self._listed[:MOST_LISTED], 1):
            told = " ".join(f"{k}={write_value(v)}" for k, v in action.data.items())
            self._write(f"{n:3d}  {action.type} {told}")
        more = len(self._listed) - MOST_LISTED
        if more > 0:
            self._write(f"     + {more}")

    def _me(self, words: list[str]) -> None:
        seats = tuple(getattr(self.state, "seats", ()))
        if len(words) != 1 or words[0] not in seats:
            raise MalformedAction(f"me: expected one of {', '.join(seats)}")
        for line in lines_of(self.game.seen_by(self.state, words[0])):
            self._write(line)

    def _log(self) -> None:
        for line in self.game.view(self.state)["log"]:
            rules = f"  ({', '.join(line['rules'])})" if line["rules"] else ""
            self._write(f"  {line[self.language]}{rules}")

    def _undo(self) -> None:
        if len(self._states) == 1:
            raise IllegalMove("there is nothing to undo")
        self._states.pop()
        self._listed = []
        self.show()

    def _options(self) -> None:
        for option in self.game.options:
            self._write(f"  {option.name} = {' | '.join(option.choices)}  ({option.rule})")
            self._write(f"      {option.why.to_json()[self.language]}")


def read_value(name: str, text: str) -> Any:
    """What is typed after name=: JSON where it is some, a list where the field is one, else the text itself."""
    if text in ("-", "null"):
        return [] if name in LISTS else None
    if text[:1] in "[{" or text in ("true", "false") or text.lstrip("-").isdecimal():
        try:
            value = json.loads(text)
        except json.JSONDecodeError:
            value = text  # such as a hex 0404, which is no JSON number
        if not (isinstance(value, int) and text.lstrip("-").startswith("0") and len(text) > 1):
            return [value] if name in LISTS and not isinstance(value, list | dict) else value
    if name in LISTS:
        return [part for part in text.split(",") if part]
    return text


def write_value(value: Any) -> str:
    """A value as read_value() reads it."""
    if isinstance(value, list | tuple):
        return ",".join(map(str, value)) or "-"
    if value is None:
        return "-"
    return json.dumps(value) if isinstance(value, dict | bool) else str(value)


def read_players(text: str, game: Game[Any]) -> dict[str, str] | None:
    """Players as ann=Ann,ben=Ben or just Ann,Ben; None where nothing is told. Raises MalformedAction."""
    found: dict[str, str] = {}
    for n, part in enumerate(filter(None, text.split(","))):
        seat, equals, name = part.partition("=")
        if not equals:
            names = game.seat_names
            seat, name = (names[n] if n < len(names) else f"p{n + 1}", part)
        if seat.strip() in found:
            raise MalformedAction(f"players: seat {seat!r} is named twice")
        found[seat.strip()] = name.strip()
    return found or None


def play(session: Session, read: Callable[[], str | None]) -> None:
    """Shows the match and takes lines until they end or say to quit."""
    session.show()
    while True:
        line = read()
        if line is None or not session.take(line):
            return


def in_terminal(name: str, players: str, seed: int, options: list[str], language: str) -> None:
    """A match at standard input and output. Raises ConfigError when the set-up is wrong."""
    try:
        session = Session(name, _setup(name, players, seed, options), typer.echo, language)
    except MalformedAction as error:
        raise ConfigError(str(error)) from None
    play(session, _line)


def _setup(name: str, players: str, seed: int, options: list[str]) -> Json:
    game = GAMES.get(name)
    told = read_players(players, game) if game is not None else None
    if told is None and game is not None and not game.seat_names and name != "paleo":
        told = {f"p{n}": f"P{n}" for n in range(1, game.players[0] + 1)}
    chosen = {name: choice for name, _, choice in (option.partition("=") for option in options)}
    setup: Json = {"players": told or {}, "seed": seed, "options": chosen}
    if name == "paleo":
        setup["sheet"] = sheet_to_json(sheet_from_board(load_board(default_board_path())))
    return setup


def _line() -> str | None:
    try:
        return input("> " if sys.stdin.isatty() else "")
    except EOFError:
        return None
