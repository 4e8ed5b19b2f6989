"""The small values that events and state share: a score of a slot, and the place where a game counts.

The invariant: a score that was not seen for certain is None, never a number.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from server.core.venue.codec import encode

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One slot of a machine: `player` counts from 1; `score` is None where it was not read for certain."""

    player: int
    score: int | None = None
    confidence: float = 1.0
    text: str | None = None
    candidates: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a game counts; the fields are those of a `game` entry of the tournament file."""

    tournament: str
    division: str | None = None
    stage: str | None = None
    group: str | None = None
    match: str | None = None
    round: int | str | None = None
    slot: int | str | None = None
    joker: bool = False
    tiebreak: bool | str = False
    makeup: str | None = None
    format: str | None = None

    def fields(self) -> dict[str, Any]:
        """What a `game` entry carries for it: the fields that are set, without the tournament."""
        return {name: value for name, value in encode(self).items() if name != "tournament"}


def entry_kind(entry: Json) -> str:
    """What kind a log entry is: its first key."""
    return next(iter(entry), "")


def named_games(entry: Json) -> tuple[str, ...]:
    """The games that a log entry speaks of: the one that it records or is about first, then those it names beside."""
    kind = entry_kind(entry)
    about = [entry[kind]] if kind in GAME_KINDS else []
    tied = entry.get("tiebreak")
    named = [*about, entry.get("game"), tied, *(entry.get("games") or ())]
    return tuple(dict.fromkeys(name for name in named if isinstance(name, str)))


GAME_KINDS = frozenset({"game", "correct", "void", "ruling", "challenge"})
"""Entries whose subject is a game."""
