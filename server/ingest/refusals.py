"""What the log says of messages that could not be read: each on one line, and not more of them than can be read. Pure.

The desk counts every one; only the lines are fewer. The invariant: whatever is published, the log neither grows without
bound nor shows a line that somebody else wrote into it.
"""

from collections import deque

LINES = 20
"""Lines in any `WINDOW_MS`."""
WINDOW_MS = 60_000
LONGEST = 200
"""Characters of a topic that are shown."""


class Refusals:
    """Says which refusals are worth a line. Times are milliseconds of any clock that never steps."""

    def __init__(self) -> None:
        self._said: deque[int] = deque()
        self._unsaid = 0

    def line(self, topic: str, why: str, now: int) -> str | None:
        """The line to log, with how many were passed over before it; None where enough was said lately."""
        while self._said and self._said[0] <= now - WINDOW_MS:
            self._said.popleft()
        if len(self._said) >= LINES:
            self._unsaid += 1
            return None
        self._said.append(now)
        before, self._unsaid = self._unsaid, 0
        passed_over = f" ({before} more like it were not logged)" if before else ""
        return f"{shown(topic)}: {shown(why)}{passed_over}"


def shown(text: str) -> str:
    """On one line, whatever is in it, and not too long."""
    plain = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text[:LONGEST])
    return plain if len(text) <= LONGEST else f"{plain}…"
