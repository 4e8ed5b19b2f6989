"""Memory images of PinMAME games and of a real machine: each field decodes as those who made them say.

The maps and images are other people's: they are read where they lie, beside the project. What differs from the
expected files is listed here with its reason; it is not bent.
"""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bridge.cli import main
from bridge.memory_answers import NAMES

SHARED = Path(os.environ.get("INLANE_SHARED", Path(__file__).parents[3] / "shared")) / "data"
NVRAM = SHARED / "nvram"
MAPS = {"afm_113b": "afm_113", "btmn_106": None, "eballdlx": None, "fh_l9": None, "gmine_l2": None, "hs_l4": None}
DIFFER = {
    ("eballdlx", "game_over"): "the lamp's mask is left out there: 0x8F has the lamp of GAME OVER lit, as at rest",
    ("hs_l4", "current_ball"): "the map's word for 0 is n/a: no value",
}

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not NVRAM.is_dir(), reason="the measured data is not beside the project (../shared/data)"),
]


@pytest.fixture
def read(capsys: pytest.CaptureFixture[str]) -> Callable[..., list[dict[str, Any]]]:
    """`inlane-agent read --json`, as the objects it prints."""

    def run(*words: str) -> list[dict[str, Any]]:
        capsys.readouterr()
        assert main(["read", "--json", *words]) == 0
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return run


def expected(name: str) -> Iterator[tuple[str, Any]]:
    """The fields of the game's state that matter here, with their values; None where they could not be resolved."""
    state = json.loads((NVRAM / f"{name}.nv.json").read_text())["game_state"]
    for key in ("scores", "final_scores"):
        if key in state:
            yield key, [one.get("value") for one in state[key]]
    for key in NAMES.values():
        if key in state:
            yield key, state[key].get("value")


def test_every_image_that_was_handed_has_its_map_here_or_none_beside_it():
    images = {path.name.removesuffix(".nv") for path in NVRAM.glob("*.nv")}
    assert images - MAPS.keys() == {"bk_l4"}


@pytest.mark.parametrize("name", MAPS)
def test_each_image_decodes_as_is_said(name: str, read: Callable[..., list[dict[str, Any]]]):
    chart = NVRAM / f"{MAPS[name] or name}.map.json"
    (answer,) = read("--profile", "pinmame-map", "--map", str(chart), str(NVRAM / f"{name}.nv"))
    state = answer["state"]
    got = {map_name: state[ours] for ours, map_name in NAMES.items()}
    got |= {"scores": [one["score"] for one in answer["scores"]], "final_scores": state["final_scores"]}
    differ = {key: (got[key], value) for key, value in expected(name) if got[key] != value}
    assert differ.keys() == {key for image, key in DIFFER if image == name}
    assert answer["display"] == "memory"


def test_an_image_by_another_map_of_its_board_holds_what_that_map_can_read():
    """No map lies beside bk_l4: its 256 nibbles hold no live score, whatever the map."""
    chart = NVRAM / "hs_l4.map.json"
    assert main(["read", "--profile", "pinmame-map", "--map", str(chart), str(NVRAM / "bk_l4.nv")]) == 1


@pytest.mark.parametrize(
    ("name", "chart", "playing"),
    [
        ("afm_113b", "afm_113", True),
        ("fh_l9", "fh_l9", False),
        ("hs_l4", "hs_l4", False),
        ("btmn_106", "btmn_106", False),
    ],
)
def test_a_game_that_runs_is_found_and_one_that_does_not_is_not(
    name: str, chart: str, playing: object, capsys: pytest.CaptureFixture[str]
):
    words = ["replay", "--json", "--profile", "pinmame-map", "--map", str(NVRAM / f"{chart}.map.json")]
    assert main([*words, str(NVRAM / f"{name}.nv")]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    games = [fact["body"] for fact in told if fact["kind"] == "game.started"]
    live = [fact["body"]["score"] for fact in told if fact["kind"] == "score.live"]
    assert [game["joined_late"] for game in games] == ([True] if playing else [])
    assert live == ([51_477_300] if playing else [])


def test_the_lamps_of_an_image_without_its_volatile_memory_begin_no_game(capsys: pytest.CaptureFixture[str]):
    words = ["replay", "--json", "--profile", "pinmame-map", "--map", str(NVRAM / "eballdlx.map.json")]
    assert main([*words, str(NVRAM / "eballdlx.nv")]) == 0
    assert "game." not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "playing", "up", "ball", "scores"),
    [
        ("fresh", False, 1, 0, [0, 0, 0, 0]),
        ("player1", True, 1, 1, [13_000, 0, 0, 0]),
        ("player2", True, 2, 1, [7_000, 3_000, 0, 0]),
        ("player4", True, 4, 1, [12_000, 33_000, 63_000, 30_010]),
    ],
)
def test_the_dumps_of_a_real_machine_say_what_stood_on_it(
    name: str, playing: object, up: int, ball: int, scores: list[int], read: Callable[..., list[dict[str, Any]]]
):
    (answer,) = read("--profile", "protospace", str(SHARED / "ram_dumps" / f"{name}.txt"))
    state = answer["state"]
    assert [one["score"] for one in answer["scores"]] == scores
    assert (state["playing"], state["player"], state["ball"]) == (playing, up, ball)
    assert state["players"] == (1 if name == "fresh" else 4)
    assert answer["accepted"]
