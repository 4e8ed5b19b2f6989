"""The playoffs of a league: matches of teams that went on, each lost match the last (PC38 to PC41).

Invariant: a team that has been beaten plays no further match.
"""

from server.core.rules.presets import StageForm
from server.core.rules.results import StageResult, field_from
from server.core.rules.state import Stage, State
from server.core.rules.teams.state import Match


def cannot_set_playoff(state: State, match: Match) -> str | None:
    """PC39: say why a match cannot be set in the playoffs, None where it can."""
    return f"{match.stage.id} has not begun" if not state.divisions[""].qualifying.closed else None


def playoffs_result(
    state: State, stage: Stage, form: StageForm, source: StageResult, following: tuple[Stage, ...]
) -> StageResult:
    """Rank the teams of the playoffs."""
    teams = field_from(stage, form, source)
    return StageResult(stage=stage, rows=[], ranks={}, players=teams, seeds=teams, following=following)
