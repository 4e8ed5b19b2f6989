"""Which agents to ask for a replay: a stream that waits for earlier entries for two seconds. Pure.

An agent sends again by itself after five seconds without progress; asking is only quicker.
"""

from dataclasses import dataclass

PATIENCE_MS = 2_000


@dataclass(slots=True)
class _Waiting:
    agent: str
    through: int
    since: int


class Waits:
    """The streams that wait for what is missing. Times are milliseconds of any clock that never steps."""

    def __init__(self) -> None:
        self._waiting: dict[str, _Waiting] = {}

    def note(self, agent: str, stream: str, *, through: int, last: int, now: int) -> None:
        """A frame that ends with `last` was taken, and the stream's cursor is now `through`."""
        waiting = self._waiting.get(stream)
        if waiting is not None and through > waiting.through:
            del self._waiting[stream]
            waiting = None
        if waiting is None and last > through:
            self._waiting[stream] = _Waiting(agent, through, now)

    def due(self, now: int) -> list[tuple[str, int]]:
        """The agents to ask now, and from which seq on. Each is asked once in a while, while it waits."""
        asked = []
        for waiting in self._waiting.values():
            if now >= waiting.since + PATIENCE_MS:
                waiting.since = now
                asked.append((waiting.agent, waiting.through + 1))
        return asked

    def forget(self, agent: str) -> None:
        """The agent is gone: nobody is there to ask."""
        self._waiting = {stream: waiting for stream, waiting in self._waiting.items() if waiting.agent != agent}

    def next_deadline(self) -> int | None:
        """When `due` has something to say at the earliest."""
        return min((waiting.since + PATIENCE_MS for waiting in self._waiting.values()), default=None)
