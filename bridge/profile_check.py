"""Whether a profile fits together: what its single keys cannot tell.

Data only. Invariant: a complaint says what is wrong and between which keys.
"""

from collections.abc import Iterator

from hardware.profile import MachineProfile


def complaints(profile: MachineProfile) -> Iterator[str]:
    """What does not fit, a line each."""
    display = profile.display
    for number, part in enumerate(getattr(display, "windows", ()), start=1):
        if part.player is not None and part.player > profile.players:
            yield f"window {number} is player {part.player}'s, but players = {profile.players}"
    yield from _shared_windows(display)
    for number, part in enumerate(getattr(display, "lamps", ()), start=1):
        if part.player is not None and part.player > profile.players:
            yield f"lamp {number} is player {part.player}'s, but players = {profile.players}"
        if part.value > profile.max_score:
            yield f"lamp {number} is worth {part.value:,}, more than max_score"
    if profile.digits is not None and profile.score_quantum >= 10**profile.digits:
        yield f"score_quantum = {profile.score_quantum} has more digits than digits = {profile.digits}"
    if profile.max_score < profile.score_quantum:
        yield "max_score is smaller than score_quantum: no score is possible"


def _shared_windows(display: object) -> Iterator[str]:
    """Windows for the same score; those of dots are layouts of which one shows at a time."""
    if getattr(display, "type", "dmd") == "dmd":
        return
    windows: dict[int | None, list[str]] = {}
    for number, part in enumerate(getattr(display, "windows", ()), start=1):
        if part.shows == "score":
            windows.setdefault(part.player, []).append(str(number))
    for player, numbers in windows.items():
        if len(numbers) > 1:
            whose = "without a player" if player is None else f"of player {player}"
            yield f"windows {', '.join(numbers)} are all scores {whose}: give each a player of its own"
