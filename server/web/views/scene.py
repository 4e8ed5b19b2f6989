"""What a view looks at: the venue's state with the moment, the zone, and what is known only live. Nothing is decided.

The state belongs to the desk's writer and changes under the reader: `copied` takes what is iterated in one step.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar
from zoneinfo import ZoneInfo

from server.core.venue.state import State, Tournament

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveScore:
    """A slot's score as it stands on the machine now; never stored, never counted."""

    player: int
    score: int | None
    accepted: bool = True
    ball: int | None = None
    up: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """An agent's health in the desk's words."""

    name: str
    state: str
    """`online`, `stopped`, `lost` or `never` (not heard since the server began)."""
    heard: int | None = None
    backlog: int = 0
    machines: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Everything a view may look at. `now` is milliseconds since 1970 UTC."""

    state: State
    now: int
    zone: ZoneInfo
    live: Mapping[str, tuple[LiveScore, ...]] = field(default_factory=dict)
    agents: Mapping[str, Agent] = field(default_factory=dict)

    @property
    def tournament(self) -> Tournament | None:
        """The running tournament."""
        current = self.state.current
        return None if current is None else self.state.tournaments.get(current)


def copied(table: Mapping[K, V]) -> list[V]:
    """The values of a table as of now, oldest first."""
    return list(table.values())


def keys(table: Mapping[K, V]) -> list[K]:
    """The keys of a table as of now, oldest first."""
    return list(table)
