# ruff: noqa: ANN401  (the hall is loaded by its path, so it has no type here)
"""The official's whole job on /review, by keyboard alone and by touch; two officials at once."""

import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
Open = Callable[..., Page]


def picture(served: Any, text: str) -> bytes:
    display: Callable[[str], bytes] = __import__("inlane_test_hall").display
    assert served
    return display(text)


def score_of(served: Any, reading: str) -> tuple[str, int | None]:
    with served.hall.desk.reading() as state:
        found = state.readings[reading]
        return found.status, found.score


def is_shown(page: Page, machine: str) -> None:
    """The reading of this machine is on the screen, and its picture with it; a person's moment has passed."""
    expect(page.locator("#reading h2")).to_have_text(machine)
    page.wait_for_timeout(450)


def test_candidate_chosen_number_typed_and_reading_rejected_without_a_mouse(open_as: Open, served: Any):
    hall = served.hall
    first = hall.doubt("mm", "p1", "48,2?3,340", (48213340, 48243340), picture(served, "48,2 3,340"))
    second = hall.doubt("tz", "p2", "1?4,204,330", (124204330,), picture(served, "1 4,204,330"))
    third = hall.doubt("afm", "p3", "52?,118,9?0", (), picture(served, "52 ,118,9 0"))
    page = open_as("official", "/review")

    is_shown(page, "Medieval Madness")
    expect(page.locator("[data-confirm]")).to_be_disabled()
    page.keyboard.press("b")
    expect(page.locator("[data-value]")).to_have_text("48\u202f243\u202f340")
    page.keyboard.press("Enter")

    is_shown(page, "Twilight Zone")
    page.keyboard.type("1842043309")
    page.keyboard.press("Backspace")
    expect(page.locator("#typed")).to_have_value("184204330")
    page.keyboard.press("Enter")

    is_shown(page, "Attack from Mars")
    page.keyboard.press("Escape")
    expect(page.locator("#why")).to_be_focused()
    page.keyboard.type("Picture shows no score")
    page.keyboard.press("Enter")

    expect(page.locator("#reading")).to_contain_text("No reading waits for you")
    assert score_of(served, first) == ("corrected", 48243340)
    assert score_of(served, second) == ("corrected", 184204330)
    assert score_of(served, third) == ("rejected", None)


def test_escape_asks_before_it_rejects_and_takes_back_what_was_typed(open_as: Open, served: Any):
    reading = served.hall.doubt("mm", "p1", "48,2?3,340", (48213340, 48243340), None)
    page = open_as("official", "/review")
    is_shown(page, "Medieval Madness")
    page.keyboard.type("123")
    page.keyboard.press("Escape")
    expect(page.locator("#typed")).to_have_value("")
    expect(page.locator("[data-confirm]")).to_be_disabled()
    expect(page.locator("#reject")).not_to_have_attribute("open", "")
    page.keyboard.press("Escape")
    expect(page.locator("#reject")).to_have_attribute("open", "")
    page.keyboard.press("Escape")
    expect(page.locator("#reject")).not_to_have_attribute("open", "")
    assert score_of(served, reading) == ("waiting", None)


def test_a_second_enter_at_once_never_confirms_the_next_reading(open_as: Open, served: Any):
    hall = served.hall
    first = hall.doubt("mm", "p1", "48,213,340", (48213340,), picture(served, "48,213,340"))
    second = hall.doubt("tz", "p2", "124,204,330", (124204330,), picture(served, "124,204,330"))
    page = open_as("official", "/review")
    is_shown(page, "Medieval Madness")
    # A finger that comes down again in the moment when the next reading appears.
    page.locator("#reading").evaluate(
        "place => new MutationObserver(() => document.body.dispatchEvent("
        "new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}))).observe(place, {childList: true})"
    )
    page.keyboard.press("Enter")
    is_shown(page, "Twilight Zone")
    expect(page.locator("#decided li")).to_have_count(1)
    assert score_of(served, first) == ("corrected", 48213340)
    assert score_of(served, second) == ("waiting", None)


def test_a_missing_digit_is_asked_about_once(open_as: Open, served: Any):
    reading = served.hall.doubt("mm", "p1", "48,2?3,340", (), None)
    page = open_as("official", "/review")
    is_shown(page, "Medieval Madness")
    page.keyboard.type("4823340")
    page.keyboard.press("Enter")
    expect(page.locator("#reading .note")).to_contain_text("7 digits, the picture seems to have 8")
    assert score_of(served, reading) == ("waiting", None)
    page.wait_for_timeout(450)
    page.keyboard.press("Enter")
    expect(page.locator("#reading")).to_contain_text("No reading waits for you")
    assert score_of(served, reading) == ("corrected", 4823340)


def test_the_next_reading_shows_itself_on_an_empty_page(open_as: Open, served: Any):
    page = open_as("official", "/review")
    expect(page.locator("#reading")).to_contain_text("No reading waits for you")
    served.hall.doubt("mm", "p1", "48,2?3,340", (48213340,), None)
    expect(page.locator("#reading h2")).to_have_text("Medieval Madness")
    expect(page.locator(".menu #waiting")).to_have_text("1")


def test_two_officials_get_different_readings_and_the_slower_sees_the_newer_decision(open_as: Open, served: Any):
    hall = served.hall
    reading = hall.doubt("mm", "p1", "48,2?3,340", (48213340, 48243340), None)
    hall.doubt("tz", "p2", "124,204,330", (124204330,), None)
    one = open_as("official", "/review")
    other = open_as("admin", "/review")
    is_shown(one, "Medieval Madness")
    is_shown(other, "Twilight Zone")
    other.goto(f"/review?reading={reading}")
    is_shown(other, "Medieval Madness")
    expect(other.locator(".reading-head .tag")).to_contain_text("official")
    one.keyboard.press("a")
    one.keyboard.press("Enter")
    expect(other.locator("#reading .note")).to_contain_text("Corrected: 48213340")
    expect(other.locator("#reading .note")).to_contain_text("by official")
    assert score_of(served, reading) == ("corrected", 48213340)


def test_the_last_decision_is_undone_by_a_key(open_as: Open, served: Any):
    served.hall.doubt("mm", "p1", "48,2?3,340", (48213340, 48243340), None)
    page = open_as("official", "/review")
    is_shown(page, "Medieval Madness")
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    expect(page.locator("[data-undo]")).to_be_visible()
    page.keyboard.press("u")
    expect(page.locator("#notice")).to_contain_text("Entry 1 is undone.")
    expect(page.locator("#queue")).to_contain_text("Medieval Madness")


def test_the_key_undoes_nobody_elses_decision(open_as: Open, served: Any):
    served.hall.doubt("mm", "p1", "48,2?3,340", (48213340, 48243340), None)
    one, other = open_as("official", "/review"), open_as("admin", "/review")
    is_shown(one, "Medieval Madness")
    one.keyboard.press("a")
    one.keyboard.press("Enter")
    expect(other.locator("[data-undo]")).to_be_visible()
    other.keyboard.press("u")
    other.goto(f"{served.url}/log")
    expect(other.locator("main")).not_to_contain_text("undone")


def test_by_touch_on_a_phone(open_as: Open, served: Any):
    reading = served.hall.doubt("mm", "p1", "48,2?3,340", (48213340, 48243340), picture(served, "48,2 3,340"))
    page = open_as("official", "/review", width=390, height=844)
    is_shown(page, "Medieval Madness")
    page.locator(".choice").nth(1).click()
    page.locator("[data-confirm]").click()
    expect(page.locator("#reading")).to_contain_text("No reading waits for you")
    assert score_of(served, reading) == ("corrected", 48243340)


def test_a_picture_that_comes_later_than_its_reading_shows_itself(open_as: Open, served: Any):
    data = picture(served, "48,213,340")
    digest = hashlib.sha256(data).hexdigest()
    hall = served.hall
    hall.assign("mm", "p1")
    game = hall.starts("mm")
    doubtful = {"score": None, "text": "48,2?3,340", "candidates": [48213340], "confidence": 0.6}
    hall.ends("mm", game, doubtful, evidence=f"sha256:{digest}")
    page = open_as("official", "/review")
    expect(page.locator(".late")).to_be_visible()
    hall.evidence.put(digest, data)
    expect(page.locator("img[data-picture]")).to_be_visible()
    expect(page.locator(".late")).to_be_hidden()


def test_digits_being_typed_survive_new_readings_and_decisions_of_others(open_as: Open, served: Any):
    hall = served.hall
    hall.doubt("mm", "p1", "48,2?3,340", (), None)
    page = open_as("official", "/review")
    is_shown(page, "Medieval Madness")
    page.keyboard.type("4821")
    hall.doubt("tz", "p2", "1?", (), None)
    expect(page.locator("#queue .badge")).to_have_text("2")
    hall.plays("afm", "p3", scores=(900,))
    page.keyboard.type("3340")
    expect(page.locator("#typed")).to_have_value("48213340")
