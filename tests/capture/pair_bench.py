"""Two sources of one machine, played by hand: what each says, and what is made of it."""

from dataclasses import dataclass, field
from typing import Any

from capture.pair import Pair
from capture.pair_voice import Kind
from capture.signals import (
    GameAborted,
    GameEnded,
    GameStarted,
    MachineAttached,
    PlayerScore,
    ScoreLive,
    ScoreRead,
    Signal,
)

WIRE, CAMERA, SENSOR = 0, 1, 2


@dataclass
class Bench:
    """A pair, and what it has said so far."""

    pair: Pair = field(
        default_factory=lambda: Pair(
            [
                Kind(name="wire", exact=True),
                Kind(name="camera", exact=False),
                Kind(name="sensor", exact=True, sensor=True),
            ]
        )
    )
    said: list[Signal] = field(default_factory=list)
    now: int = 0
    games: dict[int, int] = field(default_factory=lambda: {WIRE: 0, CAMERA: 0})
    live: dict[int, dict[int, int]] = field(default_factory=lambda: {WIRE: {}, CAMERA: {}})

    def pass_(self, ms: int) -> None:
        end = self.now + ms
        while (due := self.pair.deadline()) is not None and due <= end:
            self.now = max(self.now, due)
            self.said += self.pair.tick(self.now)
            if self.pair.deadline() == due:
                break
        self.now = end
        self.said += self.pair.tick(end)

    def say(self, source: int, *signals: Signal) -> None:
        lives = self.live.get(source, {})
        game = f"game-{self.games.get(source, 0)}"
        scores = [ScoreLive(at=self.now, game=game, player=player, score=score) for player, score in lives.items()]
        self.said += self.pair.take(source, list(signals), scores, self.now)

    def attach(self, *sources: int) -> None:
        for source in sources:
            self.say(source, MachineAttached(at=self.now, port=f"port{source}"))

    def start(self, source: int, *, late: bool = False, **scores: int) -> None:
        self.games[source] += 1
        self.live[source] = {int(player[1:]): score for player, score in scores.items()}
        self.say(source, GameStarted(at=self.now, game=f"game-{self.games[source]}", players=1, joined_late=late))

    def show(self, source: int, **scores: int) -> None:
        self.live[source] |= {int(player[1:]): score for player, score in scores.items()}
        self.say(source)

    def end(self, source: int, how: str = "normal", doubt: PlayerScore | None = None) -> None:
        game = f"game-{self.games[source]}"
        scores = tuple(PlayerScore(player=player, score=score) for player, score in self.live[source].items())
        if doubt is not None:
            scores = tuple(doubt if one.player == doubt.player else one for one in scores)
        self.live[source] = {}
        kind = "wire" if source == WIRE else "camera"
        ended = GameEnded(at=self.now, game=game, how=how, scores=scores, balls_played=3, source=kind)
        reads = [
            ScoreRead(at=self.now, game=game, player=one.player, text=one.text or "?", candidates=(), confidence=0.1)
            for one in scores if one.score is None
        ]  # fmt: skip
        self.say(source, ended, *reads)

    def abort(self, source: int, how: str) -> None:
        self.live[source] = {}
        self.say(source, GameAborted(at=self.now, game=f"game-{self.games[source]}", how=how, scores=()))

    def all(self, kind: type) -> list[Any]:
        return [signal for signal in self.said if isinstance(signal, kind)]

    def finals(self) -> dict[int, int | None]:
        [ended] = self.all(GameEnded)
        return {score.player: score.score for score in ended.scores}


def both_playing() -> Bench:
    """A wire and a camera that have seen one game begin."""
    made = Bench()
    made.attach(WIRE, CAMERA)
    made.start(WIRE, p1=0)
    made.pass_(2_000)
    made.start(CAMERA, p1=0)
    return made


def play(bench: Bench, *scores: int, camera: bool = True, lag: int = 700) -> None:
    for score in scores:
        bench.pass_(3_000)
        bench.show(WIRE, p1=score)
        bench.pass_(lag)
        if camera:
            bench.show(CAMERA, p1=score)
