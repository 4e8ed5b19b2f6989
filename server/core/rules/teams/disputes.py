"""What teams agree on and what they contest: terms before a match, challenges of a game (PC31, PC33).

Invariant: neither changes a score.
"""

from datetime import datetime

from server.core.rules.acts import AgreeTerms, Challenge
from server.core.rules.state import State


def agree(state: State, entry: int, at: datetime | None, act: AgreeTerms) -> str | None:
    """PC33: take what was agreed before a match. Gives the reason when refused."""
    return f"{state.head.preset.name} leaves no terms to teams"


def challenge(state: State, entry: int, at: datetime | None, act: Challenge) -> str | None:
    """PC31: take a challenge that comes in time. Gives the reason when refused."""
    return f"{state.head.preset.name} has no challenges"
