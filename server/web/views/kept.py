"""What was kept of a game at a malfunction or on the desk's wish: scores, the seconds before in pictures, a recording.

Also one malfunction as an official looks at it. Nothing is decided here: the class and the rules are a suggestion.
"""

from dataclasses import dataclass, replace

from server.core.venue.severity import Rule, rules_of, suggestion
from server.core.venue.state import BallScores, Game, Malfunction
from server.web.views.deeds import unseen
from server.web.views.names import machine_name, person_name, tournament_of
from server.web.views.review import picture
from server.web.views.scene import Scene
from server.web.views.signs import Sign, fault_sign


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """One picture of the strip: `seconds` before the moment."""

    seconds: str
    picture: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A player's score as it stood. `text` where it was not read for certain."""

    number: int
    name: str
    score: int | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Keep:
    """One frozen moment."""

    at: int
    why: str
    scores: tuple[Held, ...]
    shots: tuple[Shot, ...]
    recording: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One malfunction."""

    id: str
    sign: Sign
    severity: str
    called: str
    rules: tuple[Rule, ...]
    machine: str
    machine_id: str | None
    game: str | None
    ball: str
    since: int
    detail: str | None
    photo: str | None
    scores: tuple[Held, ...]
    open: bool
    noted_until: int | None
    closed: int | None
    closed_why: str | None
    seen_by: str | None
    unseen: bool
    """Whether the desk still waits for somebody to go there, also where it is over."""
    by_desk: bool
    freezable: bool
    """Whether an agent was heard for the machine, that could keep what it sees."""


def kept_of(scene: Scene, game: Game) -> tuple[Keep, ...]:
    """What was kept of the game, the newest first."""
    return tuple(_keep(scene, game, turn) for turn in reversed(game.frozen))


def case(scene: Scene, found: Malfunction) -> Case:
    """One malfunction with what is suggested."""
    about = suggestion(found.fault)
    in_game = found.game is not None
    game = scene.state.games.get(found.game) if found.game else None
    preset = scene.tournament.head.get("preset") if scene.tournament is not None else None
    ball = f"player {found.player}, ball {found.ball}" if found.player and found.ball else ""
    return Case(
        id=found.id,
        sign=fault_sign(found.fault, in_game=in_game),
        severity={"alarm": "Alarm", "look": "Have a look", "note": "Note"}[about.at(in_game=in_game)],
        called=about.called_at(in_game=in_game),
        rules=_told(rules_of(about, preset if isinstance(preset, str) else None)) if in_game or not about.idle else (),
        machine=machine_name(scene.state, found.machine) if found.machine else (found.agent or "the venue"),
        machine_id=found.machine,
        game=None if game is None else game.id,
        ball=ball,
        since=found.since,
        detail=found.detail,
        photo=picture(found.evidence),
        scores=_held(scene, game, BallScores(player=None, ball=None, scores=found.scores, at=0, position=0)),
        open=found.open,
        noted_until=found.noted_until if found.open and not found.raised(scene.now) else None,
        closed=found.closed,
        closed_why=found.closed_why,
        seen_by=found.acknowledged_by,
        unseen=(found.open and found.acknowledged_by is None) or unseen(found, scene.now),
        by_desk=found.source in {"desk", "manual"} or found.acknowledged_by is not None,
        freezable=bool(found.machine and scene.state.machines[found.machine].agent),
    )


RULINGS = {
    "add-ball": "one more ball", "void": "void", "replay": "play again", "best-of": "the higher score",
    "stand": "the score stands",
}  # fmt: skip
"""Kinds of rulings, as `server.core.rules` names them, in the words of the page."""

_BOOKS = {
    "tpc": "Toronto", "uk-open": "UK Open", "uk-team": "UK Team", "epc-country": "EPC Country", "2cp": "2CP",
    "pinball-chicago": "Pinball Chicago",
}  # fmt: skip


def _told(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    return tuple(replace(rule, book=_BOOKS.get(rule.book, rule.book)) for rule in rules)


def _keep(scene: Scene, game: Game, turn: BallScores) -> Keep:
    shots = tuple(
        Shot(seconds=f"{ago / 1000:.1f}", picture=address)
        for ago, evidence in turn.frames
        if (address := picture(evidence)) is not None
    )
    last = picture(turn.evidence)
    if last is not None and not shots:
        shots = (Shot(seconds="0.0", picture=last),)
    why = turn.why or ""
    return Keep(
        at=turn.at,
        why=fault_sign(why).word if "-" in why or " " not in why else why,
        scores=_held(scene, game, turn),
        shots=shots,
        recording=picture(turn.recording),
    )


def _held(scene: Scene, game: Game | None, turn: BallScores) -> tuple[Held, ...]:
    tournament = tournament_of(game)
    who = game.players if game is not None else ()
    return tuple(
        Held(
            number=score.player,
            name=person_name(scene.state, tournament, who[score.player - 1])
            if score.player <= len(who) and who[score.player - 1] is not None
            else f"player {score.player}",
            score=score.score,
            text=score.text or "",
        )
        for score in turn.scores
    )
