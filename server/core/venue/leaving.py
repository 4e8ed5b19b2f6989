"""What follows on the floor when a player plays no more: machines, lines and his running game. Pure functions.

The invariant: nothing that he or anybody else has played is changed; what he was playing waits for an official.
"""

from server.core.venue.events import (
    Event,
    GameHeld,
    GameNoted,
    MachineUnassigned,
    PlayerWithdrawn,
    QueueLeft,
)
from server.core.venue.state import State, Tournament
from server.core.venue.stops import refuse


def leave(
    state: State, tournament: Tournament, player: str, why: str, entry: int
) -> tuple[tuple[Event, ...], str | None]:
    """He has withdrawn, as this entry says: the events that follow, and the game that he was in."""
    withdrawn = PlayerWithdrawn(tournament=tournament.id, player=player, why=why, entry=entry)
    left = [
        QueueLeft(machine=machine.id, tournament=tournament.id, player=player, why="withdrawn")
        for machine in state.machines.values()
        if any((w.tournament, w.player) == (tournament.id, player) for w in machine.queue)
    ]
    off, game = _off_the_machine(state, tournament, player, why)
    return (withdrawn, *left, *off), game


def refuse_withdrawn(state: State, tournament: Tournament, players: tuple[str, ...]) -> None:
    """Nobody who has withdrawn is put on a machine or into a line."""
    for player in players:
        found = state.withdrawn.get((tournament.id, player))
        if found is not None:
            refuse(f"{player} has withdrawn ({found.why}): let him return first")


def _off_the_machine(state: State, tournament: Tournament, player: str, why: str) -> tuple[list[Event], str | None]:
    """The machine is free again at once; a game of several goes on, and its scores then wait for an official."""
    machine = state.machines.get(state.assigned.get((tournament.id, player), ""))
    held = machine.assignment if machine is not None else None
    if machine is None or held is None:
        return [], None
    game = state.games.get(machine.game) if machine.game else None
    told = f"{player} withdrew during this game: {why}"
    if game is not None and game.status == "running" and game.assignment == held:
        if len(held.players) > 1:
            return [GameNoted(game=game.id, why=told)], game.id
        freed = MachineUnassigned(machine=machine.id, assignment=held.id, why=told)
        return [GameHeld(game=game.id, why=(told,)), freed], game.id
    return [MachineUnassigned(machine=machine.id, assignment=held.id, why=f"{player} withdrew: {why}")], None
