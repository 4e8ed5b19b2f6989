"""Where scores have stood: what it lets count, what it does not, and how a wrong belief ends."""

from dataclasses import replace

import pytest

from capture.settle import Settle
from capture.spots import Spots
from capture.vision.reading import LIKELY, LIVE, OPEN, OTHER, Place, Reading, ScoreReading
from hardware.catalog import load_profile

BIG: Place = (0.35, 0.1, 0.95, 0.68)
SMALL: Place = (0.1, 0.02, 0.31, 0.22)
AWARD: Place = (0.5, 0.3, 0.8, 0.7)


def number(text: int | str, place: Place, *, sound: bool = True, confidence: float = 0.95) -> ScoreReading:
    score = int(text) if str(text).isdigit() else None
    return ScoreReading(
        player=None, text=str(text), score=score, confidence=confidence if score is not None else 0.0, place=place,
        sound=sound and score is not None,
    )  # fmt: skip


def reading(*numbers: ScoreReading, standing: str = LIVE) -> Reading:
    first, *others = numbers
    accepted = standing == LIVE and first.sound
    why = "" if accepted else "not sure enough" if not first.sound else "whose"
    return Reading(
        display="dmd", scores=(first,), others=tuple(others), accepted=accepted, standing=standing, why=why
    )  # fmt: skip


@pytest.fixture
def spots() -> Spots:
    """The display named 4,120 and 5,230, and showed them in a small copy as well."""
    spots = Spots()
    for value in (4_120, 5_230):
        spots.learn(reading(number(value, BIG), number(value, SMALL)), value)
    return spots


def test_a_copy_in_another_size_bears_a_doubtful_number_out():
    seen = reading(number(37_700, BIG, sound=False, confidence=0.87), number("3?700", SMALL))
    weighed = Spots().weigh(seen, {})
    assert (weighed.accepted, weighed.why) == (True, "")


@pytest.mark.parametrize("copy", ["38700", "3?7?0", "3770", "7700"])
def test_what_is_no_copy_bears_nothing_out(copy: str):
    seen = reading(number(37_700, BIG, sound=False, confidence=0.87), number(copy, SMALL))
    assert Spots().weigh(seen, {}).accepted == (copy == "3?7?0")


def test_a_copy_of_an_award_is_no_score():
    seen = reading(number(5_500, AWARD), number(5_500, SMALL), standing=OPEN)
    assert not Spots().weigh(seen, {}).accepted


def test_the_number_where_scores_have_stood_is_the_score_beside_a_larger_award(spots: Spots):
    seen = reading(number(5_500, AWARD), number(6_340, SMALL), standing=LIKELY)
    weighed = spots.weigh(seen, {None: 5_230})
    assert (weighed.scores[0].score, weighed.accepted) == (6_340, True)


@pytest.mark.parametrize(("award", "before"), [(250_000, 5_230), (4_000, 5_230), (9_000, 5_230), (99_910, 5_230)])
def test_an_award_where_scores_have_stood_counts_not(spots: Spots, award: int, before: int):
    """Rounder than scores are, less than the score is, or out of reach: the display must name it."""
    assert not spots.weigh(reading(number(award, BIG), standing=LIKELY), {None: before}).accepted


def test_a_number_with_another_meaning_counts_not_wherever_it_stands(spots: Spots):
    assert not spots.weigh(reading(number(6_340, BIG), standing=OTHER), {None: 5_230}).accepted


def test_two_numbers_where_scores_have_stood_that_differ_count_not(spots: Spots):
    seen = reading(number(6_340, BIG), number(6_840, SMALL), standing=LIKELY)
    assert not spots.weigh(seen, {None: 5_230}).accepted
    assert not spots.weigh(reading(number(6_340, BIG), number(6_840, SMALL)), {None: 5_230}).accepted


def test_a_spot_that_goes_on_contradicting_the_display_itself_is_not_heeded_for_ever(spots: Spots):
    """Another player is up, and what stands there is still the first one's."""
    seen = reading(number(70, BIG), number(5_230, SMALL))
    accepted = [spots.weigh(seen, {None: 5_230}).accepted for _ in range(200)]
    assert not accepted[0]
    assert accepted[-1]


def test_a_spot_that_shows_other_numbers_is_not_trusted():
    spots = Spots()
    for value, beside in ((4_120, 500), (5_230, 250), (6_340, 100), (7_450, 900)):
        spots.learn(reading(number(value, BIG), number(value if beside == 500 else beside, AWARD)), value)
    assert not spots.weigh(reading(number(8_880, AWARD), standing=LIKELY), {None: 7_450}).accepted


def test_the_known_score_comes_before_a_larger_number():
    seen = reading(number(250_000, AWARD), number(37_700, SMALL), standing=LIKELY)
    weighed = Spots().weigh(seen, {None: 37_700})
    assert (weighed.scores[0].score, weighed.accepted) == (37_700, False)


def test_a_number_that_began_at_nought_and_only_rose_in_one_place_is_a_score_without_a_word():
    spots, accepted = Spots(), []
    for value in (0, 5_300, 9_120, 30_440, 31_000):
        seen = reading(number(value or "00", BIG), standing=LIKELY)
        accepted.append([spots.weigh(seen, {None: 900_000}).accepted for _ in range(8)][-1])
    assert accepted == [False, False, False, True, True]


def test_pages_of_scores_that_rise_and_fall_are_none():
    spots = Spots()
    for value in (90_000, 120_000, 500_000, 0, 90_000, 120_000, 0, 500_000, 90_000):
        seen = reading(number(value or "00", BIG), standing=LIKELY)
        assert not any(spots.weigh(seen, {}).accepted for _ in range(8))


def test_a_number_rounder_than_the_score_must_be_named_for_longer():
    spots = Spots()
    seen = reading(number(400_000, AWARD))
    assert [spots.weigh(seen, {None: 37_710}).accepted for _ in range(20)].index(True) >= 10


def test_numbers_that_are_named_as_players_are_left_as_they_are(spots: Spots):
    one = ScoreReading(player=2, text="500", score=500, confidence=0.99, place=BIG, sound=True)
    seen = Reading(display="dmd", scores=(one,), accepted=True, standing=LIVE)
    assert spots.weigh(seen, {2: 400}) == seen


def test_a_number_without_the_displays_own_word_takes_longer_to_count():
    settle = Settle(load_profile("dmd-128x32"))
    named = Settle(load_profile("dmd-128x32"))
    loose = [reading(number(4_120, BIG), standing=LIKELY)] * 20

    def first(settle: Settle, readings: list[Reading]) -> int | None:
        for i, one in enumerate(readings):
            told = settle.feed(one, i * 100)
            if told is not None:
                return i * 100
        return None

    sooner, later = first(named, [reading(number(4_120, BIG))] * 20), first(settle, loose)
    assert sooner is not None
    assert later is not None
    assert sooner < later


def test_a_lone_number_in_the_place_of_a_player_is_his():
    spots = Spots()
    for value in (4_120, 5_230):
        one = ScoreReading(player=3, text=str(value), score=value, confidence=0.99, place=BIG, sound=True)
        spots.learn(Reading(display="dmd", scores=(one,), accepted=True, standing=LIVE), value)
    weighed = spots.weigh(reading(number(52_370, BIG)), {3: 52_370})
    assert weighed.scores[0].player == 3


def test_a_number_in_the_place_of_a_player_who_is_not_up_counts_for_nobody():
    """What stands beside the score of who is up; then that one is misread, and it stands alone."""
    spots = Spots()
    up = ScoreReading(player=1, text="4120", score=4_120, confidence=0.99, place=BIG, sound=True)
    idle = ScoreReading(player=3, text="52370", score=52_370, confidence=0.99, place=SMALL, sound=True)
    spots.learn(Reading(display="dmd", scores=(up, idle), accepted=True, standing=LIVE), 4_120)
    for player in (None, 1):
        alone = Reading(display="dmd", scores=(replace(idle, player=player),), accepted=True, standing=LIVE)
        weighed = spots.weigh(alone, {1: 4_120, 3: 52_370})
        assert (weighed.scores[0].player, weighed.accepted) == (3, False)


def test_of_players_numbers_of_one_size_the_one_that_rose_is_the_score_of_who_is_up():
    def seen(*scores: int) -> Reading:
        numbers = tuple(
            ScoreReading(player=k, text=str(score), score=score, confidence=0.97, place=place, sound=True)
            for k, (score, place) in enumerate(zip(scores, (BIG, SMALL, AWARD), strict=True), 1)
        )
        return Reading(display="dmd", scores=numbers, standing=OPEN, why="more than one number of that size")

    known: dict[int | None, int] = {1: 173_000, 2: 114_000, 3: 109_000}
    weighed = Spots().weigh(seen(173_000, 114_860, 109_000), known)
    assert (weighed.accepted, weighed.scores[0].player, weighed.scores[0].score) == (True, 2, 114_860)
    for other in ((173_000, 114_000, 109_000), (173_000, 113_000, 109_000), (174_000, 114_860, 109_000)):
        assert not Spots().weigh(seen(*other), known).accepted


def test_what_the_display_names_counts_not_while_the_score_stands_beside_it():
    """BALL 2 stands in the status line with the score, and an award above them."""
    spots = Spots()
    seen = reading(number(100_000, AWARD), number(89_760, SMALL))
    assert [spots.weigh(seen, {None: 89_760}).accepted for _ in range(200)].count(True) < 60
    copied = reading(number(100_120, AWARD), number(100_120, BIG), number(89_760, SMALL))
    assert Spots().weigh(copied, {None: 89_760}).accepted  # two players' small numbers, and the one who is up large


def test_the_score_that_rises_where_it_stands_counts_beside_an_award_that_the_display_seems_to_name(spots: Spots):
    weighed = spots.weigh(reading(number(100_000, AWARD), number(6_340, SMALL)), {None: 5_230})
    assert (weighed.scores[0].score, weighed.accepted) == (6_340, True)


def test_a_lone_central_number_has_another_owner_in_each_turn():
    spots, centre = Spots(), (0.2, 0.1, 0.8, 0.6)
    for value in (4_120, 5_230):
        one = ScoreReading(player=1, text=str(value), score=value, confidence=0.99, place=centre, sound=True)
        spots.learn(Reading(display="dmd", scores=(one,), accepted=True, standing=LIVE), value)
    assert spots.weigh(reading(number(70, centre)), {None: 5_230}).scores[0].player is None
