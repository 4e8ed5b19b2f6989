"""A simulated dot-matrix machine as a camera sees it: life, display and lens put together.

Wall time is an argument. Pictures are taken only when one is looked for, so a slow reader gets the newest, never a
queue; some are dropped, as cameras do, and each blends what the display showed while the shutter was open.
"""

import numpy as np

from hardware.ports.base import Image
from hardware.sim.dmd import Display
from hardware.sim.lens import Lens, Trouble
from hardware.sim.life import Life

SHUTTER_MS = 33
DROPPED = 0.02


class Seen:
    """Call `look` whenever `wait` milliseconds have passed."""

    def __init__(
        self,
        life: Life,
        seed: int,
        *,
        width: int = 640,
        height: int = 360,
        fps: float = 5.0,
        **trouble: float,
    ) -> None:
        self._life = life
        self._seed = seed
        self._every = 1000 / fps
        self._taken = 0
        self.display = Display(seed, pace=life.speed)
        self.lens = Lens(seed, width=width, height=height, trouble=Trouble(**trouble))

    def wait(self, wall: int) -> int:
        """Wall milliseconds until the next picture is due."""
        return max(1, round((int(wall / self._every) + 1) * self._every - wall))

    def look(self, wall: int) -> Image | None:
        """The picture taken at `wall`, or None where the camera dropped it. `wall` must not go back."""
        opened = self._show(max(wall - SHUTTER_MS, 0))
        closed = self._show(wall)
        self._taken += 1
        if np.random.default_rng([self._seed, self._taken]).random() < DROPPED:
            return None
        return self.lens.picture((opened.astype(np.float32) + closed) / np.float32(2), wall)

    def _show(self, wall: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
        for event in self._life.advance(wall):
            self.display.tell(event)
        return self.display.draw(max(self._life.machine_time(wall), self.display.event.at))
