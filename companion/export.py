"""Everything out and in again: the journal as JSON, plays as CSV and in the form that BG Stats takes."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from itertools import pairwise
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from companion.games import GAMES
from companion.history import Play
from companion.journal import Entry

FORMAT = 1
CSV_FIELDS = ("match", "game", "begun", "ended", "minutes", "seat", "player", "points", "place", "won", "reason")
BG_STATS_LINK = "https://app.bgstatsapp.com/createPlay.html?data="
MAX_FILE_BYTES = 200_000_000  # of a file to import: years of evenings
MAX_ENTRIES = 1_000_000  # of one file to import
ID_DIGITS = 19  # of the largest id that a journal has
NAMES_OTHERS = ("undoes", "of")  # fields that name another entry by its id

SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")  # half of a sign beyond 16 bits, which stands alone in no text


class ImportFileError(ValueError):
    """A file that cannot be imported; the message says what was found, expected, and where."""


def to_json(entries: Iterable[Entry]) -> str:
    """The whole journal as one JSON text, entries in order."""
    body = [{"id": e.id, "type": e.type, "time": e.time, "data": e.data} for e in entries]
    return json.dumps({"format": FORMAT, "entries": body}, ensure_ascii=False, indent=1)


def from_json(text: str) -> list[Entry]:
    """The entries of an exported file. Raises ImportFileError; what an undo names is still by the old ids."""
    try:
        body = json.loads(text, parse_constant=_no_number)
        if SURROGATE.search(text):
            json.dumps(body, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise ImportFileError(f"line {error.lineno} is no JSON: {error.msg}; expected an exported file") from None
    except UnicodeEncodeError:
        raise ImportFileError("it holds half a sign (\\ud800 to \\udfff); expected an exported file") from None
    except (ValueError, RecursionError) as error:  # NaN, a number of thousands of digits, brackets thousands deep
        raise ImportFileError(f"it holds what no journal does ({error}); expected an exported file") from None
    if not isinstance(body, dict) or body.get("format") != FORMAT or not isinstance(body.get("entries"), list):
        raise ImportFileError(f"expected an object with format {FORMAT} and a list of entries")
    if len(body["entries"]) > MAX_ENTRIES:
        raise ImportFileError(f"found {len(body['entries'])} entries, expected at most {MAX_ENTRIES}")
    entries = [_entry(item, n) for n, item in enumerate(body["entries"], 1)]
    for n, (one, other) in enumerate(pairwise(entries), 2):
        if other.id <= one.id:
            raise ImportFileError(f"entry {n}: found id {other.id} after {one.id}, expected rising ones")
    return entries


def _no_number(told: str) -> float:
    raise ValueError(f"{told} is no number")


def _entry(item: Any, n: int) -> Entry:
    kinds = {"id": int, "type": str, "time": str, "data": dict}
    if not isinstance(item, dict) or set(item) != set(kinds):
        raise ImportFileError(f"entry {n}: expected the fields {', '.join(kinds)}")
    for name, kind in kinds.items():
        if not isinstance(item[name], kind) or isinstance(item[name], bool):
            raise ImportFileError(f"entry {n}: {name}: found {item[name]!r:.60}, expected {kind.__name__}")
    if not _is_moment(item["time"]):
        expected = "a time with its zone such as 2026-05-01T20:15:00+00:00"
        raise ImportFileError(f"entry {n}: time: found {item['time']!r:.60}, expected {expected}")
    return Entry(item["id"], item["type"], item["time"], item["data"])


def _is_moment(told: str) -> bool:
    """True for a time that says when it was wherever one is; of days without a zone no minutes can be counted."""
    try:
        moment = datetime.fromisoformat(told)
        return moment.tzinfo is not None and moment.astimezone(UTC) == moment
    except (ValueError, OverflowError):  # the last: before the year 1 in Greenwich
        return False


def renumbered(
    entries: Iterable[Entry], last_id: int, known: Mapping[int, int] = MappingProxyType({})
) -> list[tuple[str, dict[str, Any]]]:
    """Entries ready to be appended to a journal that ends with `last_id`: what names others names the new ids.

    known: ids of entries that are not appended, as the journal has them already -> the journal's ids of these.
    """
    entries = list(entries)
    new_ids = {**known, **{e.id: last_id + n for n, e in enumerate(entries, 1)}}
    found = []
    for entry in entries:
        data = dict(entry.data)
        for name in NAMES_OTHERS:
            if isinstance(data.get(name), int) and data[name] in new_ids:
                data[name] = new_ids[data[name]]
        if entry.type == "answer" and isinstance(data.get("question"), str):
            data["question"] = _question(data["question"], new_ids)
        found.append((entry.type, data))
    return found


def known_ids(entries: Iterable[Entry], journal: Iterable[Entry]) -> dict[int, int]:
    """Ids of those entries that a journal has already, of the same moment and with the same data -> its ids of them.

    What they say of others by number does not count: that is another number in each journal.
    """
    there: defaultdict[str, deque[int]] = defaultdict(deque)
    for entry in journal:
        there[_told(entry)].append(entry.id)
    return {e.id: there[told].popleft() for e in entries if there.get(told := _told(e))}


def _told(entry: Entry) -> str:
    """What an entry says, whatever the numbers of others are."""
    numbers = (*NAMES_OTHERS, "question") if entry.type == "answer" else NAMES_OTHERS
    data = {name: value for name, value in entry.data.items() if name not in numbers}
    return json.dumps([entry.type, entry.time, data], sort_keys=True)


def _question(told: str, new_ids: dict[int, int]) -> str:
    number, colon, rest = told.partition(":")
    if number.isdecimal() and len(number) <= ID_DIGITS and int(number) in new_ids:
        return f"{new_ids[int(number)]}{colon}{rest}"
    return told


def plays_csv(history: Iterable[Play], separator: str = ",", language: str = "en") -> str:
    """One line a player and match, with a header. separator: between values, as the reader's spreadsheet has it."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\r\n")
    writer.writerow(CSV_FIELDS)
    for play in history:
        for seat in play.seats:
            row = (play.number, play.game, play.begun, play.ended, play.minutes, seat.seat, seat.name_in(language),
                   seat.points, seat.place, "yes" if seat.won else "no", play.why(language))  # fmt: skip
            writer.writerow([_harmless(cell) for cell in row])
    return out.getvalue()


def _harmless(cell: Any) -> Any:
    """A name that a spreadsheet would take for a formula gets an apostrophe before it."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in "=+-@\t\r" else cell


def bg_stats(play: Play, language: str = "en") -> dict[str, Any]:
    """One play in the form that BG Stats takes by its createPlay link."""
    return {
        "sourceName": "Paleo Companion",
        "sourcePlayId": f"{play.entry}-{play.begun}",
        "playDate": play.begun[:19].replace("T", " "),
        "durationMin": play.minutes,
        "comments": play.why(language),
        "game": {
            "name": GAMES[play.game].title.en,
            "sourceGameId": play.game,
            "highestWins": True,
            "noPoints": False,
        },
        "players": [
            {
                "name": seat.name_in(language),
                "sourcePlayerId": seat.name,
                "score": str(seat.points) if seat.points is not None else "",
                "rank": seat.place,
                "winner": seat.won,
                "role": seat.seat,
            }
            for seat in play.seats
        ],
    }


def bg_stats_link(play: Play, language: str = "en") -> str:
    """The link that opens BG Stats with this play filled in."""
    return BG_STATS_LINK + quote(json.dumps(bg_stats(play, language), ensure_ascii=False, separators=(",", ":")))
