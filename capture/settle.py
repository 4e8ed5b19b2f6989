"""Many readings over time become one settled reading; sans-IO, times are arguments (milliseconds).

Single pictures lie: wipes, blends, other numbers on the screen. Here readings vote. One invariant: nothing that was
settled once, even wrongly, can keep a later truth out: every rule below has a way back that time alone opens.
"""

from dataclasses import dataclass

from capture.vision.reading import Reading, ScoreReading


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What the display has been saying for long enough.

    `changed` names the players whose score differs from the settled reading before. `words` held still as well.
    """

    at: int
    scores: tuple[ScoreReading, ...]
    accepted: bool
    words: tuple[str, ...] = ()
    changed: tuple[int | None, ...] = ()
    why: str = ""
