"""A board's lines for tests, written down as it writes them, and a capture that hears them."""

import hmac
import json
from hashlib import sha256
from typing import Any, TypeVar

from capture.dialects import Setup
from capture.pipeline import Capture
from capture.signals import GameAborted, GameEnded, Signal
from hardware.catalog import load_profile
from hardware.ports.base import Chunk, Closed, Opened

DEVICE = "39819ddb"
T = TypeVar("T", bound=Signal)


def status(
    *scores: int, active: bool = True, ball: int = 1, player: int = 1, players: int | None = None, number: int = 0
) -> dict[str, Any]:
    """A status of four scores."""
    return {
        "GameActive": active,
        "BallInPlay": ball,
        "PlayerUp": player,
        "PlayersInGame": players if players is not None else max(1, len(scores)),
        "Scores": [*scores, *[0] * (4 - len(scores))],
        "ActiveFormatName": "Standard",
        "ActiveFormatId": 0,
        "game_num": number,
    }


def answer(route: str, told: object, code: int = 200) -> bytes:
    """The line of an answer."""
    body = told if isinstance(told, str) else json.dumps(told)
    envelope = {"route": route, "status": code, "headers": {"Content-Length": len(body)}, "body": body}
    return b"USB API RESPONSE-->" + json.dumps(envelope).encode() + b"\r\n"


def push(kind: str, data: object = None, *, device: str = DEVICE, secret: bytes | None = None, n: int = 0) -> bytes:
    """A datagram as a line; signed where there is a secret."""
    message: dict[str, Any] = {"machine_id": device, "type": kind}
    message |= {} if data is None else {"data": data}
    if secret is None:
        return json.dumps(message).encode() + b"\n"
    body = json.dumps(message | {"n": n}).encode()
    return hmac.new(secret, body, sha256).hexdigest()[:16].encode() + body + b"\n"


class Ear:
    """A capture of a Vector board, and all that it said."""

    def __init__(self, *, device: str | None = None, secret: bytes | None = None, at: int = 0) -> None:
        self.capture = Capture(load_profile("vector"), setup=Setup(device=device, secret=secret))
        self.said: list[Signal] = []
        self.asked: list[str] = []
        self.at = at

    def open(self, *, passive: bool) -> None:
        """The port opens."""
        self.said += self.capture.feed(Opened(at=self.at, port="test", passive=passive))
        self._listen()

    def hear(self, *lines: bytes) -> None:
        """Lines come now."""
        for line in lines:
            self.said += self.capture.feed(Chunk(at=self.at, data=line))
            self._listen()

    def wait(self, milliseconds: int) -> None:
        """Time passes."""
        end = self.at + milliseconds
        while (due := self.capture.next_deadline()) is not None and due <= end:
            self.at = max(self.at, due)
            self.said += self.capture.tick(self.at)
            self._listen()
        self.at = end

    def close(self, reason: str = "eof") -> None:
        """The port closes."""
        self.said += self.capture.feed(Closed(at=self.at, reason=reason, why="it is gone"))

    def of(self, kind: type[T]) -> list[T]:
        """What was said of one kind."""
        return [signal for signal in self.said if isinstance(signal, kind)]

    def faults(self) -> list[str]:
        """The faults, in order: a name, and `-` before it where it was cleared."""
        names = []
        for signal in self.said:
            if type(signal).__name__ in {"FaultRaised", "FaultCleared"}:
                mark = "-" if type(signal).__name__ == "FaultCleared" else ""
                names.append(mark + str(getattr(signal, "fault", "")))
        return names

    def details(self) -> str:
        """What the faults' details say."""
        return "; ".join(str(getattr(signal, "detail", None)) for signal in self.said if hasattr(signal, "fault"))

    def games(self) -> list[tuple[str, tuple[int | None, ...]]]:
        """How each game came out, and with which scores."""
        over = [signal for signal in self.said if isinstance(signal, GameEnded | GameAborted)]
        return [(game.how, tuple(score.score for score in game.scores)) for game in over]

    def _listen(self) -> None:
        self.asked += self.capture.outgoing().decode().split()
