"""The facts an agent may state, one strict body a kind. What each means is in `docs/signals.md`.

A body that breaks its model is not lost: the server keeps it as it came, in quarantine, and acknowledges it.
`FACTS` is the registry; a kind is added here with an example in its docstring, which the tests read.
"""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from bridge.errors import WireInvalid
from bridge.wire.strict import Confidence, Detail, Score, Several, Uuid, WireModel
from bridge.wire.topics import Id

Player = Annotated[int, Field(ge=1, le=16)]
Ball = Annotated[int, Field(ge=1, le=99)]
Text = Annotated[str, StringConstraints(max_length=64)]
Port = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Evidence = Annotated[str, StringConstraints(pattern=r"^sha256:[0-9a-f]{64}$")]
"""A picture's or recording's name; itself it goes to `PUT /api/v1/evidence/{sha256}`."""
Candidates = Annotated[Several[Score], Field(max_length=32)]
Source = Literal["wire", "camera", "manual"]


class PlayerScore(WireModel):
    """One player's score; a digit that was not seen is never invented: then `score` is null."""

    player: Player
    """Counts from 1."""
    score: Score | None
    confidence: Confidence = 1.0
    text: Text | None = None
    """As read, `?` for a place that was not seen."""
    candidates: Candidates = ()


Scores = Annotated[Several[PlayerScore], Field(max_length=16)]


class GameStarted(WireModel):
    """A game began. Said once a game.

    {"game": "1f0c1d5e-6a5b-5c0e-9a63-0d1b3f0a7a11", "players": 1, "joined_late": false}
    """

    game: Uuid
    players: Annotated[int, Field(ge=0, le=16)]
    """Slots so far."""
    joined_late: bool = False
    """The reader came to a game that was already running."""


class GameBall(WireModel):
    """A turn is over, its bonus counted.

    {"game": "1f0c1d5e-6a5b-5c0e-9a63-0d1b3f0a7a11", "player": 1, "ball": 2,
     "scores": [{"player": 1, "score": 1204330}]}
    """

    game: Uuid
    player: Player
    ball: Ball
    scores: Scores


class GameEnded(WireModel):
    """The final scores. Said once a game.

    {"game": "1f0c1d5e-6a5b-5c0e-9a63-0d1b3f0a7a11", "how": "normal", "balls_played": 3, "source": "camera",
     "scores": [{"player": 1, "score": 48213340, "confidence": 0.9998}],
     "evidence": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}
    """

    game: Uuid
    how: Literal["normal", "slam-tilt", "ended-early"]
    scores: Scores
    balls_played: Annotated[int, Field(ge=0, le=99)] | None = None
    source: Source
    evidence: Evidence | None = None


class GameAborted(WireModel):
    """The game vanished; the scores are the last stable ones.

    {"game": "1f0c1d5e-6a5b-5c0e-9a63-0d1b3f0a7a11", "how": "link-lost", "scores": [{"player": 1, "score": 880120}]}
    """

    game: Uuid
    how: Literal["link-lost", "shutdown", "reset", "restart", "service", "display-lost"]
    scores: Scores
    evidence: Evidence | None = None


class KeptFrame(WireModel):
    """One of the pictures that were seen before a score was frozen."""

    ago_ms: Annotated[int, Field(ge=0, le=3_600_000)]
    """How long before the fact it was taken."""
    evidence: Evidence


class ScoreFrozen(WireModel):
    """The last stable scores, kept at a malfunction and on the desk's command, with what was seen and heard before.

    {"game": "1f0c1d5e-6a5b-5c0e-9a63-0d1b3f0a7a11", "scores": [{"player": 1, "score": 880120}], "why": "ball-search",
     "frames": [{"ago_ms": 480, "evidence": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}],
     "recording": "sha256:60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752"}
    """

    game: Uuid
    scores: Scores
    why: Detail
    evidence: Evidence | None = None
    frames: Annotated[Several[KeptFrame], Field(max_length=64)] = ()
    """The pictures of the last 10 seconds, oldest first."""
    recording: Evidence | None = None
    """What the machine said in the last minute at most, as a text that `inlane-agent replay` reads."""


class ScoreRead(WireModel):
    """A camera reading that needs eyes.

    {"game": "1f0c1d5e-6a5b-5c0e-9a63-0d1b3f0a7a11", "player": 1, "text": "1?4330", "candidates": [124330, 194330],
     "confidence": 0.61, "evidence": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}
    """

    game: Uuid
    player: Player
    text: Text
    candidates: Candidates
    confidence: Confidence
    evidence: Evidence | None = None


class FaultRaised(WireModel):
    """A malfunction signal; raised once until it is cleared. The names are in `docs/signals.md`; others may be added.

    {"fault": "ball-search", "game": "1f0c1d5e-6a5b-5c0e-9a63-0d1b3f0a7a11", "player": 1, "ball": 3,
     "scores": [{"player": 1, "score": 880120}], "detail": "the machine searches for a ball"}
    """

    fault: Id
    game: Uuid | None = None
    player: Player | None = None
    ball: Ball | None = None
    scores: Scores = ()
    evidence: Evidence | None = None
    detail: Detail | None = None


class FaultCleared(WireModel):
    """The malfunction of this name is over.

    {"fault": "ball-search"}
    """

    fault: Id
    game: Uuid | None = None
    player: Player | None = None
    ball: Ball | None = None
    scores: Scores = ()
    evidence: Evidence | None = None
    detail: Detail | None = None


class MachineAttached(WireModel):
    """The machine talks sense, or shows itself, on this port.

    {"port": "tcp://192.168.1.20:5051", "detail": "Mission Pinball Framework 0.81.0"}
    """

    port: Port
    detail: Detail | None = None


class MachineDetached(WireModel):
    """The machine is no longer heard on this port.

    {"port": "tcp://192.168.1.20:5051", "detail": "the peer closed the connection"}
    """

    port: Port
    detail: Detail | None = None


class ClockStepped(WireModel):
    """The agent's wall clock was moved by so many milliseconds; its monotone clock was not.

    {"by_ms": -600000}
    """

    by_ms: Annotated[int, Field(ge=-(10**15), le=10**15)]


FACTS: dict[str, type[WireModel]] = {
    "game.started": GameStarted,
    "game.ball": GameBall,
    "game.ended": GameEnded,
    "game.aborted": GameAborted,
    "score.read": ScoreRead,
    "score.frozen": ScoreFrozen,
    "fault.raised": FaultRaised,
    "fault.cleared": FaultCleared,
    "machine.attached": MachineAttached,
    "machine.detached": MachineDetached,
    "clock.stepped": ClockStepped,
}

AGENT_KINDS = frozenset({"clock.stepped", "fault.raised", "fault.cleared"})
"""The kinds that may concern the agent itself and then name no machine."""


def read_fact(kind: str, machine: str | None, body: dict[str, Any]) -> WireModel:
    """The body as its model; raises WireInvalid for an unknown kind, a bad body, a machine that is not named."""
    model = FACTS.get(kind)
    if model is None:
        raise WireInvalid(f"unknown kind {kind}")
    if machine is None and kind not in AGENT_KINDS:
        raise WireInvalid(f"{kind} names no machine")
    return model.read(body)
