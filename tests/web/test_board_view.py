# ruff: noqa: ANN401  (the hall is loaded by its path, so it has no type here)
"""The cut line of the board, ties across it, and what stands above it while qualifying is open."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from server.core.venue import commands as c
from server.web.views.board import field_size

Browse = Callable[..., TestClient]


@pytest.fixture
def scored(hall: Any) -> Any:
    """Six people with scores 600, 500, 400, 400, 300, 200 in a tournament of which three go on."""
    players = [{"id": f"q{number}", "name": f"Player Q{number}"} for number in range(1, 7)]
    hall.open(players=players, machines=[{"id": "mm", "name": "Medieval Madness"}], name="cut")
    for number, score in enumerate((600, 500, 400, 400, 300, 200), 1):
        hall.plays("mm", f"q{number}", scores=(score,), tournament="cut")
    return hall


def lines(page: str) -> list[str]:
    """Names and the cut line, in the order of the page."""
    standings = page.split('id="standings"')[1].split('id="tops', maxsplit=1)[0]
    found = re.findall(r'class="player"><a [^>]*><bdi>([^<]*)</bdi>|<li class="(cutline)"', standings)
    return [name or cut for name, cut in found]


def test_the_cut_is_drawn_while_qualifying_is_open_and_a_tie_across_it_stays_together(scored: Any, browse: Browse):
    assert scored
    page = browse(None).get("/board").text
    assert lines(page) == [
        "Player Q1", "Player Q2", "Player Q3", "Player Q4", "cutline", "Player Q5", "Player Q6",
    ]  # fmt: skip
    assert "cut as it stands" in page
    assert "provisional" in page


def test_after_the_close_only_who_is_settled_stands_above_the_cut_and_the_play_off_is_named(
    scored: Any, browse: Browse
):
    scored.do(c.RecordEntry(tournament="cut", entry={"close": "qualifying"}))
    page = browse(None).get("/board").text
    assert lines(page)[:3] == ["Player Q1", "Player Q2", "cutline"]
    assert re.search(r"Play-off [a-z ]+: Player Q3, Player Q4", page)


@pytest.mark.parametrize(
    ("standings", "size"),
    [
        ({"preset": "tpc"}, 8),
        ({"preset": "uk-kids", "rules": {}}, 3),
        ({"preset": "tpc", "rules": {"qualifiers": 16}}, 16),
        ({"preset": "nobody-knows"}, None),
        ({}, None),
    ],
)
def test_the_size_of_the_field_is_the_tournaments_own_or_its_presets(standings: dict[str, Any], size: int | None):
    assert field_size(standings) == size
