"""The rules that a line-up and a recorded game are both held against, one after the other (PC8, PC9, PC20, PC21).

Invariant: only games that have changed can break a rule; what stands already is not judged again.
"""

from collections.abc import Collection

from server.core.rules.state import State
from server.core.rules.teams.lineups_sheet import Key, Sheet
from server.core.rules.teams.pairs import alone_again, pairs_again, plays_twice
from server.core.rules.teams.restricted import restricted_astray
from server.core.rules.teams.state import Match


def broken_by(state: State, match: Match, sheet: Sheet, team: str, changed: Collection[Key]) -> str | None:
    """Say which rule the changed games of a sheet break for a team, None where they break none."""
    return (
        plays_twice(sheet, team, changed)
        or pairs_again(sheet, team, changed)
        or alone_again(sheet, team, changed)
        or restricted_astray(state, match, sheet, changed)
    )
