"""The season of a league: the table of its teams, and who goes on to the playoffs (PC37 to PC39).

The order of teams is in `ladder`, tie-break matches in `season_ties`. Invariant: nothing here changes the state; a
match counts once it is final (PC6), a tie-break match never (PC38).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from server.core.rules.ranking import positions
from server.core.rules.results import GroupResult, OpenTie, StageResult, going_on, how_many
from server.core.rules.state import Division, Flag, Stage, State
from server.core.rules.teams.ladder import Counted, Record, counted_in, ranked_by_record, records_of
from server.core.rules.teams.league import league_outcome
from server.core.rules.teams.season_ties import TieBreak, settle_cut
from server.core.rules.teams.state import Outcome
from server.core.rules.ties import Order, Tie, resolve


@dataclass(frozen=True, slots=True, kw_only=True)
class Season:
    """What the matches of a season have come to."""

    stage: Stage
    outcomes: Mapping[str, Outcome]
    counted: Sequence[Counted]
    tiebreaks: Sequence[TieBreak]
    records: Mapping[str, Record]


def season_result(state: State, division: Division) -> StageResult:
    """Rank the teams of a season; once it is closed say who goes on of each conference, and what has to be played."""
    stage = division.qualifying
    season = _read(state, stage)
    following = next((other for other in division.stages.values() if other.form is not None), None)
    conferences = conferences_of(state)
    cut = how_many(stage, state.settings.qualifiers)
    skip = {team for team, one in state.teams.items() if one.out}
    if following is not None:
        skip = (skip | following.absent.keys()) - set(following.seeds or ())
    orders = {name: _order(state, season, teams, cut, skip) for name, teams in conferences.items()}
    ranks = positions(
        next(iter(orders.values())).groups
        if orders.keys() == {""}
        else ranked_by_record(season.records, season.counted)
    )
    result = StageResult(stage=stage, rows=_rows(season, ranks), ranks=ranks, players=tuple(ranks))
    result.following = () if following is None else (following,)
    if orders.keys() == {""}:
        result.cut = cut
    else:
        result.groups = [
            GroupResult(id=name, who=tuple(conferences[name]), rows=_rows(season, positions(order.groups)))
            for name, order in orders.items()
        ]
    result.flags += _odd_matches(state, season)
    if orders.keys() != {""}:
        result.flags += _without_conference(state)
    if stage.closed:
        _say_who_goes_on(result, orders, cut, skip)
    result.ties += drawn_games(state, season.outcomes)
    return result


def conferences_of(state: State) -> dict[str, list[str]]:
    """PC39: give the teams of each conference, in order of their names; without conferences all are in one named ""."""
    found: dict[str, list[str]] = {}
    for team, one in state.teams.items():
        if one.head.division is not None:
            found.setdefault(one.head.division, []).append(team)
    return dict(sorted(found.items())) or {"": list(state.teams)}


def outcomes_in(state: State, stage: Stage) -> dict[str, Outcome]:
    """Give what each match of a stage has come to, in the order in which they were set."""
    return {name: league_outcome(state, match) for name, match in state.matches.items() if match.stage is stage}


def drawn_games(state: State, outcomes: Mapping[str, Outcome]) -> list[OpenTie]:
    """Give the games of running matches whose scores are equal: nobody has their points until they are replayed."""
    return [
        OpenTie(
            tie=Tie(reason="machine", who=tuple(sorted(state.matches[name].teams)), places=(1, 2)),
            sizes=[2],
            group=name,
            machine=state.games[game].machine.head.id,
            game=game,
        )
        for name, outcome in outcomes.items()
        if outcome.status != "final"
        for game in outcome.level
    ]


def _read(state: State, stage: Stage) -> Season:
    outcomes = outcomes_in(state, stage)
    counted = counted_in({name: outcome for name, outcome in outcomes.items() if not state.matches[name].tiebreak})
    tiebreaks = [
        TieBreak(teams=frozenset(state.matches[name].teams), winner=outcome.winner, over=outcome.status == "final")
        for name, outcome in outcomes.items()
        if state.matches[name].tiebreak
    ]
    return Season(
        stage=stage,
        outcomes=outcomes,
        counted=counted,
        tiebreaks=tiebreaks,
        records=records_of(state.teams, counted),
    )


def _order(state: State, season: Season, teams: Sequence[str], cut: int, skip: set[str]) -> Order:
    """PC37, PC38: order one conference; ties that matter are open until a match or a lot has decided them."""
    level = ranked_by_record({team: season.records[team] for team in teams}, season.counted)
    if not season.stage.closed:
        return Order(groups=level)
    parts = settle_cut(level, cut=cut, skip=skip, matches=season.tiebreaks)
    lots = {team: [place] for part in parts for team, place in _drawn(season.stage, part, skip).items()}
    return resolve(parts, policy=state.head.preset.ties, cut=cut, rounds=lots, skip=skip)


def _drawn(stage: Stage, level: list[str], skip: set[str]) -> dict[str, int]:
    """Give the order that officials drew last among all of some level teams: the more, the sooner it was drawn."""
    playing = set(level) - skip
    order = next((who for _, who in reversed(stage.draws) if playing <= set(who)), ())
    return {team: len(order) - place for place, team in enumerate(order) if team in playing}


def _rows(season: Season, ranks: Mapping[str, int]) -> list[dict[str, object]]:
    return [
        {
            "rank": rank,
            "who": team,
            "points": season.records[team].points,
            "wins": season.records[team].wins,
            "losses": season.records[team].losses,
            "played": season.records[team].played,
        }
        for team, rank in sorted(ranks.items(), key=lambda item: (item[1], item[0]))
    ]


def _say_who_goes_on(result: StageResult, orders: Mapping[str, Order], cut: int, skip: set[str]) -> None:
    """PC39: the first of each conference, conference by conference."""
    result.ties = [
        OpenTie(tie=tie, sizes=[len(tie.who)], group=name or None, draw=tie.reason == "seed")
        for name, order in orders.items()
        for tie in order.ties
    ]
    result.advance = tuple(team for order in orders.values() for team in going_on(order, cut, skip))
    result.settled = not result.ties
    going = {*result.advance, *(team for tie in result.ties for team in tie.tie.who)}
    result.rest = tuple(team for team in result.ranks if team not in going and team not in skip)
    field = next((set(stage.seeds) for stage in result.following if stage.seeds is not None), going)
    if orders.keys() == {""}:
        result.places = {
            team: rank
            for team, rank in result.ranks.items()
            if team not in field and team not in skip and rank > len(field)
        }


def _odd_matches(state: State, season: Season) -> list[Flag]:
    """PC6: tell officials of matches that a closed season does not count, and of a team that plays twice in a week."""
    found = []
    weeks: dict[tuple[int, str], str] = {}
    for name, outcome in season.outcomes.items():
        match = state.matches[name]
        if season.stage.closed and outcome.status != "final" and not match.tiebreak:
            why = f"{name} has not ended: it does not count in {season.stage.id} (PC6)"
            found.append(Flag(entry=season.stage.closed_entry, kind="needs-official", why=why))
        for team in match.teams if match.week is not None else ():
            other = weeks.setdefault((match.week, team), name)  # type: ignore[arg-type]
            if other != name:
                why = f"{team} plays {other} in week {match.week} too: a team plays once a week"
                found.append(Flag(entry=match.entry, kind="needs-official", why=why))
    return found


def _without_conference(state: State) -> list[Flag]:
    """PC39: tell officials of teams that can go on nowhere, as the others have conferences and they have none."""
    why = "is in no conference (`division`), but others are: it cannot go on (PC39)"
    teams = (name for name, team in state.teams.items() if team.head.division is None)
    return [Flag(entry=0, kind="needs-official", why=f"{team} {why}", who=team) for team in teams]
