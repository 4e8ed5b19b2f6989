"""Inlane's line format through the real capture: what counts, what is left over, what is damaged."""

from itertools import permutations

import pytest

from capture.dialects import Setup
from capture.dialects.lines import LinesDialect
from capture.dialects.lines_grammar import parse_line, sign
from capture.signals import BallEnded, FaultCleared, FaultRaised, GameStarted
from hardware.catalog import load_profile
from tests.capture.line_steps import CUT, GAME, ends, faults, play


def test_a_whole_game_of_two_is_told_exactly():
    said = play(
        "HELLO device=left machine=Funhouse\nGAME players=2 balls=1\n",
        "PLAYER 1 BALL 1\nSCORE 1 500\nBALL END\nPLAYER 2 BALL 1\nSCORE 2 2147483648\nBALL END\n",
        "END 1=500 2=2147483648\n",
    )
    assert [one.players for one in said if isinstance(one, GameStarted)] == [2]
    balls = [(one.player, one.ball) for one in said if isinstance(one, BallEnded)]
    assert balls == [(1, 1), (2, 1)]
    assert ends(said) == [("normal", {1: 500, 2: 2147483648})]


@pytest.mark.parametrize("score", [0, 2147483647, 2147483648, 4294967296, 12345678910, 10**18])
def test_every_score_is_exact(score: int):
    said = play("GAME players=1\nPLAYER 1 BALL 1\n", f"SCORE 1 {score}\nEND 1={score:019d}\n")
    assert ends(said) == [("normal", {1: score})]


def test_a_game_with_fewer_balls_than_are_played_ended_early():
    assert ends(play("GAME players=1 balls=3\nPLAYER 1 BALL 1\nSCORE 1 50\nEND 1=50\n")) == [("ended-early", {1: 50})]


def test_repeated_and_empty_finals_start_and_credit_nothing():
    again = "END 1=210000\n"
    said = play(GAME, 500, again, again, 200, "END 1=0\n", 20_000, again, "SCORE 1 210000\nEND 1=0\n", 20_000)
    assert ends(said) == [("normal", {1: 210000})]
    assert not faults(said)


def test_finals_of_the_last_game_do_not_end_the_next_one():
    said = play(GAME, 800, "GAME players=1\n", 100, "END 1=210000\n", 100, "END 1=0\n", 900, "PLAYER 1 BALL 1\n")
    said = play(
        GAME, 800, "GAME players=1\n", 100, "END 1=210000\n", 100, "END 1=0\n", 900,
        "PLAYER 1 BALL 1\nSCORE 1 70\n", 100, "END 1=210000\n", 9000, "SCORE 1 90\nEND 1=90\n",
    )  # fmt: skip
    assert ends(said) == [("normal", {1: 210000}), ("normal", {1: 90})]


def test_a_game_said_twice_is_one_game():
    said = play("GAME players=1\nGAME players=2\nPLAYER 1 BALL 1\nSCORE 1 5\nPLAYER 2 BALL 1\nSCORE 2 7\nEND 1=5 2=7\n")
    assert ends(said) == [("normal", {1: 5, 2: 7})]


def test_a_numbered_game_that_comes_twice_is_one_game():
    lines = "GAME players=1 game=4\nPLAYER 1 BALL 1\nSCORE 1 50\nEND 1=50 game=4\n"
    assert ends(play(lines, 100, lines, 20_000)) == [("normal", {1: 50})]
    assert len(ends(play(lines, 100, lines.replace("game=4", "game=5"), 20_000))) == 2


def test_a_new_game_in_mid_game_is_a_restart():
    said = play("GAME players=1\nPLAYER 1 BALL 1\nSCORE 1 500\nGAME players=1\nPLAYER 1 BALL 1\nSCORE 1 3\nEND 1=3\n")
    assert ends(said) == [("restart", {1: 500}), ("normal", {1: 3})]


def test_a_score_lower_than_before_is_held_and_a_later_higher_one_is_said():
    assert ends(play("GAME players=1\nPLAYER 1 BALL 1\nSCORE 1 500\nEND 1=0\n")) == [("normal", {1: None})]
    said = play(GAME, 1000, "SCORE 1 215000\n")
    assert ends(said) == [("normal", {1: 210000})]
    assert faults(said) == ["score-jump"]


def test_scores_that_stand_start_nothing_and_one_that_rises_is_a_game_that_was_joined_late():
    assert not play("SCORE 1 900\nSCORE 2 50\nSCORE 1 900\n")[1:]
    said = play("SCORE 1 900\nSCORE 2 50\nSCORE 1 950\nEND 1=950 2=50\n")
    assert [one.joined_late for one in said if isinstance(one, GameStarted)] == [True]
    assert ends(said) == [("normal", {1: 950, 2: 50})]


def test_a_score_that_fell_makes_those_of_the_others_leftovers():
    said = play("SCORE 1 900\nSCORE 2 50\nSCORE 1 0\nSCORE 1 30\nSCORE 1 40\nEND 1=40\n")
    assert ends(said) == [("normal", {1: 40})]


def test_an_end_without_a_players_score_waits_for_it_or_for_an_official():
    begun = "GAME players=2\nPLAYER 1 BALL 1\nSCORE 1 10\nPLAYER 2 BALL 1\nSCORE 2 20\n"
    assert ends(play(begun, "END 1=10\n", 1000, "SCORE 2 20\n")) == [("normal", {1: 10, 2: 20})]
    assert ends(play(begun, "END 1=10\n", 20_000)) == [("normal", {1: 10, 2: None})]


# --- damage --------------------------------------------------------------------------------------------------


def test_no_part_of_a_line_counts():
    said = play("4560\nGAME players=1\nSCORE 1 123", 700, "4560\n", "SCORE 1 99", CUT)
    aborted = [one for one in said if isinstance(one, FaultRaised) and one.fault == "link-lost"]
    assert [score.score for score in aborted[0].scores] == [1234560]


def test_damaged_lines_are_refused_and_the_next_good_one_is_read():
    bad = [b"\x82\x35\xff", b"SCORE 1 1\x0023", b"SCORE 1 1\xff3", b"\xff" * 4096]
    for line in bad:
        said = play("GAME players=1\nPLAYER 1 BALL 1\n", line + b"\n", b"\xef\xbb\xbfSCORE 1 124\n", b"END 1=124\n")
        assert ends(said) == [("normal", {1: 124})]


def test_a_megabyte_without_an_end_costs_nothing_but_itself():
    dialect = LinesDialect(load_profile("lines"), Setup())
    dialect.open(0, passive=True)
    for _ in range(64):
        dialect.feed(b"\xff" * 16384, 0)
    hints = dialect.feed(b"\nGAME players=1\nSCORE 1 77\n", 0)
    assert str(hints).count("score=77") == 1


WHOLE = "@7 SCORE 1 1234560"


@pytest.mark.parametrize("place", range(len(sign(WHOLE))))
def test_a_byte_that_is_lost_or_changed_is_found_by_the_checksum(place: int):
    line = sign(WHOLE).encode()
    assert parse_line(line).number(1, 0, 10**18) == 1234560
    for damaged in (line[:place] + line[place + 1 :], line[:place] + bytes([line[place] ^ 1]) + line[place + 1 :]):
        dialect = LinesDialect(load_profile("lines"), Setup())
        dialect.open(0, passive=True)
        assert dialect.feed(damaged + b"\n", 0) == []
        assert dialect.sense.garbled == 1


def test_a_device_that_signs_is_not_believed_without_a_checksum():
    said = play(sign("GAME players=1") + "\nSCORE 1 5\n" + sign("SCORE 1 7") + "\n" + sign("END 1=7") + "\n")
    assert ends(said) == [("normal", {1: 7})]
    assert "score=5" not in str(said)


def test_no_word_is_the_end_of_another_and_no_rest_of_a_line_is_a_line():
    words = list(LinesDialect._RULES)
    assert not [(one, other) for one, other in permutations(words, 2) if one.endswith(other)]
    lines = ("PLAYER 2 BALL 3", "BALL END", "END 1=50 2=60", "STATE playing=1 1=500", "GAME players=2", "ABORT service")
    for line in lines:
        for cut in range(1, len(line)):
            rest = line[cut:]
            said = play("GAME players=2\nPLAYER 1 BALL 1\nSCORE 1 500\n", rest + "\n")
            assert not ends(said), rest
            assert len([one for one in said if isinstance(one, GameStarted | BallEnded)]) == 1, rest


@pytest.mark.parametrize(
    "line",
    [
        "SCORE 1 -5", "SCORE 1 +5", "SCORE 1 1,234", "SCORE 1 1.5", "SCORE 1 1e5", "SCORE 1 ٣", "SCORE 0 5",
        "SCORE 17 5", "SCORE 1 0x10",
        "SCORE 1 1000000000000000001", "SCORE 1 5 6", "SCORE 1", "SCORE", "GAME players=0", "GAME players=1 players=2",
        "END", "END 2=5", "END 1=5 3=7", "BALL 2", "PLAYER 1 BALL", "DOOR 2", "TILT 5", "@ SCORE 1 5", "@x SCORE 1 5",
        "1 SCORE 5", "STATE 1=x", "STATE playing=2", 'HELLO device="a', "SCORE 1 5*", "SCORE 1 *5",
    ],
)  # fmt: skip
def test_what_is_not_in_the_format_is_refused_whole(line: str):
    dialect = LinesDialect(load_profile("lines"), Setup())
    dialect.open(0, passive=True)
    assert dialect.feed(f"{line}\n".encode(), 0) == []
    assert dialect.sense.garbled == 1


def test_unknown_words_are_counted_and_left_alone():
    dialect = LinesDialect(load_profile("lines"), Setup())
    dialect.open(0, passive=True)
    dialect.feed(b"FREE RAM 1023\nSPINNER 5\ngame players=1\n", 0)
    assert (dialect.sense.unknown, dialect.sense.garbled) == (2, 0)


def test_numbers_tell_lost_doubled_and_late_lines():
    said = play("@1 GAME players=1\n@2 PLAYER 1 BALL 1\n@3 SCORE 1 10\n@5 SCORE 1 30\n@4 SCORE 1 20\n@5 SCORE 1 30\n")
    assert "score=20" not in str(said)
    dialect = LinesDialect(load_profile("lines"), Setup())
    dialect.open(0, passive=False)
    dialect.outgoing()
    dialect.tick(5000)
    hints = dialect.feed(b"@1 GAME players=1\n@2 SCORE 1 5\n@9 SCORE 1 6\n@8 SCORE 1 5\n@9 SCORE 1 6\n", 5000)
    assert [type(hint).__name__ for hint in hints][-2:] == ["ScoresDoubted", "ScoreSeen"]
    assert (dialect.sense.lost, dialect.sense.doubled) == (6, 2)
    assert b"STATE?" in dialect.outgoing()


def test_a_device_that_counts_anew_is_heard():
    said = play("@900 GAME players=1\n@901 SCORE 1 5\n@1 SCORE 1 6\n@2 SCORE 1 7\n@3 END 1=7\n")
    assert ends(said) == [("normal", {1: 7})]


# --- sensors -------------------------------------------------------------------------------------------------


def test_sensors_tell_trouble_and_no_games():
    said = play("POWER 0\nPOWER 1\nDOOR 1\nSERVICE 1\nDOOR 0\nTILT\nDRAIN\nSTART\nCALL\n")
    assert faults(said) == ["power-lost", "service-mode", "official-called"]
    assert [one.fault for one in said if isinstance(one, FaultCleared)] == ["power-lost"]
    assert not [one for one in said if isinstance(one, GameStarted)]


def test_tilts_and_warnings_belong_to_their_ball():
    said = play("GAME players=1\nPLAYER 1 BALL 1\nWARNING 1\nTILT\nBALL END\nPLAYER 1 BALL 2\nSLAM\nEND 1=0\n")
    assert faults(said) == ["tilt-warning", "tilt", "slam-tilt"]
    assert [how for how, _ in ends(said)] == ["slam-tilt"]
