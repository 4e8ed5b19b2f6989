"""The scores of one game as they stand, and what may be said of them.

Here: the last value seen and the last that counts for each player, falls, rollovers, doubts. Not here: phases, time.
Invariant: a score that is not certain is None with what was seen beside it; the largest of the scores seen means
nothing, the last one counts.
"""

from dataclasses import dataclass

from capture.hints import FinalScore, ScoreSeen
from capture.signals import PlayerScore, Scores
from hardware.profile import MachineProfile


@dataclass(slots=True)
class _Slot:
    counted: PlayerScore | None = None
    """The last value that was certain."""
    seen: PlayerScore | None = None
    """The last value seen at all."""
    at: int = 0
    rolled: int = 0
    fell: bool = False
    doubted: bool = False
    held: bool = False
    """Read in a way that nobody has confirmed."""
    word: int | None = None
    """The final score in the source's own word."""


class Scoreboard:
    """Scores by player, counted from 1."""

    def __init__(self, profile: MachineProfile) -> None:
        self._profile = profile
        self._slots: dict[int, _Slot] = {}

    @property
    def players(self) -> int:
        """How many players there are so far."""
        return len(self._slots)

    def waits(self, *, again: bool) -> bool:
        """A final score would not be certain, and the source has a last word to say: `again`, it surely will."""
        return any(
            slot.word is None and (slot.doubted or (again and (slot.fell or slot.rolled > 0)))
            for slot in self._slots.values()
        )

    def join(self, player: int) -> None:
        """There are players up to this one."""
        for number in range(1, player + 1):
            self._slots.setdefault(number, _Slot())

    def see(self, hint: ScoreSeen) -> str | None:
        """Take a score. Returns what there is to explain, where it fell."""
        self.join(hint.player)
        slot = self._slots[hint.player]
        score = self._plausible(hint.score)
        slot.seen = PlayerScore(
            player=hint.player,
            score=score,
            confidence=0.0 if hint.held else hint.confidence,
            text=hint.text if hint.text is not None or score is not None else str(hint.score),
            candidates=hint.candidates or ((hint.score,) if score is None and hint.score is not None else ()),
        )
        slot.at, slot.doubted, slot.held = hint.at, False, hint.held
        if score is None:
            return None
        before = slot.counted.score if slot.counted else None
        slot.counted = slot.seen
        if before is None or score >= before:
            return None
        return self._explain(slot, before, score)

    def confirm(self, hint: FinalScore | ScoreSeen) -> None:
        """After the end. The source's own last word settles what was lost on the way; else it is a candidate."""
        self.join(hint.player)
        slot = self._slots[hint.player]
        if isinstance(hint, ScoreSeen):
            self.see(hint)
            return
        slot.word = hint.score
        if slot.doubted and not (slot.fell or slot.rolled) and hint.score is not None:
            self.see(ScoreSeen(at=hint.at, player=hint.player, score=hint.score, held=slot.held))

    def contradicted(self, hint: FinalScore | ScoreSeen) -> str | None:
        """How the source's last word differs from what was told of the final score."""
        told = self.value(hint.player)
        if hint.score is None or told == hint.score:
            return None
        return f"player {hint.player}: told {told}, but the machine now says {hint.score}: an official must look"

    def value(self, player: int) -> int | None:
        """The last certain score of a player."""
        slot = self._slots.get(player)
        return slot.counted.score if slot and slot.counted else None

    def seen(self) -> list[tuple[int, PlayerScore]]:
        """What was last seen of each player, with its time."""
        return [(slot.at, slot.seen) for _, slot in sorted(self._slots.items()) if slot.seen]

    def doubt(self) -> None:
        """Any score may have changed unseen."""
        for slot in self._slots.values():
            slot.doubted = True

    def take_over(self, found: "Scoreboard") -> None:
        """The same game, seen again: its scores of now count."""
        for player, slot in found._slots.items():  # noqa: SLF001 - our own kind
            mine = self._slots.setdefault(player, _Slot())
            if slot.seen is not None:
                mine.counted, mine.seen, mine.at = slot.counted, slot.seen, slot.at
                mine.doubted, mine.held = False, slot.held

    def stable(self) -> Scores:
        """The last certain scores, in order of players: what a ruling needs. Where none was certain, what was seen."""
        return tuple(self._say(player, slot, slot.counted or slot.seen) for player, slot in sorted(self._slots.items()))

    def final(self) -> Scores:
        """The scores as they are final, None where an official must look."""
        return tuple(self._say(player, slot, slot.seen) for player, slot in sorted(self._slots.items()))

    def _say(self, player: int, slot: _Slot, shown: PlayerScore | None) -> PlayerScore:
        if shown is None:
            return PlayerScore(player=player, score=None, confidence=0.0, text="?")
        if not (shown.score is None or slot.fell or slot.rolled or slot.doubted or slot.held):
            return shown
        candidates = shown.candidates if shown.score is None else (shown.score,)
        if shown.score is not None and slot.rolled and self._profile.digits:
            candidates = (shown.score + slot.rolled * 10**self._profile.digits, shown.score)
        if slot.word is not None:
            candidates = (*candidates, slot.word)
        return PlayerScore(
            player=player,
            score=None,
            confidence=shown.confidence if shown.score is None else 0.0,
            text=shown.text if shown.text is not None or shown.score is None else str(shown.score),
            candidates=tuple(dict.fromkeys(candidates)),
        )

    def _plausible(self, score: int | None) -> int | None:
        if score is None or not 0 <= score <= self._profile.max_score or score % self._profile.score_quantum:
            return None
        return score

    def _explain(self, slot: _Slot, before: int, score: int) -> str:
        digits = self._profile.digits
        rolls = digits is not None and self._profile.rolls_over is not False
        if digits and rolls and before >= 9 * 10 ** (digits - 1) and score < 10 ** (digits - 1):
            slot.rolled += 1
            return f"rolled over from {before} to {score}: held for an official"
        slot.fell = True
        return f"fell from {before} to {score} within a game: held for an official"
