"""Neutral venues: proposals for tie-break matches over the cut and for the last match of the playoffs (PC38, PC41).

Only proposing; the commissioner decides. Invariant: a venue that one of the teams calls home is proposed only where
there is no other.
"""

from collections.abc import Iterator, Sequence

from server.core.rules.results import StageResult
from server.core.rules.state import State
from server.core.rules.teams.playoffs import fields_of, knockout_of


def neutral_venues(state: State, results: Sequence[StageResult]) -> list[dict[str, object]]:
    """Give `stage`, `who` and `venues`, best first, of each match that is due at a neutral venue and has none yet."""
    return [
        {"stage": stage, "who": list(who), "venues": proposed(state, who)}
        for stage, who in _due(state, results)
        if not _is_settled(state, stage, who)
    ]


def proposed(state: State, who: Sequence[str]) -> list[str]:
    """PC41: order the venues that no team of these calls home: those where none has played in the playoffs first.

    Where each venue is somebody's home, those where none of them has played come first.
    """
    homes = {state.teams[team].head.home for team in who}
    played = {
        match.venue
        for match in state.matches.values()
        if match.stage.form is not None and (match.games or match.ended) and not set(match.teams).isdisjoint(who)
    }
    known = {team.head.home for team in state.teams.values()} | {one.head.venue for one in state.machines.values()}
    venues = sorted((venue in homes, venue in played, venue) for venue in known if venue is not None)
    neutral = [venue for at_home, _, venue in venues if not at_home]
    return neutral or [venue for _, _, venue in sorted(venues, key=lambda one: (one[1], one[2]))]


def _due(state: State, results: Sequence[StageResult]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for result in results:
        form = result.stage.form
        if form is None:
            yield from ((result.stage.id, one.tie.who) for one in result.ties if one.tie.reason == "cut")
        elif form.kind == "playoffs" and not result.settled:
            beaten = knockout_of(state, result.stage).beaten
            for field in fields_of(state, result.players).values():
                left = tuple(team for team in field if team not in beaten)
                if len(left) == 2 and len(field) > 2:
                    yield result.stage.id, left


def _is_settled(state: State, stage: str, who: Sequence[str]) -> bool:
    """Say whether a match of just these teams is set already, at a venue that is no home of theirs."""
    homes = {state.teams[team].head.home for team in who}
    return any(
        match.stage.id == stage
        and set(match.teams) == set(who)
        and match.venue is not None
        and match.venue not in homes
        for match in state.matches.values()
        if match.tiebreak or match.stage.form is not None
    )
