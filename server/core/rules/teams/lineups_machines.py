"""The machines of a match: which are there, which work, and how many games of a round one may take (PC10, PC36).

Invariant: a machine that was put out of a match takes no game of it that begins after that.
"""

from collections.abc import Collection
from datetime import datetime

from server.core.rules.state import MachineState, State
from server.core.rules.teams.league import is_over
from server.core.rules.teams.league_players import venue_of
from server.core.rules.teams.lineups_sheet import Key, Sheet
from server.core.rules.teams.state import Match

MOST_ON_ONE = 2
"""PC10: games of one round on one machine."""


def out_of_order(state: State, match: Match, name: str) -> str | None:
    """Say why a machine can be named for no game of a match now, None where it can (PC10, PC36)."""
    machine = state.machines.get(name)
    if machine is None:
        return f"there is no machine {name}"
    venue = venue_of(state, match)
    if machine.head.venue is not None and venue is not None and machine.head.venue != venue:
        return f"PC10: {name} is at {machine.head.venue}, {match.id} is played at {venue}"
    if name in match.barred:
        return f"PC36: {name} is out of {match.id} for good"
    return f"PC36: {name} is {machine.status}" if machine.status in {"down", "closed"} else None


def working(state: State, match: Match) -> tuple[str, ...]:
    """PC10: give the machines of the venue that work and may be played in a match now, in order of the head."""
    return tuple(name for name in state.machines if out_of_order(state, match, name) is None)


def overused(state: State, match: Match, sheet: Sheet, changed: Collection[Key]) -> str | None:
    """PC10: say which machine would have too many games of a round, or that a round would have one machine only."""
    if len(working(state, match)) <= 1:
        return None
    for number in sorted({key[0] for key in changed}):
        games = {key: cell.machine for key, cell in sheet.items() if key[0] == number and cell.machine is not None}
        for key in changed:
            if key[0] == number and list(games.values()).count(games.get(key)) > MOST_ON_ONE:
                return f"PC10: {games[key]} has {MOST_ON_ONE} games of round {number} already: at most {MOST_ON_ONE} a round"
        slots = state.settings.doubles_games if _doubles(state, number) else state.settings.singles_games
        given_up = sum(1 for key in match.given_up if key[0] == number and key not in games)
        if len(games) > 1 and len(set(games.values())) == 1 and len(games) + given_up >= slots:
            return f"PC10: round {number} is played on two machines at least, not all on {next(iter(games.values()))}"
    return None


def put_out(state: State, machine: MachineState, at: datetime | None) -> None:
    """PC36: bar a machine from the matches now going on where it stands, for good."""
    for match in _going_on(state, machine.head.venue):
        match.barred.setdefault(machine.head.id, at)


def _doubles(state: State, number: int) -> bool:
    return state.settings.round_kinds[number - 1] == "doubles"


def _going_on(state: State, venue: str | None) -> list[Match]:
    """Give the matches that are set and not over at a venue; of several weeks set before hand only the current one.

    The current ones are those that have begun and those of the same week, and what was set after all that they have;
    where none has begun, those of the first week.
    """
    there = [
        match
        for match in state.matches.values()
        if is_over(match) is None and (venue is None or venue_of(state, match) in {venue, None})
    ]
    begun = [match for match in there if match.games or match.lineups or match.given_up]
    if not begun:
        weeks = [match.week for match in there if match.week is not None]
        return [match for match in there if match.week is None or match.week == min(weeks)]
    latest = max(_last_entry(match) for match in begun)
    current = {match.week for match in begun if match.week is not None}
    new = [match for match in there if match.entry > latest]
    weeks = [match.week for match in new if match.week is not None]
    if weeks:
        current.add(min(weeks))
    return [
        match for match in there if match in begun or match.week in current or (match in new and match.week is None)
    ]


def _last_entry(match: Match) -> int:
    games = [game.entry for game in match.games]
    return max([*games, *(entry for lineup in match.lineups.values() for entry in lineup.entry.values()), 0])
