"""What the simulated display shows is what the truth says, read back with an exact matcher of its own glyphs."""

from itertools import combinations

import cv2
import numpy as np
import pytest

from hardware.sim import fonts
from hardware.sim.course import Course
from hardware.sim.dmd import ROLL_MS, Display
from hardware.sim.play import CALM, Habits


def find(dots: np.ndarray, glyph: np.ndarray) -> bool:
    """Whether these dots stand somewhere exactly so, with a dark margin (or the edge) around."""
    lit, want = (np.pad(part > 0, 1).astype(np.float32) for part in (dots, glyph))
    if want.shape[0] > lit.shape[0] or want.shape[1] > lit.shape[1]:
        return False
    return bool(cv2.matchTemplate(lit, want, cv2.TM_SQDIFF).min() < 0.5)


def shows_number(display: Display, dots: np.ndarray, value: int) -> bool:
    return any(find(dots, fonts.number(value, rows, display.hand)) for rows in (20, 18, 16, 13, 11, 9, 7, 5))


def run(seed: int, habits: Habits, *, until: int, step: int = 150):
    """Pairs of the display after all events up to a time, and that time."""
    course, display = Course(habits, seed), Display(seed)
    for at in range(0, until, step):
        for event in course.take(at):
            display.tell(event)
        yield display, at


@pytest.mark.parametrize("seed", range(8))
def test_the_score_screen_shows_every_players_true_score_once_it_stands(seed: int):
    checked = 0
    for display, at in run(seed, Habits(ball_seconds=6, idle_seconds=15), until=400_000, step=170):
        quiet = display.event.kind in {"scored", "ball-ended"} and display.event.detail in {"switch", ""}
        still = at - display.scored_at >= ROLL_MS and at - display.overlay.at > 1500 and not display.tilted
        if not (display.playing and quiet and still):
            continue
        dots = display.draw(at)
        if display.event.kind == "ball-ended" and display.overlay.kind != "bonus":
            assert find(dots, fonts.text(f"BALL {display.ball}", display.words_rows)) or find(
                dots, fonts.text(f"PLAYER {display.player}", display.words_rows)
            )
        for score in display.scores:
            assert shows_number(display, dots, score), f"{score} not on the screen at {at}"
        checked += 1
    assert checked > 20


@pytest.mark.parametrize("seed", range(8))
def test_the_final_scores_stand_after_the_game_in_turn_with_game_over(seed: int):
    seen_scores = seen_words = 0
    for display, at in run(seed, Habits(ball_seconds=4, idle_seconds=15, power_cut=0, service=0), until=250_000):
        if display.over_at is None or not 0 <= at - display.over_at < 12_000:
            continue
        dots = display.draw(at)
        if find(dots, fonts.text("GAME OVER", 14)):
            seen_words += 1
        else:
            assert all(shows_number(display, dots, score) for score in display.scores)
            seen_scores += 1
    assert seen_scores > 10
    assert seen_words > 10


def test_a_rolling_number_is_never_above_the_score_and_ends_on_it():
    for display, at in run(3, Habits(ball_seconds=8), until=200_000, step=40):
        for player, score in enumerate(display.scores, 1):
            assert display.shown(player, at) <= score
            if at - display.scored_at >= ROLL_MS:
                assert display.shown(player, at) == score


def test_other_things_are_shown_too_tilt_jackpots_bonus_and_a_dark_display():
    habits = Habits(ball_seconds=8, idle_seconds=8, tilt=0.3, power_cut=0.2, initials=1, jackpot=0.5)
    seen: set[str] = set()
    words = {
        word: fonts.text(word, rows) for word, rows in (("TILT", 14), ("JACKPOT", 14), ("BONUS", 7), ("GAME OVER", 14))
    }
    words |= {"ENTER INITIALS": fonts.text("ENTER INITIALS", 5), "PRESS START": fonts.text("PRESS START", 7)}
    for display, at in run(1, habits, until=600_000):
        dots = display.draw(at)
        seen |= {"dark"} if not dots.any() else set()
        seen |= {word for word, glyph in words.items() if word not in seen and find(dots, glyph)}
    assert seen == {"dark", *words}


def test_the_same_seed_and_time_draw_the_same_dots():
    for (one, at), (other, _) in zip(run(6, CALM, until=60_000), run(6, CALM, until=60_000), strict=True):
        assert (one.draw(at) == other.draw(at)).all()


@pytest.mark.parametrize("hand", fonts.HANDS)
@pytest.mark.parametrize("rows", [5, 7, 9, 11, 13, 16, 18, 20])
def test_no_two_digits_look_alike(hand: fonts.Hand, rows: int):
    digits = [fonts.digit(value, rows, hand) for value in range(10)]
    widest = max(digit.shape[1] for digit in digits)
    drawn = [np.pad(digit, ((0, 0), (0, widest - digit.shape[1]))) for digit in digits]
    assert min(int((one != other).sum()) for one, other in combinations(drawn, 2)) >= (1 if rows <= 7 else 3)
    assert all(digit.shape[0] == rows and digit.any() for digit in digits)


def test_all_words_have_their_letters():
    for word in ("GAME OVER", "QUIZ JACKPOT", "WXYZ 0123456789", "A-B.C=D!,:"):
        for rows in (5, 7):
            whole = fonts.text(word, rows)
            assert whole.shape[0] == rows
            for sign in word.replace(" ", ""):
                assert fonts.text(sign, rows).any()
