"""Asking a memory reader for what is needed, again and again, and believing only what it says twice.

Here: which ranges are asked for, one at a time, and when an answer has failed. Not here: what the bytes mean. Source:
Protospace/pinballwizard, atmel.ino: `dump START COUNT` is answered by lines that begin at START and then at every 16th
address. A read may fall between two writes of the machine: what has changed is read again at once, and counts when two
reads agree. Invariant: one question is open at a time, and no answer is waited for without an end.
"""

from dataclasses import dataclass

from hardware.maps.cells import Memory

MOST_GAP = 16
"""Bytes that are not needed, but cost less than another question."""
MOST_COUNT = 256
"""Bytes a question."""
ANSWER_MS = 1_000
"""So long an answer may keep us waiting, and as much again for every 64 bytes (the slowest line: 9600 baud)."""
READ_AGAIN = 5
"""So many reads in a row, until two agree; then the next poll goes on."""


@dataclass(frozen=True, slots=True)
class Range:
    """Addresses in a row."""

    start: int
    count: int


def merge(addresses: tuple[int, ...]) -> tuple[Range, ...]:
    """The fewest questions that cover these addresses (which are in order)."""
    ranges: list[Range] = []
    for address in addresses:
        last = ranges[-1] if ranges else None
        end = last.start + last.count if last else 0
        if last and address - end <= MOST_GAP and address - last.start < MOST_COUNT:
            ranges[-1] = Range(last.start, address - last.start + 1)
        else:
            ranges.append(Range(address, 1))
    return tuple(ranges)


class Poller:
    """Asks; `critical` are the addresses of which two reads must agree where they have changed."""

    def __init__(self, needed: tuple[int, ...], critical: tuple[int, ...], poll_ms: int) -> None:
        self._ranges = merge(needed)
        self._critical = critical
        self._poll_ms = poll_ms
        self._asking = -1
        """Which range is open; -1: none."""
        self._got = 0
        self._cells: dict[int, int] = {}
        self._before: tuple[int, ...] | None = None
        """The critical bytes of the read before."""
        self._believed: tuple[int, ...] | None = None
        self._reads = 0
        self._due: int | None = None
        self.answered = False
        """It has answered a question in this conversation."""

    def open(self, at: int) -> bytes:
        """A conversation begins: the first question."""
        self._before = self._believed = None
        self.answered = False
        return self._begin(at)

    def close(self) -> None:
        """Nothing is asked any more."""
        self._asking, self._due = -1, None

    @property
    def open_question(self) -> bytes:
        """The question that waits for its answer; empty where there is none."""
        return self._question() if self._asking >= 0 else b""

    def take(self, address: int, data: bytes, at: int) -> tuple[bool, bytes, Memory | None]:
        """Take one line: whether it belongs to the answer, the next question, and the memory where it is believed."""
        if self._asking < 0:
            return False, b"", None
        asked = self._ranges[self._asking]
        if address != asked.start + self._got or len(data) > asked.count - self._got:
            return False, b"", None
        self._cells.update(enumerate(data, start=address))
        self._got += len(data)
        self.answered = True
        if self._got < asked.count:
            return True, b"", None
        if self._asking + 1 < len(self._ranges):
            self._asking += 1
            return True, self._ask(at), None
        return (True, *self._judge(at))

    def fail(self, at: int) -> None:
        """The answer is damaged: the question is put again with the next poll."""
        if self._asking >= 0:
            self._asking, self._due = -1, at + self._poll_ms

    def tick(self, now: int) -> bytes:
        """Time has passed: the next poll, or an answer that did not come."""
        if self._due is None or now < self._due:
            return b""
        return self._begin(now)

    def deadline(self) -> int | None:
        """When `tick` has something to do."""
        return self._due

    def _judge(self, at: int) -> tuple[bytes, Memory | None]:
        """A read is whole: believe it, or read again."""
        now = tuple(self._cells[address] for address in self._critical)
        agreed = now in (self._before, self._believed)
        self._before = now
        if agreed:
            self._believed, self._reads = now, 0
            self._asking, self._due = -1, at + self._poll_ms
            return b"", Memory(cells=self._cells)
        self._reads += 1
        if self._reads < READ_AGAIN:
            return self._begin(at), None
        self._reads = 0
        self._asking, self._due = -1, at + self._poll_ms
        return b"", None

    def _begin(self, at: int) -> bytes:
        if not self._ranges:
            self._asking, self._due = -1, None
            return b""
        self._asking, self._cells = 0, {}
        return self._ask(at)

    def _ask(self, at: int) -> bytes:
        self._got = 0
        self._due = at + ANSWER_MS * (1 + self._ranges[self._asking].count // 64)
        return self._question()

    def _question(self) -> bytes:
        asked = self._ranges[self._asking]
        return b"dump 0x%X %d\n" % (asked.start, asked.count)
