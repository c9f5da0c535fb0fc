"""dataclasses.replace for frozen, slotted dataclasses without __post_init__, several times as fast."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

T = TypeVar("T")
_new = object.__new__


@cache
def _slots(kind: type) -> tuple[Callable[[Any], tuple[Any, ...]], tuple[Any, ...], dict[str, Any]]:
    """How a class's fields are read all at once, and each one's setter, which frozen classes do not bar."""
    names: tuple[str, ...] = kind.__slots__  # type: ignore[attr-defined]
    setters = {name: getattr(kind, name).__set__ for name in names}
    read = attrgetter(*names) if len(names) > 1 else lambda value: (getattr(value, names[0]),)
    return read, tuple(setters.values()), setters


def replace(value: T, /, **changes: Any) -> T:
    """A copy of a frozen slotted dataclass with some fields changed. Raises KeyError on an unknown field."""
    kind: Any = type(value)
    read, setters, by_name = _slots(kind)
    twin: T = _new(kind)
    for setter, field in zip(setters, read(value), strict=True):
        setter(twin, field)
    for name, field in changes.items():
        by_name[name](twin, field)
    return twin
