"""A game that looks over: whether its scores have stood for long enough to be final, and which they are.

Here: states without play in, how the game ends out. Not here: whether it comes back (`states`). Invariant: a final
score counts only where it was seen at least twice, over some time, and nothing was shown that a machine in attract mode
shows; every other one waits for an official with what it may be.
"""

from capture import hints as h
from capture.sampled import MachineState, Streak, Values
from capture.sampled_game import SampledGame
from hardware.profile import MachineProfile


class Closing:
    """What stands on the machine since `game` looks over."""

    def __init__(self, profile: MachineProfile, game: SampledGame, state: MachineState) -> None:
        self._profile = profile
        self._game = game
        self.since = self.last = state.at
        self.count = 0
        self._stand: Streak[Values] | None = None
        """The scores that stand."""
        self._over = 0
        """How often they were seen since the game looks over."""
        self._shift: Streak[Values] | None = None
        """Others, seen since."""
        self._looks = self._guesses = 0
        """How often somebody looked, and how often it was only taken to stand."""
        self._shaky = False
        """The scores rose after they had stood: a late bonus, or what attract mode shows."""
        self._given = False
        """They are what the machine keeps as final."""
        self._slots = game.last.scores
        self._verified = game.last.verified
        self._begin_with = Streak(self._values(game.last), game.last.at, game.last.at)

    @property
    def believed(self) -> bool:
        """The game has looked over for the profile's dwell."""
        return self.count >= 2 and self.last - self.since >= self._profile.dwell_ms

    @property
    def shown(self) -> bool:
        """Scores were shown since, and not only noughts in the place of others."""
        return self._stand is not None or (self._shift is not None and not self._wiped(self._shift.value))

    @property
    def gone(self) -> bool:
        """The scores are gone with the game: the machine began anew."""
        if self._stand is not None or self._shift is None or not self.believed:
            return False
        return self._wiped(self._shift.value) and self._shift.lasted(self._profile.dwell_ms)

    def see(self, state: MachineState, *, guessed: bool = False) -> bool:
        """Take a state without play; `guessed`: nobody looked, it is taken to stand. True: it is over, say `finals`."""
        self._looks, self._guesses = self._looks + (not guessed), self._guesses + guessed
        self.count, self.last, self._verified = self.count + 1, state.at, self._verified and state.verified
        self._take_finals(state)
        values = self._values(state)
        if self._stand is None and self.count == 1 and values == self._begin_with.value:
            self._stand = self._begin_with
        if self._stand is not None and values == self._stand.value:
            self._stand.again(state.at)
            self._over += 1
            self._shift = None
            return self._final()
        if self._shift is None or self._shift.value != values:
            self._shift = Streak(values, state.at, state.at)
            return False
        self._shift.again(state.at)
        return self._move(state)

    def finals(self, *, cut_short: bool) -> list[h.Hint]:
        """The end of the game. `cut_short`: something else began before the scores had stood for the whole hold."""
        game, stand = self._game, self._stand or self._shift
        at = self.since if stand is None else max(self.since, stand.since)
        sure = self._stands() if cut_short else self._final()
        sure = sure and not self._shaky and not game.suspect and (self._looks >= 2 or not self._guesses)
        hints: list[h.Hint] = []
        for player in range(1, game.players + 1):
            shown = stand.value[player - 1] if stand is not None else None
            told = game.scores.get(player)
            if shown is not None and game.leftover(player, shown):
                shown = None
            risen = None if shown else game.risen.get(player)
            if sure and shown is not None and risen is None:
                hints.append(game.sure(player, shown, at, verified=self._verified))
            elif self._may_differ(player, shown) or risen is not None:
                hints.append(doubt(player, (shown, told, risen), at))
        return [*hints, h.BallOver(at=at), h.ScoresFinal(at=at), h.GameOver(at=at)]

    def _may_differ(self, player: int, shown: int | None) -> bool:
        """Without sight of the end, only who played last may have another score than what was told of him."""
        game = self._game
        return game.suspect or game.player is None or player >= game.player or shown != game.scores.get(player)

    # --- below -------------------------------------------------------------------------------------------

    def _values(self, state: MachineState) -> Values:
        scores = state.finals if self._given else state.scores
        return tuple(scores[player] if player < len(scores) else None for player in range(max(1, self._game.players)))

    def _wiped(self, values: Values) -> bool:
        """All are nought, and some were not: also where the last one had not stood long enough to be told."""
        return not any(values) and 0 in values and bool(self._game.risen)

    def _take_finals(self, state: MachineState) -> None:
        """Where the machine keeps final scores apart, they are these once they have changed, or say the same."""
        count = max(1, self._game.players)
        kept = state.finals[:count]
        whole = len(kept) == count and None not in kept
        self._given = whole and (kept != self._game.finals[:count] or kept == state.scores[:count])

    def _final(self) -> bool:
        """The scores have stood for the hold, or are the machine's own final ones."""
        if self._stand is None or self._over < 2 or not self.believed:
            return False
        return self._given or self._stand.last - self._stand.since >= self._profile.hold_ms

    def _stands(self) -> bool:
        """They stood for a moment at least, and no other ones came after."""
        if self._stand is None or self._stand.count < 2 or self._over < 1:
            return False
        return self._stand.last - self._stand.since >= self._profile.dwell_ms // 2

    def _move(self, state: MachineState) -> bool:
        """Other scores stand now: a bonus that was counted, or something that is none."""
        shift = self._shift
        assert shift is not None, "the caller has just seen it again"  # noqa: S101
        if self._stand is None:
            if self._wiped(shift.value):
                return False  # see `gone`
            self._shaky |= self._strange(state)
        elif self._rose(self._stand.value, shift.value) and not self._strange(state):
            self._shaky |= shift.since - self._stand.since >= self._profile.dwell_ms and self._over >= 2
        else:
            return shift.lasted(self._profile.dwell_ms)  # attract mode shows something else: the scores were final
        self._stand, self._over, self._shift = shift, shift.count, None
        return self._final()

    def _strange(self, state: MachineState) -> bool:
        """Another slot has changed than that of the player who was up: no bonus does that."""
        before, up = self._slots, self._game.player
        if self._given or up is None:
            return False
        return any(
            index != up - 1 and old is not None and new is not None and old != new
            for index, (old, new) in enumerate(zip(before, state.scores, strict=False))
        )

    def _rose(self, before: Values, after: Values) -> bool:
        return all(old is None or (new is not None and new >= old) for old, new in zip(before, after, strict=True))


def doubt(player: int, seen: tuple[int | None, ...], at: int) -> h.Hint:
    """A score that waits for an official, with what it may be."""
    candidates = tuple(dict.fromkeys(score for score in seen if score is not None))
    text = str(candidates[0]) if candidates else "?"
    return h.ScoreSeen(at=at, player=player, score=None, text=text, candidates=candidates, confidence=0.0)
