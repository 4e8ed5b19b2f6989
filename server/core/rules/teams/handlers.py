"""Who takes an entry about teams, by how the first stage is played: a season, or groups.

Only dispatch. Invariant: what such a tournament does not know is refused, and the reason says so.
"""

from collections.abc import Callable, Mapping
from datetime import datetime

from server.core.rules.acts import (
    AgreeTerms,
    Challenge,
    ChangeRoster,
    DeclareLineup,
    EndMatch,
    Forfeit,
    SetMatch,
    TeamAct,
)
from server.core.rules.state import State
from server.core.rules.teams.disputes import agree, challenge
from server.core.rules.teams.forfeits import end_match, forfeit
from server.core.rules.teams.group_incidents import give_up_match
from server.core.rules.teams.group_rosters import change_group_roster
from server.core.rules.teams.lineups import declare
from server.core.rules.teams.matches import set_match
from server.core.rules.teams.rosters_changes import change_roster


def take_team_entry(state: State, entry: int, at: datetime | None, act: TeamAct) -> str | None:
    """Take an entry about teams. Gives the reason when refused."""
    handler = HANDLERS[state.head.preset.first].get(type(act))
    if handler is None:
        return f"{state.head.preset.name} {UNKNOWN[type(act)]}"
    return handler(state, entry, at, act)


HANDLERS: Mapping[str, Mapping[type[TeamAct], Callable[..., str | None]]] = {
    "season": {
        SetMatch: set_match,
        DeclareLineup: declare,
        Forfeit: forfeit,
        EndMatch: end_match,
        ChangeRoster: change_roster,
        AgreeTerms: agree,
        Challenge: challenge,
    },
    "team_groups": {SetMatch: set_match, Forfeit: give_up_match, ChangeRoster: change_group_roster},
}
"""By the preset's `first`."""

UNKNOWN: Mapping[type[TeamAct], str] = {
    DeclareLineup: "has no line-ups",
    EndMatch: "has no matches that are ended by an entry",
    AgreeTerms: "leaves no terms to teams",
    Challenge: "has no challenges",
}
"""What a tournament does not know that has no handler."""
