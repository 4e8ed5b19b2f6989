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
from server.core.rules.qualifying import first_final, tiebreak_most
from server.core.rules.ranking import classes
from server.core.rules.results import OpenTie, StageResult
from server.core.rules.state import Division, Stage, State
from server.core.rules.tables import Kept, Table, ranked
from server.core.rules.ties import Tie, game_sizes, resolve

AT_THE_TOP = TiePolicy(cut="cut", inside="cut")
MOST_ENDS = 200
"""So many ends of open ties are looked at, each for itself: five who are equal have 120."""


@dataclass(slots=True, kw_only=True)
class Seat:
    """One machine's place: its order, groups of players who are equal there, who may hold it, who holds it."""

    number: int
    machine: str
    order: list[list[str]]
    scores: dict[str, int]
    holder: str | None = None
    tie: tuple[str, ...] = ()

    def ahead(self, who: str) -> tuple[bool, Fraction]:
        """L7: how far ahead of the next player, as the ratio of the scores; infinitely far where there is none.

        An equal who is not placed above is the next player, whatever his id.
        """
        own = next(place for place, group in enumerate(self.order) if who in group)
        behind = (other for group in self.order[own:] for other in group if other != who)
        second = next((self.scores[other] for other in behind), 0)
        return (True, Fraction(0)) if second == 0 else (False, Fraction(self.scores[who], second))

    def first(self, busy: AbstractSet[str], out: AbstractSet[str]) -> tuple[str, ...]:
        """Give the best who are in neither set, several where they are equal and have to play it off.

        `busy` are passed over. Who is in `out` plays nothing off (L9): his equals come before him.
        """
        free = ([who for who in group if who not in busy] for group in self.order)
        best = next((group for group in free if group), [])
        return tuple(who for who in best if who not in out) or tuple(best[:1])


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
    seats = _give_out(_seats(state, stage, kept.best, out), out)
    most = tiebreak_most(state, division.name)
    for seat in seats:
        if seat.tie:
            flat = [who for group in seat.order for who in group]
            first = min(flat.index(who) for who in seat.tie) + 1
            tie = Tie(reason="cut", who=tuple(sorted(seat.tie)), places=tuple(range(first, first + len(seat.tie))))
            result.ties.append(OpenTie(tie=tie, sizes=game_sizes(len(seat.tie), most), machine=seat.machine))
    result.seats = tuple(seat.holder for seat in seats)
    result.advance = tuple(who for who in result.seats if who is not None)
    result.rest = tuple(who for who in ranks if who not in result.advance)
    result.settled = not result.ties
    return result


def _seats(state: State, stage: Stage, table: Table, out: AbstractSet[str]) -> list[Seat]:
    """Give the places in order of the machines' numbers, each with its players in order, tie-breaks played in."""
    numbered = sorted((machine.number, name) for name, machine in state.machines.items() if machine.number)
    seats = []
    for number, name in numbered:
        scores = table.get(name, ({}, {}))[0]
        played = [game for game in stage.tiebreaks if counts_on(stage, game.machine.head.id) == name]
        rounds = rounds_of(state, played, stage.draws)
        skip = out - rounds.keys()
        order = resolve(classes(scores), policy=AT_THE_TOP, cut=len(scores), rounds=rounds, skip=skip).groups
        seats.append(Seat(number=number, machine=name, order=order, scores=dict(scores)))
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
    """Give a place as it is when the tie at its top has ended so; the rest of its order stays."""
    end = ends.get(seat.number, ())
    rest = [[who for who in group if who not in end] for group in seat.order]
    return replace(seat, tie=(), order=[*([who] for who in end), *(group for group in rest if group)])


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
