"""The rules that a tournament is played by: each setting with its value, its clause, and what the director changed.

Only telling. Invariant: every setting of the preset is told, and the values are those that the rules work with.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass

from server.core.explain.clauses import clause
from server.core.rules.setting_values import FOR_ALL
from server.core.rules.settings import BY_DIVISION
from server.core.rules.tournament import Head


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One setting: its value, the preset's own, the clause that it belongs to, and whether the two differ."""

    name: str
    value: object
    preset: object
    rule: str
    changed: bool

    def plain(self) -> dict[str, object]:
        """Give it as what JSON knows."""
        return {item.name: getattr(self, item.name) for item in fields(self)}


def tell_settings(head: Head) -> list[Told]:
    """Give all settings of a tournament, in the order of the preset's file; values are plain, as a file writes them."""
    own = head.preset.read({})
    given = head.written.get("rules")
    overrides: Mapping[str, object] = given if isinstance(given, Mapping) else {}
    return [
        Told(
            name=name,
            value=_value(head.settings, name, overrides.get(name, written)),
            preset=_value(own, name, written),
            rule=clause(head.preset, name, setting=name),
            changed=getattr(head.settings, name) != getattr(own, name),
        )
        for name, written in head.preset.settings.items()
    ]


def show_value(value: object) -> str:
    """Write a setting's value on one line; of a long table of points the beginning and the end."""
    if value is None or value in ("", [], {}):
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        if len(value) <= 10:
            return ", ".join(show_value(item) for item in value)
        head = ", ".join(show_value(item) for item in value[:6])
        return f"{head} ... {show_value(value[-1])} ({len(value)} places)"
    if isinstance(value, Mapping):
        return "; ".join(f"{name} {show_value(item)}" if name else show_value(item) for name, item in value.items())
    return str(value)


def _value(settings: object, name: str, written: object) -> object:
    """Give a value as it was written; tables by division as they hold, since a tournament may add to the preset's."""
    held = getattr(settings, name)
    return _plain(held) if name in BY_DIVISION else _plain(written)


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {
            str(name) if name != FOR_ALL else "all": _plain(item) for name, item in value.items() if item is not None
        }
    if is_dataclass(value) and not isinstance(value, type):
        return _plain({item.name: getattr(value, item.name) for item in fields(value)})
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)
