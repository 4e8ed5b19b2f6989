"""Which number is the score: judged from places, sizes and words, with the numbers given."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from capture.vision.digits import Number, Text
from capture.vision.layout import Layout, lay_out
from capture.vision.reading import LIKELY, LIVE, OPEN, OTHER
from capture.vision.signs import Line, Sign
from hardware.displays import Window

DOTS = np.zeros((2, 32, 128), np.float32)
STATUS = ("GAME OVER", "SLAM TILT", "TILT", "PLAYER #", "BALL #")


@dataclass
class Screen:
    """Lines of a screen of 128 x 32 dots, as the readers would have them."""

    texts: list[Text] = field(default_factory=list)
    dots: np.ndarray = field(default_factory=DOTS.copy)

    def number(
        self, said: str, left: float, top: float, rows: int, *, level: float = 1.0, labelled: str = ""
    ) -> "Screen":
        text = said.replace(",", "")
        box = (left, float(top), left + 0.75 * rows * len(text), float(top + rows))
        number = Number(
            box=box, text=text, by_sign=text, by_line=text, chances=(0.99,) * len(text), found=0.99, damaged=0.0,
            gap=1.0, ends=(1.0, 1.0), widest=0.0, groups="," in said or None, alone=not labelled,
            labelled=bool(labelled), level=level,
        )  # fmt: skip
        words = f"{labelled} {text}".strip()
        self.texts.append(Text(line=_line(box), words=words, guess=words, numbers=(number,)))
        return self

    def words(self, said: str, left: float, top: float, rows: int = 6) -> "Screen":
        box = (left, float(top), left + 0.8 * rows * len(said), float(top + rows))
        self.texts.append(Text(line=_line(box), words=said, guess=said, numbers=()))
        return self

    def bar(self, at: int) -> "Screen":
        self.dots[0][:, at] = 1
        return self

    def laid_out(self, windows: tuple[Window, ...] = (), players: int = 4) -> Layout:
        return lay_out(self.texts, self.dots, patterns=STATUS, players=players, windows=windows)


def _line(box: tuple[float, float, float, float]) -> Line:
    return Line(signs=(Sign(box=box, found=1.0, damaged=0.0, kind="0", chances=np.full(37, 1 / 37, np.float32)),))


def _said(layout: Layout) -> tuple[str, str]:
    return (layout.live.text if layout.live else "", layout.standing)


def test_a_large_number_over_the_ball_is_the_score():
    assert _said(Screen().number("1,234,560", 10, 1, 18).words("BALL 2", 5, 25).laid_out()) == ("1234560", LIVE)


def test_a_large_number_with_nothing_beside_it_is_likely_only():
    assert _said(Screen().number("1,234,560", 10, 5, 18).laid_out()) == ("1234560", LIKELY)


@pytest.mark.parametrize(
    "heading",
    ["JACKPOT", "TOTAL BONUS", "GRAND CHAMPION", "HIGH SCORE", "RACE POSITION", "REPLAY", "HURRY UP", "LAST SCORE"],
)
def test_a_heading_makes_the_number_under_it_another_one(heading: str):
    layout = Screen().words(heading, 30, 2).number("1,234,560", 20, 12, 10).laid_out()
    assert layout.standing == OTHER
    assert layout.doubt


def test_a_reward_in_the_line_of_an_instruction_labels_nothing():
    screen = Screen().words("HAPPY HOUR", 30, 1, 7).number("2,948,670", 35, 10, 8)
    assert _said(screen.words("SHOOT GARAGE FOR JACKPOT", 2, 24, 5).laid_out()) == ("2948670", LIKELY)


def test_a_timer_at_the_side_makes_a_mode_of_it():
    screen = Screen().number("26", 0, 0, 8).words("BASH THE CAR", 40, 0).number("2,465,850", 45, 8, 6)
    assert _said(screen.laid_out()) == ("2465850", LIVE)


def test_a_round_number_beside_a_timer_may_be_an_award():
    screen = Screen().number("26", 0, 0, 8).words("BASH THE CAR", 40, 0).number("2,000,000", 45, 8, 6)
    assert _said(screen.laid_out()) == ("2000000", LIKELY)


def test_the_score_in_the_corner_is_the_score_though_an_award_is_larger_in_size():
    screen = (
        Screen().bar(42).number("586,330", 14, 1, 5).number("5,500", 65, 10, 12).number("5,500", 20, 9, 5, level=0.5)
    )
    layout = screen.laid_out()
    assert layout.live is not None
    assert layout.live.text == "586330"
    assert layout.standing in {LIKELY, OPEN}
    assert {number.text for number in layout.rest} == {"5500"}


def test_an_award_beside_a_column_of_scores_that_cannot_be_read_is_left_open():
    assert _said(Screen().bar(42).number("5,500", 65, 10, 12).laid_out()) == ("5500", OPEN)


def test_a_lone_number_is_the_player_whom_the_display_names():
    layout = Screen().number("1,234,560", 10, 1, 14).words("PLAYER 2", 30, 25).laid_out()
    assert layout.player == 2
    assert layout.standing == LIVE


def test_a_copy_of_the_score_in_the_corner_is_no_rival_and_no_player():
    layout = Screen().number("1,136,410", 8, 1, 5).number("1,136,410", 46, 7, 12).words("BALL 2", 42, 26).laid_out()
    assert _said(layout) == ("1136410", LIVE)
    assert layout.player is None


def _four(up: int, rows: int = 11) -> Screen:
    screen = Screen()
    for player, (text, left, top) in enumerate(
        [("354,440", 0, 0), ("645,570", 97, 0), ("385,020", 0, 16), ("494,080", 97, 16)], start=1
    ):
        high = rows if player == up else 6
        screen.number(text, left if player % 2 else 128 - 0.75 * high * 6, top, high)
    return screen


@pytest.mark.parametrize("up", [1, 2, 3, 4])
def test_of_players_in_the_corners_the_largest_is_up(up: int):
    layout = _four(up).laid_out()
    assert layout.player == up
    assert layout.standing == LIVE
    assert {who for who, _ in layout.others} == {1, 2, 3, 4} - {up}


def test_players_of_one_size_leave_it_open():
    assert _four(1, rows=6).words("BALL 1", 40, 26).laid_out().standing == OPEN


def test_the_player_whom_the_display_names_is_up_whatever_the_sizes():
    layout = _four(1, rows=6).words("PLAYER 3", 40, 26).laid_out()
    assert layout.player == 3
    assert layout.live is not None
    assert layout.live.text == "385020"


def test_the_brighter_of_two_players_is_up():
    screen = Screen().number("354,440", 0, 0, 7, level=0.4).number("645,570", 96, 0, 7).words("BALL 1", 40, 26)
    assert _said(screen.laid_out()) == ("645570", LIVE)


def test_two_numbers_of_one_size_leave_it_open():
    assert Screen().number("354,440", 20, 0, 8).number("645,570", 60, 12, 8).laid_out().standing == OPEN


@pytest.mark.parametrize("line", ["BALL 1 LOCKED", "EXTRA BALL 2", "BALL 1 SAVED"])
def test_talk_of_balls_is_not_the_ball_in_play(line: str):
    assert Screen().number("1,234,560", 10, 1, 14).words(line, 30, 25).laid_out().standing != LIVE


def test_initials_beside_a_number_make_it_a_table():
    assert Screen().words("FGH", 0, 4, 20).number("225,336,800", 55, 12, 6).laid_out().standing == OTHER


def test_game_over_makes_no_score():
    assert Screen().number("1,234,560", 10, 1, 14).words("GAME OVER", 30, 24).laid_out().standing == OTHER


WINDOWS = (
    Window(player=1, left=0.0, top=0.0, right=0.45, bottom=0.5),
    Window(player=2, left=0.55, top=0.0, right=1.0, bottom=0.5),
    Window(left=0.2, top=0.3, right=0.8, bottom=0.7),
    Window(shows="ball", left=0.4, top=0.75, right=0.6, bottom=1.0),
)


def test_a_number_in_a_score_window_is_that_players_score():
    layout = Screen().number("354,440", 0, 0, 10).number("1,500", 100, 2, 5).laid_out(WINDOWS)
    assert _said(layout) == ("354440", LIVE)
    assert layout.player == 1
    assert [(who, number.text) for who, number in layout.others] == [(2, "1500")]


def test_a_number_outside_the_windows_is_no_score():
    layout = Screen().number("5,000,000", 30, 22, 8).laid_out(WINDOWS)
    assert layout.live is None
    assert [number.text for number in layout.rest] == ["5000000"]


def test_a_window_does_not_make_an_award_a_score():
    assert Screen().words("JACKPOT", 45, 1, 6).number("1,234,560", 40, 10, 8).laid_out(WINDOWS).standing == OTHER


def test_a_ball_window_says_the_ball():
    assert "BALL 3" in Screen().number("354,440", 0, 0, 10).words("3", 60, 25, 6).laid_out(WINDOWS).words
