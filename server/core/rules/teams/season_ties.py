"""Tie-break matches over the cut of a season: what they decide among teams that are level to the last rung (PC38).

Pure functions. Invariant: such a match decides who goes on and nothing else: it changes no record and no points, and
who goes on level with another is seeded by lot.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from server.core.rules.ranking import classes


@dataclass(frozen=True, slots=True, kw_only=True)
class TieBreak:
    """A tie-break match: its teams, who has won it (None: nobody yet, or both forfeited), and whether it is over."""

    teams: frozenset[str]
    winner: str | None
    over: bool


def settle_cut(
    level: Sequence[list[str]], *, cut: int, skip: Collection[str], matches: Sequence[TieBreak]
) -> list[list[str]]:
    """Split the teams that are level over the cut, where their tie-break matches decide; every other part stays.

    `cut` does not count who is in `skip` (out or absent: passed over).
    """
    found: list[list[str]] = []
    before = 0
    for part in level:
        playing = [team for team in part if team not in skip]
        if before < cut < before + len(playing):
            found += _settle(part, playing, cut - before, matches)
        else:
            found.append(part)
        before += len(playing)
    return found


def _settle(part: list[str], playing: list[str], places: int, matches: Sequence[TieBreak]) -> list[list[str]]:
    order = decided(playing, matches)
    through: list[str] = []
    while order and len(through) + len(order[0]) <= places:
        through += order.pop(0)
    if not through and len(order) < 2:
        return [part]
    passed_over = [team for team in part if team not in playing]
    return [group for group in (sorted(through), *order, passed_over) if group]


def decided(teams: Sequence[str], matches: Sequence[TieBreak]) -> list[list[str]]:
    """Give the order that tie-break matches make among some teams; all together while nothing is decided.

    The commissioner sets the matches of more than two teams, so nothing is decided before all that are set are over
    and each team has played. Then who has beaten another, also by way of third ones, stands above; teams that have
    beaten each other in a ring stand by their wins less their losses.
    """
    inside = set(teams)
    played = [match for match in matches if match.teams <= inside]
    if not all(match.over for match in played) or inside - {team for match in played for team in match.teams}:
        return [sorted(teams)]
    beats: dict[str, set[str]] = {team: set() for team in teams}
    for match in played:
        if match.winner is not None:
            beats[match.winner] |= match.teams - {match.winner}
    below = {team: _reached(team, beats) for team in teams}
    found: list[list[str]] = []
    left = set(teams)
    while left:
        top = [team for team in left if not any(team in below[other] and other not in below[team] for other in left)]
        ring = len(top) > 1 and all(other in below[team] for team in top for other in top if other != team)
        found += _by_balance(top, played) if ring else [sorted(top)]
        left -= set(top)
    return found


def _reached(team: str, beats: dict[str, set[str]]) -> set[str]:
    """Give all that a team has beaten, and those that they have beaten, and so on."""
    found: set[str] = set()
    waiting = [team]
    while waiting:
        fresh = beats[waiting.pop()] - found
        found |= fresh
        waiting += fresh
    return found


def _by_balance(ring: Sequence[str], played: Sequence[TieBreak]) -> list[list[str]]:
    balance = dict.fromkeys(ring, 0)
    for match in played:
        if match.winner is not None and match.teams <= balance.keys():
            for team in match.teams:
                balance[team] += 1 if team == match.winner else -1
    return classes(balance)
