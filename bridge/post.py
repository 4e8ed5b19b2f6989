"""The outbox and its publisher as one thing that mends itself: when the file breaks, it is opened anew and goes on.

Here: that facts get their place one batch at a time, and the second life after damage. Not here: what facts say.
Invariant: `keep` has the facts on disk when it returns; when it raises, none of them is.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bridge.clock import Clock, stamp
from bridge.errors import BridgeError, OutboxDamaged
from bridge.link import Link
from bridge.outbox import Outbox
from bridge.publisher import Publisher
from bridge.wire.frame import At
from bridge.wire.topics import Topics

REOPEN_S = 5.0

RawFact = tuple[str, str | None, At, dict[str, Any]]
"""Kind, machine, time, body."""

_log = logging.getLogger(__name__)


class Post:
    """One agent's way to the server. `make_link` is called for each new publisher; `meet` runs beside each."""

    def __init__(
        self,
        path: Path,
        make_link: Callable[[], Link],
        *,
        agent: str,
        clock: Clock,
        topics: Topics,
        host: str = "",
        software: str = "",
    ) -> None:
        """Raises OutboxBusy and OutboxFull as `Outbox` does."""
        self._path = path
        self._make_link = make_link
        self._clock = clock
        self._identity = {"agent": agent, "clock": clock, "topics": topics, "host": host, "software": software}
        self._lock = asyncio.Lock()
        self._broken = asyncio.Event()
        self.machines: tuple[str, ...] = ()
        self.outbox = Outbox(path)
        self.publisher = self._new_publisher()
        self.outbox_damage = self._tell_damage()

    async def keep(self, write: Callable[[str, int], Sequence[RawFact]]) -> None:
        """Keep what `write` makes of the stream and the seq that its first fact will have; all or nothing.

        Raises WireInvalid, OutboxFull, OutboxDamaged (then the outbox is being opened anew: try again).
        """
        async with self._lock:
            if self._broken.is_set():
                raise OutboxDamaged(f"{self._path}: the outbox failed and is not open yet")
            facts = write(self.outbox.stream, self.outbox.head + 1)
            try:
                await self.publisher.append_many(facts)
            except OutboxDamaged:
                self._broken.set()
                raise

    async def run(self, meet: Callable[[Publisher], Any]) -> None:
        """Publish until cancelled, whatever becomes of the file. `meet(publisher)` is a coroutine that serves it."""
        while True:
            try:
                async with asyncio.TaskGroup() as group:
                    publishing = group.create_task(self.publisher.run())
                    meeting = group.create_task(meet(self.publisher))
                    await self._broken.wait()
                    publishing.cancel()
                    meeting.cancel()
            except* OutboxDamaged as errors:
                _log.error("the outbox failed: %s", errors.exceptions[0])
            await self._reopen()

    def close(self) -> None:
        """Let go of the file."""
        self.outbox.close()

    async def _reopen(self) -> None:
        self._broken.set()
        with contextlib.suppress(BridgeError):
            self.outbox.close()
        while True:
            try:
                outbox = await asyncio.to_thread(Outbox, self._path)
                break
            except BridgeError as error:
                _log.error("the outbox cannot be opened: %s; facts wait in memory", error)
                await asyncio.sleep(REOPEN_S)
        async with self._lock:
            self.outbox = outbox
            self.publisher = self._new_publisher()
            self.outbox_damage = self._tell_damage()
            self._broken.clear()

    def _new_publisher(self) -> Publisher:
        publisher = Publisher(self.outbox, self._make_link(), **self._identity)  # type: ignore[arg-type]
        publisher.machines = self.machines
        return publisher

    def _tell_damage(self) -> str:
        """State as the first fact what happened to the file before; before anything else gets a place."""
        try:
            told = self.outbox.append_damage(stamp(self._clock))
        except BridgeError as error:
            _log.error("%s", error)
            return ""
        if told is None:
            return ""
        self.publisher.session.appended(self.outbox.head)
        _log.error("%s", told.body["detail"])
        return str(told.body["detail"])
