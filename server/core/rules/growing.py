"""A sequence that never changes and can be made longer cheaply, as a log is by every entry.

The longer one shares the items of the one before, so that neither copying nor comparing them costs anything. Invariant:
what a sequence held when it was made it holds for ever, whoever makes longer ones of it, from any thread.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar, overload

T = TypeVar("T")


class Growing(Sequence[T]):
    """Items in order; `growing + more` gives a longer one, a slice is a tuple."""

    __slots__ = ("_claims", "_items", "_length")

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._items = list(items)
        self._length = len(self._items)
        self._claims: dict[int, object] = {}

    def __add__(self, more: Iterable[T]) -> "Growing[T]":
        """Give a sequence with more items behind these: O(len(more)), but where another has been made of it already."""
        longer: Growing[T] = Growing()
        # One thread alone gets the claim, and who comes after it was given up sees that the list is longer already.
        if self._claims.setdefault(self._length, longer) is not longer:
            longer._items = self._items[: self._length]
            longer._items.extend(more)
        else:
            if len(self._items) == self._length:
                longer._items, longer._claims = self._items, self._claims
            else:
                longer._items = self._items[: self._length]
            longer._items.extend(more)
            del self._claims[self._length]
        longer._length = len(longer._items)
        return longer

    def begins_with(self, other: "Growing[T] | tuple[T, ...]") -> bool:
        """Say whether the other's items are the first of these; at once where this was made of the other."""
        if isinstance(other, Growing) and other._items is self._items:  # noqa: SLF001 - its own kind
            return other._length <= self._length  # noqa: SLF001
        return self[: len(other)] == tuple(other)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[T]:
        return islice(self._items, self._length)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            start, stop, step = index.indices(self._length)
            if step > 0:
                return tuple(self._items[start:stop:step])
            return tuple(self._items[place] for place in range(start, stop, step))
        if not -self._length <= index < self._length:
            raise IndexError(index)
        return self._items[index if index >= 0 else index + self._length]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (Growing, tuple)):
            return len(other) == len(self) and (other is self or self.begins_with(other))
        return NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Growing({list(self)!r})"
