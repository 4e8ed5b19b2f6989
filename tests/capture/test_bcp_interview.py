"""Answers belong to the questions of a recording, and a score to whoever was up when it was told."""

import pytest

from capture.pipeline import Capture
from capture.signals import FaultRaised, GameStarted, Signal
from hardware.catalog import load_profile
from hardware.ports.base import Chunk, Opened, Overheard

FOUND = b'hello?version=1.1\nmode_list?json={"running_modes": [["game", 20]]}\n'


class Listener:
    """A recording in which somebody asks: `?x` is a question, `=x` an answer, all else a line of MPF's."""

    def __init__(self) -> None:
        self.at = 0
        self.capture = Capture(load_profile("mpf-bcp"))
        self.said: list[Signal] = self.capture.feed(Opened(at=0, port="x", passive=True))
        self.said += self.capture.feed(Chunk(at=0, data=FOUND))

    def hear(self, *lines: str, step: int = 100) -> None:
        for line in lines:
            self.at += step
            if line.startswith("?"):
                question = f"evaluate_placeholder?placeholder={line[1:]}\n".encode()
                self.said += self.capture.feed(Overheard(at=self.at, data=question))
                continue
            answer = f"evaluate_placeholder?value={line[1:]}&error=bool:False" if line.startswith("=") else line
            self.said += self.capture.feed(Chunk(at=self.at, data=answer.encode() + b"\n"))

    def scores(self) -> dict[int, int | None]:
        self.said += self.capture.tick(self.at + 2_000)
        return {live.player: live.score for live in self.capture.live()}


@pytest.mark.parametrize(
    "lines",
    [
        ("?current_player.score", "=int:700", "?current_player.number", "=int:2"),
        ("?current_player.number", "=int:2", "?current_player.score", "=int:700"),
        ("?current_player.number", "?current_player.score", "=int:2", "=int:700"),
        ("?players[1].score", "=int:700", "?players[2].score", "=NoneType:", "?current_player.number", "=int:2"),
    ],
)
def test_the_score_of_whoever_is_up_is_theirs_in_any_order_of_questions(lines: tuple[str, ...]):
    listener = Listener()
    listener.hear(*lines)
    assert listener.scores() == {2: 700}


def test_a_score_told_before_the_turn_changed_is_not_given_to_the_next_player():
    listener = Listener()
    listener.hear("?current_player.score", "=int:700", "player_turn_start?player_num=int:2")
    listener.hear("?current_player.number", "=int:2")
    assert 700 not in listener.scores().values()


def test_a_game_is_said_as_soon_as_its_players_ball_and_scores_are_known():
    listener = Listener()
    listener.hear(
        "?current_player.score", "=int:700", "?current_player.number", "=int:2", "?current_player.ball", "=int:3"
    )
    listener.hear("?game.num_players", "=int:2", "?players[0].score")
    assert not any(isinstance(one, GameStarted) for one in listener.said)
    listener.hear("=int:50")
    assert [(one.at, one.players) for one in listener.said if isinstance(one, GameStarted)] == [(listener.at, 2)]
    assert {live.player: live.score for live in listener.capture.live()} == {1: 50, 2: 700}


def test_a_game_is_said_when_the_questions_are_over_and_ten_seconds_after_at_the_latest():
    listener = Listener()
    for _ in range(4):
        listener.hear("?game.tilted", "=bool:False", step=900)
    listener.hear("?game.num_players", "=int:3")
    listener.scores()
    assert [(one.players, one.joined_late) for one in listener.said if isinstance(one, GameStarted)] == [(3, True)]
    listener = Listener()
    for _ in range(8):
        listener.hear("?game.tilted", "=bool:False", step=900)
    assert [one.at for one in listener.said if isinstance(one, GameStarted)] == [10_000]


@pytest.mark.parametrize(("question", "fault"), [("game.tilted", "tilt"), ("game.slam_tilted", "slam-tilt")])
def test_a_tilt_from_before_we_listened_is_raised_once(question: str, fault: str):
    listener = Listener()
    listener.hear("?current_player.number", "=int:1", f"?{question}", "=bool:True", f"?{question}", "=bool:True")
    assert [(one.fault, one.player) for one in listener.said if isinstance(one, FaultRaised)] == [(fault, 1)]
