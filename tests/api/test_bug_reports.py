"""What went wrong in other people's programs, over HTTP: corrections, seeds, withdrawals, ties, zeros, big scores."""

from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from .conftest import Agent, Running

Login = Callable[[str | None], httpx2.Client]
T = "/tournaments/current"
KIDS: dict[str, Any] = {
    "tournament": "Kids",
    "preset": "uk-kids",
    "rules": {"qualifiers": 2},
    "players": [{"id": f"p{n}", "name": f"Player {n}"} for n in range(1, 10)],
    "machines": [{"id": "m1", "name": "Machine One"}, {"id": "m2", "name": "Machine Two"}],
}
TPC: dict[str, Any] = {
    "tournament": "Toronto",
    "preset": "tpc",
    "rules": {"qualifiers_min": 6},
    "players": [{"id": f"p{n}", "name": f"Player {n}", "division": "A"} for n in range(1, 10)],
    "machines": [{"id": f"m{n}", "name": f"Machine {n}", "division": "A"} for n in (1, 2, 3, 4)],
}


def ok(answer: httpx2.Response) -> dict[str, Any]:
    assert answer.status_code == 200, (answer.status_code, answer.text)
    found: dict[str, Any] = answer.json()
    return found


@pytest.fixture
def kids(login: Login) -> None:
    """A tournament in which the two best of one stage go on."""
    ok(login("admin").post("/tournaments", json={"id": "kids", "head": KIDS}))


@pytest.fixture
def toronto(login: Login) -> None:
    """A tournament with finals of six."""
    ok(login("admin").post("/tournaments", json={"id": "toronto", "head": TPC}))


def say(client: httpx2.Client, *, status: int = 200, **entry: Any) -> dict[str, Any]:  # noqa: ANN401 - an entry
    more = {key: entry.pop(key) for key in ("despite_rules", "despite_open", "based_on") if key in entry}
    answer = client.post(f"{T}/log", json={"entry": entry, **more})
    assert answer.status_code == status, (answer.status_code, answer.text)
    found: dict[str, Any] = answer.json()
    return found


def type_game(client: httpx2.Client, machine: str, status: int = 200, **scores: int) -> dict[str, Any]:
    answer = client.post(f"{T}/games", json={"machine": machine, "scores": scores})
    assert answer.status_code == status, (answer.status_code, answer.text)
    found: dict[str, Any] = answer.json()
    return found


def stage(client: httpx2.Client, name: str = "qualifying") -> dict[str, Any]:
    return ok(client.get(f"{T}/standings/{name}"))


def ranks(client: httpx2.Client, name: str = "qualifying") -> list[tuple[int, str]]:
    return [(row["rank"], row["who"]) for row in stage(client, name)["standings"]]


def score_of(client: httpx2.Client, who: str, name: str = "qualifying") -> int | None:
    return next((row["score"] for row in stage(client, name)["standings"] if row["who"] == who), None)


@pytest.mark.usefixtures("kids")
@pytest.mark.parametrize(("decision", "advance"), [("confirm", ["p2", "p1"]), ("reject", ["p1", "p4"])])
def test_a_reading_that_nobody_confirmed_seeds_nobody(
    login: Login, agent: Agent, decision: str, advance: list[str]
):  # E01
    keeper, official, public = login("scorekeeper"), login("official"), login(None)
    for who, score in (("p1", 500), ("p3", 300), ("p4", 400)):
        type_game(keeper, "m1", **{who: score})
    ok(keeper.post("/machines/m1/assign", json={"players": ["p2"]}))
    agent.plays("m1", 900, 0.5)
    refused = say(official, close="qualifying", status=409)
    [waiting] = refused["newer"]["open"]
    assert (waiting["kind"], waiting["machine"], waiting["who"]) == ("reading", "m1", ["p2"])
    assert stage(public)["status"] == "open"
    closed = say(official, close="qualifying", despite_open=True)
    assert closed["result"]["open"] == [waiting]
    seeded = stage(public)
    assert seeded["advance"] == ["p1", "p4"]
    assert (seeded["provisional"], seeded["official"]) == (True, False)
    assert [row["who"] for row in seeded["standings"]] == ["p1", "p4", "p3"]
    whole = ok(public.get(f"{T}/standings"))
    assert [(one["who"], one["score"]) for one in whole["provisional"]] == [("p2", 900)]
    ok(official.post(f"/readings/{waiting['id']}/{decision}", json={"why": "seen"} if decision == "reject" else {}))
    settled = stage(public)
    assert settled["advance"] == advance
    assert (settled["provisional"], settled["official"]) == (False, True)
    assert ok(public.get(f"{T}/standings"))["provisional"] == []


@pytest.mark.usefixtures("kids")
def test_an_official_may_call_a_stage_official_though_something_is_open_and_it_is_logged(login: Login, agent: Agent):
    official, public = login("official"), login(None)
    ok(login("scorekeeper").post("/machines/m1/assign", json={"players": ["p2"]}))
    agent.plays("m1", 900, 0.5)
    say(official, close="qualifying", despite_open=True)
    assert not stage(public)["official"]
    path = f"{T}/official/qualifying"
    assert login("scorekeeper").post(path, json={"why": "prizes"}).status_code == 403
    assert official.post(path, json={"why": " "}).status_code == 422
    ok(official.post(path, json={"why": "prizes at nine"}))
    settled = stage(public)
    assert (settled["provisional"], settled["official"]) == (True, True)


@pytest.mark.usefixtures("toronto")
@pytest.mark.parametrize(("corrected", "rank"), [(250, 7), (150, 8)])
def test_a_correction_after_the_finals_are_seeded_offers_the_next_in_order(
    login: Login, corrected: int, rank: int
):  # E02
    keeper, official = login("scorekeeper"), login("official")
    for n in range(1, 9):
        type_game(keeper, "m1", **{f"p{n}": 1000 - 100 * n})
    say(official, close="A/qualifying", qualifiers=6)
    semifinal = {"stage": "A/semifinal", "group": "1", "round": 1}
    ok(keeper.post(f"{T}/games", json={"machine": "m2", "scores": {"p1": 5, "p3": 4, "p5": 3}, **semifinal}))
    g3 = "g3"
    told = say(official, correct=g3, scores={"p3": corrected}, why="misread")["told"]
    moved = {(one["who"], one["before"], one["after"]) for one in told["moved"] if one["stage"] == "A/qualifying"}
    assert ("p3", 3, rank) in moved
    assert ("p4", 4, 3) in moved
    assert ("p7", 7, 6) in moved
    [field] = told["fields"]
    assert (field["stage"], field["begun"], field["out"], field["in"]) == ("A/semifinal", True, ["p3"], ["p7"])
    assert any("seeds stand" in flag["why"] for flag in told["flags"])
    assert "p3" in {row["who"] for row in stage(official, "A/semifinal")["standings"]}
    ok(login("desk").post(f"{T}/players/p3/withdraw", json={"why": "went home"}))
    offered = ok(official.get(f"{T}/fields/A/semifinal", params={"without": "p3"}))
    assert offered["next"][0] == {"who": "p7", "rank": 6}
    assert "p3" not in {one["who"] for one in offered["next"]}
    who = ["p7" if one == "p3" else one for one in offered["field"]]
    assert keeper.post(f"{T}/fields/A/semifinal", json={"who": who, "why": "p3 left"}).status_code == 403
    assert official.post(f"{T}/fields/A/semifinal", json={"who": who, "why": ""}).status_code == 422
    decided = ok(official.post(f"{T}/fields/A/semifinal", json={"who": who, "why": "p3 left"}))
    assert {row["who"] for row in stage(official, "A/semifinal")["standings"]} == set(who) | {"p3"} - {"p3"}
    entry = ok(official.get(f"{T}/log", params={"after": decided["result"]["number"] - 1}))["log"][0]
    assert (entry["kind"], entry["who"], entry["why"]) == ("decision", "official", "p3 left")


@pytest.mark.usefixtures("toronto")
def test_until_a_game_of_the_stage_counts_its_field_follows_the_standings_and_that_is_told(login: Login):
    keeper, official = login("scorekeeper"), login("official")
    for n in range(1, 9):
        type_game(keeper, "m1", **{f"p{n}": 1000 - 100 * n})
    say(official, close="A/qualifying", qualifiers=6)
    told = say(official, correct="g3", scores={"p3": 150}, why="misread")["told"]
    [advance] = [one for one in told["advance"] if one["stage"] == "A/qualifying"]
    assert (advance["before"][2], advance["after"][5]) == ("p3", "p7")
    assert "p3" not in {row["who"] for row in stage(official, "A/semifinal")["standings"]}


@pytest.mark.usefixtures("kids")
def test_every_step_of_a_wrong_entry_keeps_who_when_old_new_and_why(login: Login):  # E04
    keeper, official, public = login("scorekeeper"), login("official"), login(None)
    type_game(keeper, "m2", p7=100_000)
    before = ok(login("desk").get(f"{T}/entries"))["players"]
    game = type_game(keeper, "m2", p7=640_000)["result"]["game"]
    seen = ok(public.get(f"{T}/standings"))["version"]
    say(official, correct=game, scores={"p7": 650_000}, why="misread")
    assert (
        say(official, correct=game, scores={"p7": 1}, why="mine", based_on=seen, status=409)["newer"]["by"]
        == "official"
    )
    assert score_of(public, "p7") == 650_000
    move = ok(official.post(f"{T}/games/{game}/move", json={"who": "p7", "to": "p8", "why": "it was his"}))
    assert (score_of(public, "p7"), score_of(public, "p8")) == (100_000, 650_000)
    number = move["result"]["number"]
    ok(official.post(f"{T}/log/{number}/undo", json={"why": "was it?"}))
    assert (score_of(public, "p7"), score_of(public, "p8")) == (650_000, None)
    ok(official.post(f"{T}/log/{number}/restore", json={"why": "it was"}))
    assert (score_of(public, "p7"), score_of(public, "p8")) == (100_000, 650_000)
    void = say(official, void=game, why="ball stuck")["result"]["number"]
    assert score_of(public, "p8") is None
    ok(official.post(f"{T}/log/{void}/undo", json={"why": "it was not"}))
    assert (score_of(public, "p7"), score_of(public, "p8")) == (100_000, 650_000)
    left = {one["id"]: one["entries_left"] for one in ok(login("desk").get(f"{T}/entries"))["players"]}
    assert left["p7"] == next(one["entries_left"] for one in before if one["id"] == "p7")
    history = ok(official.get(f"{T}/games/{game}"))["history"]
    assert [(step["what"], step["old"], step["new"]) for step in history] == [
        ("recorded", None, {"p7": 640_000}),
        ("corrected", {"p7": 640_000}, {"p7": 650_000}),
        ("moved", {"p7": 650_000}, {"p8": 650_000}),
        ("undone", {"p8": 650_000}, {"p7": 650_000}),
        ("restored", {"p7": 650_000}, {"p8": 650_000}),
        ("voided", {"p8": 650_000}, {"p8": None}),
        ("undone", {"p8": None}, {"p8": 650_000}),
    ]
    assert all(step["who"] and step["at"] for step in history)
    assert [step["why"] for step in history[1:]] == [
        "misread", "it was his", "was it?", "it was", "ball stuck", "it was not",
    ]  # fmt: skip
    [shown] = [one for one in ok(public.get(f"{T}/games"))["games"] if one["game"] == game]
    assert shown["scores"] == [{"who": "p8", "score": 650_000, "recorded": 650_000, "state": "played"}]


@pytest.mark.usefixtures("kids")
def test_what_speaks_of_a_player_in_a_game_moves_with_it_and_comes_back_with_an_undo(login: Login):
    keeper, official, public = login("scorekeeper"), login("official"), login(None)
    game = type_game(keeper, "m1", p1=1000)["result"]["game"]
    more = type_game(keeper, "m1", p1=50)["result"]["game"]
    say(official, ruling=game, who="p1", kind="add-ball", games=[more], why="ball lost")
    say(official, penalty="p1", **{"for": "late", "game": game, "why": "late"})
    assert score_of(public, "p1") == 1050
    refused = official.post(f"{T}/games/{more}/move", json={"who": "p1", "to": "p2", "why": "his"})
    assert refused.status_code == 200
    move = ok(official.post(f"{T}/games/{game}/move", json={"who": "p1", "to": "p2", "why": "his"}))["result"]
    assert len(move["along"]) == 2
    assert (score_of(public, "p1"), score_of(public, "p2")) == (None, 1050)
    follower = move["number"] + 1
    answer = official.post(f"{T}/log/{follower}/undo", json={"why": "x"})
    assert (answer.status_code, f"entry {move['number']}" in answer.json()["error"]) == (422, True)
    ok(official.post(f"{T}/log/{move['number']}/undo", json={"why": "not his"}))
    assert (score_of(public, "p1"), score_of(public, "p2")) == (1000, None)


@pytest.mark.usefixtures("kids")
def test_who_leaves_keeps_his_results_and_his_machine_is_free_at_once(login: Login, agent: Agent):  # E06
    keeper, desk, official, public = login("scorekeeper"), login("desk"), login("official"), login(None)
    type_game(keeper, "m1", p4=400)
    type_game(keeper, "m1", p1=300)
    ok(desk.post("/machines/m2/queue", json={"player": "p4"}))
    ok(keeper.post("/machines/m1/assign", json={"players": ["p4"]}))
    game = agent.starts("m1")
    assert ok(public.get("/machines/m1"))["status"] == "playing"
    gone = ok(desk.post(f"{T}/players/p4/withdraw", json={"why": "ill"}))["result"]
    assert gone["game"] == game
    assert ok(public.get("/machines/m1"))["status"] == "idle"
    assert ok(public.get("/machines/m2"))["queue"] == []
    held = ok(official.get(f"/games/{game}"))
    assert (held["status"], "p4 withdrew" in held["why"][0]) == ("waiting", True)
    assert ranks(public) == [(1, "p4"), (2, "p1")]
    assert ok(public.get(f"{T}/players"))["withdrawn"][0]["player"] == "p4"
    for path, body in (("/machines/m2/assign", {"players": ["p4"]}), ("/machines/m2/queue", {"player": "p4"})):
        answer = keeper.post(path, json=body)
        assert (answer.status_code, "withdrawn" in answer.json()["error"]) == (422, True)
    assert desk.post(f"{T}/players/p4/withdraw", json={"why": "ill"}).status_code == 409

    ok(desk.post(f"{T}/players", json={"players": [{"id": "p10", "name": "Late"}]}))
    assert "p10" not in {who for _, who in ranks(public)}
    assert ok(public.get(f"{T}/players/p10"))["result"] == "no score"
    ok(keeper.post("/machines/m1/assign", json={"players": ["p10"]}))
    late = agent.starts("m1")
    agent.ends("m1", game, 77_000)
    agent.ends("m1", late, 350)
    assert ranks(public) == [(1, "p4"), (2, "p10"), (3, "p1")]
    held = ok(official.get(f"/games/{game}"))
    assert (held["status"], held["scores"][0]["score"]) == ("waiting", 77_000)
    ok(official.post(f"/games/{game}/discard", json={"why": "he left"}))

    ok(desk.post(f"{T}/players/p4/return", json={"why": "better"}))
    assert ok(public.get(f"{T}/players"))["withdrawn"] == []
    ok(keeper.post("/machines/m1/assign", json={"players": ["p4"]}))


@pytest.mark.usefixtures("kids")
def test_in_a_game_of_several_the_others_play_on_and_an_official_looks(login: Login, agent: Agent):
    keeper, public, official = login("scorekeeper"), login(None), login("official")
    ok(keeper.post("/machines/m1/assign", json={"players": ["p1", "p2"]}))
    game = "7d4f1a52-0000-4000-8000-000000000001"
    agent.says(("game.started", "m1", {"game": game, "players": 2}))
    ok(keeper.post(f"{T}/players/p2/withdraw", json={"why": "ill"}))
    assert ok(public.get("/machines/m1"))["status"] == "playing"
    said = [{"player": n, "score": 100 * n, "confidence": 1.0} for n in (1, 2)]
    agent.says(("game.ended", "m1", {"game": game, "how": "normal", "scores": said, "source": "wire"}))
    assert ranks(public) == []
    waiting = ok(official.get("/readings", params={"status": "waiting"}))["readings"]
    assert all("p2 withdrew" in " ".join(one["why"]) for one in waiting)
    for one in waiting:
        ok(official.post(f"/readings/{one['id']}/confirm", json={}))
    assert ranks(public) == [(1, "p2"), (2, "p1")]


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


def test_a_restart_knows_who_left_and_what_was_moved(running: Running, login: Login):
    from server.history import fold_ledger  # noqa: PLC0415 - the state as another start would have it

    ok(login("admin").post("/tournaments", json={"id": "kids", "head": KIDS}))
    game = type_game(login("scorekeeper"), "m1", p1=5)["result"]["game"]
    say(login("official"), correct=game, scores={"p1": 6}, why="misread")
    ok(login("official").post(f"{T}/games/{game}/move", json={"who": "p1", "to": "p2", "why": "his"}))
    ok(login("desk").post(f"{T}/players/p4/withdraw", json={"why": "ill"}))
    again = fold_ledger(running.store)
    with running.desk.reading() as state:
        assert again.withdrawn == dict(state.withdrawn)
        assert again.naming == dict(state.naming)
        assert again.spans == dict(state.spans)
        assert again.entries == dict(state.entries)
