"""Finals of teams: one game of all, or everybody against everybody (UT7, UT8, EC13 to EC15).

Only questions. Invariant: a place is final only where no tie that must be played off touches it; who was put out is
not ranked.
"""

from collections.abc import Mapping

from server.core.rules.groups import rounds_of
from server.core.rules.one_game import spent
from server.core.rules.presets import StageForm, TiePolicy
from server.core.rules.qualifying import play_offs
from server.core.rules.ranking import classes, positions
from server.core.rules.results import StageResult, field_from
from server.core.rules.scores import score_in
from server.core.rules.state import Flag, Game, Stage, State
from server.core.rules.teams.bonus import rank_bonus
from server.core.rules.teams.group_matches import games_of, is_complete, place_points, that_still_hold
from server.core.rules.teams.group_seats import play_of, seats
from server.core.rules.teams.group_strays import idle_play_offs
from server.core.rules.teams.group_tables import Table, row_of, tally
from server.core.rules.ties import Order, resolve


def team_game_result(
    state: State, stage: Stage, form: StageForm, source: StageResult, following: tuple[Stage, ...]
) -> StageResult:
    """UT7, UT8: rank the teams of a final of one game by its scores; who is absent, or has none, is last."""
    seeds = field_from(stage, form, source)
    result = StageResult(stage=stage, rows=[], ranks={}, following=following, seeds=seeds, players=seeds)
    teams = [team for team in seeds if not state.teams[team].out]
    scores, sources = _scores_of(state, stage, teams)
    idle = [team for team in teams if team not in scores]
    done = stage.absent.keys() | spent(state, stage)
    result.complete = bool(scores) and all(team in done for team in idle)
    over = result.complete or stage.closed
    tiebreaks = that_still_hold(stage.tiebreaks, stage.games, list(sources.values()))
    order = resolve(
        classes(scores) + ([sorted(idle)] if idle else []),
        policy=form.ties if over else TiePolicy(),
        cut=len(teams),
        rounds=rounds_of(state, tiebreaks, stage.draws) if over else {},
        skip=frozenset(idle),
    )
    result.ranks = positions(order.groups)
    result.rows = [
        {"rank": rank, "who": team, "score": scores.get(team, 0), "machines": _cells(team, scores, sources)}
        for team, rank in result.ranks.items()
    ]
    result.ties = play_offs(state, stage.division, order.ties)
    if over:
        result.flags += idle_play_offs(state, stage, classes(scores))
    result.settled = over and not result.ties
    missing = frozenset(idle) - done
    if stage.closed and missing:
        why = f"{stage.id} was closed without a score of {', '.join(sorted(missing))}: officials decide"
        result.flags.append(Flag(entry=stage.closed_entry, kind="needs-official", why=why))
    if over and scores:
        result.places = _places(result, frozenset(idle) if len(missing) > 1 else frozenset())
    return result


def team_matches_result(
    state: State, stage: Stage, form: StageForm, source: StageResult, following: tuple[Stage, ...]
) -> StageResult:
    """EC13 to EC15: rank the teams of a final of matches by the points that they earned in it."""
    seeds = field_from(stage, form, source)
    result = StageResult(stage=stage, rows=[], ranks={}, following=following, seeds=seeds, players=seeds)
    table = tally(state, stage, seeds, with_bonus=False)
    order = Order(groups=classes({team: table.points[team] for team in table.ranked(state)}))
    if stage.closed:
        most = state.settings.play_off_places
        rounds = rounds_of(state, stage.tiebreaks, stage.draws)
        result.flags += idle_play_offs(state, stage, _played_off(order.groups, most))
        order = resolve(order.groups, policy=form.ties, cut=most, rounds=rounds)
        order.groups = _count_back(state, table, order, most)
    result.ranks = positions(order.groups)
    result.rows = [row_of(state, table, team, rank) for team, rank in result.ranks.items()]
    result.ties = play_offs(state, stage.division, order.ties)
    result.settled = stage.closed and not result.ties
    played = sum(outcome.status == "final" for _, outcome in table.met)
    pairs = len(seeds) * (len(seeds) - 1) // 2
    if stage.closed and played < pairs:
        why = f"{stage.id} was closed when {played} of {pairs} matches had been played: the others give nobody points"
        result.flags.append(Flag(entry=stage.closed_entry, kind="needs-official", why=why))
    if stage.closed and played:
        result.places = _places(result, frozenset())
    return result


def _played_off(groups: list[list[str]], most: int) -> list[list[str]]:
    """EC14: give the groups of level teams that touch the places which are played off."""
    return [group for number, group in enumerate(groups) if sum(map(len, groups[:number])) < most]


def _scores_of(state: State, stage: Stage, teams: list[str]) -> tuple[dict[str, int], dict[str, Game]]:
    scores: dict[str, int] = {}
    sources: dict[str, Game] = {}
    for game in stage.games:
        for team in game.who:
            score = score_in(state, game, team)
            if team in teams and score is not None:
                scores[team], sources[team] = score, game
    return scores, sources


def _cells(team: str, scores: Mapping[str, int], sources: Mapping[str, Game]) -> list[dict[str, object]]:
    game = sources.get(team)
    return [] if game is None else [{"machine": game.machine.head.id, "score": scores[team], "game": game.id}]


def _places(result: StageResult, withheld: frozenset[str]) -> dict[str, int]:
    tied = {team for tie in result.ties for team in tie.tie.who} | withheld
    return {team: rank for team, rank in result.ranks.items() if team not in tied}


def _count_back(state: State, table: Table, order: Order, most: int) -> list[list[str]]:
    """EC15: order ties behind the places that are played off; what is still level then shares the place."""
    found: list[list[str]] = []
    for group in order.groups:
        before = sum(map(len, found))
        found += [group] if len(group) < 2 or before < most else _by_countback(state, table, group)
    return found


def _by_countback(state: State, table: Table, tied: list[str]) -> list[list[str]]:
    """EC15: by the matches among the tied teams, or by places in the final's games; then by the 4-ball score."""
    by_matches = state.settings.countback_by == "matches"
    keys = _points_among(table, tied) if by_matches else _best_places(state, table, tied)
    bonus = rank_bonus(state, [team for teams in seats(state).values() for team in teams])
    unplayed = play_of(state).unplayed
    parts: dict[tuple[int, ...], list[str]] = {}
    for team in tied:
        score = bonus[team].score if team in bonus else unplayed
        parts.setdefault((*keys[team], score), []).append(team)
    return [sorted(parts[key]) for key in sorted(parts, reverse=True)]


def _points_among(table: Table, tied: list[str]) -> dict[str, tuple[int, ...]]:
    points = dict.fromkeys(tied, 0)
    for match, outcome in table.met:
        if set(match.teams) <= set(tied):
            for team in match.teams:
                points[team] += outcome.points.get(team, 0)
    return {team: (earned,) for team, earned in points.items()}


def _best_places(state: State, table: Table, tied: list[str]) -> dict[str, tuple[int, ...]]:
    """Count first and second places; the opponents of a team that is out of a match have the best ones (EC9)."""
    play = play_of(state)
    firsts, seconds = dict.fromkeys(tied, 0), dict.fromkeys(tied, 0)
    for match, _ in table.met:
        if match.lost:
            for team in match.teams:
                if team in firsts and team not in match.lost:
                    firsts[team] += play.games
                    seconds[team] += play.games
            continue
        for game in games_of(state, match):
            if not is_complete(state, match, game):
                continue
            for who, (place, _) in place_points(state, game).items():
                team = game.sides[who]
                if team in firsts:
                    firsts[team] += place == 1
                    seconds[team] += place == 2
    return {team: (firsts[team], seconds[team]) for team in tied}
