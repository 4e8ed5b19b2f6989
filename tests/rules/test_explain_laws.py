"""Laws of explanations, tried on our cases and on made-up tournaments: what is explained is what comes out, to the last
point, and whatever is named is there.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from server.core.explain.explanations import Explanations
from server.core.explain.lines import Line, walk
from server.core.rules import PRESETS, Tournament, evaluate, parse
from server.errors import InputInvalid
from server.tournament_file import load
from tests.properties.tournaments import play

from .test_explain_teams import TEAMS
from .test_explain_teams import check as check_teams

HERE = Path(__file__).parent
FILES = sorted(path for path in (HERE / "files").glob("*/*.yaml") if path.parent.name != "errors")
SEEDS = range(3)


def made_up() -> Iterator[Any]:
    for preset in PRESETS:
        for seed in SEEDS:
            yield pytest.param(preset, seed, id=f"{preset}-{seed}")


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_explanations_of_our_cases_are_what_comes_out(path: Path) -> None:
    try:
        tournament = load(path)
    except InputInvalid:
        return
    check(tournament)


@pytest.mark.parametrize("preset", PRESETS)
def test_an_explanation_that_is_carried_on_is_that_of_the_longer_log(preset: str) -> None:
    whole = parse(play(preset, 77))
    carried = Explanations(replace(whole, log=()))
    last = len(whole.log)
    for length in (9, last // 2, last - 1, last // 3, last):
        tournament = replace(whole, log=whole.log[:length])
        carried.carry_on(tournament)
        assert carried.about() == Explanations(tournament).about()


@pytest.mark.parametrize(("preset", "seed"), list(made_up()))
def test_explanations_of_made_up_tournaments_are_what_comes_out(preset: str, seed: int) -> None:
    check(parse(play(preset, seed)))


def check(tournament: Tournament) -> None:
    """Hold the explanation of everything against the output."""
    if tournament.head.preset.name in TEAMS:
        check_teams(tournament)
        return
    state = evaluate(tournament)
    lines = Explanations(tournament).about()
    for line in walk(lines):
        assert line.because
        assert line.cited, line
        assert all(1 <= entry <= len(tournament.log) for entry in line.entries), line
        if line.what == "score":
            assert line.parts[-1].value == line.value, line
        if line.what == "position":
            ahead = re.search(r"(\d+) players? with more", line.because)
            first = 1 + (int(ahead[1]) if ahead else 0)
            assert line.value == first or ("the tie was broken" in line.because and line.value > first), line  # type: ignore[operator]
    for stage in state["stages"]:  # type: ignore[attr-defined]
        about = [line for line in lines if line.stage == stage["id"]]
        check_stage(stage, about, tournament.head.settings.machines_counted)
    for player in state["players"]:  # type: ignore[attr-defined]
        check_player(player, [line for line in lines if line.who == player["id"]])


def check_stage(stage: Mapping[str, Any], lines: list[Line], most: int) -> None:
    of = {(line.what, line.who): line for line in lines}
    for row in stage["standings"]:
        rank = of["rank", row["who"]]
        assert rank.value == row["rank"]
        total = rank.parts[0]
        assert (total.what, total.value) == ("total", row.get("points", row.get("score")))
        check_cells(row, total, most if stage["id"].endswith("qualifying") else 0)
    through = {line.who for line in lines if line.what == "go-on" and line.value is True}
    assert through == set(stage["advance"])
    for tie in stage["tiebreaks"]:
        for who in tie["who"]:
            said = [line for line in walk(lines) if line.who == who and line.what == "tie" and line.value == "open"]
            assert said, tie


def check_cells(row: Mapping[str, Any], total: Line, most: int) -> None:
    """Each score of a row has its line, and the points of the lines (of the best `most`) add up to the row's."""
    lines = [part for part in total.parts if part.what in {"points", "position", "unranked", "score", "bye"}]
    parts = {part.game: part for part in lines}
    cells = [cell for cell in row.get("machines") or () if "game" in cell and "score" in cell]
    for cell in cells:
        found = {line.what: line for line in walk([parts[cell["game"]]]) if line.game == cell["game"]}
        assert found["score"].value == cell["score"]
        if "points" in cell:
            assert found["points"].value == cell["points"]
        if "rank" in cell:
            assert (found.get("position") or found["unranked"]).value == cell["rank"]
    of_matches = any("group" in cell for cell in cells) or (not lines and row.get("points"))
    if "points" in row and not of_matches and all("points" in cell for cell in cells):
        values = sorted((line.value for line in lines if isinstance(line.value, int)), reverse=True)
        assert sum(values[:most] if most else values) == row["points"]


def check_player(player: Mapping[str, Any], lines: list[Line]) -> None:
    of = {line.what: line for line in lines}
    fees = of["fees"]
    assert fees.value == player["fees"]
    assert sum(part.value for part in fees.parts if isinstance(part.value, int)) == player["fees"]
    left = of.get("entries-left")
    if left is not None:
        assert left.value == player["entries_left"]
        assert sum(part.value for part in left.parts if isinstance(part.value, int)) == left.value
    else:
        assert not player["entries_left"]
    assert ("place" in player) == ("place" in of)
    if "place" in player:
        assert of["place"].value == player["place"]
    assert ("offences" in of) == bool(player.get("offences"))
    if player.get("offences"):
        assert of["offences"].value == player["offences"]
    assert ("status" in of) == (player["status"] != "active")
