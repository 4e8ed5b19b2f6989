"""Two sources of one machine that disagree: no score of it counts by itself until an official has settled it.

Pure questions with answers as events. The invariant: an agent that begins anew settles nothing, since it forgot; only
an official does, by deciding the game or closing the malfunction, or both sources, by agreeing on a later game.
"""

from server.core.venue import posting
from server.core.venue.events import EntryUndone, Event, FactTaken, MalfunctionClosed
from server.core.venue.review import DISPUTE
from server.core.venue.state import Game, Malfunction, State


def stays_open(found: Malfunction, fact: FactTaken) -> bool:
    """Whether a cleared signal ends nothing: a dispute is over only with a game on which the sources agree."""
    return found.fault == DISPUTE and not fact.body.get("game")


def withdrawn(state: State, fact: FactTaken) -> tuple[Event, ...]:
    """The other source's word came when the game counted already: it is taken out and waits for an official.

    What an official decided stays: the alarm alone tells of it.
    """
    game = state.games.get(str(fact.body.get("game")))
    if fact.body["fault"] != DISPUTE or game is None or game.status != "posted" or game.place is None:
        return ()
    entry = state.entries.get((game.place.tournament, game.entry or 0))
    if entry is None or entry.who != f"agent:{game.agent}" or entry.changed_by is not None:
        return ()
    why = ": ".join(part for part in ("the sources disagree", fact.body.get("detail")) if part)
    undone = EntryUndone(tournament=game.place.tournament, number=entry.number, why=why)
    return (undone, *posting.open_readings(state, game, (why,)))


def settled(state: State, game: Game) -> tuple[Event, ...]:
    """An official has decided the game: what its sources disagreed about is settled."""
    found = posting.open_fault(state, state.machines[game.machine], DISPUTE, game.id)
    return () if found is None else (MalfunctionClosed(malfunction=found, why="an official decided the game"),)
