"""What is written down in an evening of a made-up league: games as machines let them be played, rulings, penalties.

A seed gives always the same evening; whatever is recorded may as well be refused.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random

from tests.properties.by_the_book import Entry
from tests.properties.tournaments import Document

LOSING = ("out-of-turn", "slam-tilt", "machine-damage", "interference", "death-save", "logged-in")


@dataclass(slots=True, kw_only=True)
class Desk:
    """A league's file while it is written: the head, the log, the time; `wild` is how often something is unlawful."""

    chance: Random
    head: Document
    wild: float
    log: list[Document] = field(default_factory=list)
    now: datetime | None = None
    count: int = 0

    def add(self, entry: Document) -> None:
        """Record one entry."""
        if self.now is not None:
            self.now += timedelta(minutes=self.chance.choice((0, 1, 2, 3)))
            entry = entry | {"at": self.now.isoformat()}
        self.log.append(entry)

    def often(self, part: float) -> bool:
        """Say whether something happens."""
        return self.chance.random() < part

    def score(self) -> int:
        """A score, now and then one that another has too."""
        return self.chance.choice(
            (self.chance.randrange(1, 30), self.chance.randrange(1, 10**9), 10**19 + self.chance.randrange(10**9))
        )

    def name(self) -> str:
        """A new name for a game."""
        self.count += 1
        return f"g{self.count}"


@dataclass(slots=True, kw_only=True)
class Evening:
    """A match on its way: who is there, on which machines, who has a top player to spare."""

    desk: Desk
    match: Document
    home: list[str]
    away: list[str]
    tops: frozenset[str]
    machines: dict[str, int]
    declared: bool = False
    last: str | None = None
    fixed: dict[int, list[str]] = field(default_factory=dict)

    def players(self, team: str, number: int) -> list[str]:
        """Who of a team may play in a round: the top players only on machines of their own choice."""
        chooses = (team == self.match["away"]) == bool(number % 2)
        there = self.home if team == self.match["home"] else self.away
        return there if chooses else [who for who in there if who not in self.tops]


def is_full(plan: list[list[str]]) -> bool:
    """Say whether no player of a team is alone."""
    return len({len(pair) for pair in plan}) == 1


def record(evening: Evening, where: Document, machine: str, turn: list[list[str]], size: int) -> None:
    """Record a game as its machine lets it be played: together, one on one, or one at a time."""
    desk = evening.desk
    everybody = [pair[index] for index in range(2) for pair in turn if index < len(pair)]
    places = evening.machines.get(machine, 4)
    if places < 2 or (desk.often(0.05) and (evening.declared or is_full(turn))):
        parts: Iterable[list[str]] = [[who] for who in everybody]
    elif places < 2 * size and is_full(turn):
        parts = [everybody[:2], everybody[2:]]
    else:
        parts = [everybody]
    for part in parts:
        scores = {who: desk.score() for who in part}
        evening.last = desk.name()
        desk.add({"game": evening.last} | where | {"machine": machine, "scores": scores})


def spoil(evening: Evening, where: Document, machine: str, turn: list[list[str]]) -> None:
    """A game that should not be."""
    desk = evening.desk
    everybody: list[str] = desk.head["everybody"]
    players = [pair[0] for pair in turn]
    scores = {who: desk.score() for who in (players[0], desk.chance.choice(everybody), *turn[0], *turn[1])}
    strange: list[Entry] = [
        {"scores": scores},
        {"scores": {who: desk.score() for who in players}},
        {"machine": desk.chance.choice(list(evening.machines))},
        {"round": desk.chance.randrange(1, 5)},
        {"slot": desk.chance.randrange(1, 5)},
        {"round": 5},
        {"slot": 5},
    ]
    usual = {"scores": {who: desk.score() for pair in turn for who in pair}}
    desk.add({"game": desk.name()} | where | {"machine": machine} | usual | dict(desk.chance.choice(strange)))


def happen(evening: Evening, where: Document, machine: str, turn: list[list[str]]) -> None:
    """What officials and captains record about the game just played."""
    desk, game = evening.desk, evening.last
    who = desk.chance.choice([player for pair in turn for player in pair])
    what = desk.chance.choice(("penalty", "penalty", "correct", "void", "ruling", "challenge", "slot"))
    if what == "penalty" and evening.machines.get(machine, 4) >= 4:
        desk.add({"penalty": who, "for": desk.chance.choice(LOSING), "game": game})
    elif what == "correct" and evening.machines.get(machine, 4) >= 4:
        desk.add({"correct": game, "scores": {who: desk.score()}, "why": "misread"})
    elif what == "void" and evening.machines.get(machine, 4) >= 4:
        desk.add({"void": game, "why": "the flipper was stuck"})
        record(evening, where, machine, turn, max(map(len, turn)))
    elif what == "ruling" and evening.machines.get(machine, 4) >= 4:
        rule(evening, who, machine)
    elif what == "challenge":
        team = desk.chance.choice((evening.match["home"], evening.match["away"]))
        about = game if desk.often(0.5) else f"g{desk.chance.randrange(1, desk.count + 1)}"
        desk.add({"challenge": about, "team": team, "why": "that was not so"})
    elif what == "slot" and desk.often(desk.wild):
        desk.add(
            {"forfeit": where["match"], "team": evening.match["home"], "round": where["round"], "slot": where["slot"]}
        )


def rule(evening: Evening, who: str, machine: str) -> None:
    """PC35: a ruling, with the game that it names or with none."""
    desk, game = evening.desk, evening.last
    how = desk.chance.choice(("replay", "add-ball", "best-of", "fraction", "zero", "stand", "nobody"))
    if how == "nobody":
        desk.add({"game": desk.name(), "machine": machine, "scores": {who: desk.score()}})
        return
    entry: Document = {"ruling": game, "who": who, "kind": how, "why": "malfunction"}
    if how == "fraction":
        entry["factor"] = "0.8"
    elif how in {"replay", "add-ball", "best-of"}:
        extra = desk.name()
        desk.add({"game": extra, "machine": machine, "scores": {who: desk.score()}})
        entry["games"] = [extra]
    desk.add(entry)
