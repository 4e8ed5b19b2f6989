"""What the benchmark of whole games counts as what: nothing certain that is untrue passes as held, aborted or gone."""

import pytest

from benchmarks.wires import Truth, verdicts
from capture.signals import GameAborted, GameEnded, PlayerScore


def scores(*values: int | None) -> tuple[PlayerScore, ...]:
    return tuple(
        PlayerScore(player=player, score=value, confidence=0.0 if value is None else 1.0)
        for player, value in enumerate(values, start=1)
    )


def over(*values: int | None, how: str = "normal") -> GameEnded:
    return GameEnded(at=9, game="g", how=how, scores=scores(*values), balls_played=3, source="wire")


def gone(*values: int | None) -> GameAborted:
    return GameAborted(at=9, game="g", how="restart", scores=scores(*values))


@pytest.mark.parametrize(
    ("kind", "how", "ends", "verdict"),
    [
        ("lines", "normal", [over(10, 20)], ["right"]),
        ("lines", "normal", [over(10, None)], ["held"]),
        ("lines", "normal", [over(11, None)], ["wrong"]),
        ("lines", "normal", [over(10)], ["wrong"]),
        ("lines", "normal", [over(10, 20), over(10, 20)], ["doubled", "right"]),
        ("lines", "slam-tilt", [over(10, 20)], ["wrong end"]),
        ("lisy", "slam-tilt", [over(10, 20)], ["right"]),
        ("lines", "normal", [gone(10, 5)], ["aborted"]),
        ("lines", "normal", [gone(10, 5, 1_000_000)], ["wrong"]),
        ("lines", "normal", [], ["missed"]),
        ("lines", "power-lost", [gone(10, 20)], ["gone"]),
        ("lines", "power-lost", [over(10, 20)], ["wrong end"]),
        ("lisy", "power-lost", [over(None, None)], ["held"]),
    ],
)
def test_a_verdict_is_what_the_signals_deserve(
    kind: str, how: str, ends: list[GameEnded | GameAborted | None], verdict: list[str]
):
    assert verdicts(kind, Truth(game=1, begun=0, ended=9, how=how, scores=(10, 20)), ends) == verdict
