"""Laws of leagues and team systems, each tried on seasons and tournaments that are made up from a seed.

They know the format of the output and nothing of how anything is decided.
"""

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from server.core.rules import Running, evaluate, parse, with_entry
from tests.properties import groups_made_up, league_made_up, league_results
from tests.properties.laws import rename
from tests.properties.tournaments import Document

SEEDS = range(6)
MADE: Mapping[str, Callable[[int], Document]] = {
    "league": lambda seed: league_made_up.season(seed, teams=3, weeks=2, wild=0.15),
    "results": league_results.results,
    "uk-team": lambda seed: groups_made_up.tournament(seed, "uk-team"),
    "epc-country": lambda seed: groups_made_up.tournament(seed, "epc-country"),
}
made = pytest.mark.parametrize("document", [make(seed) for make in MADE.values() for seed in SEEDS])
league = pytest.mark.parametrize("document", [MADE["league"](seed) for seed in range(10)])


def state_of(document: Document) -> dict[str, Any]:
    """What the rules say of a document."""
    return evaluate(parse(document))


def shown(state: Mapping[str, Any]) -> str:
    """The output without the numbers of log entries, and so without its sentences."""
    found = deepcopy({key: state[key] for key in ("stages", "players", "machines")})
    found["matches"] = [
        {key: match[key] for key in ("id", "points", "winner", "status") if key in match} for match in state["matches"]
    ]
    return json.dumps(found)


@made
def test_a_refused_entry_changes_nothing(document: Document):
    state = state_of(document)
    refused = {item["entry"] for item in state["refused"]}
    without = state_of(document | {"log": [e for n, e in enumerate(document["log"], 1) if n not in refused]})
    assert without["refused"] == []
    assert shown(without) == shown(state)


@made
def test_the_same_log_gives_the_same_output_and_a_state_carried_on_too(document: Document):
    tournament, running = parse(document | {"log": []}), Running()
    chance = Random(len(document["log"]))  # noqa: S311 - the same for the same document
    for entry in document["log"]:
        tournament = with_entry(tournament, entry)
        if chance.random() < 0.15:
            assert running.evaluate(tournament) == evaluate(tournament)
    assert running.evaluate(tournament) == state_of(deepcopy(document)) == state_of(document)


@made
def test_names_decide_nothing(document: Document):
    games = {entry["game"]: f"z{number}" for number, entry in enumerate(document["log"]) if next(iter(entry)) == "game"}
    matches = {e["match"]: f"y{number}" for number, e in enumerate(document["log"]) if next(iter(e)) == "match"}
    other = rename(document, games | matches)
    other["teams"] = [team | {"name": f"Renamed {number}"} for number, team in enumerate(other["teams"])]
    back = {new: old for old, new in (games | matches).items()}
    one, again = state_of(document), rename(state_of(other), back)
    assert [match["points"] for match in again["matches"]] == [match["points"] for match in one["matches"]]
    assert [
        [(row["who"], row["rank"], row.get("points")) for row in stage["standings"]] for stage in again["stages"]
    ] == [[(row["who"], row["rank"], row.get("points")) for row in stage["standings"]] for stage in one["stages"]]
    assert [stage["advance"] for stage in again["stages"]] == [stage["advance"] for stage in one["stages"]]


@league
def test_points_of_a_match_are_what_was_at_stake_less_what_went_to_nobody(document: Document):
    settings = {"singles_points": 1, "doubles_points": 2} | document["rules"]
    stake = 8 * settings["singles_points"] + 4 * settings["doubles_points"]
    for match in state_of(document)["matches"]:
        whole = {item.get("for") for item in match.get("forfeits", ()) if item["slot"] is None}
        if whole - {"left-early"}:
            continue
        won = sum(sum(game["points"].values()) for game in match.get("games", ()))
        assert sum(match["points"].values()) <= stake
        assert won <= sum(match["points"].values())
        leavers = {item["team"] for item in match.get("forfeits", ()) if item["slot"] is None}
        if len(leavers) != 1 and not match.get("forfeits"):
            assert won == sum(match["points"].values())


@league
def test_a_game_voided_and_played_again_gives_what_it_gave(document: Document):
    log = document["log"]
    refused = {item["entry"] for item in state_of(document)["refused"]}
    said = {entry.get(kind) for entry in log for kind in ("correct", "ruling", "void", "challenge")}
    said |= {entry["game"] for entry in log if next(iter(entry)) == "penalty" and "game" in entry}
    for number, entry in enumerate(log, 1):
        whole = next(iter(entry)) == "game" and number not in refused and len(entry["scores"]) > 2
        if whole and entry["game"] not in said and "tiebreak" not in entry and "started_at" not in entry:
            at = {"at": entry["at"]} if "at" in entry else {}
            again = [entry, {"void": entry["game"], "why": "wrong slot"} | at, entry | {"game": "restored"}]
            one, other = state_of(document), state_of(document | {"log": [*log[: number - 1], *again, *log[number:]]})
            for key in ("id", "points", "winner"):
                assert [m.get(key) for m in other["matches"]] == [m.get(key) for m in one["matches"]]
            break


@made
def test_matches_of_others_may_be_recorded_in_any_order(document: Document):
    log = document["log"]
    for index in range(len(log) - 1):
        one, other = log[index : index + 2]
        if next(iter(one)) == next(iter(other)) == "game" and "match" in one and "match" in other:
            teams = [
                {
                    team
                    for e in log
                    if e.get("match") == game["match"] and "home" in e
                    for team in (e["home"], e["away"])
                }
                for game in (one, other)
            ]
            if teams[0] & teams[1] or "tiebreak" in one or "tiebreak" in other:
                continue
            swapped = [*log[:index], other, one, *log[index + 2 :]]
            assert shown(state_of(document | {"log": swapped})) == shown(state_of(document))


@pytest.mark.parametrize("seed", range(40))
def test_a_rung_of_the_ladder_decides_only_where_the_ones_above_are_equal(seed: int):
    state = state_of(league_results.results(seed))
    teams = {team["id"]: team.get("division") for team in league_results.results(seed)["teams"]}
    rows = state["stages"][0]["standings"]
    for one in rows:
        for other in rows:
            if teams[one["who"]] != teams[other["who"]] or one["rank"] >= other["rank"]:
                continue
            played = [max(1, row["wins"] + row["losses"]) for row in (one, other)]
            first, second = one["wins"] * played[1], other["wins"] * played[0]
            assert first >= second
            assert first > second or one["points"] >= other["points"]
