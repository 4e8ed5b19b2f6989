"""Whose turn it is to declare, and what may be declared: for the captain who is about to (PC7 to PC10, PC20, PC36).

Only reading. Invariant: nothing here shows what a team has not declared; a choice that is said to be free may still
break a rule together with another one, which the declaration itself is held against.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from server.core.rules.state import State
from server.core.rules.teams.league import declares_first, is_over, slots_of
from server.core.rules.teams.lineups_again import open_again
from server.core.rules.teams.lineups_machines import out_of_order
from server.core.rules.teams.lineups_people import no_player_of
from server.core.rules.teams.lineups_rules import broken_by
from server.core.rules.teams.lineups_sheet import Cell, sheet_of
from server.core.rules.teams.rosters import roster_for
from server.core.rules.teams.state import Match


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Who may declare in a round now: `team` (None: nobody), for which `slots`, `again` after a breakdown (PC36).

    `first` and `second` are the order of declaring, `declared` who has. A team that may keep what it has declared
    after a breakdown has its turn, but nothing waits for it.
    """

    round: int
    first: str
    second: str
    declared: tuple[str, ...]
    team: str | None
    slots: tuple[str, ...] = ()
    again: bool = False

    @property
    def complete(self) -> bool:
        """Say whether both teams have declared and no failed machine has to be named anew."""
        return len(self.declared) == 2 and not (self.again and self.team == self.first)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What a team may name in a round: each machine, and by slot each player, with why not (None: he may)."""

    machines: Mapping[str, str | None]
    players: Mapping[str, Mapping[str, str | None]]


def turns(state: State, match: Match, number: int) -> Turn:
    """Give whose turn it is in a round (from 1, one of the match's form): who has yet to declare, else PC36."""
    first = declares_first(match, number)
    order = (first, match.opponent(first))
    declared = tuple(team for team in order if (number, team) in match.lineups)
    team: str | None = None
    slots: tuple[str, ...] = ()
    again = False
    if is_over(match) is None:
        team = next((one for one in order if one not in declared), None)
        slots = tuple(slot.slot for slot in slots_of(state.settings) if slot.round == number) if team else ()
        for one in order:
            reopened = open_again(state, match, number, one)
            if reopened and (team is None or one == first):
                team, slots, again = one, reopened, True
                break
    return Turn(round=number, first=first, second=order[1], declared=declared, team=team, slots=slots, again=again)


def choices(state: State, match: Match, turn: Turn, day: date | None) -> Choices:
    """Give what the team whose turn it is may name on a day: machines where it chooses them, and its players."""
    team = turn.team
    if team is None:
        return Choices(machines={}, players={})
    machines = {name: out_of_order(state, match, name) for name in state.machines} if team == turn.first else {}
    here = {name: why for name, why in machines.items() if why is None or not why.startswith("PC10")}
    members = roster_for(state, match, team, day)
    return Choices(
        machines=here,
        players={slot: {who: _why_not(state, match, turn, slot, who, day) for who in members} for slot in turn.slots},
    )


def _why_not(state: State, match: Match, turn: Turn, slot: str, who: str, day: date | None) -> str | None:
    """Say why a player cannot play a slot for the team whose turn it is, whoever else plays with him."""
    team = turn.team
    if team is None or (problem := no_player_of(state, match, team, who, day)):
        return problem
    form = next(one for one in slots_of(state.settings) if (one.round, one.slot) == (turn.round, slot))
    key = (turn.round, slot)
    sheet = {}
    for other, cell in sheet_of(state, match).items():
        mine = {} if other[0] == turn.round and other[1] in turn.slots else {team: cell.players.get(team, ())}
        players = {**{one: there for one, there in cell.players.items() if one != team}, **mine}
        sheet[other] = replace(cell, players=players, full=cell.full if mine else cell.full - {team})
    before = sheet.get(key, Cell(slot=form, players={}))
    sheet[key] = replace(before, players={**before.players, team: (who,)})
    return broken_by(state, match, sheet, team, (key,))
