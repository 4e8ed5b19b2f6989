"""Simulated machines that say the dots of their display: DNDP, dmdreader, libdmdutil and dmd-extensions.

What is shown is `hardware.sim.dmd`'s; how each program writes it is in `dot_writers`. Pictures are sent when they
differ from the one before, 30 a second at most. Invariant: the same events and times give the same bytes.
"""

from hardware.sim.address import Setting
from hardware.sim.colours import paint
from hardware.sim.dmd import Display
from hardware.sim.dot_writers import WRITERS, Drawn, Writer
from hardware.sim.oracle import Event

PICTURE_MS = 33
LIVELY_MS, STILL_MS = 1_500, 100
"""So long after an event things move, and each picture is looked at; then only so often."""
REPEAT_MS = 1_000


def make(setting: Setting) -> "DotSpeaker":
    """The program of this machine: its kind says which, its seed how it writes (bits a dot, names or tags)."""
    return DotSpeaker(setting, WRITERS[setting.kind](setting.columns, setting.rows, setting.seed))


class DotSpeaker:
    """One machine's program. `colour` of the setting: its pictures are sent in colours, where the protocol has such."""

    def __init__(self, setting: Setting, writer: Writer) -> None:
        self._display = Display(setting.seed, rows=setting.rows, columns=setting.columns, wipes=setting.trouble.wipes)
        self._seed, self._colour = setting.seed, setting.colour
        self._writer = writer
        self._powered = True
        self._at = self._moved_at = 0
        self._drawn_at: int | None = None
        self._repeated_at = 0
        self._last: bytes | None = None

    def greet(self, at: int) -> list[bytes]:
        """Somebody listens: the size, where the protocol says it; a picture comes with the next change."""
        self._at = max(self._at, at)
        self._repeated_at = self._at
        return self._writer.greet()

    def happen(self, event: Event) -> list[bytes]:
        """Something truly happened: the display may show it."""
        self._display.tell(event)
        self._at, self._moved_at = event.at, event.at
        if event.kind == "power-lost":
            self._powered, self._last, self._drawn_at = False, None, None
        elif event.kind == "power-back":
            self._powered = True
        return self._show()

    def hear(self, data: bytes, at: int) -> list[bytes]:
        """dmd-extensions answers who says that he listens; the others hear nothing."""
        self._at = max(self._at, at)
        return self._writer.greet() if data == b"\x00" and self._powered else []

    def tick(self, at: int) -> list[bytes]:
        """Time has passed."""
        self._at = max(self._at, at)
        said: list[bytes] = []
        if self._powered and self._writer.repeated and self._at >= self._repeated_at + REPEAT_MS:
            self._repeated_at = self._at
            said.append(self._writer.repeated)
        return said + self._show()

    def deadline(self) -> int | None:
        """When there may be another picture."""
        if not self._powered:
            return None
        due = self._next_picture()
        return min(due, self._repeated_at + REPEAT_MS) if self._writer.repeated else due

    def _next_picture(self) -> int:
        if self._drawn_at is None:
            return self._at
        lively = self._drawn_at < self._moved_at + LIVELY_MS
        return self._drawn_at + (PICTURE_MS if lively else STILL_MS)

    def _show(self) -> list[bytes]:
        """The picture of now, where one is due and it is another."""
        since = self._at if self._drawn_at is None else self._at - self._drawn_at
        if not self._powered or (self._drawn_at is not None and since < PICTURE_MS):
            return []
        self._drawn_at = self._at
        dots = self._display.draw(self._at)
        colours = paint(dots, self._seed, self._at // 1_000 * 1_000)[..., ::-1] if self._colour else None
        written = self._writer.write(Drawn(dots, colours), self._at)
        core = self._writer.essence(written)
        if core == self._last:
            return []
        self._last = core
        return [written]
