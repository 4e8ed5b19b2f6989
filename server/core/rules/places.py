"""Final places: who came where once a division is over (T10.7, K3, K4, U5.4, E3.5, E4.6, L12).

Nothing is ranked here. Invariant: a place stands only where no tie that must be played off touches it, and who was put
out has none.
"""

from server.core.rules.machine_points import standby_of
from server.core.rules.one_game import spent
from server.core.rules.ranking import without
from server.core.rules.results import StageResult
from server.core.rules.stages import chain
from server.core.rules.state import Division, State


def final_places(state: State) -> dict[str, int]:
    """Give the final place of each player who has one: of the skill division, where he played in several."""
    if state.head.preset.teams:
        return {}  # teams have places, see `teams.output`
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
    return {who: place for who, place in without(result.ranks, out).items() if who not in open_ties}


def _of_all(state: State, division: Division) -> dict[str, int]:
    """E4.6: the final's and the play-off's places, then the stages before, down to qualifying, each once it is over."""
    places: dict[str, int] = {}
    results = chain(state, division)
    for result in reversed(results):
        given = result.places
        if given is None and not (result.stage.closed or result.complete):
            continue
        if given is None:
            given = _behind_the_cut(results, result) if result.following else _in_a_last_stage(state, result)
        for who, place in given.items():
            if not state.players[who].is_out(division.name):
                places.setdefault(who, place)
    _withhold_stand_bys(state, division, results, places)
    _swap_stand_ins(state, results, places)
    return places


def _in_a_last_stage(state: State, result: StageResult) -> dict[str, int]:
    """Give the places of a stage after which there is none; who was put out leaves no hole.

    Nobody who is in an open tie has one, nor do several who have no score though they were not absent: a game is
    missing there.
    """
    out = {who for who in result.ranks if state.players[who].is_out(result.stage.division)}
    idle = {str(row["who"]) for row in result.rows if not row["machines"]} - result.stage.absent.keys() - out
    idle -= spent(state, result.stage)
    withheld = {who for tie in result.ties for who in tie.tie.who} | (idle if len(idle) > 1 else set())
    return {who: place for who, place in without(result.ranks, out).items() if who not in withheld}


def _behind_the_cut(results: list[StageResult], result: StageResult) -> dict[str, int]:
    """Give the places of who does not go on from a stage and ranks behind everybody who does, or who may by a tie.

    Who was passed over among those who go on has none: officials say where he is placed. In groups of one game all go
    on, so who does not was absent: he is behind them.
    """
    tied = {who for tie in result.ties for who in tie.tie.who}
    later = {who for other in results if other.stage in result.following for who in other.players}
    rest = any(stage.form is not None and stage.form.takes == "rest" for stage in result.following)
    going = {*result.advance, *later, *(result.rest if rest else ()), *tied}
    if result.stage.form is not None and result.stage.form.go_on_each is not None:
        return {who: len(going) + 1 for who in result.ranks if who not in going} if rest and result.settled else {}
    if not (result.settled or tied):
        return {}
    stand_ins = later - {who for other in results if other.stage in result.following for who in other.seeds}
    last = max((result.ranks[who] for who in going - stand_ins if who in result.ranks), default=0)
    return {who: rank for who, rank in result.ranks.items() if who not in going and rank > last}


def _withhold_stand_bys(state: State, division: Division, results: list[StageResult], places: dict[str, int]) -> None:
    """E2.7: who may still be called as a stand-by has no place before the stage that he may come into is over."""
    for stage in division.stages.values():
        if stage.form is None or stage.form.vacancy != "standby" or stage.closed:
            continue
        there = next((result for result in results if result.stage is stage), None)
        seeds, called = (there.seeds, 0) if there is not None else _perhaps_in(results[0])
        for tied in standby_of(state, stage, results[0], seeds):
            if called >= state.settings.standby:
                break
            called += len(tied)
            for who in tied:
                if who not in stage.absent:
                    places.pop(who, None)


def _perhaps_in(result: StageResult) -> tuple[tuple[str, ...], int]:
    """Give who goes on or may by a tie, and how many of those will be the first stand-bys instead."""
    perhaps = (*result.advance, *(who for tie in result.ties for who in tie.tie.who))
    return perhaps, max(0, len(perhaps) - result.cut)


def _swap_stand_ins(state: State, results: list[StageResult], places: dict[str, int]) -> None:
    """E3.4, E3.5: who was replaced has the rank from which his stand-by came; whose seat stayed empty, the next place.

    A replacement is settled when the stage is over, or when the stand-by has played.
    """
    for result in results[1:]:
        form = result.stage.form
        if form is None or form.vacancy != "standby":
            continue
        ranks, over = results[0].ranks, result.stage.closed
        played = {who for game in result.stage.games for who in game.who}
        empty = [who for who, seat in zip(result.seeds, result.seats, strict=True) if seat is None]
        swapped = {
            who: ranks[seat]
            for who, seat in zip(result.seeds, result.seats, strict=True)
            if seat is not None and seat != who and seat in ranks and (over or seat in played)
        }
        if over:
            swapped |= {who: len(result.players) + 1 + index for index, who in enumerate(empty)}
        for who in result.seeds:
            if who not in result.players:
                places.pop(who, None)
                if who in swapped and not state.players[who].is_out(result.stage.division):
                    places[who] = swapped[who]
