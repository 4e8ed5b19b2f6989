"""What went wrong in other people's programs, over HTTP: ties, zeros, big scores, impossible results."""

import csv
import io
import re
import threading
from collections.abc import Callable

import httpx2
import pytest

from .conftest import Agent, Running
from .words import T, ok, ranks, say, score_of, stage, type_game

Login = Callable[[str | None], httpx2.Client]


@pytest.mark.usefixtures("kids")
@pytest.mark.parametrize(
    ("scores", "expected"),
    [((500, 500, 400, 300), [1, 1, 3, 4]), ((500, 500, 500, 500, 500, 100), [1, 1, 1, 1, 1, 6])],
)
def test_equal_scores_have_equal_rank_and_never_change_their_order(
    login: Login, scores: tuple[int, ...], expected: list[int]
):  # E07
    keeper, public = login("scorekeeper"), login(None)
    for n, score in reversed(list(enumerate(scores, 1))):
        type_game(keeper, "m1", **{f"p{n}": score})
    answers = [ranks(public) for _ in range(10)]
    assert answers[0] == [(rank, f"p{n}") for n, rank in enumerate(expected, 1)]
    assert all(answer == answers[0] for answer in answers)


@pytest.mark.usefixtures("kids")
def test_zero_is_a_score_and_no_score_and_void_are_something_else(login: Login, agent: Agent):  # E09
    keeper, official, public = login("scorekeeper"), login("official"), login(None)
    ok(login("desk").post(f"{T}/entries", json={"player": "p1", "entries": 2}))
    ok(keeper.post("/machines/m1/assign", json={"players": ["p1"]}))
    agent.plays("m1", 0)
    game = type_game(keeper, "m1", p3=300)["result"]["game"]
    say(official, void=game, why="ball stuck")
    type_game(keeper, "m1", p4=0)
    type_game(keeper, "m1", status=422, p5=-500)
    type_game(keeper, "m1", p6=10)
    assert ranks(public) == [(1, "p6"), (2, "p1"), (2, "p4")]
    assert score_of(public, "p1") == 0
    states = {n: ok(public.get(f"{T}/players/p{n}"))["result"] for n in range(1, 7)}
    assert states == {1: "played", 2: "no score", 3: "void", 4: "played", 5: "no score", 6: "played"}
    [mine] = ok(public.get(f"{T}/players/p1"))["games"]
    assert mine["scores"] == [{"who": "p1", "score": 0, "recorded": 0, "state": "played"}]
    left = {one["id"]: one["entries_left"] for one in ok(login("desk").get(f"{T}/entries"))["players"]}
    assert left["p1"] == 1
    say(official, void=mine["game"], why="it was not started")
    left = {one["id"]: one["entries_left"] for one in ok(login("desk").get(f"{T}/entries"))["players"]}
    assert left["p1"] == 2
    ok(keeper.post("/machines/m1/assign", json={"players": ["p1"]}))
    agent.plays("m1", 45)
    assert score_of(public, "p1") == 45


@pytest.mark.usefixtures("kids")
def test_scores_beyond_32_bits_are_exact_and_add_up(login: Login, agent: Agent):  # E10
    keeper, official, public = login("scorekeeper"), login("official"), login(None)
    big = [2_147_483_647, 2_147_483_648, 4_294_967_296, 12_345_678_910]
    for n, score in enumerate(big, 1):
        type_game(keeper, "m1", **{f"p{n}": score})
    ok(keeper.post("/machines/m2/assign", json={"players": ["p5"]}))
    agent.plays("m2", 12_345_678_910)
    assert [score_of(public, f"p{n}") for n in range(1, 6)] == [*big, 12_345_678_910]
    assert ranks(public) == [(1, "p4"), (1, "p5"), (3, "p3"), (4, "p2"), (5, "p1")]
    games = [type_game(keeper, "m1", p6=12_345_678_910)["result"]["game"] for _ in range(5)]
    say(official, ruling=games[0], who="p6", kind="add-ball", games=games[1:], why="four more balls")
    assert score_of(public, "p6") == 61_728_394_550
    assert '"score":61728394550' in public.get(f"{T}/standings").text


@pytest.mark.usefixtures("kids")
def test_an_extraordinary_score_is_flagged_and_never_cut_or_dropped(login: Login, agent: Agent):  # E16
    keeper, official, public = login("scorekeeper"), login("official"), login(None)
    for n in range(25):
        type_game(keeper, "m1", p1=20_000_000 + n * 2_400_000)
    ok(keeper.post("/machines/m1/assign", json={"players": ["p6"]}))
    game = agent.plays("m1", 2_100_000_000)
    assert ok(official.get(f"/games/{game}"))["scores"][0]["score"] == 2_100_000_000
    [reading] = ok(official.get("/readings", params={"status": "waiting"}))["readings"]
    assert (reading["proposed"], "far above" in reading["why"][0]) == (2_100_000_000, True)
    assert score_of(public, "p6") is None
    ok(official.post(f"/readings/{reading['id']}/confirm", json={}))
    assert score_of(public, "p6") == 2_100_000_000
    ok(keeper.post("/machines/m1/assign", json={"players": ["p6"]}))
    agent.plays("m1", 45_000_000)
    assert len(ok(public.get(f"{T}/players/p6"))["games"]) == 2
    assert ok(official.get("/readings", params={"status": "waiting"}))["readings"] == []


IMPOSSIBLE = [
    ({"machine": "m9", "scores": {"p1": 1}}, "m9"),
    ({"machine": "m1", "scores": {"nobody": 1}}, "nobody"),
    ({"machine": "m1", "scores": {"p1": 1}, "stage": "A/final"}, "A/final"),
    ({"machine": "m1", "scores": {"p1": 1}, "stage": "A/semifinal", "group": "1"}, "has not begun"),
    (
        {"machine": "m1", "scores": {"p1": 1}, "started_at": "2026-05-01T12:05:00Z", "at": "2026-05-01T12:00:00Z"},
        "before it began",
    ),
    (
        {"machine": "m2", "scores": {"p2": 1}, "started_at": "2026-05-01T12:05:00Z", "at": "2026-05-01T12:20:00Z"},
        "two games at once",
    ),
]


@pytest.mark.usefixtures("toronto")
def test_impossible_results_are_refused_with_the_reason_and_lose_nothing(login: Login):
    keeper = login("scorekeeper")
    first = {"machine": "m1", "scores": {"p2": 5}, "started_at": "2026-05-01T12:00:00Z", "at": "2026-05-01T12:10:00Z"}
    ok(keeper.post(f"{T}/games", json=first))
    for body, word in IMPOSSIBLE:
        answer = keeper.post(f"{T}/games", json=body)
        assert answer.status_code in {404, 422}, (body, answer.text)
        assert word in answer.json()["error"], answer.text
    twice = b'{"machine": "m1", "scores": {"p1": 1, "p1": 2}}'
    answer = keeper.post(f"{T}/games", content=twice, headers={"content-type": "application/json"})
    assert (answer.status_code, "p1" in answer.json()["error"]) == (422, True)
    assert len(ok(keeper.get(f"{T}/games"))["games"]) == 1


@pytest.mark.usefixtures("toronto")
def test_a_player_who_is_not_in_the_group_is_refused_when_typed_and_held_when_captured(login: Login, agent: Agent):
    keeper, official = login("scorekeeper"), login("official")
    for n in range(1, 9):
        type_game(keeper, "m1", **{f"p{n}": 1000 - 100 * n})
    say(official, close="A/qualifying", qualifiers=6)
    semifinal = {"stage": "A/semifinal", "group": "1", "round": 1}
    answer = keeper.post(f"{T}/games", json={"machine": "m2", "scores": {"p8": 1}, **semifinal})
    assert (answer.status_code, "p8" in answer.json()["error"]) == (422, True)
    ok(keeper.post("/machines/m2/assign", json={"players": ["p8"], **semifinal}))
    game = agent.plays("m2", 500)
    held = ok(official.get(f"/games/{game}"))
    assert (held["status"], "p8" in held["why"][0]) == ("waiting", True)


@pytest.mark.usefixtures("kids")
def test_two_people_of_one_name_are_told_apart_by_somebody(login: Login):
    desk = login("desk")
    again = {"players": [{"id": "p11", "name": " player  1 "}]}
    answer = desk.post(f"{T}/players", json=again)
    assert (answer.status_code, "p1 is called Player 1 too" in answer.json()["error"]) == (409, True)
    ok(desk.post(f"{T}/players", json={**again, "same_name": True}))


@pytest.mark.usefixtures("kids")
def test_readers_see_whole_versions_while_games_come_in(login: Login):
    keeper, done = login("scorekeeper"), threading.Event()
    seen: list[list[tuple[int, int]]] = []

    def read(client: httpx2.Client) -> None:
        mine: list[tuple[int, int]] = []
        seen.append(mine)
        while not done.is_set():
            found = ok(client.get(f"{T}/standings"))
            mine.append((found["version"], sum(row["score"] for row in found["stages"][0]["standings"])))

    readers = [threading.Thread(target=read, args=(login(None),)) for _ in range(4)]
    for reader in readers:
        reader.start()
    first = ok(keeper.get(T))["version"]
    for n in range(1, 31):
        type_game(keeper, "m1", p1=n)
    done.set()
    for reader in readers:
        reader.join()
    for mine in seen:
        assert all(score == version - first for version, score in mine)
        assert [version for version, _ in mine] == sorted(version for version, _ in mine)


@pytest.mark.usefixtures("kids")
def test_page_api_and_export_have_the_same_ranks_and_the_zero(running: Running, login: Login):
    keeper, desk = login("scorekeeper"), login("desk")
    for n, score in enumerate((12_345_678_910, 500, 500, 0), 1):
        type_game(keeper, "m1", **{f"p{n}": score})
    expected = [(1, "p1", "12345678910"), (2, "p2", "500"), (2, "p3", "500"), (4, "p4", "0")]
    rows = stage(keeper)["standings"]
    assert [(row["rank"], row["who"], str(row["score"])) for row in rows] == expected
    text = desk.get(f"{T}/export", params={"format": "standings"}).text.removeprefix("\ufeff")
    table = list(csv.DictReader(io.StringIO(text)))
    assert [int(row["position"]) for row in table] == [1, 2, 2, 4]
    assert [re.sub(r"\D", "", row["score"]) for row in table] == ["12345678910", "500", "500", "0"]
    page = httpx2.get(f"{running.base}/board").text
    places = [page.index(f"Player {n}<") for n in range(1, 5)]
    assert places == sorted(places)
    assert re.search(r">\s*0\s*<", page[places[3] :])
