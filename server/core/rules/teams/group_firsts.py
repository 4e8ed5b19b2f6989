"""Who is first of a group: points, then the bonus score, the match of two, and what organisers say (UT6).

Only questions. Invariant: only the first place is taken out of a tie; who is level behind it shares the rank.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING

from server.core.rules.presets import TiePolicy
from server.core.rules.ranking import classes, points_at
from server.core.rules.state import State
from server.core.rules.teams.group_seats import play_of
from server.core.rules.teams.state import Match
from server.core.rules.ties import Order, Rounds, resolve

if TYPE_CHECKING:
    from server.core.rules.teams.group_tables import Table

MOST_OPEN = 8
"""Drawn matches of a group up to which it is worked out whether they can change who is first."""

Won = Sequence[tuple[Match, str | None]]


def first_of_group(state: State, table: "Table", rounds: Rounds, drawn: Sequence[Match]) -> Order:
    """Order a group that is closed. While a drawn match may still change who is first, nobody is (UT18).

    The order's first group has one team where the first place stands, and its `ties` the one that is to be decided.
    """
    points = {team: table.points[team] for team in table.ranked(state)}
    won: list[tuple[Match, str | None]] = [
        (match, outcome.winner) for match, outcome in table.met if match not in drawn
    ]
    if not points:
        return Order()
    if not drawn:
        return _order(state, table, points, won, rounds)
    plain = Order(groups=classes(points))
    leaders = plain.groups[0]
    if len(drawn) > MOST_OPEN:
        return _undecided(plain)
    ends = [_end(state, table, points, won, rounds, drawn, winners) for winners in _all_ends(drawn)]
    firsts = {(tuple(end.groups[0]), tuple(tie.who for tie in end.ties)) for end in ends}
    if len(firsts) > 1:
        return _undecided(plain)
    first, ties = ends[0].groups[0], ends[0].ties
    if leaders == first or not set(first) <= set(leaders):
        return Order(groups=plain.groups, ties=ties) if leaders == first else _undecided(plain)
    rest = [team for team in leaders if team not in first]
    return Order(groups=[first, rest, *plain.groups[1:]], ties=ties)


def _all_ends(drawn: Sequence[Match]) -> list[tuple[str, ...]]:
    return list(product(*(match.teams for match in drawn)))


def _end(
    state: State,
    table: "Table",
    points: Mapping[str, int],
    won: Won,
    rounds: Rounds,
    drawn: Sequence[Match],
    winners: Sequence[str],
) -> Order:
    """Order the group as it would be if these teams won the drawn matches."""
    earns = state.settings.match_points
    ended = dict(points)
    for match, winner in zip(drawn, winners, strict=True):
        for team in match.teams:
            if team in ended:
                ended[team] += points_at(earns, 1 if team == winner else 2, 1, "high")
    return _order(state, table, ended, [*won, *zip(drawn, winners, strict=True)], rounds)


def _order(state: State, table: "Table", points: Mapping[str, int], won: Won, rounds: Rounds) -> Order:
    """UT6: take the first place out of the teams that are level in front."""
    by_points = classes(points)
    front, behind = by_points[0], by_points[1:]
    if len(front) == 1:
        return Order(groups=by_points)
    unplayed = play_of(state).unplayed
    bonus = {team: table.bonus[team].score if team in table.bonus else unplayed for team in front}
    level = classes(bonus)[0]
    first = level[0] if len(level) == 1 else _winner_of(won, level) if len(level) == 2 else None
    if first is not None:
        return Order(groups=[[first], [team for team in front if team != first], *behind])
    order = resolve([level], policy=TiePolicy(cut="cut", inside="cut"), cut=1, rounds=rounds)
    rest = [team for team in front if team not in level]
    return Order(groups=[*order.groups, *([rest] if rest else []), *behind], ties=order.ties)


def _winner_of(won: Won, two: Sequence[str]) -> str | None:
    """Give the winner of the match between two teams, None where they have none."""
    return next((winner for match, winner in won if winner is not None and set(match.teams) == {*two}), None)


def _undecided(plain: Order) -> Order:
    """Give the ranks as they are, with nobody first: a front of one would be taken for the winner of the group."""
    return Order(groups=[[], *plain.groups])
