"""What people say at a machine in place of a reader: the same facts, from the agent `:manual`.

Questions about them for deciders and pages alike; decided is in `decide_manual`. The invariant: a fact by hand is taken
as an agent's is, so matching, review and rules are the same.
"""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from server.core.venue.events import FactTaken
from server.core.venue.games import MANUAL
from server.core.venue.outcomes import Actor
from server.core.venue.state import Game, LogEntry, Machine, State

TAKE_BACK_MS = 15 * 60_000
"""How long who typed a game may take it back without an official."""
REPORTABLE: Mapping[str, str] = {
    "official-called": "An official is wanted",
    "ball-search": "Ball stuck",
    "ball-missing": "Ball lost",
    "ball-ended-early": "Ball ended early",
    "slam-tilt": "Slam tilt",
    "reset": "Machine reset or crashed",
    "power-lost": "No power",
    "score-jump": "Score is wrong",
    "wrong-players": "Wrong number of players started",
}
"""What can be reported by hand, in the words of the page."""
HIGH, LOW = 3, 20
"""A typed score is asked about above so many times the best one here, and below such a part of the lowest."""
COMPARED = 3
"""Scores that there must be to compare with."""
_NAMES = uuid.UUID("d3b6a1c4-7f0e-5b52-9f35-6f1f0a7d2c11")


def fact(kind: str, machine: str, at: int, place: int, **body: Any) -> FactTaken:  # noqa: ANN401 - JSON
    """A fact that a person states at `at` (ms since 1970 UTC); `place` is the ledger position it will have."""
    return FactTaken(
        fact=kind, agent=MANUAL, machine=machine, entry=f"manual-{place}", stream="manual", seq=place, boot="manual",
        mono_ms=at, when=at, body=body,
    )  # fmt: skip


def new_game(machine: str, place: int) -> str:
    """The name of a game begun by hand: made from its place in the ledger, so it is made once."""
    return str(uuid.uuid5(_NAMES, f"{machine}/{place}"))


def running(state: State, machine: Machine) -> Game | None:
    """The game that runs on the machine."""
    game = state.games.get(machine.game) if machine.game else None
    return game if game is not None and game.status == "running" else None


def at_it(machine: Machine, game: Game | None) -> tuple[str, ...]:
    """What those who are at the machine now go by: the running game and its assignment, else who is assigned."""
    if game is not None:
        return (game.id,) if game.assignment is None else (game.id, game.assignment.id)
    return () if machine.assignment is None else (machine.assignment.id,)


def may_take_back(state: State, entry: LogEntry, actor: Actor, at: int) -> bool:
    """Whether this is a game that the actor typed at a machine a moment ago."""
    game = state.games.get(entry.capture) if entry.capture else None
    mine = entry.who == actor.name and entry.changed_by is None
    return game is not None and game.source == "manual" and mine and at - entry.at <= TAKE_BACK_MS


def odd(machine: Machine, scores: Sequence[int], before: Sequence[int]) -> tuple[str, ...]:
    """What makes these typed scores worth a second look; `before` are scores that counted here. Empty: nothing."""
    found = []
    for score in scores:
        told = f"{score:,}"
        if score == 0:
            found.append("0 points: was it played?")
            continue
        if machine.max_score is not None and score > machine.max_score:
            found.append(f"{told} is more than this machine can show ({machine.max_score:,})")
        if machine.quantum and score % machine.quantum:
            found.append(f"{told} does not end as scores here do: they are multiples of {machine.quantum:,}")
        elif not machine.quantum and len(before) >= COMPARED and score % 10 and not any(one % 10 for one in before):
            found.append(f"{told} does not end in 0 as all scores here so far")
        if len(before) >= COMPARED and score > HIGH * max(before):
            found.append(f"{told} is far above the best here so far ({max(before):,})")
        elif len(before) >= COMPARED and score * LOW < min(before):
            found.append(f"{told} is far below the lowest here so far ({min(before):,})")
    return tuple(found)
