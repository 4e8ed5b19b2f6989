"""A seeded player: plays whole games of pinball and says what truly happened, as a list of `oracle.Event`.

No clock, no I/O: the same seed, game number, number of players and start give the same events for ever. Scoring has
the rhythm of the real thing: bursts of switch hits, jackpots, a bonus counted up when the ball has drained.
"""

import random
from dataclasses import dataclass, field

from hardware.sim.oracle import Event, Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """How the players of this machine play, and what befalls them. Rates are chances from 0 to 1."""

    fewest: int = 1
    most: int = 4
    balls: int = 3
    ball_seconds: float = 35.0
    """The middle of how long a ball lives."""
    idle_seconds: float = 20.0
    """Attract mode between two games."""
    scale: int = 0
    """The points of a weak hit; 0 takes a scale of the machine's own, from its seed."""
    jackpot: float = 0.2
    """A ball with jackpots."""
    extra_ball: float = 0.05
    """A ball that earns another."""
    tilt_warning: float = 0.1
    tilt: float = 0.03
    """A ball that ends so."""
    ball_search: float = 0.03
    """A ball that gets stuck for a while."""
    initials: float = 0.3
    """A game that ends with somebody's initials."""
    early_start: float = 0.05
    """The next game begins within a second and a half of the last one's end."""
    slam_tilt: float = 0.01
    """A game that ends so; as often, a slam in attract mode."""
    restart: float = 0.01
    """A game that is thrown away by holding the start button."""
    service: float = 0.005
    """A game that is lost because somebody opens the service menu."""
    power_cut: float = 0.005
    """A game that is lost because the power goes."""


CALM = Habits(
    tilt_warning=0, tilt=0, ball_search=0, extra_ball=0, early_start=0, slam_tilt=0, restart=0, service=0, power_cut=0
)
"""Nothing goes wrong."""


def game(habits: Habits, seed: int, number: int, at: int, *, players: int | None = None) -> list[Event]:
    """One whole game that begins at `at`; the last event is when the machine can begin another.

    `players` (1 to 8) overrides what the seed would choose. The list is never empty.
    """
    chance = draw(seed, number, "game")
    drawn = chance.randint(habits.fewest, habits.most)
    table = _Table(habits=habits, chance=chance, number=number, at=at, worth=_worth(habits, seed))
    table.play(players or drawn)
    return table.events


def draw(seed: int, number: int, what: str) -> random.Random:
    """The dice of one game for one purpose: the same for ever."""
    return random.Random(f"inlane/{seed}/{number}/{what}")  # noqa: S311 -- repeatable games, no secrets


# --- below: one game ---------------------------------------------------------------------------------------------

_FATES = ("slam_tilt", "restart", "service", "power_cut")


class _GameOver(Exception):
    """The game is cut short; what is to be said about it has been said."""


@dataclass(slots=True)
class _Table:
    habits: Habits
    chance: random.Random
    number: int
    at: int
    worth: tuple[int, ...]
    events: list[Event] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    fate: str = ""
    doom: float = 2.0
    """The share of the whole game's turns after which `fate` strikes."""
    turn: int = 0
    turns: int = 0
    players: int = 0
    player: int = 0
    ball: int = 0
    warnings: int = 0

    def play(self, players: int) -> None:
        self.players, self.turns = players, players * self.habits.balls
        self._draw_fate()
        self.say("game-started", players=players, player=0)
        self.add_player(1)
        how = "normal"
        try:
            for turn in range(self.turns):
                self.turn, self.ball, self.player = turn, turn // players + 1, turn % players + 1
                self.take_turn()
        except _GameOver as over:
            how = str(over)
        if how:
            self.finish(how)

    def add_player(self, player: int) -> None:
        self.at += 5 if player == 1 else self.chance.randint(200, 900)
        self.scores.append(0)
        self.say("player-added", player=player)

    def take_turn(self) -> None:
        extra = self.play_ball(extra=False)
        while extra:
            extra = self.play_ball(extra=True)

    def play_ball(self, *, extra: bool) -> bool:
        """Play one ball; true when it earned another for the same player."""
        chance, habits = self.chance, self.habits
        self.warnings = 0
        self.say("ball-started", detail="extra" if extra else "")
        for player in range(len(self.scores) + 1, self.players + 1):
            self.add_player(player)
        self.at += chance.randint(1500, 4000)
        length = round(1000 * habits.ball_seconds * min(4.0, chance.lognormvariate(0, 0.6)))
        plan = sorted(
            [(chance.random(), self.warn) for _ in range(2) if chance.random() < habits.tilt_warning]
            + [(chance.random(), self.search) for _ in range(1) if chance.random() < habits.ball_search]
            + [(chance.random(), self.hit_jackpot) for _ in range(3) if chance.random() < habits.jackpot]
            + [(self.doom * self.turns - self.turn, self.strike)] * (not extra and self.dooms(self.turn)),
            key=lambda step: step[0],
        )
        tilts = chance.random() < habits.tilt
        earns = not extra and not tilts and chance.random() < habits.extra_ball
        begun, end = self.at, self.at + length
        while self.at < end:
            while plan and plan[0][0] <= (self.at - begun) / length:
                plan.pop(0)[1]()
            self.hit()
        while plan and plan[0][0] < 1:
            plan.pop(0)[1]()
        if tilts:
            self.tilt()
        else:
            if earns:
                self.say("extra-ball")
            self.at += chance.randint(500, 1200)
            self.count_bonus()
        self.say("ball-ended")
        self.at += chance.randint(0, 600)
        return earns

    def dooms(self, turn: int) -> bool:
        """The game's fate strikes in this turn, however long its ball is stuck."""
        return bool(self.fate) and self.doom * self.turns - turn < 1

    def hit(self) -> None:
        self.at += min(6000, max(60, round(self.chance.expovariate(1 / 900))))
        weights = (30, 30, 20, 12, 6, 2)[: len(self.worth)]
        self.score(self.chance.choices(self.worth, weights)[0], "switch")

    def hit_jackpot(self) -> None:
        self.at += self.chance.randint(300, 900)
        self.score(self.worth[-1] * self.chance.randint(2, 12), "jackpot")
        self.at += self.chance.randint(600, 2200)

    def count_bonus(self) -> None:
        steps = self.chance.randint(0, 8)
        step = self.worth[2] * self.chance.randint(1, 9)
        if not steps:
            return
        self.say("bonus", points=steps * step)
        for _ in range(steps):
            self.at += self.chance.randint(180, 350)
            self.score(step, "bonus")
        self.at += self.chance.randint(700, 1500)

    def warn(self) -> None:
        self.warnings += 1
        self.at += self.chance.randint(100, 400)
        self.say("tilt-warning", points=self.warnings)

    def search(self) -> None:
        self.at += 15_000
        self.say("ball-search-started")
        self.at += self.chance.randint(1000, 20_000)
        self.say("ball-search-ended")

    def tilt(self) -> None:
        self.say("tilt")
        self.at += 5000

    def strike(self) -> None:
        if self.fate == "slam_tilt":
            self.say("slam-tilt")
            self.say("tilt")
            self.at += self.chance.randint(1500, 3500)
            self.say("ball-ended")
            raise _GameOver("slam-tilt")
        if self.fate == "restart":
            self.at += 1000
            self.say("ball-ended")
            raise _GameOver("ended-early")
        if self.fate == "service":
            self.say("service-entered")
            self.at += self.chance.randint(3000, 20_000)
            self.say("service-left", game=0, player=0, ball=0)
            raise _GameOver("")
        self.say("power-lost")
        self.at += self.chance.randint(4000, 25_000)
        self.say("power-back", game=0, player=0, ball=0)
        raise _GameOver("")

    def finish(self, how: str) -> None:
        self.say("scores-final", player=0)
        self.at += self.chance.randint(100, 1500)
        if how == "normal" and self.chance.random() < self.habits.initials:
            best = max(range(len(self.scores)), key=lambda slot: self.scores[slot])
            took = self.chance.randint(3000, 9000)
            name = "".join(self.chance.choices("ABCDEFGHJKLMNOPRSTUVW", k=3))
            self.say("initials", player=best + 1, detail=name, points=took)
            self.at += took
        self.say("game-ended", player=0, detail=how)

    def score(self, points: int, what: str) -> None:
        self.scores[self.player - 1] += points
        self.say("scored", points=points, detail=what)

    def say(self, kind: Kind, **fields: object) -> None:
        known: dict[str, object] = {"game": self.number, "player": self.player, "ball": self.ball}
        event = Event(at=self.at, kind=kind, scores=tuple(self.scores), **known | fields)  # type: ignore[arg-type]
        self.events.append(event)

    def _draw_fate(self) -> None:
        dice = self.chance.random()
        for fate in _FATES:
            dice -= getattr(self.habits, fate)
            if dice < 0:
                self.fate, self.doom = fate, self.chance.random()
                if fate == "restart":  # in the last turn nobody could tell it from the ball's end
                    self.doom *= (self.turns - 1) / self.turns
                return


def _worth(habits: Habits, seed: int) -> tuple[int, ...]:
    """The points of this machine's six kinds of hit: weak to strong, all of them tens."""
    chance = draw(seed, 0, "worth")
    weak = habits.scale or chance.choice((10, 100, 1000, 5000))
    return tuple(max(10, weak * factor // 10 * 10) for factor in (1, 11, 51, chance.choice((75, 100)), 250, 1000))
