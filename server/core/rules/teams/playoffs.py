"""The playoffs of a league: who is still in them, and which places the beaten teams have (PC39).

Whether a match may be set is in `playoffs_matches`. The bracket's shape is the director's: rounds are counted back from
the end, by the matches that the winners played afterwards. Invariant: nothing here changes the state.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from server.core.rules.presets import StageForm
from server.core.rules.ranking import classes, positions
from server.core.rules.results import GroupResult, StageResult, field_from
from server.core.rules.state import Flag, Stage, State
from server.core.rules.teams.ladder import Counted, Record, counted_in, records_of
from server.core.rules.teams.season import conferences_of, drawn_games, outcomes_in
from server.core.rules.teams.state import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Knockout:
    """The matches of the playoffs: `counted` are over, `beaten` names by team the match that put it out."""

    outcomes: Mapping[str, Outcome]
    counted: Sequence[Counted]
    beaten: Mapping[str, str]

    @property
    def running(self) -> bool:
        """Say whether a match that is set is not over."""
        return len(self.counted) < len(self.outcomes)


def knockout_of(state: State, stage: Stage) -> Knockout:
    """Give what the matches of the playoffs have come to."""
    outcomes = outcomes_in(state, stage)
    counted = counted_in(outcomes)
    beaten: dict[str, str] = {}
    for match in counted:
        for team in match.losers:
            beaten.setdefault(team, match.id)
    return Knockout(outcomes=outcomes, counted=counted, beaten=beaten)


def playoffs_result(
    state: State, stage: Stage, form: StageForm, source: StageResult, following: tuple[Stage, ...]
) -> StageResult:
    """Rank the teams of the playoffs: who is not beaten is first, who went out later stands above who went earlier.

    They are over with a `close`, or once one team is left and nothing is running; places stand then.
    """
    teams = field_from(stage, form, source)
    knockout = knockout_of(state, stage)
    records = records_of(teams, knockout.counted)
    ranks = _ranks(teams, knockout)
    result = StageResult(stage=stage, rows=_rows(teams, ranks, records), ranks=ranks, players=teams, seeds=teams)
    result.following = following
    fields = fields_of(state, teams)
    if fields.keys() != {""}:
        result.groups = [
            GroupResult(id=name, who=tuple(field), rows=_rows(field, _ranks(field, knockout), records))
            for name, field in fields.items()
        ]
    left = [team for team in teams if team not in knockout.beaten]
    result.complete = len(left) == 1 and bool(knockout.counted) and not knockout.running
    result.settled = result.complete or stage.closed
    result.ties = drawn_games(state, knockout.outcomes)
    result.flags = _odd_matches(state, stage, knockout)
    if result.complete:
        result.places = _places(teams, knockout)
    elif stage.closed and not knockout.running:
        result.places = {team: place for field in fields.values() for team, place in _places(field, knockout).items()}
    return result


def fields_of(state: State, teams: Sequence[str]) -> dict[str, list[str]]:
    """Give the teams of the playoffs by conference, in order of seed (PC39)."""
    found: dict[str, list[str]] = {name: [] for name in conferences_of(state)}
    for team in teams:
        name = state.teams[team].head.division or ""
        if name in found:
            found[name].append(team)
    return found


def _places(teams: Sequence[str], knockout: Knockout) -> dict[str, int]:
    """Give final places of one bracket: none where more than one team is left, or a match has put both out."""
    if sum(team not in knockout.beaten for team in teams) != 1:
        return {}
    if any(len(match.losers) > 1 for match in knockout.counted if not match.points.keys().isdisjoint(teams)):
        return {}
    return _ranks(teams, knockout)


def _ranks(teams: Sequence[str], knockout: Knockout) -> dict[str, int]:
    """Rank by how many rounds before the end a team went out; those of one round are level."""
    return positions(classes({team: -rounds for team, rounds in _rounds_before_the_end(teams, knockout).items()}))


def _rounds_before_the_end(teams: Sequence[str], knockout: Knockout) -> dict[str, int]:
    """Give 0 for who is left, 1 for who lost the last match of one of those, and so on down the bracket."""
    found = {team: 0 for team in teams if team not in knockout.beaten}
    afterwards: dict[str, int] = {}
    counted = {match.id: match for match in knockout.counted}
    for name, outcome in reversed(list(knockout.outcomes.items())):
        match = counted.get(name)
        if match is not None:
            winner = match.winner or ""
            rounds = max(found.get(winner, 0), 1) + afterwards.get(winner, 0)
            found |= {team: rounds for team in match.losers if knockout.beaten[team] == name}
        for team in outcome.points:
            afterwards[team] = afterwards.get(team, 0) + 1
    return {team: found[team] for team in teams}


def _rows(teams: Sequence[str], ranks: Mapping[str, int], records: Mapping[str, Record]) -> list[dict[str, object]]:
    seeds = {team: number for number, team in enumerate(teams, 1)}
    return [
        {
            "rank": ranks[team],
            "who": team,
            "points": records[team].points,
            "wins": records[team].wins,
            "losses": records[team].losses,
            "played": records[team].played,
            "seed": seeds[team],
        }
        for team in sorted(teams, key=lambda team: (ranks[team], team))
    ]


def _odd_matches(state: State, stage: Stage, knockout: Knockout) -> list[Flag]:
    """Tell officials where a team plays on though it is beaten, as a correction may have it, and of double losses."""
    found = []
    for match in knockout.counted:
        if len(match.losers) > 1:
            why = f"both teams have lost {match.id}: officials decide who goes on in {stage.id} (PC39)"
            found.append(Flag(entry=state.matches[match.id].entry, kind="needs-official", why=why))
    for name in knockout.outcomes:
        match_state = state.matches[name]
        for team in match_state.teams:
            lost = knockout.beaten.get(team)
            if lost is not None and lost != name and state.matches[lost].entry < match_state.entry:
                why = f"{team} plays {name} of {stage.id}, but has been beaten in {lost} (PC39): officials decide"
                found.append(Flag(entry=match_state.entry, kind="needs-official", why=why))
    return found
