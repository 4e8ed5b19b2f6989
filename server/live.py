"""Who looks on, and what they get: notices of the ledger by position, and live scores that are never stored.

A viewer keeps nothing but the position it has seen: the hub holds the newest notices, older ones come from the
ledger, so a slow viewer reads on later and costs no memory. The invariant: a viewer gets each notice once, in order.
"""

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

RECENT = 4096
"""Notices kept in memory."""
PAGE = 500
"""Notices given to a viewer at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something happened. `position` is the ledger's, None for what is not stored (live scores, presence).

    `subject` names what it is about: any of machine, game, reading, malfunction, number, tournament, agent.
    """

    position: int | None
    kind: str
    at: int
    who: str = ""
    subject: Mapping[str, Any] = field(default_factory=dict)


History = Callable[[int, int], Sequence[Notice]]
"""`history(after, limit)`: the ledger's notices beyond a position; called in a worker thread."""


class Viewer:
    """One who looks on. Only its own task may await it."""

    def __init__(self, position: int, limit: int) -> None:
        self.position = position
        self._limit = limit
        self._loop = asyncio.get_running_loop()
        self._woken = asyncio.Event()
        self._live: dict[tuple[str, str], Notice] = {}
        self.closed = False

    def wake(self) -> None:
        """There is something to fetch. From any thread."""
        with contextlib.suppress(RuntimeError):  # its loop is closed: nobody is there any more
            self._loop.call_soon_threadsafe(self._woken.set)

    def offer(self, notice: Notice) -> None:
        """A notice that is not stored: the newest of its kind and subject replaces the older ones."""
        about = next((notice.subject[name] for name in ("machine", "command", "agent") if name in notice.subject), "")
        key = (notice.kind, str(about))
        if len(self._live) < self._limit or key in self._live:
            self._live[key] = notice
            self.wake()

    def close(self) -> None:
        """No more comes."""
        self.closed = True
        self.wake()

    async def woken(self, within: float) -> bool:
        """Wait until there is something; False when the time is over."""
        try:
            async with asyncio.timeout(within):
                await self._woken.wait()
        except TimeoutError:
            return False
        self._woken.clear()
        return True

    def passing(self) -> list[Notice]:
        """The notices that are not stored, taken out."""
        found, self._live = list(self._live.values()), {}
        return found


class Hub:
    """The desk's loudspeaker. `publish` and `live` may be called from any thread."""

    def __init__(self, *, limit: int = 256) -> None:
        self._lock = threading.Lock()
        self._recent: deque[Notice] = deque(maxlen=RECENT)
        self._viewers: set[Viewer] = set()
        self._limit = limit
        self._listeners: list[Callable[[Sequence[Notice]], None]] = []
        self.position = 0
        self.revision = 0
        """Counts what was said, stored or not: what was drawn at one revision is the newest while it lasts."""
        self.closed = False

    def start(self, position: int) -> None:
        """The ledger's last position when the program started."""
        self.position = position

    def listen(self, listener: Callable[[Sequence[Notice]], None]) -> None:
        """Call this with all that is published, in the publishing thread: for what acts on events."""
        self._listeners.append(listener)

    def publish(self, notices: Sequence[Notice]) -> None:
        """Committed events, in order."""
        with self._lock:
            self.revision += 1
            for notice in notices:
                self._recent.append(notice)
                self.position = notice.position or self.position
            viewers = list(self._viewers)
        for viewer in viewers:
            viewer.wake()
        for listener in self._listeners:
            listener(notices)

    def live(self, notice: Notice) -> None:
        """Something that is not stored."""
        with self._lock:
            self.revision += 1
            viewers = list(self._viewers)
        for viewer in viewers:
            viewer.offer(notice)

    @property
    def viewers(self) -> int:
        """How many look on."""
        return len(self._viewers)

    def close(self) -> None:
        """Send everybody home: the program stops."""
        with self._lock:
            self.closed = True
            viewers = list(self._viewers)
        for viewer in viewers:
            viewer.close()

    @contextmanager
    def viewing(self, after: int | None = None) -> Iterator[Viewer]:
        """Look on from a ledger position (None: from now). In a running event loop."""
        with self._lock:
            viewer = Viewer(self.position if after is None else min(after, self.position), self._limit)
            viewer.closed = self.closed
            self._viewers.add(viewer)
        try:
            yield viewer
        finally:
            with self._lock:
                self._viewers.discard(viewer)

    async def follow(
        self, history: History, after: int | None = None, *, beat: float = 15.0
    ) -> AsyncIterator[Notice | None]:
        """All notices beyond a position and then as they come; None every `beat` seconds in which there is none."""
        with self.viewing(after) as viewer:
            while True:
                for notice in await self._fetch(history, viewer):
                    viewer.position = notice.position or viewer.position
                    yield notice
                for notice in viewer.passing():
                    yield notice
                if viewer.closed:
                    return
                if viewer.position < self.position:
                    continue
                if not await viewer.woken(beat):
                    yield None

    async def _fetch(self, history: History, viewer: Viewer) -> Sequence[Notice]:
        with self._lock:
            if viewer.position >= self.position:
                return ()
            if self._recent and (self._recent[0].position or 0) <= viewer.position + 1:
                newer = [n for n in self._recent if (n.position or 0) > viewer.position]
                return newer[:PAGE]
        return await asyncio.to_thread(history, viewer.position, PAGE)
