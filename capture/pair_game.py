"""One game as several sources tell it: what each of them showed of every score, and what it said of the end.

Here: the words of each source and how they compare. Not here: when something is said (`capture.pair`). Invariant: a
score that one source states and another, which sees it too, denies is not certain, whoever is right.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum

from capture.signals import GameEnded, Picture, PlayerScore, ScoreLive, ScoreRead, Scores

LAG_MS = 10_000
"""By so much a camera may be late: a display counts up what the machine has added already."""
LEAD_MS = 1_500
"""By so much it may be early: a wire that is looked at says a score at the second look."""
STEPS = 4_096
"""Changes of one score that are remembered."""


class Word(IntEnum):
    """What one source makes of another's final score."""

    NOTHING = 0
    """It has seen nothing, or nothing that speaks for or against it."""
    FITS = 1
    """It showed that score on its way there, or cannot tell it from what it saw."""
    AGREES = 2
    DENIES = 3
    """It is certain of another one."""


class Track:
    """What one source showed of one player's score over time."""

    def __init__(self) -> None:
        self.steps: deque[tuple[int, int]] = deque(maxlen=STEPS)
        self.at = 0
        """When a certain score was seen last."""
        self.confidence = 1.0

    def see(self, score: int, at: int, confidence: float) -> bool:
        """A certain score; whether it is another one than before."""
        self.at, self.confidence = max(self.at, at), confidence
        if self.steps and self.steps[-1][1] == score:
            return False
        self.steps.append((self.at, score))
        return True

    @property
    def value(self) -> int | None:
        """The score as it stands."""
        return self.steps[-1][1] if self.steps else None

    @property
    def changed(self) -> int:
        """When it became that."""
        return self.steps[-1][0] if self.steps else 0

    def between(self, begin: int, end: int) -> tuple[int, int] | None:
        """The least and the largest score that stood in that time; None where none had been seen by then."""
        stood: list[int] = []
        for at, score in reversed(self.steps):
            if at > end:
                continue
            stood.append(score)
            if at <= begin:
                break
        return (min(stood), max(stood)) if stood else None

    def leads(self, other: "Track") -> bool:
        """It showed a score that the other, which was there, had not reached soon after."""
        theirs, place, most = list(other.steps), 0, 0
        for at, score in self.steps:
            while place < len(theirs) and theirs[place][0] <= at + LEAD_MS:
                place, most = place + 1, max(most, theirs[place][1])
            if place and score > most and other.at >= at + LEAD_MS:
                return True
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """One source's word that the game has ended."""

    at: int
    ended: GameEnded
    reads: tuple[ScoreRead, ...] = ()

    def score(self, player: int) -> PlayerScore | None:
        """What it says of a player."""
        return next((score for score in self.ended.scores if score.player == player), None)


@dataclass(slots=True, kw_only=True)
class JointGame:
    """A game between its first sign in any source and the one end that is said of it. Sources are told by number."""

    id: str
    at: int
    alone: bool = False
    """Only a camera sees it, and a wire that is heard says that there is none."""
    tracks: dict[int, dict[int, Track]] = field(default_factory=dict)
    ends: dict[int, End] = field(default_factory=dict)
    balls: set[tuple[int, int]] = field(default_factory=set)
    """Turns whose end was said: player and ball."""
    told: bool = False
    finals: Scores = ()
    """What was said at its end."""
    aborted: str | None = None

    def note(self, source: int, live: list[ScoreLive]) -> bool:
        """Take the scores as they stand in one source; whether one of them changed."""
        tracks = self.tracks.setdefault(source, {})
        changed = False
        for one in live:
            if one.score is not None and one.accepted:
                track = tracks.setdefault(one.player, Track())
                changed |= track.see(one.score, one.at, one.confidence)
        return changed

    def close(self, source: int, end: End) -> None:
        """Take a source's word of the end; its certain scores are its last."""
        self.ends[source] = end
        self.learn(source, end.ended.scores, end.at)

    def learn(self, source: int, scores: Scores, at: int) -> None:
        """Take the certain scores that a source says with something else."""
        tracks = self.tracks.setdefault(source, {})
        for score in scores:
            if score.score is not None:
                tracks.setdefault(score.player, Track()).see(score.score, at, score.confidence)

    def standing(self, order: list[int]) -> Scores:
        """The scores as they stand, of each player by the first source in this order that knows one."""
        players = sorted({player for tracks in self.tracks.values() for player in tracks})
        return tuple(score for player in players for score in self._stands(player, order))

    def newest(self, order: list[int]) -> Scores:
        """The scores that were seen last, of two that were seen at one time by the first source in this order.

        Held where a source before that one in the order had shown others while both were there.
        """
        players = sorted({player for tracks in self.tracks.values() for player in tracks})
        return tuple(score for player in players for score in self._last_of(player, order))

    def _last_of(self, player: int, order: list[int]) -> Iterator[PlayerScore]:
        by_age = sorted(order, key=lambda one: -self._seen_at(one, player))
        for score in self._stands(player, by_age):
            source = next(one for one in by_age if self.value(one, player) is not None)
            stronger = order[: order.index(source)]
            theirs = [self.value(one, player) for one in stronger if self._strangers(one, source)]
            seen = tuple(dict.fromkeys(value for value in (score.score, *theirs) if value is not None))
            held = PlayerScore(player=player, score=None, confidence=0.0, text=str(score.score), candidates=seen)
            yield held if len(seen) > 1 else score

    def _seen_at(self, source: int, player: int) -> int:
        track = self.tracks.get(source, {}).get(player)
        return track.at if track else -1

    def live(self, order: list[int]) -> list[ScoreLive]:
        """The same as live scores."""
        return [
            ScoreLive(at=self.at, game=self.id, player=one.player, score=one.score, confidence=one.confidence)
            for one in self.standing(order)
        ]

    def is_near(self, at: int, within: int) -> bool:
        """Whether it ended so short a time ago."""
        return bool(self.ends) and at - max(end.at for end in self.ends.values()) <= within

    def shows(self, live: list[ScoreLive]) -> bool:
        """Whether these are the scores that it ended with."""
        seen = {one.player: one.score for one in live if one.score is not None}
        known = {score.player: {score.score, *score.candidates} for score in self.finals}
        return any(seen.values()) and all(score in known.get(player, set()) for player, score in seen.items())

    def _stands(self, player: int, order: list[int]) -> Iterator[PlayerScore]:
        for source in order:
            track = self.tracks.get(source, {}).get(player)
            if track is not None and track.value is not None:
                yield PlayerScore(player=player, score=track.value, confidence=track.confidence)
                return

    def word(self, source: int, lead: int, score: PlayerScore) -> Word:
        """What `source` makes of a certain final score that `lead` states."""
        value = score.score
        assert value is not None, "only certain scores are asked about"  # noqa: S101
        end = self.ends.get(source)
        said = end.score(score.player) if end else None
        if said is not None:
            if said.score is not None:
                return Word.AGREES if said.score == value else Word.DENIES
            if fits(said, value):
                return Word.FITS
        track = self.tracks.get(source, {}).get(score.player)
        if track is None or track.value is None:
            return Word.NOTHING
        if track.value == value:
            return Word.AGREES
        if not track.value:
            return Word.NOTHING  # noughts prove nothing: it saw the beginning alone
        mine = self.tracks.get(lead, {}).get(score.player)
        then = mine.between(track.at - LAG_MS, track.at) if mine else None
        least = then[0] if then else 0
        return Word.FITS if least <= track.value <= value else Word.DENIES

    def meets(self, source: int, live: list[ScoreLive], at: int) -> bool:
        """Whether another source shows now what this one showed just before, and more than noughts."""
        tracks, shown = self.tracks.get(source, {}), [one for one in live if one.score]
        then = [tracks[one.player].between(at - LAG_MS, at) if one.player in tracks else None for one in shown]
        return bool(shown) and all(
            span is not None and span[0] <= (one.score or 0) <= span[1] for one, span in zip(shown, then, strict=True)
        )

    def word_of_wire(self, source: int, lead: int, score: PlayerScore, *, here: bool) -> Word:
        """What a wire makes of a final score that a camera states. `here`: it is heard still, and says no end.

        A wire that was lost on the way denies a score that is less than its last one, and every score where the two
        had not shown the same while both were there.
        """
        value = self.value(source, score.player)
        if value is None or score.score is None:
            return Word.NOTHING
        if here:
            return Word.AGREES if value == score.score else Word.DENIES
        if score.score < value or self._strangers(source, lead):
            return Word.DENIES
        return Word.FITS

    def value(self, source: int, player: int) -> int | None:
        """The last certain score that a source showed of a player."""
        track = self.tracks.get(source, {}).get(player)
        return track.value if track else None

    def _strangers(self, source: int, other: int) -> bool:
        """Whether a source's last scores were not the other one's at that time, or the other had shown more before."""
        for player, track in self.tracks.get(source, {}).items():
            theirs = self.tracks.get(other, {}).get(player)
            then = theirs.between(track.changed - LAG_MS, track.at + LAG_MS) if theirs else None
            if then and track.value and then[1] > 0 and not then[0] <= track.value <= then[1]:
                return True
            if theirs and theirs.leads(track):
                return True
        return False

    def evidence(self) -> Picture | None:
        """The picture that came with a source's word of the end."""
        return next((end.ended.evidence for end in self.ends.values() if end.ended.evidence), None)

    def reads(self, player: int) -> ScoreRead | None:
        """A source's own reading of a player's doubtful final score."""
        return next((read for end in self.ends.values() for read in end.reads if read.player == player), None)


def fits(said: PlayerScore, value: int) -> bool:
    """Whether a doubtful score may be this value: it is a candidate, or its text has no other digit in any place."""
    if value in said.candidates:
        return True
    text = "".join(sign for sign in said.text or "" if sign.isdigit() or sign == "?")
    known = sum(sign != "?" for sign in text)
    number = str(value).rjust(len(text), "0")
    return known > 1 and len(number) == len(text) and all(a in {"?", b} for a, b in zip(text, number, strict=True))


def compare(name: str, score: int, other: str, value: int) -> str:
    """Both scores and, where it fits, the factor between them."""
    small, large = sorted((score, value))
    told = f"{name} says {score}, {other} {value}"
    if small > 0 and large % small == 0 and str(large // small).strip("0") == "1" and large > small:
        by = large // small
        return f"{told} (×{by}: is the profile right?)" if value > score else f"{told} (÷{by}: is the profile right?)"
    if small > 0 and len(str(large)) == len(str(small)) + 1 and _one_digit_more(str(large), str(small)):
        return f"{told} (a digit {'more' if value > score else 'less'})"
    return told


def _one_digit_more(large: str, small: str) -> bool:
    return any(large[:place] + large[place + 1 :] == small for place in range(len(large)))
