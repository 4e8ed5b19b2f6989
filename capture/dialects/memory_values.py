"""What the bytes of a memory come to, field by field: exact, without a float.

Here: one field's value, and all of them as `Reading`. Not here: what a change means (`capture.states`), and when a
memory is whole (`memory`). Source: the Pinball Memory Maps project's README ("Descriptors", "Game State"). Invariant: a
value whose bytes are not all there is None.
"""

import itertools
from dataclasses import dataclass, field
from fractions import Fraction

from capture.states import MachineState
from hardware.maps.cells import Memory
from hardware.maps.model import Field, MemoryMap

MOST_BALLS = 10
"""A machine that would play more balls a game says nothing by it."""
Value = int | Fraction | bool | None
"""Of one field, before it is known to be a whole number."""
_BLANK = 10
"""From this value on a packed digit is shown as a blank and counts as nought."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """All that a memory says; a value is None where the map does not say it, or the memory does not hold it."""

    scores: tuple[int | None, ...]
    finals: tuple[int | None, ...]
    values: dict[str, int | bool | None] = field(default_factory=dict)
    """By the map's own names."""
    raw: dict[str, int] = field(default_factory=dict)
    """The same numbers, also those that the map calls by a word (ball 0 is `n/a`)."""
    blank: tuple[bool, ...] = ()
    """By player: digits of the score are dark that can be no leading nought, as on a display that flashes."""
    missing: tuple[str, ...] = ()
    """Fields of the map whose bytes the memory does not hold."""

    @property
    def blind(self) -> bool:
        """The memory lacks something that the map would tell by whether a game runs."""
        signs = ("game_over", "attract", "current_player", "current_ball")
        return any(key.removeprefix("game_state.") in signs for key in self.missing)

    def whole(self, name: str, least: int = 0, most: int = 1 << 62) -> int | None:
        """A value as a number within these limits, else None."""
        value = self.values.get(name)
        if value is None or isinstance(value, bool) or not least <= value <= most:
            return None
        return value

    def flag(self, name: str) -> bool | None:
        """A value as true or false."""
        value = self.values.get(name)
        return None if value is None else bool(value)


def read_memory(memory_map: MemoryMap, memory: Memory) -> Reading:
    """Everything that the map says of this memory."""
    scores = tuple(_whole(value_of(one, memory)) for one in memory_map.scores)
    finals = tuple(_whole(value_of(one, memory)) for one in memory_map.finals)
    return Reading(
        scores=scores,
        finals=finals,
        values={name: _plain(value_of(one, memory)) for name, one in memory_map.fields.items()},
        raw={
            name: int(value)
            for name, one in memory_map.fields.items()
            if (value := number_of(one, memory)) is not None and not isinstance(value, bool)
        },
        blank=tuple(_is_blank(one, memory) for one in memory_map.scores),
        missing=tuple(one.key for one in memory_map.all_fields() if _cells(one, memory) is None),
    )


def value_of(one: Field, memory: Memory) -> Value:
    """One field's value; None where its bytes are missing, or where it says something in words (`n/a`)."""
    value = number_of(one, memory)
    return None if value in one.special else value


def number_of(one: Field, memory: Memory) -> Value:
    """One field's value, also where the map has a word for it; None where its bytes are missing."""
    if one.encoding == "dipsw":
        return _switched(one, memory)
    cells = _cells(one, memory)
    if cells is None:
        return None
    number = _packed(cells, one) if one.encoding == "bcd" else _binary(cells, one)
    if one.encoding == "bool":
        return bool(number) != one.invert
    if one.encoding == "bits":
        bits = [worth for place, worth in enumerate(one.values) if number >> place & 1 and isinstance(worth, int)]
        number = sum(bits)
    return number if one.plain else number * one.scale + one.offset


def state_of(reading: Reading, at: int, *, verified: bool) -> MachineState:
    """The machine's state, as its memory says it.

    Beside the flag of the game's end the format has two more signs that no game runs (README, "Game State"): nobody is
    up, or no ball is played. A memory that lacks some of these never says that one runs.
    """
    slots = len(reading.scores)
    players = reading.whole("player_count", 1, slots)
    balls = reading.whole("ball_count", 1, MOST_BALLS)
    dark = reading.blank[:players] if players else ()
    return MachineState(
        at=at,
        playing=_playing(reading, players or slots, balls),
        players=players,
        player=reading.raw.get("current_player"),
        ball=reading.raw.get("current_ball"),
        balls=balls,
        scores=tuple(
            None if number < len(dark) and dark[number] else score for number, score in enumerate(reading.scores)
        ),
        finals=reading.finals,
        tilted=reading.flag("tilted"),
        slam_tilted=reading.flag("slam_tilted"),
        warnings=reading.whole("tilt_warnings", 0, 255),
        service=reading.flag("service_mode"),
        credits=reading.whole("credits", 0, 1000),
        verified=verified,
    )


def _playing(reading: Reading, players: int, balls: int | None) -> bool | None:
    over = reading.flag("game_over")
    player, ball = reading.raw.get("current_player"), reading.raw.get("current_ball")
    nobody = player is not None and not 1 <= player <= players
    no_ball = ball is not None and not 1 <= ball <= (balls or MOST_BALLS)
    if over or nobody or no_ball or _shows_record(reading):
        return False
    return None if over is None or reading.blind else True


def _shows_record(reading: Reading) -> bool:
    """One number in all windows, also of who does not play: the high score to date, as attract mode shows it."""
    players = reading.whole("player_count", 1, len(reading.scores) - 1)
    return players is not None and bool(reading.scores[0]) and len(set(reading.scores)) == 1


def _cells(one: Field, memory: Memory) -> list[int] | None:
    """The bytes of a field, masked and cut to the nibble that counts; None where one is missing."""
    if one.encoding == "dipsw":
        return [] if memory.dips is not None else None
    cells = [memory.cells.get(address) for address in one.addresses]
    known = [cell for cell in cells if cell is not None]
    if len(known) != len(cells):
        return None
    if one.nibble == "high":
        known = [cell >> 4 for cell in known]
    elif one.nibble == "low":
        known = [cell & 0xF for cell in known]
    return [cell & one.mask for cell in known]


def _binary(cells: list[int], one: Field) -> int:
    base = 256 if one.nibble == "both" else 16
    number = 0
    for cell in cells:
        number = number * base + cell
    return number


def _digits(cells: list[int], one: Field) -> list[int]:
    return [half for cell in cells for half in (cell >> 4, cell & 0xF)] if one.nibble == "both" else cells


def _packed(cells: list[int], one: Field) -> int:
    number = 0
    for digit in _digits(cells, one):
        number = number * 10 + (digit if digit < _BLANK else 0)
    return number


def _is_blank(one: Field, memory: Memory) -> bool:
    """No digit at all is lit, or a dark one stands behind a lit one."""
    cells = _cells(one, memory) if one.encoding == "bcd" else None
    if not cells:
        return False
    dark = [digit >= _BLANK for digit in _digits(cells, one)]
    return all(dark) or any(late and not early for early, late in itertools.pairwise(dark))


def _switched(one: Field, memory: Memory) -> Fraction | None:
    if memory.dips is None:
        return None
    index = 0
    for switch in one.addresses:
        index = index << 1 | (memory.dips[(switch - 1) // 8] >> (switch - 1) % 8 & 1)
    value = one.values[index] if index < len(one.values) else None
    return Fraction(value) if isinstance(value, int) else None


def _whole(value: Value) -> int | None:
    """A score: a whole number that is not negative."""
    if value is None or isinstance(value, bool) or value.denominator != 1 or value < 0:
        return None
    return int(value)


def _plain(value: Value) -> int | bool | None:
    if value is None or isinstance(value, bool):
        return value
    return int(value) if value.denominator == 1 else None
