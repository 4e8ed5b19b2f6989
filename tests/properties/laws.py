"""The laws that hold for every tournament whatever its rules, each a function that fails on a document that breaks it.

They know the format of the output and nothing of how anything is ranked. Each takes the document of a tournament and a
source of chance, and raises AssertionError.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from random import Random
from typing import Any, TypeVar, cast

from server.core.rules import PRESETS, Running, evaluate, parse, refusal, with_entry
from tests.properties.rounds_made_up import is_in_rounds
from tests.properties.tournaments import Document

T = TypeVar("T")
Output = Mapping[str, Any]
Law = Callable[[Document, Random], None]


def state_of(document: Document) -> dict[str, Any]:
    """What the rules say of a document."""
    return evaluate(parse(document))


def the_same_log_gives_the_same_output(document: Document, _chance: Random) -> None:
    """Replay is deterministic, and the output is JSON."""
    first = state_of(document)
    assert state_of(deepcopy(document)) == first
    assert json.loads(json.dumps(first)) == first


def names_decide_nothing(document: Document, chance: Random) -> None:
    """Neither names nor ids, nor the order of players, decide anything; an id only orders equals in a list."""
    people = [player["id"] for player in document["players"]]
    fresh = [f"q{number:02}" for number in range(len(people))]
    games = {
        entry["game"]: f"x{chance.randrange(10**9):09}" for entry in document["log"] if next(iter(entry)) == "game"
    }
    names: dict[str, str] = dict(zip(people, chance.sample(fresh, len(fresh)), strict=True)) | games
    if is_in_rounds(document["preset"]):
        names = games  # chance goes on from the order of the ids, so that the order of the list decides nothing
    other = rename(document, names) | {"tournament": document["tournament"]}
    other["players"] = [player | {"name": str(chance.random())} for player in other["players"]]
    if document["preset"] != "single-elimination":  # there the order of the list may be that of the seeds
        chance.shuffle(other["players"])
    assert in_any_order(state_of(other)) == in_any_order(rename(state_of(document), names))


def a_refused_entry_changes_nothing(document: Document, _chance: Random) -> None:
    """Without the refused entries everything is the same."""
    state = state_of(document)
    refused = {item["entry"] for item in state["refused"]}
    kept = [entry for number, entry in enumerate(document["log"], 1) if number not in refused]
    without = state_of(document | {"log": kept})
    assert without["refused"] == []
    assert shown(without) == shown(state)
    assert [flag["why"] for flag in without["flags"]] == [flag["why"] for flag in state["flags"]]


def neighbours_that_are_independent_may_change_places(document: Document, chance: Random) -> None:
    """Two entries about different people and machines, one after the other, may be recorded the other way round."""
    log = [] if is_in_rounds(document["preset"]) else list(document["log"])  # a game may be the last of its round
    places = [index for index in range(len(log) - 1) if independent(log[index], log[index + 1])]
    if not places:
        return
    index = chance.choice(places)
    log[index], log[index + 1] = log[index + 1], log[index]
    moved = {index + 1: index + 2, index + 2: index + 1}
    one, other = state_of(document), state_of(document | {"log": log})
    assert shown(other) == shown(one)
    for key in ("refused", "flags"):
        ours = sorted((moved.get(item["entry"], item["entry"]), item["why"]) for item in one[key])
        assert ours == sorted((item["entry"], item["why"]) for item in other[key])


def a_voided_game_is_as_if_never_played(document: Document, chance: Random) -> None:
    """A game recorded and voided at once leaves standings, entries and fees as they were."""
    log = document["log"]
    games = [index for index, entry in enumerate(log) if next(iter(entry)) == "game"]
    if not games:
        return
    index = chance.choice(games[-8:])
    named = {name for entry in log for name in entry.get("games", ()) if isinstance(name, str)}
    game, before = log[index], document | {"log": log[:index]}
    if game["game"] in named or "tiebreak" in game:
        return
    voided = {"void": game["game"], "why": "started by nobody"} | ({"at": game["at"]} if "at" in game else {})
    assert shown(state_of(document | {"log": [*log[:index], game, voided]})) == shown(state_of(before))


def a_correction_to_the_same_scores_changes_nothing(document: Document, chance: Random) -> None:
    """A correction that says what was recorded changes nothing, wherever it stands."""
    games = [entry for entry in document["log"] if next(iter(entry)) == "game"]
    corrected = {entry["correct"] for entry in document["log"] if "correct" in entry}
    games = [game for game in games if game["game"] not in corrected]
    if not games:
        return
    game = chance.choice(games)
    same = {"correct": game["game"], "scores": game["scores"], "why": "checked"}
    assert shown(state_of(document | {"log": [*document["log"], same]})) == shown(state_of(document))


def nobody_loses_a_game_by_the_correction_of_another(document: Document, chance: Random) -> None:
    """Whatever a correction changes, the scores of the others on their machines stay."""
    games = [entry for entry in document["log"] if next(iter(entry)) == "game"]
    if not games:
        return
    game = chance.choice(games)
    who = chance.choice(list(game["scores"]))
    change = {"correct": game["game"], "scores": {who: chance.randrange(10**6)}, "why": "misread"}
    before = state_of(document)
    after = state_of(document | {"log": [*document["log"], change]})

    def scores(state: Output) -> set[tuple[str, str, str, int, str]]:
        return {
            (stage["id"], row["who"], kept["machine"], kept["score"], kept["game"])
            for stage in state["stages"]
            if stage["id"].rpartition("/")[2] == PRESETS[document["preset"]].first_name
            for row in stage["standings"]
            if row["who"] != who
            for kept in row["machines"]
        }

    assert scores(before) == scores(after)


def cut_and_field_agree(document: Document, _chance: Random) -> None:
    """Who goes on was there, is there once, is in no open tie, and is who plays next."""
    state = state_of(document)
    there: set[str] = set()
    for stage in state["stages"]:
        listed, advance = [row["who"] for row in stage["standings"]], stage["advance"]
        assert len(set(listed)) == len(listed)
        assert len(set(advance)) == len(advance)
        stands = any(stage["id"] in flag["why"] and "seeds stand" in flag["why"] for flag in state["flags"])
        there |= set(listed)
        assert set(advance) <= there or stands
        tied = {who for tie in stage["tiebreaks"] if tie["reason"] in {"cut", "seed"} for who in tie["who"]}
        assert not tied & set(advance)
        if stage["status"] == "open":
            assert advance == []
        for tie in stage["tiebreaks"]:
            assert sum(tie["sizes"]) == len(tie["who"]) == len(set(tie["who"]))
            assert sorted(who for group in tie["groups"] for who in group) == sorted(tie["who"])
        for group in stage.get("groups", ()):
            late = is_in_rounds(document["preset"])  # who has not played yet is in no table
            assert late or set(group["who"]) <= set(listed)
        seated = [who for group in stage.get("groups", ()) for who in group["who"]]
        again = document["preset"] == "single-elimination" or document["rules"].get("games_per_round", 1) > 1
        assert len(set(seated)) == len(seated) or again


def ranks_leave_holes_only_for_equals(document: Document, _chance: Random) -> None:
    """Ranks are 1, 1, 3 in each table (of a group, where a stage is ranked by groups), and lists are in their order."""
    for stage in state_of(document)["stages"]:
        rows = stage["standings"]
        assert [(row["rank"], row["who"]) for row in rows] == sorted((row["rank"], row["who"]) for row in rows)
        by_groups = stage.get("groups") if rows and "score" in rows[0] else None
        tables = [group["standings"] for group in by_groups] if by_groups else [rows]
        if stage["id"].rpartition("/")[2] == "qualifying" and document["preset"] == "epc-classic":
            continue  # ordered by the best place on any machine
        if stage["id"] == "bracket":
            continue  # who is out has the place of his round, however many are still playing
        for table in tables:
            ranks = [row["rank"] for row in table]
            first = min(ranks, default=1)
            assert all(rank == first + sum(other < rank for other in ranks) for rank in ranks)


def a_state_carried_on_says_what_a_whole_walk_says(document: Document, chance: Random) -> None:
    """A state that is kept gives after each entry what a whole walk gives, and what it gave stays as it was."""
    tournament, running = parse(document | {"log": []}), Running()
    given: list[tuple[Any, str]] = []
    for entry in document["log"]:
        tournament = with_entry(tournament, entry)
        if chance.random() < 0.3:
            kept = running.evaluate(tournament)
            assert kept == evaluate(tournament)
            given.append((kept, json.dumps(kept)))
        elif chance.random() < 0.2:
            assert running.refusal(tournament, entry) == refusal(tournament, entry)
    for kept, text in given:
        assert json.dumps(kept) == text


LAWS: tuple[Law, ...] = (
    the_same_log_gives_the_same_output,
    names_decide_nothing,
    a_refused_entry_changes_nothing,
    neighbours_that_are_independent_may_change_places,
    a_voided_game_is_as_if_never_played,
    a_correction_to_the_same_scores_changes_nothing,
    nobody_loses_a_game_by_the_correction_of_another,
    cut_and_field_agree,
    ranks_leave_holes_only_for_equals,
    a_state_carried_on_says_what_a_whole_walk_says,
)


def rename(value: T, names: Mapping[str, str]) -> T:
    """Give a document or an output with other ids."""
    changed: object = value
    if isinstance(value, Mapping):
        changed = {rename(key, names): rename(item, names) for key, item in value.items()}
    elif isinstance(value, list):
        changed = [rename(item, names) for item in value]
    elif isinstance(value, str):
        changed = names.get(value, value)
    return cast("T", changed)


def in_any_order(state: Output) -> dict[str, Any]:
    """The output without what is only the order of equals, and without sentences."""
    found = shown(state)
    for stage in found["stages"]:
        stage["standings"] = _sorted(stage["standings"])
        stage["tiebreaks"] = _sorted(tie | {"groups": [], "who": sorted(tie["who"])} for tie in stage["tiebreaks"])
        stage["unranked"] = _sorted(stage.get("unranked", ()))
        for group in stage.get("groups", ()):
            group["standings"] = _sorted(group["standings"])
    found["players"] = _sorted(found["players"])
    for machine in found["machines"]:
        machine["standings"] = _sorted(machine.get("standings", ()))
    for key in ("refused", "flags"):
        found[key] = sorted((item["entry"], item.get("kind")) for item in state[key])
    return found


def shown(state: Output) -> dict[str, Any]:
    """The output but for the numbers of log entries, and for the closing time, which hangs on the day of any game."""
    found = deepcopy({key: value for key, value in state.items() if key not in {"refused", "flags", "tournament"}})
    for stage in found["stages"]:
        stage.pop("closes", None)
    return found


def independent(one: Document, other: Document) -> bool:
    """Say whether two neighbours have nothing to do with each other."""
    if next(iter(one)) != "game" or next(iter(other)) != "game":
        return False
    if any(key in entry for entry in (one, other) for key in ("tiebreak", "makeup", "joker")):
        return False
    same_stage = one.get("stage") == other.get("stage")
    people = set(one["scores"]) & set(other["scores"])
    in_groups = "stage" in one and one.get("group") == other.get("group")
    return same_stage and not people and not in_groups and one["game"] != other["game"]


def _sorted(rows: Iterable[Any]) -> list[Any]:
    return sorted(rows, key=lambda row: json.dumps(row, sort_keys=True))
