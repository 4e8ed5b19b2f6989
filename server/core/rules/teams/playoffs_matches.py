"""Who may meet in the playoffs, and where: only who qualified and is not beaten, the higher seed at home (PC38, PC39).

Invariant: the playoffs have begun with the first match that is set; from then on their seeds stand.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from server.core.rules.results import StageResult
from server.core.rules.stages import chain
from server.core.rules.state import Stage, State
from server.core.rules.teams.playoffs import knockout_of
from server.core.rules.teams.season import conferences_of
from server.core.rules.teams.state import Match


@dataclass(frozen=True, slots=True, kw_only=True)
class Seed:
    """A team of the playoffs: its conference, its number there, and its rank in the table over all conferences.

    Teams whose order a lot has yet to give have the same number.
    """

    conference: str
    number: int
    rank: int


def seeds_now(state: State) -> dict[str, Seed]:
    """Give the teams that are in the playoffs for certain; none before the season is closed (PC38, PC39)."""
    division = state.divisions[""]
    if not division.qualifying.closed:
        return {}
    season = chain(state, division)[0]
    found: dict[str, Seed] = {}
    for name, members in conferences_of(state).items():
        inside = set(members)
        lots = [[team for team in tie.tie.who if team in inside] for tie in season.ties if tie.tie.reason == "seed"]
        through = [[team] for team in season.advance if team in inside]
        before = len(found)
        for level in _in_order([*through, *(lot for lot in lots if lot)], season):
            number = 1 + len(found) - before
            found |= {team: Seed(conference=name, number=number, rank=season.ranks.get(team, 0)) for team in level}
    return found


def cannot_set_playoff(state: State, match: Match) -> str | None:
    """PC39: say why a match cannot be set in the playoffs, None where it can."""
    stage = match.stage
    first = state.divisions[""].qualifying
    if match.tiebreak:
        return f"PC38: a tie-break match is one of {first.id}, for its last place that goes on: leave out `stage`"
    if stage.closed:
        return f"PC39: {stage.id} is closed"
    if not first.closed:
        return f"PC39: {stage.id} has not begun: close {first.id} first"
    seeds = seeds_now(state)
    for team in match.teams:
        if team not in seeds:
            return _not_in(state, stage, team)
    knockout = knockout_of(state, stage)
    for team in match.teams:
        if team in knockout.beaten:
            return f"PC39: {team} is out of {stage.id}: it was beaten in {knockout.beaten[team]}"
    problem = _not_at_home(state, match, seeds[match.home], seeds[match.away])
    if problem is None:
        _note_running(state, match)
    return problem


def is_last_match(state: State, stage: Stage, team: str) -> bool:
    """PC41: say whether only two teams of a team's conference are left, so that they meet at a neutral venue."""
    seeds, beaten = seeds_now(state), knockout_of(state, stage).beaten
    if team not in seeds:
        return False
    rivals = [other for other, seed in seeds.items() if seed.conference == seeds[team].conference]
    return sum(other not in beaten for other in rivals) == 2


def freeze_field(state: State, stage: Stage) -> None:
    """Let the seeds stand, where all of them are settled."""
    season = chain(state, state.divisions[stage.division])[0]
    if stage.seeds is None and season.settled:
        stage.seeds = season.advance


def _in_order(groups: Iterable[list[str]], season: StageResult) -> list[list[str]]:
    """Order who is through and those who are level among them: as they stand in the table of their conference."""
    order = {team: number for number, team in enumerate(season.advance)}
    ranks = {str(row["who"]): row["rank"] for group in season.groups or () for row in group.rows}
    ranks = ranks or dict(season.ranks)
    if season.following and season.following[0].seeds is not None:
        return sorted(groups, key=lambda group: order[group[0]])
    return sorted(groups, key=lambda group: (ranks[group[0]], order.get(group[0], 0)))


def _not_in(state: State, stage: Stage, team: str) -> str:
    season = chain(state, state.divisions[stage.division])[0]
    tie = next((one.tie for one in season.ties if one.tie.reason == "cut" and team in one.tie.who), None)
    if tie is not None:
        return f"PC38: {', '.join(tie.who)} are level over the cut: a tie-break match decides first who goes on"
    return f"PC39: {team} did not qualify for {stage.id}"


def _not_at_home(state: State, match: Match, home: Seed, away: Seed) -> str | None:
    """PC39: the higher seed is at home; what two conferences leave open is flagged."""
    if home.conference == away.conference:
        if home.number == away.number:
            return (
                f"PC38: {match.home} and {match.away} are level: draw their seeds first "
                f"(decision: draw, stage: {state.divisions[''].qualifying.id}, who: [first, second])"
            )
        if home.number > away.number:
            return f"PC39: {match.away} is the higher seed ({away.number} before {home.number}): it is the home team"
        return None
    if home.number >= away.number and home.rank > away.rank:
        return f"PC39: {match.away} stands above {match.home}: it is the home team"
    if home.number > away.number or home.rank >= away.rank:
        why = f"{match.home} and {match.away} are of different conferences: officials say who is the higher seed (PC39)"
        state.flag(match.entry, "needs-official", why)
    return None


def _note_running(state: State, match: Match) -> None:
    knockout = knockout_of(state, match.stage)
    for name, outcome in knockout.outcomes.items():
        team = next((team for team in match.teams if team in outcome.points), None)
        if team is not None and outcome.status != "final":
            why = f"{team} is in {name}, which is not over: who loses it is out of {match.stage.id} (PC39)"
            state.flag(match.entry, "needs-official", why)
            return
