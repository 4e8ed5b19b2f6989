"""Single elimination: who meets whom, who comes next, and which places stand.

The tree is drawn for a number of seeds; players and winners come as plain values each time it is asked about, so that a
corrected result simply gives another answer. Invariants: the best seeds have the byes and meet as late as can be; a
winner who is not in his match decides nothing, and is named instead of dropped.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from server.core.draws.pairing_errors import PairingImpossible, check_names

MOST_SEEDS = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a player of a match comes from: a seed (from 1), or the winner or loser of another match."""

    by: Literal["seed", "winner", "loser"]
    of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """One match. `id` is `r1-3` (round, number in the round; byes leave gaps), `final` or `third`.

    `loser_place` is shared by the losers of a round; where `winner_to` is None the winner's place is one better.
    `winner_to` and `loser_to` name the matches that they go on to, None where they have reached their place.
    """

    id: str
    round: int
    sources: tuple[Source, Source]
    loser_place: int
    winner_to: str | None
    loser_to: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixture:
    """A match with who is known: `players` as in the sources, None where that match is still to be played."""

    match: Match
    players: tuple[str | None, str | None]
    winner: str | None

    @property
    def loser(self) -> str | None:
        """Who lost, None while it is open."""
        if self.winner is None:
            return None
        return self.players[1] if self.players[0] == self.winner else self.players[0]

    @property
    def open(self) -> bool:
        """Both players are there and nobody has won yet."""
        return self.winner is None and None not in self.players


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """All matches in order of play; the places that stand, shared ones by several; what does not fit, in words."""

    fixtures: tuple[Fixture, ...]
    places: Mapping[str, int]
    conflicts: tuple[str, ...]


def seed_order(size: int) -> list[int]:
    """Give the seeds from the top of the tree to its foot; `size` is a power of two: 8 gives 1 8 4 5 2 7 3 6."""
    order = [1]
    while len(order) < size:
        order = [seed for high in order for seed in (high, 2 * len(order) + 1 - high)]
    return order


def draw_bracket(seeds: int, *, third_place: bool = False) -> tuple[Match, ...]:
    """Draw the tree for so many seeds, in order of play; `third_place` adds a match of the semifinals' losers.

    With 3 seeds there is one semifinal, so no third match. Raises PairingImpossible but for 2 to 256 seeds.
    """
    if not 2 <= seeds <= MOST_SEEDS:
        raise PairingImpossible(f"single elimination is for 2 to {MOST_SEEDS} players, not {seeds}")
    size = 1 << (seeds - 1).bit_length()
    third = third_place and seeds >= 4
    line = [Source(by="seed", of=str(seed)) if seed <= seeds else None for seed in seed_order(size)]
    matches: list[Match] = []
    number = 0
    while len(line) > 1:
        number += 1
        following: list[Source | None] = []
        for place in range(0, len(line), 2):
            high, low = line[place], line[place + 1]
            if high is None or low is None:
                following.append(high or low)
                continue
            name = _name(number, place // 2, len(line) // 2)
            after = None if len(line) == 2 else _name(number + 1, place // 4, len(line) // 4)
            lost = "third" if third and len(line) == 4 else None
            goes_out_at = len(line) // 2 + 1
            matches.append(
                Match(
                    id=name,
                    round=number,
                    sources=(high, low),
                    loser_place=goes_out_at,
                    winner_to=after,
                    loser_to=lost,
                )
            )
            following.append(Source(by="winner", of=name))
        line = following
    return (*matches[:-1], *(_third(matches) if third else ()), matches[-1])


def follow(bracket: Sequence[Match], players: Sequence[str], winners: Mapping[str, str]) -> Progress:
    """Say how a bracket stands. `players` in order of seed, `winners` by match id, as they were recorded.

    A winner recorded for a match that he is not in (any more), that is not open yet, or that does not exist is a
    conflict: the match stays open, and an official is to decide. Raises PairingImpossible where the players are not
    as many as the bracket's seeds.
    """
    check_names(players, "player", MOST_SEEDS)
    seeds = {source.of for match in bracket for source in match.sources if source.by == "seed"}
    if len(seeds) != len(players):
        raise PairingImpossible(f"the bracket is for {len(seeds)} players: there are {len(players)}")
    fixtures: dict[str, Fixture] = {}
    places: dict[str, int] = {}
    conflicts = [f"there is no match {name}, won by {who}" for name, who in sorted(winners.items())
                 if name not in {match.id for match in bracket}]  # fmt: skip
    for match in bracket:
        here = _arrive(match.sources[0], players, fixtures), _arrive(match.sources[1], players, fixtures)
        winner = winners.get(match.id)
        if winner is not None and (None in here or winner not in here):
            conflicts.append(_conflict(match, here, winner))
            winner = None
        fixture = Fixture(match=match, players=here, winner=winner)
        fixtures[match.id] = fixture
        if winner is not None and match.winner_to is None:
            places[winner] = match.loser_place - 1
        if fixture.loser is not None and match.loser_to is None:
            places[fixture.loser] = match.loser_place
    return Progress(fixtures=tuple(fixtures.values()), places=places, conflicts=tuple(conflicts))


def _name(number: int, place: int, matches: int) -> str:
    return "final" if matches == 1 else f"r{number}-{place + 1}"


def _third(matches: Sequence[Match]) -> tuple[Match, ...]:
    one, other = (Source(by="loser", of=match.id) for match in matches[-3:-1])
    third = Match(
        id="third", round=matches[-1].round, sources=(one, other), loser_place=4, winner_to=None, loser_to=None
    )
    return (third,)


def _arrive(source: Source, players: Sequence[str], fixtures: Mapping[str, Fixture]) -> str | None:
    if source.by == "seed":
        return players[int(source.of) - 1]
    earlier = fixtures[source.of]
    return earlier.winner if source.by == "winner" else earlier.loser


def _conflict(match: Match, here: tuple[str | None, str | None], winner: str) -> str:
    if None in here:
        waiting = " and ".join(source.of for source, who in zip(match.sources, here, strict=True) if who is None)
        return f"{match.id}: {winner} is recorded as its winner, but {waiting} must be decided first"
    return f"{match.id}: {winner} is recorded as its winner, but it is between {here[0]} and {here[1]}"
