"""A machine that publishes its state and events as JSON: over MQTT (with topics), or as lines on any stream.

Here: what each message changes in the one state that the machine is in. Values are `json_values`, events `json_events`,
topics `json_topics`. Invariant: a retained message is at most the state that is found when we come; it is no event, it
ends no game, and what was said since goes before it.
"""

from dataclasses import replace

from capture import hints as h
from capture.deadlines import earliest
from capture.dialects import Setup
from capture.dialects.json_events import Events
from capture.dialects.json_sense import Sense
from capture.dialects.json_state import Changes, Known
from capture.dialects.json_topics import Owner, fit
from capture.dialects.json_values import Message, find, parse_message
from capture.errors import LineGarbled, SourceUnsupported
from capture.framing import LineSplitter
from capture.states import StateFollower
from hardware.profile import MachineProfile
from hardware.wires.messages import Availability, MessagesTable, Read, parse_path

_Hints = list[h.Hint]
_END = (h.GameOver, h.GameGone)
_BEGUN = (h.NoGameFound, h.GameFound, h.GameOpened)
"""Whether a game runs is known."""
FIRST_MS = 500
"""So long after the first message of a conversation the state that was found is taken for whole."""


def make(profile: MachineProfile, setup: Setup) -> "MessagesDialect":
    """The dialect. `setup.device`: a level of the topics of this machine. Raises SourceUnsupported."""
    if profile.messages is None:
        raise SourceUnsupported(f"profile {profile.id!r}: dialect json needs a table [messages]: see docs/mqtt.md")
    return MessagesDialect(profile, profile.messages, setup.device)


class MessagesDialect:
    """One machine's messages, one conversation after another."""

    def __init__(self, profile: MachineProfile, table: MessagesTable, device: str | None) -> None:
        self._table = table
        self._device = device
        self._profile = profile
        self._unknown = {word.casefold() for word in table.unknown}
        self._splitter = LineSplitter()
        self._sense = Sense()
        self._follower = StateFollower(profile, pushed=True)
        self._owner = Owner()
        self._known = Known()
        self._events = Events()
        self._first_at: int | None = None
        self._away = False
        """The machine's own availability says that it is not there."""
        self._refused = False
        self._after: _Hints = []
        """Events since a game looks over."""
        self._settled = False
        """Whether a game runs is known in this conversation."""

    def open(self, at: int, *, passive: bool) -> None:
        """A conversation begins: what comes first is the state as it is found."""
        del passive  # nothing is ever asked
        self._splitter.reset()
        self._sense.open()
        self._begin(at)
        self._owner, self._away, self._refused = Owner(), False, False

    def close(self) -> None:
        """The conversation is over."""
        self._first_at = None

    def finish(self, at: int) -> _Hints:
        """No more will come in this conversation."""
        hints = self._flush(at) + self._follower.finish(at)
        after, self._after = self._after, []
        return hints + after

    def feed(self, data: bytes, at: int) -> _Hints:
        """Take bytes as they came, cut anywhere."""
        hints = [hint for line in self._splitter.feed(data) if line.strip() for hint in self._take(line, at)]
        if not self._splitter.overlong:
            return hints
        self._known.doubt(None)
        return hints + self._sense.swamp(at)

    def overhear(self, data: bytes) -> None:
        """Nothing that others say to the machine matters."""

    def tick(self, now: int) -> _Hints:
        """Time has passed: the state is whole, what had to stand has stood."""
        due = self._first_at is not None and now >= self._first_at + FIRST_MS
        return (self._flush(now) if due else []) + self._rest(self._follower.tick(now), now)

    def deadline(self) -> int | None:
        """When `tick` has something to do."""
        return earliest(self._follower.deadline(), None if self._first_at is None else self._first_at + FIRST_MS)

    def outgoing(self) -> bytes:
        """A machine that publishes is not asked."""
        return b""

    # --- messages --------------------------------------------------------------------------------------

    def _take(self, line: bytes, at: int) -> _Hints:
        try:
            message = parse_message(line)
        except LineGarbled as error:
            self._known.doubt(None)
            return self._sense.reject(None, str(error), at)
        reads = self._reads(message)
        if self._owner.confused:
            return self._refuse(at)
        there = self._availability(message, at)
        if there is not None:
            return there
        if not reads:
            return []
        try:
            return self._apply(message, reads, at)
        except LineGarbled as error:
            for read, player in reads if not message.retained else ():
                if read.score or read.scores or read.finals:
                    self._known.doubt(player)
            return self._sense.reject(message.topic, str(error), at)

    def _reads(self, message: Message) -> list[tuple[Read, int | None]]:
        """What the profile reads from such a message, with the player that its topic names."""
        found: list[tuple[Read, int | None]] = []
        for read in self._table.read:
            fits, player = self._fits(message, read.topics)
            if fits and all(_says(message, path, word) for path, word in read.when.items()):
                found.append((read, player))
        return found

    def _fits(self, message: Message, patterns: tuple[str, ...]) -> tuple[bool, int | None]:
        topic = message.topic
        if topic is None:
            return not patterns or "" in patterns, None
        if not patterns:
            return True, None
        for pattern in patterns:
            found = fit(topic, pattern, self._device)
            if found is not None:
                return self._owner.accept(topic, pattern, found, retained=message.retained), found.player
        return False, None

    def _apply(self, message: Message, reads: list[tuple[Read, int | None]], at: int) -> _Hints:
        if message.error:
            raise LineGarbled(message.error)
        if isinstance(message.value, str) and message.value.casefold() in self._unknown:
            return []
        changes, names, said = self._known.begin(), list[str](), False
        for read, player in reads:
            if message.plain and not any(path == "$" for path in _paths(read)):
                raise LineGarbled("no JSON")
            said |= changes.take(read, message.value, player)
            name = find(message.value, parse_path(read.event)) if read.event else None
            if isinstance(name, str):
                names += [read.events[name]] if name in read.events else []
                said = True
        if not said:
            if not isinstance(message.value, dict | None) and message.topic is not None:
                raise LineGarbled("nothing that is read here stands in it")
            return []
        return self._sense.accept(message.topic, at) + self._learn(changes, names, message, at)

    def _learn(self, changes: Changes, names: list[str], message: Message, at: int) -> _Hints:
        if message.retained and (names or not self._known.may_be_found(changes)):
            return []  # an event of long ago, or a state that is older than what was said since
        hints = self._return(at) if self._away and not message.retained else []
        self._known.keep(changes, live=not message.retained)
        for name in names:
            told = self._happen(name, at)
            if self._known.over and self._follower.deadline() is not None:
                self._after += told  # of a time after the game, whose end is not decided yet
            else:
                hints += told
        return hints + self._see(at)

    def _happen(self, name: str, at: int) -> _Hints:
        """Something happened: hints of its own, and what it changes in the state."""
        if name == "reset":
            self._begin(at)
            return [h.GameGone(at=at, how="reset")]
        return self._events.happen(name, self._known, at)

    def _see(self, at: int) -> _Hints:
        """The state has changed, or was said again."""
        if self._away:
            return []
        if self._first_at is None and not self._known.whole:
            self._first_at = at
        return [] if self._first_at is not None else self._look(at)

    def _flush(self, at: int) -> _Hints:
        """All that stood when we came has been said."""
        if self._first_at is None or self._away:
            return []
        self._first_at, self._known.whole = None, True
        return self._look(at)

    def _look(self, at: int) -> _Hints:
        state = self._known.state(at, self._profile.players)
        if not self._settled and self._known.over and not self._known.was_seen:
            state = replace(state, scores=(), finals=())  # what is retained ends no game that was lost sight of
        return self._rest(self._follower.see(state), at)

    def _rest(self, hints: _Hints, at: int) -> _Hints:
        """What the follower makes of a state or of time, and after a game's end what waited for it."""
        if not self._settled and any(isinstance(hint, _BEGUN) for hint in hints):
            self._settled = True
            hints += self._follower.see(self._known.state(at, self._profile.players))
        over = next((place for place, hint in enumerate(hints, start=1) if isinstance(hint, _END)), None)
        if not self._after or (over is None and self._follower.deadline() is not None):
            return hints
        after, self._after = self._after, []
        return [*hints[:over], *after, *(hints[over:] if over is not None else [])]

    def _begin(self, at: int) -> None:
        self._known, self._events, self._first_at = Known(), Events(), None
        self._after.clear()
        self._settled = False
        self._follower.open(at)

    # --- whether it is there ---------------------------------------------------------------------------

    def _availability(self, message: Message, at: int) -> _Hints | None:
        """What the topic of availability says; None for other messages."""
        table = self._table.availability
        if table is None or message.topic is None or not self._is_availability(message, table):
            return None
        word = find(message.value, parse_path(table.path))
        if word == table.offline:
            return self._leave(at, f"{message.topic[:100]} says {table.offline}")
        if word == table.online:
            return self._return(at) if self._away else []
        return self._sense.reject(message.topic, f"neither {table.online} nor {table.offline}", at)

    def _is_availability(self, message: Message, table: Availability) -> bool:
        topic = message.topic or ""
        found = fit(topic, table.topic, self._device)
        return found is not None and self._owner.accept(topic, table.topic, found, retained=message.retained)

    def _leave(self, at: int, why: str) -> _Hints:
        if self._away:
            return []
        self._away = True
        hints: _Hints = self._follower.finish(at)
        self._begin(at)
        if not self._sense.heard:
            return [h.Trouble(at=at, fault="no-data", detail=why)]
        return [*hints, h.Trouble(at=at, fault="link-lost", detail=why), h.LinkBroken(at=at)]

    def _return(self, at: int) -> _Hints:
        self._away = False
        hints: _Hints = [h.Relief(at=at, fault=fault) for fault in ("link-lost", "no-data")]
        if self._known.anything:
            self._first_at = at
        return hints

    def _refuse(self, at: int) -> _Hints:
        """Two machines publish: nothing counts until somebody says which is ours."""
        if self._refused:
            return []
        self._refused = True
        self._begin(at)
        return [h.Trouble(at=at, fault="wrong-device", detail=self._owner.confused), h.LinkBroken(at=at)]


def _paths(read: Read) -> list[str]:
    return [path for name in Read.model_fields if isinstance(path := getattr(read, name), str)]


def _says(message: Message, path: str, word: str) -> bool:
    value = find(message.value, parse_path(path))
    if isinstance(value, bool):
        return str(value).lower() == word
    return isinstance(value, str | int) and str(value) == word
