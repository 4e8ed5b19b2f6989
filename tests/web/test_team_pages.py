# ruff: noqa: ANN401  (the hall is loaded by its path, so it has no type here)
"""The pages of a league: standings with records, matches of the week, a match explained, a game put on as lined up."""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from starlette.testclient import TestClient

from server.core.venue import commands as c

Login = Callable[[str | None], TestClient]


def roster(team: str) -> list[dict[str, str]]:
    return [{"id": f"{team}{n}", "name": f"Player {team.upper()}{n}", "role": "starter"} for n in range(1, 7)]


@pytest.fixture
def league(hall: Any) -> Any:
    teams = [
        {"id": "K", "name": "Kings", "home": "v1", "captain": "k1", "roster": roster("k")},
        {"id": "L", "name": "Lions", "home": "v2", "captain": "l1", "roster": roster("l")},
    ]
    machines = [
        {"id": "mm", "name": "Medieval Madness", "players": 4, "venue": "v1"},
        {"id": "tz", "name": "Twilight Zone", "players": 4, "venue": "v1"},
    ]
    head = {"tournament": "Night League", "preset": "pinball-chicago", "timezone": "America/Toronto", "teams": teams}
    hall.do(c.OpenTournament(id="league", head={**head, "players": [], "machines": machines}))
    record(hall, match="x1", home="K", away="L", week=1, venue="v1")
    return hall


def record(hall: Any, **entry: Any) -> None:
    hall.do(c.RecordEntry(tournament="league", entry=entry))


def text_of(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


@pytest.mark.usefixtures("league")
def test_the_standings_show_the_matches_of_each_week_and_link_to_why(browse: Login):
    page = browse(None).get("/explain")
    assert page.status_code == 200
    shown = text_of(page.text)
    assert "won–lost" in shown
    assert "Season, week 1 Kings – Lions at v1 to be played" in shown
    assert 'href="/explain?match=x1"' in page.text
    assert 'href="/explain/K"' in page.text


def test_a_match_is_explained_to_everybody(league: Any, browse: Login):
    record(league, game="g1", match="x1", round=1, slot="1", machine="mm", scores={"k1": 5, "l1": 3, "k2": 5, "l2": 2})
    shown = text_of(browse(None).get("/explain?match=x1").text)
    assert "2 points: round 1, doubles game 1 on Medieval Madness (mm): 10 to 5, won" in shown
    assert "Player K1 (k1) for Kings (K): 5 on Medieval Madness (mm) in game g1" in shown
    assert browse(None).get("/explain?match=x9").status_code == 404


def test_a_team_and_its_players_have_their_pages(league: Any, browse: Login):
    record(league, game="g1", match="x1", round=1, slot="1", machine="mm", scores={"k1": 5, "l1": 3, "k2": 5, "l2": 2})
    team, player = browse(None).get("/explain/K"), browse(None).get("/explain/k1")
    assert 'href="/explain/k1"' in team.text
    assert "2 points in match x1" in text_of(team.text)
    assert "5 in game g1 on Medieval Madness (mm), match x1" in text_of(player.text)


def test_what_a_stranger_sees_of_a_match_names_no_offence(league: Any, browse: Login):
    record(league, game="g1", match="x1", round=1, slot="1", machine="mm", scores={"k1": 5, "l1": 3, "k2": 5, "l2": 2})
    slam = {"penalty": "k1", "for": "slam-tilt", "game": "g1"}
    league.do(c.RecordEntry(tournament="league", entry=slam, why="seen by both"))
    assert "slam-tilt" in text_of(browse("official").get("/explain?match=x1").text)
    public = text_of(browse(None).get("/explain?match=x1").text)
    assert "slam-tilt" not in public
    assert "lost by Kings (K), whatever the scores" in public


def test_the_log_says_a_line_up_with_everybodys_name(league: Any, browse: Login):
    games = [
        {"slot": "1", "machine": "mm", "players": ["l1", "l2"]},
        {"slot": "2", "machine": "tz", "players": ["l3", "l4"]},
    ]
    record(league, lineup="x1", round=1, team="L", games=games)
    shown = text_of(browse("official").get("/log").text)
    assert "line-up of Lions for match x1, round 1: game 1 Player L1 and Player L2 on Medieval Madness" in shown


def test_a_game_is_put_on_its_machine_as_it_is_lined_up(league: Any, browse: Login):
    for team, who in (("L", "l"), ("K", "k")):
        games = [
            {"slot": "1", "machine": "mm", "players": [f"{who}1", f"{who}2"]},
            {"slot": "2", "machine": "tz", "players": [f"{who}3", f"{who}4"]},
        ]
        record(league, lineup="x1", round=1, team=team, games=games)
    client = browse("official")
    page = client.get("/rounds")
    assert "Week 1, match x1" in text_of(page.text)
    form = page.text[page.text.index('action="/rounds/assign"') :]
    fields = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', form[: form.index("</form>")]))
    assert fields["match"] == "x1"
    answer = client.post(
        "/rounds/assign",
        data={**fields, "round": "1", "slot": "1", "machine": "mm"},
        headers={"origin": "http://testserver", "sec-fetch-site": "same-origin"},
    )
    assert answer.status_code in {200, 303}, text_of(answer.text)
    with league.desk.reading() as state:
        assert state.machines["mm"].assignment.players == ("k1", "l1", "k2", "l2")


def test_a_team_that_is_called_is_late_when_its_time_is_over(league: Any, browse: Login):
    record(league, decision="call", who=["K", "L"], stage="season")
    league.ahead = 14 * 60_000
    for path in ("/rounds", "/desk", "/board"):
        shown = text_of(browse("official").get(path).text)
        assert "Kings and Lions called to Season: late after that" in shown, path
        assert re.search(r"\b(59 s|1 min) left", shown), path
    (first, second) = browse(None).get("/api/v1/tournaments/current/calls").json()["calls"]
    assert (first["player"], second["player"]) == ("K", "L")
    assert minutes(first["late"]) - minutes(first["called"]) == 15
    league.assign("mm", "l3", tournament="league")
    assert "Kings called to Season" in text_of(browse("official").get("/rounds").text)
    record(league, forfeit="x1", team="K")
    assert "called to Season" not in text_of(browse("official").get("/rounds").text)


def minutes(moment: str) -> int:
    return int(datetime.fromisoformat(moment).timestamp() // 60)


def test_the_board_shows_the_matches_to_be_played_and_the_record(league: Any, browse: Login):
    shown = text_of(browse(None).get("/board").text)
    assert "Season 1 to play" in shown
    assert "Week 1, match x1" in shown
    record(league, forfeit="x1", team="L")
    assert "Kings 1–0 9" in text_of(browse(None).get("/board").text)


def test_a_compensation_ball_is_kept_for_a_ruling_in_one_step(league: Any, browse: Login):
    record(league, game="g1", match="x1", round=1, slot="1", machine="mm", scores={"k1": 5, "l1": 3, "k2": 5, "l2": 9})
    game = league.plays("tz", "k1", scores=(40,), tournament="league")
    official = browse("official")
    page = official.get(f"/review/game/{game}").text
    assert "counts only once a ruling names it" in page
    form = {**fields_of(page), "who": "k1"}
    theirs = official.post(f"/review/game/{game}", data={**form, "do": "match"})
    assert (theirs.status_code, "it still waits: g2 names no match" in theirs.text) == (200, True)
    form = {**fields_of(theirs.text), "who": "k1", "do": "keep"}
    assert "Say why it is kept" in official.post(f"/review/game/{game}", data=form).text
    assert official.post(f"/review/game/{game}", data={**form, "why": "ball 3 was lost"}).status_code == 303
    assert league.log("league")[-1]["game"] == "g2"


def test_a_game_that_nobody_was_put_on_goes_into_its_match(league: Any, browse: Login):
    game = league.starts("mm", 4)
    league.ends("mm", game, 1, 2, 3, 4)
    official = browse("official")
    form = {**fields_of(official.get(f"/review/game/{game}").text), "who": ["k1", "l1", "k2", "l2"], "do": "match"}
    assert "is a number" in official.post(f"/review/game/{game}", data={**form, "match": "x1", "round": "²"}).text
    sent = {**form, "match": "x1", "round": "1", "slot": "1"}
    assert official.post(f"/review/game/{game}", data=sent).status_code == 303
    last = league.log("league")[-1]
    assert (last["match"], last["round"], last["slot"]) == ("x1", 1, "1")


def fields_of(html: str) -> dict[str, str]:
    """The hidden fields of the form."""
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', html))


def test_the_weeks_before_the_last_are_folded_behind_what_is_played_now(league: Any, browse: Login):
    record(league, forfeit="x1", team="L")
    for week in (2, 3, 4):
        record(league, match=f"x{week}", home="K", away="L", week=week, venue="v1")
    record(league, forfeit="x2", team="K")
    shown = browse(None).get("/explain").text
    weeks = re.findall(r"<details( open)?>\s*<summary><h2><bdi>([^<]*)</bdi>", shown)
    assert weeks == [
        (" open", "Season, week 3"),
        (" open", "Season, week 2"),
        ("", "Season, week 4"),
        ("", "Season, week 1"),
    ]
    assert re.search(r"Kings</bdi> – <strong><bdi>Lions</bdi>", shown)


def test_a_game_of_a_league_is_put_on_a_machine_of_its_venue_and_those_of_one_name_are_told_apart(
    hall: Any, browse: Login
):
    teams = [{"id": team, "home": f"v-{team}", "roster": roster(team.lower())} for team in ("K", "L")]
    machines = [
        {"id": "j1", "name": "Jaws", "players": 4, "venue": "v-K"},
        {"id": "j2", "name": "Jaws", "players": 4, "venue": "v-L"},
        {"id": "j3", "name": "Taxi", "players": 4, "venue": "v-K"},
    ]
    head = {"tournament": "Two venues", "preset": "pinball-chicago", "timezone": "America/Toronto", "teams": teams}
    hall.do(c.OpenTournament(id="league", head={**head, "players": [], "machines": machines}))
    record(hall, match="x1", home="K", away="L", week=1)
    client = browse("official")
    page = client.get("/rounds").text
    assert re.findall(r'<option value="(j\d)">([^<]*)<', page) == [("j1", "Jaws (j1)"), ("j3", "Taxi")]
    assert "Post groups" not in page
    assert "Jaws (j2)" in client.get("/desk").text


def test_the_page_of_rounds_says_how_the_next_match_is_set(league: Any, browse: Login):
    said = "No match waits to be played."
    assert said not in browse("official").get("/rounds").text
    record(league, forfeit="x1", team="L")
    assert said in browse("official").get("/rounds").text
