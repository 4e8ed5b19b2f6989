"""The transcript of the real firmware's modules: its USB answers, its datagrams and both say the same games.

The games are what the script's notes say was played: two players to 678,360 and 678,690 on three balls; then a game of
one player, thrown away on 5,000 points when the memory was wiped.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).parents[3] / "shared" / "data" / "vector" / "hs_l4_usb_and_udp.txt"

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not SHARED.exists(), reason="the transcript is not beside the project"),
]

Replayed = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def said(replayed: Replayed, tmp_path: Path) -> Callable[[str], list[dict[str, Any]]]:
    """What is said of the transcript's lines of these directions."""

    def replay(directions: str) -> list[dict[str, Any]]:
        wanted = re.compile(rf"\s*[\d.]+ ({directions}|#)")
        file = tmp_path / "transcript.txt"
        lines = SHARED.read_text("utf-8").splitlines(keepends=True)
        file.write_text("".join(line for line in lines if wanted.match(line)), "utf-8")
        return replayed(file, profile="vector")

    return replay


def of(facts: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [fact["body"] for fact in facts if fact["kind"] == kind]


def scores(body: dict[str, Any]) -> list[int | None]:
    return [score["score"] for score in body["scores"]]


WAYS = ["[<>]|console", "[<]", "UDP", "UDP|console", "[<>]|console|UDP"]


@pytest.mark.parametrize("directions", WAYS)
def test_the_first_game_is_told_once_with_its_scores_and_its_end(
    said: Callable[[str], list[dict[str, Any]]], directions: str
):
    facts = said(directions)
    (ended,) = of(facts, "game.ended")
    assert scores(ended) == [678_360, 678_690]
    assert (ended["how"], ended["balls_played"]) == ("normal", 3)
    assert all(score["confidence"] == 1.0 for score in ended["scores"])
    assert [body["joined_late"] for body in of(facts, "game.started")] == [False, False]


@pytest.mark.parametrize("directions", ["UDP", "UDP|console", "[<>]|console|UDP"])
def test_each_turn_and_each_score_are_exact(said: Callable[[str], list[dict[str, Any]]], directions: str):
    facts = said(directions)
    assert [(body["player"], body["ball"], scores(body)) for body in of(facts, "game.ball")] == [
        (1, 1, [126_120, 0]),
        (2, 1, [126_120, 126_230]),
        (1, 2, [352_240, 126_230]),
        (2, 2, [352_240, 352_460]),
        (1, 3, [678_360, 352_460]),
        (2, 3, [678_360, 678_690]),
    ]


def test_the_second_game_ends_with_the_wiped_memory_and_its_score_is_kept(
    said: Callable[[str], list[dict[str, Any]]],
):
    facts = said("[<>]|console|UDP")
    (aborted,) = of(facts, "game.aborted")
    assert (aborted["how"], scores(aborted)) == ("reset", [5_000])
    assert [body["fault"] for body in of(facts, "fault.raised")] == ["reset"]


@pytest.mark.parametrize("directions", WAYS)
def test_nothing_else_is_wrong_with_it(said: Callable[[str], list[dict[str, Any]]], directions: str):
    facts = said(directions)
    assert {body["fault"] for body in of(facts, "fault.raised")} <= {"reset"}
    assert len(of(facts, "machine.attached")) == 1
