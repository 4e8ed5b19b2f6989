"""Earlier decisions like one that is about to be made, in all tournaments of the venue (CC9).

Everything is frozen; nothing is decided. The one invariant: each precedent says where it was decided, why, and what it
has in common with what was asked, and one that was undone is shown as undone.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields

from server.core.venue.state import LogEntry, State
from server.core.venue.values import entry_kind
from server.web.views.rulings import KINDS, Ruled, ruled

MOST_READ = 200_000
"""Entries that are looked at, the newest first: a venue of many years is searched in bounded time."""

MOST_WORDS = 20
SHORTEST_WORD = 3
WEIGHTS = {"offence": 8, "kind": 4, "machine": 4, "who": 4}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a decision is about, as far as it is known.

    `kind` is of its entry (`penalty`, `ruling`), `offence` what a penalty is for, what kind a ruling is, or what a
    decision is about. All of `words` must be found in a precedent, those of `why` make it more alike.
    """

    words: str = ""
    why: str = ""
    kind: str | None = None
    offence: str | None = None
    machine: str | None = None
    who: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Precedent:
    """An earlier decision; `shared` says what it has in common with what was asked: its fields, and words."""

    tournament: str
    name: str
    ruled: Ruled
    machine: str | None
    shared: tuple[str, ...]
    weight: int


def precedents(state: State, asked: Asked, most: int = 20) -> tuple[Precedent, ...]:
    """Give the earlier decisions that hold all `words`, the most alike first, of equal ones the newest.

    Where anything else is asked, only those that have something in common with it.
    """
    wanted = asked.words.casefold().split()[:MOST_WORDS]
    why = dict.fromkeys(word for word in _words(asked.why) if len(word) >= SHORTEST_WORD)
    named = any(getattr(asked, one.name) for one in fields(asked) if one.name != "words")
    found: list[Precedent] = []
    for tournament, entry in _newest(state):
        told = ruled(state, state.tournaments[tournament], entry)
        name, text = state.tournaments[tournament].name, _text(told)
        if not all(word in text or word in name.casefold() for word in wanted):
            continue
        machine = _machine(state, tournament, entry)
        shared, weight = _in_common(asked, entry, machine, [word for word in list(why)[:MOST_WORDS] if word in text])
        if weight or not named:
            one = Precedent(tournament=tournament, name=name, ruled=told, machine=machine, shared=shared, weight=weight)
            found.append(one)
    return tuple(sorted(found, key=lambda one: (-one.weight, -one.ruled.at))[:most])


def _in_common(asked: Asked, entry: LogEntry, machine: str | None, words: list[str]) -> tuple[tuple[str, ...], int]:
    written = entry.entry
    kind = entry_kind(written)
    offence = written.get("for") if kind == "penalty" else written.get(kind if kind == "decision" else "kind")
    who = written.get(kind) if kind in {"penalty", "absent"} else written.get("who")
    there = {
        "offence": asked.offence is not None and offence == asked.offence,
        "kind": asked.kind is not None and kind == asked.kind,
        "machine": asked.machine is not None and machine == asked.machine,
        "who": asked.who is not None and (asked.who in who if isinstance(who, list | tuple) else who == asked.who),
    }
    shared = [name for name, holds in there.items() if holds]
    return (*shared, *words), sum(WEIGHTS[name] for name in shared) + len(words)


def _newest(state: State) -> Iterator[tuple[str, LogEntry]]:
    """Give the decisions of all tournaments, those of the newest tournament first."""
    left = MOST_READ
    for tournament in sorted(state.tournaments.values(), key=lambda one: (one.opened, one.id), reverse=True):
        for number in range(tournament.entries, 0, -1):
            if left == 0:
                return
            left -= 1
            entry = state.entries[tournament.id, number]
            if entry_kind(entry.entry) in KINDS:
                yield tournament.id, entry


def _machine(state: State, tournament: str, entry: LogEntry) -> str | None:
    """Give the machine that a decision is about: the one that it names, else that of the game that it speaks of."""
    written = entry.entry
    kind = entry_kind(written)
    named = written.get("machine")
    if isinstance(named, str):
        return named
    game = written.get("game") if kind in {"penalty", "decision"} else written.get(kind)
    number = state.posted.get((tournament, game)) if isinstance(game, str) else None
    played = state.entries[tournament, number].entry.get("machine") if number is not None else None
    return played if isinstance(played, str) else None


def _text(told: Ruled) -> str:
    return " ".join([*map(str, told.parts), told.why or "", told.who, told.despite or ""]).casefold()


def _words(text: str) -> list[str]:
    return "".join(letter if letter.isalnum() else " " for letter in text.casefold()).split()
