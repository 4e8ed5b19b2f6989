"""What a match of the league keeps for whoever shows it, and what a later entry changes of an earlier one."""

from typing import Any

import pytest

from server.core.rules import Running, evaluate, fold, parse, with_entry
from server.core.rules.teams.league import (
    complete,
    declares_first,
    plays_first,
    side_of_first,
    slot_results,
    slots_of,
)

PLAYERS = {team: [f"{team.lower()}{number}" for number in range(1, 7)] for team in ("H", "A")}
HEAD: dict[str, Any] = {
    "inlane": 1,
    "preset": "pinball-chicago",
    "teams": [
        {"id": team, "home": "v1", "captain": players[0], "roster": [{"id": who} for who in players]}
        for team, players in PLAYERS.items()
    ],
    "machines": [{"id": f"m{number}", "players": 4, "venue": "v1"} for number in range(1, 5)],
}
MATCH = {"match": "x1", "home": "H", "away": "A", "venue": "v1"}


def game(name: str, number: int, slot: int, scores: dict[str, int], **more: object) -> dict[str, Any]:
    """A game of the match."""
    return {
        "game": name,
        "match": "x1",
        "round": number,
        "slot": str(slot),
        "machine": f"m{slot}",
        "scores": scores,
        **more,
    }


def test_a_match_has_twelve_games_and_sixteen_points():
    settings = parse(HEAD).head.settings

    assert [(slot.round, slot.slot, slot.points) for slot in slots_of(settings)] == [
        *((1, name, 2) for name in "12"),
        *((2, name, 1) for name in "1234"),
        *((3, name, 1) for name in "1234"),
        *((4, name, 2) for name in "12"),
    ]


def test_the_away_team_declares_first_in_odd_rounds_and_plays_second():
    match = fold(parse({**HEAD, "log": [MATCH]})).matches["x1"]

    assert [side_of_first(number) for number in (1, 2, 3, 4)] == ["away", "home", "away", "home"]
    assert [declares_first(match, number) for number in (1, 2, 3, 4)] == ["A", "H", "A", "H"]
    assert [plays_first(match, number) for number in (1, 2, 3, 4)] == ["H", "A", "H", "A"]


def test_a_slot_says_its_sums_its_games_and_who_lost_it_whatever_they_are():
    log = [
        MATCH,
        game("g1", 1, 1, {"h1": 9, "a1": 1, "h2": 9, "a2": 1}),
        {"penalty": "h1", "for": "slam-tilt", "game": "g1"},
        game("g2", 1, 2, {"h3": 5, "a3": 5, "h4": 5, "a4": 5}),
        {"forfeit": "x1", "team": "A", "round": 2, "slot": "1"},
        {"forfeit": "x1", "team": "H", "round": 2, "slot": "1"},
        game("g3", 2, 2, {"a2": 7}),
    ]
    state = fold(parse({**HEAD, "log": log}))
    first, second, third, fourth, *rest = slot_results(state, state.matches["x1"])

    assert (first.status, first.winner, first.lost, first.games) == ("won", "A", ("H",), ("g1",))
    assert (dict(first.sums), dict(first.points)) == ({"H": 18, "A": 2}, {"A": 2})
    assert (second.status, second.winner, dict(second.points)) == ("level", None, {})
    assert (third.status, third.lost) == ("nobody", ("H", "A"))
    assert (fourth.status, dict(fourth.sums)) == ("partial", {"H": None, "A": 7})
    assert {one.status for one in rest} == {"open"}
    assert not complete(state, state.matches["x1"])


def test_a_challenge_turns_out_too_late_with_the_game_that_shows_it():
    log = [
        MATCH,
        game("g1", 1, 1, {"h1": 9, "a1": 1, "h2": 9, "a2": 1}, at="2024-09-03T20:30"),
        {"challenge": "g1", "team": "A", "at": "2024-09-03T20:50"},
    ]
    late = game("g2", 2, 1, {"a1": 2, "h1": 1}, started_at="2024-09-03T20:45", at="2024-09-03T21:00")
    running, before = Running(), parse({**HEAD, "log": log})
    shown: Any = running.evaluate(before)

    assert [flag["kind"] for flag in shown["flags"]] == ["challenge"]
    assert running.refusal(before, late) is None

    after = with_entry(before, late)
    shown = running.evaluate(after)

    assert shown == evaluate(after)
    assert [item["entry"] for item in shown["refused"]] == [3]
    assert shown["flags"] == []


@pytest.mark.parametrize(
    "entry",
    [
        {"penalty": "H", "for": "death-save", "game": "g1"},
        {"penalty": "H", "for": "practice", "match": "x1"},
        {"penalty": "h1", "for": "slam-tilt", "match": "x9", "round": 1, "slot": "1"},
        {"penalty": "h1", "for": "slam-tilt", "match": "x1", "round": 99, "slot": "1"},
        {"penalty": "nobody", "for": "slam-tilt", "game": "g1"},
        {"forfeit": "x1", "team": "h1"},
        {"challenge": "g1", "team": "h1"},
        {"challenge": "x1", "team": "H"},
        {"terms": "g1", "balls": 3},
        {"end": "g1"},
        {"end": "x1"},
        {"decision": "winner", "match": "x1", "team": "H"},
        {"decision": "winner", "team": "H"},
        {"absent": "h1", "match": "x1", "with": "h2"},
        {"absent": "H", "match": "x9"},
        game("g2", 1, 1, {"H": 5, "A": 6}),
        game("g2", 1, 2, {"h1": 5, "zz": 6}),
        game("g2", 1, 2, {"h3": 5, "a3": 6}, tiebreak=True),
        game("g2", 1, 2, {"h3": 5, "a3": 6}, tiebreak="g1"),
        game("g2", 1, 2, {"h3": 5, "a3": 6}, tiebreak="g9"),
        game("g2", 1, 2, {"h3": 5, "a3": 6, "h4": 1, "a4": 1}, stage="playoffs"),
        {"game": "g2", "machine": "m1", "scores": {"H": 1, "A": 2}, "tiebreak": True},
    ],
    ids=str,
)
def test_what_is_refused_of_a_match_changes_nothing_and_says_why(entry: dict[str, Any]):
    log = [
        MATCH,
        game("g1", 1, 1, {"h1": 9, "a1": 8, "h2": 1, "a2": 1}),
        {"forfeit": "x1", "team": "H", "round": 2, "slot": "1"},
        {"forfeit": "x1", "team": "H", "round": 3, "slot": "1"},
    ]
    before: Any = evaluate(parse({**HEAD, "log": log}))
    after: Any = evaluate(parse({**HEAD, "log": [*log, entry]}))

    refused = after["refused"]
    assert [item["entry"] for item in refused] == [len(log) + 1]
    assert len(refused[0]["why"]) > 10
    assert after | {"refused": []} == before
