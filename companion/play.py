"""Any game of the registry in a terminal: one line an action, by the same engine that the pages use."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion import amend
from companion.games import GAMES
from companion.games.base import Action, Game, IllegalMove, Json, MalformedAction
from companion.games.paleo_sentence import is_sentence, read_sentence
from companion.games.setup import told_apart
from companion.journal import Entry, utc_now
from companion.play_board import lines_of
from companion.play_words import Words
from companion.scoreboard import Score, fold, step

LISTS = frozenset({"path", "front", "back", "attackers", "shooters", "counters", "touched", "doors"})
PLACES = frozenset({"hex", "path"})  # names of places, also where they look like numbers: 1004
MOST_LISTED = 40  # moves shown at once
APOSTROPHE = re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_])")  # within a word, as in "l'or": no quotation mark
MOST_DIGITS = 18  # of a number that is typed: what a key that is held down makes is longer


class Session:
    """One match at the keyboard. write: where lines go; entries: a kept match to go on with.

    Raises MalformedAction when the set-up is wrong.
    """

    def __init__(self, name: str, setup: Mapping[str, Any], write: Callable[[str], None], language: str = "en",
                 entries: Sequence[Entry] = ()) -> None:  # fmt: skip
        if name not in GAMES:
            raise MalformedAction(
                "unknown game {name!r}; expected one of {expected}", name=name, expected=", ".join(GAMES)
            )
        self.game: Game[Any] = GAMES[name]
        self.words = Words(language, self.game)
        self._write = write
        self.entries: list[Entry] = []
        self._scores: list[Score] = []
        if not entries:
            self.game.start(setup)
            told_apart(setup.get("players"))
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
        self._learn()
        for line in lines_of(self.game.view(self.state), self.words):
            self._write(line)
        who = self._waiting()
        if who:
            self._write(self.words("say.to_act", who=self._seats(who)))

    def _learn(self) -> None:
        """Names what is new to the match; one keyboard serves all seats, so that all may be named."""
        if self.words.french:
            view = self.game.view(self.state)
            seats = [player["team"] for player in view["players"]]
            self.words.learn([view, *(self.game.seen_by(self.state, seat) for seat in seats)])

    def _seats(self, seats: Sequence[str]) -> str:
        return ", ".join(map(self.words.value, seats))

    def _waiting(self) -> tuple[str, ...]:
        if self.game.waiting is not None:
            return self.game.waiting(self.state)
        turn = self.game.view(self.state).get("turn")
        return (turn,) if turn else ()

    def take(self, line: str) -> bool:
        """Does what one line says; False when it says to quit. What is refused is said, and changes nothing."""
        try:
            return self._taken(line)
        except IllegalMove as error:
            self._write(f"! {self.words.refusal(error)}")
            return True

    def _taken(self, line: str) -> bool:
        self._learn()
        if self.game.name == "paleo" and is_sentence(line):
            self._act(Action("shot_by_hand", read_sentence(self.state, line)))
            return True
        words = split(line)
        if not words:
            return True
        order = self.words.order(words[0])
        if order in ("quit", "exit"):
            return False
        orders: dict[str, Callable[[list[str]], None]] = {
            "help": lambda _: self._write(self.words("say.help")),
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
        does = len(words) > 1 and self.words.type_of(words)[0] in self.game.deeds  # "accept with=dragons" is a deed
        if order in orders and not does:
            orders[order](words[1:])
        else:
            self._act(self._action(words))
        return True

    def _action(self, words: list[str]) -> Action:
        if words[0].isdecimal():
            number = _whole(words[0])
            if not 1 <= number <= len(self._listed):
                raise MalformedAction("no move {number} is listed; type 'moves' first", number=number)
            return self._listed[number - 1]
        type, rest = self.words.type_of(words)
        data: Json = {}
        for word in rest:
            name, equals, value = word.partition("=")
            if not equals:
                raise MalformedAction("found {word!r}, expected name=value", word=word)
            field = self.words.field_of(name)
            data[field] = self._value(field, value)
        who = self._waiting()
        if self.game.name != "paleo" and "seat" not in data and len(who) == 1:
            data["seat"] = who[0]
        question = self.game.view(self.state).get("question")
        if type == "answer" and question:
            data.setdefault("question", question["id"])
        return Action(type, data)

    def _value(self, field: str, text: str) -> Any:
        if text[:1] in ("[", "{"):
            return self.words.meant(read_value(field, text))
        return read_value(field, ",".join(self.words.meant(text.split(","))))

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
                self._write(f"  {self._line(line)}")
        question = self.game.view(self.state).get("question")
        if question:
            text = self.words.spoken(question["text"][self.words.language])
            self._write("  " + self.words("say.question", text=text))
        outcome = self.game.outcome(self.state)
        if outcome is None:
            self._write(f"  → {self._seats(self._waiting())}")
        else:
            self._write("== " + self.words.spoken(outcome.reason.to_json()[self.words.language]))

    def _line(self, line: Json) -> str:
        """A line of the log; of a deed that the log has no words for, its name."""
        told = str(line[self.words.language])
        return self.words.deed(told) if told in self.game.deeds else self.words.spoken(told)

    def _list_moves(self) -> None:
        self._listed = [a for seat in self._waiting() for a in self.game.moves(self.state, seat)]
        for n, action in enumerate(self._listed[:MOST_LISTED], 1):
            self._write(f"{n:3d}  {self.described(action)}{self._meaning(action)}")
        more = len(self._listed) - MOST_LISTED
        if more > 0:
            self._write(f"     + {more}")

    def described(self, action: Action) -> str:
        """An action as it can be typed."""
        question = self.game.view(self.state).get("question") or {}
        told = [self.words.deed(action.type)]
        for name, value in action.data.items():
            if not (action.type == "answer" and name == "question" and value == question.get("id")):
                shown = self.words.said(value) if isinstance(value, bool) and self.words.french else None
                told.append(f"{self.words.field(name)}={shown or write_value(self.words.value(value))}")
        return " ".join(told)

    def _meaning(self, action: Action) -> str:
        """What an answer to a question says."""
        choices = (self.game.view(self.state).get("question") or {}).get("choices", ())
        told = [c["text"][self.words.language] for c in choices if c["value"] == action.data.get("choice")]
        return f"  ({told[0]})" if told and action.type == "answer" else ""

    def _me(self, words: list[str]) -> None:
        seats = tuple(player["team"] for player in self.game.view(self.state)["players"])
        seat = self.words.meant(words[0]) if len(words) == 1 else None
        if seat not in seats:
            raise MalformedAction("me: expected one of {expected}", expected=", ".join(seats))
        for line in lines_of(self.game.seen_by(self.state, seat), self.words):
            self._write(line)

    def _log(self) -> None:
        for line in self.game.view(self.state)["log"]:
            rules = f"  ({', '.join(line['rules'])})" if line["rules"] else ""
            self._write(f"  {self._line(line)}{rules}")

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
            self._write(f"  {self._place(one['where'])}: {self._short(one['before'])} → {self._short(one['after'])}")
        for mark, lines in (
            ("-", change["lines"]["gone"]),
            ("+", change["lines"]["new"]),
            ("x", change["dropped_lines"]),
        ):
            for line in lines:
                self._write(f"  {mark} {self._line(line)}")
        self._proposed = item
        self._write("  " + self.words("say.accept"))

    def _place(self, where: str) -> str:
        """Where in a view a value stands."""
        if not self.words.french:
            return where
        return " · ".join(map(self.words.said, where.removeprefix("players.").split("."))) + " "

    def _short(self, value: Any) -> str:
        """A changed value; of several in a row each."""
        if isinstance(value, dict):
            return str(value["fr" if self.words.french else "en"])
        if not self.words.french or not isinstance(value, str):
            return self.words.said(value)
        return ", ".join(map(self.words.said, value.split(", ")))

    def _accept(self) -> None:
        if self._proposed is None:
            raise IllegalMove("nothing is proposed; type 'undo NUMBER' or 'correct NUMBER ACTION' first")
        self._append(*self._proposed)
        self.keep()
        self._proposed, self._listed = None, []
        self.show()

    def _list_entries(self) -> None:
        for one in reversed(amend.ledger(self.entries, None)):
            said = " ".join(map(self._line, one["lines"]))
            who = [self._seats([one["seat"]])] if one["seat"] else []
            self._write(f"{one['id']:3d}  {said or ' '.join([*who, self.words.deed(one['type'])])}")

    def _options(self) -> None:
        for option in self.game.options:
            self._write(f"  {option.name} = {' | '.join(option.choices)}  ({option.rule})")
            if self.words.french:
                choices = " | ".join(self.words.choice(option.name, choice) for choice in option.choices)
                self._write(f"      {self.words.term(option.name)} : {choices}")
            self._write(f"      {option.why.to_json()[self.words.language]}")


def split(line: str) -> list[str]:
    """The words of a line; what is in quotation marks stays together. Raises MalformedAction where one is left open."""
    try:
        return shlex.split(APOSTROPHE.sub("’", line))
    except ValueError:
        raise MalformedAction("a quotation mark or a backslash is left open; close it, or leave it out") from None


def _number(text: str) -> int:
    """The number of an entry. Raises MalformedAction."""
    if not text.isdecimal():
        raise MalformedAction("found {text!r}, expected the number of an entry; type 'entries'", text=text)
    return _whole(text)


def _whole(digits: str) -> int:
    """The number typed; one that nothing has for a row of digits that no number is as long as."""
    return int(digits) if len(digits) <= MOST_DIGITS else 10**MOST_DIGITS


def read_value(name: str, text: str) -> Any:
    """What is typed after name=: JSON where it is some, a list where the field is one, else the text itself."""
    if text in ("-", "null"):
        return [] if name in LISTS else None
    number = text.lstrip("-").isdecimal() and name not in PLACES
    if text[:1] in "[{" or text in ("true", "false") or number:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):  # the last: brackets, as a key that is held down makes them
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
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | bool) else str(value)


def read_players(text: str, game: Game[Any]) -> dict[str, str] | None:
    """Players as ann=Ann,ben=Ben or just Ann,Ben; None where nothing is told. Raises MalformedAction."""
    found: dict[str, str] = {}
    for n, part in enumerate(filter(None, text.split(","))):
        seat, equals, name = part.partition("=")
        if not equals:
            names = game.seat_names
            seat, name = (names[n] if n < len(names) else f"p{n + 1}", part)
        if seat.strip() in found:
            raise MalformedAction("players: seat {seat!r} is named twice", seat=seat)
        found[seat.strip()] = name.strip()
    return found or None


def play(session: Session, read: Callable[[], str | None]) -> None:
    """Shows the match and takes lines until they end or say to quit."""
    session.show()
    while True:
        line = read()
        if line is None or not session.take(line):
            return
