"""Many readings over time become one settled reading; sans-IO, times are arguments (milliseconds).

Single pictures lie: wipes, blends, numbers that roll, other numbers on the screen. Here readings vote. One invariant:
nothing that was settled once, even wrongly, can keep a later truth out: a fall takes longer than a rise to be
believed, never for ever, and no rule looks further back than the last few seconds.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace

from capture.burst import UNSEEN, fits, merge
from capture.vision.reading import LIVE, SETTLED, Reading, ScoreReading
from hardware.profile import MachineProfile

WINDOW_MS = 2_500
"""Readings older than this have no vote."""
STEADY_MS, FALL_MS = 250, 900
"""How long a number must have stood there; longer if it is less than the one before."""
VOTES, FALL_VOTES = 3, 5
LOOSE_MS, LOOSE_VOTES = 600, 4
"""The same where the display does not say that it is the score, but pictures before do."""
COUNTED_MS = 150
"""How far apart pictures must be in which it counts."""
_SHARE = 0.6
"""Of the readings since a number first showed, this part must say it."""
_MOST = 64
BURST = 0.95
"""Confidence of a number that was put together of parts."""
_OTHERS = 0.97
"""Confidence at which another player's number counts beside an accepted reading."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What the display has been saying for long enough.

    `scores`: the settled number of each player in view, who is up first. `accepted` speaks of `scores[0]`: it may count
    by itself; `accepted_players` of all. `changed` names the players whose number or acceptance is new. `words` held
    still as well.
    """

    at: int
    scores: tuple[ScoreReading, ...]
    accepted: bool
    words: tuple[str, ...] = ()
    accepted_players: frozenset[int | None] = frozenset()
    changed: tuple[int | None, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Vote:
    at: int
    score: ScoreReading
    counts: bool
    firm: bool
    """The display itself named it as the score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Held:
    score: ScoreReading
    counts: bool


class Settle:
    """Settles one display's readings. Players are those of the readings: None where the display does not say who."""

    def __init__(self, profile: MachineProfile) -> None:
        self._profile = profile
        self._votes: dict[int | None, deque[_Vote]] = {}
        self._held: dict[int | None, _Held] = {}
        self._said: deque[tuple[int, tuple[str, ...]]] = deque(maxlen=_MOST)
        self._words: tuple[str, ...] = ()
        self._up: int | None = None
        self._latest: int | None = None
        """The number that was accepted last."""

    def feed(self, reading: Reading, at: int) -> Settled | None:
        """Take one reading; a Settled when a number, its acceptance or a word is new, else None.

        `at` must not run backwards. A picture that could not be read (`quality`) has no vote on anything.
        """
        if reading.quality:
            return None
        for place, score in enumerate(reading.scores):
            self._votes.setdefault(score.player, deque(maxlen=_MOST)).append(_vote(reading, place, score, at))
        if reading.scores:
            self._up = reading.scores[0].player
        self._said.append((at, reading.words))
        self._forget(at)
        changed = tuple(player for player in list(self._votes) if self._settle(player, at))
        words = self._settled_words(at)
        if not changed and words == self._words:
            return None
        self._words = words
        return self._tell(at, changed, reading.why)

    def known(self) -> dict[int | None, int]:
        """The last accepted number of each player; under None the last of all, for a lone number that names nobody."""
        known = {
            player: held.score.score
            for player, held in self._held.items() if held.counts and held.score.score is not None
        }  # fmt: skip
        return known if self._latest is None else {**known, None: self._latest}

    def forget(self) -> None:
        """The display is another one, or was moved: no vote counts any more."""
        self._votes.clear()
        self._held.clear()
        self._said.clear()
        self._words = ()
        self._latest = None

    def _forget(self, at: int) -> None:
        for player, votes in list(self._votes.items()):
            while votes and votes[0].at < at - WINDOW_MS:
                votes.popleft()
            if not votes:
                del self._votes[player]
        while self._said and self._said[0][0] < at - WINDOW_MS:
            self._said.popleft()

    def _settle(self, player: int | None, at: int) -> bool:
        """Whether this player's settled number is a new one."""
        votes = self._votes[player]
        last = votes[-1]
        if last.at != at:
            return False
        if last.score.score is None:
            return self._settle_burst(player, votes)
        held = self._held.get(player)
        before = held.score.score if held is not None else self._latest if player is None else None
        fall = before is not None and last.score.score < before
        since = _since(votes, last.score, after=before if fall else None)
        same = [vote for vote in since if vote.score.score == last.score.score]
        loose = not any(vote.firm for vote in same)
        steady, needed = (FALL_MS, FALL_VOTES) if fall else (LOOSE_MS, LOOSE_VOTES) if loose else (STEADY_MS, VOTES)
        if len(same) < needed or at - same[0].at < steady or len(same) < _SHARE * len(since):
            return False
        best = max(same, key=lambda vote: (vote.counts, vote.score.confidence))
        counts = _stands(vote.at for vote in same if vote.counts) and self._possible(last.score.score)
        if loose and not counts and held is not None:
            return False  # nothing names it as the score: it raises no doubt about the one we have
        new = _Held(score=best.score, counts=counts)
        if held is not None and held.score.score == new.score.score and (held.counts or not counts):
            return False
        self._held[player] = new
        if counts:
            self._latest = new.score.score
        return True

    def _settle_burst(self, player: int | None, votes: deque[_Vote]) -> bool:
        """A display that lights its digits in turn shows the whole number only over time."""
        last = votes[-1]
        if not last.firm or last.score.state != SETTLED or UNSEEN not in last.score.text:
            return False
        text = merge([(vote.at, vote.score.text) for vote in votes])
        held = self._held.get(player)
        if text is None or (held is not None and held.score.score == int(text)):
            return False
        whole = replace(last.score, text=text, score=int(text), candidates=(), confidence=BURST, sound=True)
        self._held[player] = _Held(score=whole, counts=self._possible(int(text)))
        return True

    def _possible(self, score: int) -> bool:
        profile = self._profile
        fits = profile.digits is None or score < 10**profile.digits
        return fits and score % profile.score_quantum == 0 and score <= profile.max_score

    def _settled_words(self, at: int) -> tuple[str, ...]:
        """Words of at least three readings that still stood in the last half second; kept through a blink."""
        seen: dict[str, list[int]] = {}
        for when, words in self._said:
            for word in words:
                seen.setdefault(word, []).append(when)
        return tuple(
            word for word, times in seen.items()
            if len(times) >= VOTES and times[-1] - times[0] >= STEADY_MS and at - times[-1] <= FALL_MS
        )  # fmt: skip

    def _tell(self, at: int, changed: tuple[int | None, ...], why: str) -> Settled:
        players = [player for player in self._votes if player in self._held]
        players.sort(key=lambda player: (player != self._up, player is None, player or 0))
        held = [self._held[player] for player in players]
        return Settled(
            at=at, scores=tuple(one.score for one in held), accepted=bool(held) and held[0].counts, words=self._words,
            accepted_players=frozenset(player for player in players if self._held[player].counts), changed=changed,
            why="" if held and held[0].counts else why,
        )  # fmt: skip


def _stands(times: Iterable[int]) -> bool:
    """Whether a number counted for a while: in a wipe, an award may stand for a moment over the status line before."""
    counted = list(times)
    return len(counted) >= 2 and counted[-1] - counted[0] >= COUNTED_MS


def _since(votes: deque[_Vote], score: ScoreReading, *, after: int | None) -> list[_Vote]:
    """The votes since the number showed first, without its parts; of a fall only those `after` the higher number."""
    start = max((i + 1 for i, vote in enumerate(votes) if after is not None and vote.score.score == after), default=0)
    shown = list(votes)[start:]
    first = next(i for i, vote in enumerate(shown) if vote.score.score == score.score)
    return [vote for vote in shown[first:] if not _part_of(vote, score)]


def _part_of(vote: _Vote, score: ScoreReading) -> bool:
    """Whether that picture showed a part of this number and nothing else: it speaks neither for nor against it."""
    return vote.score.score is None and vote.score.state == SETTLED and fits(vote.score.text, score.text)


def _vote(reading: Reading, place: int, score: ScoreReading, at: int) -> _Vote:
    """What one picture says of the number in one place. Windows of their own (no standing) answer each for itself."""
    alone = not reading.standing and score.sound
    counts = alone or (reading.accepted and (place == 0 or score.sound or score.confidence >= _OTHERS))
    if score.state != SETTLED:
        score = replace(score, score=None)  # a wheel between two digits is neither
    return _Vote(at=at, score=score, counts=counts, firm=reading.standing in {"", LIVE})
