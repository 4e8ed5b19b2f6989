"""Topics of messages: which pattern of a profile one fits, whose machine it is, and a player's number in it.

Not here: payloads. Invariant: where the topics of two machines come and nobody said which is ours, neither counts.
"""

import re
from dataclasses import dataclass

MOST_PLAYERS = 16
_PLAYER, _DEVICE = "{player}", "{device}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A topic that fits a pattern. `rest`: what stood in the place of `*/` and `+`; the machine, as a rule."""

    rest: tuple[str, ...]
    player: int | None = None


def fit(topic: str, pattern: str, device: str | None) -> Fit | None:
    """How the topic fits the pattern (see `hardware.wires.messages`), or None."""
    anywhere = pattern.startswith("*/")
    wanted = pattern.removeprefix("*/").split("/")
    levels = topic.split("/")
    before = len(levels) - len(wanted)
    if before < 0 or (before and not anywhere):
        return None
    rest, player = levels[:before], None
    for level, want in zip(levels[before:], wanted, strict=True):
        if want == "+":
            rest.append(level)
        elif _PLAYER in want:
            before_it, _, after_it = want.partition(_PLAYER)
            number = level.removeprefix(before_it).removesuffix(after_it)
            if level != f"{before_it}{number}{after_it}" or not re.fullmatch(r"[1-9][0-9]?", number):
                return None
            player = int(number)
            if player > MOST_PLAYERS:
                return None
        elif want == _DEVICE and device is None:
            rest.append(level)
        elif level != (device if want == _DEVICE else want):
            return None
    if device is not None and rest and _DEVICE not in pattern and device not in "/".join(rest).split("/"):
        return None
    return Fit(rest=tuple(rest), player=player)


class Owner:
    """Whose topics come: of one machine, or of several that nobody told apart."""

    def __init__(self) -> None:
        self._rest: dict[str, tuple[str, ...]] = {}
        self._strange: tuple[str, ...] | None = None
        self.confused = ""
        """Two machines' topics; empty where there is one."""

    def accept(self, topic: str, pattern: str, found: Fit, *, retained: bool) -> bool:
        """Whether the topic is of the machine that was heard first.

        Another one's are ignored the first time, for a line that is damaged may look so; then neither counts.
        """
        key = "*/" if pattern.startswith("*/") else pattern
        first = self._rest.setdefault(key, found.rest)
        if first == found.rest:
            return not self.confused
        if (retained or self._strange == found.rest) and not self.confused:
            self.confused = f"two machines publish, {'/'.join(first)} and {topic[:100]}: name yours as device"
        self._strange = found.rest
        return False
