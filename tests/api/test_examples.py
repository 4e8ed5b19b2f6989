"""Labelled examples leave the server over the API, paged, and as a folder that can be taught from."""

import csv
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest

from server.cli import main
from server.evidence import Evidence

from .conftest import Agent

Login = Callable[[str | None], httpx2.Client]
JPEG = b"\xff\xd8\xff" + b"any picture" * 5
DIGEST = hashlib.sha256(JPEG).hexdigest()


def decide(login: Login, agent: Agent, machine: str, player: str, score: int) -> None:
    """A game whose score was not read, decided by the official."""
    official = login("official")
    assert official.post(f"/machines/{machine}/assign", json={"players": [player]}).status_code == 200
    game = agent.starts(machine)
    read = {"game": game, "player": 1, "text": "7?0", "candidates": [700], "confidence": 0.4}
    agent.says(("score.read", machine, {**read, "evidence": f"sha256:{DIGEST}"}))
    agent.ends(machine, game, None, 0.4, text="7?0")
    waiting = official.get("/readings?status=waiting").json()["readings"]
    reading = next(one["id"] for one in waiting if one["game"] == game)
    assert official.post(f"/readings/{reading}/correct", json={"score": score}).status_code == 200


def test_examples_are_paged_for_officials_alone(login: Login, agent: Agent):
    for score, machine in ((710, "m1"), (720, "m2"), (730, "m1")):
        decide(login, agent, machine, "p1", score)
    official = login("official")
    page = official.get("/examples?limit=2").json()
    assert [one["value"] for one in page["examples"]] == [710, 720]
    rest = official.get(f"/examples?limit=2&after={page['next']}").json()
    assert ([one["value"] for one in rest["examples"]], rest["next"]) == ([730], None)
    assert [one["value"] for one in official.get("/examples?machine=m2").json()["examples"]] == [720]
    assert rest["examples"][0]["decided_by"] == "official"
    assert login("admin").get("/examples").status_code == 200
    assert login("desk").get("/examples").status_code == 403
    assert login(None).get("/examples").status_code == 401
    assert official.get("/examples?after=x").status_code == 422


def test_the_export_is_a_folder_a_machine_and_doing_it_again_changes_nothing(
    login: Login, agent: Agent, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    Evidence(tmp_path / "evidence", budget=2**23).put(DIGEST, JPEG)
    decide(login, agent, "m1", "p1", 710)
    config = tmp_path / "server.toml"
    config.write_text('database.url = "inlane.sqlite3"\n')
    out = tmp_path / "out"
    for _ in range(2):
        assert main(["examples", str(out), "--config", str(config)]) == 0
        assert "m1: 1 examples" in capsys.readouterr().out
        files = sorted(str(file.relative_to(out)) for file in out.rglob("*") if file.is_file())
        assert files == [f"m1/{DIGEST}.jpg", "m1/examples.jsonl", "m1/labels.csv"]
    assert (out / "m1" / f"{DIGEST}.jpg").read_bytes() == JPEG
    (row,) = csv.DictReader((out / "m1" / "labels.csv").read_text().splitlines())
    assert (row["file"], row["value"], row["player"], row["text"]) == (f"{DIGEST}.jpg", "710", "1", "7?0")
    (line,) = (out / "m1" / "examples.jsonl").read_text().splitlines()
    assert json.loads(line)["decided_by"] == "official"
    assert main(["examples", str(out), "--config", str(config), "--machine", "m9"]) == 0
    assert "no reading of m9" in capsys.readouterr().out


def test_only_pictures_that_are_what_their_names_say_are_exported(
    login: Login, agent: Agent, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    Evidence(tmp_path / "evidence", budget=2**23).put(DIGEST, JPEG)
    decide(login, agent, "m1", "p1", 710)
    config = tmp_path / "server.toml"
    config.write_text('database.url = "inlane.sqlite3"\n')
    folder, secret = tmp_path / "out" / "m1", tmp_path / "secret"
    folder.mkdir(parents=True)
    secret.write_bytes(b"x" * len(JPEG))
    picture, labels = folder / f"{DIGEST}.jpg", folder / "labels.csv"
    for put in (lambda: picture.write_bytes(secret.read_bytes()), lambda: picture.symlink_to(secret)):
        picture.unlink(missing_ok=True)
        labels.unlink(missing_ok=True)
        labels.symlink_to(secret)
        put()
        assert main(["examples", str(tmp_path / "out"), "--config", str(config)]) == 0
        assert (picture.is_symlink(), picture.read_bytes()) == (False, JPEG)
        assert (labels.is_symlink(), secret.read_bytes()) == (False, b"x" * len(JPEG))
    kept = tmp_path / "evidence" / DIGEST[:2] / DIGEST
    kept.write_bytes(JPEG[:-1] + b"?")
    capsys.readouterr()
    assert main(["examples", str(tmp_path / "out"), "--config", str(config)]) == 0
    assert "m1: 0 examples (1 whose picture has not come, or is damaged" in capsys.readouterr().out
    assert picture.read_bytes() == JPEG


def test_a_folder_that_cannot_be_written_is_one_line(
    login: Login, agent: Agent, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    decide(login, agent, "m1", "p1", 710)
    (tmp_path / "file").write_text("")
    config = tmp_path / "server.toml"
    config.write_text("")
    assert main(["examples", str(tmp_path / "file"), "--config", str(config)]) == 1
    assert capsys.readouterr().err.count("\n") == 1
