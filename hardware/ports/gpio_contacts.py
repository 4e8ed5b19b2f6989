"""Contacts that bounce: from the edges of one pin to the few changes that count. Pure: no pins, no clock.

A contact that is a moment (a tilt bob, a button) counts when it has been closed for `hold_ms`, once, and not again
before it has been open for `rest_ms`: a bob that swings is one touch. One that is a state (power, a door) counts when
it has stood for `hold_ms`. Invariant: what is shorter than `hold_ms` never happened.
"""

from dataclasses import dataclass


@dataclass(slots=True, kw_only=True)
class Contact:
    """One pin. `lasting`: it is a state, told at the beginning and at each change; else a moment."""

    hold_ms: int
    rest_ms: int = 0
    lasting: bool = False
    active: bool = False
    """As the pin is now."""
    told: bool | None = None
    """A state: as it was last told. A moment: it has been told, and has not rested since."""
    since: int = 0
    """When the pin became as it is."""

    def edge(self, active: bool, at: int) -> list[bool]:  # noqa: FBT001 - the pin's level
        """The pin has changed. Returns what had come to count before that."""
        said = self.tick(at)
        if active != self.active:
            self.active, self.since = active, at
        return said

    def tick(self, now: int) -> list[bool]:
        """Time has passed. Returns what counts now: for a moment [True], for a state its new value."""
        due = self.deadline()
        if due is None or now < due:
            return []
        if self.lasting:
            self.told = self.active
            return [self.active]
        self.told = self.active
        return [True] if self.active else []

    def deadline(self) -> int | None:
        """When `tick` has something to do."""
        if self.lasting:
            return None if self.told == self.active else self.since + self.hold_ms
        if self.active == bool(self.told):
            return None
        return self.since + (self.hold_ms if self.active else self.rest_ms)
