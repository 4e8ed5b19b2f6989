# ruff: noqa: ANN401  (support modules are loaded by their path, so they have no type here)
"""The whole pipe with real things: a live MPF, and a real photograph, reach the standings and the projector."""

import asyncio
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

MPF = Path(__file__).parents[2] / ".venv-mpf" / "bin" / "mpf"
HEAD = {"tournament": "Harbour Cup", "preset": "uk-kids", "timezone": "Europe/London"}


def scores_of(client: Any) -> dict[str, int]:
    standings = client.get("tournaments/current/standings/qualifying")["standings"]
    return {row["who"]: row["score"] for row in standings}


@pytest.mark.mpf
@pytest.mark.broker
@pytest.mark.browser
@pytest.mark.skipif(not MPF.exists(), reason="no MPF here (scripts/setup makes it)")
def test_a_game_of_a_live_mpf_is_on_the_board(
    venue: Any, browser: Browser, tmp_path: Path, load: Callable[[str], ModuleType], until: Callable[..., Any]
):
    play = load("machines/play_mpf.py")
    admin, _ = venue.person("ada", "admin")
    people = [{"id": "p1", "name": "Ada Whitfield"}, {"id": "p2", "name": "Björn Ålund"}]
    machines = [{"id": "mpf-1", "name": "Our machine"}]
    admin.post("tournaments", {"id": "cup", "head": {**HEAD, "players": people, "machines": machines}})
    page = browser.new_page(viewport={"width": 1920, "height": 1080})
    page.goto(f"{venue.url}/board")

    async def play_game() -> None:
        async with play.running(tmp_path / "mpf", balls=1) as machine:
            await machine.connect()
            port = f'[[machine]]\nid = "mpf-1"\nprofile = "mpf-bcp"\nport = "tcp://127.0.0.1:{machine.port}"\n'
            await asyncio.to_thread(venue.start_agent, "pi-1", port)
            await asyncio.to_thread(until, lambda: admin.get("machines/mpf-1")["attached"], say="MPF is heard")
            admin.post("machines/mpf-1/assign", {"players": ["p1", "p2"]})
            await machine.start(2)
            await machine.ball("s_orbit", "s_bumper")
            await machine.ball("s_spinner", "s_spinner", "s_orbit")
            await machine.wait("name=game_ended", 0)

    (tmp_path / "mpf").mkdir()
    with ThreadPoolExecutor(1) as beside:  # the browser has this thread's event loop
        beside.submit(asyncio.run, play_game()).result()
    wanted = {"p1": 1250570, "p2": 1250240}
    assert until(lambda: scores_of(admin) == wanted and scores_of(admin), say="the scores stand") == wanted
    expect(page.get_by_text("1250570").first).to_be_visible(timeout=20_000)
    expect(page.get_by_text("Björn Ålund").first).to_be_visible(timeout=20_000)
    page.close()


@pytest.mark.shared
@pytest.mark.broker
@pytest.mark.browser
def test_a_photograph_of_a_display_is_decided_by_an_official_and_stands(
    venue: Any, browser: Browser, tmp_path: Path, shared: Path, until: Callable[..., Any]
):
    admin, _ = venue.person("ada", "admin")
    _, password = venue.person("olga", "official")
    machines = [{"id": "nascar", "name": "Stock cars"}]
    people = [{"id": "p1", "name": "Ada Whitfield"}]
    admin.post("tournaments", {"id": "cup", "head": {**HEAD, "players": people, "machines": machines}})
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    photos = shared / "displays" / "dmd_photo"
    for moment in range(0, 20_000, 500):  # the score stands for a while, then the machine invites the next player
        name = "nascar_img_0071__c988db.jpg" if moment < 3000 else "nascar_img_0044__c24ade.jpg"
        shutil.copy(photos / name, pictures / f"{moment:06}.jpg")
    profile = tmp_path / "stock-cars.toml"  # what an owner knows of the machine: three balls
    profile.write_text(
        'id = "stock-cars"\nname = "Stock cars"\nkind = "display"\nballs = 3\nhold_ms = 5000\n'
        '[display]\ntype = "dmd"\ncolumns = 128\nrows = 32\n'
    )
    port = f'[[machine]]\nid = "nascar"\nprofile = "{profile}"\nport = "camera://{pictures}"\n'
    admin.post("machines/nascar/assign", {"players": ["p1"]})
    venue.start_agent("pi-1", port)

    waiting = until(lambda: admin.get("readings?status=waiting")["readings"] or None, say="the reading waits")
    (reading,) = waiting
    assert 8618490 in {reading["proposed"], *reading["candidates"]}
    assert scores_of(admin) == {}
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(f"{venue.url}/login")
    page.fill("input[name=name]", "olga")
    page.fill("input[name=password]", password)
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: not url.endswith("/login"))
    page.goto(f"{venue.url}/review")
    picture = page.locator("img[src*='evidence']").first
    expect(picture).to_be_visible(timeout=20_000)
    page.keyboard.type("8618490")

    def press_enter() -> dict[str, int] | None:  # heeded only once the picture was in view for a moment
        page.keyboard.press("Enter")
        return scores_of(admin) or None

    assert until(press_enter, say="the score stands") == {"p1": 8618490}
    page.close()
