# ruff: noqa: ANN401  (the hall is loaded by its path, so it has no type here)
"""Every page from a small phone to the projector: nothing sticks out sideways, and nothing weighs too much."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Response, expect

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
PATHS = ("/desk", "/review", "/board", "/machines", "/log", "/", "/desk?machine=mm")


@pytest.mark.parametrize(("width", "height"), [(360, 740), (768, 1024), (1920, 1080)])
def test_nothing_sticks_out_sideways(open_as: Open, served: Any, width: int, height: int):
    hall = served.hall
    hall.plays("mm", "p1", scores=(10**18,))
    hall.plays("tz", "p4", "p3", scores=(987654321012345678, 5))
    hall.doubt("afm", "p3", "12345678?012345678", tuple(10**17 + n for n in range(6)), None)
    hall.assign("mm", "p2", "p3", "p4")
    hall.starts("mm", 4)
    hall.says("fault.raised", "mm", fault="ball-ended-early", detail="x" * 120)
    page = open_as("official", "/", width=width, height=height, live=False)
    for path in PATHS:
        page.goto(path)
        over = page.locator("html").evaluate("element => element.scrollWidth - element.clientWidth")
        assert over <= 0, (path, over)


def test_no_page_weighs_more_than_150_kilobytes(open_as: Open, served: Any):
    for number in range(30):
        served.hall.plays(("mm", "tz", "afm")[number % 3], f"p{1 + number % 4}", scores=(1000 + number,))
    page = open_as("official", "/", live=False)
    for path in ("/desk", "/review", "/board", "/machines", "/log"):
        weight: list[int] = []

        def weigh(response: Response, weight: list[int] = weight) -> None:
            if "/live/" not in response.url:
                weight.append(len(response.body()))

        page.on("response", weigh)
        page.goto(path)
        expect(page.locator("html")).to_have_attribute("data-live", "on")
        page.wait_for_load_state()
        page.remove_listener("response", weigh)
        assert 0 < sum(weight) < 150_000, (path, sum(weight))


def test_the_board_turns_its_own_pages(open_as: Open, served: Any):
    served.hall.plays("mm", "p1", scores=(500,))
    page = open_as(None, "/board?seconds=1", width=1920, height=1080)
    expect(page.locator("#standings [data-sign]")).to_have_text("2 / 2")
    expect(page.locator("#standings [data-page]:visible")).to_contain_text("Best on each machine")
    expect(page.locator("#standings [data-sign]")).to_have_text("1 / 2")
    expect(page.locator("#standings [data-page]:visible")).to_have_count(1)


def test_on_a_phone_the_menu_shows_which_page_is_open(open_as: Open):
    page = open_as("official", "/log", width=390, height=844)
    here = page.locator(".menu [aria-current]").bounding_box()
    assert here is not None
    assert here["x"] >= 0
    assert here["x"] + here["width"] <= 390
