"""What a run of the agent that died left open: found in the outbox when the next one starts, and closed as facts.

Here: the note of the running game (a small file beside the outbox with its last scores) and the search. Invariant: the
outbox decides what is open; the note only adds the scores that were never stored.
"""

import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bridge.outbox import Outbox
from bridge.translate import Fact, scores_body
from bridge.wire.frame import Entry
from capture.signals import Scores

LOOK_BACK = 5_000
"""Entries to look through where no note says where the game began."""
ANEW = "the agent started anew"
EVERY_MS = 2_000
"""The note is written this often at most: an agent's disk is a memory card."""
LARGEST_NOTE = 64 * 1024

_log = logging.getLogger(__name__)


class OpenGame:
    """The note of one machine's running game. A note that cannot be written or read is done without."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._note: dict[str, Any] = {}
        self._written_at: int | None = None

    def open(self, stream: str, seq: int, game: str) -> None:
        """A game begins with this entry."""
        self._note = {"stream": stream, "seq": seq, "game": game, "scores": []}
        self._written_at = None
        self._write()

    def update(self, scores: Scores, now: int) -> None:
        """The scores as they stand; written now and then."""
        body = scores_body(scores)
        if not self._note or body == self._note["scores"]:
            return
        self._note["scores"] = body
        if self._written_at is None or now - self._written_at >= EVERY_MS:
            self._written_at = now
            self._write()

    def clear(self) -> None:
        """No game runs."""
        self._note = {}
        try:
            self._file.unlink(missing_ok=True)
        except OSError as error:
            _log.debug("note %s: %s", self._file, error)

    def read(self) -> dict[str, Any]:
        """What the run before noted; empty where it noted nothing that can be read."""
        try:
            with self._file.open("rb") as file:
                note = json.loads(file.read(LARGEST_NOTE))
        except (OSError, ValueError, RecursionError):
            return {}
        good = isinstance(note, dict) and isinstance(note.get("seq"), int) and isinstance(note.get("scores"), list)
        return note if good else {}

    def _write(self) -> None:
        part = self._file.with_suffix(".part")
        try:
            part.write_text(json.dumps(self._note), encoding="utf-8")
            part.replace(self._file)
        except OSError as error:
            _log.debug("note %s: %s", self._file, error)


def find_leftover(outbox: Outbox, machine: str, note: OpenGame, now: int) -> list[Fact]:
    """The facts that close what this machine's entries show as open, as of `now` (milliseconds since boot)."""
    noted = note.read()
    begin = max(0, outbox.head - LOOK_BACK)
    after = min(begin, noted["seq"] - 1) if noted.get("stream") == outbox.stream else begin
    left = _Left()
    for entry in _entries(outbox, machine, after=after):
        left.see(entry)
    facts = []
    if left.game is not None:
        last = noted["scores"] if noted.get("game") == left.game and noted["scores"] else left.scores
        facts.append(Fact(kind="game.aborted", at=now, body={"game": left.game, "how": "link-lost", "scores": last}))
    facts += [Fact(kind="fault.cleared", at=now, body={"fault": name, "detail": ANEW}) for name in left.faults]
    if left.port is not None:
        facts.append(Fact(kind="machine.detached", at=now, body={"port": left.port, "detail": ANEW}))
    return facts


def find_agent_faults(outbox: Outbox) -> set[str]:
    """The faults that the agent raised of itself and has not cleared, as far back as one looks."""
    left = _Left()
    for entry in _entries(outbox, None, after=max(0, outbox.head - LOOK_BACK)):
        left.see(entry)
    return set(left.faults)


@dataclass(slots=True)
class _Left:
    """What is open after the entries seen so far."""

    game: str | None = None
    scores: list[Any] = field(default_factory=list)
    faults: dict[str, None] = field(default_factory=dict)
    port: str | None = None

    def see(self, entry: Entry) -> None:
        body = entry.body
        match entry.kind:
            case "game.started":
                self.game, self.scores = body["game"], []
            case "game.ended" | "game.aborted":
                self.game = None
            case "fault.raised":
                self.faults[body["fault"]] = None
            case "fault.cleared":
                self.faults.pop(body["fault"], None)
            case "machine.attached" | "machine.detached":
                self.port = body["port"] if entry.kind == "machine.attached" else None
        if self.game is not None and body.get("game") == self.game:
            self.scores = body.get("scores") or self.scores


def _entries(outbox: Outbox, machine: str | None, *, after: int) -> Iterator[Entry]:
    while page := outbox.window(max(0, after), 500):
        yield from (entry for entry in page if entry.machine == machine)
        after = page[-1].seq
