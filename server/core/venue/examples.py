"""Labelled examples: readings that an official confirmed or corrected, whose scores count as they were decided.

A question to the state, nothing is kept: the ledger is the truth. The invariant: what was undone, discarded, ruled on
by another number or rolled over labels no picture, for then the picture may show something else.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from server.core.venue.state import Game, Reading, State
from server.core.venue.values import entry_kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One picture with the number on it. `position` is the decision's place in the ledger; `value` the score decided.

    `text`, `proposed` and `candidates` are what the reader made of it; `decided_by` is the official's id.
    """

    position: int
    reading: str
    game: str
    machine: str
    player: int
    value: int
    decision: str
    evidence: str
    text: str | None
    proposed: int | None
    candidates: tuple[int, ...]
    confidence: float
    decided_by: str | None
    decided_at: int | None


def labelled(state: State, *, machine: str | None = None, after: int = 0) -> list[Example]:
    """The examples decided after a ledger position, in the order of their decisions."""
    corrected = dict(_corrections(state))
    found = [
        _example(reading)
        for reading in state.readings.values()
        if reading.status in {"confirmed", "corrected"}
        and reading.score is not None
        and reading.evidence is not None
        and machine in {None, reading.machine}
        and reading.positions[-1] > after
        and _stands(state, state.games[reading.game], reading, corrected)
    ]
    return sorted(found, key=lambda example: example.position)


def _stands(state: State, game: Game, reading: Reading, corrected: dict[tuple[str, str, str], int]) -> bool:
    """Whether the game counts with this score."""
    if game.status != "posted" or game.entry is None or game.place is None or game.rollovers or reading.who is None:
        return False
    entry = state.entries.get((game.place.tournament, game.entry))
    if entry is None or entry_kind(entry.entry) != "game":
        return False
    posted = entry.entry.get("scores", {}).get(reading.who)
    key = (game.place.tournament, str(entry.entry["game"]), reading.who)
    return bool(corrected.get(key, posted) == reading.score)


def _corrections(state: State) -> Iterator[tuple[tuple[str, str, str], int]]:
    """What the tournaments' logs say instead of a recorded score: (tournament, game, player) and the score."""
    for tournament in state.tournaments:
        for entry in state.seen_by_rules(tournament):
            if entry_kind(entry.entry) == "correct":
                for who, score in dict(entry.entry.get("scores") or {}).items():
                    yield (tournament, str(entry.entry["correct"]), str(who)), score


def _example(reading: Reading) -> Example:
    return Example(
        position=reading.positions[-1],
        reading=reading.id,
        game=reading.game,
        machine=reading.machine,
        player=reading.player,
        value=reading.score or 0,
        decision=reading.status,
        evidence=reading.evidence or "",
        text=reading.text,
        proposed=reading.proposed,
        candidates=reading.candidates,
        confidence=reading.confidence,
        decided_by=reading.decided_by,
        decided_at=reading.decided_at,
    )
