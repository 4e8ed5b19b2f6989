"""When what a memory reader has told is one whole sample of the memory.

Here: laying lines together, for a reader that tells by itself and for recordings. Not here: asking (`memory_poll`),
what the bytes mean (`memory_values`). Invariant: a sample is never made of lines of which one was told again in
between, and a part of a line is never taken.
"""

from hardware.maps.cells import Memory

LONGEST_MS = 15_000
"""A sample that takes longer to be told says nothing of one moment."""


class Sampler:
    """Lays a reader's lines together. `needed`: the addresses without which a sample is not whole."""

    def __init__(self, needed: tuple[int, ...]) -> None:
        self._needed = frozenset(needed)
        self._told: dict[int, int] = {}
        self._since = 0
        self._last = -1
        self._synced = False
        """A sample has been whole since the last gap: the reader's order is known."""
        self._kept = Memory()
        """All that a recording has told; it says itself where a sample ends."""

    def reset(self) -> None:
        """A new conversation begins."""
        self.drop()
        self._kept = Memory()

    def drop(self) -> None:
        """Something was lost: what was begun is not taken."""
        self._told, self._last, self._synced = {}, -1, False

    def take(self, address: int, data: bytes, at: int) -> Memory | None:
        """Take one line; returns the memory where that makes a sample whole."""
        self._kept.cells.update(self._wanted(address, data))
        wanted = self._wanted(address, data)
        backwards = not self._synced and address < self._last  # the first sample may have begun in its middle
        if backwards or at - self._since > LONGEST_MS or any(one in self._told for one in wanted):
            self._told = {}
        self._last = address
        if not self._told:
            self._since = at
        self._told.update(wanted)
        if len(self._told) < len(self._needed):
            return None
        memory, self._told, self._synced = Memory(cells=self._told), {}, True
        return memory

    def take_dips(self, dips: tuple[int, ...]) -> None:
        """A recording knows the DIP switches."""
        self._kept.dips = dips

    def end(self) -> Memory:
        """A recording says that a sample ends: all that it has told up to now is the memory."""
        self._told = {}
        return Memory(cells=dict(self._kept.cells), dips=self._kept.dips)

    def _wanted(self, address: int, data: bytes) -> dict[int, int]:
        return {place: cell for place, cell in enumerate(data, start=address) if place in self._needed}
