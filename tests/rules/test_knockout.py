"""Single elimination: whole brackets that Hypothesis plays, with corrections and absences on the way."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.core.rules import Running, evaluate, parse, with_entry
from server.core.rules.knockout_matches import Bout
from server.core.rules.stages import chain

State = dict[str, Any]

quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
sizes = st.integers(2, 17)


def state_of(size: int, log: list[dict[str, Any]], **rules: object) -> State:
    players = [{"id": f"p{number:02}"} for number in range(1, size + 1)]
    head = {"inlane": 1, "preset": "single-elimination", "players": players, "machines": [{"id": "m1"}]}
    state: State = evaluate(parse({**head, "rules": rules, "log": log}))
    return state


def bracket(state: State) -> Mapping[str, Any]:
    return next(stage for stage in state["stages"] if stage["id"] == "bracket")


def places(state: State) -> dict[str, int]:
    return {player["id"]: player["place"] for player in state["players"] if "place" in player}


def due(state: State, best_of: int) -> list[Mapping[str, Any]]:
    """Give the matches that are not decided, as the output shows them."""
    need = best_of // 2 + 1
    return [match for match in bracket(state)["groups"] if all(row["points"] < need for row in match["standings"])]


def play_on(size: int, log: list[dict[str, Any]], choice: st.DataObject, **rules: int) -> State:
    """Play until nothing is due, in any order, with any winners. Gives the last state."""
    best_of = rules.get("best_of", 1)
    while open_ := due(state := state_of(size, log, **rules), best_of):
        match = choice.draw(st.sampled_from(open_))
        first = choice.draw(st.booleans())
        one, other = match["who"]
        scores = {one: 2 if first else 1, other: 1 if first else 2}
        log.append({"game": f"g{len(log)}", "machine": "m1", "scores": scores, "group": match["id"]})
    return state


@settings(quick, max_examples=20)
@given(sizes, st.sampled_from([1, 3]), st.booleans(), st.data())
def test_every_bracket_ends_with_one_winner_and_places_by_rounds(
    size: int, best_of: int, third: object, data: st.DataObject
):
    log: list[dict[str, Any]] = []
    state = play_on(size, log, data, best_of=best_of, third_place=third)
    assert (state["refused"], state["flags"]) == ([], [])
    assert bracket(state)["status"] == "closed"
    found = Counter(places(state).values())
    expected = Counter({1: 1, 2: 1})
    round_ = 2
    while round_ < size:
        out = min(2 * round_, size) - round_
        expected[round_ + 1] += out
        round_ *= 2
    if third and size >= 4:
        expected[3], expected[4] = 1, 1
    assert found == expected
    wins = Counter(row["who"] for match in bracket(state)["groups"] for row in match["standings"] if row["rank"] == 1)
    ranks = {row["who"]: row["rank"] for row in bracket(state)["standings"]}
    assert ranks == places(state)
    assert {row["who"]: row["points"] for row in bracket(state)["standings"]} == {who: wins[who] for who in ranks}


@quick
@given(st.integers(4, 9), st.data())
def test_a_correction_is_as_if_it_had_been_recorded_so_where_nothing_followed(size: int, data: st.DataObject):
    log: list[dict[str, Any]] = []
    play_on(size, log, data)
    last = log[-1]
    turned = {who: 3 - score for who, score in last["scores"].items()}
    corrected = state_of(size, [*log, {"correct": last["game"], "scores": turned, "why": "misread"}])
    assert corrected["stages"] == state_of(size, [*log[:-1], last | {"scores": turned}])["stages"]


@quick
@given(st.integers(3, 9), st.data())
def test_whatever_is_corrected_who_has_begun_to_play_stands_and_it_is_said(size: int, data: st.DataObject):
    log: list[dict[str, Any]] = []
    state = play_on(size, log, data)
    game = data.draw(st.sampled_from(log))
    turned = {who: 3 - score for who, score in game["scores"].items()}
    after = state_of(size, [*log, {"correct": game["game"], "scores": turned, "why": "misread"}])
    matches = {match["id"]: match["who"] for match in bracket(state)["groups"]}
    assert {match["id"]: match["who"] for match in bracket(after)["groups"]} == matches
    assert bool(after["flags"]) == (game["group"] != "final")
    assert after["refused"] == []
    assert sorted(places(after).values()) == sorted(places(state).values())


@quick
@given(st.integers(2, 9), st.sets(st.integers(1, 9)), st.data())
def test_who_does_not_come_stops_nobody(size: int, missing: set[int], data: st.DataObject):
    log: list[dict[str, Any]] = [{"absent": f"p{n:02}", "stage": "bracket"} for n in sorted(missing) if n <= size]
    while True:
        state = state_of(size, log)
        gone = {entry["absent"] for entry in log if "absent" in entry}
        open_ = [match for match in due(state, 1) if not gone & set(match["who"])]
        if not open_:
            break
        one, other = data.draw(st.sampled_from(open_))["who"]
        log.append({"game": f"g{len(log)}", "machine": "m1", "scores": {one: 2, other: 1}})
    assert bracket(state)["status"] == "closed"
    left = {f"p{n:02}" for n in range(1, size + 1)} - gone
    assert [row["who"] for row in bracket(state)["standings"] if row["rank"] == 1 and row["who"] in left] == sorted(
        who for who, place in places(state).items() if place == 1
    )
    assert len([who for who, place in places(state).items() if place == 1]) == min(1, len(left))
    assert not gone & places(state).keys()


def test_a_further_game_changes_only_the_matches_that_hang_on_it():
    players = [{"id": f"p{number:02}"} for number in range(1, 33)]
    head = {"inlane": 1, "preset": "single-elimination", "players": players, "machines": [{"id": "m1"}], "log": []}
    tournament, running = parse(head), Running()
    before: Mapping[str, Bout] = {}
    for number in range(1, 17):
        bouts = chain(running.state_after(tournament), next(iter(running.state_after(tournament).divisions.values())))
        before = bouts[-1].bouts
        scores = {f"p{number:02}": 2, f"p{33 - number:02}": 1}
        tournament = with_entry(tournament, {"game": f"g{number}", "machine": "m1", "scores": scores})
    state = running.state_after(tournament)
    after = chain(state, next(iter(state.divisions.values())))[-1].bouts
    assert state.refused == []
    assert sum(after[name] is not bout for name, bout in before.items()) == 5
