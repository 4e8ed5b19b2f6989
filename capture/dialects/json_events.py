"""Events in messages: what has happened, once, and what it changes in the machine's state.

Not here: which names a machine gives them (its profile). Invariant: an event that comes twice counts once where it
begins or ends a game.
"""

from capture import hints as h
from capture.dialects.json_state import Known

FAULTS = ("tilt", "tilt-warning", "slam-tilt", "ball-search", "ball-missing")
"""Events that are a fault of the same name."""


class Events:
    """The events of one conversation."""

    def __init__(self) -> None:
        self._games = 0
        self._untouched: dict[int, int | None] | None = None
        """The scores when the last game began: a beginning that is said again before they change is the same one."""

    def happen(self, name: str, known: Known, at: int) -> list[h.Hint]:
        """An event: the hints that it is, and changes in what is known."""
        if name in FAULTS:
            return [h.Trouble(at=at, fault=name)]
        match name:
            case "start":
                self._start(known)
            case "over":
                self._over(known)
            case "ball-over":
                return [h.BallOver(at=at)]
            case "ball-found":
                return [h.Relief(at=at, fault=fault) for fault in ("ball-search", "ball-missing")]
            case "service" | "service-over":
                known.values["service"] = name == "service"
            case "drain":
                return [h.BallDrained(at=at)]
            case "start-button":
                return [h.StartPressed(at=at)]
            case "official":
                return [h.OfficialCalled(at=at)]
        return []

    def _start(self, known: Known) -> None:
        if self._untouched is not None and known.values.get("playing") and self._untouched == known.scores:
            return
        self._games += 1
        known.values |= {"playing": True, "starts": self._games}
        known.values.pop("finals", None)
        self._untouched = dict(known.scores)

    def _over(self, known: Known) -> None:
        known.values["playing"] = False
        self._untouched = None
        finals = known.values.get("finals", ())
        known.scores |= {player: score for player, score in enumerate(finals, start=1) if score is not None}
