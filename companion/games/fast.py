"""What states are changed by: a replace() several times as fast as that of dataclasses, and mappings less a key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

T = TypeVar("T")
K = TypeVar("K")
_new = object.__new__
_set = object.__setattr__  # which frozen classes do not bar


def replace(value: T, /, **changes: Any) -> T:
    """A copy of a frozen dataclass with some fields changed; it has neither slots nor a __post_init__.

    Raises TypeError on an unknown field.
    """
    old = value.__dict__
    fields = old | changes
    if len(fields) != len(old):
        raise TypeError(f"{type(value).__name__} has no field {', '.join(changes.keys() - old.keys())}")
    twin = _new(type(value))
    _set(twin, "__dict__", fields)
    return twin


def without(mapping: Mapping[K, T], key: K) -> dict[K, T]:
    """A copy of a mapping less one key, which it need not have."""
    rest = dict(mapping)
    rest.pop(key, None)
    return rest
