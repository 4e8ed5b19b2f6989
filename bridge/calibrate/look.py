"""What the draft makes of the newest picture: the reading, how the lattice sits, hints about the exposure.

A thread looks a few times a second, never at a picture twice, and never falls behind: pictures that come meanwhile are
passed over. Invariant: what is shown belongs to one picture and one draft.
"""

import logging
import threading
import time
from dataclasses import dataclass, field

import numpy as np

from bridge.calibrate.draft import Draft, Drafts
from bridge.calibrate.exposure import ExposureWatch
from bridge.calibrate.live import LiveCamera
from capture.vision import open_reader
from capture.vision.align import Alignment, align
from capture.vision.base import Reader
from capture.vision.errors import VisionInvalid
from capture.vision.reading import Reading
from hardware.displays import DotMatrix
from hardware.ports.base import Image

PAUSE_S = 0.15
"""Between two looks."""
ALIGN_EVERY_S = 1.5
BRIGHTEST_S = 8.0
"""So long what lit up stays in `brightest`."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What one picture says under one draft."""

    number: int = 0
    draft: Draft | None = None
    reading: Reading | None = None
    took_ms: float = 0.0
    problem: str = ""
    """Why nothing could be read at all."""
    alignment: Alignment | None = None
    hints: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class _Brightest:
    """The brightest that each pixel was lately: a display lights most of its dots within a few seconds."""

    image: Image | None = None
    parts: list[tuple[float, Image]] = field(default_factory=list)

    def see(self, image: Image, now: float) -> None:
        if self.parts and self.parts[-1][1].shape != image.shape:
            self.parts = []
        if not self.parts or now - self.parts[-1][0] > BRIGHTEST_S / 4:
            self.parts = [(at, part) for at, part in self.parts if now - at < BRIGHTEST_S]
            self.parts.append((now, image.copy()))
        np.maximum(self.parts[-1][1], image, out=self.parts[-1][1])

    def sum_up(self) -> Image | None:
        parts = list(self.parts)  # other threads see and forget meanwhile
        return np.asarray(np.maximum.reduce([part for _, part in parts]), np.uint8) if parts else None

    def forget(self) -> None:
        self.parts = []


class Looker:
    """Reads what the camera sees. `now` is replaced with each look."""

    def __init__(self, camera: LiveCamera, drafts: Drafts) -> None:
        self.now = Look()
        self._camera = camera
        self._drafts = drafts
        self._reader: tuple[Draft, Reader] | None = None
        self._exposure = ExposureWatch()
        self._brightest = _Brightest()
        self._aligned: tuple[float, Draft, Alignment | None] | None = None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._work, name="look", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """End."""
        self._over.set()
        self._thread.join(5)

    def brightest(self) -> Image | None:
        """All that was lit within the last seconds, in one picture; None before the first one."""
        return self._brightest.sum_up()

    def forget(self) -> None:
        """The camera was set anew: older pictures say nothing of it."""
        self._exposure.forget()
        self._brightest.forget()

    def _work(self) -> None:
        seen = 0
        while not self._over.wait(PAUSE_S):
            number = self._camera.wait(seen if self.now.draft is self._drafts.now else seen - 1, 0.5)
            image, draft = self._camera.image, self._drafts.now
            if image is None or (number == seen and draft is self.now.draft):
                continue
            seen = number
            self.now = self._look(number, image, draft)

    def _look(self, number: int, image: Image, draft: Draft) -> Look:
        begun = time.monotonic()
        self._exposure.see(image, draft.corners)
        self._brightest.see(image, begun)
        hints = tuple(self._exposure.hints(image, draft.corners))
        try:
            if self._reader is None or self._reader[0] != draft:
                self._reader = (draft, open_reader(draft.profile(), corners=draft.corners))
            reading = self._reader[1].read(image)
            took = (time.monotonic() - begun) * 1000
            alignment = self._align(draft, begun)
        except VisionInvalid as error:
            return Look(number=number, draft=draft, problem=str(error), hints=hints)
        except Exception as error:  # noqa: BLE001 -- the loop that keeps the page alive: whatever it is, it is shown
            self._reader = None
            _log.debug("a look failed", exc_info=True)
            problem = f"the reader failed: {type(error).__name__}: {error}".splitlines()[0]
            return Look(number=number, draft=draft, problem=problem, hints=hints)
        return Look(number=number, draft=draft, reading=reading, took_ms=took, alignment=alignment, hints=hints)

    def _align(self, draft: Draft, now: float) -> Alignment | None:
        """Now and then, for it costs as much as many readings; over the brightest picture, which shows most dots."""
        display = draft.profile().display
        if not isinstance(display, DotMatrix) or draft.corners is None:
            return None
        before = self._aligned
        if before is not None and before[1] == draft and now - before[0] < ALIGN_EVERY_S:
            return before[2]
        image = self._brightest.sum_up()
        found = None if image is None else align(image, display, draft.corners)
        self._aligned = (now, draft, found)
        return found
