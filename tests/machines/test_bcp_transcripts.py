"""Recordings of real MPF programs give exactly the games, ends and faults that were played."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

SHARED = Path(__file__).parents[3] / "shared" / "data" / "bcp"
OWN = Path(__file__).parent / "bcp"

Facts = list[dict[str, Any]]
Replay = Callable[..., Facts]


def expectations(folder: Path) -> dict[str, Any]:
    file = folder / "expected.yaml"
    return yaml.safe_load(file.read_text()) if file.exists() else {}


def bodies(facts: Facts, kind: str) -> Facts:
    return [fact["body"] for fact in facts if fact["kind"] == kind]


def scores(body: dict[str, Any]) -> dict[int, int | None]:
    return {score["player"]: score["score"] for score in body["scores"]}


def told(facts: Facts) -> dict[str, Any]:
    """What was said, in the form of expected.yaml."""
    live = {body["player"]: body["score"] for body in bodies(facts, "score.live")}
    said = {
        "started": [{"joined_late": body["joined_late"]} for body in bodies(facts, "game.started")],
        "ended": [{"how": body["how"], "scores": scores(body)} for body in bodies(facts, "game.ended")],
        "aborted": [{"how": body["how"], "scores": scores(body)} for body in bodies(facts, "game.aborted")],
        "faults": [
            {key: body[key] for key in ("fault", "player", "ball") if key in body}
            for body in bodies(facts, "fault.raised")
            if body["fault"] != "tilt-warning"
        ],
    }
    running = len(said["started"]) - len(said["ended"]) - len(said["aborted"])
    return said | {"running": {"scores": live} if running else None}


def check(facts: Facts, expected: dict[str, Any]) -> None:
    said = told(facts)
    for part in ("ended", "aborted"):
        assert said[part] == expected.get(part, []), part
    if "started" in expected:
        assert said["started"] == expected["started"]
    if "running" in expected:
        assert said["running"] == expected["running"]
    else:
        assert said["running"] is None
    wanted = expected.get("faults", [])
    assert [fault["fault"] for fault in said["faults"]] == [fault["fault"] for fault in wanted]
    for fault, want in zip(said["faults"], wanted, strict=True):
        assert {key: fault.get(key) for key in want} == want


def lives_are_consistent(facts: Facts) -> None:
    """Each game is started once and ended or aborted at most once, and nothing is said of a game outside of it."""
    running: set[str] = set()
    seen: set[str] = set()
    for fact in facts:
        game, kind = fact["body"].get("game"), fact["kind"]
        if kind == "game.started":
            assert game not in seen
            assert not running, "a game began in another one"
            seen.add(game)
            running.add(game)
        elif kind in {"game.ended", "game.aborted"}:
            running.remove(game)
        elif kind in {"game.ball", "score.live"}:
            assert game in running


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.exists(), reason="the measured data is not here")
@pytest.mark.parametrize("name", sorted(expectations(SHARED)))
def test_each_measured_transcript_says_what_was_played(name: str, replayed: Replay):
    facts = replayed(SHARED / name)
    check(facts, expectations(SHARED)[name])
    lives_are_consistent(facts)
