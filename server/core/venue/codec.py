"""Frozen dataclasses to JSON bodies and back, by registry.

A reader ignores fields it does not know and gives None for kinds it does not know: an old program can read a newer
ledger. What is left out of a body has the field's default. No event class is named here: they register themselves.
"""

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

T = TypeVar("T")
Convert = Callable[[Any], Any]

KINDS: dict[str, type[Any]] = {}


def event(kind: str) -> Callable[[type[T]], type[T]]:
    """Register a frozen dataclass as the event of this kind; the class gets `kind`."""

    def register(cls: type[T]) -> type[T]:
        if kind in KINDS:
            raise ValueError(f"two event classes are called {kind}")
        KINDS[kind] = cls
        return cls

    return register


def encode(value: object) -> Any:  # noqa: ANN401 - JSON
    """The value as plain JSON data; empty fields (None, (), False) that are so by default are left out."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        found = {}
        for field in dataclasses.fields(value):
            inner = getattr(value, field.name)
            if (inner is None or inner is False or inner == ()) and inner == field.default:
                continue
            found[field.name] = encode(inner)
        return found
    if isinstance(value, tuple | list):
        return [encode(inner) for inner in value]
    if isinstance(value, Mapping):
        return {str(key): encode(inner) for key, inner in value.items()}
    return value


def decode(kind: str, body: Mapping[str, Any]) -> Any:  # noqa: ANN401 - one of the registered classes
    """The event of this kind, or None where this program does not know the kind."""
    cls = KINDS.get(kind)
    return None if cls is None else build(cls, body)


def build(cls: type[T], body: Mapping[str, Any]) -> T:
    """A dataclass from its JSON body: unknown fields are ignored, tuples and nested dataclasses are made again."""
    plain, special = _plan(cls)
    values = {name: body[name] for name in plain if name in body}
    for name, convert in special:
        if name in body:
            values[name] = convert(body[name])
    return cls(**values)


_PLANS: dict[type[Any], tuple[tuple[str, ...], tuple[tuple[str, Convert], ...]]] = {}


def _plan(cls: type[Any]) -> tuple[tuple[str, ...], tuple[tuple[str, Convert], ...]]:
    plan = _PLANS.get(cls)
    if plan is None:
        hints = typing.get_type_hints(cls)
        converts = [(field.name, _convert(hints[field.name])) for field in dataclasses.fields(cls)]
        plain = tuple(name for name, convert in converts if convert is None)
        plan = _PLANS[cls] = (plain, tuple((name, convert) for name, convert in converts if convert is not None))
    return plan


def _convert(hint: Any) -> Convert | None:  # noqa: ANN401 - a type, as typing gives it
    origin = typing.get_origin(hint)
    if origin in {typing.Union, types.UnionType}:
        inner = [_convert(part) for part in typing.get_args(hint) if part is not types.NoneType]
        special = next((convert for convert in inner if convert is not None), None)
        return None if special is None else lambda value: None if value is None else special(value)
    if origin is tuple:
        part = _convert(typing.get_args(hint)[0])
        return tuple if part is None else lambda value: tuple(part(item) for item in value)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return lambda value: build(hint, value)
    return None
