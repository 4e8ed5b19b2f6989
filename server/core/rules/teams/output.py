"""Teams and matches as the output of the tournament file.

Only shaping, no rules. Invariant: as in `server.core.rules.output`.
"""

from collections.abc import Sequence

from server.core.rules.results import StageResult
from server.core.rules.state import State
from server.core.rules.teams.league_told import agreed_in
from server.core.rules.teams.matches import outcome_of
from server.core.rules.teams.output_games import describe_games
from server.core.rules.teams.playoffs_venues import neutral_venues
from server.core.rules.teams.state import Match, TeamState


def describe_teams(state: State, results: Sequence[StageResult]) -> dict[str, object]:
    """Give `teams` and `matches`; `results` are those of the stages that there are."""
    places: dict[str, int] = {}
    for result in reversed(results):
        for team, place in (result.places or {}).items():
            places.setdefault(team, place)
    found: dict[str, object] = {
        "teams": [_team(state, team, places.get(team.head.id)) for team in state.teams.values()],
        "matches": [_match(state, match) for match in state.matches.values()],
    }
    if state.head.preset.first == "season" and (neutral := neutral_venues(state, results)):
        found["neutral"] = neutral
    return found


def _team(state: State, team: TeamState, place: int | None) -> dict[str, object]:
    found: dict[str, object] = {"id": team.head.id, "status": "disqualified" if team.out else "active"}
    if state.settings.groups:
        found["group"] = team.group or None
    return found if place is None else found | {"place": place}


def _match(state: State, match: Match) -> dict[str, object]:
    if match.shown is None:
        match.shown = _describe_match(state, match)
    return match.shown


def _describe_match(state: State, match: Match) -> dict[str, object]:
    outcome = outcome_of(state, match)
    found: dict[str, object] = {
        "id": match.id,
        "stage": match.stage.id,
        "home": match.home,
        "away": match.away,
        "points": {team: outcome.points.get(team, 0) for team in match.teams},
        "status": outcome.status,
    }
    optional = {"week": match.week, "venue": match.venue, "winner": outcome.winner}
    found |= {key: value for key, value in optional.items() if value is not None}
    if match.tiebreak:
        found["tiebreak"] = True
    if state.head.preset.first != "season":
        return found
    return found | agreed_in(state, match) | describe_games(state, match)
