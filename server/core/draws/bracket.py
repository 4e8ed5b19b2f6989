"""Single elimination: the tree of matches for a number of seeds, who meets whom and which places it gives.

Nothing here knows who plays, or who has won: the rules do. Invariant: the best seeds have the byes and meet as late as
can be.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from server.core.draws.pairing_errors import PairingImpossible

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


def _name(number: int, place: int, matches: int) -> str:
    return "final" if matches == 1 else f"r{number}-{place + 1}"


def _third(matches: Sequence[Match]) -> tuple[Match, ...]:
    one, other = (Source(by="loser", of=match.id) for match in matches[-3:-1])
    third = Match(
        id="third", round=matches[-1].round, sources=(one, other), loser_place=4, winner_to=None, loser_to=None
    )
    return (third,)
