"""A board file's tables as TOML text, in the order and form of the shipped file."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

TOP = ("format", "name", "size")
SINGLE = ("rim", "puck", "reef")
MANY = ("team", "zone", "door", "gate", "obstacle", "marker")


def board_text(tables: Mapping[str, Any], comments: Mapping[str, str] | None = None) -> str:
    """The text of a board file. tables: as tomllib reads one; comments: "table" or "table.field" -> a remark."""
    remarks = comments or {}
    lines = [f"{name} = {value_text(tables[name])}" for name in TOP]
    for name in SINGLE:
        if tables.get(name):
            lines += ["", *table_lines(f"[{name}]", tables[name], name, remarks)]
    for name in MANY:
        for index, table in enumerate(tables.get(name) or ()):
            lines += ["", *table_lines(f"[[{name}]]", table, name, remarks if index == 0 else {})]
    return "\n".join(lines) + "\n"


def table_lines(
    head: str, table: Mapping[str, Any], name: str = "", remarks: Mapping[str, str] = MappingProxyType({})
) -> list[str]:
    """A table with its head, and the remarks that lead to it and to its fields."""
    lines = [f"# {remarks[name]}"] if name in remarks else []
    lines.append(head)
    for key, value in table.items():
        if f"{name}.{key}" in remarks:
            lines.append(f"# {remarks[f'{name}.{key}']}")
        lines.append(f"{key} = {value_text(value)}")
    return lines


def value_text(value: Any) -> str:
    """One value as TOML; texts with their quotes and control characters escaped (TOML 1.0, basic strings)."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return '"' + "".join(_character(c) for c in value) + '"'
    return "[" + ", ".join(value_text(v) for v in value) + "]"


def _character(c: str) -> str:
    if c in '"\\':
        return "\\" + c
    return f"\\u{ord(c):04x}" if ord(c) < 32 or ord(c) == 127 else c
