"""Ranking: positions with ties, points for positions, the best score of each player (C2).

Pure functions over plain dictionaries. Invariant: no result depends on names or on the order in which they came.
"""

from collections.abc import Collection, Iterable, Mapping


def classes(values: Mapping[str, int]) -> list[list[str]]:
    """Group who has equal values, the greatest value first; inside a group in order of id."""
    by_value: dict[int, list[str]] = {}
    for who, value in values.items():
        by_value.setdefault(value, []).append(who)
    return [sorted(by_value[value]) for value in sorted(by_value, reverse=True)]


def positions(groups: Iterable[Iterable[str]]) -> dict[str, int]:
    """Give each the position 1 + the number of those before its group: 1, 1, 3."""
    found: dict[str, int] = {}
    for group in groups:
        first = len(found) + 1
        found.update(dict.fromkeys(group, first))
    return found


def without(ranks: Mapping[str, int], out: Collection[str]) -> dict[str, int]:
    """Give the ranks of the others as if who is `out` had not been there: he leaves no hole."""
    gone = [rank for who, rank in ranks.items() if who in out]
    return {who: rank - sum(other < rank for other in gone) for who, rank in ranks.items() if who not in out}


def points_at(table: tuple[int, ...], position: int, tied: int, policy: str) -> int:
    """Give the points of a position shared by `tied` players: the best one's, or with `low` the last one's (C2.2)."""
    index = position - 1 if policy == "high" else position + tied - 2
    return table[index] if index < len(table) else 0


def rank_machine(scores: Mapping[str, int], table: tuple[int, ...], policy: str) -> dict[str, tuple[int | None, int]]:
    """Rank the scores of one machine: (position, points) for each. A score of 0 takes no position (C2.4)."""
    ordered = sorted(scores, key=scores.__getitem__, reverse=True)
    found: dict[str, tuple[int | None, int]] = {}
    first = 0
    while first < len(ordered):
        score = scores[ordered[first]]
        if score <= 0:
            found.update(dict.fromkeys(ordered[first:], (None, 0)))
            break
        end = first + 1
        while end < len(ordered) and scores[ordered[end]] == score:
            end += 1
        standing = (first + 1, points_at(table, first + 1, end - first, policy))
        for who in ordered[first:end]:
            found[who] = standing
        first = end
    return found
