"""Displays whose scores stand in windows of their own, without a word: games by their numbers alone."""

from dataclasses import dataclass

import pytest

from capture.signals import FaultRaised, GameEnded, GameStarted
from capture.vision.reading import ROLLING, Reading, ScoreReading
from hardware.displays import Reels
from hardware.profile import MachineProfile
from tests.capture.display_table import Watched

PROFILE = MachineProfile(id="r", name="R", kind="display", display=Reels(type="reels"), hold_ms=8000, digits=6)


@dataclass
class Reel(Watched):
    """Windows without a word."""

    profile: MachineProfile = PROFILE

    def show(
        self, seconds: float, *scores: int | None, rolling: bool = False, words: tuple[str, ...] = (),
        text: str = "4?0",
    ) -> None:  # fmt: skip
        """One number a player, None where a place of it cannot be read."""
        readings = tuple(
            ScoreReading(
                player=player, text=str(score) if score is not None else text, score=score, sound=score is not None,
                state=ROLLING if rolling else "settled", confidence=0.99,
            )
            for player, score in enumerate(scores, 1)
        )  # fmt: skip
        accepted = bool(scores) and scores[0] is not None and not rolling
        reading = Reading(display="reels", scores=readings, accepted=accepted, words=words)
        self.see(reading, seconds)

    def stop(self) -> None:
        for hint in self.screens.finish(self.at):
            self.said += self.game.take(hint)

    def starts(self) -> list[GameStarted]:
        return [one for one in self.said if isinstance(one, GameStarted)]


def play(reel: Reel, *finals: int) -> None:
    """Everybody's score rises in eight steps, three balls in turn, as it stands in windows that all show."""
    shown = [0] * len(finals)
    reel.show(4, *shown)
    for ball in range(3):
        for player, final in enumerate(finals):
            for step in range(1, 9):
                shown[player] = final * (8 * ball + step) // 24
                reel.show(1.6, *shown)


def test_a_number_that_rises_from_nought_is_a_game_and_the_next_nought_ends_it():
    reel = Reel()
    reel.show(20, 4350)
    play(reel, 24_000)
    reel.show(10, 24_000)
    play(reel, 2_400)
    assert [start.joined_late for start in reel.starts()] == [False, False]
    assert reel.ended() == [{1: 24_000}]


def test_a_score_that_stands_still_for_long_is_final():
    reel = Reel()
    play(reel, 24_000)
    reel.show(70, 24_000)
    assert reel.ended() == [{1: 24_000}]


def test_a_nought_that_comes_at_once_leaves_the_score_for_an_official():
    """Somebody restarted in mid-game: what stood there may not have been final."""
    reel = Reel()
    play(reel, 24_000)
    reel.show(6, 0)
    assert reel.ended() == [{1: None}]


def test_two_players_take_turns_and_those_who_did_not_play_are_none():
    reel = Reel()
    reel.show(9, 100, 200, 0, 0)
    reel.show(3, 0, 0, 0, 0)
    for one, two in ((100, 0), (300, 0), (500, 0), (500, 50), (500, 900), (900, 900), (900, 1200)):
        reel.show(3, one, two, 0, 0)
    reel.show(70, 900, 1200, 0, 0)
    assert reel.ended() == [{1: 900, 2: 1200}]


def test_a_reel_between_two_digits_is_no_number():
    reel = Reel()
    play(reel, 24_000)
    reel.show(3, 34_000, rolling=True)
    reel.show(5, 24_010)
    reel.show(70, 24_010)
    assert reel.ended() == [{1: 24_010}]


def test_reels_that_step_to_nought_begin_a_new_game():
    reel = Reel()
    play(reel, 24_000)
    reel.show(9, 24_000)
    for step in range(5, 11):
        reel.show(0.2, int(f"{(2 + step) % 10}{(4 + step) % 10}000"), rolling=step % 2 == 0)
    play(reel, 4_800)
    reel.show(70, 4_800)
    assert reel.ended() == [{1: 24_000}, {1: 4_800}]


def test_attract_mode_that_turns_pages_begins_nothing():
    reel = Reel()
    for _ in range(12):
        for number in (300_000, 12_000, 450_000, 500_000):
            reel.show(3, number)
    assert reel.said == []


def test_a_rollover_is_the_same_game_and_waits_for_an_official():
    reel = Reel()
    play(reel, 998_400)
    reel.show(3, 999_990)
    reel.show(3, 0)
    reel.show(3, 150)
    reel.show(70, 4_000)
    assert reel.ended() == [{1: None}]
    (end,) = [one for one in reel.said if isinstance(one, GameEnded)]
    assert end.scores[0].candidates[0] == 1_004_000
    assert "score-jump" in [one.fault for one in reel.said if isinstance(one, FaultRaised)]


@pytest.mark.parametrize("false", [924_000, 24_800])
def test_a_false_high_number_gives_way_and_is_never_the_final_one(false: int):
    reel = Reel()
    play(reel, 24_000)
    reel.show(2, false)
    reel.show(5, 24_010)
    reel.show(5, 24_090)
    reel.show(70, 24_090)
    (end,) = reel.ended()
    assert end[1] in {None, 24_090}
    assert reel.game.last is not None


def test_a_recording_that_ends_while_scores_stand_still_ends_the_game():
    reel = Reel()
    play(reel, 24_000)
    reel.show(10, 24_000)
    reel.stop()
    assert reel.ended() == [{1: 24_000}]


def test_a_ball_window_names_the_balls():
    reel = Reel(PROFILE.model_copy(update={"balls": 3}))
    reel.show(9, 900)
    for ball in (1, 2, 3):
        for step in range(4):
            reel.show(3, 400 * ball + 100 * step - 400, words=(f"BALL {ball}",))
    reel.show(12, 1100)
    assert reel.ended() == [{1: 1100}]


def test_digits_that_are_lit_in_turn_make_a_score_that_is_final():
    reel = Reel()
    play(reel, 24_000)
    for _ in range(30):
        reel.show(0.2, None, text="2?1?0")
        reel.show(0.2, None, text="4?9?")
    for _ in range(160):
        reel.show(0.2, None, text="2?1?0")
        reel.show(0.2, None, text="4?9?")
    assert reel.ended() == [{1: 24_190}]


def test_a_digit_that_changed_at_the_end_unseen_by_most_pictures_leaves_the_score_for_an_official():
    reel = Reel()
    play(reel, 24_000)
    for _ in range(200):
        reel.show(0.4, None, text="2?0?0")
        reel.show(0.2, None, text="?4?7?")
    (end,) = reel.ended()
    assert end[1] in {None, 24_070}


def test_wheels_that_rise_once_from_nought_are_played_and_later_ones_after_four():
    reel = Reel()
    for score in (0, 10):
        reel.show(3, score)
    assert [start.joined_late for start in reel.starts()] == [False]
    late = Reel()
    for score in (4350, 4360, 4370, 4380):
        late.show(3, score)
    assert [start.joined_late for start in late.starts()] == [True]


@pytest.mark.parametrize(("words", "told"), [(("BALL 1",), 4500), ((), None)])
def test_a_high_score_that_takes_turns_with_the_last_score_ends_no_less_than_a_still_one(
    words: tuple[str, ...], told: int | None
):
    """No profile says how many balls there are; where balls were named, the page is not even told as a score."""
    reel = Reel()
    for score in range(0, 5000, 500):
        reel.show(3, score, words=words)
    for _ in range(5):
        reel.show(12, 4500)
        reel.show(4, 250_000)
    reel.show(9, 0)
    assert reel.ended() == [{1: told}]
    jumps = [one for one in reel.said if isinstance(one, FaultRaised) and one.fault == "score-jump"]
    assert len(jumps) == (told is None)


def test_wheels_of_all_players_step_back_together_whoever_is_at_nought_first():
    reel = Reel()
    for one, two in ((0, 0), (100, 0), (500, 0), (500, 50), (500, 900)):
        reel.show(3, one, two)
    reel.show(10, 500, 900)
    reel.show(0.2, 700, 300)
    reel.show(0.2, 0, 500)
    reel.show(5, 0, 0)
    assert reel.ended() == [{1: 500, 2: 900}]


def test_wheels_that_stood_and_show_less_play_the_next_game_though_their_nought_was_not_read():
    reel = Reel()
    play(reel, 24_000)
    reel.show(10, 24_000)
    reel.show(3, None, text="0?0")
    for score in (500, 900, 1500):
        reel.show(3, score)
    reel.show(70, 1500)
    assert reel.ended() == [{1: None}, {1: 1500}]
    assert not [one for one in reel.said if isinstance(one, FaultRaised)]
