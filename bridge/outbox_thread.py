"""The outbox as an event loop sees it: one thread touches the disk, in the order of the calls.

`append_many` goes on when its caller is cancelled. The server's word is noted at most once a second: it only spares
sending again. Pruning waits for a wall clock that is known to be set.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, ParamSpec, TypeVar

from bridge.clock import Clock, stamp
from bridge.errors import OutboxFull
from bridge.outbox import Outbox
from bridge.session import Mark
from bridge.wire.frame import ENTRIES, At, Entry

log = logging.getLogger(__name__)

MARK_S = 1.0
PRUNE_S = 3600.0

P = ParamSpec("P")
R = TypeVar("R")


class OutboxThread:
    """Reads and writes one outbox for one event loop. `on_append(head)` is called in the loop after each append."""

    def __init__(self, outbox: Outbox, clock: Clock, on_append: Callable[[int], None]) -> None:
        self._outbox = outbox
        self._clock = clock
        self._on_append = on_append
        self._mark: Mark | None = None
        self._marking = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="outbox")

    async def append_many(self, facts: Sequence[tuple[str, str | None, At, dict[str, Any]]]) -> list[Entry]:
        """As `Outbox.append_many`."""
        kept = asyncio.ensure_future(self._run(self._outbox.append_many, facts))
        kept.add_done_callback(self._kept)
        return await asyncio.shield(kept)

    async def tell_damage(self) -> None:
        """State the damage of an earlier file, if there was any."""
        told = await self._run(self._outbox.append_damage, stamp(self._clock))
        if told is not None:
            log.error("%s", told.body["detail"])
            self._on_append(self._outbox.head)

    async def window(self, after: int) -> tuple[list[Entry], int]:
        """What a frame may hold beyond this seq, and the outbox's floor."""
        return await self._run(lambda: (self._outbox.window(after, ENTRIES), self._outbox.floor))

    async def id_at(self, seq: int) -> str | None:
        """As `Outbox.id_at`."""
        return await self._run(self._outbox.id_at, seq)

    async def renew(self) -> bool:
        """As `Outbox.renew`; False where there is no room for it."""
        self._mark = None
        try:
            await self._run(self._outbox.renew)
        except OutboxFull as error:
            log.warning("%s", error)
            return False
        return True

    def mark(self, mark: Mark) -> None:
        """Note the server's word before long."""
        self._mark = mark
        self._marking.set()

    async def note_mark(self) -> None:
        """Note it now."""
        mark, self._mark = self._mark, None
        if mark is None:
            return
        noted = partial(self._outbox.mark, mark.through, incarnation=mark.incarnation, stream=mark.stream)
        with contextlib.suppress(OutboxFull):
            await self._run(noted)

    async def keep_marking(self) -> None:
        """Note the server's word whenever there is news. Without end."""
        while True:
            await self._marking.wait()
            self._marking.clear()
            await self.note_mark()
            await asyncio.sleep(MARK_S)

    async def keep_pruning(self) -> None:
        """Drop what is old and acknowledged. Without end."""
        while True:
            if self._clock.synced():
                with contextlib.suppress(OutboxFull):
                    await self._run(self._outbox.prune, self._clock.wall_ms())
            await asyncio.sleep(PRUNE_S)

    def _kept(self, kept: asyncio.Future[list[Entry]]) -> None:
        if not kept.cancelled() and kept.exception() is None:
            self._on_append(self._outbox.head)

    async def _run(self, call: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
        return await asyncio.get_running_loop().run_in_executor(self._thread, partial(call, *arguments, **named))
