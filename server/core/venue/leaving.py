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
from server.core.venue.teams import members_of, teams_of


def leave(
    state: State, tournament: Tournament, player: str, why: str, entry: int
) -> tuple[tuple[Event, ...], str | None]:
    """He, or a team, has withdrawn, as this entry says: the events that follow, and the game that was running."""
    gone = {player, *members_of(tournament, player)}
    withdrawn = PlayerWithdrawn(tournament=tournament.id, player=player, why=why, entry=entry)
    left = [
        QueueLeft(machine=machine.id, tournament=tournament.id, player=waiter.player, why="withdrawn")
        for machine in state.machines.values()
        for waiter in machine.queue
        if waiter.tournament == tournament.id and waiter.player in gone
    ]
    events, games = [], []
    places = {state.assigned.get((tournament.id, who)): who for who in sorted(gone)}
    for who in (player, *sorted(gone - {player})):
        if who in places.values():
            off, game = _off_the_machine(state, tournament, who, why)
            events += off
            games += [game] if game is not None else []
    return (withdrawn, *left, *events), games[0] if games else None


def refuse_withdrawn(state: State, tournament: Tournament, players: tuple[str, ...]) -> None:
    """Nobody who has withdrawn, he or his team, is put on a machine or into a line."""
    for player in (name for named in players for name in _with_teams(state, tournament, named)):
        found = state.withdrawn.get((tournament.id, player))
        if found is not None:
            refuse(f"{player} has withdrawn ({found.why}): let him return first")


def _with_teams(state: State, tournament: Tournament, player: str) -> tuple[str, ...]:
    """Somebody, and his team where he is of one only."""
    teams = teams_of(state, tournament.id, player) if tournament.head.get("teams") else frozenset()
    return (player, *(teams - {player})) if len(teams) == 1 else (player,)


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
