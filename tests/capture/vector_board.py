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
STATUS, FAULT, ID = "/api/game/status", "/api/fault", "/api/machine_id"
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


IDLE = status(active=False, ball=0)


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


class Talk(Ear):
    """An ear that asks, at a board that answers what `answers` has, after a while."""

    def __init__(self, *, device: str | None = None, answers: dict[str, object] | None = None) -> None:
        super().__init__(device=device)
        self.answers: dict[str, object] = {
            ID: {"machine_id": DEVICE},
            "/api/version": {"version": "1.11.28"},
            "/api/game/name": "High Speed",
            FAULT: [],
            STATUS: IDLE,
        } | (answers or {})
        self.questions: list[tuple[int, str]] = []
        self.silent = False
        self.takes = 20
        """Milliseconds until it answers."""

    def go(self, milliseconds: int) -> None:
        """Ask and answer for so long."""
        end = self.at + milliseconds
        while self.at < end:
            asked, self.asked = self.asked, []
            assert len(asked) <= 1, "one question at a time"
            if asked and not self.silent:
                self.wait(self.takes)
            for question in asked:
                route = question.partition("|")[0]
                self.questions.append((self.at, route))
                told = self.answers.get(route)
                if not self.silent and told is not None:
                    self.hear(answer(route, told) if not isinstance(told, int) else answer(route, "Not found", told))
            self.wait(10)


def end(*plays: int, attempt: int = 1, number: int | None = 0) -> bytes:
    told: dict[str, object] = {"plays": [["AAA", play] for play in plays], "try": attempt}
    return push("end_of_game", told | ({} if number is None else {"game_num": number}))


def over(*scores: int, number: int = 1, **more: int) -> bytes:
    """The status after the end: the count has moved on."""
    return push("game_state", status(*scores, active=False, ball=0, number=number, **more))


def listening(*, device: str | None = None) -> Ear:
    ear = Ear(device=device)
    ear.open(passive=True)
    ear.hear(push("game_state", IDLE))
    ear.wait(5_000)
    return ear


def play(ear: Ear, *, number: int = 0) -> None:
    """Two players, to the last ball's last points but one push."""
    for told in (
        status(0), status(1000), status(1000, 0, player=2), status(1000, 700, player=2),
        status(1000, 700, ball=2), status(1500, 700, ball=2), status(1500, 700, ball=2, player=2),
        status(1500, 700, ball=3), status(2500, 700, ball=3), status(2500, 700, ball=3, player=2),
    ):  # fmt: skip
        ear.hear(push("game_state", told | {"game_num": number}))
        ear.wait(2_000)
