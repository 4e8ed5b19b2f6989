"""`inlane-server standings`, from outside."""

import json
import sys
from pathlib import Path

import pytest

from server.cli import main
from server.core.rules import PRESETS

HERE = Path(__file__).parent / "files"


def test_it_prints_one_json_object(capsys: pytest.CaptureFixture[str]):
    assert main(["standings", "--json", str(HERE / "uk-kids" / "two-in-one-game.yaml")]) == 0
    state = json.loads(capsys.readouterr().out)
    assert state["stages"][0]["standings"][0] == {
        "rank": 1, "who": "p01", "score": 5, "machines": [{"machine": "m1", "score": 5, "rank": 1, "game": "g1"}],
    }  # fmt: skip


def test_it_prints_tables_for_people(capsys: pytest.CaptureFixture[str]):
    assert main(["standings", str(HERE / "tpc" / "tie-within-a-game-in-rounds.yaml")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "tie within a game in rounds (tpc)"
    assert "  1  Player 1 (p01)      50" in lines
    assert "  To be played off (machine): places 1 to 2 of game a: Player 3 (p03), Player 5 (p05)" in lines
    assert "  entry 15: p02 is not in group 1" not in lines
    assert "  entry 15: p02 has no score in b" in lines


def test_a_file_that_cannot_be_understood_is_status_2_and_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "x.yaml"
    file.write_text("inlane: 1\npreset: unknown\n", encoding="utf-8")
    assert main(["standings", str(file)]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert (
        told.err
        == f"inlane-server: {file}, line 2: preset: there is no rule set 'unknown'; there are {', '.join(PRESETS)}\n"
    )


def test_names_that_the_terminal_cannot_show_are_printed_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = tmp_path / "x.yaml"
    file.write_text(
        "inlane: 1\npreset: uk-kids\nplayers: [{id: p1, name: Łukasz}]\nmachines: [{id: m1}]\n"
        "log: [{game: g, machine: m1, scores: {p1: 1}}]\n",
        encoding="utf-8",
    )
    out = tmp_path / "out.txt"
    with out.open("w", encoding="ascii") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        assert main(["standings", str(file)]) == 0
    assert "\\u0141ukasz (p1)" in out.read_text(encoding="ascii")
