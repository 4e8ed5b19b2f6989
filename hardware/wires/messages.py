"""`[messages]`: where in a machine's JSON messages the score, the ball and the rest stand.

Here: the tables, and paths into JSON. Not here: transport (`hardware.ports.mqtt`), and what a message means
(`capture.dialects.json_messages`). Invariant: every path and topic in a table that exists has been understood.
"""

import functools
import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

Step = str | int | None
"""A key, a place in a list, or None: every place of a list."""
Steps = tuple[Step, ...]
MOST_STEPS = 12
_STEP = re.compile(
    r"\.([A-Za-z_][A-Za-z0-9_-]*)|\[(\d{1,4})\]|\[(\*)\]|\[\"([^\"\\\]]{1,100})\"\]|\['([^'\\\]]{1,100})'\]"
)
_LEVEL = re.compile(r"[^/#+{}\x00-\x1f\x7f]*(\{player\})?[^/#+{}\x00-\x1f\x7f]*|\+|\{device\}")


@functools.lru_cache(maxsize=1024)
def parse_path(text: str) -> Steps:
    """The steps of a path such as `$.players[0].score` or `$.scores[*]`. Raises ValueError."""
    steps: list[Step] = []
    position = 1
    while position < len(text):
        found = _STEP.match(text, position)
        if found is None:
            break
        key, index, every, quoted, single = found.groups()
        steps.append(None if every else int(index) if index else key or quoted or single)
        position = found.end()
    if not text.startswith("$") or position < len(text) or len(steps) > MOST_STEPS or steps.count(None) > 1:
        raise ValueError("a path is needed, such as $.score, $.players[0].score or $.scores[*]")
    return tuple(steps)


def _is_path(text: str) -> str:
    parse_path(text)
    return text


def _is_topic(text: str) -> str:
    levels = text.removeprefix("*/").split("/")
    if not all(_LEVEL.fullmatch(level) for level in levels) or text.count("{player}") > 1:
        raise ValueError(
            "a topic is needed: levels parted by /, + for any level, {player} for a player's number, {device} for the"
            " machine's own name, */ at the beginning for any levels before"
        )
    return text


Path = Annotated[str, Field(max_length=200), AfterValidator(_is_path)]
Topic = Annotated[str, Field(max_length=200), AfterValidator(_is_topic)]
Word = Annotated[str, Field(max_length=60)]
Event = Literal[
    "start", "over", "ball-over", "tilt", "tilt-warning", "slam-tilt", "ball-search", "ball-found", "ball-missing",
    "service", "service-over", "reset", "drain", "start-button", "official",
]  # fmt: skip
"""What a message may say has happened."""


class Read(BaseModel):
    """Messages of one kind, and where in them what stands. A path that a message does not have says nothing."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    topics: tuple[Topic, ...] = Field(default=(), max_length=20)
    """Of these topics; none: of every topic. An empty one: messages without a topic, lines of plain JSON."""
    when: dict[Path, Word] = Field(default={}, max_length=5)
    """Only where these paths have these values."""
    playing: Path | None = None
    players: Path | None = None
    player: Path | None = None
    """Who is up."""
    first_player: Literal[0, 1] = 1
    """The number of the first player in `player`."""
    ball: Path | None = None
    balls: Path | None = None
    score: Path | None = None
    """One player's score: of whom `{player}` in the topic or `score_of` says, else of whoever is up."""
    score_of: Path | None = None
    scores: Path | None = None
    """All players' scores, in order."""
    finals: Path | None = None
    """The last game's scores, where the machine keeps them apart, or says them with its end."""
    tilt: Path | None = None
    slam_tilt: Path | None = None
    warnings: Path | None = None
    credits: Path | None = None
    service: Path | None = None
    number: Path | None = None
    """The machine's own count of games."""
    event: Path | None = None
    events: dict[Word, Event] = Field(default={}, max_length=60)
    """The machine's names of what happens; other events are ignored."""
    text_numbers: bool = False
    """Numbers may be texts of digits, as in "1234"."""
    on: tuple[Word, ...] = Field(default=("on", "true", "yes"), max_length=20)
    """Texts and numbers that are true for `playing`, `tilt`, `slam_tilt`, `service`; case does not matter."""
    off: tuple[Word, ...] = Field(default=("off", "false", "no"), max_length=20)

    @model_validator(mode="after")
    def _says_something(self) -> "Read":
        if self.event is not None and not self.events:
            raise ValueError("event needs events: what the machine's names of them mean")
        if not any(getattr(self, name) for name in FIELDS) and self.event is None:
            raise ValueError(f"a read needs a path for one of: {', '.join(FIELDS)}, event")
        return self


FIELDS = (
    "playing", "players", "player", "ball", "balls", "score", "scores", "finals", "tilt", "slam_tilt", "warnings",
    "credits", "service", "number",
)  # fmt: skip


class Availability(BaseModel):
    """The topic that says whether the machine is there."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    topic: Topic
    path: Path = "$"
    online: Word = "online"
    offline: Word = "offline"


class MessagesTable(BaseModel):
    """How to read the messages of one machine."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    read: tuple[Read, ...] = Field(min_length=1, max_length=40)
    availability: Availability | None = None
    unknown: tuple[Word, ...] = Field(default=("unknown", "unavailable", "none", ""), max_length=20)
    """Payloads that say that nothing is known."""
