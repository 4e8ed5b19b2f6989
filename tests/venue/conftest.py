"""A venue without I/O: the state, the rules, and the two doors through which things come in."""

from collections.abc import Mapping
from typing import Any

import pytest

from server.core.venue import commands as c
from server.core.venue.book import Book
from server.core.venue.decide import decide
from server.core.venue.events import FactTaken
from server.core.venue.evolve import evolve
from server.core.venue.facts import decide_fact
from server.core.venue.filing import Happened, body_of, kind_of, read_event
from server.core.venue.outcomes import Actor, Conflict, Decision, Refused
from server.core.venue.state import Game, State
from server.core.venue.values import Place

ADMIN = Actor(name="ada", roles=frozenset({"admin"}))
OFFICIAL = Actor(name="olga", roles=frozenset({"official"}))
KEEPER = Actor(name="kim", roles=frozenset({"scorekeeper"}))

HEAD: dict[str, Any] = {
    "tournament": "Club night",
    "preset": "uk-kids",
    "timezone": "Europe/London",
    "players": [{"id": f"p{n}", "name": f"Player {n}"} for n in range(1, 7)],
    "machines": [{"id": "m1", "name": "Machine One"}, {"id": "m2", "name": "Machine Two"}],
}
PLACE = Place(tournament="club")


class World:
    """A venue whose ledger is a list."""

    def __init__(self) -> None:
        self.state = State()
        self.book = Book()
        self.ledger: list[Happened] = []
        self.now = 1_000_000
        self.seq = 0

    def record(self, event: object, who: str) -> None:
        self.now += 10
        event = read_event(kind_of(event), body_of(event))
        happened = Happened(position=self.state.position + 1, at=self.now, who=who, event=event)
        self.ledger.append(happened)
        evolve(self.state, happened)

    def do(self, command: c.Command, actor: Actor = ADMIN) -> Decision | Refused | Conflict:
        outcome = decide(self.state, command, actor, self.now, self.book)
        if isinstance(outcome, Decision):
            for event in outcome.events:
                self.record(event, actor.name)
        return outcome

    def done(self, command: c.Command, actor: Actor = ADMIN) -> Mapping[str, Any]:
        outcome = self.do(command, actor)
        assert isinstance(outcome, Decision), outcome
        return outcome.result

    def fact(self, kind: str, machine: str | None = "m1", *, agent: str = "pi-1", **body: object) -> None:
        self.seq += 1
        self.now += 10
        when = body.pop("when", self.now)
        certain = body.pop("certain", True)
        fact = FactTaken(
            fact=kind, agent=agent, machine=machine, entry=f"e{self.seq}", stream="s", seq=self.seq, boot="b",
            mono_ms=when, when=when, certain=certain, body=body,
        )  # fmt: skip
        followed = decide_fact(self.state, fact, self.book)
        self.record(fact, f"agent:{agent}")
        for event in followed:
            self.record(event, f"agent:{agent}")

    def start(self, game: str, machine: str = "m1", **more: object) -> None:
        self.fact("game.started", machine, game=game, players=1, joined_late=False, **more)

    def end(self, game: str, *scores: object, machine: str = "m1", how: str = "normal", **more: object) -> None:
        self.fact("game.ended", machine, game=game, how=how, source="wire", scores=slots(*scores), **more)

    def assign(self, *players: str, machine: str = "m1") -> None:
        self.done(c.Assign(machine=machine, place=PLACE, players=players))

    def play(self, game: str, player: str, score: object, machine: str = "m1") -> Game:
        self.assign(player, machine=machine)
        self.start(game, machine)
        self.end(game, score, machine=machine)
        return self.state.games[game]

    def log(self) -> list[dict[str, Any]]:
        return [dict(entry.entry) for entry in self.state.seen_by_rules("club")]

    def alarms(self, *, open_only: bool = True) -> list[str]:
        return [m.fault for m in self.state.malfunctions.values() if m.open or not open_only]

    def waiting(self) -> list[str]:
        return [r.id for r in self.state.readings.values() if r.status == "waiting"]


def slots(*scores: object) -> list[dict[str, Any]]:
    return [
        score if isinstance(score, dict) else {"player": number, "score": score, "confidence": 1.0}
        for number, score in enumerate(scores, start=1)
    ]


@pytest.fixture
def world() -> World:
    """A club night with six players and two machines."""
    made = World()
    made.done(c.OpenTournament(id="club", head=HEAD))
    return made
