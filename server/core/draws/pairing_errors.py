"""What can be impossible about a draw: who asks can ask for something else, so the text says what there is and why.

Only that lives here; an impossible draw is never answered by a bad one.
"""

from collections.abc import Sequence

from server.errors import InputInvalid

MOST_PLAYERS = 1000


class PairingImpossible(InputInvalid):
    """No draw of the kind asked for exists, or the question itself is wrong. One line, for the director."""


def check_names(names: Sequence[str], noun: str, most: int = MOST_PLAYERS) -> None:
    """Raise PairingImpossible where one is named twice, or where there are more than `most`."""
    if len(names) > most:
        raise PairingImpossible(f"{len(names)} {noun}s are too many: at most {most}")
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise PairingImpossible(f"{noun} {name} is named twice")
        seen.add(name)
