"""Chance from a seed: the same seed gives the same draw on every computer and with every Python.

The generator is SplitMix64 (Steele, Lea, Flood 2014), 64 bits of state. Nothing here reads a clock or the computer's
own randomness, and no float is made. Invariant: two draws from equal seeds are equal.
"""

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")

_MASK = (1 << 64) - 1


class Chance:
    """A stream of numbers from a seed, any whole number."""

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def bits(self) -> int:
        """Give the next 64 bits."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return mixed ^ (mixed >> 31)

    def below(self, bound: int) -> int:
        """Give a number from 0 to bound - 1; the bias is less than bound in 2^64."""
        return (self.bits() * bound) >> 64

    def shuffled(self, things: Iterable[T]) -> list[T]:
        """Give the things in an order of chance."""
        mixed = list(things)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed
