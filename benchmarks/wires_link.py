"""A simulated machine and the real capture, joined by a line on which everything goes wrong that goes wrong in a venue.

Simulated time: nothing waits. Every fault comes from the seed, so that a game that failed can be played again.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from capture.pipeline import Capture
from capture.signals import ScoreLive, Signal
from hardware.ports.base import Chunk, Closed, Opened
from hardware.sim.address import parse
from hardware.sim.course import Course
from hardware.sim.describe import profile_of
from hardware.sim.oracle import Event
from hardware.sim.speaker import open_speaker


@dataclass(frozen=True, slots=True, kw_only=True)
class Faults:
    """Chances a minute of play; each is its own dice."""

    cut: float = 0.0
    """The link goes for 0.2 to 40 seconds, and comes back as a new conversation."""
    garbage: float = 0.0
    """1 to 400 bytes without sense, on their own or in the middle of a message."""
    lost: float = 0.0
    """A write that never arrives."""
    damaged: float = 0.0
    """A write with one byte changed."""
    doubled: float = 0.0
    """A write that arrives twice."""
    stall: float = 0.0
    """Nothing arrives for 0.1 to 5 seconds, then all at once."""
    late: bool = False
    """The reader comes when the machine has played for a while."""


NONE = Faults()
ALL = Faults(cut=0.15, garbage=0.2, lost=0.2, damaged=0.2, doubled=0.3, stall=0.3, late=True)
CLEAN_CUTS = Faults(cut=0.3, doubled=0.3, stall=0.3, late=True)
"""What a line with checksums leaves of them, as TCP's and USB's."""
SETTINGS = {"none": NONE, "cuts": CLEAN_CUTS, "all": ALL}


@dataclass(frozen=True, slots=True, kw_only=True)
class Spell:
    """A stretch of time in which the line was bad, in the machine's milliseconds."""

    begun: int
    ended: int
    what: str


@dataclass
class Line:
    """One machine's line. Play with `run`; then `said`, `events` and `spells` tell what was said, true and broken."""

    url: str
    faults: Faults
    said: list[Signal] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    spells: list[Spell] = field(default_factory=list)
    bytes_heard: int = 0
    first_heard: int = 0
    """When the reader came."""

    def __post_init__(self) -> None:
        address = parse(self.url)
        self._habits, self._seed = address.habits, address.setting.seed
        self._speaker = open_speaker(address.setting)
        self._capture = Capture(profile_of(self.url))
        self._chance = random.Random(f"inlane/line/{self._seed}")  # noqa: S311 -- repeatable, no secrets
        self._connected = False
        self._powered = True
        self._stalled_until = 0
        self._kept: list[bytes] = []
        self._plan = self._faults_to_come()
        self._next = next(self._plan)
        self._back_at: int | None = None
        self._spoiler = ""
        """What happens to the next write."""

    def run(self, games: int) -> None:
        """Play so many games and half a minute more."""
        course = Course(self._habits, self._seed)
        now = self._chance.randrange(60_000) if self.faults.late else 0
        last: int | None = None
        begun = False
        self.first_heard = now
        while last is None or now < last + 45_000:
            due = course.due()
            moments = [due, self._speaker.deadline(), self._capture.next_deadline(), self._next[0], self._back_at,
                       self._stalled_until if self._kept else None]  # fmt: skip
            step = min((moment for moment in moments if moment is not None and moment > now), default=now + 250)
            if not begun and (due is None or step < now):
                step = now
            for event in course.take(min(step, now) if not begun else step):
                self._happen(event, heard=begun)
                if event.kind in {"game-ended", "service-entered", "power-lost"} and event.game >= games:
                    last = last or event.at
            if not begun:
                begun = True
                self._connect(now)
                continue
            now = step
            self._go_wrong(now)
            self._pass(now)

    def _pass(self, now: int) -> None:
        if self._powered:
            self._say(self._speaker.tick(now), now)
        if self._kept and now >= self._stalled_until:
            kept, self._kept = self._kept, []
            for data in kept:
                self._hear(data, now)
        self.said += [one for one in self._capture.tick(now) if not isinstance(one, ScoreLive)]
        self._answer(now)

    def _happen(self, event: Event, *, heard: bool) -> None:
        self.events.append(event)
        said = self._speaker.happen(event)
        if event.kind == "power-lost":
            self._powered = False
            if heard:
                self._disconnect(event.at, "the machine lost its power")
        elif event.kind == "power-back":
            self._powered = True
            if heard and self._back_at is None:
                self._connect(event.at)
        if heard and event.kind != "power-lost":
            self._say(said, event.at)

    def _say(self, writes: list[bytes], at: int) -> None:
        for data in writes:
            if not self._connected:
                return
            if at < self._stalled_until:
                self._kept.append(data)
            else:
                self._hear(data, at)

    def _hear(self, data: bytes, at: int) -> None:
        if self._spoiler:
            data, self._spoiler = self._alter(self._spoiler, data), ""
        while data and self._connected:
            cut = len(data) if self._chance.random() < 0.7 else self._chance.randint(1, len(data))
            self.bytes_heard += cut
            self.said += self._capture.feed(Chunk(at=at, data=data[:cut]))
            data = data[cut:]
        self._answer(at)

    def _answer(self, at: int) -> None:
        for _ in range(50):
            asked = self._capture.outgoing()
            if not asked or not self._connected or not self._powered:
                return
            self._say(self._speaker.hear(asked, at), at)

    def _connect(self, at: int) -> None:
        if not self._powered:
            return
        self._connected = True
        self.said += self._capture.feed(Opened(at=at, port=self.url.partition("?")[0]))
        self._say(self._speaker.greet(at), at)
        self._answer(at)

    def _disconnect(self, at: int, why: str) -> None:
        if self._connected:
            self._connected = False
            self._kept.clear()
            self._stalled_until = 0
            self.said += self._capture.feed(Closed(at=at, reason="eof", why=why))

    # --- what goes wrong

    def _faults_to_come(self) -> Iterator[tuple[int | None, str]]:
        """Each fault's time and name, in order of time."""
        at = 0
        names = ("cut", "garbage", "lost", "damaged", "doubled", "stall")
        rates = [getattr(self.faults, name) for name in names]
        while sum(rates) > 0:
            at += max(1, round(self._chance.expovariate(sum(rates)) * 60_000))
            yield at, self._chance.choices(names, rates)[0]
        yield None, ""

    def _go_wrong(self, now: int) -> None:
        if self._back_at is not None and now >= self._back_at:
            self._back_at = None
            self._connect(now)
        while self._next[0] is not None and self._next[0] <= now:
            what = self._next[1]
            self._next = next(self._plan)
            if self._connected:
                self._spoil(what, now)

    def _spoil(self, what: str, now: int) -> None:
        ended = now
        if what == "cut":
            ended = now + round(self._chance.choice((200, 1_000, 5_000, 14_000, 40_000)) * self._chance.uniform(0.7, 1))
            self._disconnect(now, "the cable was pulled")
            self._back_at = ended
        elif what == "stall":
            ended = self._stalled_until = now + self._chance.randint(100, 5_000)
        elif what == "garbage":
            many = self._chance.choice((1, 3, 20, 400))
            self._hear(self._chance.randbytes(many), now)
        else:
            self._spoiler = what
        self.spells.append(Spell(begun=now, ended=ended, what=what))

    def _alter(self, what: str, data: bytes) -> bytes:
        if what == "lost" or not data:
            return b""
        if what == "doubled":
            return data + data
        place = self._chance.randrange(len(data))
        return data[:place] + bytes([data[place] ^ self._chance.randrange(1, 256)]) + data[place + 1 :]
