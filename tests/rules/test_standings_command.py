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


def test_it_explains_a_player_with_the_rules_and_the_entries(capsys: pytest.CaptureFixture[str]):
    file = HERE / "tpc" / "tie-within-a-game-in-rounds.yaml"
    assert main(["standings", str(file), "--explain", "p01"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Player 1 (p01)"
    assert any(
        line.strip().startswith("50 points for position 1") and "[T6.2 machine_points, entr" in line for line in lines
    )
    assert "Rules: Toronto Pinball Championship (tpc)" in lines


def test_it_explains_everybody_as_json_beside_the_state(capsys: pytest.CaptureFixture[str]):
    assert main(["standings", "--json", str(HERE / "uk-kids" / "two-in-one-game.yaml"), "--explain"]) == 0
    state = json.loads(capsys.readouterr().out)
    ranks = {line["who"]: line["value"] for line in state["explain"] if line["what"] == "rank"}
    assert ranks == {row["who"]: row["rank"] for row in state["stages"][0]["standings"]}


def test_somebody_who_is_not_in_the_file_cannot_be_explained(capsys: pytest.CaptureFixture[str]):
    file = HERE / "uk-kids" / "two-in-one-game.yaml"
    assert main(["standings", str(file), "--explain", "zz"]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", f"inlane-server: {file}: there is no player zz\n")


def test_tables_end_with_the_rules_that_the_director_changed_or_with_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "x.yaml"
    file.write_text("inlane: 1\npreset: tpc\nrules: {qualifiers_min: 6}\n", encoding="utf-8")
    assert main(["standings", str(file)]) == 0
    ending = capsys.readouterr().out.splitlines()[-2:]
    assert ending == ["Rules: Toronto Pinball Championship (tpc)", "  qualifiers_min: 6, instead of 8  [T7.2]"]
    assert main(["standings", str(file), "--rules"]) == 0
    assert "  machine_points: 50, 42, 37, 36, 35, 34 ... 1 (39 places)  [T6.2]" in capsys.readouterr().out.splitlines()
    assert main(["standings", str(file), "--rules", "--json"]) == 0
    told = {each["name"]: each for each in json.loads(capsys.readouterr().out)["settings"]}
    changed = {"name": "qualifiers_min", "value": 6, "preset": 8, "rule": "T7.2", "changed": True}
    assert told["qualifiers_min"] == changed


def test_who_sits_a_round_out_is_not_said_to_play(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "x.yaml"
    people = ", ".join(f"{{id: p{n}, name: Player {n}}}" for n in (1, 2, 3))
    text = f"inlane: 1\npreset: knockout\nplayers: [{people}]\nmachines: [{{id: m1, name: Machine}}]\nlog: []\n"
    file.write_text(text, encoding="utf-8")
    assert main(["standings", str(file)]) == 0
    told = capsys.readouterr().out
    assert told.count("Sits out round 1: Player ") == 1
    assert told.count("To be played in round 1 on m1: Player ") == 1
