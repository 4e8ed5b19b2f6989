"""Whose datagram it is and whether it is fresh: machine_id, signature and counter of Vector's pushed messages.

No meaning here. Invariants: where a secret is known, nothing counts that was not signed with it, and no datagram counts
twice; where two boards are heard and none was named, neither counts. Layout: warpedpinball 0.5.0, origin.py:
first 8 bytes of HMAC-SHA256 over the JSON, in hexadecimal; a counter n that begins anew when a listener registers.

A counter that falls far back, or has a number that was taken with another content, means a new registration: it is
followed. A copy of an earlier datagram is dropped even so: the last `REMEMBERED` signatures are kept. A registration
should bring a new secret (the client makes one); one that keeps the old is safe against replays as far as those reach.
"""

import hmac
from collections import OrderedDict, deque
from enum import Enum, auto
from hashlib import sha256

from capture.dialects.vector_lines import SEAL, Push

REORDERED = 8
"""Datagrams may overtake each other by less than this; further back, the counter began anew."""
REMEMBERED = 32_768
"""Signatures of datagrams that were taken: some hours of play, about 3 MB at the most."""


class Verdict(Enum):
    """What becomes of a message."""

    GOOD = auto()
    FOREIGN = auto()
    """Another board's: nothing to us."""
    FORGED = auto()
    """Unsigned, or signed with another secret."""
    STALE = auto()
    """Taken before, or overtaken."""
    CONFUSED = auto()
    """Two boards, and nobody said which is ours."""


class Seals:
    """The messages of one machine. `device`: its machine_id, as configured; `secret`: what it signs with."""

    def __init__(self, device: str | None, secret: bytes | None) -> None:
        self._wanted = device.lower() if device else None
        self._secret = secret
        self.device = self._wanted
        """The board that is heard: the configured one, else the first that spoke."""
        self.confused = False
        self.dropped = {verdict: 0 for verdict in Verdict if verdict is not Verdict.GOOD}
        self._counts: deque[int] = deque(maxlen=REORDERED)
        """Of the datagrams that were taken last, since the counter began."""
        self._taken: OrderedDict[bytes, None] = OrderedDict()

    def judge(self, push: Push) -> Verdict:
        """Whether a message counts; every one that does not is counted in `dropped`."""
        verdict = self._judge(push)
        if verdict is not Verdict.GOOD:
            self.dropped[verdict] += 1
        return verdict

    def name(self, device: str) -> Verdict:
        """A board has said who it is, by an answer."""
        if self._wanted is not None:
            return Verdict.GOOD if device == self._wanted else Verdict.FOREIGN
        if self.device is not None and device != self.device:
            self.confused = True
        self.device = self.device or device
        return Verdict.CONFUSED if self.confused else Verdict.GOOD

    def _judge(self, push: Push) -> Verdict:
        if self._wanted is not None and push.device != self._wanted:
            return Verdict.FOREIGN
        if self._secret is not None and not self._is_signed(push, self._secret):
            return Verdict.FORGED
        named = self.name(push.device)
        if named is not Verdict.GOOD:
            return named
        return Verdict.GOOD if push.sealed is None or self._is_fresh(push) else Verdict.STALE

    def _is_signed(self, push: Push, secret: bytes) -> bool:
        if push.sealed is None:
            return False
        return hmac.compare_digest(push.seal.lower(), sign(secret, push.sealed))

    def _is_fresh(self, push: Push) -> bool:
        """Its counter has moved on, or begun anew; and we never took it."""
        count, mark = push.count or 0, push.seal.lower()
        if mark in self._taken:
            return False
        last = max(self._counts, default=-1)
        if count <= last:
            if count > last - REORDERED and count not in self._counts:
                return False
            self._counts.clear()
        self._counts.append(count)
        self._taken[mark] = None
        if len(self._taken) > REMEMBERED:
            self._taken.popitem(last=False)
        return True


def sign(secret: bytes, body: bytes) -> bytes:
    """The signature of a datagram's JSON: 16 hexadecimal digits."""
    return hmac.new(secret, body, sha256).hexdigest()[:SEAL].encode()
