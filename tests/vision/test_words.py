"""Words on a display, known though a sign was misread."""

import pytest

from capture.vision.words import alike, find_words

PATTERNS = ("GAME OVER", "SLAM TILT", "TILT", "PLAYER #", "BALL #", "FREE PLAY")


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["BALL 2"], ("BALL 2",)),
        (["BALL2"], ("BALL 2",)),
        (["8A11 3"], ("BALL 3",)),
        (["PLAYER ONE UP"], ("PLAYER 1",)),
        (["PLAVER 4"], ("PLAYER 4",)),
        (["GAME OVER"], ("GAME OVER",)),
        (["6AME OVER"], ("GAME OVER",)),
        (["TILT"], ("TILT",)),
        (["SLAM TILT"], ("SLAM TILT", "TILT")),
        (["BALL 2", "FREE PLAY"], ("BALL 2", "FREE PLAY")),
        (["BALL"], ()),
        (["BALL 123"], ()),
        (["FREE", "PLAY"], ()),
        (["BALL 2", "BALL 2"], ("BALL 2",)),
        ([], ()),
    ],
)
def test_patterns_are_found_with_their_numbers(lines: list[str], words: tuple[str, ...]):
    assert find_words(lines, PATTERNS) == words


def test_short_words_must_be_exact_but_for_look_alikes():
    assert alike("T1LT", "TILT")
    assert not alike("TILL", "TILT")
    assert alike("JACKP0T", "JACKPOT")
    assert alike("JACKPDT", "JACKPOT")
    assert not alike("JACK", "JACKPOT")


def test_a_phrase_is_known_though_one_sign_of_it_was_misread():
    for line, said in (("GAME OUER", ("GAME OVER",)), ("GAMP OUER", ()), ("BALL X", ()), ("SLAM T1LT", ("SLAM TILT",))):
        assert find_words([line], ("GAME OVER", "SLAM TILT", "BALL #")) == said
