"""Words, colours and signs for states, malfunctions and decisions: one vocabulary for every page.

Colour is never the only sign: each has a word and an icon of its own. Nothing here looks at a machine.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from server.core.venue.severity import Severity, suggestion


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """`tone` is a class of app.css (`good`, `warn`, `bad`, `busy` or empty), `icon` a symbol of icons.svg."""

    word: str
    tone: str = ""
    icon: str = "idle"


PLAYING = Sign(word="Playing", tone="busy", icon="play")
NOBODY = Sign(word="Playing, nobody assigned", tone="warn", icon="alert")
READY = Sign(word="To start", tone="good", icon="ready")
IDLE = Sign(word="Idle", icon="idle")
UNHEARD = Sign(word="Reader lost", tone="bad", icon="cut")
NO_READER = Sign(word="No reader", icon="cut")
CONDITIONS = {
    "down": Sign(word="Down", tone="bad", icon="stop"),
    "disabled": Sign(word="Disabled", tone="bad", icon="stop"),
    "replaced": Sign(word="Replaced", icon="stop"),
    "closed": Sign(word="Closed", icon="stop"),
}


_FAULTS: dict[str, str] = {
    "official-called": "Official called",
    "ball-ended-early": "Ball ended early",
    "reset": "Machine reset",
    "link-lost": "Link to the machine lost",
    "restarted": "Game restarted",
    "wrong-players": "Wrong number of players",
    "unassigned-play": "Nobody assigned",
    "score-jump": "Score jumped",
    "port-lost": "Port unplugged",
    "wrong-device": "Wrong device on the port",
    "reader-failed": "Reader failed, starts anew",
    "sources-disagree": "Wire and camera disagree",
    "second-result": "Two results of one game",
    "clock-unsynced": "Clock not set",
    "disk-low": "Disk nearly full",
    "undervoltage": "Power supply weak",
    "facts-lost": "Facts lost",
    "facts-not-understood": "Facts not understood",
    "stream-forked": "Copied card",
    "stream-moved": "Outbox moved",
    "two-computers": "Two computers under one name",
}
"""Words for faults whose own name would not do."""
_TONES: Mapping[Severity, str] = {"alarm": "bad", "look": "warn", "note": ""}


def fault_sign(fault: str, *, in_game: bool = True) -> Sign:
    """The sign of a malfunction: its word, and a tone by its severity."""
    word = _FAULTS.get(fault, fault.replace("-", " ").capitalize())
    return Sign(word=word, tone=_TONES[suggestion(fault).at(in_game=in_game)], icon="alert")


READING_STATUS = {
    "waiting": Sign(word="Waiting", tone="warn", icon="eye"),
    "confirmed": Sign(word="Confirmed", tone="good", icon="ok"),
    "corrected": Sign(word="Corrected", tone="good", icon="ok"),
    "rejected": Sign(word="Rejected", tone="bad", icon="no"),
    "settled": Sign(word="Settled with its game", icon="ok"),
}
GAME_STATUS = {
    "running": PLAYING,
    "ended": Sign(word="Just over", icon="clock"),
    "unmatched": Sign(word="Whose game?", tone="warn", icon="alert"),
    "waiting": Sign(word="Waiting for an official", tone="warn", icon="eye"),
    "posted": Sign(word="Counts", tone="good", icon="ok"),
    "discarded": Sign(word="Discarded", icon="no"),
}
