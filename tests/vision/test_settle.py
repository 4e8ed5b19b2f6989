"""Readings over time: what is believed, when, and how a false belief ends."""

import pytest

from capture.settle import FALL_MS, STEADY_MS, WINDOW_MS, Settle
from capture.vision.reading import Reading, ScoreReading
from hardware.catalog import load_profile


def reading(
    score: int | None, *, accepted: bool = True, player: int | None = None, words: tuple[str, ...] = ()
) -> Reading:
    text = "????" if score is None else str(score)
    number = ScoreReading(player=player, text=text, score=score, confidence=0.99)
    return Reading(display="dmd", scores=(number,), accepted=accepted, why="" if accepted else "doubt", words=words)


@pytest.fixture
def settle() -> Settle:
    return Settle(load_profile("dmd-128x32"))


def feed(settle: Settle, readings: list[Reading], start: int = 0, step: int = 100) -> list[tuple[int | None, bool]]:
    told = [settle.feed(one, start + i * step) for i, one in enumerate(readings)]
    return [(one.scores[0].score if one.scores else None, one.accepted) for one in told if one is not None]


def test_a_number_that_stands_still_is_said_once(settle: Settle):
    assert feed(settle, [reading(3030)] * 12) == [(3030, True)]


def test_one_false_frame_among_true_ones_is_never_said(settle: Settle):
    frames = [*[reading(660_850)] * 5, reading(668_850), *[reading(660_850)] * 5]
    assert feed(settle, frames) == [(660_850, True)]


def test_numbers_that_roll_are_not_said_until_they_stand(settle: Settle):
    frames = [reading(1000 + 130 * i) for i in range(15)] + [reading(3000)] * 6
    assert feed(settle, frames) == [(3000, True)]


def test_a_number_held_for_an_official_is_said_but_not_accepted(settle: Settle):
    assert feed(settle, [reading(957_860, accepted=False)] * 8) == [(957_860, False)]


def test_acceptance_that_comes_later_is_told(settle: Settle):
    frames = [*[reading(5130, accepted=False)] * 5, *[reading(5130)] * 5]
    assert feed(settle, frames) == [(5130, False), (5130, True)]


def test_a_false_high_number_gives_way_to_the_truth(settle: Settle):
    """AI-on-the-edge 3365: one false high read blocked every later true one for days."""
    told = feed(settle, [*[reading(9_990_000)] * 6, *[reading(120_000)] * 30])
    assert told == [(9_990_000, True), (120_000, True)]


def test_a_fall_takes_longer_to_believe_than_a_rise(settle: Settle):
    feed(settle, [reading(50_000)] * 6)
    times = [at for at in range(1_000, 4_000, 100) if settle.feed(reading(40), at) is not None]
    assert times
    assert FALL_MS > STEADY_MS
    assert times[0] - 1_000 >= FALL_MS


def test_an_unread_number_has_no_vote(settle: Settle):
    assert feed(settle, [reading(None, accepted=False)] * 20) == []


def test_a_picture_that_cannot_be_read_changes_nothing(settle: Settle):
    dark = Reading(display="dmd", why="dark", quality="dark")
    assert feed(settle, [*[reading(70)] * 4, *[dark] * 9, *[reading(70)] * 4]) == [(70, True)]


def test_words_are_said_when_they_stand_and_again_when_they_go(settle: Settle):
    over = Reading(display="dmd", words=("GAME OVER",))
    empty = Reading(display="dmd")
    told = [settle.feed(one, at * 100) for at, one in enumerate([*[over] * 6, *[empty] * 20])]
    assert [one.words for one in told if one is not None] == [("GAME OVER",), ()]


def test_players_settle_each_for_themselves(settle: Settle):
    def both(first: int, second: int) -> Reading:
        scores = tuple(
            ScoreReading(player=player, text=str(score), score=score, confidence=0.99)
            for player, score in ((2, second), (1, first))
        )
        return Reading(display="dmd", scores=scores, accepted=True)

    told = [settle.feed(both(354_440, 645_570 + (at > 10) * 900), at * 100) for at in range(24)]
    said = [(one.changed, [score.score for score in one.scores]) for one in told if one is not None]
    assert said == [((2, 1), [645_570, 354_440]), ((2,), [646_470, 354_440])]


def test_what_was_forgotten_has_no_vote(settle: Settle):
    feed(settle, [reading(10_000)] * 2)
    settle.forget()
    assert feed(settle, [reading(10_000)], start=300) == []


def test_old_readings_have_no_vote(settle: Settle):
    feed(settle, [reading(10_000)] * 2)
    assert feed(settle, [reading(10_000)] * 2, start=WINDOW_MS + 1_000) == []


def test_a_score_that_the_machine_cannot_have_is_not_accepted():
    profile = load_profile("dmd-128x32").model_copy(update={"score_quantum": 10})
    assert feed(Settle(profile), [reading(12_345)] * 8) == [(12_345, False)]


def part(text: str) -> Reading:
    score = int(text) if text.isdigit() else None
    number = ScoreReading(player=1, text=text, score=score, confidence=0.99 if score else 0.0, sound=score is not None)
    return Reading(display="segments", scores=(number,), accepted=score is not None, why="")


def test_a_burst_that_lights_every_other_digit_in_turn_gives_the_whole_number(settle: Settle):
    """vpinball/pinmame 680."""
    assert feed(settle, [part("4?7?9?"), part("1?2?0"), part("41?290")] * 10) == [(417_290, True)]


def test_parts_of_a_number_that_changes_are_put_together_to_nothing(settle: Settle):
    frames = [part("11?0")] * 6 + [part("1?00")] * 6 + [part("12?0")] * 6
    assert feed(settle, frames) == []


def test_parts_that_contradict_each_other_are_put_together_to_nothing(settle: Settle):
    assert feed(settle, [part("4?7?9?"), part("1?2?0"), part("418?90")] * 10) == []


def test_parts_of_a_number_do_not_speak_against_it(settle: Settle):
    assert feed(settle, [part("417290"), part("4?7?9?"), part("?1?2?0")] * 5) == [(417_290, True)]


def test_a_score_with_more_digits_than_the_display_is_not_accepted():
    profile = load_profile("dmd-128x32").model_copy(update={"digits": 4})
    assert feed(Settle(profile), [reading(12_340)] * 8) == [(12_340, False)]


def test_an_award_over_the_status_line_of_the_screen_before_counts_not():
    """In a wipe the display seems to name it, for two pictures; then it stands there without a word."""
    settle = Settle(load_profile("dmd-128x32"))
    told = []
    for k in range(12):
        award = ScoreReading(player=None, text="50000", score=50_000, confidence=0.99, sound=True)
        named = k in {1, 2}
        reading = Reading(display="dmd", scores=(award,), accepted=named, standing="live" if named else "open")
        told.append(settle.feed(reading, 40 * k))
    assert not any(one.accepted for one in told if one is not None)
    assert settle.known() == {}


def test_a_lone_number_less_than_the_score_of_who_was_up_takes_as_long_as_a_fall():
    settle = Settle(load_profile("dmd-128x32"))
    one = ScoreReading(player=1, text="4660", score=4_660, confidence=0.99, sound=True)
    for k in range(5):
        settle.feed(Reading(display="dmd", scores=(one,), accepted=True, standing="live"), 100 * k)
    nought = ScoreReading(player=None, text="00", score=0, confidence=0.99, sound=True)
    for k in range(5, 12):
        settle.feed(Reading(display="dmd", scores=(nought,), accepted=True, standing="live"), 100 * k)
    assert settle.known() == {1: 4_660, None: 4_660}


def test_what_stood_before_the_score_rose_says_nothing_for_a_fall():
    """Nought stood for a second, the score rose, and one picture shows nought again."""
    settle = Settle(load_profile("dmd-128x32"))
    for at, score in [*((100 * k, 0) for k in range(12)), *((1_200 + 100 * k, 65_590) for k in range(5)), (1_700, 0)]:
        settle.feed(reading(score), at)
    assert settle.known()[None] == 65_590
