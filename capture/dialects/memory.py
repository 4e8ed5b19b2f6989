"""A machine's memory, read while it plays: by a reader that answers `dump START COUNT`, or that tells by itself.

Here: the lines, and from each whole sample to a `MachineState`. Asking is `memory_poll`, laying together
`memory_sample`, the bytes' meaning `memory_values`. Source of the lines: Protospace/pinballwizard (`0xAAAA: 0xNN …`, 16
bytes a line; what begins with `>` are its own remarks). A line of one full stop ends a sample of a recording.
Invariant: a sample that is not whole, or that another read did not bear out, says nothing.
"""

from dataclasses import replace

from capture import hints as h
from capture.deadlines import earliest
from capture.dialects import Setup
from capture.dialects.memory_poll import Poller
from capture.dialects.memory_sample import Sampler
from capture.dialects.memory_sense import Sense
from capture.dialects.memory_values import read_memory, state_of
from capture.errors import SourceUnsupported
from capture.framing import LineSplitter
from capture.states import MachineState, StateFollower
from hardware.maps.cells import MISFIT, MOST_LINE, Memory, parse_dips_line, parse_dump_line
from hardware.maps.model import MemoryMap
from hardware.profile import MachineProfile

_PHASE = (
    *("player_count", "current_player", "current_ball", "game_over", "tilted", "slam_tilted"),
    *("tilt_warnings", "service_mode"),
)
"""What, beside the scores, must be read right: a moment's wrong value would end or begin something."""


def make(profile: MachineProfile, setup: Setup) -> "MemoryDialect":
    """The dialect of a profile whose map is loaded. Raises SourceUnsupported where it has none."""
    del setup
    table = profile.memory
    if table is None or table.loaded is None:
        raise SourceUnsupported(
            f"profile {profile.id!r} needs a memory map: give --map FILE, or write a profile of your own with"
            ' map = "FILE" in its [memory] table'
        )
    return MemoryDialect(profile, table.loaded, poll_ms=table.poll_ms)


class MemoryDialect:
    """One machine's memory, one conversation after another."""

    def __init__(self, profile: MachineProfile, memory_map: MemoryMap, *, poll_ms: int) -> None:
        self._map = memory_map
        needed = memory_map.addresses()
        phase = [memory_map.fields[name] for name in _PHASE if name in memory_map.fields]
        watched = {one for part in (*memory_map.scores, *memory_map.finals, *phase) for one in part.addresses}
        self._splitter = LineSplitter(limit=MOST_LINE)
        self._sampler = Sampler(needed)
        self._poller = Poller(needed, tuple(one for one in needed if one in watched), poll_ms)
        self._critical = tuple(one for one in needed if one in watched)
        self._follower = StateFollower(profile)
        self._sense = Sense()
        self._out = b""
        self._passive = True
        self._asked_by_others = self._misfit = False
        self._before: tuple[int | None, ...] | None = None
        self._believed: tuple[int | None, ...] | None = None
        self._read: tuple[Memory, MachineState] | None = None
        """The memory that was read last, and what it said."""

    @property
    def state(self) -> MachineState | None:
        """What the memory said last."""
        return self._read[1] if self._read else None

    def open(self, at: int, *, passive: bool) -> None:
        """A conversation begins: the first question."""
        self._splitter.reset()
        self._sampler.reset()
        self._sense.open(at, passive=passive)
        self._follower.open(at)
        self._passive, self._asked_by_others, self._misfit = passive, False, False
        self._before = self._believed = None
        self._out = b"" if passive else self._poller.open(at)

    def finish(self, at: int) -> list[h.Hint]:
        """No more will come in this conversation: what is sure by now."""
        return self._follower.finish(at)

    def close(self) -> None:
        """The conversation is over: no answer will come."""
        self._sense.close()
        self._poller.close()
        self._out = b""

    def feed(self, data: bytes, at: int) -> list[h.Hint]:
        """Take bytes as they came, cut anywhere."""
        if data:
            self._sense.bytes_came()
        hints = [hint for line in self._splitter.feed(data) for hint in self._take(line.strip(), at)]
        return hints + (self._sense.swamp(at) if self._splitter.overlong else [])

    def overhear(self, data: bytes) -> None:
        """Take what somebody else asked the reader: he will have read again what had changed."""
        self._asked_by_others = self._asked_by_others or data.lstrip()[:5] == b"dump "

    def tick(self, now: int) -> list[h.Hint]:
        """Time has passed: the next poll, an answer that does not come, a state that has lasted."""
        self._out += self._poller.tick(now)
        return self._sense.tick(now) + self._follower.tick(now)

    def deadline(self) -> int | None:
        """When `tick` has something to do."""
        return earliest(self._poller.deadline(), self._sense.deadline(), self._follower.deadline())

    def outgoing(self) -> bytes:
        """What is to be asked now."""
        data, self._out = self._out, b""
        return data

    def _take(self, line: bytes, at: int) -> list[h.Hint]:
        if not line or line == self._poller.open_question.strip():  # some readers repeat what they were asked
            return []
        parsed = parse_dump_line(line.lstrip(b"> "))  # some readers prompt for the next question
        if parsed is not None:
            return self._sense.accept(at) + self._lay(*parsed, at)
        if self._passive and line in {b".", MISFIT}:
            self._misfit |= line == MISFIT
            return self._see(self._sampler.end(), at) if line == b"." else []
        if (dips := parse_dips_line(line)) is not None:
            self._sampler.take_dips(dips)
            return []
        self._sampler.drop()
        self._poller.fail(at)
        if line.startswith(b">"):
            return []
        return self._sense.reject(at)

    def _lay(self, address: int, data: bytes, at: int) -> list[h.Hint]:
        """A good line: it answers our question, or the reader tells by itself."""
        if not self._passive:
            ours, question, memory = self._poller.take(address, data, at)
            self._out += question
            if ours or self._poller.answered:
                return [] if memory is None else self._see(memory, at)
        memory = self._sampler.take(address, data, at)
        return [] if memory is None or not self._borne_out(memory) else self._see(memory, at)

    def _borne_out(self, memory: Memory) -> bool:
        """Whoever asked read again what had changed: what the second read does not say was torn."""
        if not self._asked_by_others:
            return True
        now = tuple(memory.cells.get(address) for address in self._critical)
        agreed = now in (self._before, self._believed)
        self._before = now
        if agreed:
            self._believed = now
        return agreed

    def _see(self, memory: Memory, at: int) -> list[h.Hint]:
        if self._sense.awake(at):
            self._follower.open(at)
        doubt = self._map.doubt or ("its checksums do not fit the map" if self._misfit else None)
        detail = f"memory by {self._map.file}" + (f"; unverified: {doubt}" if doubt else "")
        hints = self._sense.sample(at, detail)
        state = self._state_of(memory, at, verified=doubt is None)
        self._misfit = False
        return hints + self._follower.see(state)

    def _state_of(self, memory: Memory, at: int, *, verified: bool) -> MachineState:
        """What the memory says; it is read anew only where it has changed."""
        if self._read is None or self._read[0] != memory or self._read[1].verified != verified:
            self._read = (memory, state_of(read_memory(self._map, memory), at, verified=verified))
        return replace(self._read[1], at=at)
