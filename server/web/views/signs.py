"""Words, colours and signs for states, malfunctions and decisions: one vocabulary for every page.

Colour is never the only sign: each has a word and an icon of its own. Nothing here looks at a machine.
"""

from dataclasses import dataclass


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

_FAULTS: dict[str, tuple[str, str]] = {
    "tilt": ("Tilt", "warn"),
    "tilt-warning": ("Tilt warning", ""),
    "slam-tilt": ("Slam tilt", "bad"),
    "ball-search": ("Ball search", "warn"),
    "ball-missing": ("Ball missing", "warn"),
    "ball-ended-early": ("Ball ended early", "bad"),
    "reset": ("Machine reset", "bad"),
    "link-lost": ("Link to the machine lost", "bad"),
    "power-lost": ("Power lost", "bad"),
    "restarted": ("Game restarted", "bad"),
    "service-mode": ("Service mode", "warn"),
    "wrong-players": ("Wrong number of players", "bad"),
    "unassigned-play": ("Playing, nobody assigned", "warn"),
    "display-unreadable": ("Display unreadable", "warn"),
    "display-frozen": ("Display frozen", "warn"),
    "display-dark": ("Display dark", "warn"),
    "camera-moved": ("Camera moved", "bad"),
    "camera-lost": ("Camera lost", "bad"),
    "score-stuck": ("Score stuck", "warn"),
    "score-jump": ("Score jumped", "warn"),
    "data-garbled": ("Data garbled", "warn"),
    "no-data": ("No data", "warn"),
    "port-lost": ("Port unplugged", "bad"),
    "wrong-device": ("Wrong device on the port", "bad"),
    "clock-unsynced": ("Clock not set", ""),
    "disk-low": ("Disk nearly full", "warn"),
    "undervoltage": ("Power supply weak", "warn"),
    "outbox-damaged": ("Outbox damaged", "bad"),
    "agent-lost": ("Agent lost", "bad"),
    "agent-twice": ("Two agents under one name", "bad"),
}


def fault_sign(fault: str) -> Sign:
    """The sign of a malfunction; one that nobody named is shown by its own name and taken seriously."""
    word, tone = _FAULTS.get(fault, (fault.replace("-", " ").capitalize(), "warn"))
    return Sign(word=word, tone=tone, icon="alert")


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
