"""Draws of rounds: who plays in the next one, with whom, on which machine (MP4, MP5).

The drawing itself is in `pairing` and `pairing_machines`; here a tournament's state becomes their question. Invariant:
a draw hangs on what was played, who is there, and the seed: the same log gives the same draw.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from server.core.draws.pairing import draw_groups
from server.core.draws.pairing_errors import MOST_PLAYERS, PairingImpossible
from server.core.draws.pairing_machines import draw_machines
from server.core.rules.acts import Pairing
from server.core.rules.rounds_games import has_played, is_away
from server.core.rules.state import Stage, State

Met = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """The groups of a round, a group of one being a bye; or why there are none."""

    pairings: tuple[Pairing, ...] = ()
    problem: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a draw hangs on: players in order of standing, the points by which they stand, and what was before."""

    players: tuple[str, ...]
    points: tuple[int, ...]
    before: Met
    machines: tuple[str, ...]
    played: tuple[tuple[str, tuple[str, ...]], ...]
    size: int
    style: str
    seed: int


def field_of_round(state: State, stage: Stage, number: int, out: Mapping[str, int]) -> list[str]:
    """Give who is there for a round, in the order of the file (MP5).

    Where the log registers anybody, those whom it has registered by then and those who have played; else everybody of
    the file. Who has withdrawn, was put out or is `out` by strikes is not.
    """
    everybody = state.players.values()
    registering = any(player.registered for player in everybody)
    return [
        who
        for who, player in state.players.items()
        if (player.registered or not registering or has_played(player, stage))
        and not player.is_out(stage.division)
        and who not in out
        and not is_away(stage, who, number)
    ]


def question_of(
    state: State,
    stage: Stage,
    number: int,
    players: Sequence[str],
    standing: Mapping[str, int],
    before: Sequence[Sequence[str]],
) -> Question:
    """Say what a round is to be drawn from. `standing` is the more the better, `before` groups and byes so far.

    Of equal standing the ids decide about the order, from which chance goes on: that of the file says nothing.
    """
    settings = state.settings
    order = sorted(players, key=lambda who: (-standing.get(who, 0), who))
    return Question(
        players=tuple(order),
        points=tuple(standing.get(who, 0) for who in order),
        before=tuple(tuple(group) for group in before),
        machines=tuple(
            name
            for name, machine in state.machines.items()
            if machine.status == "up" and name not in stage.shut and machine.division == stage.division
        ),
        played=tuple(
            (game.machine.head.id, game.who)
            for earlier in range(1, number)
            for game in stage.book.games.get(earlier, ())
        ),
        size=settings.group_size,
        style=settings.pairing,
        seed=settings.schedule_seed * 1_000_003 + number,
    )


def draw_of(stage: Stage, number: int) -> Drawn:
    """Give the draw of a round that has begun, which is kept with it; nothing where it was played without one."""
    question, book = stage.book.drawn.get(number), stage.book
    if question is None:
        return Drawn()
    if number not in book.draws:
        book.draws[number] = draw(question)
    return book.draws[number]


def drawn_with_others(stage: Stage, number: int) -> frozenset[str]:
    """Give who has somebody to play with in the draw of a round that has begun, without drawing if that can be."""
    question = stage.book.drawn.get(number)
    if question is None or len(question.players) < 2:
        return frozenset()
    even = question.size > 2 or len(question.players) % 2 == 0
    if even and max(len(question.players), len(question.machines)) <= MOST_PLAYERS:
        return frozenset(question.players)
    pairings = draw_of(stage, number).pairings
    return frozenset(who for pairing in pairings if len(pairing.players) > 1 for who in pairing.players)


@lru_cache(maxsize=32)
def draw(question: Question) -> Drawn:
    """Draw the groups of a round and their machines; the same question has the same answer."""
    if len(question.players) < 2:
        return Drawn(problem=None if question.players else "there is nobody to draw")
    try:
        groups = draw_groups(
            question.players,
            question.size,
            question.seed,
            style=question.style,  # type: ignore[arg-type]
            points=dict(zip(question.players, question.points, strict=True)),
            before=question.before,
        )
        seats = (
            draw_machines(groups.groups, question.machines, question.seed, before=question.played)
            if question.machines
            else ()
        )
    except PairingImpossible as error:
        return Drawn(problem=str(error))
    on = {seat.group: seat.machine for seat in seats}
    pairings = [
        Pairing(players=group, machine=on.get(group), group=str(index)) for index, group in enumerate(groups.groups, 1)
    ]
    if groups.bye is not None:
        pairings.append(Pairing(players=(groups.bye,), group="bye"))
    return Drawn(pairings=tuple(pairings))
