"""A simulated machine as it looks at any moment: true games, shown with the habits of a real machine's memory."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from capture.states import MachineState
from hardware.sim.course import Course
from hardware.sim.oracle import Event
from hardware.sim.play import Habits


@dataclass(frozen=True, kw_only=True)
class Manners:
    """How this machine and its reader behave. Chances are those of one look."""

    every_ms: int = 250
    jitter: float = 0.0
    """Share of the time between two looks by which it varies."""
    early_flag: bool = False
    """The flag says game over when the scores are final, not when the initials are entered."""
    initials_ball: int | None = None
    leftover_ms: int = 0
    """So long the old scores still stand when a new game has begun."""
    counts: bool = False
    flags: bool = True
    """It tells tilts and slams."""
    no_ball: bool = False
    blink: float = 0.0
    """A flag that is wrong for less than the dwell."""
    nought: float = 0.0
    torn: float = 0.0
    skip: float = 0.0
    repeat: float = 0.0


@dataclass
class _Shown:
    playing: bool = False
    ball: int = 0
    player: int = 0
    players: int = 1
    slots: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    tilted: bool = False
    slammed: bool = False
    service: bool = False
    on: bool = True
    number: int = 0
    wipe_at: int | None = None

    def happen(self, event: Event, manners: Manners) -> None:
        if event.kind == "game-started":
            self.playing, self.ball, self.player, self.players = True, 1, 1, 1
            self.number += 1
            self.slammed = self.tilted = False
            self.wipe_at = event.at + manners.leftover_ms
        elif event.kind == "scored":
            self.wipe(event.at, force=True)
            self.slots[: len(event.scores)] = event.scores
        elif event.kind == "initials" and self.playing:
            self.ball = manners.initials_ball or self.ball
        elif event.kind in {"game-ended", "service-entered"} or (event.kind == "scores-final" and manners.early_flag):
            self.playing, self.ball, self.player = False, 0, 0
        elif event.kind == "power-back":
            number = self.number
            self.__init__()  # type: ignore[misc]
            self.number = number
        self._turn_flags(event)

    def _turn_flags(self, event: Event) -> None:
        if event.kind == "ball-started":
            self.ball, self.player, self.tilted = event.ball, event.player, False
        elif event.kind == "player-added":
            self.players = max(self.players, event.player)
        self.tilted |= event.kind == "tilt"
        self.slammed |= event.kind == "slam-tilt"
        self.service = (self.service or event.kind == "service-entered") and event.kind != "service-left"
        self.on &= event.kind != "power-lost"

    def wipe(self, at: int, *, force: bool = False) -> None:
        if self.wipe_at is not None and (force or at >= self.wipe_at):
            self.slots, self.wipe_at = [0, 0, 0, 0], None

    def state(self, at: int, manners: Manners) -> MachineState:
        self.wipe(at)
        known = not manners.no_ball
        return MachineState(
            at=at, playing=self.playing, scores=tuple(self.slots), ball=self.ball if known else None,
            player=self.player if known else None, players=self.players if known else None,
            tilted=self.tilted if manners.flags else None, slam_tilted=self.slammed if manners.flags else None,
            service=self.service if manners.flags else None, number=self.number % 100 if manners.counts else None,
        )  # fmt: skip


def life(habits: Habits, seed: int, games: int) -> list[Event]:
    course = Course(habits, seed)
    events: list[Event] = []
    while sum(1 for event in events if event.game > games) == 0:
        events += course.take(course.due() or 0)
    return [event for event in events if event.game <= games]


def looks(events: list[Event], manners: Manners, seed: int, rest_ms: int = 30_000) -> Iterator[MachineState | None]:
    """States in order of time; None where the machine is off."""
    chance = random.Random(seed)  # noqa: S311
    shown, left, at = _Shown(), list(events), 0
    glitch_until = 0
    glitch: dict[str, object] = {}
    before: MachineState | None = None
    while left or at < events[-1].at + rest_ms:
        at += max(20, round(manners.every_ms * (1 + manners.jitter * chance.uniform(-1, 1))))
        torn_from = tuple(shown.slots)
        while left and left[0].at <= at:
            if left[0].kind == "power-lost":
                yield None
            shown.happen(left.pop(0), manners)
        if not shown.on or chance.random() < manners.skip:
            continue
        state = shown.state(at, manners)
        if at >= glitch_until and chance.random() < manners.blink:
            glitch_until, glitch = at + chance.randint(1, 700), _blink(state, chance)
        if at < glitch_until:
            state = replace(state, **glitch)
        if chance.random() < manners.nought:
            state = replace(state, scores=(0, 0, 0, 0))
        if chance.random() < manners.torn:
            state = replace(state, scores=tuple(_tear(a, b) for a, b in zip(torn_from, state.scores, strict=True)))
        if before is not None and chance.random() < manners.repeat:
            state = replace(before, at=at)
        before = state
        yield state


def _blink(state: MachineState, chance: random.Random) -> dict[str, object]:
    return chance.choice([
        {"playing": not state.playing}, {"ball": 0}, {"ball": 15}, {"player": 0}, {"player": 3}, {"players": 4},
        {"playing": False, "ball": 0, "player": 0}, {"ball": (state.ball or 0) + 1}, {"tilted": True},
        {"slam_tilted": True}, {"scores": (0, 0, 0, 0)}, {"ball": 1},
    ])  # fmt: skip


def _tear(old: int, new: int) -> int:
    """The low four digits of one look, the others of the other."""
    return new // 10_000 * 10_000 + old % 10_000
