"""The tables for people also say who chooses, when qualifying closes, and who cannot be ranked yet."""

from pathlib import Path

import pytest

from server.cli import main

HERE = Path(__file__).parent / "files"
PAPA = """inlane: 1
preset: papa
rules: {qualifiers: 8, qualifying_closes: "17:00"}
timezone: America/Toronto
players: [{id: p1, name: Ann}, {id: p2}, {id: p3}, {id: p4}, {id: p5}, {id: p6}, {id: p7}, {id: p8}]
machines: [{id: m1}, {id: m2}]
log:
"""


def printed(capsys: pytest.CaptureFixture[str], file: Path) -> list[str]:
    assert main(["standings", str(file)]) == 0
    return capsys.readouterr().out.splitlines()


def papa(folder: Path, *entries: str) -> Path:
    file = folder / "papa.yaml"
    games = [f"{{game: g{n}, machine: m1, scores: {{p{n}: {100 - n}}}, at: 2026-05-01T12:00}}" for n in range(1, 9)]
    file.write_text(PAPA + "".join(f"  - {entry}\n" for entry in (*games, *entries)), encoding="utf-8")
    return file


def test_the_announced_closing_stands_beside_the_stage_while_it_is_open(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    lines = printed(capsys, papa(tmp_path))
    assert "qualifying (open, announced to close 2026-05-01T17:00:00-04:00)" in lines
    assert "qualifying (closed)" in printed(capsys, papa(tmp_path, "{close: qualifying}"))


def test_who_chooses_and_what_is_chosen_is_said_of_each_group(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    closed = "{close: qualifying}"
    lines = printed(capsys, papa(tmp_path, closed))
    assert "  Group 1, game 1: Ann (p1) chooses now" in lines
    assert not any(line.startswith("  Group 2, game 1") for line in lines)
    chosen = "{decision: machine, stage: semifinal, who: [p1], machine: m2}"
    lines = printed(capsys, papa(tmp_path, closed, chosen))
    assert any(line.startswith("  Group 1, game 1: on m2; ") for line in lines)


def test_who_cannot_be_ranked_yet_is_named(capsys: pytest.CaptureFixture[str]):
    lines = printed(capsys, HERE / "pingolf" / "strokes-from-balls.yaml")
    assert "  Not ranked yet: c" in lines
