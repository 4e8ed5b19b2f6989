"""Final places: who came where once a division is over (T10.7, K3, K4, U5.4, E3.5, E4.6, L12).

Nothing is ranked here. Invariant: a place stands only where no tie that must be played off touches it, and who was put
out has none.
"""

from server.core.rules.results import StageResult
from server.core.rules.stages import chain
from server.core.rules.state import Division, State


def final_places(state: State) -> dict[str, int]:
    """Give the final place of each player who has one: of the skill division, where he played in several."""
    places: dict[str, int] = {}
    for division in sorted(state.divisions.values(), key=lambda division: not division.skill):
        given = _of_all(state, division) if state.head.preset.places == "all" else _of_the_last(state, division)
        for who, place in given.items():
            places.setdefault(who, place)
    return places


def _of_the_last(state: State, division: Division) -> dict[str, int]:
    """Give places to who played the last stage; who was put out leaves no hole."""
    last = list(division.stages.values())[-1]
    result = next((result for result in chain(state, division) if result.stage is last), None)
    if result is None or not (last.closed or result.complete) or any(tie.game is not None for tie in result.ties):
        return {}
    open_ties = {who for tie in result.ties for who in tie.tie.who}
    out = {who for who in result.ranks if state.players[who].is_out(division.name)}
    return {
        who: rank - sum(result.ranks[other] < rank for other in out)
        for who, rank in result.ranks.items()
        if who not in out and who not in open_ties
    }


def _of_all(state: State, division: Division) -> dict[str, int]:
    """E4.6: the final's and the play-off's places, then the stages before, down to qualifying, each once it is over."""
    places: dict[str, int] = {}
    results = chain(state, division)
    for result in reversed(results):
        if not (result.stage.closed or result.complete):
            continue
        open_ties = {who for tie in result.ties for who in tie.tie.who}
        gone_on = set(result.advance) | (set() if result.stage.form is None else _in_later(results, result))
        for who, rank in result.ranks.items():
            done = not result.following or (result.settled and who not in gone_on)
            if done and who not in open_ties and not state.players[who].is_out(division.name):
                places.setdefault(who, rank)
    _swap_stand_ins(state, results, places)
    return places


def _in_later(results: list[StageResult], result: StageResult) -> set[str]:
    """Give who plays in a stage that takes its field from this one."""
    return {who for later in results if later.stage in result.following for who in later.players} | (
        set(result.rest)
        if any(stage.form is not None and stage.form.takes == "rest" for stage in result.following)
        else set()
    )


def _swap_stand_ins(state: State, results: list[StageResult], places: dict[str, int]) -> None:
    """E3.4, E3.5: who was replaced has the rank from which his stand-by came; whose seat stayed empty, the next place.

    Who is still waiting as a stand-by has no place before the stage that he may come into is over.
    """
    for result in results[1:]:
        form = result.stage.form
        if form is None or form.vacancy != "standby":
            continue
        ranks = results[0].ranks
        over = result.stage.closed
        empty = [who for who, seat in zip(result.seeds, result.seats, strict=True) if seat is None]
        for who, seat in zip(result.seeds, result.seats, strict=True):
            if seat is not None and seat != who:
                places.pop(who, None)
                if over and seat in ranks:
                    places[who] = ranks[seat]
        for index, who in enumerate(empty):
            places.pop(who, None)
            if over:
                places[who] = len(result.players) + 1 + index
        if not over:
            waiting = {who for who, rank in ranks.items() if rank <= len(result.seeds) + state.settings.standby}
            for who in waiting:
                places.pop(who, None)
