"""Who sits where in a stage after the first: groups dealt from seats, stand-ins for who is absent (E3.1, E3.3, L11).

Invariant: a stand-in who has played keeps the seat in which he played, and nobody sits twice.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from server.core.rules.groups import Group
from server.core.rules.presets import StageForm
from server.core.rules.state import Stage

Seats = tuple[str | None, ...]
"""The players of a stage by seat, None where a seat is empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """Seats with their stand-ins (absent player → stand-in), and the tied stand-bys among whom officials must draw."""

    seats: Seats
    stand_ins: Mapping[str, str]
    undrawn: tuple[str, ...] = ()


def deal(form: StageForm, seats: Seats) -> list[Group]:
    """Give the groups of a stage: `halves` cuts the seats in as many parts as there are names, `interleave` deals them.

    1 to 16 and 17 to 32 (E3.1), or 1 3 5 7 and 2 4 6 8 (U5.1, E4.1). Empty seats leave a group smaller.
    """
    count = len(form.names)
    if form.split == "interleave":
        parts = [seats[first::count] for first in range(count)]
    else:
        size = -(-len(seats) // count)
        parts = [seats[first * size : (first + 1) * size] for first in range(count)]
    return [(name, tuple(who for who in part if who)) for name, part in zip(form.names, parts, strict=True)]


def fill(form: StageForm, stage: Stage, seeds: Sequence[str], standby: Sequence[Sequence[str]], *, most: int) -> Filled:
    """Fill the seats of who is absent with stand-bys, groups of equal rank in `standby`, the best first (E3.3, E3.4).

    The last round's group is played first, so its seats are filled first; in a group the best seat is. Where the next
    stand-bys are tied the seats stay empty until officials have drawn. At most `most` stand-bys come in.
    """
    taken = {seat: who for seat, who in stage.stand_ins.items() if seat in stage.absent and who not in stage.absent}
    queue = [[who for who in tied if who not in stage.absent and who not in taken.values()] for tied in standby]
    queue = [tied for tied in queue if tied]
    undrawn: tuple[str, ...] = ()
    vacant = [who for _, group in reversed(deal(form, tuple(seeds))) for who in group if who in stage.absent]
    for seat in vacant:
        if seat in taken:
            continue
        if not queue or len(taken) >= most:
            break
        if len(queue[0]) > 1:
            undrawn = tuple(queue[0])
            break
        taken[seat] = queue.pop(0)[0]
    seats = tuple(taken.get(who) if who in stage.absent else who for who in seeds)
    return Filled(seats=seats, stand_ins=taken, undrawn=undrawn)
