"""What a captain is told before declaring: whose turn it is, which machines and players may be named."""

from typing import Any

from server.core.rules.teams.lineups_turns import Choices, Turn, choices, turns
from server.core.rules.tournament import parse
from server.core.rules.walk import fold

SET = {"match": "x1", "home": "H", "away": "A", "venue": "v1"}
FIRST = {
    "lineup": "x1",
    "round": 1,
    "team": "A",
    "games": [
        {"slot": "1", "machine": "m1", "players": ["a1", "a2"]},
        {"slot": "2", "machine": "m2", "players": ["a3", "a4"]},
    ],
}
SECOND = {
    "lineup": "x1",
    "round": 1,
    "team": "H",
    "games": [{"slot": "1", "players": ["h2", "h3"]}, {"slot": "2", "players": ["h4", "h5"]}],
}


def team(name: str) -> dict[str, Any]:
    roster = [{"id": f"{name.lower()}{number}", "role": "starter"} for number in range(1, 7)]
    return {"id": name, "captain": roster[0]["id"], "roster": roster}


def told(*log: dict[str, object], number: int = 1) -> tuple[Turn, Choices]:
    machines = [{"id": f"m{one}", "venue": "v1"} for one in range(1, 4)] + [{"id": "n1", "venue": "v2"}]
    head = {
        "inlane": 1,
        "preset": "pinball-chicago",
        "players": [{"id": "h1", "wppr_rank": 150}, {"id": "a1", "wppr_rank": 3}],
        "teams": [team("H"), team("A")],
        "machines": machines,
    }
    state = fold(parse({**head, "log": [SET, *log]}))
    assert state.refused == []
    match = state.matches["x1"]
    turn = turns(state, match, number)
    return turn, choices(state, match, turn, None)


def test_the_away_team_begins_and_names_machines_of_the_venue_that_work():
    turn, free = told({"machine": "m3", "status": "down"})
    assert (turn.team, turn.slots, turn.again, turn.complete) == ("A", ("1", "2"), False, False)
    assert free.machines == {"m1": None, "m2": None, "m3": "PC36: m3 is down"}
    assert set(free.players["1"].values()) == {None}


def test_the_home_team_answers_and_is_told_who_may_meet_whom():
    turn, free = told(FIRST)
    assert (turn.team, turn.declared, free.machines) == ("H", ("A",), {})
    assert free.players["1"]["h1"] is None
    assert str(free.players["2"]["h1"]).startswith("PC20: h1 is of the top 150")


def test_a_round_that_both_have_declared_waits_for_nobody():
    turn, free = told(FIRST, SECOND)
    assert (turn.team, turn.complete, free.players) == (None, True, {})


def test_after_a_breakdown_the_chooser_comes_first_and_the_others_may_follow():
    failed = {"machine": "m1", "status": "disabled"}
    turn, free = told(FIRST, SECOND, failed)
    assert (turn.team, turn.slots, turn.again, turn.complete) == ("A", ("1",), True, False)
    assert str(free.players["1"]["a3"]).startswith("PC8")
    again = {
        "lineup": "x1",
        "round": 1,
        "team": "A",
        "games": [{"slot": "1", "machine": "m3", "players": ["a1", "a5"]}],
    }
    turn, free = told(FIRST, SECOND, failed, again)
    assert (turn.team, turn.slots, turn.again, turn.complete) == ("H", ("1",), True, True)
    assert free.players["1"]["h2"] is None


def test_a_match_that_is_over_is_nobodys_turn():
    turn, _ = told(FIRST, {"forfeit": "x1", "team": "H"})
    assert turn.team is None
