"""Switches on a machine as a source beside others: what they say is told to those that follow the game.

Here: the sensors' link, and telling their own troubles from what they say of the machine. Not here: ports, and what
follows from a drain or a tilt (`game`). Invariant: no sensor begins or ends a game.
"""

from capture import hints as h
from capture.deadlines import earliest
from capture.dialects import Setup, open_dialect
from capture.faults import Faults
from capture.signals import MachineAttached, MachineDetached, ScoreLive, Signal
from hardware.ports.base import Chunk, Closed, Opened, PortEvent
from hardware.profile import MachineProfile

ADVICE = (h.Trouble, h.Relief, h.BallDrained, h.StartPressed, h.OfficialCalled)
"""What a sensor may say of the machine."""
_OWN = {"data-garbled", "wrong-device", "no-data", "port-lost"}
"""Troubles of the sensors themselves."""


class Sensor:
    """Hears the sensors of one machine; used as a `Capture` is, and `advice` hands on what they say."""

    def __init__(self, profile: MachineProfile, *, setup: Setup | None = None) -> None:
        """Raises SourceUnsupported for a profile that has no dialect."""
        self._dialect = open_dialect(profile, setup)
        self._faults = Faults()
        self._advice: list[h.Hint] = []
        self._port = ""
        self._attached = False

    def feed(self, event: PortEvent) -> list[Signal]:
        """Take one event of the port; return what it means for the link."""
        match event:
            case Opened():
                self._port = event.port
                self._dialect.open(event.at, passive=event.passive)
                return []
            case Chunk():
                return self._take(self._dialect.feed(event.data, event.at))
            case Closed():
                return self._closed(event)
        return []

    def tick(self, now: int) -> list[Signal]:
        """Time has passed."""
        return self._take(self._dialect.tick(now)) + self._faults.tick(now, None)

    def next_deadline(self) -> int | None:
        """When `tick` has something to do, in milliseconds since boot."""
        return earliest(self._dialect.deadline(), self._faults.deadline())

    def outgoing(self) -> bytes:
        """What is to be sent to the sensors now; handed out once."""
        return self._dialect.outgoing()

    def advice(self) -> list[h.Hint]:
        """What the sensors said of the machine; handed out once."""
        said, self._advice = self._advice, []
        return said

    def live(self) -> list[ScoreLive]:
        """Sensors know no scores."""
        return []

    def _take(self, hints: list[h.Hint]) -> list[Signal]:
        said: list[Signal] = []
        for hint in hints:
            if isinstance(hint, h.Heard) and not self._attached:
                self._attached = True
                said += self._faults.clear("port-lost", hint.at, None)
                said.append(MachineAttached(at=hint.at, port=self._port, detail=hint.detail))
            elif isinstance(hint, h.Trouble) and hint.fault in _OWN:
                said += self._faults.raise_(hint.fault, hint.at, None, hint.detail)
            elif isinstance(hint, h.Relief) and hint.fault in _OWN:
                said += self._faults.clear(hint.fault, hint.at, None)
            elif isinstance(hint, ADVICE):
                self._advice.append(hint)
        return said

    def _closed(self, event: Closed) -> list[Signal]:
        self._dialect.close()
        lost = (
            [] if event.reason in {"stopped", "ended"} else self._faults.raise_("port-lost", event.at, None, event.why)
        )
        was, self._attached = self._attached, False
        return [*lost, *([MachineDetached(at=event.at, port=self._port, detail=event.why)] if was else [])]
