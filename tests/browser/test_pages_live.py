# ruff: noqa: ANN401  (the hall is loaded by its path, so it has no type here)
"""What happens at the machines is on every open page at once; a page that is cut off says so and recovers."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
Open = Callable[..., Page]


def mark(page: Page) -> None:
    """A mark that a reload would wipe out."""
    page.locator("html").evaluate("element => element.setAttribute('data-marked', '1')")


def is_not_reloaded(page: Page) -> None:
    expect(page.locator("html")).to_have_attribute("data-marked", "1")


def test_a_game_shows_itself_on_desk_board_and_log_without_a_reload(open_as: Open, served: Any):
    hall = served.hall
    desk, board, log = open_as("desk", "/desk"), open_as(None, "/board"), open_as("desk", "/log")
    for page in (desk, board, log):
        mark(page)
    hall.assign("mm", "p1")
    expect(desk.locator("#m-mm")).to_contain_text("To start")
    game = hall.starts("mm")
    expect(desk.locator("#m-mm")).to_contain_text("Playing")
    hall.pulse({"machine": "mm", "player": 1, "score": 12345678910, "ball": 2, "up": True})
    expect(desk.locator("#m-mm data")).to_have_attribute("value", "12345678910")
    expect(desk.locator("#m-mm")).to_contain_text("ball 2")
    expect(board.locator("#playing")).to_contain_text("12345678910")
    hall.ends("mm", game, 61728394550)
    expect(desk.locator("#results")).to_contain_text("61728394550")
    expect(board.locator("#standings")).to_contain_text("61728394550")
    expect(board.locator("#standings")).to_contain_text("Ann Example")
    expect(log.locator("#ledger")).to_contain_text("A game ended on Medieval Madness: 61728394550")
    for page in (desk, board, log):
        is_not_reloaded(page)


def test_a_doubtful_score_stands_apart_until_it_is_decided(open_as: Open, served: Any):
    hall = served.hall
    hall.plays("mm", "p1", scores=(500,))
    board = open_as(None, "/board")
    hall.doubt("tz", "p2", "9?0", (900, 910), None)
    expect(board.locator("#scores")).to_contain_text("being checked")
    expect(board.locator("#standings")).not_to_contain_text("Ben Sample")
    expect(board.locator("#standings")).not_to_contain_text("900")
    review = open_as("official", "/review")
    expect(review.locator("#reading h2")).to_have_text("Twilight Zone")
    review.wait_for_timeout(450)
    review.keyboard.press("a")
    review.keyboard.press("Enter")
    expect(board.locator("#standings li").first).to_contain_text("Ben Sample")
    expect(board.locator("#standings li").first).to_contain_text("900")


def test_a_page_that_is_cut_off_says_since_when_and_recovers_by_itself(open_as: Open, served: Any):
    hall = served.hall
    page = open_as(None, "/board")
    mark(page)
    served.cut()
    expect(page.locator(".fresh")).to_have_text(re.compile(r"^Stale since \d\d:\d\d:\d\d$"))
    hall.plays("mm", "p1", scores=(48213340,))
    served.again()
    expect(page.locator(".fresh")).to_have_text("Live")
    expect(page.locator("#standings")).to_contain_text("48213340")
    is_not_reloaded(page)


def test_a_session_that_ends_is_said_on_the_open_page(open_as: Open, served: Any):
    page = open_as("desk", "/desk")
    served.hall.accounts.end_sessions("desk")
    served.cut()
    served.again()
    expect(page.locator(".fresh")).to_have_text("Logged out – log in again")


def test_players_are_assigned_by_typing_part_of_a_name(open_as: Open):
    page = open_as("scorekeeper", "/desk")
    page.locator("#m-mm .tile-act").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.type("mül")
    page.keyboard.press("Enter")
    expect(page.locator("#m-mm")).to_contain_text("Zoë Müller")
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator("#notice")).to_contain_text("Zoë Müller on Medieval Madness.")
    page.locator("#m-mm .tile-act").click()
    page.get_by_role("button", name="Take off").click()
    expect(page.locator("#m-mm")).to_contain_text("Nobody assigned")


def test_several_players_are_put_on_one_machine_in_order(open_as: Open):
    page = open_as("scorekeeper", "/desk")
    page.locator("#m-tz .tile-act").click()
    page.locator("li", has_text="Ben Sample").get_by_text("+ more").click()
    expect(page.locator("dialog")).to_contain_text("Add player 2")
    page.locator("#q").fill("ann")
    expect(page.locator("#found li")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator("#m-tz .slot").first).to_contain_text("Ben Sample")
    expect(page.locator("#m-tz .slot").nth(1)).to_contain_text("Ann Example")


def test_a_double_click_assigns_once(open_as: Open, served: Any):
    page = open_as("scorekeeper", "/desk")
    page.locator("#m-mm .tile-act").click()
    before = served.hall.desk.hub.position
    page.locator("[data-choice]").first.dblclick()
    expect(page.locator("#m-mm")).to_contain_text("Ann Example")
    expect(page.locator("dialog")).to_have_count(0)
    assert served.hall.desk.hub.position == before + 1


def test_what_is_typed_survives_a_live_update(open_as: Open, served: Any):
    page = open_as("scorekeeper", "/desk")
    page.locator("#m-mm .tile-act").click()
    page.locator("#q").fill("an")
    served.hall.plays("tz", "p2", scores=(900,))
    expect(page.locator("#results")).to_contain_text("900")
    expect(page.locator("#q")).to_have_value("an")
    expect(page.locator("#q")).to_be_focused()


HOSTILE = (
    "<svg/onload=alert(1)>",
    '"><img src=x onerror=alert(1)>',
    "{{7*7919}}",
    "\u202eevil",
    "🎯" * 20,
    "N" * 200,
    "</hx-partial><script>alert(1)</script>",
)


def test_names_are_inert_on_every_page_also_when_redrawn_live(open_as: Open, served: Any):
    hall = served.hall
    players = [{"id": f"x{number}", "name": name} for number, name in enumerate(HOSTILE)]
    machine = {"id": "evil", "name": "<script>alert(2)</script>{{7*7919}}", "players": 4}
    hall.open(tournament="<b>Cup</b>", players=players, machines=[machine], name="cup2")
    pages = [open_as("official", path) for path in ("/desk", "/board", "/machines", "/log", "/review")]
    dialogs: list[str] = []
    for page in pages:
        page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    for number in range(len(HOSTILE)):
        hall.plays("evil", f"x{number}", scores=(100 + number,), tournament="cup2")
    hall.says("fault.raised", "evil", fault="ball-search", detail="<script>alert(3)</script>")
    hall.doubt("evil", "x1", "9?<i>0", (900,), None, tournament="cup2")
    desk, board, machines, log, review = pages
    expect(desk.locator("#alarms")).to_contain_text("<script>alert(3)</script>")
    expect(board.locator("#standings")).to_contain_text("<svg/onload=alert(1)>")
    expect(board.locator("#standings h1")).to_have_text("<b>Cup</b>")
    expect(machines.locator("#machines")).to_contain_text("<script>alert(2)</script>{{7*7919}}")
    expect(log.locator("#ledger")).to_contain_text("<script>alert(2)</script>")
    expect(review.locator("#reading")).to_contain_text('"><img src=x onerror=alert(1)>')
    for page in pages:
        assert page.locator("img[src=x], bdi svg, bdi script, bdi b").count() == 0
        assert "55433" not in page.locator("main").inner_text()
        assert page.locator("html").evaluate("e => e.scrollWidth - e.clientWidth") <= 0
    assert dialogs == []


def test_one_logs_in_by_keyboard_and_is_where_one_wanted_to_be(open_as: Open):
    page = open_as(None, "/desk", live=False)
    expect(page.locator("#name")).to_be_focused()
    page.keyboard.type("desk")
    page.keyboard.press("Tab")
    page.keyboard.type("wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("That name and password do not belong together.")
    expect(page.locator("#password")).to_be_focused()
    page.keyboard.type("correct horse battery")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/desk$"))
    expect(page.locator("html")).to_have_attribute("data-live", "on")
