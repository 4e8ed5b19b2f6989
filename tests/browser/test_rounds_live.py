# ruff: noqa: ANN401  (the hall is loaded by its path, so it has no type here)
"""`/rounds` follows what happens elsewhere, and a form that is open stays as it is."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from server.core.venue import commands as c

pytestmark = pytest.mark.browser
Open = Callable[..., Page]


@pytest.fixture
def rounds(served: Any) -> Any:
    """Match play of four in pairs."""
    players = [{"id": f"p{n}", "name": f"Player {n}"} for n in range(1, 5)]
    machines = [{"id": "m1", "name": "Taxi"}, {"id": "m2", "name": "Centaur"}]
    rules = {"rounds": 2, "group_size": 2}
    served.hall.open(players=players, machines=machines, name="mp", preset="match-play", rules=rules)
    return served.hall


def play(hall: Any) -> None:
    """The first game that is to be played is over."""
    games = hall.desk.standings.of("mp").outcome["stages"][0]["schedule"]
    game = next(game for game in games if game["game"] is None)
    scores = {who: 100 + place for place, who in enumerate(game["who"])}
    entry = {"game": "", "machine": game["machine"], "scores": scores, "round": game["round"]}
    hall.do(c.RecordEntry(tournament="mp", entry=entry))


def test_the_page_follows_the_games_and_an_open_form_keeps_what_is_typed(open_as: Open, rounds: Any):
    page = open_as("official", "/rounds")
    cards = page.locator(".groups > li")
    expect(cards).to_have_count(2)
    page.get_by_text("Close Qualifying").click()
    page.get_by_label("How many go on").fill("3")
    page.get_by_text("Post pairings of round 1").click()
    lines = page.get_by_label("One game a line")
    lines.fill("Player 1, Player 4 @ Taxi")
    play(rounds)
    expect(cards).to_have_count(1)
    play(rounds)
    expect(page.get_by_role("heading", name="Round 2").first).to_be_visible()
    expect(page.get_by_label("How many go on")).to_have_value("3")
    expect(lines).to_have_value("Player 1, Player 4 @ Taxi")
    keys = page.locator("#rounds input[name=key]").evaluate_all("all => all.map((each) => each.value)")
    assert all(keys)
    own = page.locator("[data-page-key]").get_attribute("data-page-key")
    assert {key.rsplit("-", 1)[0] for key in keys} == {own}


def test_a_form_that_is_closed_proposes_the_round_that_is_on(open_as: Open, rounds: Any):
    page = open_as("official", "/rounds", width=390, height=844)
    play(rounds)
    play(rounds)
    summary = page.get_by_text("Post pairings of round 2")
    summary.focus()
    page.keyboard.press("Enter")
    field = page.get_by_label("One game a line")
    expect(field).to_contain_text("Player 1")
    page.get_by_label("Round", exact=True).press("Tab")
    page.keyboard.type(" ")
    expect(field).to_be_focused()
    over = page.locator("html").evaluate("element => element.scrollWidth - element.clientWidth")
    assert over <= 0
    page.locator("[data-keep][open]").get_by_label("Why").fill("agreed")
    page.get_by_role("button", name="Post them").press("Enter")
    expect(page.get_by_text("Round 2 of Qualifying is posted.")).to_be_visible()
