from datetime import UTC, datetime
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest

from server.web.render import clock, duration, make_environment, number, ordinal, places
from server.web.views.names import in_order


@pytest.mark.parametrize("value", [0, 7, 999, 1000, 48213340, 12345678910, 61728394550, 10**18, 2**63, 10**30 + 1])
def test_every_digit_of_a_score_is_written_and_none_is_added(value: int):
    written = str(number(value))
    assert f'value="{value}"' in written
    text = written.split(">", 1)[1].removesuffix("</data>").replace("<i>", "").replace("</i>", "")
    assert text == str(value)


def test_digits_are_grouped_by_three_from_the_right():
    assert str(number(48213340)) == '<data class="n" value="48213340">48<i>213</i><i>340</i></data>'


def test_no_score_is_not_a_zero():
    assert "0" not in str(number(None))
    assert str(number(0)) == '<data class="n" value="0">0</data>'


def test_unknown_places_of_a_reading_are_marked_and_markup_in_it_is_inert():
    written = str(places("48,2?3<b>"))
    assert written.count('<mark class="unknown"') == 1
    assert "&lt;b&gt;" in written


def test_times_are_venue_time_with_the_zone_named():
    at = int(datetime(2026, 11, 30, 7, 25, 7, tzinfo=UTC).timestamp() * 1000)
    written = str(clock(at, ZoneInfo("America/Toronto")))
    assert ">02:25<" in written
    assert "EST" in written
    assert 'datetime="2026-11-30T07:25:07.000Z"' in written


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(-3, "0 s"), (59.9, "59 s"), (60, "1 min"), (3599, "59 min"), (3600, "1 h 00"), (11100, "3 h 05")],
)
def test_how_long_is_said_in_the_coarsest_useful_words(seconds: float, words: str):
    assert duration(seconds) == words


@pytest.mark.parametrize(
    ("rank", "word"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (22, "22nd"), (113, "113th")]
)
def test_places_have_the_right_ending(rank: int, word: str):
    assert ordinal(rank) == word


def test_every_template_compiles():
    environment = make_environment()
    for name in environment.list_templates():
        environment.get_template(name)


def test_a_reading_without_separators_is_grouped_as_a_number_is():
    plain = str(places("1?52600")).replace('<mark class="unknown" title="not seen">?</mark>', "?")
    assert plain == '<span class="n">1<i>?</i>52<i>6</i>00</span>'
    assert "<i>" not in str(places("1,352,600"))


def test_names_are_sorted_as_people_count():
    names = ("Twilight Zone", "Machine 10", "Machine 1000000000000000000000", "Machine 02b", "machine 2", "Machine 1")
    assert sorted(names, key=in_order) == [
        "Machine 1", "machine 2", "Machine 02b", "Machine 10", "Machine 1000000000000000000000", "Twilight Zone",
    ]  # fmt: skip


def test_the_gap_between_a_name_and_its_score_is_no_part_of_the_name():
    """A name that reads from the right would have it on its left, and the score would touch it."""
    line = SimpleNamespace(position=1, group="game", at=0, who="olga", parts=("שלום ", 4, ", ", "Bob ", 5), why=None)
    page = make_environment().get_template("live/log.html").render(lines=[line], zone=UTC)
    assert "<bdi>שלום</bdi> <data" in page
    assert "</data><bdi>,</bdi> <bdi>Bob</bdi> <data" in page
