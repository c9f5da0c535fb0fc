"""Any frozen state as JSON and back, by the types that its dataclasses declare."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from companion.games.base import Json, MalformedAction

T = TypeVar("T")


def dump(value: Any) -> Any:
    """A value of dataclasses, named and other tuples, sets and mappings as JSON; sets are sorted: equals stay equal.

    Raises TypeError where there is anything else in it.
    """
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(k): dump(v) for k, v in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(dump(v) for v in value)
    kind: type = type(value)
    if names := _names(kind):
        return {name: dump(getattr(value, name)) for name in names}
    if isinstance(value, list | tuple):
        return [dump(v) for v in value]
    raise TypeError(f"{kind.__name__} has no JSON form")


def load(kind: type[T], data: Json) -> T:
    """The state that dump() wrote. Raises MalformedAction where a field is missing, unknown or of the wrong kind."""
    return cast(T, _load(kind, data, kind.__name__))


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _load(kind: Any, data: Any, where: str) -> Any:
    if kind is Any:
        return data
    if isinstance(kind, type) and _names(kind):
        return _record(kind, data, where)
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _union(inner, data, where)
    if origin is tuple:
        return _tuple(inner, data, where)
    if origin is frozenset:
        _expect(isinstance(data, list), data, "a list", where)
        return frozenset(_load(inner[0], item, where) for item in data)
    if origin is not None and issubclass(origin, Mapping):
        _expect(isinstance(data, dict), data, "an object", where)
        return {_key(inner[0], k, where): _load(inner[1], v, f"{where}.{k}") for k, v in data.items()}
    if kind is float and isinstance(data, int) and not isinstance(data, bool):
        return data  # JSON has one kind of numbers
    wanted = isinstance(data, kind) and not (kind is int and isinstance(data, bool))
    _expect(wanted, data, kind.__name__, where)
    return data


@cache
def _names(kind: type) -> tuple[str, ...]:
    """The fields of a dataclass or a named tuple; none of anything else."""
    if is_dataclass(kind):
        return tuple(f.name for f in fields(kind))
    return getattr(kind, "_fields", ())


def _record(kind: type, data: Any, where: str) -> Any:
    _expect(isinstance(data, dict), data, "an object", where)
    hints = _hints(kind)
    names = _names(kind)
    _expect(set(data) == set(names), sorted(data), f"the fields {', '.join(names)}", where)
    return kind(**{name: _load(hints[name], data[name], f"{where}.{name}") for name in names})


def _union(inner: tuple[Any, ...], data: Any, where: str) -> Any:
    if data is None and type(None) in inner:
        return None
    kinds = [k for k in inner if k is not type(None)]
    return _load(kinds[0], data, where)


def _tuple(inner: tuple[Any, ...], data: Any, where: str) -> Any:
    _expect(isinstance(data, list), data, "a list", where)
    if len(inner) == 2 and inner[1] is Ellipsis:
        return tuple(_load(inner[0], item, where) for item in data)
    _expect(len(data) == len(inner), data, f"{len(inner)} items", where)
    return tuple(_load(k, item, where) for k, item in zip(inner, data, strict=True))


def _key(kind: Any, key: str, where: str) -> Any:
    if kind is not int:
        return key
    _expect(key.lstrip("-").isdecimal(), key, "a whole number", where)
    return int(key)


def _expect(good: bool, data: Any, wanted: str, where: str) -> None:
    if not good:
        raise MalformedAction(
            "{where}: found {found!r}, expected {wanted}", where=where, found=str(data)[:60], wanted=wanted
        )
