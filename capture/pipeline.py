"""One machine's capture, put together: port events in, signals out. One class for wire and camera.

Here: the link (attached, detached, lost) and the routing from a source to the one game machine. Not here: what a
protocol or a picture says (`dialects`, `watch`), what follows from it (`game`). No I/O, no clock: the caller feeds
events, ticks at `next_deadline`, and sends what `outgoing` hands out.
"""

from typing import assert_never

from capture.deadlines import earliest
from capture.dialects import Setup, open_dialect
from capture.game import GameMachine
from capture.hints import DotsLost, DotsShown, GameGone, Heard, Hint, LinkBroken, Trouble
from capture.signals import GameAborted, MachineAttached, MachineDetached, Picture, ScoreLive, Signal, no_picture
from capture.states import MachineState
from capture.vision.networks import Values
from capture.watch import Corners as Corners  # noqa: PLC0414 - part of this door
from capture.watch import DisplayWatch
from hardware.ports.base import Chunk, Closed, Dots, Frame, Opened, Overheard, PortEvent
from hardware.profile import MachineProfile


class Capture:
    """Hears or sees one machine. `corners` are for a display profile; without them the display is looked for."""

    def __init__(self, profile: MachineProfile, *, corners: Corners | None = None, setup: Setup | None = None) -> None:
        self.profile = profile
        self._dialect = open_dialect(profile, setup) if profile.dialect else None
        self._watch = DisplayWatch(profile, corners=corners) if profile.display else None
        self._game = GameMachine(profile, picture=self._watch.picture if self._watch else no_picture)
        self._port = ""
        self.attached = False
        """What it says or shows makes sense."""
        self._farewell = False
        """The machine said that it goes."""
        self._cut_short = False
        """It went in mid-game."""
        self.mistaken = False
        """What talks there is not, or does not say that it is, the machine that is meant."""

    def feed(self, event: PortEvent) -> list[Signal]:
        """Take one event of the port; return what it means, in order."""
        said = self._pass(event.at)
        match event:
            case Opened():
                self._port, self.mistaken = event.port, False
                if self._dialect:
                    self._dialect.open(event.at, passive=event.passive)
                else:
                    said += self._game.faults.clear("port-lost", event.at, self._game.game)
            case Chunk():
                said += self._take(self._dialect.feed(event.data, event.at)) if self._dialect else []
            case Overheard():
                if self._dialect:
                    self._dialect.overhear(event.data)
            case Frame():
                said += self._take(self._watch.see(event.image, event.at)) if self._watch else []
            case Dots():
                said += self._take(self._watch.see_dots(event.levels, event.at)) if self._watch else []
            case Closed():
                said += self._closed(event)
            case _:
                assert_never(event)
        return said

    def tick(self, now: int) -> list[Signal]:
        """Time has passed: call at `next_deadline`, or oftener."""
        return self._pass(now)

    def next_deadline(self) -> int | None:
        """When `tick` has something to do, in milliseconds since boot."""
        parts = (self._game, self._dialect, self._watch)
        due = [part.deadline() for part in parts if part is not None]
        return earliest(*due)

    def outgoing(self) -> bytes:
        """What is to be sent to the machine now; handed out once."""
        return self._dialect.outgoing() if self._dialect else b""

    def freeze(self, now: int, why: str = "asked for by the desk") -> list[Signal]:
        """Keep the last stable scores at once, of the game that runs or ran last."""
        return self._game.freeze(now, why)

    def refit(self, corners: Corners | None = None) -> None:
        """Look for the display anew, at these corners or anywhere; nothing where the machine is heard by wire."""
        if self._watch:
            self._watch.refit(corners)

    def advise(self, hints: list[Hint]) -> list[Signal]:
        """Take what another source of the same machine (a switch on it) says of the game that is followed here."""
        return self._take(hints)

    def picture(self, numbers: tuple[int, ...] = ()) -> Picture | None:
        """The evidence of now, as `signals.Pictures` has it; None where the machine is heard by wire."""
        return self._watch.picture(numbers) if self._watch else None

    def state(self) -> MachineState | None:
        """What a machine that is looked at said last, whatever it means; None of others. Only `replay` shows it."""
        return getattr(self._dialect, "state", None)

    @property
    def dots(self) -> Values | None:
        """The exact dots that stand on a display heard by wire (rows x columns, 0 to 1); None where not known."""
        return self._watch.dots if self._watch else None

    def live(self) -> list[ScoreLive]:
        """The scores of a running game as they stand: for the pulse, never stored."""
        return self._game.live()

    def _pass(self, now: int) -> list[Signal]:
        """Let time pass, part by part, each deadline in its turn."""
        said: list[Signal] = []
        for _ in range(100):  # a part that never comes to rest must not hang the agent
            due = self.next_deadline()
            if due is None or due > now:
                break
            said += self._take([*(self._dialect.tick(due) if self._dialect else ())])
            said += self._take([*(self._watch.tick(due) if self._watch else ())])
            said += self._game.tick(due)
        return said

    def _take(self, hints: list[Hint]) -> list[Signal]:
        said: list[Signal] = []
        for hint in hints:
            if isinstance(hint, Trouble) and hint.fault in {"wrong-device", "no-data"}:
                self.mistaken = True
            if isinstance(hint, Heard):
                self.mistaken = False
                said += self._attach(hint)
            elif isinstance(hint, DotsShown):
                said += self._take(self._watch.see_dots(hint.levels, hint.at)) if self._watch else []
            elif isinstance(hint, DotsLost):
                if self._watch:
                    self._watch.lose_dots(hint.at, hint.why, told=hint.told)
            elif isinstance(hint, GameGone) and hint.how == "shutdown":
                gone = self._game.take(hint)
                self._farewell = True
                self._cut_short = self._cut_short or any(isinstance(signal, GameAborted) for signal in gone)
                said += gone
            else:
                said += self._game.take(hint)
        return said

    def _attach(self, hint: Heard) -> list[Signal]:
        """It makes sense: only this ends a lost link, for a peer may come and go a hundred times without a word."""
        self._farewell = self._cut_short = False
        if self.attached:
            return []
        self.attached = True
        said: list[Signal] = [MachineAttached(at=hint.at, port=self._port, detail=hint.detail)]
        for fault in ("port-lost", "link-lost"):
            said += self._game.faults.clear(fault, hint.at, self._game.game)
        return said

    def _closed(self, event: Closed) -> list[Signal]:
        last = self._stand(event.at) if event.reason == "ended" and self._game.game else []
        last += self._take(self._dialect.finish(event.at)) if self._dialect else []
        return last + (self._end(event) if event.reason == "ended" else self._hang_up(event))

    def _stand(self, at: int) -> list[Signal]:
        """What a recording ends with in a game is taken to stand for as long as an end needs; no silence is told."""
        said: list[Signal] = []
        for _ in range(100):
            due = self._dialect.deadline() if self._dialect else None
            if self._dialect is None or due is None or due > at + self.profile.hold_ms + 2 * self.profile.dwell_ms:
                break
            hints = self._dialect.tick(due)
            if any(isinstance(hint, Trouble | LinkBroken) for hint in hints):
                break
            said += self._take(hints)
        return said

    def _end(self, event: Closed) -> list[Signal]:
        """A recording is over."""
        gone = self._take(self._watch.finish(event.at)) if self._watch else []
        return gone + self._game.flush(event.at)

    def _hang_up(self, event: Closed) -> list[Signal]:
        if self._dialect:
            self._dialect.close()
        if not self.attached:
            if event.reason == "stopped" or "link-lost" in self._game.faults:
                return []
            return self._game.faults.raise_("port-lost", event.at, None, event.why)
        self.attached = False
        said: list[Signal] = []
        if self._watch:  # its game is lost when nothing has been seen for long
            self._watch.pause(event.at)
            if self._dialect and event.reason != "stopped":
                said += self._game.faults.raise_("port-lost", event.at, self._game.game, event.why)
            return [*said, MachineDetached(at=event.at, port=self._port, detail=event.why)]
        if event.reason != "stopped" and (not self._farewell or self._cut_short):
            where = self._game.last if self._cut_short else self._game.game
            said += self._game.faults.raise_("link-lost", event.at, where, event.why)
        said.append(MachineDetached(at=event.at, port=self._port, detail=event.why))
        said += self._game.take(LinkBroken(at=event.at))
        return said + (self._game.flush(event.at) if event.reason == "stopped" else [])
