"""What went wrong in other people's programs, over HTTP: seeds, corrections, people who leave."""

from collections.abc import Callable

import httpx2
import pytest

from server.history import fold_ledger

from .conftest import Agent, Running
from .words import KIDS, T, ok, ranks, say, score_of, stage, type_game

Login = Callable[[str | None], httpx2.Client]


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
    refused = say(official, close="qualifying", http=409)
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
    body = {"why": "seen"} if decision == "reject" else {}
    done = ok(official.post(f"/readings/{waiting['id']}/{decision}", json=body))
    assert [one["after"] for one in done.get("told", {}).get("advance", [])] == ([advance] * (decision == "confirm"))
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
    told = say(official, correct="g3", scores={"p3": corrected}, why="misread")["told"]
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
    assert {row["who"] for row in stage(official, "A/semifinal")["standings"]} == set(who)
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
        say(official, correct=game, scores={"p7": 1}, why="mine", based_on=seen, http=409)["newer"]["by"] == "official"
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


def test_a_restart_knows_who_left_and_what_was_moved(running: Running, login: Login):
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


@pytest.mark.usefixtures("toronto")
def test_who_would_go_on_though_he_has_withdrawn_is_told_when_the_stage_closes(login: Login):
    keeper, official = login("scorekeeper"), login("official")
    for n in range(1, 9):
        type_game(keeper, "m1", **{f"p{n}": 1000 - 100 * n})
    ok(keeper.post(f"{T}/players/p2/withdraw", json={"why": "ill"}))
    told = say(official, close="A/qualifying", qualifiers=6)["told"]
    assert told["withdrawn"] == [{"stage": "A/qualifying", "who": "p2"}]
    say(official, absent="p2", stage="A/semifinal", why="ill")
    assert stage(official, "A/qualifying")["advance"] == ["p1", "p3", "p4", "p5", "p6", "p7"]


@pytest.mark.usefixtures("kids")
def test_a_late_game_that_is_typed_tells_what_it_did_to_the_closed_stage(login: Login):
    keeper, official = login("scorekeeper"), login("official")
    for who, score in (("p1", 500), ("p2", 400), ("p3", 300)):
        type_game(keeper, "m1", **{who: score})
    say(official, close="qualifying")
    late = {"machine": "m1", "scores": {"p4": 900}, "started_at": "2026-01-02T16:58"}
    told = ok(keeper.post(f"{T}/games", json=late))["told"]
    assert {(one["who"], one["before"], one["after"]) for one in told["moved"]} >= {("p1", 1, 2), ("p2", 2, 3)}
