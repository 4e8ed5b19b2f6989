"""The one writer: a thread that owns the state and writes the ledger. People's commands and machines' facts, one door.

What waits is taken together into one transaction: decide on a draft, append, commit, and only then keep the draft,
tell the hub and answer. The invariant: the state never runs ahead of the commit, and nothing is answered before it.
"""

import contextlib
import logging
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, TypeVar

from bridge.wire.control import Ack, Pulse, Reply
from server.core.rules import TournamentInvalid
from server.core.venue.book import Book
from server.core.venue.closing import Silence
from server.core.venue.commands import Command
from server.core.venue.evolve import evolve
from server.core.venue.filing import Happened
from server.core.venue.outcomes import Actor, Outcome
from server.core.venue.state import State
from server.core.venue.troubles import DOUBLE
from server.errors import ServerError, StoreUnavailable
from server.floor import Floor
from server.history import fold_ledger, notice_of, notices
from server.ingest.presence import PresenceEvent, TwoBoots
from server.live import Hub, Notice
from server.standings import Standings
from server.store import database
from server.store.engine import told
from server.store.inbox import Delivery
from server.timebase import Timebase
from server.work import Work, record_alarm, reincarnate, submit_command, take_frames

log = logging.getLogger(__name__)
T = TypeVar("T")
TOGETHER = 64
"""Jobs that may share one transaction."""
STOP_S = 10.0


@dataclass(slots=True)
class _Job:
    """Something to do within a transaction; the future gets what it returns, after the commit."""

    run: Callable[[Work], Any]
    future: "Future[Any]" = field(default_factory=Future)


class Desk:
    """The venue's state and its only writer. Every method may be called from any thread."""

    def __init__(self, store: database.Store, *, now: Callable[[], int], hub: Hub | None = None) -> None:
        """Open the ledger, fold it, take a new incarnation. `now` gives ms since 1970 UTC."""
        self.hub = hub or Hub()
        self.floor = Floor()
        self.timebase = Timebase()
        self._store, self.now = store, now
        self._book = Book()
        self._lock = threading.RLock()
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._closed = False
        self._state = fold_ledger(store)
        self.standings = Standings(self.reading, self.silent)
        self.refusals = 0
        self.fault: str | None = None
        self.stuck: dict[str, str] = {}
        """Agents whose next facts cannot be taken, though the ledger can be written, and why: a fault of ours."""
        self.hub.start(self._state.position)
        self._thread = threading.Thread(target=self._write, name="desk", daemon=True)
        self._thread.start()
        self.reborn(0)
        self._jobs.put(_Job(self._warm))

    def submit(self, command: Command, actor: Actor, key: str | None = None) -> Outcome:
        """Decide on a command and return what came of it, committed. Blocks; raises StoreUnavailable.

        The same `key` of the same actor gives the same outcome again and does nothing twice.
        """
        return self.submitted(command, actor, key).result()

    def submitted(self, command: Command, actor: Actor, key: str | None = None) -> "Future[Outcome]":
        """The same without waiting: `await asyncio.wrap_future(desk.submitted(…))` in an event loop."""
        return self._ask(lambda work: submit_command(work, command, actor, key))

    def take(self, frames: Sequence[Delivery]) -> Sequence[Ack]:
        """Take frames of agents, in one transaction; the acknowledgements are due when this returns."""
        taken = self._ask(lambda work: take_frames(work, frames, self.timebase))
        error = taken.exception()
        if error is None:
            for delivery in frames:
                self.stuck.pop(delivery.agent, None)
                if delivery.frame.entries:
                    last = delivery.frame.entries[-1].seq
                    when = None if delivery.old else self.now()
                    self.floor.facts(delivery.agent, delivery.frame.stream, last, when)
        elif len(frames) == 1 and not isinstance(error, StoreUnavailable):
            self.stuck[frames[0].agent] = f"{type(error).__name__}: {error}".splitlines()[0][:200]
        return taken.result()

    def cursor(self, agent: str, stream: str) -> Ack:
        """Where a stream stands."""
        del agent
        return self._store.cursor(stream)

    def presence(self, event: PresenceEvent) -> None:
        """An agent came or went; two computers under one name are an alarm that stays."""
        now = self.now()
        self.floor.heard(event, now)
        if isinstance(event, TwoBoots):
            self._ask(lambda work: record_alarm(work, event.agent, DOUBLE, event.told)).result()
        self.hub.live(Notice(position=None, kind="agent.presence", at=now, subject={"agent": event.agent}))

    def pulse(self, agent: str, pulse: Pulse, received_at: int) -> None:
        """A heartbeat: the clock, the health, the live scores. Never stored."""
        self.timebase.observe(pulse.sent.boot, pulse.sent.mono_ms, received_at)
        for machine in self.floor.pulse(agent, pulse, received_at):
            notice = Notice(position=None, kind="score.live", at=received_at, subject={"machine": machine})
            self.hub.live(notice)
        self.hub.live(Notice(position=None, kind="agent.pulse", at=received_at, subject={"agent": agent}))

    def reply(self, agent: str, reply: Reply) -> None:
        """An agent answered a command: shown to whoever looks on."""
        subject = {"agent": agent, "command": reply.id, "ok": reply.ok, "detail": reply.detail}
        self.hub.live(Notice(position=None, kind="agent.reply", at=self.now(), subject=subject))

    def refused(self, topic: str, why: str) -> None:
        """A message from the broker could not be read: counted and shown."""
        self.refusals += 1
        notice = Notice(position=None, kind="message.refused", at=self.now(), subject={"topic": topic, "why": why})
        self.hub.live(notice)

    def reborn(self, above: int) -> int:
        """Take a new incarnation, higher than `above`."""
        self._store.incarnation = self._ask(lambda work: reincarnate(work, above)).result()
        return self._store.incarnation

    @property
    def incarnation(self) -> int:
        """The number of this opening of the ledger."""
        return self._store.incarnation

    def silent(self) -> tuple[Silence, ...]:
        """Agents of machines that are not heard now, or that hold facts which have not come."""
        with self._lock:
            names = {machine.agent for machine in self._state.machines.values() if machine.agent is not None}
        return self.floor.silent(names, self.now())

    @contextlib.contextmanager
    def reading(self) -> Iterator[State]:
        """The committed state, standing still inside the block: be quick, the writer waits."""
        with self._lock:
            yield self._state

    def history(self, after: int, limit: int) -> Sequence[Notice]:
        """The ledger's notices beyond a position, for `Hub.follow`."""
        return notices(self._store, after, limit)

    def check(self) -> str | None:
        """What is wrong with the writer; None if nothing is."""
        if not self._thread.is_alive():
            return "the writer has stopped"
        return self.fault

    def close(self) -> None:
        """Finish what waits and stop; further jobs are refused."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
            self._thread.join(STOP_S)
            self.hub.close()

    def _ask(self, run: Callable[[Work], T]) -> "Future[T]":
        if self._closed:
            raise StoreUnavailable("the desk is closed: the server is stopping")
        job = _Job(run)
        self._jobs.put(job)
        return job.future

    def _warm(self, work: Work) -> None:
        """Read the running tournament while nobody plays yet: the first game then waits for nothing."""
        current = work.state.current
        if current is None or not work.state.tournaments[current].entries or work.happened:
            return
        with contextlib.suppress(TournamentInvalid):  # whoever asks about it is told
            self.standings.adopt(current, self._book.warm(work.state, current))

    def _write(self) -> None:
        while (job := self._jobs.get()) is not None:
            jobs = [job]
            last = False
            while len(jobs) < TOGETHER and not last:
                try:
                    another = self._jobs.get_nowait()
                except queue.Empty:
                    break
                if another is None:
                    last = True
                else:
                    jobs.append(another)
            self._together(jobs)
            if last:
                return

    def _together(self, jobs: Sequence[_Job]) -> None:
        """All in one transaction; where that fails, each by itself, so that one that cannot be done stops no other."""
        try:
            results, happened = self._transact(jobs)
        except Exception as error:  # noqa: BLE001 - the one supervised loop: each job's own error goes to its future
            self._book.forget()
            if len(jobs) > 1:
                for job in jobs:
                    self._together([job])
                return
            self.fault = told(error)
            jobs[0].future.set_exception(_outward(error))
            return
        self.fault = None
        self._tell(happened)
        for job, result in zip(jobs, results, strict=True):
            job.future.set_result(result)

    def _tell(self, happened: Sequence[Happened]) -> None:
        """It is committed: whatever a listener does, it must not be done again."""
        try:
            if happened:
                self.hub.publish([notice_of(one) for one in happened])
        except Exception:
            log.exception("a listener failed; what it was told is committed")

    def _transact(self, jobs: Sequence[_Job]) -> tuple[list[Any], list[Happened]]:
        with self._store.writing() as writing:
            draft = self._state.draft()
            work = Work(
                state=draft, book=self._book, writing=writing, now=self.now(), evolve=evolve, silent=self.silent
            )
            results = [job.run(work) for job in jobs]
            writing.append(work.records, last=draft.position)
        with self._lock:
            self._state.keep(draft)
        return results, work.happened


def _outward(error: Exception) -> Exception:
    if isinstance(error, ServerError):
        return error
    words = told(error)
    return StoreUnavailable(f"the ledger cannot be written: {words}") if words is not None else error
