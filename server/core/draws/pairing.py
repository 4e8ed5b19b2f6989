"""Groups for match play: who plays with whom in the next round, drawn by chance, by standing, or evenly.

Plain values in, a frozen draw out; nothing here knows a tournament. What came before is a list of groups, of any round,
a group of one being a bye. Who has dropped out is not among `players`, though he may be in the groups before; who came
late has fewer games in them. Invariants: everybody who is there is in one group or has the one bye; equal questions
with equal seeds have equal answers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from server.core.draws.pairing_chance import Chance
from server.core.draws.pairing_errors import PairingImpossible, check_names
from server.core.draws.pairing_groups import Wishes, arrange
from server.core.rules.ties import game_sizes

Style = Literal["random", "swiss", "balanced"]

MOST_IN_A_GROUP = 8
_ONE_PLACE = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """The groups, that of the best placed player first, inside each the better placed first.

    `bye` has no opponent in this round. `repeats` are the pairs that meet again, `short` the groups that have fewer
    players than asked for: both are for the desk to see before it accepts.
    """

    groups: tuple[tuple[str, ...], ...]
    bye: str | None
    repeats: tuple[tuple[str, str], ...]
    short: tuple[int, ...]


def group_sizes(players: int, size: int) -> list[int]:
    """Give the sizes of the groups, larger first: as many of `size` as can be, the others one less.

    Of four: 9 = 3+3+3, 10 = 4+3+3, and where that cannot be 5 = 3+2, 2, 1. Of two: an odd player has a bye, and is
    not in the sizes. Raises PairingImpossible for a size that is none.
    """
    if not 2 <= size <= MOST_IN_A_GROUP:
        raise PairingImpossible(f"a group has 2 to {MOST_IN_A_GROUP} players, not {size}")
    if size == 2:
        return [2] * (players // 2)
    return game_sizes(players, size) if players > 1 else []


def draw_groups(
    players: Sequence[str],
    size: int,
    seed: int,
    *,
    style: Style,
    points: Mapping[str, int] | None = None,
    before: Sequence[Sequence[str]] = (),
) -> Draw:
    """Draw the groups of the next round. `players` in order of standing, who is there now; any order for the first.

    - `random`: by chance alone.
    - `swiss`: who stands close together plays together. Equal `points` are equal standing, and chance decides between
      them; without `points` the order given counts. In groups of two nobody meets an opponent again as long as that
      can be; in larger groups meeting again counts as much as a distance of size x size x size places.
    - `balanced`: everybody meets everybody as evenly as can be, whatever the standing.

    The bye (groups of two, odd number) goes to one of those with most games, then fewest byes, then to the lowest in
    standing (`swiss`) or by chance. Groups one smaller than `size` fall, as far as can be, to those who were in fewest.
    Raises PairingImpossible for nobody at all, names that are there twice, more than 1000 players.
    """
    check_names(players, "player")
    group_sizes(len(players), size)
    if not players:
        raise PairingImpossible("there is nobody to draw")
    chance = Chance(seed)
    past = _Past(before)
    places = _places(players, points, style)
    bye = _bye(players, places, past, chance) if len(players) == 1 or (size == 2 and len(players) % 2) else None
    drawn = [who for who in chance.shuffled(players) if who != bye]
    drawn.sort(key=places.__getitem__)
    groups = _groups(drawn, size, style, places, past, chance)
    order = {who: number for number, who in enumerate(players)}
    sorted_groups = sorted((tuple(sorted(group, key=order.__getitem__)) for group in groups), key=lambda g: order[g[0]])
    return Draw(
        groups=tuple(sorted_groups),
        bye=bye,
        repeats=tuple(pair for group in sorted_groups for pair in _pairs(group) if past.met(*pair)),
        short=tuple(number for number, group in enumerate(sorted_groups) if len(group) < size),
    )


class _Past:
    """What the groups before say: who met whom how often, games, byes, and how often somebody's group was short."""

    __slots__ = ("byes", "games", "meetings", "short")

    def __init__(self, before: Sequence[Sequence[str]]) -> None:
        self.meetings: dict[tuple[str, str], int] = {}
        self.games: dict[str, int] = {}
        self.byes: dict[str, int] = {}
        self.short: dict[str, int] = {}
        largest = max(map(len, before), default=0)
        for group in before:
            tally = self.games if len(group) > 1 else self.byes
            for who in group:
                tally[who] = tally.get(who, 0) + 1
                if 1 < len(group) < largest:
                    self.short[who] = self.short.get(who, 0) + 1
            for one, other in _pairs(group):
                for pair in ((one, other), (other, one)):
                    self.meetings[pair] = self.meetings.get(pair, 0) + 1

    def met(self, one: str, other: str) -> int:
        return self.meetings.get((one, other), 0)


def _pairs(group: Sequence[str]) -> list[tuple[str, str]]:
    return [(one, other) for number, one in enumerate(group) for other in group[number + 1 :]]


def _places(players: Sequence[str], points: Mapping[str, int] | None, style: Style) -> dict[str, int]:
    """Give each the number of those before him: equal points, equal place. Nobody is before anybody unless `swiss`."""
    if style != "swiss":
        return dict.fromkeys(players, 0)
    if points is None:
        return {who: number for number, who in enumerate(players)}
    totals = sorted((points.get(who, 0) for who in players), reverse=True)
    first = {total: number for number, total in reversed(list(enumerate(totals)))}
    return {who: first[points.get(who, 0)] for who in players}


def _bye(players: Sequence[str], places: Mapping[str, int], past: _Past, chance: Chance) -> str:
    def claim(who: str) -> tuple[int, int, int]:
        return -past.games.get(who, 0), past.byes.get(who, 0), -places[who]

    return min(chance.shuffled(players), key=claim)


def _groups(
    drawn: list[str], size: int, style: Style, places: Mapping[str, int], past: _Past, chance: Chance
) -> list[list[str]]:
    """Cut the order into groups, and better that as the style wishes."""
    cuts, first = [], 0
    for length in group_sizes(len(drawn), size):
        cuts.append(list(range(first, first + length)))
        first += length
    if style == "random":
        full = sum(len(cut) for cut in cuts if len(cut) == size)
        spared = sorted(drawn, key=lambda who: -past.short.get(who, 0))[:full]
        last = sorted(drawn, key=lambda who: who not in spared)
        return [[last[number] for number in cut] for cut in cuts]
    repeat = len(drawn) * len(drawn) if style == "balanced" or size == 2 else size**3
    wishes = Wishes(
        apart=[places[who] for who in drawn],
        met=[[past.met(one, other) for other in drawn] for one in drawn],
        repeat=repeat,
        short=[past.short.get(who, 0) ** 2 * (repeat if style == "balanced" else _ONE_PLACE) for who in drawn],
        size=size,
    )
    return [[drawn[number] for number in group] for group in arrange(cuts, wishes, chance)]
