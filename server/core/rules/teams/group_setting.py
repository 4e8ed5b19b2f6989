"""Which matches may be set in groups and in a final of matches (UT1, UT2, UT5, UT11, EC1, EC2, EC12, EC13).

Invariant: two teams meet once in a stage.
"""

from datetime import datetime

from server.core.rules.machines import unavailable
from server.core.rules.stages import field_of
from server.core.rules.state import MachineState, Stage, State
from server.core.rules.teams.group_seats import not_playing, not_seated, under
from server.core.rules.teams.state import Match


def cannot_set_group_match(state: State, match: Match) -> str | None:
    """Say why a match cannot be set in the groups, None where it can."""
    if match.stage.closed:
        return under(state, "close", f"{match.stage.id} is closed: no more matches are set")
    problem = not_playing(state, match.teams) or not_seated(state, match.teams)
    if problem is not None:
        return problem
    home, away = (state.teams[team].group for team in match.teams)
    if home != away:
        why = f"{match.home} is in group {home} and {match.away} in group {away}: matches are within a group"
        return under(state, "groups", why)
    return _set_before(state, match, "match")


def cannot_set_final_match(state: State, match: Match) -> str | None:
    """Say why a match cannot be set in a final of matches, None where it can."""
    if match.stage.closed:
        return f"{match.stage.id} is closed: no more matches are set"
    return (
        not_in_final(state, match.stage, match.teams)
        or not_playing(state, match.teams)
        or _set_before(state, match, "final")
    )


def cannot_set_in_a_game(state: State, match: Match) -> str | None:
    """UT7: a final of one game has no matches."""
    return under(
        state, "final", f"{match.stage.id} is one game of all its teams (stage: {match.stage.id}), not matches"
    )


def not_in_final(state: State, stage: Stage, teams: tuple[str, ...]) -> str | None:
    """Say why some teams do not play in a stage after the first, None where all do."""
    field = field_of(state, stage)
    if field is None:
        return f"{stage.id} has not begun: the stage before is open, or a tie of it"
    stranger = next((team for team in teams if team not in field), None)
    return (
        None if stranger is None else under(state, "final", f"{stranger} is not in {stage.id}: {', '.join(field)} are")
    )


def not_to_be_played(state: State, machine: MachineState, begun: datetime | None, stage: Stage) -> str | None:
    """UT13, EC8: say why no game of a stage is played on a machine, and which one stands in for it."""
    problem = unavailable(machine, begun, stage)
    instead = stage.instead.get(machine.head.id)
    if problem is None or instead is None:
        return problem
    return under(state, "machine", f"{problem}: {instead} is played instead")


def met_before(state: State, match: Match) -> Match | None:
    """Give another match of the same stage in which two teams have met, or one has lost without a game."""
    for other in state.matches.values():
        same = other.stage is match.stage and other.id != match.id and {*other.teams} == {*match.teams}
        if same and (other.games or other.lost):
            return other
    return None


def _set_before(state: State, match: Match, rule: str) -> str | None:
    if match.tiebreak:
        return under(state, rule, "there are no tie-break matches: a drawn match is broken by a game (tiebreak: GAME)")
    for other in state.matches.values():
        if other.stage is match.stage and {*other.teams} == {*match.teams}:
            if other.taken_over and not (other.games or other.lost):
                continue  # set for the team that was replaced: the new entry says the same once more
            why = f"{match.home} and {match.away} meet once in {match.stage.id}: that is {other.id}"
            return under(state, rule, why)
    return None
