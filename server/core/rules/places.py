"""Final places: who came where once a division is over (T10.7, K3, K4).

Nothing is ranked here. Invariant: a place stands only where no tie that must be played off touches it, and who was put
out has none.
"""

from server.core.rules.stages import chain
from server.core.rules.state import State


def final_places(state: State) -> dict[str, int]:
    """Give the final place of each player who has one: of the skill division, where he played in several."""
    places: dict[str, int] = {}
    for division in sorted(state.divisions.values(), key=lambda division: not division.skill):
        last = list(division.stages.values())[-1]
        for result in chain(state, division):
            if result.stage is last and last.closed and not any(tie.game is not None for tie in result.ties):
                open_ties = {who for tie in result.ties for who in tie.tie.who}
                out = {who for who in result.ranks if state.players[who].is_out(division.name)}
                for who, rank in result.ranks.items():
                    if who not in out and who not in open_ties:
                        passed_over = sum(result.ranks[other] < rank for other in out)
                        places.setdefault(who, rank - passed_over)
    return places
