"""Captains act for their own team only, of now, within the rules; what they cannot do is said clearly."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from .conftest import Running, serving
from .teams import LEAGUE, captain, lined_up, send, sheet
from .words import T, ok, say

FIRST = lined_up("a1 a2", "a3 a4", machines="m1 m2")


@contextmanager
def a_league(folder: Path) -> Iterator[Running]:
    with serving(folder, "league", LEAGUE) as server:
        say(server.client("desk"), match="x1", home="H", away="A", week=1, venue="v1")
        yield server


@pytest.fixture
def league(tmp_path: Path) -> Iterator[Running]:
    """A league with one match."""
    with a_league(tmp_path) as server:
        yield server


@pytest.fixture(scope="module")
def refusing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Running, httpx2.Client]]:
    """One for all tests that are only refused, with its away captain: starting one takes longer than they do."""
    with a_league(tmp_path_factory.mktemp("refusing")) as server:
        yield server, captain(server, "a1", "away")


def test_a_captain_speaks_for_no_other_team(refusing: tuple[Running, httpx2.Client]):
    foreign, away = captain(refusing[0], "b1"), refusing[1]
    for team in ("A", "H"):
        told = send(foreign, "lineups", http=403, team=team, round=1, games=FIRST)
        assert told["error"].startswith("you are captain of B, not of ")
    assert "B does not play in x1" in send(foreign, "lineups", http=422, team="B", round=1, games=FIRST)["error"]
    told = send(away, "lineups", http=403, team="H", round=1, games=FIRST)
    assert told["error"] == "you are captain of A, not of H: each captain speaks for the own team"
    send(foreign, "forfeits", http=403, team="A")
    typed = {"machine": "m1", "round": 1, "slot": 1, "scores": {"h1": 1, "a1": 2, "h2": 3, "a2": 4}}
    assert "does not play in x1" in send(foreign, "games", http=403, **typed)["error"]
    assert "does not play in x1" in send(foreign, "end", http=403)["error"]
    assert foreign.post(f"{T}/teams/A/roster", json={"drop": "a7"}).status_code == 403
    assert ok(away.get(f"{T}/log"))["last"] == 1


def test_a_captain_dates_nothing_and_overrides_nothing(refusing: tuple[Running, httpx2.Client]):
    _, away = refusing
    roster = {"add": "new", "role": "reserve", "at": "2020-01-01T12:00:00Z"}
    told = away.post(f"{T}/teams/A/roster", json=roster)
    assert (told.status_code, "an official records what was earlier" in told.json()["error"]) == (403, True)
    told = send(away, "lineups", http=403, round=1, games=FIRST, despite_rules=True)
    assert "an official may" in told["error"]
    entry = {"lineup": "x1", "round": 1, "team": "A", "games": FIRST, "by": "olga"}
    assert away.post(f"{T}/log", json={"entry": entry}).status_code == 403
    for entry in ({"close": "season"}, {"void": "g1", "why": "x"}, {"decision": "draw", "who": ["A", "H"]},
                  {"match": "x2", "home": "H", "away": "A"}, {"penalty": "h1", "for": "practice"}):  # fmt: skip
        assert away.post(f"{T}/log", json={"entry": entry}).status_code in {403, 404}, entry
    assert away.post("/machines/m1/assign", json={"players": ["a1"]}).status_code == 403


def test_who_is_no_captain_on_any_roster_is_told_so(league: Running):
    member, nobody, gone = captain(league, "a2"), captain(league, "zz"), captain(league, "b1")
    told = send(member, "lineups", http=403, round=1, games=FIRST)["error"]
    assert told == "you are a2, who is captain of neither team of x1"
    assert "which player" in send(nobody, "lineups", http=403, round=1, games=FIRST)["error"]
    assert "captain of no team" in send(member, "lineups", http=403, team="A", round=1, games=FIRST)["error"]
    assert "which player" in send(nobody, "lineups", http=403, team="A", round=1, games=FIRST)["error"]
    official = league.client("official")
    ok(official.patch(T, json={"teams": [{"id": "B", "captain": ["b1", "b2"]}], "why": "b2 takes over"}))
    say(official, roster="B", drop="b1", set="b7", role="starter", at="2020-01-01T12:00:00Z")
    assert "captain of no team" in send(gone, "forfeits", http=403, team="B")["error"]


def test_an_official_says_which_player_a_captain_is(league: Running):
    plain = league.client("captain")
    send(plain, "lineups", http=403, team="A", round=1, games=FIRST)
    assert plain.put(f"{T}/officials/captain", json={"player": "a1"}).status_code == 403
    ok(league.client("official").put(f"{T}/officials/captain", json={"player": "a1"}))
    send(plain, "lineups", round=1, games=FIRST)


def test_a_second_or_stale_declaration_changes_nothing(league: Running):
    home, away = captain(league, "h1"), captain(league, "a1")
    version = sheet(home)["version"]
    key = {"Idempotency-Key": "declare-1"}
    body = {"round": 1, "games": FIRST}
    first = away.post(f"{T}/matches/x1/lineups", json=body, headers=key)
    again = away.post(f"{T}/matches/x1/lineups", json=body, headers=key)
    assert (ok(first)["again"], ok(again)["again"]) == (False, True)
    assert "PC7" in send(away, "lineups", http=422, **body)["error"]
    stale = send(home, "lineups", http=409, round=1, games=lined_up("h1 h2", "h3 h4"), based_on=version)
    assert stale["newer"]["entry"]["lineup"] == "x1"
    seen = sheet(home)["version"]
    send(home, "lineups", round=2, games=lined_up("h1", "h2", "h3", "h4", machines="m1 m2 m3 m4"), based_on=version)
    send(home, "lineups", round=1, games=lined_up("h1 h2", "h3 h4"), based_on=seen)


def test_what_changes_a_match_takes_its_confirmations_back_and_a_stale_one_is_a_conflict(league: Running):
    home, away, keeper = captain(league, "h1"), captain(league, "a1"), league.client("scorekeeper")
    assert "nothing to confirm" in send(home, "confirm", http=422)["error"]
    typed = {"machine": "m1", "round": 1, "slot": 1, "scores": {"h1": 1, "a1": 2, "h2": 3, "a2": 4}}
    send(keeper, "games", **typed)
    seen = sheet(home)["version"]
    send(home, "confirm", based_on=seen)
    send(keeper, "games", **{**typed, "machine": "m2", "slot": 2, "scores": {"h3": 1, "a3": 2, "h4": 3, "a4": 4}})
    assert sheet(away)["confirmed"] == {}
    send(away, "confirm", http=409, based_on=seen)
    send(away, "confirm", based_on=sheet(away)["version"])
    send(home, "confirm")
    send(away, "end")
    assert sheet(home)["status"] == "final"


def test_the_home_team_rules_extra_balls_out(league: Running):
    away = captain(league, "a1")
    assert "PC33" in send(away, "terms", http=403, extra_balls=0)["error"]
    send(away, "terms", challenge_modes=True)
    assert sheet(away)["terms"]["challenge_modes"] is True


@pytest.mark.parametrize(
    ("what", "body"),
    [
        ("lineups", {"round": 1, "games": []}),
        ("lineups", {"round": 1, "games": [{"slot": 1, "players": ["x" * 10**6]}]}),
        ("lineups", {"round": "1", "games": FIRST}),
        ("lineups", {"round": 10**30, "games": FIRST}),
        ("lineups", {"round": 1, "games": [{"slot": 1, "players": "a1"}]}),
        ("lineups", {"round": 1, "games": FIRST * 11}),
        ("games", {"machine": "m1", "scores": {"a1": -1}}),
        ("games", {"machine": "m1", "scores": {"a1": 1.5}}),
        ("games", {"machine": "m1", "match": "x9", "scores": {"a1": 1}}),
        ("confirm", {"team": "x" * 10**6}),
        ("confirm", {"team": 7}),
        ("forfeits", {"stayed": "yes"}),
        ("challenges", {"why": "no game"}),
        ("terms", {"extra_balls": 10**9}),
        ("end", {"why": "x" * 10**6}),
    ],
)
def test_what_makes_no_sense_is_refused_and_nothing_is_recorded(
    refusing: tuple[Running, httpx2.Client], what: str, body: dict[str, Any]
):
    _, away = refusing
    send(away, what, http=422, **body)
    assert ok(away.get(f"{T}/log"))["last"] == 1


def test_names_that_nobody_knows_are_not_found_and_not_recorded(refusing: tuple[Running, httpx2.Client]):
    keeper, away = refusing[0].client("scorekeeper"), refusing[1]
    send(away, "lineups", match="x9", http=404, round=1, games=FIRST)
    send(away, "lineups", match="x" * 81, http=422, round=1, games=FIRST)
    assert away.get(f"{T}/matches/x9").status_code == 404
    stranger = {"machine": "m1", "round": 1, "slot": 1, "scores": {"h1": 1, "zz": 2}}
    assert "zz is not entered" in send(keeper, "games", http=404, **stranger)["error"]
    told = send(away, "lineups", http=422, round=1, games=lined_up("a1 zz", "a3 a4", machines="m1 m2"))
    assert "zz" in told["error"]
    send(away, "challenges", http=404, game="g9", why="?")
    assert keeper.post("/machines/m1/assign", json={"match": "x9", "round": 1, "slot": 1}).status_code == 422
    assert ok(away.get(f"{T}/log"))["last"] == 1


def test_the_public_sees_the_sheet_and_the_rosters_but_writes_nothing(refusing: tuple[Running, httpx2.Client]):
    league = refusing[0]
    public = league.client(None)
    assert sheet(public)["rounds"][0]["declares_first"] == "A"
    [home, *_] = ok(public.get(f"{T}/teams"))["teams"]
    assert (home["id"], home["captains"], len(home["roster"])) == ("H", ["h1"], 7)
    assert public.post(f"{T}/matches/x1/end", json={}).status_code == 401
    assert league.client("viewer").post(f"{T}/matches/x1/end", json={}).status_code == 403


def test_what_is_refused_names_earlier_entries_by_their_numbers_in_the_log(league: Running):
    home, away, official = captain(league, "h1"), captain(league, "a1"), league.client("official")
    send(home, "terms", challenge_modes=False)
    send(away, "lineups", round=1, games=FIRST)
    ok(official.post(f"{T}/log/2/undo", json={"why": "not agreed"}))
    assert "(entry 3)" in send(away, "lineups", http=422, round=1, games=FIRST)["error"]


def test_a_game_is_contested_in_its_own_match(league: Running):
    official = league.client("official")
    say(official, match="x2", home="H", away="B", week=2, venue="v1")
    say(official, game="g1", match="x1", round=1, slot=1, machine="m1", scores={"h1": 1, "a1": 2, "h2": 3, "a2": 4})
    told = send(official, "challenges", match="x2", http=422, game="g1", team="H", why="x")
    assert told["error"] == "game: g1 is of x1, not of x2"
    send(official, "challenges", game="g1", team="H", why="x")


def test_rosters_are_given_with_names(league: Running):
    teams = ok(league.client("desk").get(f"{T}/teams"))["teams"]
    names = {one["id"]: one["name"] for one in teams[1]["roster"]}
    assert (names["a6"], names["a5"]) == ("Ace", "")
