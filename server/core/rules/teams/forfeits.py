"""How a match ends: by its end, by a forfeit of the whole or of one game (PC6, PC21 to PC26, PC32).

Invariant: a match that is over takes nothing more but an official's correction.
"""

from datetime import datetime

from server.core.rules.acts import EndMatch, Forfeit
from server.core.rules.state import State


def forfeit(state: State, entry: int, at: datetime | None, act: Forfeit) -> str | None:
    """Take a forfeit. Gives the reason when refused."""
    return f"{state.head.preset.name} has no forfeits"


def end_match(state: State, entry: int, at: datetime | None, act: EndMatch) -> str | None:
    """End a match. Gives the reason when refused."""
    return f"matches of {state.head.preset.name} are not ended by an entry"
