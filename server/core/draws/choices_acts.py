"""What can be said while a round's machines and orders are chosen (T11), and what then has happened.

Commands and events of `choices`; nothing is decided here. Who said it, when and why is recorded around them.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeMachine:
    """A player chooses the machine."""

    who: str
    machine: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TakePosition:
    """A player chooses his place in the order of play, from 1; as first choice he so takes the order."""

    who: str
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Decline:
    """A player passes what he is asked on to the next seed (T11.3)."""

    who: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NameMachine:
    """Officials name a group's machine: nobody chose, or an additional or alternate one (T11.3, T13.12)."""

    group: str
    machine: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NameOrder:
    """Officials set a group's order of play."""

    group: str
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportMachine:
    """A machine is `free` (its group of this round has ended), `out` of order, or back `in`."""

    machine: str
    now: Literal["free", "out", "in"]


Command = TakeMachine | TakePosition | Decline | NameMachine | NameOrder | ReportMachine


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineTaken:
    """A group has its machine: by a player's choice, by officials' word, or (`must`) as the first one free (T11.4)."""

    group: str
    machine: str
    who: str | None
    must: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionTaken:
    """A player has his position; `left_over`: it was the last one, nobody chose."""

    group: str
    who: str
    position: int
    left_over: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Declined:
    """A player has passed on the first choice, the machine, or his position."""

    group: str
    who: str
    what: Literal["first", "machine", "order"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderNamed:
    """Officials have set the order."""

    group: str
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineReported:
    """A machine is free, out, or in."""

    machine: str
    now: Literal["free", "out", "in"]


Event = MachineTaken | PositionTaken | Declined | OrderNamed | MachineReported
