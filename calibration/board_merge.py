"""A changed board written into the text of its file: what was not changed stays as it stands, remarks and all."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from calibration.board_text import MANY, SINGLE, TOP, table_lines, value_text
from calibration.redrawn import Kept

_HEAD = re.compile(r"^\s*\[\[?\s*(?P<name>[A-Za-z0-9_-]+)\s*\]\]?\s*(#.*)?$")


@dataclass(frozen=True, slots=True)
class Piece:
    """The lines of one table, with the remarks before its head; name "" for the top."""

    name: str
    lines: tuple[str, ...]

    def table(self) -> dict[str, Any]:
        """What these lines say. Raises tomllib.TOMLDecodeError where they say nothing by themselves."""
        read = tomllib.loads("\n".join(self.lines))
        if not self.name:
            return read
        found = read[self.name]
        return dict(found[0] if isinstance(found, list) else found)


def merged_text(text: str, tables: Mapping[str, Any]) -> str | None:
    """The file's text with tables as they are now; None where its form does not let itself be mended piece by piece.

    tables: as calibration.drawing makes them from an opened file, those that stood there being Kept.
    """
    pieces = _pieces(text)
    if not _is_whole(text, pieces):
        return None
    counts: dict[str, int] = {}
    out = list(_changed(pieces[0], {**pieces[0].table(), **{key: tables[key] for key in TOP}}))
    last = {piece.name: i for i, piece in enumerate(pieces)}
    for i, piece in enumerate(pieces[1:], 1):
        if piece.name in MANY:
            index = counts[piece.name] = counts.get(piece.name, -1) + 1
            out += _lines_of(piece, _kept_at(tables.get(piece.name), index))
            if last[piece.name] == i:
                out += _new_lines(piece.name, tables)
        else:
            out += _lines_of(piece, tables.get(piece.name)) if piece.name in SINGLE else piece.lines
    for name in (*SINGLE, *MANY):
        if name not in last:
            out += _new_lines(name, tables)
    return "\n".join(out).rstrip("\n") + "\n"


def can_be_merged(text: str) -> bool:
    """True where a board file can be changed table by table, so that its remarks stay."""
    return _is_whole(text, _pieces(text))


def _pieces(text: str) -> list[Piece]:
    """Cut before each table's head, and before the remarks that lead to it."""
    made: list[tuple[str, list[str]]] = [("", [])]
    waiting: list[str] = []
    for line in text.split("\n"):
        head = _HEAD.match(line)
        if head is not None:
            made.append((head["name"], [*waiting, line]))
            waiting = []
        elif not line.strip() or line.lstrip().startswith("#"):
            waiting.append(line)
        else:
            made[-1][1].extend([*waiting, line])
            waiting = []
    made[-1][1].extend(waiting)
    return [Piece(name, tuple(lines)) for name, lines in made]


def _is_whole(text: str, pieces: list[Piece]) -> bool:
    """True where the pieces, each read by itself, say together what the file says."""
    try:
        said = pieces[0].table()
        if any(name in said for name in (*SINGLE, *MANY)):
            return False  # tables without a head of their own
        for piece in pieces[1:]:
            if piece.name in MANY:
                said.setdefault(piece.name, []).append(piece.table())
            else:
                said[piece.name] = piece.table()
    except (tomllib.TOMLDecodeError, KeyError, IndexError, TypeError, ValueError):
        return False
    return said == tomllib.loads(text)


def _kept_at(tables: Any, index: int) -> Kept | None:
    return next((t for t in tables or () if isinstance(t, Kept) and t.index == index), None)


def _lines_of(piece: Piece, new: Mapping[str, Any] | None) -> Iterator[str]:
    """The piece with its table as it is now; nothing where that is gone."""
    if new is not None:
        yield from _changed(piece, new)


def _new_lines(name: str, tables: Mapping[str, Any]) -> Iterator[str]:
    """Tables of a kind that the file did not have."""
    found = tables.get(name)
    if name in SINGLE:
        if found:
            yield from ("", *table_lines(f"[{name}]", found))
        return
    for table in found or ():
        if not isinstance(table, Kept):
            yield from ("", *table_lines(f"[[{name}]]", table))


def _changed(piece: Piece, new: Mapping[str, Any]) -> Iterator[str]:
    """The piece's lines, those of changed fields written anew; remarks stay, even behind a value."""
    old = piece.table()
    if old == new:
        yield from piece.lines
        return
    read = [_field(line) for line in piece.lines]
    if {key for key in read if key} != set(old):  # values over several lines: the table is written anew
        yield from (line for line in piece.lines if not line.strip() or line.lstrip()[0] == "#" or _HEAD.match(line))
        yield from (f"{key} = {value_text(value)}" for key, value in new.items())
        return
    body = max((i for i, line in enumerate(piece.lines) if line.strip()), default=-1)
    for i, (line, key) in enumerate(zip(piece.lines, read, strict=True)):
        if key is None or (key in new and old[key] == new[key]):
            yield line
        elif key in new:
            yield f"{key} = {value_text(new[key])}{_remark(line, key)}"
        if i == body:
            yield from (f"{k} = {value_text(v)}" for k, v in new.items() if k not in old)


def _field(line: str) -> str | None:
    """The field that a line holds as a whole; None for a head, a remark, or a part of a value."""
    if _HEAD.match(line):
        return None
    try:
        read = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return None
    return next(iter(read)) if len(read) == 1 else None


def _remark(line: str, key: str) -> str:
    """What stands behind a value, from its # on."""
    value = tomllib.loads(line)[key]
    for i, c in enumerate(line):
        if c == "#":
            try:
                if tomllib.loads(line[:i]).get(key) == value:
                    return f"  {line[i:]}"
            except tomllib.TOMLDecodeError:
                continue
    return ""
