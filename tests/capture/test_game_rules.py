"""The rules of the one game machine, whatever the source: falls, rollovers, doubts, names of faults."""

import re
from pathlib import Path

import pytest

from bridge.wire.facts import FACTS
from capture import hints as h
from capture.dialects import open_dialect
from capture.dialects.bcp_events import EVENTS, TRIGGERS
from capture.errors import SourceUnsupported
from capture.faults import FAULTS
from capture.game import GameMachine
from capture.match import Phase
from capture.signals import FaultCleared, FaultRaised, GameEnded, PlayerScore, ScoreRead, Signal
from capture.watchman import Watchman
from hardware.catalog import load_profile
from hardware.profile import MachineProfile

ROOT = Path(__file__).parents[2]


def machine(**more: int) -> GameMachine:
    return GameMachine(MachineProfile(id="m", name="M", kind="wire", dialect="bcp", **more))  # type: ignore[arg-type]


def play(game: GameMachine, *scores: int, player: int = 1) -> list[Signal]:
    said = [] if game.game else game.take(h.PlayerJoined(at=0, player=1))
    for value in scores:
        said += game.take(h.ScoreSeen(at=1, player=player, score=value))
    return said


def ended(said: list[Signal]) -> tuple[PlayerScore, ...]:
    (one,) = [signal for signal in said if isinstance(signal, GameEnded)]
    return one.scores


def test_a_rollover_is_shown_and_held_with_what_it_may_be():
    """B04: an eight-digit machine that goes on from nought."""
    game = machine(digits=8)
    said = play(game, 99_200_000, 99_990_000, 310_000, 1_540_000)
    (jump,) = [signal for signal in said if isinstance(signal, FaultRaised)]
    assert jump.fault == "score-jump"
    assert "rolled over" in str(jump.detail)
    (score,) = ended(game.take(h.GameOver(at=2)))
    assert (score.score, score.candidates) == (None, (101_540_000, 1_540_000))


def test_a_machine_that_does_not_roll_over_has_fallen():
    game = machine(digits=8, rolls_over=False)
    said = play(game, 99_990_000, 310_000)
    (jump,) = [signal for signal in said if isinstance(signal, FaultRaised)]
    assert "fell" in str(jump.detail)
    (score,) = ended(game.take(h.GameOver(at=2)))
    assert (score.score, score.candidates) == (None, (310_000,))


def test_the_same_fall_on_a_machine_of_unknown_digits_is_held_too():
    game = machine()
    play(game, 99_990_000, 310_000, 1_540_000)
    (score,) = ended(said := game.take(h.GameOver(at=2)))
    assert (score.score, score.text, score.candidates) == (None, "1540000", (1_540_000,))
    (read,) = [signal for signal in said if isinstance(signal, ScoreRead)]
    assert (read.player, read.candidates) == (1, (1_540_000,))


def test_the_last_score_counts_and_not_the_largest():
    game = machine()
    play(game, 100, 900)
    assert [score.score for score in ended(game.take(h.GameOver(at=2)))] == [900]


@pytest.mark.parametrize(("score", "limits"), [(1005, {"score_quantum": 10}), (2000, {"max_score": 1999}), (-5, {})])
def test_a_score_that_the_machine_cannot_have_is_held(score: int, limits: dict[str, int]):
    game = machine(**limits)
    play(game, 0, score)
    (final,) = ended(game.take(h.GameOver(at=2)))
    assert (final.score, final.text, final.candidates) == (None, str(score), (score,))


def test_very_large_scores_stay_exact():
    game = machine()
    play(game, 10**18 - 1)
    assert [score.score for score in ended(game.take(h.GameOver(at=2)))] == [10**18 - 1]


def test_leftover_scores_after_the_end_start_no_game():
    """B06."""
    game = machine()
    play(game, 210_000)
    game.take(h.GameOver(at=2))
    for value in (210_000, 210_000, 0):
        assert game.take(h.ScoreSeen(at=3, player=1, score=value)) == []
    assert game.phase is Phase.OVER


def test_a_player_of_whom_nothing_was_seen_has_no_score():
    game = machine()
    play(game, 500)
    game.take(h.PlayerJoined(at=1, player=2))
    scores = ended(game.take(h.GameOver(at=2)))
    assert [(one.player, one.score, one.text) for one in scores] == [(1, 500, None), (2, None, "?")]


@pytest.mark.parametrize(
    ("players", "up", "balls", "how"),
    [(1, (1, 3), 3, "normal"), (1, (1, 2), 3, "ended-early"), (2, (1, 3), 3, "ended-early"), (2, (2, 3), 3, "normal"),
     (2, (1, 1), None, "ended-early"), (1, (1, 1), None, "normal"), (1, (1, 5), 3, "normal")],
)  # fmt: skip
def test_a_game_is_early_where_the_last_players_last_ball_was_not_reached(
    players: int, up: tuple[int, int], balls: int | None, how: str
):
    game = machine()
    for player in range(1, players + 1):
        game.take(h.PlayerJoined(at=0, player=player))
    game.take(h.PlayerUp(at=1, player=up[0], ball=up[1], balls=balls))
    (end,) = [signal for signal in game.take(h.GameOver(at=2)) if isinstance(signal, GameEnded)]
    assert (end.how, end.balls_played) == (how, up[1])


def test_a_game_that_is_joined_late_has_as_many_balls_as_the_one_before():
    game = machine()
    play(game, 100)
    game.take(h.PlayerUp(at=1, player=1, ball=3, balls=3))
    game.take(h.GameOver(at=2))
    said = [one for hint in (h.GameFound(at=9), h.PlayersFound(at=9, players=1), h.PlayerUp(at=9, player=1, ball=2),
                             h.FindingDone(at=9), h.GameOver(at=10)) for one in game.take(hint)]  # fmt: skip
    assert [one.how for one in said if isinstance(one, GameEnded)] == ["ended-early"]


def test_a_tilt_explains_an_early_end():
    game = machine(balls=3)
    play(game, 500)
    game.take(h.PlayerUp(at=1, player=1, ball=1))
    game.take(h.Trouble(at=1, fault="tilt"))
    (end,) = [signal for signal in game.take(h.GameOver(at=2)) if isinstance(signal, GameEnded)]
    assert end.how == "normal"


def test_what_is_a_moment_passes_and_counts_again():
    game = machine()
    first = game.take(h.Trouble(at=0, fault="slam-tilt"))
    assert game.take(h.Trouble(at=100, fault="slam-tilt")) == []
    assert game.deadline() == 5000
    passed = game.tick(5000)
    again = game.take(h.Trouble(at=6000, fault="slam-tilt"))
    assert [type(signal) for signal in (*first, *passed, *again)] == [FaultRaised, FaultCleared, FaultRaised]


def test_a_ball_search_in_attract_mode_is_nothing():
    assert machine().take(h.Trouble(at=0, fault="ball-search")) == []


def test_every_hint_is_in_the_table_or_is_the_links_own():
    kinds = {kind for kind in vars(h).values() if isinstance(kind, type) and issubclass(kind, h.Hint)}
    links = {h.Hint, h.Heard, h.DotsShown, h.DotsLost}
    assert kinds - set(GameMachine._TABLE) - set(Watchman.RULES) == links


def test_every_fault_that_is_raised_has_its_kind_and_is_in_the_documentation():
    documented = set(re.findall(r"^\| `([a-z-]+)`", (ROOT / "docs" / "signals.md").read_text(), re.MULTILINE))
    assert set(FAULTS) <= documented
    for path in (ROOT / "capture").rglob("*.py"):
        for fault in re.findall(r'(?:fault=|_?(?:trouble|relief|raise)\((?:at, |now, )?)"([a-z-]+)"', path.read_text()):
            assert fault in FAULTS, f"{path.name} raises {fault!r}"


def test_every_kind_of_fact_is_in_the_documentation():
    text = (ROOT / "docs" / "signals.md").read_text()
    assert {kind for kind in [*FACTS, "score.live"] if f"`{kind}`" not in text} == set()
    for word in ("normal", "slam-tilt", "ended-early", "link-lost", "shutdown", "reset", "restart", "service"):
        assert f"| `{word}` |" in text


def test_every_event_that_means_something_is_asked_for():
    assert set(EVENTS) <= set(TRIGGERS)


def test_an_unknown_dialect_is_refused():
    with pytest.raises(SourceUnsupported, match="there are: bcp"):
        open_dialect(load_profile("mpf-bcp").model_copy(update={"dialect": "morse"}))
