"""Deciding about what goes wrong around the facts: lost entries, entries nobody understands, copied cards.

Each opens a desk alarm once, about the agent, and stays until somebody acknowledges and closes it.
"""

from server.core.venue.events import Event, MalfunctionOpened
from server.core.venue.state import State

LOST = "facts-lost"
STRANGE = "facts-not-understood"
FORKED = "stream-forked"
MOVED = "stream-moved"
DOUBLE = "two-computers"


def alarm(state: State, agent: str, fault: str, detail: str) -> tuple[Event, ...]:
    """The alarm, unless the same one is still open for this agent."""
    if any(state.malfunctions[name].fault == fault for name in state.troubled.get(agent, ())):
        return ()
    opened = MalfunctionOpened(
        malfunction=f"f{len(state.malfunctions) + 1}",
        fault=fault,
        source="desk",
        agent=agent,
        detail=detail,
    )
    return (opened,)
