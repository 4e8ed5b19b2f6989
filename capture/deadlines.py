"""Moments at which time itself has something to say. Here: choosing among them. None: nothing is due."""


def earliest(*moments: int | None) -> int | None:
    """The first of these moments."""
    return min((moment for moment in moments if moment is not None), default=None)
