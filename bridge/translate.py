"""From what capture says to what the wire carries: a `Signal` becomes a kind and a body.

Here: names and shapes, and the pictures that a body names. Not here: when and where a fact is kept. Invariant: what
this returns is accepted by `bridge.wire.facts` for its kind; texts are cut to the wire's length, scores never.
"""

import uuid
from dataclasses import dataclass
from typing import Any

from bridge.wire.control import Live
from capture import signals
from capture.signals import Picture, PlayerScore, Scores, Signal

LONGEST_DETAIL = 500
LONGEST_TEXT = 64
LONGEST_PORT = 200
MOST_CANDIDATES = 32
MOST_FRAMES = 64
LARGEST_SCORE = 10**18

_KINDS: dict[type, str] = {
    signals.GameStarted: "game.started",
    signals.BallEnded: "game.ball",
    signals.GameEnded: "game.ended",
    signals.GameAborted: "game.aborted",
    signals.ScoreFrozen: "score.frozen",
    signals.ScoreRead: "score.read",
    signals.FaultRaised: "fault.raised",
    signals.FaultCleared: "fault.cleared",
    signals.MachineAttached: "machine.attached",
    signals.MachineDetached: "machine.detached",
}
"""Every signal but `ScoreLive`, which is never stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One fact to keep. `at` is the signal's time; `picture` is the evidence that the body names, if any."""

    kind: str
    at: int
    body: dict[str, Any]
    picture: Picture | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Frozen:
    """A frozen score with the names of what was seen and heard before it; the evidence itself is kept elsewhere."""

    signal: signals.ScoreFrozen
    frames: tuple[tuple[int, str], ...]
    """Milliseconds before the signal, and the picture's digest, oldest first."""
    recording: str | None = None

    @property
    def game(self) -> str:
        """The signal's game."""
        return self.signal.game

    def fact(self, game: str) -> Fact:
        """The fact that this states."""
        body = _body(self.signal, game)
        if self.frames:
            body["frames"] = [{"ago_ms": ago, "evidence": digest} for ago, digest in self.frames[-MOST_FRAMES:]]
        if self.recording is not None:
            body["recording"] = self.recording
        return Fact(kind="score.frozen", at=self.signal.at, body=body, picture=self.signal.evidence)


def game_id(stream: str, seq: int) -> str:
    """The wire's name of a game: made from the place of its `game.started` in the stream, so it is made once."""
    return str(uuid.uuid5(uuid.UUID(stream), str(seq)))


def translate(signal: Signal, *, game: str | None) -> Fact | None:
    """The fact that this signal states; None for a live score. `game` is the wire's id of the signal's game.

    Raises ValueError for a signal that names a game where `game` is None.
    """
    kind = _KINDS.get(type(signal))
    if kind is None:
        return None
    if game is None and getattr(signal, "game", None) is not None:
        raise ValueError(f"{kind} names a game that nobody started")
    picture = getattr(signal, "evidence", None)
    return Fact(kind=kind, at=signal.at, body=_body(signal, game), picture=picture)


def live(signal: signals.ScoreLive, *, machine: str, game: str | None) -> Live:
    """A live score as the pulse carries it."""
    score = None if signal.score is None or not 0 <= signal.score <= LARGEST_SCORE else signal.score
    return Live(
        machine=machine,
        game=game,
        player=signal.player,
        score=score,
        confidence=signal.confidence,
        accepted=signal.accepted and score is not None,
    )


def scores_body(scores: Scores) -> list[dict[str, Any]]:
    """Scores as every body carries them."""
    return [_score(score) for score in scores]


def _body(signal: Signal, game: str | None) -> dict[str, Any]:
    body: dict[str, Any] = {}
    for name in signal.__dataclass_fields__:
        value = getattr(signal, name)
        if name == "at" or value is None or (name == "scores" and not value and isinstance(signal, _FAULTS)):
            continue
        body[name] = _plain(name, value, game)
    return body


_FAULTS = (signals.FaultRaised, signals.FaultCleared)


def _plain(name: str, value: Any, game: str | None) -> Any:  # noqa: ANN401 -- JSON
    if name == "game":
        return game
    if name == "evidence":
        return value.digest
    if name == "scores":
        return scores_body(value)
    if name == "candidates":
        return [number for number in value if 0 <= number <= LARGEST_SCORE][:MOST_CANDIDATES]
    cuts = {"detail": LONGEST_DETAIL, "why": LONGEST_DETAIL, "text": LONGEST_TEXT, "port": LONGEST_PORT}
    return value[: cuts[name]] if name in cuts else value


def _score(score: PlayerScore) -> dict[str, Any]:
    """One player's score; one that is beyond what the wire carries goes as the text that was read."""
    value, text = score.score, score.text
    if value is not None and not 0 <= value <= LARGEST_SCORE:
        value, text = None, text or str(value)
    body: dict[str, Any] = {"player": score.player, "score": value, "confidence": float(score.confidence)}
    if text is not None:
        body["text"] = text[:LONGEST_TEXT]
    if score.candidates:
        body["candidates"] = _plain("candidates", score.candidates, None)
    return body
