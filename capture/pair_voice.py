"""One source of a machine that has several, as it is now: what it is, whether it is heard, which game it follows.

And all of them together. What follows from it is decided in `capture.pair`. Invariant: a wire is asked before a
camera, and the machine is there as long as one source hears or sees it.
"""

from dataclasses import dataclass, replace

from capture.faults import FAULTS, FaultKind
from capture.pair_game import JointGame
from capture.signals import (
    BallEnded,
    FaultRaised,
    GameAborted,
    GameStarted,
    MachineAttached,
    MachineDetached,
    ScoreLive,
    Signal,
)

START_MS = 10_000
"""So long a camera's game waits for a wire that is heard; and so far apart two may see the same beginning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What a source is. `exact`: it says its scores; else it reads them. `sensor`: it follows no game."""

    name: str
    exact: bool
    sensor: bool = False


@dataclass(slots=True)
class Voice:
    """One source as it is now."""

    kind: Kind
    number: int
    port: str = ""
    attached: bool = False
    game: str | None = None
    """Its own name of the game that it follows."""
    part: JointGame | None = None
    """The joint game that it follows, or followed last."""
    begun: int = 0
    """When its game began, in its own word."""
    waiting: GameStarted | None = None
    """A game that it alone says has begun."""

    def follows(self, game: JointGame | None) -> bool:
        """It is in that game, though it may be unheard for a moment."""
        return game is not None and self.part is game and self.game is not None

    def hears(self, game: JointGame | None) -> bool:
        """It is in that game, and is heard."""
        return self.attached and self.follows(game)


class Voices:
    """All sources of one machine, told by their number."""

    def __init__(self, kinds: list[Kind]) -> None:
        self.all = [Voice(kind, number) for number, kind in enumerate(kinds)]
        self.order = sorted(range(len(kinds)), key=lambda one: (kinds[one].sensor, not kinds[one].exact))
        """Who is believed first."""
        self.names = {number: kind.name for number, kind in enumerate(kinds)}

    def __getitem__(self, number: int) -> Voice:
        return self.all[number]

    def renew(self, number: int) -> None:
        """A source's reader is another one: nothing is known of what it hears."""
        self.all[number] = Voice(self.all[number].kind, number)

    def speaker(self, game: JointGame) -> Voice | None:
        """Whose word counts in this game now."""
        return next((self.all[one] for one in self.order if self.all[one].hears(game)), None)

    def wired(self, game: JointGame | None) -> bool:
        """A wire follows this game and is heard."""
        return any(one.kind.exact and one.hears(game) for one in self.all)

    def wire_says_none(self) -> bool:
        """A wire is heard that is in no game."""
        return any(one.kind.exact and one.attached and one.game is None for one in self.all)

    def here_first(self, game: JointGame) -> list[int]:
        """The order of belief, those before that are in the game now."""
        return sorted(self.order, key=lambda one: not self.all[one].hears(game))

    def same(self, voice: Voice, started: GameStarted, game: JointGame, live: list[ScoreLive]) -> bool:
        """Whether the game that a source says has begun, with these scores, is the one that runs."""
        if not voice.kind.exact:
            return True
        if started.joined_late:
            before = [(game.value(voice.number, one.player), one.score) for one in live]
            return all(old is None or new is None or new >= old for old, new in before)
        others = any(other.follows(game) and other.kind.exact for other in self.all if other is not voice)
        return voice.number not in game.tracks and (others or started.at - game.at < START_MS)

    def heeds(self, voice: Voice, fault: str, game: JointGame | None) -> bool:
        """Whether a source can know of this fault now: it is in the game, and no wire knows better."""
        if FAULTS.get(fault, FaultKind()).in_game and not voice.kind.sensor:
            return game is not None and voice.part is game
        return voice.kind.exact or fault not in {"reset", "restarted"} or not self.wired(game)

    @staticmethod
    def learn(voice: Voice, signal: Signal, game: JointGame | None) -> None:
        """What a source says with something else are its scores too."""
        if game is not None and voice.follows(game) and isinstance(signal, BallEnded | FaultRaised | GameAborted):
            game.learn(voice.number, signal.scores, signal.at)

    def label(self, voice: Voice, fault: str, detail: str | None) -> str:
        """Whose word a fault is: the source's, or that of the sensor which told it."""
        sensors = [one.kind.name for one in self.all if one.kind.sensor]
        if sensors and fault == "official-called":
            return sensors[0]
        told = any(detail == name or (detail or "").startswith(f"{name}: ") for name in sensors)
        return "" if told else voice.kind.name

    def link(self, voice: Voice, signal: MachineAttached | MachineDetached) -> list[Signal]:
        """A source hears the machine, or does so no more: said for the machine, not for each source."""
        before = self._is_there()
        voice.attached, voice.port = isinstance(signal, MachineAttached), signal.port
        if voice.kind.sensor or before == self._is_there():
            return []
        return [replace(signal, detail=f"{voice.kind.name}: {signal.detail}" if signal.detail else voice.kind.name)]

    def _is_there(self) -> bool:
        return any(one.attached for one in self.all if not one.kind.sensor)
