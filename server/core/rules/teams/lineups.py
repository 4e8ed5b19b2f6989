"""Line-ups: who plays which game of a round, declared in turn (PC7 to PC10, PC20, PC21, PC36).

Invariant: what a team has declared stands, but for the games of a machine that failed.
"""

from datetime import datetime

from server.core.rules.acts import DeclareLineup
from server.core.rules.state import State


def declare(state: State, entry: int, at: datetime | None, act: DeclareLineup) -> str | None:
    """Take a line-up, or the part of it that a failed machine opened again. Gives the reason when refused."""
    return f"{state.head.preset.name} has no line-ups"
