"""Any game of the registry in a terminal: one line an action, by the same engine that the pages use."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from calibration.board import default_board_path, load_board
from companion import amend
from companion.atomic import atomic_text
from companion.config import ConfigError
from companion.export import ImportFileError, from_json, to_json
from companion.games import GAMES
from companion.games.base import Action, Game, IllegalMove, Json, MalformedAction
from companion.games.paleo_sentence import is_sentence, read_sentence
from companion.games.paleo_sheet import sheet_to_json
from companion.games.paleo_state import sheet_from_board
from companion.journal import Entry, utc_now
from companion.play_board import lines_of
from companion.scoreboard import Score, fold, step

LISTS = frozenset({"path", "front", "back", "attackers", "shooters", "counters", "touched", "doors"})
MOST_LISTED = 40  # moves shown at once
HELP = {
    "en": "Type an action, such as: warrior square=a1 value=3 | a number of the list of 'moves' | moves | me SEAT "
    "(what only this seat may see) | board | log | entries | undo | undo NUMBER | correct NUMBER ACTION | options | "
    "quit. Actions are those of the seat in turn; seat=NAME acts for another one. Lists are written a,b,c. What "
    "undoing or correcting an entry would change is shown first; 'accept' does it. Paleo's shots are told as they "
    "are said: flicked 3, touched 5 and 8, through north-east.",
    "fr": "Tapez une action, par exemple : warrior square=a1 value=3 | un numéro de la liste de « moves » | moves | "
    "me SIÈGE (ce que seul ce siège peut voir) | board | log | entries | undo | undo NUMÉRO | correct NUMÉRO ACTION | "
    "options | quit. Une action est celle du siège dont c'est le tour ; seat=NOM agit pour un autre. Les listes "
    "s'écrivent a,b,c. Ce que changerait l'annulation ou la correction d'une entrée passée est montré d'abord ; "
    "« accept » la fait. Les coups de Paleo se disent : joué 3, touché 5 et 8, par nord-est.",
}


class Session:
    """One match at the keyboard. write: where lines go; entries: a kept match to go on with.

    Raises MalformedAction when the set-up is wrong.
    """

    def __init__(self, name: str, setup: Mapping[str, Any], write: Callable[[str], None], language: str = "en",
                 entries: Sequence[Entry] = ()) -> None:  # fmt: skip
        if name not in GAMES:
            raise MalformedAction(f"unknown game {name!r}; expected one of {', '.join(GAMES)}")
        self.game: Game[Any] = GAMES[name]
        self.language = "fr" if language == "fr" else "en"
        self._write = write
        self.entries: list[Entry] = []
        self._scores: list[Score] = []
        if not entries:
            self.game.start(setup)
        for type, data in [(e.type, e.data) for e in entries] or [("match_started", {"game": name, **setup})]:
            self._append(type, data)
        self._listed: list[Action] = []
        self._proposed: tuple[str, Json] | None = None
        self.keep: Callable[[], None] = lambda: None  # called whenever the match has changed

    def _append(self, type: str, data: Json) -> None:
        """One more entry of the match, and the score after it."""
        self.entries.append(Entry(len(self.entries) + 1, type, utc_now(), data))
        plain = type not in ("undo", "correction") and self._scores
        self._scores.append(step(self._scores[-1], self.entries[-1]) if plain else fold(self.entries))

    @property
    def state(self) -> Any:
        return self._scores[-1].state

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
            "undo": self._undo,
            "correct": self._correct,
            "accept": lambda _: self._accept(),
            "entries": lambda _: self._list_entries(),
            "options": lambda _: self._options(),
        }
        try:
            if words[0] in orders:
                orders[words[0]](words[1:])
            elif self.game.name == "paleo" and is_sentence(line):
                self._act(Action("shot_by_hand", read_sentence(self.state, line)))
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
        if self.game.name != "paleo" and "seat" not in data and len(who) == 1:
            data["seat"] = who[0]
        return Action(words[0], data)

    def _act(self, action: Action) -> None:
        type = {"start_round": "round_started"}.get(action.type, action.type)
        error = self.game.legal(self.state, Action(type, action.data))
        if error is not None:
            raise error
        self._proposed = None
        before = {(line["id"], line["en"]) for line in self.game.view(self.state)["log"]}
        self._append(type, dict(action.data))
        self.keep()
        self._listed = []
        for line in self.game.view(self.state)["log"]:
            if (line["id"], line["en"]) not in before:
                self._write(f"  {line[self.language]}")
        question = self.game.view(self.state).get("question")
        if question:
            self._write(f"  ? {question['text'][self.language]} (moves)")
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
        seats = tuple(player["team"] for player in self.game.view(self.state)["players"])
        if len(words) != 1 or words[0] not in seats:
            raise MalformedAction(f"me: expected one of {', '.join(seats)}")
        for line in lines_of(self.game.seen_by(self.state, words[0])):
            self._write(line)

    def _log(self) -> None:
        for line in self.game.view(self.state)["log"]:
            rules = f"  ({', '.join(line['rules'])})" if line["rules"] else ""
            self._write(f"  {line[self.language]}{rules}")

    def _undo(self, words: list[str]) -> None:
        if words:
            self._propose({"of": _number(words[0]), "undo": True})
            return
        if len(self.entries) == 1:
            raise IllegalMove("there is nothing to undo")
        self.entries.pop()
        self._scores.pop()
        self.keep()
        self._listed = []
        self.show()

    def _correct(self, words: list[str]) -> None:
        if len(words) < 2:
            raise MalformedAction("correct: expected the number of an entry and what was really done")
        of = _number(words[0])
        line = " ".join(words[1:])
        if self.game.name == "paleo" and is_sentence(line):
            self._propose({"of": of, "facts": read_sentence(self.state, line)})
            return
        action = self._action(words[1:])
        data = {k: v for k, v in action.data.items() if k != "seat"}
        self._propose({"of": of, "type": action.type, "data": data})

    def _propose(self, told: Json) -> None:
        """Shows what an amendment would change, and keeps it for 'accept'. One keyboard serves all seats."""
        entry = next((e for e in self.entries if e.id == told["of"]), None)
        seat = entry.data.get("seat") if entry is not None else None
        item = amend.proposal(self.entries, told, seat, "table")
        change = amend.difference(self.entries, item, seat)
        for one in change["changes"]:
            self._write(f"  {one['where']}: {one['before']} → {one['after']}")
        for mark, lines in (
            ("-", change["lines"]["gone"]),
            ("+", change["lines"]["new"]),
            ("x", change["dropped_lines"]),
        ):
            for line in lines:
                self._write(f"  {mark} {line[self.language]}")
        self._proposed = item
        self._write("  'accept'?" if self.language == "en" else "  « accept » ?")

    def _accept(self) -> None:
        if self._proposed is None:
            raise IllegalMove("nothing is proposed; type 'undo NUMBER' or 'correct NUMBER ACTION' first")
        self._append(*self._proposed)
        self.keep()
        self._proposed, self._listed = None, []
        self.show()

    def _list_entries(self) -> None:
        for one in reversed(amend.ledger(self.entries, None)):
            said = " ".join(line[self.language] for line in one["lines"])
            self._write(f"{one['id']:3d}  {said or ' '.join(filter(None, (one['seat'], one['type'])))}")

    def _options(self) -> None:
        for option in self.game.options:
            self._write(f"  {option.name} = {' | '.join(option.choices)}  ({option.rule})")
            self._write(f"      {option.why.to_json()[self.language]}")


def _number(text: str) -> int:
    """The number of an entry. Raises MalformedAction."""
    if not text.isdecimal():
        raise MalformedAction(f"found {text!r}, expected the number of an entry; type 'entries'")
    return int(text)


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


def in_terminal(
    name: str, players: str, seed: int, options: list[str], language: str, file: Path | None = None
) -> None:
    """A match at standard input and output, kept in a file where one is named, and gone on with from there.

    Raises ConfigError when the set-up or the file is wrong.
    """
    try:
        kept = from_json(file.read_text(encoding="utf-8")) if file is not None and file.exists() else []
        name = str(kept[0].data.get("game", name)) if kept else name
        session = Session(name, _setup(name, players, seed, options), typer.echo, language, kept)
    except (MalformedAction, ImportFileError) as error:
        raise ConfigError(f"{file}: {error}" if file is not None else str(error)) from None
    if file is not None:
        session.keep = lambda: _kept(file, session)
    play(session, _line)


def _kept(file: Path, session: Session) -> None:
    """Writes the match after every line that changed it, whole or not at all: nothing is lost by pulling a plug."""
    with atomic_text(file) as out:
        out.write(to_json(session.entries))


def _setup(name: str, players: str, seed: int, options: list[str]) -> Json:
    game = GAMES.get(name)
    told = read_players(players, game) if game is not None else None
    if told is None and game is not None and not game.seat_names and name != "paleo":
        told = {f"p{n}": f"P{n}" for n in range(1, game.players[0] + 1)}
    chosen = {name: choice for name, _, choice in (option.partition("=") for option in options)}
    setup: Json = {"players": told or {}, "seed": seed, "options": chosen}
    if name == "paleo":
        setup["options"] = {"kept_by": "taps", **chosen}
        setup["sheet"] = sheet_to_json(sheet_from_board(load_board(default_board_path())))
    return setup


def _line() -> str | None:
    try:
        return input("> " if sys.stdin.isatty() else "")
    except EOFError:
        return None
