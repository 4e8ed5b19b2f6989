"""A simulated machine whose memory is read: a board like Williams', with a reader that answers `dump START COUNT`.

Here: what stands in the memory after each true event, warts included, and the reader's lines. The layout is our own
(`hardware/maps/own/sim-memory.map.json`). The reader is as Protospace/pinballwizard's: lines end at each 16th address,
remarks begin with `>`. Invariant: the same events, times and questions give the same bytes.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from hardware.sim.address import Setting
from hardware.sim.oracle import Event

SIZE = 0x800
BALL, TILTED, OVER, PLAYERS, PLAYER, SLAMMED, WARNINGS = 0x38, 0xA8, 0xA9, 0xAC, 0xAD, 0xAE, 0xB3
SCORES, SCORE_BYTES, SLOTS = 0x200, 6, 8
CREDITS, BALLS = 0x726, 0x788

_QUESTION = re.compile(rb"dump[ ,]+(0[xX][0-9a-fA-F]{1,4}|[0-9]{1,5})[ ,]+(0[xX][0-9a-fA-F]{1,4}|[0-9]{1,5})\s*\Z")
_LONGEST = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Warts:
    """What is not as one would wish; each of them happens on real boards."""

    torn: int = 3
    """Every so many reads that fall near a change mix bytes from before and after it; 0: none."""
    torn_ms: int = 40
    """How near."""
    busy: int = 50
    """Every so many questions are answered by a remark that the memory was busy; 0: none."""
    blink_ms: int = 80
    """So long the game's flag shows all ones at each change of balls; 0: not at all."""
    wake_ms: int = 1_500
    """So long after the power comes back the memory is all nought, the game's flag (nought: a game runs) too."""


def make(setting: Setting) -> "MemoryBoard":
    """The board, with all its warts."""
    del setting
    return MemoryBoard()


class MemoryBoard:
    """The machine's memory and its reader."""

    def __init__(self, warts: Warts = Warts()) -> None:
        self._warts = warts
        self._cells = bytearray(SIZE)
        self._before = bytes(SIZE)
        """The memory before its last change."""
        self._changed_at = 0
        self._near = self._questions = 0
        self._heard = b""
        self._blink_until: int | None = None
        self._wake_at: int | None = None
        self._wake(0)

    def greet(self, at: int) -> list[bytes]:
        """The reader's banner."""
        self._heard = b""
        del at
        return [b">**** Utility to read memory ****\r\n\r\n"]

    def happen(self, event: Event) -> list[bytes]:
        """Something happened: it shows in the memory; the reader says nothing unasked."""
        self.tick(event.at)
        write = self._WRITES.get(event.kind)
        if write:
            self._before, self._changed_at = bytes(self._cells), event.at
            write(self, event)
        return []

    def hear(self, data: bytes, at: int) -> list[bytes]:
        """Questions, cut anywhere: the answers, a line each."""
        self.tick(at)
        *lines, rest = (self._heard + data).replace(b"\r", b"\n").split(b"\n")
        self._heard = rest[:_LONGEST]
        return [said for line in lines if line for said in self._answer(line, at)]

    def tick(self, at: int) -> list[bytes]:
        """A flag that blinked stands again; a board whose power came back has begun."""
        if self._blink_until is not None and at >= self._blink_until:
            self._blink_until = None
            self._cells[OVER] = 0
        if self._wake_at is not None and at >= self._wake_at:
            self._wake(at)
        return []

    def deadline(self) -> int | None:
        """When the memory changes by itself."""
        return min((at for at in (self._blink_until, self._wake_at) if at is not None), default=None)

    # --- the reader --------------------------------------------------------------------------------------

    def _answer(self, line: bytes, at: int) -> list[bytes]:
        found = _QUESTION.match(line)
        if not found:
            return [b"> Enter Command\r\n"]
        self._questions += 1
        if self._warts.busy and self._questions % self._warts.busy == 0:
            return [b"> RAM BUSY_\r\n"]
        start, count = int(found[1], 0), int(found[2], 0)
        end = min(start + count, SIZE)
        cells = self._look(at, start, end)
        said, place = [], start
        while place < end:
            stop = min(end, (place // 16 + 1) * 16)
            row = " ".join(f"0x{cells[one]:02X}" for one in range(place, stop))
            said.append(f"0x{place:04X}: {row} \r\n".encode())
            place = stop
        return said

    def _look(self, at: int, start: int, end: int) -> bytes:
        """The memory as the reader gets it: now and then half of it from before a change."""
        now = bytes(self._cells)
        if not self._warts.torn or at - self._changed_at > self._warts.torn_ms:
            return now
        changed = [place for place in range(start, end) if now[place] != self._before[place]]
        if len(changed) < 2:
            return now
        self._near += 1
        if self._near % self._warts.torn:
            return now
        half = changed[len(changed) // 2]
        return now[:half] + self._before[half:]

    # --- the machine -------------------------------------------------------------------------------------

    def _wake(self, at: int) -> None:
        self._before, self._changed_at, self._wake_at = bytes(self._cells), at, None
        self._cells[OVER], self._cells[BALLS], self._cells[CREDITS] = 1, 0x03, 0x10

    def _start(self, event: Event) -> None:
        del event
        self._blink_until = None
        self._cells[SCORES : SCORES + SLOTS * SCORE_BYTES] = bytes(SLOTS * SCORE_BYTES)
        for place, value in ((OVER, 0), (PLAYERS, 0), (PLAYER, 1), (BALL, 0xF1), (TILTED, 0), (SLAMMED, 0)):
            self._cells[place] = value

    def _join(self, event: Event) -> None:
        self._cells[PLAYERS] = event.player

    def _begin_ball(self, event: Event) -> None:
        self._blink_until = None
        ball = 0xF0 | event.ball % 10
        for place, value in ((OVER, 0), (PLAYER, event.player), (BALL, ball), (TILTED, 0), (WARNINGS, 0)):
            self._cells[place] = value

    def _score(self, event: Event) -> None:
        for slot, score in enumerate(event.scores[:SLOTS]):
            digits = f"{score % 10 ** (2 * SCORE_BYTES):0{2 * SCORE_BYTES}d}"
            self._cells[SCORES + slot * SCORE_BYTES : SCORES + (slot + 1) * SCORE_BYTES] = bytes.fromhex(digits)

    def _warn(self, event: Event) -> None:
        self._cells[WARNINGS] = event.points

    def _tilt(self, event: Event) -> None:
        del event
        self._cells[TILTED] = 1

    def _slam(self, event: Event) -> None:
        self._cells[SLAMMED] = 1 if event.game else 0

    def _end_ball(self, event: Event) -> None:
        if self._warts.blink_ms:
            self._cells[OVER], self._blink_until = 0xFF, event.at + self._warts.blink_ms

    def _initials(self, event: Event) -> None:
        """High Speed's ball reads 15 while initials are entered."""
        del event
        self._cells[BALL] = 0xFF

    def _over(self, event: Event) -> None:
        """The scores stay: leftovers, until the next game begins."""
        del event
        self._blink_until = None
        for place, value in ((OVER, 1), (BALL, 0xF0), (TILTED, 0), (SLAMMED, 0)):
            self._cells[place] = value

    def _service(self, event: Event) -> None:
        self._over(event)
        self._cells[OVER] = 2

    def _wipe(self, event: Event) -> None:
        self._blink_until = None
        self._cells[:] = bytes(SIZE)
        self._wake_at = event.at + self._warts.wake_ms

    _WRITES: ClassVar[dict[str, Callable[["MemoryBoard", Event], None]]] = {
        "game-started": _start,
        "player-added": _join,
        "ball-started": _begin_ball,
        "scored": _score,
        "tilt-warning": _warn,
        "tilt": _tilt,
        "slam-tilt": _slam,
        "ball-ended": _end_ball,
        "initials": _initials,
        "game-ended": _over,
        "service-entered": _service,
        "service-left": _wipe,
        "power-back": _wipe,
    }
