"""The tables of teams that play in groups: points, ties, and who goes on (UT4 to UT6, EC3 to EC7, EC18).

Only questions. Invariant: who is put out is not ranked, and a first place that hangs on a drawn match is nobody's yet.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from server.core.rules.groups import rounds_of
from server.core.rules.qualifying import play_offs
from server.core.rules.ranking import classes, positions
from server.core.rules.results import GroupResult, OpenTie, StageResult, going_on, how_many
from server.core.rules.state import Division, Flag, Stage, State
from server.core.rules.teams.bonus import Bonus, rank_bonus
from server.core.rules.teams.group_firsts import first_of_group
from server.core.rules.teams.group_matches import group_outcome, idle_extra_games
from server.core.rules.teams.group_seats import play_of, seat_seed, seats, under
from server.core.rules.teams.group_strays import idle_play_offs, strays_of_the_head
from server.core.rules.teams.state import Match, Outcome
from server.core.rules.ties import Order, Tie, resolve


@dataclass(slots=True, kw_only=True)
class Table:
    """What the teams of one table have earned: points of matches and of the bonus game, matches won and lost.

    `drawn` are the matches whose winner is open because the scores are equal, each with the game that is drawn.
    """

    teams: tuple[str, ...]
    points: dict[str, int]
    bonus: Mapping[str, Bonus] = field(default_factory=dict)
    wins: dict[str, int] = field(default_factory=dict)
    losses: dict[str, int] = field(default_factory=dict)
    earned: dict[str, list[dict[str, object]]] = field(default_factory=dict)
    met: list[tuple[Match, Outcome]] = field(default_factory=list)
    drawn: list[tuple[Match, str]] = field(default_factory=list)

    def ranked(self, state: State) -> tuple[str, ...]:
        """Give the teams that are ranked: all but those whom officials have put out."""
        return tuple(team for team in self.teams if not state.teams[team].out)


def team_groups_result(state: State, division: Division) -> StageResult:
    """Rank the teams of the groups, each group by itself or all in one list."""
    stage = division.qualifying
    following = tuple(other for other in division.stages.values() if other.form is not None)[:1]
    result = StageResult(stage=stage, rows=[], ranks={}, groups=[], following=following)
    result.flags = strays_of_the_head(state)
    groups = seats(state)
    if play_of(state).ranked == "apart":
        for name, teams in groups.items():
            _rank_apart(state, result, name, tally(state, stage, teams))
        playing = sum(any(not state.teams[team].out for team in teams) for teams in groups.values())
        result.settled = stage.closed and len(result.advance) == playing > 0
        result.rows.sort(key=lambda row: (row["rank"], row["who"]))
    else:
        _rank_together(state, result, groups)
    result.players = tuple(result.ranks)
    return result


def tally(state: State, stage: Stage, teams: tuple[str, ...], *, with_bonus: bool = True) -> Table:
    """Add up what some teams have earned in the matches of a stage, and in the bonus game."""
    table = Table(teams=teams, points=dict.fromkeys(teams, 0))
    table.wins, table.losses = dict.fromkeys(teams, 0), dict.fromkeys(teams, 0)
    table.earned = {team: [] for team in teams}
    for match in state.matches.values():
        if match.stage is stage and not table.points.keys().isdisjoint(match.teams):
            _add_match(table, match, group_outcome(state, match))
    if with_bonus:
        table.bonus = rank_bonus(state, teams)
        for team, one in table.bonus.items():
            table.points[team] += one.points
    return table


def row_of(state: State, table: Table, team: str, rank: int) -> dict[str, object]:
    """Give a team's row of a table."""
    row: dict[str, object] = {"rank": rank, "who": team, "points": table.points[team]}
    if play_of(state).earns == "win":
        row |= {"wins": table.wins[team], "losses": table.losses[team]}
    row["matches"] = table.earned[team]
    bonus = table.bonus.get(team)
    row["machines"] = [] if bonus is None else [_cell(bonus)]
    return row


def _cell(bonus: Bonus) -> dict[str, object]:
    name = bonus.game.machine.head.id
    return {"machine": name, "score": bonus.score, "rank": bonus.place, "points": bonus.points, "game": bonus.game.id}


def _add_match(table: Table, match: Match, outcome: Outcome) -> None:
    table.met.append((match, outcome))
    table.drawn += [(match, game) for game in outcome.level]
    for team in match.teams:
        if team not in table.points:
            continue
        table.points[team] += outcome.points.get(team, 0)
        table.wins[team] += outcome.winner == team
        table.losses[team] += team in outcome.losers
        if outcome.status == "final" or outcome.points.get(team):
            table.earned[team].append({"match": match.id, "points": outcome.points.get(team, 0)})


def _rank_apart(state: State, result: StageResult, name: str, table: Table) -> None:
    """UT5, UT6: one group's table; its first goes on once the stage is closed."""
    stage = result.stage
    ranked = table.ranked(state)
    order = Order(groups=classes({team: table.points[team] for team in ranked}))
    open_draws = _open_draws(state, result, name, table)
    if stage.closed:
        rounds = rounds_of(state, stage.tiebreaks, stage.draws)
        order = first_of_group(state, table, rounds, open_draws)
        front = classes({team: table.points[team] for team in ranked})[:1]
        result.flags += idle_play_offs(state, stage, front, table.teams)
    ranks = positions(order.groups)
    rows = [row_of(state, table, team, rank) for team, rank in ranks.items()]
    result.rows += rows
    result.ranks |= ranks
    if result.groups is not None:
        result.groups.append(GroupResult(id=name, who=table.teams, rows=rows))
    result.ties += play_offs(state, stage.division, order.ties, group=name)
    if stage.closed and not order.ties and order.groups and len(order.groups[0]) == 1:
        result.advance += tuple(order.groups[0])


def _open_draws(state: State, result: StageResult, name: str, table: Table) -> list[Match]:
    """UT18: list each drawn match as a tie within its game; where a team of it is out, officials decide."""
    found = []
    for match, _ in table.met:
        for extra in idle_extra_games(state, match):
            why = under(state, "drawn", f"{extra.id} decides nothing: the scores of {match.id} are not equal")
            result.flags.append(Flag(entry=extra.entry, kind="needs-official", why=why))
    for match, game in table.drawn:
        if any(state.teams[team].out for team in match.teams):
            why = f"{match.id} is drawn ({game}) and one of its teams is out: officials decide who has its points"
            result.flags.append(Flag(entry=state.games[game].entry, kind="needs-official", why=why))
            continue
        found.append(match)
        tie = Tie(reason="machine", who=tuple(sorted(match.teams)), places=(1, 2))
        machine = state.games[game].machine.head.id
        result.ties.append(OpenTie(tie=tie, sizes=[2], group=name, machine=machine, game=game))
    return found


def _rank_together(state: State, result: StageResult, groups: Mapping[str, tuple[str, ...]]) -> None:
    """EC6, EC7, EC18: one list of all; only a tie over the cut is broken, by the bonus score and then by a game."""
    stage = result.stage
    table = tally(state, stage, tuple(team for teams in groups.values() for team in teams))
    ranked = table.ranked(state)
    cut = result.cut = how_many(stage, state.settings.qualifiers)
    unplayed = play_of(state).unplayed
    bonus = {team: table.bonus[team].score if team in table.bonus else unplayed for team in ranked}
    tied = classes({team: table.points[team] for team in ranked})
    order = Order(groups=tied)
    if stage.closed:
        tied = _split_over(tied, cut, bonus)
        result.flags += idle_play_offs(state, stage, _over_the_cut(tied, cut))
        rounds = rounds_of(state, stage.tiebreaks, stage.draws)
        order = resolve(tied, policy=state.head.preset.ties, cut=cut, rounds=rounds)
    result.ranks = positions(order.groups)
    result.rows = [row_of(state, table, team, rank) for team, rank in result.ranks.items()]
    rows = {row["who"]: row for row in result.rows}
    result.groups = [
        GroupResult(id=name, who=teams, rows=[rows[team] for team in result.ranks if team in teams])
        for name, teams in groups.items()
    ]
    if not stage.closed:
        return
    result.ties = play_offs(state, stage.division, order.ties)
    through = going_on(order, cut, frozenset())
    seeded = {team: (result.ranks[team], -bonus[team], seat_seed(state, team)) for team in through}
    result.advance = tuple(sorted(through, key=seeded.__getitem__))
    result.settled = not order.ties and bool(through)
    result.rest = tuple(team for team in result.ranks if team not in result.advance)
    if result.settled:
        going = next((other.seeds for other in result.following if other.seeds is not None), result.advance)
        last = max((result.ranks[team] for team in {*going, *result.advance} if team in result.ranks), default=0)
        result.places = {team: rank for team, rank in result.ranks.items() if rank > last}


def _split_over(tied: list[list[str]], cut: int, bonus: Mapping[str, int]) -> list[list[str]]:
    """EC7: order the teams of a tie that has some on both sides of the cut by their bonus scores."""
    over = _over_the_cut(tied, cut)
    found: list[list[str]] = []
    for group in tied:
        found += classes({team: bonus[team] for team in group}) if group in over else [group]
    return found


def _over_the_cut(tied: list[list[str]], cut: int) -> list[list[str]]:
    """Give the group of level teams that has some on both sides of the cut, in a list; an empty one where none has."""
    before = 0
    for group in tied:
        if before < cut < before + len(group):
            return [group]
        before += len(group)
    return []
