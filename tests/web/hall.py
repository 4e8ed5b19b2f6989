# ruff: noqa: ANN401  (the hall is loaded by its path, so it has no type here)
"""A hall for tests of the pages: a real desk on a fresh database, people who can log in, and machines that speak.

Facts come in through `Desk.take`, exactly as the broker would bring them; nothing here touches the state.
"""

import hashlib
import itertools
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import cv2
import numpy as np
from fastapi import FastAPI

from bridge.wire.control import Pulse, Status
from bridge.wire.frame import At, Entry, Frame, Sent
from server.accounts import Accounts
from server.core.venue import commands as c
from server.core.venue.outcomes import Actor, Done
from server.core.venue.values import Place
from server.desk import Desk
from server.evidence import Evidence
from server.ingest.presence import AgentOnline
from server.services import LinkHealth, Services
from server.store.database import Store
from server.store.inbox import Delivery
from server.web.app import create_app
from server.web.sessions import digest_of, new_token

PASSWORD = "correct horse battery"
ROLES = ("admin", "official", "scorekeeper", "desk", "captain", "viewer")
ADMIN = Actor(name="admin", roles=frozenset({"admin"}))
BOOT = "2cb6a1de-0000-4000-8000-000000000001"
TPC: dict[str, Any] = {"preset": "tpc"}


class Hall:
    """The venue and everybody in it."""

    def __init__(self, folder: Path) -> None:
        self.store = Store.open(str(folder / "inlane.sqlite3"))
        self.ahead = 0
        self.desk = Desk(self.store, now=self.now)
        self.accounts = Accounts(self.store, cheap=True)
        self.evidence = Evidence(folder / "evidence", budget=2**28)
        self.services = Services(
            store=self.store,
            desk=self.desk,
            accounts=self.accounts,
            evidence=self.evidence,
            zone=ZoneInfo("America/Toronto"),
            venue="Test hall",
            now=self.now,
            broker=lambda: LinkHealth(state="up"),
        )
        for role in ROLES:
            self.accounts.add_user(role, frozenset({role}), PASSWORD, now=self.now())
        self._seqs: dict[str, Iterator[int]] = {}
        self._streams: dict[str, str] = {}
        self._keys = itertools.count(1)

    def now(self) -> int:
        return time.time_ns() // 1_000_000 + self.ahead

    def app(self) -> FastAPI:
        return create_app(self.services)

    def close(self) -> None:
        self.desk.close()
        self.store.close()

    def token(self, role: str) -> str:
        """A live session's token, as a login gives it."""
        token = new_token()
        digest = digest_of(token)
        assert digest is not None
        self.accounts.keep_session(digest, role, now=self.now())
        return token

    def do(self, command: c.Command, actor: Actor = ADMIN) -> Done:
        outcome = self.desk.submit(command, actor, f"test-{next(self._keys)}")
        assert isinstance(outcome, Done), outcome
        return outcome

    def open(
        self, *, players: list[dict[str, Any]], machines: list[dict[str, Any]], name: str = "cup", **head: Any
    ) -> None:
        """Open a tournament."""
        document = {"tournament": "Harbour Cup", "preset": "uk-kids", "timezone": "America/Toronto", **head}
        self.do(c.OpenTournament(id=name, head={**document, "players": players, "machines": machines}))

    def log(self, name: str = "cup") -> list[dict[str, Any]]:
        """The entries of a tournament's log."""
        with self.desk.reading() as state:
            return [dict(entry.entry) for entry in state.log(name)]

    def assign(self, machine: str, *players: str, tournament: str = "cup", **place: Any) -> None:
        self.do(c.Assign(machine=machine, place=Place(tournament=tournament, **place), players=players))

    def says(self, kind: str, machine: str | None, *, agent: str = "pi-1", **body: Any) -> None:
        """An agent states a fact."""
        seq = next(self._seqs.setdefault(agent, itertools.count(1)))
        stream = self._streams.setdefault(agent, str(uuid.uuid4()))
        moment = self.now() % 10**9
        entry = Entry(
            seq=seq,
            id=str(uuid.uuid4()),
            kind=kind,
            machine=machine,
            at=At(boot=BOOT, mono_ms=moment),
            body=body,
        )
        frame = Frame(stream=stream, floor=1, sent=Sent(boot=BOOT, mono_ms=moment), entries=(entry,))
        self.desk.take([Delivery(agent=agent, frame=frame, received_at=self.now())])

    def starts(self, machine: str, players: int = 1, **more: Any) -> str:
        game = str(uuid.uuid4())
        self.says("game.started", machine, game=game, players=players, **more)
        return game

    def ends(self, machine: str, game: str, *scores: Any, how: str = "normal", **more: Any) -> None:
        """A game is over. A score is a whole number, or a mapping for a doubtful one."""
        self.says(
            "game.ended", machine, game=game, how=how, source="camera", balls_played=3, scores=slots(scores), **more
        )  # fmt: skip

    def plays(self, machine: str, *players: str, scores: tuple[Any, ...], **place: Any) -> str:
        """Players are assigned, play a whole game and it ends."""
        self.assign(machine, *players, **place)
        game = self.starts(machine, len(scores))
        self.ends(machine, game, *scores)
        return game

    def doubt(
        self, machine: str, player: str, text: str, candidates: tuple[int, ...], picture: bytes | None, **place: Any
    ) -> str:
        """A game ends with a score that needs eyes; returns the reading's id."""
        self.assign(machine, player, **place)
        game = self.starts(machine)
        evidence = None if picture is None else self.picture(picture)
        doubtful = {"score": None, "text": text, "candidates": list(candidates), "confidence": 0.6}
        self.ends(machine, game, doubtful, evidence=evidence)
        self.says(
            "score.read", machine, game=game, player=1, text=text, candidates=list(candidates), confidence=0.6,
            evidence=evidence,
        )  # fmt: skip
        with self.desk.reading() as state:
            return state.games[game].readings[0]

    def picture(self, data: bytes) -> str:
        digest = hashlib.sha256(data).hexdigest()
        self.evidence.put(digest, data)
        return f"sha256:{digest}"

    def pulse(self, *live: dict[str, Any], agent: str = "pi-1", depth: int = 0) -> None:
        """An agent's heartbeat with live scores."""
        stream = self._streams.setdefault(agent, str(uuid.uuid4()))
        pulse = Pulse.model_validate(
            {
                "sent": {"boot": BOOT, "mono_ms": self.now() % 10**9},
                "session": 1,
                "stream": stream,
                "depth": depth,
                "live": list(live),
            }
        )
        self.desk.pulse(agent, pulse, self.now())

    def online(self, agent: str, machines: tuple[str, ...]) -> None:
        stream = self._streams.setdefault(agent, str(uuid.uuid4()))
        status = Status(state="online", session=1, stream=stream, boot=BOOT, host=agent, machines=machines)
        self.desk.presence(AgentOnline(agent=agent, status=status))


def slots(scores: tuple[Any, ...]) -> list[dict[str, Any]]:
    """The scores of a fact: whole numbers, or mappings with what is known."""
    return [
        {"player": number, **(score if isinstance(score, dict) else {"score": score})}
        for number, score in enumerate(scores, 1)
    ]


def display(text: str, *, dim: int | None = None) -> bytes:
    """A picture of a dot-matrix display that shows a text; the sign number `dim` is too faint to read."""
    rows, columns = 32, 128
    dots = np.zeros((rows, columns), np.uint8)
    left = (columns - 9 * len(text)) // 2
    for place, sign in enumerate(text):
        one = np.zeros((rows, columns), np.uint8)
        cv2.putText(one, sign, (left + 9 * place, 22), cv2.FONT_HERSHEY_SIMPLEX, 0.5, 255, 1, cv2.LINE_8)
        dots = np.maximum(dots, one // (9 if place == dim else 1))
    picture = np.zeros((rows * 5, columns * 5, 3), np.uint8)
    for row, column in np.ndindex(rows, columns):
        level = max(18, int(dots[row, column])) / 255
        colour = (int(20 * level), int(120 * level), int(255 * level))
        cv2.circle(picture, (column * 5 + 2, row * 5 + 2), 2, colour, -1)
    done, data = cv2.imencode(".png", picture)
    assert done
    return data.tobytes()
