"""Ties: which must be played off, with whom, in games of what size, and what the games played so far decide (C6).

Pure functions over groups of tied players. Invariant: a tie-break orders only those who are tied, and nothing is
decided before each of them has a score in the round.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from server.core.rules.presets import TiePolicy
from server.core.rules.ranking import classes

Rounds = Mapping[str, Sequence[int]]
"""The scores of each player in the tie-break games, in order: the k-th is that of round k (C6.4)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """A tie that must be played off and has not been."""

    reason: str
    who: tuple[str, ...]
    places: tuple[int, ...]


@dataclass(slots=True, kw_only=True)
class Order:
    """Groups that share a rank, best first, and the ties that are open."""

    groups: list[list[str]] = field(default_factory=list)
    ties: list[Tie] = field(default_factory=list)


def resolve(
    tied: Sequence[list[str]], *, policy: TiePolicy, cut: int, rounds: Rounds, skip: AbstractSet[str] = frozenset()
) -> Order:
    """Order groups of equal standing by the tie-breaks played, and say which ties are open.

    `cut` is how many go on, not counting who is in `skip` (absent or put out: passed over, the cut moves down by as
    many). Places are those of the standings.
    """
    order = Order()
    standings = _Standings(policy=policy, cut=cut, rounds=rounds, skip=skip)
    waiting = [(group, 0) for group in reversed(tied)]
    taken = before = 0
    while waiting:
        group, level = waiting.pop()
        if len(group) == 1:
            order.groups.append(group)
            taken += 1
            before += group[0] not in skip
            continue
        parts = standings.play(group, level, taken, before, order)
        if parts:
            waiting += [(part, level + 1) for part in reversed(parts)]
        else:
            order.groups.append(group)
            taken += len(group)
            before += sum(who not in skip for who in group)
    return order


def game_sizes(players: int, most: int) -> list[int]:
    """Give the sizes of the games in which so many play off: as few as possible, as equal as possible (C6.1)."""
    games = -(-players // most)
    small, larger = divmod(players, games)
    return [small + 1] * larger + [small] * (games - larger)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Standings:
    policy: TiePolicy
    cut: int
    rounds: Rounds
    skip: AbstractSet[str]

    def play(self, group: list[str], level: int, taken: int, before: int, order: Order) -> list[list[str]]:
        """Give the parts into which a round splits a group, none when the group stays as it is."""
        playing = [who for who in group if who not in self.skip]
        reason = self.reason(len(playing), before)
        if reason is None:
            return []
        scores = {who: self.rounds[who][level] for who in group if len(self.rounds.get(who, ())) > level}
        if any(who not in scores for who in playing):
            places = tuple(range(taken + 1, taken + len(playing) + 1))
            order.ties.append(Tie(reason=reason, who=tuple(sorted(playing)), places=places))
            return []
        rest = sorted(set(group) - set(scores))
        return [*classes(scores), *([rest] if rest else [])]

    def reason(self, count: int, before: int) -> str | None:
        """Say what a tie of so many is called, None where nobody has to play it off."""
        if count < 2:
            return None
        if before + count <= self.cut:
            return self.policy.inside
        return self.policy.cut if before < self.cut else None
