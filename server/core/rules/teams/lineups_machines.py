"""The machines of a match: which are there, which work, and how many games of a round one may take (PC10, PC36).

Invariant: a machine that was put out of a match takes no game of it that begins after that.
"""

from collections.abc import Collection

from server.core.rules.state import State
from server.core.rules.teams.lineups_sheet import Key, Sheet
from server.core.rules.teams.state import Match

MOST_ON_ONE = 2
"""PC10: games of one round on one machine."""


def out_of_order(state: State, match: Match, name: str) -> str | None:
    """Say why a machine can be named for no game of a match now, None where it can (PC10, PC36)."""
    machine = state.machines.get(name)
    if machine is None:
        return f"there is no machine {name}"
    venue = match.venue
    if machine.head.venue is not None and venue is not None and machine.head.venue != venue:
        return f"PC10: {name} is at {machine.head.venue}, {match.id} is played at {venue}"
    if name in match.barred:
        return f"PC36: {name} is out of {match.id} for good"
    return f"PC36: {name} is {machine.status}" if machine.status in {"down", "closed"} else None


def working(state: State, match: Match) -> tuple[str, ...]:
    """PC10: give the machines of the venue that work and may be played in a match now, in order of the head."""
    venue = match.venue
    here = [name for name, one in state.machines.items() if venue is None or one.head.venue in {venue, None}]
    return tuple(name for name in here if out_of_order(state, match, name) is None)


def overused(state: State, match: Match, sheet: Sheet, changed: Collection[Key]) -> str | None:
    """PC10: say which machine would have too many games of a round, or that a round would have one machine only."""
    if len(working(state, match)) <= 1:
        return None
    for number in sorted({key[0] for key in changed}):
        games = {key: cell.machine for key, cell in sheet.items() if key[0] == number and cell.machine is not None}
        for key, machine in games.items():
            if key in changed and list(games.values()).count(machine) > MOST_ON_ONE:
                return f"PC10: at most {MOST_ON_ONE} games of round {number} on one machine: {machine} has them already"
        slots = state.settings.doubles_games if _doubles(state, number) else state.settings.singles_games
        given_up = sum(1 for key in match.given_up if key[0] == number and key not in games)
        if len(games) > 1 and len(set(games.values())) == 1 and len(games) + given_up >= slots:
            return f"PC10: round {number} is played on two machines at least, not all on {next(iter(games.values()))}"
    return None


def _doubles(state: State, number: int) -> bool:
    return state.settings.round_kinds[number - 1] == "doubles"
