"""Explanations of teams: the parts of every total add up, each rung that decided is named, and every number is told."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from server.core.explain.explanations import Explanations, NotThere
from server.core.explain.lines import Line, walk
from server.core.rules import PRESETS, Tournament, evaluate, parse, with_entry
from server.tournament_file import load
from tests.properties.league_made_up import season

from .conftest import SHARED

TEAMS = sorted(name for name, preset in PRESETS.items() if preset.teams and preset.first != "opponents")
OWN = Path(__file__).parent / "files"
HANDED = [path for name in TEAMS for path in sorted((SHARED / name).glob("*.yaml"))]


@pytest.mark.shared
@pytest.mark.skipif(not HANDED, reason="the cases that lie beside the project (../shared/rules/cases) are not there")
def test_what_is_explained_of_the_handed_cases_is_what_comes_out():
    for path in HANDED:
        check(load(path))


def check(tournament: Tournament) -> None:
    state: Any = evaluate(tournament)
    lines = Explanations(tournament).about()
    for line in walk(lines):
        assert line.because
        assert line.cited, line
        assert all(1 <= entry <= len(tournament.log) for entry in line.entries), line
    for stage in state["stages"]:
        check_table(stage, [line for line in lines if line.stage == stage["id"]])
    told = {line.match: line for line in lines if line.what == "winner"}
    assert told.keys() == {match["id"] for match in state["matches"]}
    for match in state["matches"]:
        check_match(match, told[match["id"]], lines)
    for player in state["players"]:
        offences = {line.value for line in lines if line.what == "offences" and line.who == player["id"]}
        assert offences == ({player["offences"]} if player.get("offences") else set())
    for team in state["teams"]:
        about = {line.what: line.value for line in lines if line.who == team["id"]}
        assert about.get("place") == team.get("place")
        assert about.get("status", "active") == team["status"]


def check_table(stage: Mapping[str, Any], lines: list[Line]) -> None:
    ranks = {line.who: line for line in lines if line.what == "rank"}
    assert ranks.keys() == {row["who"] for row in stage["standings"]}
    for row in stage["standings"]:
        rank = ranks[row["who"]]
        assert rank.value == row["rank"]
        total = rank.parts[0]
        assert (total.what, total.value) == ("total", row.get("points", row.get("score")))
        if "points" in row:
            assert sum_of(total.parts) == row["points"], (row, total)
        told = {(line.what, line.game): line.value for line in walk(total.parts)}
        for cell in row.get("machines") or ():
            earned = [told[what, cell["game"]] for what in ("bonus", "points") if (what, cell["game"]) in told]
            assert earned == [cell["points"]] if "points" in cell else told["score", cell["game"]] == cell["score"], (
                cell
            )
        if "wins" in row:
            assert {line.what: line.value for line in rank.parts}["record"] == row["wins"]
    through = {line.who for line in lines if line.what == "go-on" and line.value is True}
    assert through == set(stage["advance"])


def check_match(match: Mapping[str, Any], told: Line, lines: list[Line]) -> None:
    assert told.value == match.get("winner")
    points = {line.who: line.value for line in told.parts if line.what == "match"}
    assert points == match["points"]
    for line in walk(lines):
        if line.what == "match" and line.match == match["id"] and line.parts and line.value is not None:
            assert sum_of(line.parts) == line.value == match["points"][line.who], line


@pytest.mark.parametrize("seed", range(6))
def test_what_is_explained_of_a_made_up_season_is_what_comes_out(seed: int):
    check(parse(season(seed)))


def sum_of(parts: tuple[Line, ...]) -> int:
    return sum(part.value for part in parts if isinstance(part.value, int))


def told(file: str, who: str | None = None) -> list[str]:
    return [line.because for line in walk(Explanations(load(OWN / file)).about(who=who))]


def test_a_match_that_is_not_there_cannot_be_explained():
    league = load(OWN / "pinball-chicago" / "match-drawn-game.yaml")
    with pytest.raises(NotThere, match="there is no match zz"):
        Explanations(league).match("zz")


def test_each_rung_that_was_needed_is_named():
    said = told("pinball-chicago/season-parts-start-again.yaml")
    assert any("in record and points; in the matches among them: " in text for text in said)


def test_an_offence_that_cost_a_game_is_named_with_its_entry():
    league = load(OWN / "pinball-chicago" / "penalty-both-teams.yaml")
    lost = [line for line in walk(Explanations(league).about()) if line.what == "slot" and "lost by" in line.because]
    penalties = {number for number, entry in enumerate(league.log, 1) if "penalty" in entry.written}
    assert lost
    assert all(penalties & {*line.entries} for line in lost)


def test_a_group_that_is_ranked_apart_is_named_and_its_tie_is_broken_by_the_bonus_score():
    said = told("uk-team/three-level-one-with-the-best-bonus.yaml")
    assert any(text.startswith("rank 1 of 4 in group A of qualifying") for text in said)
    assert any("by the score of the bonus game" in text for text in said)


@pytest.mark.parametrize(
    ("file", "why"),
    [
        ("countback-by-matches.yaml", "by the matches among them, then by the bonus game"),
        ("countback-by-places.yaml", "by their first places in games, then the second ones, then by the bonus game"),
    ],
)
def test_the_count_back_is_told_as_it_was_set(file: str, why: str):
    lines = walk(Explanations(load(OWN / "epc-country" / file)).about(stage="final"))
    told = {(line.who, line.rule) for line in lines if why in line.because}
    assert told == {("t5", "EC15"), ("t6", "EC15")}


def test_a_match_that_officials_gave_to_a_team_says_so():
    league = load(OWN / "pinball-chicago" / "forfeit-level-by-both.yaml")
    told = [
        (line.match, line.noted)
        for line in walk(Explanations(league).about())
        if line.because.startswith("left level: officials gave it to ")
    ]
    assert told == [("x2", 11)]


def test_a_challenge_that_turns_out_too_late_is_told_no_more():
    league = load(OWN / "pinball-chicago" / "challenge-by-starting-times.yaml")
    growing = replace(league, log=league.log[:0])
    running = Explanations(growing)
    for entry in league.log:
        growing = with_entry(growing, entry.written)
        running.carry_on(growing)
    assert running.match("x1") == Explanations(league).match("x1")


def test_places_in_a_game_of_the_country_competition_are_told_by_player():
    said = told("epc-country/countback-by-matches.yaml")
    assert any(text.startswith("9 points for place 1: ") for text in said)
