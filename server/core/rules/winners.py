"""The best player of each machine goes on (L6 to L10): who leads several keeps one, the others pass on.

Ratios are compared as whole numbers. Invariant: nobody holds two machines, and a machine is given only when no tie that
is still to be played can change to whom.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from fractions import Fraction

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


@dataclass(slots=True, kw_only=True)
class Places:
    """All places while they are given out. `pending` are players of whom it is not known yet what they will hold."""

    seats: list[Seat]
    pending: set[str] = field(default_factory=set)

    def holders(self) -> set[str]:
        """Give who holds a place."""
        return {seat.holder for seat in self.seats if seat.holder is not None}


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
    places = _give_out(_seats(state, stage, kept.best), out)
    most = tiebreak_most(state, division.name)
    for seat in places.seats:
        if seat.tie:
            flat = [who for group in seat.order for who in group]
            first = min(flat.index(who) for who in seat.tie) + 1
            tie = Tie(reason="cut", who=tuple(sorted(seat.tie)), places=tuple(range(first, first + len(seat.tie))))
            result.ties.append(OpenTie(tie=tie, sizes=game_sizes(len(seat.tie), most), machine=seat.machine))
    result.seats = tuple(seat.holder for seat in places.seats)
    result.advance = tuple(who for who in result.seats if who is not None)
    result.rest = tuple(who for who in ranks if who not in result.advance)
    result.settled = not result.ties
    return result


def _seats(state: State, stage: Stage, table: Table) -> list[Seat]:
    """Give the places in order of the machines' numbers, each with its players in order, tie-breaks played in."""
    numbered = sorted((machine.number, name) for name, machine in state.machines.items() if machine.number)
    seats = []
    for number, name in numbered:
        scores = table.get(name, ({}, {}))[0]
        played = [game for game in stage.tiebreaks if counts_on(stage, game.machine.head.id) == name]
        rounds = rounds_of(state, played, stage.draws)
        order = resolve(classes(scores), policy=AT_THE_TOP, cut=len(scores), rounds=rounds).groups
        seats.append(Seat(number=number, machine=name, order=order, scores=dict(scores)))
    return seats


def _give_out(seats: list[Seat], out: AbstractSet[str]) -> Places:
    """L7 to L9: the leaders first, then what they pass on, then what those leave who cannot take part."""
    places = Places(seats=seats)
    leaders: dict[str, list[Seat]] = {}
    for seat in seats:
        top = seat.order[0] if seat.order else []
        if len(top) > 1:
            seat.tie = tuple(top)
            places.pending |= set(top)
        elif top:
            leaders.setdefault(top[0], []).append(seat)
    for who, led in leaders.items():
        if who in places.pending:
            continue
        _farthest(led, who).holder = who
    if places.pending:  # what is passed on hangs on the ties
        _vacate(places, out)
        return places
    _pass_on(places, frozenset())
    _vacate(places, out)
    _pass_on(places, out)
    return places


def _vacate(places: Places, out: AbstractSet[str]) -> None:
    for seat in places.seats:
        if seat.holder in out:
            seat.holder = None


def _pass_on(places: Places, out: AbstractSet[str]) -> None:
    """L8: a place goes to the best on that machine who holds none; who would get several keeps one by L7."""
    while True:
        holders = places.holders()
        wanted: dict[str, list[Seat]] = {}
        for seat in places.seats:
            if seat.holder is not None or seat.tie:
                continue
            free = ([who for who in group if who not in holders and who not in out] for group in seat.order)
            best = next((group for group in free if group), [])
            if len(best) > 1:
                seat.tie = tuple(best)
                places.pending |= set(best)
            elif best:
                wanted.setdefault(best[0], []).append(seat)
        given = {who: led for who, led in wanted.items() if who not in places.pending}
        if not given:
            return
        for who, led in given.items():
            _farthest(led, who).holder = who


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
