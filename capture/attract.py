"""What shows before a game: when play is believed to have begun.

Readings in, at most one beginning out. Rules: BALL # must show for the profile's dwell, for one misread word begins no
game; where no words tell, a number must rise again and again, from nought on or oftener. Invariant: numbers alone, as
attract modes show them, begin nothing.
"""

from dataclasses import dataclass

from capture.settle import Settled
from capture.vision.reading import Reading
from hardware.profile import MachineProfile

RISES, LATE_RISES = 3, 6
"""So many rising numbers within `RISING_MS` show, without a word, that a game is played: if the first of them is
nought; else so many, for we come late, and attract modes turn pages of scores."""
MECHANICAL, MECHANICAL_RISES, MECHANICAL_LATE = frozenset({"reels", "lights"}), 2, 4
"""The same of wheels and lamps, which show no pages in attract mode and only move in play."""
RISING_MS = 60_000
SIGHTINGS, SIGHT_MS = 3, 2_000
"""So many pictures must say BALL #, the gaps between them no longer than this and the profile's dwell."""
ATTRACT_MS = 15_000
"""Who saw attract mode so short a time ago has seen the game begin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Beginning:
    """A game shows. `late`: it was running before we could have seen it begin."""

    late: bool


class Attract:
    """Watches one machine between games."""

    def __init__(self, profile: MachineProfile, *, since: int | None = None) -> None:
        """`since`: when a game was seen to end, so that attract mode was seen."""
        self._profile = profile
        self._attract_at = since
        self._rises: dict[int | None, list[tuple[int, int]]] = {}
        """Of each player's place: the rising numbers of late, with their times."""
        self._sightings: list[int] = []
        self._settled: Settled | None = None

    @property
    def settled(self) -> Settled | None:
        """What settled last; it may be the score of a game that is running already."""
        return self._settled

    def see(self, reading: Reading, settled: Settled | None, at: int, ball: int | None) -> Beginning | None:
        """Take one readable picture and what has settled with it. `ball`: the number in BALL #, if it shows."""
        dwell = self._profile.dwell_ms
        self._settled = settled or self._settled
        self._sightings = [seen for seen in self._sightings if at - seen <= dwell + SIGHT_MS]
        if ball is not None:
            self._sightings.append(at)
        elif not self._sightings:
            self._attract_at = at
        if any(word in reading.words for word in self._profile.words.game_over):
            self._rises.clear()
        needed = (MECHANICAL_RISES, MECHANICAL_LATE) if reading.display in MECHANICAL else (RISES, LATE_RISES)
        rising = self._rising(settled, at, needed)
        if ball is not None and len(self._sightings) >= SIGHTINGS and at - self._sightings[0] >= dwell:
            attract = self._attract_at is not None and self._sightings[0] - self._attract_at <= ATTRACT_MS
            return Beginning(late=not attract or ball > 1)
        if rising is not None:
            return Beginning(late=(ball or 1) > 1 or not rising)
        return None

    def rose(self, player: int | None, value: int, at: int) -> None:
        """This player's place was seen to show this number, as far as a rise goes on from there."""
        self._rises[player] = [(at, value)]

    def _rising(self, settled: Settled | None, at: int, needed: tuple[int, int]) -> bool | None:
        """Whether a number that rises and rises began at nought; None where none does.

        `needed`: so many numbers if it began there, and if it did not.
        """
        if settled is None:
            return None
        for score in settled.scores:
            if score.player not in settled.changed or score.player not in settled.accepted_players:
                continue
            value = score.score or 0
            rises = [one for one in self._rises.get(score.player, []) if at - one[0] <= RISING_MS]
            if rises and value < rises[-1][1]:
                rises = []
            if not rises or value > rises[-1][1]:
                rises.append((at, value))
            self._rises[score.player] = rises
            if len(rises) >= needed[rises[0][1] != 0]:
                return rises[0][1] == 0
        return None
