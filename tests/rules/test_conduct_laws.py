"""Laws of the code of conduct, tried over made-up tournaments of every preset with offences thrown in (CC5 to CC8)."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from server.core.rules import PRESETS, Running, evaluate, parse
from tests.properties.tournaments import Document, play

AT_ONCE = ("violence", "vandalism")
LADDER = ("interference", "cheating", *AT_ONCE)
MOST_ENTRIES = 120


def with_offences(preset: str, seed: int) -> Document:
    """Give a made-up tournament of a preset under the code of conduct, in which two people commit offences."""
    document, chance = play(preset, seed), Random(f"{preset} {seed}")  # noqa: S311 - made up
    log = list(document["log"])[:MOST_ENTRIES]
    people = [player["id"] for player in document.get("players", ())]
    people += [member["id"] for team in document.get("teams", ()) for member in team.get("roster", ())]
    offenders = chance.sample(people, 2)
    for _ in range(8):
        place, who = chance.randint(len(log) // 3, len(log)), chance.choice(offenders)
        offence = chance.choice((*("interference",) * 9, *LADDER))
        games = [entry["game"] for entry in log[:place] if next(iter(entry)) == "game" and who in entry["scores"]]
        named = {"game": chance.choice(games)} if games and chance.random() < 0.9 else {}
        log.insert(place, {"penalty": who, "for": offence, **named})
    return {**document, "rules": {**document.get("rules", {}), "conduct": "2cp"}, "log": log}


def accepted(document: Document, state: Mapping[str, Any]) -> list[tuple[int, Mapping[str, Any]]]:
    refused = {one["entry"] for one in state["refused"]}
    return [(number, entry) for number, entry in enumerate(document["log"], 1) if number not in refused]


def counted(document: Document, state: Mapping[str, Any], who: str) -> int:
    """CC5, CC7: the offences of a player one by one; violence and vandalism are the fourth at least."""
    count = 0
    for _, entry in accepted(document, state):
        if entry.get("penalty") == who and entry["for"] in LADDER:
            count = max(4, count + 1) if entry["for"] in AT_ONCE else count + 1
    return count


CASES = [pytest.param(preset, seed, id=f"{preset}-{seed}") for preset in PRESETS for seed in range(2)]


@pytest.mark.parametrize(("preset", "seed"), CASES)
def test_offences_are_counted_for_each_player_alone_and_the_fourth_suspends(preset: str, seed: int):
    document = with_offences(preset, seed)
    state = evaluate(parse(document))
    for player in state["players"]:
        cheated = any(
            entry.get("penalty") == player["id"] and entry["for"] == "cheating"
            for _, entry in accepted(document, state)
        )
        assert player["offences"] == counted(document, state, player["id"])
        assert (player["status"] == "suspended") == (cheated or player["offences"] >= 4)


@pytest.mark.parametrize(("preset", "seed"), CASES)
def test_who_is_suspended_is_in_no_table_has_no_place_and_plays_no_more(preset: str, seed: int):
    document = with_offences(preset, seed)
    state = evaluate(parse(document))
    out = {player["id"] for player in state["players"] if player["status"] == "suspended"}
    assert not any("place" in player for player in state["players"] if player["id"] in out)
    for stage in state["stages"]:
        if preset != "single-elimination":  # there he keeps the round in which he went out, and his seed
            assert out.isdisjoint(row["who"] for row in stage["standings"])
        assert stage["status"] == "closed" or out.isdisjoint(stage["advance"])
    for who in out:
        last = max(number for number, entry in accepted(document, state) if entry.get("penalty") == who)
        ended = next(
            number
            for number, _ in accepted(document, state)
            if number <= last and suspended_after(document, number, who)
        )
        later = [entry for number, entry in accepted(document, state) if number > ended and next(iter(entry)) == "game"]
        assert not any(who in entry["scores"] for entry in later)


@pytest.mark.parametrize(("preset", "seed"), CASES)
def test_a_fold_that_is_carried_on_says_what_a_walk_over_the_whole_log_says(preset: str, seed: int):
    whole = parse(with_offences(preset, seed))
    running = Running()
    for length in range(0, len(whole.log) + 1, 5):
        tournament = replace(whole, log=whole.log[:length])
        assert running.evaluate(tournament) == evaluate(tournament)


def suspended_after(document: Document, number: int, who: str) -> bool:
    state = evaluate(parse({**document, "log": document["log"][:number]}))
    return any(player["id"] == who and player["status"] == "suspended" for player in state["players"])
