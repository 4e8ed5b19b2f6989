"""What waits for an official's eyes: readings with their picture, and games that nobody or the wrong people played.

A place that was not seen stays `?`. The one invariant: the number offered for Enter is exactly the one that is shown.
"""

import statistics
from collections.abc import Iterator
from dataclasses import dataclass

from server.core.venue.posting import waiting_readings
from server.core.venue.state import Game, Reading
from server.web.views.names import machine_name, people, person_name, tournament_of
from server.web.views.scene import Scene, copied, keys
from server.web.views.signs import GAME_STATUS, READING_STATUS, Sign

PREVIOUS = 4
"""Results shown beside a reading for comparison."""
LETTERS = "ABCDEF"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A number that can be chosen with its letter."""

    letter: str
    score: int
    proposed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Previous:
    """An earlier result, to compare with."""

    name: str
    score: int
    at: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Usual:
    """The scores that counted on this machine so far."""

    count: int
    low: int
    middle: int
    high: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """What an official made of it."""

    sign: Sign
    score: int | None
    who: str | None
    at: int | None
    why: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One reading as the official sees it."""

    id: str
    version: int
    game: str
    machine: str
    who: str
    known: bool
    slot: int
    slots: int
    text: str
    choices: tuple[Choice, ...]
    why: tuple[str, ...]
    confidence: float
    picture: str | None
    since: int
    on_machine: tuple[Previous, ...]
    of_player: tuple[Previous, ...]
    usual: Usual | None
    decided: Decided | None
    kept: int = 0
    """How often something was kept of the game: at malfunctions, or on the desk's wish."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """One line of the queue: a reading or a game."""

    kind: str
    id: str
    machine: str
    who: str
    since: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """A slot of a game: what was shown, and whose it is so far."""

    number: int
    score: int | None
    text: str
    who: str | None
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stray:
    """A captured game of which an official must say whose it is."""

    id: str
    version: int
    machine: str
    sign: Sign
    why: tuple[str, ...]
    started: int | None
    ended: int | None
    ending: str | None
    seats: tuple[Seat, ...]
    tournament: str | None
    people: tuple[tuple[str, str], ...]
    stage: str | None
    picture: str | None
    decided_by: str | None
    teams: bool = False
    match: str | None = None
    round: int | str | None = None
    slot: int | str | None = None
    may_keep: bool = False
    """The rules alone hold it: no reading of it waits."""
    kept: int = 0


def queue(scene: Scene) -> tuple[Waiting, ...]:
    """Everything that waits for an official, the longest wait first."""
    return tuple(_waiting(scene))


def readings_waiting(scene: Scene) -> list[str]:
    """Ids of the readings that wait, oldest first."""
    return [key.removeprefix("reading:") for key in keys(scene.state.waiting) if key.startswith("reading:")]


def games_waiting(scene: Scene) -> list[str]:
    """Ids of the games that wait themselves, not only for one of their readings, oldest first."""
    names = (key.removeprefix("game:") for key in keys(scene.state.waiting) if key.startswith("game:"))
    return [name for name in names if not _has_reading_waiting(scene, name)]


def card(scene: Scene, reading: Reading) -> Card:
    """A reading with everything an official compares it with."""
    game = scene.state.games.get(reading.game)
    tournament = tournament_of(game)
    counted = [found for found in copied(scene.state.games) if found.status == "posted"]
    on_machine = [found for found in counted if found.machine == reading.machine and found.id != reading.game]
    return Card(
        id=reading.id,
        version=reading.version,
        game=reading.game,
        machine=machine_name(scene.state, reading.machine),
        who=person_name(scene.state, tournament, reading.who),
        known=reading.who is not None,
        slot=reading.player,
        slots=max(len(game.scores), game.slots or 0) if game is not None else 1,
        text=reading.text or ("" if reading.proposed is None else str(reading.proposed)),
        choices=choices(reading),
        why=reading.why,
        confidence=reading.confidence,
        picture=picture(reading.evidence),
        since=reading.since,
        on_machine=tuple(_previous(scene, on_machine, None)),
        of_player=tuple(_previous(scene, on_machine, reading.who)) if reading.who is not None else (),
        usual=_usual(on_machine),
        decided=_decided(reading),
        kept=len(game.frozen_facts) if game is not None else 0,
    )


def choices(reading: Reading) -> tuple[Choice, ...]:
    """The proposed number first, then the candidates; each once."""
    found = dict.fromkeys(([] if reading.proposed is None else [reading.proposed]) + list(reading.candidates))
    return tuple(
        Choice(letter=letter, score=score, proposed=score == reading.proposed)
        for letter, score in zip(LETTERS, found, strict=False)
    )


def picture(evidence: str | None) -> str | None:
    """Where the picture is: `sha256:…` as its address, None where there is none."""
    return None if evidence is None else "/evidence/" + evidence.removeprefix("sha256:")


def stray(scene: Scene, game: Game) -> Stray:
    """A game with what is needed to say whose it is."""
    tournament = scene.tournament
    place = game.place or (game.assignment.place if game.assignment is not None else None)
    seats = []
    for score in game.scores:
        who = game.players[score.player - 1] if score.player <= len(game.players) else None
        seats.append(
            Seat(
                number=score.player,
                score=score.score,
                text=score.text or ("" if score.score is None else str(score.score)),
                who=who,
                name=person_name(scene.state, tournament_of(game), who),
            )
        )
    return Stray(
        id=game.id,
        version=game.version,
        machine=machine_name(scene.state, game.machine),
        sign=GAME_STATUS.get(game.status, GAME_STATUS["waiting"]),
        why=game.why,
        started=game.started,
        ended=game.ended,
        ending=game.ending if game.ending != "normal" else None,
        seats=tuple(seats),
        tournament=tournament.name if tournament is not None else None,
        people=tuple(people(tournament).items()) if tournament is not None else (),
        stage=place.stage if place is not None else None,
        teams=tournament is not None and bool(tournament.head.get("teams")),
        match=place.match if place is not None else None,
        round=place.round if place is not None else None,
        slot=place.slot if place is not None else None,
        may_keep=game.status == "waiting" and not waiting_readings(scene.state, game),
        picture=picture(game.evidence),
        decided_by=game.decided_by if game.status in {"posted", "discarded"} else None,
        kept=len(game.frozen_facts),
    )


def _waiting(scene: Scene) -> Iterator[Waiting]:
    state = scene.state
    for key in keys(state.waiting):
        kind, _, thing = key.partition(":")
        if kind == "reading" and (reading := state.readings.get(thing)) is not None:
            game = state.games.get(reading.game)
            who = person_name(state, tournament_of(game), reading.who)
            machine = machine_name(state, reading.machine)
            text = reading.text or str(reading.proposed)
            yield Waiting(kind=kind, id=thing, machine=machine, who=who, since=reading.since, text=text)
        elif kind == "game" and (game := state.games.get(thing)) and not _has_reading_waiting(scene, thing):
            machine = machine_name(state, game.machine)
            since = game.ended or game.started or 0
            who = GAME_STATUS.get(game.status, GAME_STATUS["waiting"]).word
            yield Waiting(kind=kind, id=thing, machine=machine, who=who, since=since, text="; ".join(game.why))


def _has_reading_waiting(scene: Scene, game_id: str) -> bool:
    game = scene.state.games.get(game_id)
    if game is None:
        return False
    found = (scene.state.readings.get(reading) for reading in game.readings)
    return any(reading is not None and reading.status == "waiting" for reading in found)


def _previous(scene: Scene, games: list[Game], who: str | None) -> Iterator[Previous]:
    left = PREVIOUS
    for game in reversed(games):
        for score in game.scores:
            player = game.players[score.player - 1] if score.player <= len(game.players) else None
            if score.score is None or player is None or (who is not None and player != who):
                continue
            name = person_name(scene.state, tournament_of(game), player)
            yield Previous(name=name, score=score.score, at=game.ended)
            left -= 1
            if left == 0:
                return


def _usual(games: list[Game]) -> Usual | None:
    scores = sorted(score.score for game in games for score in game.scores if score.score is not None)
    if len(scores) < 3:
        return None
    return Usual(count=len(scores), low=scores[0], middle=statistics.median_low(scores), high=scores[-1])


def _decided(reading: Reading) -> Decided | None:
    if reading.status == "waiting":
        return None
    return Decided(
        sign=READING_STATUS[reading.status],
        score=reading.score,
        who=reading.decided_by,
        at=reading.decided_at,
        why=reading.decided_why,
    )
