"""How a profile's reader does on labelled examples: right, held, or accepted though wrong. Counting, nothing else.

Invariant: each example is read by a fresh reader, as one still picture, and counts once.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bridge.errors import InputInvalid
from bridge.teaching import Shown

if TYPE_CHECKING:
    from capture.vision.reading import Reading
    from hardware.profile import MachineProfile


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability:
    """`accepted` and `held` name pictures whose number was read right; `missed` those where it was not, and held;
    `wrong` those where another number was accepted, with it.
    """

    accepted: tuple[str, ...]
    held: tuple[str, ...]
    missed: tuple[str, ...]
    wrong: tuple[tuple[str, int], ...]

    def line(self) -> str:
        """For people."""
        count = len(self.accepted) + len(self.held) + len(self.missed) + len(self.wrong)
        right = len(self.accepted) + len(self.held)
        return (
            f"{count} pictures: {right} read right ({len(self.accepted)} accepted, {len(self.held)} held),"
            f" {len(self.missed)} not read, {len(self.wrong)} accepted though wrong"
        )


def measure(profile: "MachineProfile", shown: Iterable[Shown]) -> Reliability:
    """Read every example that could be opened. Raises InputInvalid where the profile's display cannot be read."""
    accepted: list[str] = []
    held: list[str] = []
    missed: list[str] = []
    wrong: list[tuple[str, int]] = []
    for one in shown:
        reading = _read(profile, one)
        if reading is None:
            continue
        name, value, player = one.example.name, one.example.value, one.example.player
        first = reading.scores[0] if reading.scores else None
        mine = first is not None and (first.player is None or player is None or first.player == player)
        if first is not None and mine and reading.accepted:
            if first.score == value:
                accepted.append(name)
            else:
                wrong.append((name, first.score or 0))
        elif any(score.score == value for score in reading.scores):
            held.append(name)
        else:
            missed.append(name)
    return Reliability(accepted=tuple(accepted), held=tuple(held), missed=tuple(missed), wrong=tuple(wrong))


def _read(profile: "MachineProfile", one: Shown) -> "Reading | None":
    from capture.vision import open_reader  # noqa: PLC0415 - help must be instant
    from capture.vision.errors import VisionInvalid  # noqa: PLC0415 - as above
    from capture.vision.reader import DisplayReader  # noqa: PLC0415 - as above

    try:
        reader = open_reader(profile)
        if isinstance(reader, DisplayReader):
            dots = one.exact_dots(profile)
            if dots is not None:
                return reader.read_dots(dots)
        return None if one.image is None else reader.read(one.image)
    except VisionInvalid as error:
        raise InputInvalid(str(error)) from None
