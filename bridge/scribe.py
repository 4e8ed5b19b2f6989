"""Writes down what one machine's capture says: pictures first, then facts into the outbox, in order.

Here: the wire's names of games, and facts that wait for room on the disk. Invariant: a signal that was given here is in
the outbox or in `waiting`, exactly once, whatever the disk does.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from itertools import islice

from bridge.errors import OutboxDamaged, OutboxFull, WireInvalid
from bridge.evidence import EvidenceStore
from bridge.leftover import OpenGame, find_leftover
from bridge.post import Post, RawFact
from bridge.translate import Fact, Frozen, game_id, translate
from bridge.wire.frame import At
from capture.signals import (
    FaultCleared,
    FaultRaised,
    GameAborted,
    GameEnded,
    GameStarted,
    Picture,
    ScoreLive,
    Scores,
    Signal,
)

NAMES_KEPT = 16
"""Games whose names are remembered after their end, for what is still said of them."""
BATCH = 32
MOST_WAITING = 20_000

Said = tuple[int, Signal | Frozen | Fact]

_log = logging.getLogger(__name__)


class Scribe:
    """One machine's way into the outbox. `stamp` makes the wire's time of milliseconds since boot."""

    def __init__(
        self,
        machine: str,
        post: Post,
        pictures: EvidenceStore,
        *,
        note: OpenGame,
        stamp: Callable[[int], At],
        stir: Callable[[], None] = lambda: None,
    ) -> None:
        self.machine = machine
        self.waiting: deque[Said] = deque()
        """What is not on disk yet, with the run it was said in; written before anything newer."""
        self.trouble = ""
        """Why facts wait, in one line; empty where they do not."""
        self._post = post
        self._pictures = pictures
        self._note = note
        self._stamp = stamp
        self._stir = stir
        """Called when there is a new picture."""
        self._run = 0
        self._games: dict[tuple[int, str], str] = {}
        """The wire's names of games, by the run of capture and the name it gave."""
        self._playing: tuple[int, str] | None = None
        self._faults: dict[str, None] = {}
        """Faults raised and not cleared."""
        self._standing: Scores = ()
        """The last scores of the running game."""

    def begin_run(self) -> None:
        """A new capture begins, which names its games anew."""
        self._run += 1

    def wire_game(self, game: str | None) -> str | None:
        """The wire's name of one of the capture's games."""
        return self._games.get((self._run, game)) if game else None

    def close_leftovers(self, now: int) -> None:
        """Say the end of what the outbox shows as open: a game, faults, the machine's attachment."""
        self.waiting.extend((0, fact) for fact in find_leftover(self._post.outbox, self.machine, self._note, now))

    async def write(self, signals: Sequence[Signal | Frozen]) -> None:
        """Keep what was said (live scores are not kept)."""
        self.waiting.extend((self._run, signal) for signal in signals if not isinstance(signal, ScoreLive))
        for signal in signals:
            if isinstance(signal, FaultRaised):
                self._faults[signal.fault] = None
            elif isinstance(signal, FaultCleared):
                self._faults.pop(signal.fault, None)
        while len(self.waiting) > MOST_WAITING:
            _log.error(
                "%s: no room on the disk and none in memory: %r is lost", self.machine, self.waiting.popleft()[1]
            )
        await self.flush()

    def abandon(self, now: int) -> list[Signal]:
        """What to say when a capture is no more: its game is lost with the last scores, its faults are nobody's."""
        said: list[Signal] = []
        if self._playing is not None and self._playing[0] == self._run and not self._ends(self._playing):
            said.append(GameAborted(at=now, game=self._playing[1], how="link-lost", scores=self._standing))
        return said + [FaultCleared(at=now, fault=fault, detail="the reader began anew") for fault in self._faults]

    def note_scores(self, scores: Scores, now: int) -> None:
        """The scores of the running game as they stand, for the case that this program dies."""
        if self._playing is not None and scores:
            self._standing = scores
            self._note.update(scores, now)

    def _ends(self, game: tuple[int, str]) -> bool:
        """Its end is said already and waits."""
        return any(
            isinstance(signal, GameEnded | GameAborted) and (run, signal.game) == game for run, signal in self.waiting
        )

    async def flush(self) -> None:
        """Write what waits, as far as there is room."""
        size = BATCH
        while self.waiting:
            batch = list(islice(self.waiting, size))
            try:
                await self._keep_pictures(batch)
                await self._keep(batch)
            except (OutboxFull, OutboxDamaged) as error:
                if not self.trouble:
                    _log.error("%s: facts wait in memory: %s", self.machine, error)
                self.trouble = str(error)
                return
            except WireInvalid as error:
                if len(batch) > 1:
                    size = 1
                    continue
                _log.error("%s: left out, for no wire can carry it: %r: %s", self.machine, batch[0][1], error)
                self.waiting.popleft()
        if self.trouble:
            _log.info("%s: there is room again, all facts are written", self.machine)
            self.trouble = ""

    async def _keep(self, batch: list[Said]) -> None:
        """Keep these, the first of `waiting`. Out of `waiting` before, back on failure: a cancel doubles nothing."""
        for _ in batch:
            self.waiting.popleft()
        names = dict(self._games)
        try:
            await self._post.keep(lambda stream, seq: self._facts(batch, stream, seq))
        except (OutboxFull, OutboxDamaged, WireInvalid):
            self._games = names
            self.waiting.extendleft(reversed(batch))
            raise
        for run, signal in batch:
            if isinstance(signal, GameEnded | GameAborted) and (run, signal.game) == self._playing:
                self._playing = None
                self._note.clear()

    def _facts(self, batch: list[Said], stream: str, seq: int) -> list[RawFact]:
        facts: list[RawFact] = []
        for run, signal in batch:
            if isinstance(signal, GameStarted):
                self._name((run, signal.game), stream, seq + len(facts))
            if isinstance(signal, Fact):
                facts.append(self._raw(signal))
            elif fact := self._translate(run, signal):
                facts.append(self._raw(fact))
        return facts

    def _translate(self, run: int, signal: Signal | Frozen) -> Fact | None:
        game: str | None = getattr(signal, "game", None)
        name = self._games.get((run, game)) if game is not None else None
        if game is not None and name is None:
            raise WireInvalid(f"it names the game {game}, which never started")
        if isinstance(signal, Frozen):
            return signal.fact(name or "")
        return translate(signal, game=name)

    def _name(self, game: tuple[int, str], stream: str, seq: int) -> None:
        self._games[game] = game_id(stream, seq)
        for old in list(self._games)[:-NAMES_KEPT]:
            del self._games[old]
        self._playing, self._standing = game, ()
        self._note.open(stream, seq, self._games[game])

    def _raw(self, fact: Fact) -> RawFact:
        return fact.kind, self.machine, self._stamp(fact.at), fact.body

    def keep_evidence(self, evidence: Sequence[Picture]) -> None:
        """Keep what a fact names already, as far as there is room. Writes to the disk: not for the event loop."""
        for one in evidence:
            self._pictures.put(one)
            self._stir()

    async def _keep_pictures(self, batch: list[Said]) -> None:
        plain = [signal.signal if isinstance(signal, Frozen) else signal for _, signal in batch]
        pictures = [picture for one in plain if isinstance(picture := getattr(one, "evidence", None), Picture)]
        for picture in pictures:
            await asyncio.to_thread(self._pictures.put, picture)
            self._stir()
