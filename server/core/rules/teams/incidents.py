"""Offences and absences of teams and their players, by how the first stage is played.

Invariant: what was recorded stays; an incident only adds to it.
"""

from server.core.rules.acts import Absent, Penalty
from server.core.rules.state import State


def penalise_in_teams(state: State, entry: int, act: Penalty) -> str | None:
    """Take an offence. Gives the reason when refused."""
    return f"{act.offence}: nothing is known of it"


def note_team_absent(state: State, entry: int, act: Absent) -> str | None:
    """Take an absence. Gives the reason when refused."""
    return f"{state.head.preset.name} notes no absence"
