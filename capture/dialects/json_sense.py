"""Whether messages make sense: which topics are garbled, whether it is another program that talks.

Not here: what they say. Invariant: a fault is raised once, and is over when its topic makes sense again.
"""

from capture import hints as h

GARBLED_LINES = 5
"""So many senseless lines without a topic in a row are a fault and no accident."""
CLEAN_LINES = 3
MOST_TOPICS = 50
"""Garbled topics that are remembered."""


class Sense:
    """What the messages of one conversation, and then of the next, say of their sender."""

    def __init__(self) -> None:
        self.heard = False
        self._bad_topics: dict[str, None] = {}
        self._bad = self._good = 0
        self._raised: str | None = None

    def open(self) -> None:
        """A conversation begins."""
        self.heard = False
        self._bad = self._good = 0

    def accept(self, topic: str | None, at: int) -> list[h.Hint]:
        """A message was understood."""
        self._good += 1
        self._bad_topics.pop(topic or "", None)
        if self._good >= CLEAN_LINES or topic is not None:
            self._bad = 0
        hints: list[h.Hint] = []
        if self._raised and not self._bad_topics and not self._bad:
            hints.append(h.Relief(at=at, fault=self._raised))
            self._raised = None
        if not self.heard:
            self.heard = True
            hints += [h.Relief(at=at, fault="wrong-device"), h.Relief(at=at, fault="no-data"), h.Heard(at=at)]
        return hints

    def reject(self, topic: str | None, why: str, at: int) -> list[h.Hint]:
        """A message was senseless."""
        self._bad, self._good = self._bad + 1, 0
        if topic is not None and len(self._bad_topics) < MOST_TOPICS:
            self._bad_topics[topic] = None
        if self._raised or (topic is None and self._bad < GARBLED_LINES):
            return []
        where = topic[:100] if topic else f"{self._bad} senseless lines, the last one"
        return [self._raise("data-garbled" if self.heard or topic else "wrong-device", f"{where}: {why}", at)]

    def swamp(self, at: int) -> list[h.Hint]:
        """A line does not end."""
        self._bad = max(self._bad, GARBLED_LINES)
        self._good = 0
        if self._raised:
            return []
        return [self._raise("data-garbled" if self.heard else "wrong-device", "more than 1 MiB without a line end", at)]

    def _raise(self, fault: str, detail: str, at: int) -> h.Hint:
        self._raised = fault
        return h.Trouble(at=at, fault=fault, detail=detail[:300])
