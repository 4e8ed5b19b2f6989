"""A display's readings through settling, screens and the game, five times a second, without pictures.

Here: the table that tests of screens play at. No tests.
"""

from dataclasses import dataclass, field

from capture.game import GameMachine
from capture.screens import Screens
from capture.settle import Settle
from capture.signals import GameEnded, Signal
from capture.vision.reading import Reading, ScoreReading
from hardware.displays import DotMatrix
from hardware.profile import MachineProfile

STEP = 200
PROFILE = MachineProfile(
    id="d", name="D", kind="display", display=DotMatrix(type="dmd", columns=128, rows=32), balls=3, hold_ms=8000
)


@dataclass
class Watched:
    """A display that is read five times a second, and what is said of it."""

    profile: MachineProfile
    at: int = 0
    said: list[Signal] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.screens = Screens(self.profile)
        self.settle = Settle(self.profile)
        self.game = GameMachine(self.profile)

    def see(self, reading: Reading, seconds: float) -> None:
        for _ in range(round(seconds * 1000 / STEP)):
            self.at += STEP
            for hint in self.screens.see(reading, self.settle.feed(reading, self.at), self.at):
                self.said += self.game.take(hint)

    def ended(self) -> list[dict[int, int | None]]:
        return [{one.player: one.score for one in end.scores} for end in self.said if isinstance(end, GameEnded)]


@dataclass
class Table(Watched):
    """A dot-matrix display, with words."""

    profile: MachineProfile = PROFILE

    def show(
        self, seconds: float, *words: str, accepted: bool = True, beside: tuple[int, ...] = (), **players: int | None
    ) -> None:
        """`p1=500`: player 1's number (who is up comes first); `p0`: a lone number without a name."""
        scores = tuple(
            ScoreReading(
                player=int(name[1:]) or None,
                text="5?0" if score is None else str(score),
                score=score,
                candidates=(500, 510) if score is None else (),
                confidence=0.99 if accepted and score is not None else 0.6,
            )
            for name, score in players.items()
        )
        sure = accepted and bool(scores) and scores[0].score is not None
        others = tuple(ScoreReading(player=None, text=str(one), score=one) for one in beside)
        reading = Reading(display="dmd", scores=scores, accepted=sure, words=words, others=others)
        self.see(reading, seconds)

    def attract(self, seconds: float = 9) -> None:
        self.show(seconds / 3)
        self.show(seconds / 3, "FREE PLAY")
        self.show(seconds / 3, accepted=False, p0=900_000_000)

    def of(self, kind: type[Signal]) -> list[Signal]:
        return [signal for signal in self.said if isinstance(signal, kind)]

    def live(self) -> list[int | None]:
        return [one.score for one in self.game.live()]


def full_game(table: Table, *finals: int) -> None:
    """Three balls each, and the final screens."""
    scores = dict.fromkeys(range(1, len(finals) + 1), 0)
    for ball in (1, 2, 3):
        for player, final in enumerate(finals, start=1):
            for step in (1, 2, 3):
                scores[player] = final * ((ball - 1) * 3 + step) // 9
                up = {f"p{player}": scores[player]}
                table.show(2, f"BALL {ball}", f"PLAYER {player}", **(up | {f"p{p}": s for p, s in scores.items()}))
    ends = {f"p{player}": score for player, score in scores.items()}
    table.show(3, **ends)
    table.show(3, "GAME OVER")
    table.show(3, **ends)
