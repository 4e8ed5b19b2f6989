"""The best player of each machine goes on (L6 to L10): who leads several keeps one, the others pass on.

Ratios are compared as whole numbers. Invariant: nobody holds two machines, and a machine is given only when no tie that
is still to be played can change to whom.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations, product
from math import factorial, prod

from server.core.rules.attempts import counts_on
from server.core.rules.groups import rounds_of
from server.core.rules.presets import TiePolicy
from server.core.rules.qualifying import first_final, play_offs
from server.core.rules.ranking import classes
from server.core.rules.results import StageResult
from server.core.rules.state import Division, Stage, State
from server.core.rules.tables import Kept, Table, ranked
from server.core.rules.ties import Rounds, Tie, resolve

AT_THE_TOP = TiePolicy(cut="cut", inside="cut")
MOST_ENDS = 200
"""So many ends of open ties are looked at, each for itself: five who are equal have 120."""


@dataclass(slots=True, kw_only=True)
class Seat:
    """One machine's place: groups of players of equal score, their tie-breaks on it, who holds the place.

    `tie` are those who are equal as the best who may hold it.
    """

    number: int
    machine: str
    order: list[list[str]]
    scores: Mapping[str, int]
    rounds: Rounds
    holder: str | None = None
    tie: tuple[str, ...] = ()

    def ahead(self, who: str) -> tuple[bool, Fraction]:
        """L7: how far ahead of the next player, as the ratio of the scores; infinitely far where there is none.

        An equal who is not placed above is the next player, whatever his id.
        """
        own = next(place for place, group in enumerate(self.order) if who in group)
        equals = (other for other in self.order[own] if other != who and not self._above(other, who))
        second = next((self.scores[other] for group in (equals, *self.order[own + 1 :]) for other in group), 0)
        return (True, Fraction(0)) if second == 0 else (False, Fraction(self.scores[who], second))

    def first(self, busy: AbstractSet[str], out: AbstractSet[str]) -> tuple[str, ...]:
        """Give the best who is not `busy`, several where they are equal and have to play it off.

        Only they have to: not who is passed over, nor who is in `out` (L9), whose equals come before him.
        """
        free = ([who for who in group if who not in busy] for group in self.order)
        best = next((group for group in free if group), [])
        able = [who for who in best if who not in out] or best[:1]
        return tuple(resolve([able], policy=AT_THE_TOP, cut=len(able), rounds=self.rounds).groups[0]) if able else ()

    def places(self) -> tuple[int, ...]:
        """Give the places on the machine that the tie is about."""
        group = next(group for group in self.order if self.tie[0] in group)
        before = sum(len(better) for better in self.order[: self.order.index(group)])
        before += sum(self._above(other, self.tie[0]) for other in group if other not in self.tie)
        return tuple(range(before + 1, before + 1 + len(self.tie)))

    def _above(self, other: str, who: str) -> bool:
        """Say whether an equal has been ahead in the tie-breaks."""
        return tuple(self.rounds.get(other, ())) > tuple(self.rounds.get(who, ()))


def winners_result(state: State, division: Division) -> StageResult:
    """Rank a stage of which the best of each machine go on. Rows are in order of a player's best place on a machine."""
    stage = division.qualifying
    following = first_final(state, division, state.settings.bank)
    kept = ranked(state, division)
    rows = _standings(kept)
    ranks: dict[str, int] = {str(row["who"]): row["rank"] for row in rows}  # type: ignore[misc]
    result = StageResult(stage=stage, rows=rows, ranks=ranks, following=() if following is None else (following,))
    result.players, result.tables = tuple(ranks), dict(kept.tables)
    if not stage.closed:
        return result
    absent = set(following.absent) if following is not None else set()
    out = {who for who in ranks if state.players[who].is_out(division.name)} | absent
    if following is not None and following.seeds is not None:
        out -= set(following.seeds)
    seats = _give_out(_seats(state, stage, kept.best), out)
    for seat in seats:
        if seat.tie:
            tie = Tie(reason="cut", who=tuple(sorted(seat.tie)), places=seat.places())
            result.ties += play_offs(state, division.name, [tie], machine=seat.machine)
    empty = (None,) * (state.settings.bank - len(seats))  # L11: the halves are those of the whole bank
    result.seats = (*(seat.holder for seat in seats), *empty)
    result.advance = tuple(who for who in result.seats if who is not None)
    result.rest = tuple(who for who in ranks if who not in result.advance)
    result.settled = not result.ties
    return result


def _seats(state: State, stage: Stage, table: Table) -> list[Seat]:
    """Give the places in order of the machines' numbers."""
    numbered = sorted((machine.number, name) for name, machine in state.machines.items() if machine.number)
    seats = []
    for number, name in numbered:
        scores = table.get(name, ({}, {}))[0]
        played = [game for game in stage.tiebreaks if counts_on(stage, game.machine.head.id) == name]
        rounds = rounds_of(state, played, stage.draws)
        seats.append(Seat(number=number, machine=name, order=classes(scores), scores=dict(scores), rounds=rounds))
    return seats


def _give_out(seats: list[Seat], out: AbstractSet[str]) -> list[Seat]:
    """Give the places as far as they are certain: while ties at the top are open, those that every end of them gives.

    Who is in such a tie has none before it is played off (C4.9). Where there are too many ends to look at each, only
    who leads a machine alone is certain of a place.
    """
    for seat in seats:
        top = seat.first(frozenset(), out)
        seat.tie = top if len(top) > 1 else ()
    tied = [seat for seat in seats if seat.tie]
    if not tied:
        _fill(seats, out)
        return seats
    if prod(factorial(len(seat.tie)) for seat in tied) > MOST_ENDS:
        _lead(seats, out)
        _vacate(seats, out)
        return seats
    numbers = [seat.number for seat in tied]
    ends = [
        _fill([_played_off(seat, dict(zip(numbers, end, strict=True))) for seat in seats], out)
        for end in product(*(permutations(seat.tie) for seat in tied))
    ]
    pending = {who for seat in tied for who in seat.tie}
    for index, seat in enumerate(seats):
        holders = {end[index] for end in ends}
        seat.holder = holders.pop() if len(holders) == 1 and not holders & pending else None
    return seats


def _played_off(seat: Seat, ends: Mapping[int, tuple[str, ...]]) -> Seat:
    """Give a place as it is when the tie at its top has ended so: one more round, won by the first."""
    end = ends.get(seat.number, ())
    fresh = {who: (*seat.rounds.get(who, ()), len(end) - place) for place, who in enumerate(end)}
    return replace(seat, tie=(), rounds={**seat.rounds, **fresh})


def _fill(seats: list[Seat], out: AbstractSet[str]) -> list[str | None]:
    """L7 to L9: the leaders first, then what they pass on, then what those leave who cannot take part."""
    _lead(seats, out)
    _pass_on(seats, frozenset(), out)
    _vacate(seats, out)
    _pass_on(seats, out, out)
    return [seat.holder for seat in seats]


def _lead(seats: list[Seat], out: AbstractSet[str]) -> None:
    """L6, L7: who leads machines gets one; not who is tied for one, of whom it is not known yet which he leads."""
    led: dict[str, list[Seat]] = {}
    for seat in seats:
        if not seat.tie and (top := seat.first(frozenset(), out)):
            led.setdefault(top[0], []).append(seat)
    pending = {who for seat in seats for who in seat.tie}
    for who in led.keys() - pending:
        _farthest(led[who], who).holder = who


def _vacate(seats: list[Seat], out: AbstractSet[str]) -> None:
    for seat in seats:
        if seat.holder in out:
            seat.holder = None


def _pass_on(seats: list[Seat], passed: AbstractSet[str], out: AbstractSet[str]) -> None:
    """L8: a place goes to the best on that machine who holds none; who would get several keeps one by L7."""
    while True:
        busy = {seat.holder for seat in seats if seat.holder is not None} | passed
        wanted: dict[str, list[Seat]] = {}
        for seat in seats:
            if seat.holder is not None or seat.tie:
                continue
            best = seat.first(busy, out)
            if len(best) > 1:
                seat.tie = best
            elif best:
                wanted.setdefault(best[0], []).append(seat)
        given = wanted.keys() - {who for seat in seats for who in seat.tie}
        if not given:
            return
        for who in given:
            _farthest(wanted[who], who).holder = who


def _farthest(led: Sequence[Seat], who: str) -> Seat:
    """L7: the machine on which a player is farthest ahead; equally far, the lower number."""
    return max(led, key=lambda seat: (seat.ahead(who), -seat.number))


def _standings(kept: Kept) -> list[dict[str, object]]:
    """Give a row for each player: the rank and the score of his best place on a machine, and all his machines."""
    ranks: dict[str, int] = {who: row["rank"] for who, row in kept.tops.items()}  # type: ignore[misc]
    return [
        {"rank": ranks[who], "who": who, "score": kept.tops[who]["score"], "machines": kept.lines[who]}
        for who in sorted(ranks, key=lambda who: (ranks[who], who))
    ]
