"""The truth of a simulated machine: the vocabulary of its time line, and the file that carries it to other processes.

What a machine shows or says is made from these events; what they mean to a tournament is not known here. Times are
milliseconds of the machine's own clock since it was switched on. The invariant: `scores` are the true scores of all
players right after the event, and within one game they never fall.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, TextIO, get_args

Kind = Literal[
    "game-started",  # `players` who will play; they join by player-added
    "player-added",  # the second and further ones during the first ball
    "ball-started",  # detail `extra` for an extra ball
    "scored",  # detail `switch`, `jackpot` or `bonus`
    "bonus",  # the count at the ball's end begins; `points` is its total
    "tilt-warning",  # `points` counts the warnings
    "tilt",
    "slam-tilt",  # game 0: in attract mode
    "ball-search-started",
    "ball-search-ended",
    "extra-ball",
    "ball-ended",
    "scores-final",  # nothing can change the scores of this game any more
    "initials",  # this player enters initials (`detail`), which takes `points` milliseconds
    "game-ended",  # detail: normal, slam-tilt, ended-early
    "service-entered",  # a game that ran is lost
    "service-left",
    "power-lost",  # a game that ran is lost
    "power-back",
]
KINDS: tuple[str, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that truly happened on the machine."""

    at: int
    kind: Kind
    game: int = 0
    """Games count from 1; 0 is no game."""
    player: int = 0
    ball: int = 0
    points: int = 0
    players: int = 0
    scores: tuple[int, ...] = ()
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """How one game truly came out. `how`: normal, slam-tilt, ended-early, or (no final scores) service, power-lost."""

    game: int
    how: str
    scores: tuple[int, ...]
    at: int


def finished(events: Iterable[Event]) -> Iterator[Finished]:
    """Yield each game that is over, in order; `scores` are final, or the last ones where the game was lost."""
    for event in events:
        if event.kind == "game-ended":
            yield Finished(game=event.game, how=event.detail, scores=event.scores, at=event.at)
        elif event.kind in {"service-entered", "power-lost"} and event.game:
            how = "service" if event.kind == "service-entered" else "power-lost"
            yield Finished(game=event.game, how=how, scores=event.scores, at=event.at)


def write(file: TextIO, event: Event) -> None:
    """Append one event as a line of JSON (fields that are empty are left out) and flush it."""
    file.write(json.dumps({key: value for key, value in asdict(event).items() if value or key == "at"}) + "\n")
    file.flush()


def read(path: Path) -> list[Event]:
    """Every whole line of a truth file; a last line that is still being written is left out.

    Raises ValueError (with the line's number) for a line that is no event.
    """
    if not path.exists():
        return []
    events = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(keepends=True), 1):
        if not line.endswith("\n"):
            break
        events.append(_parse(line, f"{path.name}, line {number}"))
    return events


def _parse(line: str, where: str) -> Event:
    try:
        fields = json.loads(line)
        fields["scores"] = tuple(fields.get("scores", ()))
        event = Event(**fields)
    except (TypeError, KeyError, ValueError, AttributeError) as error:
        raise ValueError(f"{where} is no event of a simulated machine: {error}") from error
    if event.kind not in KINDS:
        raise ValueError(f"{where} is no event of a simulated machine: unknown kind {event.kind!r}")
    return event
