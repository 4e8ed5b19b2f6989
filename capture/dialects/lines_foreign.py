"""Lines of another maker's format, made into our own by the patterns of the profile.

Here: which pattern fits, and what its groups become. What lines mean is said in `lines`. Invariant: a line that fits no
pattern whole is not understood at all; a score has digits alone, once the profile's separators are taken out.
"""

import re

from capture.dialects.lines_grammar import Line
from capture.errors import LineGarbled
from hardware.wires.lines import GROUPS, LinesTable
from hardware.wires.patterns import LONGEST_LINE, check_pattern

_WORDS = {
    "hello": "HELLO",
    "start": "GAME",
    "join": "PLAYERS",
    "turn": "PLAYER",
    "score": "SCORE",
    "ball_over": "BALL",
    "over": "OVER",
    "abort": "ABORT",
    "state": "STATE",
    "tilt": "TILT",
    "slam": "SLAM",
    "warning": "WARNING",
    "door_open": "DOOR",
    "door_closed": "DOOR",
    "power_lost": "POWER",
    "power_back": "POWER",
    "drain": "DRAIN",
    "start_button": "START",
    "call": "CALL",
    "ping": "PING",
}
_FLAGS = {"door_open": "1", "door_closed": "0", "power_lost": "0", "power_back": "1"}


class Foreign:
    """The patterns of one profile, tried in the order of the table."""

    def __init__(self, table: LinesTable) -> None:
        kinds = [(kind, getattr(table, kind)) for kind in GROUPS]
        self._patterns = [(kind, check_pattern(text)) for kind, text in kinds if text is not None]
        self._separators = str.maketrans("", "", table.separators)
        self._up = "1"

    def parse(self, data: bytes) -> Line | None:
        """The line as ours would say it; None where no pattern fits. Raises LineGarbled for what is no text at all."""
        try:
            text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8").strip(" \t")
        except UnicodeDecodeError:
            raise LineGarbled("not UTF-8") from None
        if len(text) > LONGEST_LINE or not text.isprintable():
            raise LineGarbled("no line of text")
        for kind, pattern in self._patterns:
            if found := pattern.fullmatch(text):
                return self._translate(kind, found)
        return None

    def _translate(self, kind: str, found: re.Match[str]) -> Line:
        groups = {name: text for name, text in found.groupdict().items() if text is not None}
        values = {name.removeprefix("score"): text for name, text in groups.items() if name != "score"}
        for name in [name for name in groups if name.startswith("score")]:
            values[name.removeprefix("score")] = groups[name].translate(self._separators)
        self._up = values.get("player", self._up)
        plain: tuple[str, ...] = ()
        match kind:
            case "score":
                plain, values = (values.get("player", self._up), values.get("", "")), {}
            case "turn":
                ball = ("BALL", values["ball"]) if "ball" in values else ()
                plain, values = (values.get("player", self._up), *ball), {}
            case "join":
                plain, values = (values["players"],), {}
            case "ball_over":
                plain = ("END",)
            case "warning" if "warnings" in values:
                plain, values = (values["warnings"],), {}
            case "abort" if values.get("why"):
                plain, values = (values["why"],), {}
            case _ if kind in _FLAGS:
                plain = (_FLAGS[kind],)
        word = "END" if kind == "over" and any(key.isdecimal() for key in values) else _WORDS[kind]
        return Line(word=word, plain=plain, values=values)
