"""Offences and absences of teams and their players, by how the first stage is played.

Invariant: what was recorded stays; an incident only adds to it.
"""

from collections.abc import Callable, Mapping

from server.core.rules.acts import Absent, Penalty
from server.core.rules.state import State
from server.core.rules.teams.group_incidents import note_group_absent, penalise_in_groups
from server.core.rules.teams.league_incidents import note_league_absent, penalise_in_league


def penalise_in_teams(state: State, entry: int, act: Penalty) -> str | None:
    """Take an offence. Gives the reason when refused."""
    handler = PENALTIES.get(state.head.preset.first)
    return f"{act.offence}: nothing is known of it" if handler is None else handler(state, entry, act)


def note_team_absent(state: State, entry: int, act: Absent) -> str | None:
    """Take an absence. Gives the reason when refused."""
    handler = ABSENCES.get(state.head.preset.first)
    return f"{state.head.preset.name} notes no absence" if handler is None else handler(state, entry, act)


PENALTIES: Mapping[str, Callable[[State, int, Penalty], str | None]] = {
    "team_groups": penalise_in_groups,
    "season": penalise_in_league,
}
"""How an offence is taken, by the preset's `first`."""

ABSENCES: Mapping[str, Callable[[State, int, Absent], str | None]] = {
    "team_groups": note_group_absent,
    "season": note_league_absent,
}
"""How an absence is taken, by the preset's `first`."""
