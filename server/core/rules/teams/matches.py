"""Matches of two teams: how they are scheduled, and what they have come to.

What is particular to a kind of stage is registered here by it. Invariant: a match is refused whole, before anything of
it is kept.
"""

from collections.abc import Callable, Mapping
from datetime import datetime

from server.core.rules.acts import SetMatch
from server.core.rules.state import Stage, State
from server.core.rules.teams.group_matches import group_outcome
from server.core.rules.teams.group_setting import (
    cannot_set_final_match,
    cannot_set_group_match,
    cannot_set_in_a_game,
)
from server.core.rules.teams.league import league_outcome
from server.core.rules.teams.playoffs_matches import cannot_set_playoff, freeze_field, is_last_match
from server.core.rules.teams.season_matches import cannot_set_season_match
from server.core.rules.teams.state import Match, Outcome


def set_match(state: State, entry: int, at: datetime | None, act: SetMatch) -> str | None:
    """Schedule a match. Gives the reason when refused."""
    if act.match in state.matches:
        return f"there is a match {act.match} already"
    for team in (act.home, act.away):
        if team not in state.teams:
            return f"there is no team {team}"
    if act.home == act.away:
        return f"{act.home} cannot meet itself"
    first = state.divisions[""].qualifying
    stage = first if act.stage is None else state.stages.get(act.stage)
    if stage is None:
        return f"there is no stage {act.stage}; there are {', '.join(state.stages)}"
    venue = act.venue or _home_venue(state, stage, act)
    match = Match(
        id=act.match,
        entry=entry,
        at=at,
        home=act.home,
        away=act.away,
        stage=stage,
        week=act.week,
        venue=venue,
        tiebreak=act.tiebreak,
    )
    kind = kind_of(state, stage)
    if kind not in SETTING:
        return f"{stage.id} has no matches that are set"
    if (problem := SETTING[kind](state, match)) is not None:
        return problem
    state.matches[act.match] = match
    if (begin := BEGINNING.get(kind)) is not None:
        begin(state, stage)
    return None


def outcome_of(state: State, match: Match) -> Outcome:
    """Give what a match has come to."""
    return OUTCOMES[kind_of(state, match.stage)](state, match)


def kind_of(state: State, stage: Stage) -> str:
    """Give how a stage is played."""
    return state.head.preset.first if stage.form is None else stage.form.kind


def _home_venue(state: State, stage: Stage, act: SetMatch) -> str | None:
    """Give the home team's venue; where the match belongs to a neutral one, that has to be named (PC38, PC41)."""
    neutral = act.tiebreak or (kind_of(state, stage) == "playoffs" and is_last_match(state, stage, act.home))
    return None if neutral else state.teams[act.home].head.home


SETTING: Mapping[str, Callable[[State, Match], str | None]] = {
    "season": cannot_set_season_match,
    "team_groups": cannot_set_group_match,
    "team_matches": cannot_set_final_match,
    "team_game": cannot_set_in_a_game,
    "playoffs": cannot_set_playoff,
}
"""Why a match cannot be set in a stage of that kind, None where it can."""

OUTCOMES: Mapping[str, Callable[[State, Match], Outcome]] = {
    "season": league_outcome,
    "team_groups": group_outcome,
    "team_matches": group_outcome,
    "playoffs": league_outcome,
}
"""What a match of a stage of that kind has come to."""

BEGINNING: Mapping[str, Callable[[State, Stage], None]] = {
    "playoffs": freeze_field,
}
"""What the first match that is set in a stage of that kind settles."""
