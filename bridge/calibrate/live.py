"""The camera that is looked through: a port followed by a thread of its own, its newest picture, what it says.

Not here: what pictures show (`look`). Invariant: one camera is open at a time, and it is let go before it is opened
with other settings.
"""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from contextlib import aclosing

from hardware.ports import open_port
from hardware.ports.base import Closed, Frame, Image, Opened
from hardware.ports.camera_options import CameraSettings

AGAIN_S = 1.0
"""Until a recording that is over is played again."""


class LiveCamera:
    """Follows the port of an address until it is closed. Its fields may be read by any thread; `frame` is replaced."""

    def __init__(self, url: str, *, now: Callable[[], int]) -> None:
        """Raises PortInvalid for an address that makes no sense."""
        open_port(url, now=now)
        self.url = url
        self.frame: Frame | None = None
        self.number = 0
        """Counts pictures."""
        self.notes: tuple[str, ...] = ()
        """What the camera did not do as asked."""
        self.trouble = "waiting for the first picture"
        """Why there are no pictures now; empty where there are."""
        self.settings: CameraSettings | None = None
        self.arrived = threading.Condition()
        self._now = now
        self._over = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed: asyncio.Event | None = None
        self._thread = threading.Thread(target=lambda: asyncio.run(self._work()), name="live", daemon=True)

    @property
    def image(self) -> Image | None:
        """The newest picture."""
        return None if self.frame is None else self.frame.image

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def turn_to(self, url: str) -> None:
        """Open another address in its place, such as the same camera with other settings."""
        if url != self.url:
            self.url = url
            self._stir()

    def close(self) -> None:
        """Let go of the camera."""
        self._over = True
        self._stir()
        with self.arrived:
            self.arrived.notify_all()
        self._thread.join(5)

    def wait(self, after: int, seconds: float) -> int:
        """The newest picture's number, once it is above `after` or after so many seconds."""
        with self.arrived:
            self.arrived.wait_for(lambda: self.number > after or self._over, seconds)
            return self.number

    def _stir(self) -> None:
        loop, changed = self._loop, self._changed
        if loop is not None and changed is not None:
            with contextlib.suppress(RuntimeError):  # it ended meanwhile
                loop.call_soon_threadsafe(changed.set)

    async def _work(self) -> None:
        self._changed = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        while not self._over:
            self._changed.clear()
            seeing = asyncio.create_task(self._see(self.url))
            changed = asyncio.create_task(self._changed.wait())
            await asyncio.wait({seeing, changed}, return_when=asyncio.FIRST_COMPLETED)
            if seeing.done() and not changed.done() and not self._over:
                error = seeing.exception()
                self.trouble = f"the camera's port failed: {error}" if error else self.trouble
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(asyncio.shield(changed), AGAIN_S)
            for task in (seeing, changed):
                task.cancel()
            await asyncio.gather(seeing, changed, return_exceptions=True)

    async def _see(self, url: str) -> None:
        async with open_port(url, now=self._now) as port, aclosing(aiter(port)) as events:  # type: ignore[type-var]
            async for event in events:
                if isinstance(event, Opened):
                    self.notes = event.notes
                elif isinstance(event, Closed) and event.reason != "ended":
                    self.trouble, self.settings = event.why, None
                elif isinstance(event, Frame):
                    self.trouble = ""
                    self.settings = getattr(port, "settings", None)
                    with self.arrived:
                        self.frame, self.number = event, self.number + 1
                        self.arrived.notify_all()
