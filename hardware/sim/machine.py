"""A simulated machine as a camera sees it: life, face and camera put together, for every kind of display.

Wall time is an argument. Pictures are taken only when one is looked for, so a slow reader gets the newest, never a
queue; some are dropped, as cameras do, and each blends what the display showed while the shutter was open.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardware.ports.base import Image
from hardware.sim.address import Setting
from hardware.sim.board import Truth
from hardware.sim.colours import paint
from hardware.sim.dmd import Display
from hardware.sim.lens import Lens
from hardware.sim.life import Life
from hardware.sim.lights import LightFace
from hardware.sim.monitor import MonitorFace
from hardware.sim.pane import Pane
from hardware.sim.reels import ReelFace
from hardware.sim.segments import SegmentFace
from hardware.sim.trouble import Trouble

SHUTTER_MS = 33
DROPPED = 0.02

Face = Display | SegmentFace | ReelFace | MonitorFace | LightFace


def face_of(setting: Setting, *, pace: float = 1.0) -> Face:
    """The front of the machine that stands there."""
    trouble, seed = setting.trouble, setting.seed
    match setting.kind:
        case "dmd":
            return Display(seed, pace=pace, rows=setting.rows, columns=setting.columns, wipes=trouble.wipes)
        case "segments":
            return SegmentFace(setting, pace=pace)
        case "reels":
            return ReelFace(
                seed, digits=setting.digits, players=setting.most, zeros=setting.zeros, stick=setting.stick, pace=pace
            )
        case "lcd":
            return MonitorFace(seed, players=setting.most, pace=pace)
        case "lights":
            return LightFace(seed, pace=pace)
    raise ValueError(f"a simulated machine of kind {setting.kind!r} has no display")


def camera_of(setting: Setting, face: Face) -> Lens | Pane:
    """The camera before it."""
    of_picture: dict[str, Any] = {"width": setting.width, "height": setting.height, "trouble": setting.trouble}
    if isinstance(face, Display):
        colour = setting.colour if setting.colour not in {"", "full"} else "amber"
        return Lens(setting.seed, columns=setting.columns, rows=setting.rows, colour=colour, **of_picture)
    bloom = 0.3 if isinstance(face, SegmentFace) and setting.glass == "lit" else 0.1
    return Pane(setting.seed, face.size, bloom=bloom, **of_picture)


class Seen:
    """Call `look` whenever `wait` milliseconds have passed.

    Without a `setting`, a dot-matrix display of 128 x 32 dots; `trouble` are then the camera's.
    """

    def __init__(
        self,
        life: Life,
        seed: int,
        *,
        width: int = 640,
        height: int = 360,
        fps: float = 5.0,
        setting: Setting | None = None,
        **trouble: Any,  # noqa: ANN401 - Trouble's own types
    ) -> None:
        self.setting = setting or Setting(
            kind="dmd", seed=seed, width=width, height=height, fps=fps,
            trouble=Trouble(**{"shutter": SHUTTER_MS, **trouble}),
        )  # fmt: skip
        self._life = life
        self._every = 1000 / self.setting.fps
        self._taken = 0
        self.display = face_of(self.setting, pace=life.speed)
        self.lens = camera_of(self.setting, self.display)
        self.truth: Truth = {}
        """What was right to read in the last picture: while the shutter was open, or at either end of it."""
        self._last: Image | None = None

    def wait(self, wall: int) -> int:
        """Wall milliseconds until the next picture is due."""
        return max(1, round((int(wall / self._every) + 1) * self._every - wall))

    def look(self, wall: int) -> Image | None:
        """The picture taken at `wall`, or None where the camera dropped it. `wall` must not go back."""
        trouble = self.setting.trouble
        opened, before = self._show(max(wall - round(trouble.shutter), 0))
        closed, after = self._show(wall)
        if trouble.frozen_at and wall >= trouble.frozen_at * 1000 and self._last is not None:
            return self._last
        self.truth = {who: before.get(who, frozenset()) | after.get(who, frozenset()) for who in {*before, *after}}
        self._taken += 1
        if np.random.default_rng([self.setting.seed, self._taken]).random() < DROPPED:
            return None
        light = (opened.astype(np.float32) + closed) / np.float32(2)
        if trouble.dark_at and wall >= trouble.dark_at * 1000:
            light = light * np.float32(0.02)
            self.truth = {}
        self._last = self.lens.picture(light, wall)
        return self._last

    def _show(self, wall: int) -> tuple[NDArray[np.float32] | NDArray[np.uint8], Truth]:
        for event in self._life.advance(wall):
            self.display.tell(event)
        at = max(self._life.machine_time(wall), self.display.event.at)
        truth = self.display.truth(at)
        shown = self.display.draw(at)
        if isinstance(self.display, Display) and self.setting.colour == "full":
            return paint(np.asarray(shown, np.uint8), self.setting.seed, at), truth
        return shown, truth
