"""One score of a stage's table, and how its stage is played: what explanations of positions and of holes share.

Nothing is explained here. Invariant: a Cell says what the result's own row says.
"""

from dataclasses import dataclass
from typing import TypedDict

from server.core.explain.grounds import Grounds
from server.core.rules.results import StageResult
from server.core.rules.state import Game, Stage


class Where(TypedDict):
    """What a line is about."""

    stage: Stage
    who: str
    machine: str
    game: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One score of a stage's table: whose it is, the game that it comes from, its rank and points where it has some.

    `score` is None where a game counts without one: a disqualified player's.
    """

    who: str
    machine: str
    score: int | None
    game: Game
    rank: int | None = None
    points: int | None = None


def kind_of(grounds: Grounds, result: StageResult) -> str:
    """Give how a stage is played: its form's kind, of the first stage the preset's."""
    return result.stage.form.kind if result.stage.form is not None else grounds.preset.first
