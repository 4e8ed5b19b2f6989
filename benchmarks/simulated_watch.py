"""One simulated machine before the real reader and capture, in simulated time, against the truth.

Here: playing and comparing. Not here: counting over machines (`simulated_tally`) and printing (`simulated`). Invariant:
the truth is asked for only after the answer was given.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

import numpy as np

from capture.pipeline import Capture
from capture.signals import GameEnded, Signal
from capture.vision import open_reader
from capture.vision.reading import Reading, ScoreReading
from hardware.ports.base import Frame, Image, Opened
from hardware.sim.address import parse
from hardware.sim.board import Truth
from hardware.sim.describe import profile_of
from hardware.sim.life import Life
from hardware.sim.machine import Seen
from hardware.sim.oracle import Event, Finished, finished

STAYS_MS = 500
"""A change that stays on the display so long is to be seen ..."""
LATE_MS = 1_500
"""... while it stays, or so much later."""
AFTER_MS = 25_000
"""So long a machine is watched after its last game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """One number that was read, beside what was right."""

    url: str
    at: int
    player: int | None
    read: int
    confidence: float
    accepted: bool
    right: frozenset[int]
    """Empty: nothing was right to read there."""
    image: Image = field(repr=False)

    @property
    def is_right(self) -> bool:
        """It was what the display showed."""
        return self.read in self.right


@dataclass(slots=True)
class Watched:
    """All that came of one machine."""

    url: str
    reads: list[Read] = field(default_factory=list)
    pictures: int = 0
    readable: int = 0
    """Pictures on which the score of whoever is up could be read ..."""
    exact: int = 0
    """... and was proposed."""
    games: list[tuple[Finished, GameEnded | None]] = field(default_factory=list)
    invented: list[GameEnded] = field(default_factory=list)
    """Games that ended for capture and for nobody else."""
    changes: int = 0
    changes_seen: int = 0
    live_wrong: list[Read] = field(default_factory=list)
    """Accepted live scores that the display had not shown."""
    seconds: float = 0.0
    """Spent in capture, of the processor's time."""


class Remembered(Life):
    """A life that keeps what it told."""

    told: list[Event]

    def advance(self, wall: int) -> list[Event]:
        """As any life."""
        events = super().advance(wall)
        self.told = [*getattr(self, "told", []), *events]
        return events


def read_still(url: str, at: int) -> Watched:
    """One picture of a machine at this time of its life, by a reader that has the profile and the corners."""
    address = parse(url)
    seen = Seen(address.live(), address.setting.seed, setting=address.setting)
    watched = Watched(url)
    seen.look(max(0, at - 1000))
    image = seen.look(at)
    if image is None:
        return watched
    began = time.process_time()
    reading = open_reader(profile_of(url), corners=seen.lens.corners).read(image)
    watched.seconds += time.process_time() - began
    _compare(watched, reading, seen, image, at)
    return watched


def watch(url: str, *, games: int = 1, longest_ms: int = 600_000) -> Watched:
    """Play this many games before capture (or until `longest_ms` of the machine's life)."""
    address = parse(url)
    life = Remembered(address.live()._course)  # noqa: SLF001 - the same life, remembered
    seen = Seen(life, address.setting.seed, setting=address.setting)
    watched, said, at = Watched(url), [], 0
    stays = _Stays(watched)
    with _overhearing() as heard:
        capture = Capture(profile_of(url), corners=seen.lens.corners)  # type: ignore[arg-type]
        said += capture.feed(Opened(at=0, port=url))
        while at < longest_ms:
            at += seen.wait(at)
            image = seen.look(at)
            began = time.process_time()
            said += capture.tick(at)
            if image is not None:
                heard.clear()
                said += capture.feed(Frame(at=at, image=image))
                watched.seconds += time.process_time() - began
                if heard:
                    _compare(watched, heard[-1], seen, image, at)
                stays.see(capture, seen, at, image)
            overs = list(finished(getattr(life, "told", [])))
            if len(overs) >= games and at > overs[games - 1].at + AFTER_MS:
                break
    _match(watched, list(finished(life.told))[:games], said)
    return watched


@contextmanager
def _overhearing() -> Iterator[list[Reading]]:
    """All readings that readers give which are opened meanwhile."""
    heard: list[Reading] = []

    class Ear:
        def __init__(self, inner: Any) -> None:  # noqa: ANN401 - any reader
            self._inner = inner

        def read(self, image: Image) -> Reading:
            reading: Reading = self._inner.read(image)
            heard.append(reading)
            return reading

        def __getattr__(self, name: str) -> Any:  # noqa: ANN401
            return getattr(self._inner, name)

    def opened(*args: Any, **more: Any) -> Ear:  # noqa: ANN401
        return Ear(open_reader(*args, **more))

    with mock.patch("capture.watch.open_reader", opened):
        yield heard


def _compare(watched: Watched, reading: Reading, seen: Seen, image: Image, at: int) -> None:
    """Note what one picture gave: the first score, and the others that count beside an accepted one."""
    watched.pictures += 1
    up = _up(seen)
    if up is not None and seen.truth.get(up):
        watched.readable += 1
        first = reading.scores[:1]
        watched.exact += any(score.score in _right(score, seen) for score in first)
    for place, score in enumerate(reading.scores):
        if score.score is not None:
            accepted = reading.accepted and (place == 0 or score.confidence >= 0.97)
            if place == 0 or accepted:
                watched.reads.append(
                    Read(url=watched.url, at=at, player=score.player, read=score.score, confidence=score.confidence,
                         accepted=accepted, right=_right(score, seen), image=image)
                )  # fmt: skip


def _right(score: ScoreReading, seen: Seen) -> frozenset[int]:
    if score.player is not None:
        return seen.truth.get(score.player, frozenset())
    up = _up(seen)
    if up is not None:
        return seen.truth.get(up, frozenset())
    return frozenset().union(*seen.truth.values()) if seen.truth else frozenset()


def _up(seen: Seen) -> int | None:
    """Who is up, while a game runs."""
    board: Any = getattr(seen.display, "board", seen.display)
    return board.player if board.playing else None


class _Stays:
    """Changes that stay on the display, and whether capture said them; and accepted live scores that never showed."""

    def __init__(self, watched: Watched) -> None:
        self._watched = watched
        self._standing: dict[int, tuple[int, int, int]] = {}
        """Player: the number that stands, since when, and when it was seen last."""
        self._shown: dict[int, list[int]] = {}
        self._open: list[tuple[int, int, int]] = []
        """Player, number, until when it may still be said."""
        self._said: set[tuple[int, int]] = set()
        self._blamed: set[tuple[int, int]] = set()

    def see(self, capture: Capture, seen: Seen, at: int, image: Image) -> None:
        up, truth = _up(seen), seen.truth
        for player, values in truth.items():
            self._shown.setdefault(player, []).extend(values)
        self._stand(up, truth, at)
        for live in capture.live():
            if live.accepted and live.score is not None:
                self._said.add((live.player, live.score))
                self._blame(live.player, live.score, live.confidence, at, image)
        still = []
        for player, value, until in self._open:
            if (player, value) in self._said:
                self._watched.changes_seen += 1
            elif at <= until:
                still.append((player, value, until))
        self._open = still

    def _stand(self, up: int | None, truth: Truth, at: int) -> None:
        """A number of who is up that has stood long enough is to be seen."""
        for player in list(self._standing):
            if player != up or len(truth.get(player, ())) != 1 or self._standing[player][0] not in truth[player]:
                value, since, until = self._standing.pop(player)
                if until - since >= STAYS_MS:
                    self._watched.changes += 1
                    self._open.append((player, value, at + LATE_MS))
        if up is not None and len(truth.get(up, ())) == 1:
            (value,) = truth[up]
            since = self._standing[up][1] if up in self._standing else at
            self._standing[up] = (value, since, at)

    def _blame(self, player: int, score: int, confidence: float, at: int, image: Image) -> None:
        if score in self._shown.get(player, [])[-2000:] or (player, score) in self._blamed:
            return
        self._blamed.add((player, score))
        right = frozenset(self._shown.get(player, [])[-1:])
        self._watched.live_wrong.append(
            Read(url=self._watched.url, at=at, player=player, read=score, confidence=confidence, accepted=True,
                 right=right, image=np.asarray(image))
        )  # fmt: skip


def _match(watched: Watched, overs: list[Finished], said: list[Signal]) -> None:
    """Which end that capture said belongs to which game that was over."""
    ends = [signal for signal in said if isinstance(signal, GameEnded)]
    free = list(overs)
    given: dict[int, GameEnded] = {}
    for end in ends:
        before = [over for over in free if over.at <= end.at + 2000]
        if not before:
            watched.invented.append(end)
            continue
        given[before[-1].game] = end
        free = [over for over in free if over.at > before[-1].at]
    watched.games = [(over, given.get(over.game)) for over in overs]
