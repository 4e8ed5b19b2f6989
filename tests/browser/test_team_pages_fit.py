# ruff: noqa: ANN401  (the hall is loaded by its path, so it has no type here)
"""The pages of a league from a small phone to the projector: long names stick out nowhere, and the board follows."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from server.core.venue import commands as c

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
LONG = "The Extraordinarily Long-Named Gentlemen of the Upper Left Flipper Society"


@pytest.fixture
def league(served: Any) -> Any:
    """A hall in which a league is on: one match is over, one is to be played."""
    teams = [
        {
            "id": team,
            "name": f"{LONG} {team}",
            "home": f"a-venue-with-a-very-long-name-{team}",
            "captain": f"{team}1",
            "roster": [{"id": f"{team}{n}", "name": f"Player {team} {n}", "role": "starter"} for n in range(1, 7)],
        }
        for team in ("k", "l", "m")
    ]
    machines = [{"id": f"mm{n}", "name": f"Machine {n}", "players": 4} for n in range(1, 4)]
    head = {"tournament": "Night League", "preset": "pinball-chicago", "timezone": "America/Toronto", "teams": teams}
    served.hall.do(c.OpenTournament(id="league", head={**head, "players": [], "machines": machines}))
    record(served.hall, match="x1", home="k", away="l", week=1, venue="a-venue-with-a-very-long-name-k")
    record(served.hall, match="x2", home="k", away="m", week=2)
    record(served.hall, forfeit="x1", team="l")
    return served.hall


def record(hall: Any, **entry: Any) -> None:
    hall.do(c.RecordEntry(tournament="league", entry=entry, why="seen"))


@pytest.mark.usefixtures("league")
@pytest.mark.parametrize(("width", "height"), [(360, 740), (1920, 1080)])
def test_nothing_of_a_league_sticks_out_sideways(open_as: Open, width: int, height: int):
    page = open_as("official", "/", width=width, height=height, live=False)
    for path in ("/board", "/explain", "/explain/k", "/explain?match=x1", "/rounds", "/log", "/rulings", "/setup"):
        page.goto(path)
        over = page.locator("html").evaluate("element => element.scrollWidth - element.clientWidth")
        assert over <= 0, (path, over)


def test_the_board_turns_from_the_matches_to_the_table_and_follows(open_as: Open, league: Any):
    page = open_as(None, "/board?seconds=1", width=1920, height=1080)
    expect(page.locator("#standings")).to_contain_text("Week 2, match x2")
    expect(page.locator("#standings")).to_contain_text("1–0")
    record(league, forfeit="x2", team="m")
    expect(page.locator("#standings")).to_contain_text("2–0")
    expect(page.locator("#standings")).not_to_contain_text("Week 2, match x2")
