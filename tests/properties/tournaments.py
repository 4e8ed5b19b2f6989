"""Tournaments made up for the laws of the rules: played from registration to the last game, with all that goes wrong.

A seed gives always the same tournament. Who plays next is read off the rules' own output, as a desk does; nothing here
knows how anything is ranked, and whatever is recorded may as well be refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from server.core.rules import PRESETS, Running, Tournament, parse, with_entry
from tests.properties import rounds_made_up

Document = dict[str, Any]
START = 9 * 60
"""The minute of the day at which the first entry is recorded."""


@dataclass(slots=True, kw_only=True)
class Course:
    """A tournament on its way: the head of its file, the log so far, the minute of the day."""

    chance: Random
    head: Document
    log: list[Document] = field(default_factory=list)
    minute: int = START
    calm: bool = False
    games: int = 0
    running: Running = field(default_factory=Running)
    known: Tournament | None = None

    @property
    def players(self) -> list[str]:
        """Everybody's id."""
        return [player["id"] for player in self.head["players"]]

    @property
    def machines(self) -> list[str]:
        """The ids of all machines."""
        return [machine["id"] for machine in self.head["machines"]]

    @property
    def played(self) -> list[Document]:
        """The games recorded so far."""
        return [entry for entry in self.log if next(iter(entry)) == "game"]

    def document(self) -> Document:
        """The tournament file."""
        return {**self.head, "log": list(self.log)}

    def now(self) -> Mapping[str, Any]:
        """What the rules say of it."""
        known = self.known or parse({**self.head, "log": []})
        for entry in self.log[len(known.log) :]:
            known = with_entry(known, entry)
        self.known = known
        return self.running.evaluate(known)

    def add(self, entry: Document) -> None:
        """Record one entry; now and then without its time."""
        self.minute += self.chance.choice((0, 1, 2, 7))
        if self.chance.random() < 0.9:
            entry = entry | {"at": self.time(self.minute)}
        self.log.append(entry)

    def time(self, minute: int) -> str:
        """Write a minute of the day."""
        minute = min(minute, 24 * 60 - 1)
        return f"2010-05-15T{minute // 60:02}:{minute % 60:02}"

    def score(self) -> int:
        """A score: often one that another has too, sometimes 0 or beyond 64 bits."""
        return self.chance.choice(
            (self.chance.randrange(1, 9), self.chance.randrange(1, 9), self.chance.randrange(10**7), 0, 10**20)
            if self.chance.random() < 0.7
            else (self.chance.randrange(1, 10**6),)
        )

    def game(self, machine: str, who: list[str], **more: object) -> None:
        """Record a game; a few with a start of their own, notes of the scorekeeper or a joker."""
        self.games += 1
        entry: Document = {"game": f"g{self.games:03}", "machine": machine}
        entry |= {"scores": {player: self.score() for player in who}, **more}
        if self.chance.random() < 0.05:
            entry["started_at"] = self.time(self.minute - self.chance.randrange(20))
        if self.chance.random() < 0.03:
            entry["rollovers"] = {who[0]: 1}
        if self.chance.random() < 0.03:
            entry["rings"] = {who[0]: self.chance.randrange(3)}
        self.add(entry)


def play(preset: str, seed: int, *, wild: float = 0.08, calm: bool = False) -> Document:
    """Play a small tournament of a preset. `wild` is how often something other than a game is recorded.

    In a `calm` one only scores are in question: machines stay, and so do people.
    """
    chance = Random(f"{preset} {seed}")  # noqa: S311 - a seed is what is wanted
    course = Course(chance=chance, head=_head(preset, chance), calm=calm)
    _register(course)
    for _ in range(chance.randrange(4, 7 * len(course.players))):
        _qualify(course)
        if chance.random() < wild:
            _incident(course)
    if chance.random() < 0.15:
        return course.document()
    for stage in course.now()["stages"]:
        if stage["status"] == "open":
            course.add({"close": stage["id"]})
    for _ in range(chance.randrange(1, 45)):
        if chance.random() < wild:
            _incident(course)
        if not _go_on(course):
            break
    return course.document()


def _head(preset: str, chance: Random) -> Document:
    built = PRESETS[preset]
    names: list[str | None] = list(built.settings.get("skill_divisions", ())) or [None]  # type: ignore[call-overload]
    people = chance.choice((4, 9, 11, 14)) if preset != "uk-kids" else 6
    bank = chance.choice((3, 5, 8)) if not built.settings.get("bank") else 9
    players = [{"id": f"p{number:02}", "name": f"Player {number}"} for number in range(people)]
    machines = [{"id": f"m{number:02}", "name": f"Machine {number}"} for number in range(bank)]
    for index, player in enumerate(players):
        if names[0] is not None:
            player["division"] = names[0 if index < people - 3 else -1]  # type: ignore[assignment]
    for index, machine in enumerate(machines):
        if names[0] is not None and chance.random() < 0.95:
            machine["division"] = names[-1 if index == 0 and bank > 3 else 0]  # type: ignore[assignment]
        if chance.random() < 0.1:
            machine["max_score"] = chance.choice((5, 10**6))  # type: ignore[assignment]
        if chance.random() < 0.5:
            machine["digits"] = chance.choice((1, 6))  # type: ignore[assignment]
        if chance.random() < 0.1:
            machine["players"] = 2  # type: ignore[assignment]
    return {
        "inlane": 1,
        "tournament": f"{preset} made up",
        "preset": preset,
        "timezone": "Europe/London",
        "now": "2010-05-16T00:00",
        "rules": _settings(built.settings, chance) | rounds_made_up.settings_of(preset, chance),
        "players": players,
        "machines": machines,
    }


def _settings(values: Mapping[str, object], chance: Random) -> Document:
    """Choose a tournament's own values: small fields, so that stages follow, and each rule now and then another way."""
    small: Mapping[str, tuple[object, ...]] = {
        "qualifiers": (4, 8, 8, 12),
        "qualifiers_min": (1,),
        "round2_qualifiers": (4, 8, 8),
        "quarterfinal_qualifiers": (4, 8, 8),
        "standby": (0, 2),
        "replace_below": (2, 10),
        "machines_per_player": (2, 3, 6),
        "bank": (4, 8, 8),
    }
    other: Mapping[str, tuple[object, ...]] = {
        "tie_points": ("low",),
        "in_progress_counts": (True, False),
        "machine_points": ([10, 7, 5, 3, 1], [4, 4, 2]),
        "group_points": ([7, 5, 3, 1], [3, 2, 1, 0]),
        "tiebreak_group_max": (2, 3),
        "jokers": (0, 2),
        "quarterfinal_ties": ("playoff",),
        "quarterfinal": (False,),
        "require_entry": (True,),
        "entries_lapse": (False,),
        "ring_bonus": (7,),
        "places_pre": (8,),
        "places_day": (2,),
        "date": ("2010-05-15",),
    }
    chosen = {key: chance.choice(choices) for key, choices in small.items() if key in values}
    chosen |= {key: chance.choice(choices) for key, choices in other.items() if key in values and chance.random() < 0.1}
    return chosen


def _register(course: Course) -> None:
    built, chance = PRESETS[course.head["preset"]], course.chance
    if chance.random() < 0.4:
        return
    for who in course.players:
        if built.registers == "register" and chance.random() < 0.9:
            course.add({"register": who})
        if "entry_price" in built.settings and chance.random() < 0.9:
            course.add({"buy": who, "entries": chance.choice((1, 4, 6, 13))})


def _qualify(course: Course) -> None:
    """Record a game of the first stage: of one player, or of a group where the stage has groups."""
    chance = course.chance
    who = chance.choice(course.players)
    built = PRESETS[course.head["preset"]]
    more: Document = {"joker": True} if "jokers" in built.settings and chance.random() < 0.08 else {}
    if built.first in {"attempts", "winners"}:
        played = {(entry["machine"], *entry["scores"]) for entry in course.played}
        own = {player["id"]: player.get("division") for player in course.head["players"]}[who]
        serving = [machine["id"] for machine in course.head["machines"] if machine.get("division", own) == own]
        serving = serving or course.machines
        fresh = [name for name in serving if (name, who) not in played]
        once = "machines_per_player" in built.settings and not more and fresh
        where = chance.choice(fresh if once else serving if chance.random() < 0.95 else course.machines)
        course.game(where, [who, *_another(course, who)], **more)
        return
    rounds_made_up.record_due(course)


def _another(course: Course, who: str) -> list[str]:
    return [other for other in [course.chance.choice(course.players)] if other != who and course.chance.random() < 0.02]


def _go_on(course: Course) -> bool:
    """Record what is due after the first close: a tie-break, a game of a later stage, a close. False: all is over."""
    chance, state = course.chance, course.now()
    ties = [(stage, tie) for stage in state["stages"] for tie in stage["tiebreaks"]]
    if ties and chance.random() < 0.9:
        stage, tie = chance.choice(ties)
        group = chance.choice(tie["groups"]) if chance.random() < 0.8 else tie["who"]
        course.game(
            tie.get("machine") or chance.choice(course.machines),
            group,
            tiebreak=tie.get("game", True),
            stage=stage["id"],
        )
        return True
    later = [stage for stage in state["stages"][1:] if stage["status"] == "open" and stage.get("groups")]
    if not later:
        return bool(ties)
    stage = chance.choice(later)
    if chance.random() < 0.07:
        course.add({"close": stage["id"]})
        return True
    group = chance.choice(stage["groups"])
    who = chance.sample(group["who"], min(len(group["who"]), 2 if len(group["who"]) > 4 else 4))
    if PRESETS[course.head["preset"]].name in {"uk-open", "epc"} and "points" in (stage["standings"] or [{}])[0]:
        who = who[:2]
    round_ = {"round": chance.randrange(1, 4)} if chance.random() < 0.6 and "points" in stage["standings"][0] else {}
    if who:
        course.game(chance.choice(course.machines), who, stage=stage["id"], group=group["id"], **round_)
    return True


def _incident(course: Course) -> None:
    """Record something that is no game."""
    chance = course.chance
    who, machine = chance.choice(course.players), chance.choice(course.machines)
    games = course.played
    if not games:
        return
    game = chance.choice(games[-12:] if chance.random() < 0.6 else games)
    player = chance.choice(list(game["scores"]))
    other = chance.choice(games)["game"]
    stages = [stage["id"] for stage in course.now()["stages"]]
    finals = [form.name for form in PRESETS[course.head["preset"]].finals] or ["final"]
    divided = "/" in stages[0]
    final = f"A/{finals[0]}" if divided else chance.choice(finals)
    kind = chance.choice(("add-ball", "best-of", "replay", "zero", "fraction", "stand"))
    status = chance.choice(("down", "up", "up", "disabled", "replaced", "closed"))
    substitute: Document = {"with": chance.choice(course.machines)} if status in {"replaced", "disabled"} else {}
    scores: Document = {"scores": chance.choice(("void", "stand", "rescale")), "factor": "0.7"}
    offence = chance.choice(
        ("slam-tilt", "restart", "interference", "violence", "disqualified", "disqualified", "late")
    )
    possible: list[Document] = [
        {"correct": game["game"], "scores": {player: course.score()}, "why": "misread"},
        {"correct": game["game"], "scores": {player: course.score()}, "why": "misread"},
        {"void": game["game"], "why": "started by nobody"},
        {"void": game["game"], "who": player, "why": "a fault"},
        {"ruling": game["game"], "kind": kind, "games": [other], "factor": "0.8", "who": player},
        {"ruling": game["game"], "kind": kind, "games": [other, f"g{course.games + 1:03}"], "factor": "0.3"},
        {"penalty": player, "for": offence, "game": game["game"]},
        {"penalty": who, "for": offence},
        {"machine": machine, "status": status, **substitute, **(scores if chance.random() < 0.4 else {})},
        {"machine": machine, "status": status, **substitute},
        {"absent": who, "stage": final},
        {"absent": who, "stage": final},
        {"abandon": who, "machine": machine},
        {"buy": who, "entries": 1},
        {"register": who},
        {"decision": "draw", "stage": stages[0], "who": chance.sample(course.players, 3)},
        {"decision": "qualifiers", "stage": stages[0], "qualifiers": 8},
        {"decision": "field", "stage": final},
        {"decision": "call", "who": [who], "machine": machine},
    ]
    if divided:
        possible.append({"move": who, "division": chance.choice(("A", "B")), "permission": chance.random() < 0.5})
    possible += rounds_made_up.incidents(course, who)
    if chance.random() < 0.02 and not course.calm:
        possible = [{"close": chance.choice(stages)}]
    if course.calm:
        possible = [*possible[:7], {"penalty": player, "for": "slam-tilt", "game": game["game"]}]
        possible = [entry for entry in possible if entry.get("for", "slam-tilt") in {"slam-tilt", "disqualified"}]
    course.add(chance.choice(possible))
