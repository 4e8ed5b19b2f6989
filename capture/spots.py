"""Where on a display scores have stood: what one picture leaves open, the pictures before it may answer.

Here: the spots (height and place) where numbers stood that were scores, and copies of one number in two sizes. Not
here: time (`settle`), digits and words (`vision`). Invariant: only numbers that the display itself named as a score
teach a spot, and a spot that shows other numbers teaches nothing any more.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from capture.vision.reading import LIKELY, LIVE, OPEN, OTHER, Place, Reading, ScoreReading

_ROW, _COLUMN = 1.6 / 32, 2.2 / 128
"""How far a number's place may be read apart, as parts of the display."""
_OTHER_SIZE = 1.25
"""Numbers are of two sizes if one is so much higher."""
_TRUST = 2
"""So many numbers that were scores have stood there, and no others, until a spot is believed."""
_MOST, _SEEN = 48, 24
_LEAST_COPY = 3
"""Places that a copy must have, and of which so many must have been seen."""
_BORNE = 150
"""Pictures in a row in which a spot may contradict the display's own word."""
_RISES, _STANDS = 3, 5
"""A number that begins at nought and rises so often in one place, standing for so many pictures each time."""
_ROUND = 15
"""Pictures in a row in which a number rounder than the score was, in a new place, must be named by the display."""
_HEEDED = 0.5
"""Confidence from which a number speaks against another."""
_MIDDLE = 0.06
"""How far from the display's middle, as a part of its width, the middle of a central number lies."""
_NAMED = 1000
"""A number of at least this that equals the score we know is that score."""


@dataclass(slots=True)
class _Spot:
    """One place of numbers.

    `values`: scores that stood there; `shown`: what stood there last; `against`: how often that changed to something
    that was no score; `borne`: in so many pictures it stood against what the display itself named as the score;
    `standing`: a number, and in how many pictures in a row it stood here; `rise`: numbers that stood and only rose.
    """

    place: Place
    player: int | None
    values: set[int] = field(default_factory=set)
    shown: int | None = None
    against: int = 0
    borne: int = 0
    standing: tuple[int | None, int] = (None, 0)
    rise: tuple[int, ...] = ()

    @property
    def trusted(self) -> bool:
        """Whether a number here is the score though nothing else says so."""
        return self.risen or (len(self.values) >= _TRUST and len(self.values) > 3 * self.against)

    @property
    def risen(self) -> bool:
        """Whether a number began here at nought and rose, and rose: so do scores alone."""
        return len(self.rise) > _RISES and self.rise[0] == 0

    def stand(self, score: int) -> int:
        """One more picture shows this number here; returns how many in a row."""
        self.standing = (score, self.standing[1] + 1 if score == self.standing[0] else 1)
        if self.standing[1] == _STANDS and score not in self.rise[-1:]:
            self.rise = (
                (0, *self.rise[1:][-_RISES:], score) if self.rise[:1] == (0,) and score > self.rise[-1] else (score,)
            )
        return self.standing[1]

    def bears(self, score: int | None) -> None:
        """The display names another number as the score. If that goes on, what stands here is something else."""
        self.borne = self.borne + 1 if score == self.shown else 1
        self.shown = score
        if self.borne >= _BORNE:
            self.values.clear()


class Spots:
    """The spots of one display."""

    def __init__(self) -> None:
        self._spots: list[_Spot] = []
        self._seen: deque[ScoreReading] = deque(maxlen=_SEEN)
        """The last different numbers of which every digit was sure, whatever they meant."""

    def weigh(self, reading: Reading, known: Mapping[int | None, int]) -> Reading:
        """The reading with the number first that is the score by all that was seen before.

        `known`: the last accepted score of each player, None for a lone number's.
        """
        if reading.quality or any(number.place is None for number in reading.scores):
            return reading
        numbers = [number for number in (*reading.scores, *reading.others) if number.place is not None]
        numbers = [_with_copy(number, [*numbers, *self._seen]) for number in numbers]
        self._seen.extend(one for one in numbers if one.sound and not any(_alike(one, seen) for seen in self._seen))
        first = numbers[0] if reading.scores else None
        owner = None if first is None else self._at(first)
        if first is not None and owner is not None and owner.player is not None:
            stands = bool(owner.values) and first.player in {None, owner.player}
            return _told(reading, replace(first, player=owner.player), believed=stands and reading.standing == LIVE)
        if first is not None and first.player is not None:
            one = _one_changed(reading, known) if reading.standing == OPEN else None
            return one or _told(reading, first, believed=reading.standing == LIVE)
        pick, believed = self._pick(numbers[: len(reading.scores)][:1] + numbers[len(reading.scores) :], reading, known)
        if pick is None:
            return reading if first is None else _told(reading, first, believed=False)
        rest = tuple(one for one in numbers[len(reading.scores[:1]) if first is pick else 0 :] if one is not pick)
        return replace(_told(reading, pick, believed=believed), others=rest)

    def learn(self, reading: Reading, value: int) -> None:
        """This number was settled and accepted as the score, named so by the display (`reading` shows it)."""
        live = reading.scores[0] if reading.scores else None
        for other in reading.scores[1:]:
            if other.place is not None and other.player is not None and other.sound and self._at(other) is None:
                self._add(other, other.player)
        for number in (*reading.scores[:1], *reading.others):
            if number.place is None:
                continue
            spot = self._at(number)
            if number is live or _same_number(number, value):
                spot = spot or self._add(number, _owner(reading))
                spot.values.add(value)
                spot.shown = value
            elif spot is not None and number.score is not None and number.sound and number.score != spot.shown:
                spot.against += spot.shown is not None
                spot.shown = number.score

    def forget(self) -> None:
        """The display is another one, or was moved."""
        self._spots.clear()

    def _pick(
        self, numbers: list[ScoreReading], reading: Reading, known: Mapping[int | None, int]
    ) -> tuple[ScoreReading | None, bool]:
        """The number that is the score, and whether that is believed."""
        first = numbers[0] if reading.scores else None
        least = known.get(None, 0)
        spots = [(one, self._at(one)) for one in numbers]
        trusted = [(one, spot) for one, spot in spots if spot is not None and spot.trusted and spot.player is None]
        if first is not None and reading.standing == LIVE:
            against = [(one, spot) for one, spot in trusted if _contradicts(one, first)]
            for one, spot in against:
                spot.bears(one.score)
            risen = [one for one, _ in against if one.sound and least < (one.score or 0)]
            if len(risen) == len(against) == 1 and _follows(risen[0].score or 0, least) and _unlike(risen[0], first):
                return risen[0], True  # an award: the score stands where it stood, and rose
            stays = self._stays(numbers, first, least)
            return first, not against and not stays and self._usual(first, least)
        if first is not None and reading.standing == LIKELY and first.sound and first.score is not None:
            (self._at(first) or self._add(first, None)).stand(first.score)
        said = {one.score for one, _ in trusted if one.score is not None and one.confidence >= _HEEDED}
        if trusted:
            best, spot = max(trusted, key=lambda one: (one[0].sound, one[0].confidence))
            believed = reading.standing != OTHER and len(said) == 1 and best.score is not None
            before = min(least, spot.rise[-1]) if spot.risen else least
            return best, believed and (best.score == least or _follows(best.score or 0, before))
        return next((one for one in numbers if one.score == least >= _NAMED), first), False

    def _stays(self, numbers: list[ScoreReading], first: ScoreReading, known: int) -> bool:
        """Whether the score that we know stands beside what the display names: that is an award, then, not the score.

        Not for ever: it may be the number of the player before.
        """
        if known < _NAMED or first.score == known or any(_is_copy(one, first) for one in numbers):
            return False
        kept = [one for one in numbers if one.score == known and one.confidence >= _HEEDED]
        for one in kept:
            spot = self._at(one) or self._add(one, None)
            spot.bears(known)
            if spot.borne < _BORNE:
                spot.values.add(known)
        return any(spot is not None and spot.borne < _BORNE for spot in map(self._at, kept))

    def _usual(self, first: ScoreReading, before: int) -> bool:
        """Whether what the display names may be the next score: a rounder number, in a new place, must stand longer."""
        if first.score is None or before < _NAMED or _noughts(first.score) <= _noughts(before) + 1:
            return True
        spot = self._at(first) or self._add(first, None)
        return spot.trusted or spot.stand(first.score) >= _ROUND

    def _at(self, number: ScoreReading) -> _Spot | None:
        assert number.place is not None, "only numbers with places are looked up"  # noqa: S101
        return next((spot for spot in self._spots if _fits(spot.place, number.place)), None)

    def _add(self, number: ScoreReading, player: int | None) -> _Spot:
        assert number.place is not None, "only numbers with places are looked up"  # noqa: S101
        del self._spots[: len(self._spots) - _MOST + 1]
        self._spots.append(_Spot(place=number.place, player=player))
        return self._spots[-1]


def _owner(reading: Reading) -> int | None:
    """Whose place the first number's is. A lone one in the middle has another owner in each turn, whoever is named."""
    live = reading.scores[0] if reading.scores else None
    if live is None or live.place is None:
        return None
    central = len(reading.scores) == 1 and abs((live.place[0] + live.place[2]) / 2 - 0.5) <= _MIDDLE
    return None if central else live.player


def _is_copy(one: ScoreReading, first: ScoreReading) -> bool:
    return one is not first and one.place != first.place and _says(one.text, first.text)


def _one_changed(reading: Reading, known: Mapping[int | None, int]) -> Reading | None:
    """Players' numbers of one size, in their places: where all are as we know them but one that rose, he is up."""
    if len(reading.scores) < 2 or not all(one.sound and one.player in known for one in reading.scores):
        return None
    changed = [one for one in reading.scores if one.score != known[one.player]]
    if len(changed) != 1 or (changed[0].score or 0) < known[changed[0].player]:
        return None
    rest = tuple(one for one in reading.scores if one is not changed[0])
    return replace(reading, scores=(changed[0], *rest), accepted=True, why="", standing=LIVE)


def _with_copy(number: ScoreReading, numbers: list[ScoreReading]) -> ScoreReading:
    """Sound if another number of another size says or said the same: two fonts are not misread alike."""
    if number.sound or number.score is None or len(number.text) < _LEAST_COPY:
        return number
    for other in numbers:
        if other is not number and _of_other_size(number, other) and _says(other.text, number.text):
            confidence = 1 - (1 - number.confidence) * (1 - max(0.5, other.confidence))
            return replace(number, sound=True, confidence=round(min(0.9999, confidence), 4))
    return number


def _alike(one: ScoreReading, other: ScoreReading) -> bool:
    """The same number in the same size."""
    return one.score == other.score and not _of_other_size(one, other)


def _says(copy: str, text: str) -> bool:
    """Whether the copy shows this number, as far as its places were seen."""
    if len(copy) != len(text) or len(copy) - copy.count("?") < max(_LEAST_COPY, 0.6 * len(copy)):
        return False
    return all(a in {"?", b} for a, b in zip(copy, text, strict=True))


def _same_number(number: ScoreReading, value: int) -> bool:
    return number.score == value or _says(number.text, str(value))


def _of_other_size(one: ScoreReading, other: ScoreReading) -> bool:
    if one.place is None or other.place is None:
        return False
    heights = sorted((one.place[3] - one.place[1], other.place[3] - other.place[1]))
    return heights[1] >= _OTHER_SIZE * heights[0] > 0


def _fits(spot: Place, place: Place) -> bool:
    """The same rows, and the same left edge, right edge or middle."""
    if abs(spot[1] - place[1]) > _ROW or abs(spot[3] - place[3]) > _ROW:
        return False
    middle = abs(spot[0] + spot[2] - place[0] - place[2]) / 2
    return min(abs(spot[0] - place[0]), abs(spot[2] - place[2]), middle) <= _COLUMN


def _contradicts(one: ScoreReading, first: ScoreReading) -> bool:
    """Whether it is another number, for all that was read of both."""
    if one.place == first.place or one.score is None or one.confidence < _HEEDED:
        return False
    return one.score != first.score and not _says(first.text, one.text)


def _unlike(one: ScoreReading, other: ScoreReading) -> bool:
    """Whether no one digit misread makes the one out of the other."""
    a, b = one.text, other.text
    return len(a) != len(b) or sum(x != y for x, y in zip(a, b, strict=True)) > 1


def _follows(score: int, before: int) -> bool:
    """Whether a number that the display does not name may be the next score: awards are rounder, or out of reach."""
    if score < before:
        return False
    return (before < _NAMED or score <= 3 * before) and _noughts(score) <= _noughts(before) + 1


def _noughts(score: int) -> int:
    text = str(score)
    return len(text) - len(text.rstrip("0"))


def _told(reading: Reading, first: ScoreReading, *, believed: bool) -> Reading:
    """The reading with this number first, accepted if it is believed and sound."""
    accepted = believed and first.sound
    same = bool(reading.scores) and first.place == reading.scores[0].place
    why = reading.why if same and not (first.sound and not reading.scores[0].sound) else ""
    if not accepted and not why:
        why = (
            "nothing on this screen says whose number this is" if first.sound
            else f"not sure enough: {first.text} at {first.confidence:.2f}"
        )  # fmt: skip
    return replace(reading, scores=(first, *reading.scores[1:]), accepted=accepted, why="" if accepted else why)
