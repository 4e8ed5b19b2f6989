"""Matching: the cheapest assignment of rows to columns, and the most pairs that can be made of allowed ones.

Pure functions over numbers. Invariant: the answers are exact, and the same for the same input.
"""

from collections import deque
from collections.abc import Sequence


def cheapest(costs: Sequence[Sequence[int]]) -> list[int]:
    """Give each row a column of its own so that the sum is least: the column of row 0, of row 1, …

    `costs[row][column]`, whole numbers; as many columns as rows, or more. The Hungarian method with potentials
    (Kuhn 1955, Munkres 1957): rows times rows times columns steps.
    """
    width = len(costs[0]) if costs else 0
    row_of = [-1] * (width + 1)
    of_row, of_column = [0] * len(costs), [0] * (width + 1)
    for row in range(len(costs)):
        row_of[width] = row
        at, came_from = _nearest_free(costs, row_of, of_row, of_column)
        while at != width:
            before = came_from[at]
            row_of[at], at = row_of[before], before
    chosen = [0] * len(costs)
    for column in range(width):
        if row_of[column] >= 0:
            chosen[row_of[column]] = column
    return chosen


def most_pairs(allowed: Sequence[Sequence[int]]) -> list[int]:
    """Pair up as many as can be: the partner of each, -1 for who is left over.

    `allowed[one]` lists who may be paired with `one`, preferred first, both ways. Edmonds' blossoms (1965): no pairing
    makes more pairs. The preferences only say where the search begins.
    """
    partner = [-1] * len(allowed)
    for one, others in enumerate(allowed):
        free = next((other for other in others if partner[other] < 0), None) if partner[one] < 0 else None
        if free is not None:
            partner[one], partner[free] = free, one
    for one in range(len(allowed)):
        if partner[one] < 0:
            _augment(allowed, partner, one)
    return partner


def _nearest_free(
    costs: Sequence[Sequence[int]], row_of: list[int], of_row: list[int], of_column: list[int]
) -> tuple[int, list[int]]:
    """Find the free column that is nearest to the row waiting in the last place; give it and the way back."""
    start = len(of_column) - 1
    at, came_from = start, [start] * start
    slack: list[int | None] = [None] * start
    reached, far = [start], set(range(start))
    while True:
        line, base = costs[row_of[at]], of_row[row_of[at]]
        step, nearest = 0, -1
        for column in sorted(far):
            reduced = line[column] - base - of_column[column]
            known = slack[column]
            if known is None or reduced < known:
                slack[column], came_from[column], known = reduced, at, reduced
            if nearest < 0 or known < step:
                step, nearest = known, column
        for column in reached:
            of_row[row_of[column]] += step
            of_column[column] -= step
        for column in far:
            slack[column] = (slack[column] or 0) - step
        if row_of[nearest] < 0:
            return nearest, came_from
        at = nearest
        reached.append(at)
        far.discard(at)


def _augment(allowed: Sequence[Sequence[int]], partner: list[int], root: int) -> None:
    """Grow a tree of alternating paths from `root`; where it reaches somebody free, turn the path over."""
    parent, base = [-1] * len(allowed), list(range(len(allowed)))
    even = [False] * len(allowed)
    even[root] = True
    waiting = deque([root])
    while waiting:
        one = waiting.popleft()
        for other in allowed[one]:
            if base[one] == base[other] or partner[one] == other:
                continue
            if other == root or (partner[other] >= 0 and parent[partner[other]] >= 0):
                waiting.extend(_shrink(one, other, partner, parent, base, even))
            elif parent[other] < 0:
                parent[other] = one
                if partner[other] < 0:
                    _turn(other, partner, parent)
                    return
                even[partner[other]] = True
                waiting.append(partner[other])


def _turn(end: int, partner: list[int], parent: list[int]) -> None:
    while end >= 0:
        one = parent[end]
        following = partner[one]
        partner[end], partner[one] = one, end
        end = following


def _shrink(
    one: int, other: int, partner: list[int], parent: list[int], base: list[int], even: list[bool]
) -> list[int]:
    """Take an odd circle for one place; give who can now be reached as the end of an even path."""
    stem = _meeting(one, other, partner, parent, base)
    inside = [False] * len(base)
    for start, child in ((one, other), (other, one)):
        at, below = start, child
        while base[at] != stem:
            inside[base[at]] = inside[base[partner[at]]] = True
            parent[at] = below
            below = partner[at]
            at = parent[below]
    new = []
    for each in range(len(base)):
        if inside[base[each]]:
            base[each] = stem
            if not even[each]:
                even[each] = True
                new.append(each)
    return new


def _meeting(one: int, other: int, partner: list[int], parent: list[int], base: list[int]) -> int:
    seen = set()
    at = base[one]
    while True:
        seen.add(at)
        if partner[at] < 0:
            break
        at = base[parent[partner[at]]]
    at = base[other]
    while at not in seen:
        at = base[parent[partner[at]]]
    return at
