"""A display's readings begin and end games, and a number that is not sure never becomes a final score."""

from dataclasses import dataclass, field

from capture.game import GameMachine
from capture.screens import Screens
from capture.settle import Settle
from capture.signals import BallEnded, FaultRaised, GameAborted, GameEnded, GameStarted, PlayerScore, ScoreRead, Signal
from capture.vision.reading import Reading, ScoreReading
from hardware.displays import DotMatrix
from hardware.profile import MachineProfile

STEP = 200
PROFILE = MachineProfile(
    id="d", name="D", kind="display", display=DotMatrix(type="dmd", columns=128, rows=32), balls=3, hold_ms=8000
)


@dataclass
class Table:
    """A display that is read five times a second."""

    profile: MachineProfile = PROFILE
    at: int = 0
    said: list[Signal] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.screens = Screens(self.profile)
        self.settle = Settle(self.profile)
        self.game = GameMachine(self.profile)

    def show(
        self, seconds: float, *words: str, accepted: bool = True, beside: tuple[int, ...] = (), **players: int | None
    ) -> None:
        """`p1=500`: player 1's number (who is up comes first); `p0`: a lone number without a name."""
        scores = tuple(
            ScoreReading(
                player=int(name[1:]) or None,
                text="5?0" if score is None else str(score),
                score=score,
                candidates=(500, 510) if score is None else (),
                confidence=0.99 if accepted and score is not None else 0.6,
            )
            for name, score in players.items()
        )
        sure = accepted and bool(scores) and scores[0].score is not None
        others = tuple(ScoreReading(player=None, text=str(one), score=one) for one in beside)
        reading = Reading(display="dmd", scores=scores, accepted=sure, words=words, others=others)
        for _ in range(round(seconds * 1000 / STEP)):
            self.at += STEP
            for hint in self.screens.see(reading, self.settle.feed(reading, self.at), self.at):
                self.said += self.game.take(hint)

    def attract(self, seconds: float = 9) -> None:
        self.show(seconds / 3)
        self.show(seconds / 3, "FREE PLAY")
        self.show(seconds / 3, accepted=False, p0=900_000_000)

    def of(self, kind: type[Signal]) -> list[Signal]:
        return [signal for signal in self.said if isinstance(signal, kind)]

    def ended(self) -> list[dict[int, int | None]]:
        return [{one.player: one.score for one in end.scores} for end in self.said if isinstance(end, GameEnded)]

    def live(self) -> list[int | None]:
        return [one.score for one in self.game.live()]


def full_game(table: Table, *finals: int) -> None:
    """Three balls each, and the final screens."""
    scores = dict.fromkeys(range(1, len(finals) + 1), 0)
    for ball in (1, 2, 3):
        for player, final in enumerate(finals, start=1):
            for step in (1, 2, 3):
                scores[player] = final * ((ball - 1) * 3 + step) // 9
                up = {f"p{player}": scores[player]}
                table.show(2, f"BALL {ball}", f"PLAYER {player}", **(up | {f"p{p}": s for p, s in scores.items()}))
    ends = {f"p{player}": score for player, score in scores.items()}
    table.show(3, **ends)
    table.show(3, "GAME OVER")
    table.show(3, **ends)


def test_a_game_is_played_from_its_first_ball_to_game_over():
    table = Table()
    table.attract()
    table.show(2, "BALL 1", p0=0)
    assert table.live() == [0]
    full_game(table, 9_000_000)
    table.attract(60)
    assert table.ended() == [{1: 9_000_000}]
    (start,) = table.of(GameStarted)
    assert isinstance(start, GameStarted)
    assert not start.joined_late
    (end,) = table.of(GameEnded)
    assert isinstance(end, GameEnded)
    assert (end.how, end.balls_played, end.source) == ("normal", 3, "camera")
    assert [(b.player, b.ball) for b in table.said if isinstance(b, BallEnded)] == [(1, 1), (1, 2)]


def test_two_players_are_told_apart():
    table = Table()
    table.attract()
    full_game(table, 900_000, 1_800_000)
    assert table.ended() == [{1: 900_000, 2: 1_800_000}]


def test_turns_are_told_once_though_ball_and_player_show_by_turns():
    table = Table()
    table.attract()
    before = {1: 0, 2: 0}
    for ball, player, score in ((1, 1, 100), (1, 2, 200), (2, 1, 300), (2, 2, 400), (3, 1, 500)):
        before[player] = score
        order = sorted(before, key=lambda one: one != player)
        shown = {f"p{one}": before[one] for one in order}
        table.show(3, f"PLAYER {player}", **shown)
        table.show(3, f"BALL {ball}", **shown)
        table.show(3, f"PLAYER {player}", **shown)
    turns = [(turn.player, turn.ball) for turn in table.said if isinstance(turn, BallEnded)]
    assert turns == [(1, 1), (2, 1), (1, 2), (2, 2)]


def test_two_games_in_a_row_are_two():
    table = Table()
    table.attract()
    full_game(table, 9_000_000)
    table.attract()
    full_game(table, 90_000)
    assert table.ended() == [{1: 9_000_000}, {1: 90_000}]


def test_who_comes_in_mid_game_joins_late():
    table = Table()
    table.show(3, "BALL 2", p0=500)
    (start,) = table.of(GameStarted)
    assert isinstance(start, GameStarted)
    assert start.joined_late


def test_attract_mode_begins_nothing_however_long_it_lasts():
    table = Table()
    for champion in (900_000_000, 40_000_000, 30_000_000):
        table.attract()
        table.show(3, p0=champion)  # read and accepted, but it does not rise and no ball is in play
        table.show(0.4, "BALL 2", p0=champion)  # one misread word
    assert table.said == []


def test_a_display_without_words_shows_play_by_a_number_that_rises():
    table = Table()
    table.attract()
    for score in (0, 100, 700, 900, 1500):
        table.show(2, p0=score)
    assert len(table.of(GameStarted)) == 1
    assert table.live() == [1500]


def test_a_bonus_that_was_not_read_makes_the_final_score_wait():
    """The last accepted number is from before the bonus; the final screen cannot be read for certain."""
    table = Table()
    table.attract()
    for ball in (1, 2, 3):
        table.show(4, f"BALL {ball}", p0=ball * 1000)
    table.show(2, accepted=False, p0=3500)
    table.show(3, accepted=False, p0=8000)
    table.show(3, "GAME OVER")
    table.show(3, accepted=False, p0=8000)
    table.show(3, "GAME OVER")
    (end,) = table.of(GameEnded)
    assert isinstance(end, GameEnded)
    (score,) = end.scores
    assert score.score is None
    assert {3000, 8000} <= set(score.candidates)
    assert len(table.of(ScoreRead)) == 1


def test_digits_that_were_not_seen_stay_unseen():
    table = Table()
    table.attract()
    table.show(4, "BALL 3", p0=400)
    table.show(3, "BALL 3", p0=None)
    table.show(4, "GAME OVER", p0=None)
    table.show(6, p0=None)
    (end,) = table.of(GameEnded)
    assert isinstance(end, GameEnded)
    assert [score.score for score in end.scores] == [None]


def test_game_over_that_blinks_in_mid_game_ends_nothing():
    """B01: three blinks, one game."""
    table = Table()
    table.attract()
    for ball in (1, 2, 3):
        table.show(4, f"BALL {ball}", p0=ball * 1000)
        table.show(0.2, "GAME OVER")
        table.show(2, f"BALL {ball}", p0=ball * 1000)
    assert table.of(GameEnded) == []
    table.show(3, "GAME OVER")
    table.show(3, p0=3000)
    assert table.ended() == [{1: 3000}]


def test_a_game_whose_end_was_not_seen_ends_when_the_next_begins_and_waits_for_an_official():
    table = Table()
    table.attract()
    table.show(4, "BALL 2", p0=5000)
    table.show(8, "BALL 1", p0=0)
    table.show(4, "BALL 1", p0=70)
    assert table.ended() == [{1: None}]
    assert len(table.of(GameStarted)) == 2
    assert table.live() == [70]


def test_a_tilt_is_a_fault_once_and_the_game_goes_on():
    table = Table()
    table.attract()
    table.show(4, "BALL 1", p0=100)
    table.show(12, "TILT")
    table.show(4, "BALL 2", p0=100)
    faults = [fault for fault in table.said if isinstance(fault, FaultRaised)]
    assert [(fault.fault, fault.player, fault.ball) for fault in faults] == [("tilt", 1, 1)]
    assert table.of(GameEnded) == []


def test_play_that_does_not_come_back_ends_at_last_and_waits_for_an_official():
    table = Table()
    table.attract()
    table.show(4, "BALL 1", p0=100)
    table.attract(30)
    assert table.of(GameEnded) == []
    table.attract(60)
    assert table.ended() == [{1: None}]


def test_a_number_that_falls_for_a_moment_is_no_new_truth():
    """One misreading that was accepted does not shut out what follows; the final score is the last one, held."""
    table = Table()
    table.attract()
    table.show(4, "BALL 1", p0=1000)
    table.show(1.4, "BALL 1", p0=81_000)
    table.show(4, "BALL 1", p0=1500)
    assert table.live()[-1] == 1500
    table.show(4, "BALL 3", p0=2500)
    table.show(3, "GAME OVER")
    table.show(3, p0=2500)
    (end,) = table.of(GameEnded)
    assert isinstance(end, GameEnded)
    assert end.scores == (PlayerScore(player=1, score=None, confidence=0.0, text="2500", candidates=(2500,)),)


def test_a_number_that_never_was_sure_waits_with_what_was_read():
    table = Table()
    table.show(6, "BALL 3", accepted=False, p0=8_618_490)
    table.show(12)
    assert table.ended() == [{1: None}]
    (read,) = table.of(ScoreRead)
    assert isinstance(read, ScoreRead)
    assert (read.text, read.candidates) == ("8618490", (8_618_490,))


def test_an_aborted_game_keeps_what_was_read_of_a_score_that_never_was_sure():
    table = Table()
    table.show(6, "BALL 1", accepted=False, p0=8_618_490)
    for hint in table.screens.lose(table.at, "display-lost"):
        table.said += table.game.take(hint)
    (aborted,) = table.of(GameAborted)
    assert isinstance(aborted, GameAborted)
    assert [(one.score, one.text, one.candidates) for one in aborted.scores] == [(None, "8618490", (8_618_490,))]


def test_a_bonus_in_another_players_place_makes_no_player():
    table = Table()
    table.attract()
    for ball, score in (("BALL 1", 1_000), ("BALL 2", 3_000), ("BALL 3", 8_000)):
        table.show(8, ball, p1=score)
        table.show(2, ball, p1=score, p2=950)
    table.show(4, "GAME OVER", p1=8_000)
    assert table.ended() == [{1: 8_000}]


def test_players_whose_lone_numbers_take_turns_are_told_apart_by_what_stays_in_view():
    """One large number for whoever is up, and everybody's small ones beside it."""
    table = Table()
    table.attract()
    table.show(3, "BALL 1", p0=0)
    table.show(3, "BALL 1", p0=5_000, beside=(5_000,))
    table.show(3, "BALL 1", p0=0, beside=(5_000, 0))
    for score in (700, 9_000):
        table.show(3, "BALL 1", p0=score, beside=(5_000, score))
    table.show(3, "BALL 2", p0=5_000, beside=(5_000, 9_000))
    table.show(3, "BALL 2", p0=6_000, beside=(6_000, 9_000))
    table.show(3, "BALL 2", p0=9_000, beside=(6_000, 9_000))
    assert [one.score for one in table.game.live()] == [6_000, 9_000]
    assert len(table.of(GameStarted)) == 1
    assert table.of(GameEnded) == []


def test_a_lone_number_that_may_be_anybodys_counts_for_nobody():
    table = Table()
    table.attract()
    table.show(3, "BALL 1", p0=0)
    table.show(3, "BALL 1", p0=5_000, beside=(5_000,))
    table.show(3, "BALL 1", p0=0, beside=(5_000, 0))
    table.show(3, "BALL 1", p0=9_000, beside=(9_000,))
    table.show(9)
    table.show(3, "BALL 2", p0=9_700)
    assert [one.score for one in table.game.live()] == [5_000, None]


def test_where_players_have_places_of_their_own_a_number_in_none_is_nobodys():
    """Player 1's number was misread, and player 3's stood alone."""
    table = Table()
    table.attract()
    table.show(3, "BALL 1", p1=0, p2=0)
    table.show(3, "BALL 1", p1=5_000, p2=0)
    table.show(3, "BALL 1", p2=700, p1=5_000)
    table.show(5, "BALL 2", p0=52_370)
    table.show(3, "BALL 2", p1=5_600, p2=700)
    assert [one.score for one in table.game.live()] == [5_600, 700]
