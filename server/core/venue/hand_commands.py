"""What people can want at a machine without a reader: begin, note, end and type games, report a malfunction.

Data only, as in `commands`. The invariant: nothing here checks or decides.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class StartGame:
    """By hand: the players assigned to the machine begin their game. `of`: the assignment that the person saw."""

    machine: str
    of: str | None = None
    based_on: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteBall:
    """By hand: the scores as they stand after this player's ball, in order of play. `of`: as in `EndGame`."""

    machine: str
    player: int
    ball: int
    scores: tuple[int, ...]
    of: str | None = None
    based_on: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EndGame:
    """By hand: the final scores, in order of play. A game that was not begun begins with it.

    `of` is the assignment or the running game that the person saw: others' scores are never taken for theirs.
    """

    machine: str
    scores: tuple[int, ...]
    of: str | None = None
    based_on: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RetypeGame:
    """By hand: a game that was typed and taken back had these scores."""

    game: str
    scores: tuple[int, ...]
    based_on: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportMalfunction:
    """By hand: something is wrong with a machine. `evidence` is a photo that the server has."""

    machine: str
    fault: str
    note: str | None = None
    evidence: str | None = None
