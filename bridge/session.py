"""When to send what: the agent's half of the stream protocol, without I/O and without a clock.

    input                              | what follows
    -----------------------------------|-------------------------------------------------------------------------
    connected                          | Announce (birth); all that is beyond the cursor may be sent anew
    disconnected                       | nothing is in flight any more; wait
    host lost or stopped               | wait, whatever is connected; facts stay in the outbox
    host online, same incarnation      | send on from the cursor
    host online, higher incarnation    | Announce, and send nothing until an ack of it says where it stands
    host or ack of a lower incarnation | late news: ignored
    ack of another stream              | ignored
    ack, same incarnation              | the cursor rises, never falls; Mark
    ack, higher incarnation            | the cursor is what it says, also if that is less: send again from there; Mark
    ack beyond our head, or another    | this card was copied or set back: Renew, again after 5 s, until `renewed`
      entry than ours at its end       |
    our own topic says we are gone     | a ghost's will: Announce, at most once a second
    5 s without progress               | send the window again from the cursor; or Announce again while asking
    replay from n                      | send again from n, where that is beyond the cursor

Invariant: nothing is ever dropped here; the outbox holds every fact until the server has said that it is committed.
"""

from collections import deque
from dataclasses import dataclass

from bridge.wire.control import Ack, HostStatus, Status

WINDOW = 16
"""Frames in flight."""
RESEND_MS = 5_000
GHOST_MS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Announce:
    """Publish `up/status` with the state online."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Remember in the outbox what the server has."""

    stream: str
    through: int
    incarnation: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Renew:
    """Carry the outbox over into a new stream, then call `renewed`."""


Output = Announce | Mark | Renew


class Session:
    """The state of one stream's conversation with the server. All times are milliseconds since boot."""

    def __init__(self, *, stream: str, head: int, acked: int = 0, incarnation: int = 0) -> None:
        self.stream = stream
        self.head = head
        self.cursor = acked
        """The server has all up to here."""
        self.incarnation = incarnation
        """The highest that was met."""
        self.connection = 0
        """The session number of the present connection; 0 when there is none."""
        self._agreed = incarnation
        """The incarnation that the cursor is of."""
        self._host_online = False
        self._forked = False
        self._next = acked
        self._in_flight: deque[int] = deque()
        self._progress_at = 0
        self._announced_at = 0
        self._renewed_at = 0
        self._announce_due = False
        self._outputs: list[Output] = []

    @property
    def state(self) -> str:
        """In a word: offline, waiting (for the server), asking (where it stands), flowing, renewing."""
        if not self.connection:
            return "offline"
        if self._forked:
            return "renewing"
        if not self._host_online:
            return "waiting"
        return "flowing" if self._agreed == self.incarnation else "asking"

    def outputs(self) -> list[Output]:
        """What is to be done now, in order; each is handed out once."""
        drained, self._outputs = self._outputs, []
        return drained

    def next_after(self) -> int | None:
        """The next frame shall begin beyond this seq; None while there is nothing to send or no room in the window.

        Once it is sent (or could not be, and the link is down) say so with `sent` (or `disconnected`).
        """
        if self.state != "flowing" or len(self._in_flight) >= WINDOW or self._next >= self.head:
            return None
        return self._next

    def next_deadline(self) -> int | None:
        """When `tick` is to be called at the latest."""
        due = []
        if self._forked:
            due.append(self._renewed_at + RESEND_MS)
        if self._announce_due:
            due.append(self._announced_at + GHOST_MS)
        if self.state == "asking":
            due.append(self._announced_at + RESEND_MS)
        if self.state == "flowing" and self._in_flight:
            due.append(self._progress_at + RESEND_MS)
        return min(due, default=None)

    def connected(self, connection: int, now: int) -> None:
        """The link is up, under this session number. The server's presence is told afresh by its retained status."""
        self.connection = connection
        self._host_online = False
        self._rewind()
        self._announce(now)

    def disconnected(self) -> None:
        """The link is down: what was in flight is sent again later."""
        self.connection = 0
        self._announce_due = False
        self._rewind()

    def host(self, status: HostStatus, now: int) -> None:
        """The server's birth or will."""
        if status.incarnation < self.incarnation:
            return
        self._host_online = status.state == "online"
        if status.incarnation > self.incarnation:
            self.incarnation = status.incarnation
            if self._host_online:
                self._announce(now)
        if not self._host_online:
            self._rewind()

    def ack(self, ack: Ack, now: int, *, held: str | None) -> None:
        """The server says how far it has committed a stream; `held`: the id of our entry at `ack.through`, if any."""
        if ack.stream != self.stream or ack.incarnation < self.incarnation or self._forked:
            return
        if ack.through > self.head or (ack.entry and held and ack.entry != held):
            self._forked = True
            self._rewind()
            self._renew(now)
            return
        self.incarnation = ack.incarnation
        if self._agreed != ack.incarnation:
            self._agreed = ack.incarnation
            self.cursor = ack.through
            self._rewind()
        elif ack.through > self.cursor:
            self.cursor = ack.through
            self._next = max(self._next, self.cursor)
            while self._in_flight and self._in_flight[0] <= self.cursor:
                self._in_flight.popleft()
        else:
            return
        self._progress_at = now
        self._outputs.append(Mark(stream=self.stream, through=self.cursor, incarnation=self.incarnation))

    def ghost(self, status: Status, now: int) -> None:
        """What our own status topic says: when it is not what we announced last, say again that we are here."""
        if self.connection and status.state != "online":
            self._announce_due = True
            self.tick(now)

    def appended(self, head: int) -> None:
        """The outbox holds facts up to this seq."""
        self.head = max(self.head, head)

    def renewed(self, stream: str, head: int, now: int) -> None:
        """All goes on in this new stream, of which the server has nothing yet."""
        self.stream, self.head, self.cursor, self._forked = stream, head, 0, False
        self._rewind()
        if self.connection:
            self._announce(now)

    def replay(self, from_seq: int, now: int) -> None:
        """The server misses what begins here."""
        if self.cursor < from_seq <= self._next:
            self._next = from_seq - 1
            self._in_flight.clear()
            self._progress_at = now

    def sent(self, after: int, through: int, now: int) -> None:
        """The frame from `after` (as `next_after` gave it) to this seq went out. Ignored when all has changed since."""
        if after != self._next or self.state != "flowing":
            return
        if not self._in_flight:
            self._progress_at = now
        self._in_flight.append(through)
        self._next = through

    def tick(self, now: int) -> None:
        """Time has passed."""
        if self._forked and now >= self._renewed_at + RESEND_MS:
            self._renew(now)
        if self._announce_due and now >= self._announced_at + GHOST_MS:
            self._announce(now)
        state = self.state
        if state == "asking" and now >= self._announced_at + RESEND_MS:
            self._announce(now)
        if state == "flowing" and self._in_flight and now >= self._progress_at + RESEND_MS:
            self._rewind()

    def _announce(self, now: int) -> None:
        self._announced_at = now
        self._announce_due = False
        self._outputs.append(Announce())

    def _renew(self, now: int) -> None:
        self._renewed_at = now
        self._outputs.append(Renew())

    def _rewind(self) -> None:
        self._next = self.cursor
        self._in_flight.clear()
