"""The tables for people of team systems: wins and losses, matches with their games, groups, offences."""

from pathlib import Path

import pytest

from server.cli import main

HERE = Path(__file__).parent / "files"


def printed(capsys: pytest.CaptureFixture[str], file: str) -> list[str]:
    assert main(["standings", str(HERE / file)]) == 0
    return capsys.readouterr().out.splitlines()


def test_a_league_has_its_record_and_the_sheet_of_each_match(capsys: pytest.CaptureFixture[str]):
    lines = printed(capsys, "pinball-chicago/match-end-with-unplayed-games.yaml")
    assert any(line.split() == ["team", "wins", "losses", "points"] for line in lines)
    assert any(line.startswith("Matches of season") for line in lines)
    assert any(line.strip().startswith("round 1, slot 1: ") for line in lines)


def test_groups_that_are_ranked_apart_are_not_mixed_in_one_table(capsys: pytest.CaptureFixture[str]):
    lines = printed(capsys, "uk-team/three-level-one-with-the-best-bonus.yaml")
    first = lines[: lines.index("final (open)")]
    assert [line.split() for line in first if "team" in line.split()] == [["team", "wins", "losses", "points"]]
    assert "  Group A" in first


def test_offences_are_counted_by_player(capsys: pytest.CaptureFixture[str]):
    lines = printed(capsys, "2cp/several-offences-in-one-game.yaml")
    assert "Offences" in lines
