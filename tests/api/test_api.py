"""The API driven as a client drives it: a small tournament, refusals, roles, idempotency, conflicts."""

import concurrent.futures
from collections.abc import Callable

import httpx2

from .conftest import HEAD, Agent, Running

Login = Callable[[str | None], httpx2.Client]
T = "/tournaments/current"


def ok(answer: httpx2.Response) -> dict:
    assert answer.status_code in {200, 201}, (answer.status_code, answer.text)
    return answer.json()


def standings(client: httpx2.Client) -> dict[str, int]:
    stage = ok(client.get(f"{T}/standings/qualifying"))
    return {row["who"]: row["score"] for row in stage["standings"]}


def test_a_small_tournament_from_selling_to_standings(login: Login, agent: Agent):
    desk, keeper, official, public = login("desk"), login("scorekeeper"), login("official"), login(None)
    ok(desk.post(f"{T}/entries", json={"player": "p1", "entries": 6}))
    ok(desk.post("/machines/m1/queue", json={"player": "p1"}))
    ok(keeper.post("/machines/m1/queue/call", json={"player": "p1"}))
    assert [c["player"] for c in ok(public.get(f"{T}/calls"))["calls"]] == ["p1"]
    ok(keeper.post("/machines/m1/assign", json={"players": ["p1"]}))
    assert ok(public.get("/machines/m1"))["status"] == "assigned"
    game = agent.starts("m1")
    assert ok(public.get("/machines/m1"))["status"] == "playing"
    agent.ends("m1", game, 48_213_340)
    assert standings(public) == {"p1": 48_213_340}
    [money] = [p for p in ok(desk.get(f"{T}/entries"))["players"] if p["id"] == "p1"]
    assert (money["fees"], money["entries_left"]) == (6, 5)

    ok(keeper.post("/machines/m1/assign", json={"players": ["p2"]}))
    agent.plays("m1", 900, 0.6, text="900")
    [provisional] = ok(public.get(f"{T}/standings"))["provisional"]
    assert (provisional["who"], provisional["score"]) == ("p2", 900)
    assert "p2" not in standings(public)
    [reading] = ok(official.get("/readings", params={"status": "waiting"}))["readings"]
    done = ok(official.post(f"/readings/{reading['id']}/correct", json={"score": 90_000, "why": "glare"}))
    assert done["result"]["left"] == 0
    assert standings(public) == {"p1": 48_213_340, "p2": 90_000}

    ok(keeper.post(f"{T}/games", json={"machine": "m1", "scores": {"p3": 7}}))
    ok(official.post(f"{T}/log", json={"entry": {"close": "qualifying"}}))
    assert ok(public.get(f"{T}/standings/qualifying"))["status"] == "closed"


def test_explain_names_the_events_behind_a_game(login: Login, agent: Agent):
    ok(login("scorekeeper").post("/machines/m1/assign", json={"players": ["p1"]}))
    game = agent.plays("m1", 5)
    full = ok(login("viewer").get(f"/games/{game}"))
    kinds = [event["kind"] for event in full["explain"]]
    assert kinds == ["fact.game.started", "fact.game.ended", "game.matched", "tournament.entry"]
    assert full["status"] == "posted"


def test_scores_are_exact(login: Login):
    client = login("scorekeeper")
    scores = {"p1": 0, "p2": 2**31, "p3": 2**32, "p4": 12_345_678_910, "p5": 2**53 + 1, "p6": 10**18}
    for who, score in scores.items():
        ok(client.post(f"{T}/games", json={"machine": "m1", "scores": {who: score}}))
    text = client.get(f"{T}/standings/qualifying").text
    assert all(f'"score":{score},' in text for score in scores.values())
    assert standings(client) == scores


NO_SCORES = ["-1", '"5"', "5.0", "1e3", "true", "null", "NaN", "1e400", "10000000000000000001", "9" * 5000]


def test_what_is_no_score_is_refused(login: Login):
    client = login("scorekeeper")
    for score in NO_SCORES:
        body = f'{{"machine": "m1", "scores": {{"p1": {score}}}}}'
        answer = client.post(f"{T}/games", content=body, headers={"content-type": "application/json"})
        assert answer.status_code in {400, 422}, (score, answer.text)
        assert set(answer.json()) == {"error"}
    assert standings(client) == {}


NOWHERE = [
    ("GET", "/machines?colour=red", 422),
    ("GET", "/readings?status=lost", 422),
    ("GET", "/games?limit=0", 422),
    ("GET", "/games?limit=x", 422),
    ("GET", "/games/nothing", 404),
    ("GET", "/tournaments/other/standings", 404),
    ("GET", f"{T}/standings/A/semifinal", 404),
    ("GET", "/evidence/../../etc/passwd", 404),
    ("GET", "/evidence/xyz", 422),
    ("GET", "/nowhere", 404),
    ("DELETE", "/machines", 405),
    ("POST", "/readings/r99/confirm", 404),
    ("POST", "/machines/m9/unassign", 404),
    ("POST", "/malfunctions/f9/acknowledge", 404),
]


def test_what_is_not_there_gets_one_line_of_error(login: Login):
    client = login("admin")
    for method, path, status in NOWHERE:
        answer = client.request(method, path, json={} if method == "POST" else None)
        assert answer.status_code == status, (method, path, answer.text)
        assert list(answer.json()) == ["error"]
        assert "Traceback" not in answer.text


READS = [
    "/machines",
    "/tournaments",
    f"{T}",
    f"{T}/players",
    f"{T}/queues",
    f"{T}/calls",
    f"{T}/standings",
    f"{T}/matches",
]
LOGGED_IN = ["/games", "/readings", "/malfunctions", f"{T}/log", f"{T}/entries", "/me"]
STAFF_ONLY = ["/agents", "/export"]


def test_reads_by_role(login: Login):
    stranger, viewer, keeper = login(None), login("viewer"), login("scorekeeper")
    for path in READS:
        assert stranger.get(path).status_code == 200, path
    for path in [*LOGGED_IN, *STAFF_ONLY]:
        assert stranger.get(path).status_code == 401, path
    for path in LOGGED_IN:
        assert viewer.get(path).status_code == 200, path
    for path in STAFF_ONLY:
        assert viewer.get(path).status_code == 403, path
        assert keeper.get(path).status_code == 200, path


WRITES = [
    ("/machines/m1/assign", {"players": ["p1"]}, {"admin", "official", "scorekeeper", "desk"}),
    ("/machines/m1/unassign", {}, {"admin", "official", "scorekeeper", "desk"}),
    ("/machines/m1/freeze", {}, {"admin", "official", "scorekeeper", "desk"}),
    ("/machines/m1/queue", {"player": "p2"}, {"admin", "official", "scorekeeper", "desk"}),
    ("/machines/m1/start", {}, {"admin", "official", "scorekeeper"}),
    ("/machines/m1/ball", {"player": 1, "ball": 1, "scores": [1]}, {"admin", "official", "scorekeeper"}),
    ("/machines/m1/end", {"scores": [1]}, {"admin", "official", "scorekeeper"}),
    ("/machines/m1/report", {"fault": "ball-search"}, {"admin", "official", "scorekeeper", "desk"}),
    ("/machines/m1/power-cycle", {"minutes": 1}, {"admin", "official", "desk"}),
    ("/power-cycles", {"minutes": 0}, {"admin", "official", "desk"}),
    ("/games/x/retype", {"scores": [1]}, {"admin", "official", "scorekeeper"}),
    ("/tournaments", {"id": "x", "head": HEAD}, {"admin"}),
    (f"{T}/players", {"players": [{"id": "p9"}]}, {"admin", "official", "desk"}),
    (f"{T}/machines", {"machines": [{"id": "m9"}]}, {"admin"}),
    (f"{T}/entries", {"player": "p1"}, {"admin", "official", "desk"}),
    (f"{T}/games", {"machine": "m1", "scores": {"p1": 1}}, {"admin", "official", "scorekeeper"}),
    (f"{T}/log", {"entry": {"close": "qualifying"}}, {"admin", "official"}),
    (f"{T}/log/1/undo", {"why": "x"}, {"admin", "official"}),
    (f"{T}/log/1/restore", {"why": "x"}, {"admin", "official"}),
    (f"{T}/games/g1/move", {"who": "p1", "to": "p2", "why": "x"}, {"admin", "official"}),
    ("/readings/r1/confirm", {}, {"admin", "official"}),
    ("/readings/r1/correct", {"score": 1}, {"admin", "official"}),
    ("/readings/r1/reject", {"why": "x"}, {"admin", "official"}),
    ("/games/x/discard", {"why": "x"}, {"admin", "official"}),
    ("/games/x/match", {"players": ["p1"]}, {"admin", "official"}),
    ("/malfunctions/f1/acknowledge", {}, {"admin", "official", "scorekeeper", "desk"}),
    ("/malfunctions/f1/close", {"why": "x"}, {"admin", "official", "desk"}),
]


def test_writes_by_role(login: Login, running: Running):
    """Forbidden is told apart from not logged in, and the state is untouched by either."""
    clients = {role: login(role) for role in ("captain", "viewer", "desk", "scorekeeper", "official", "admin")}
    stranger = login(None)
    for path, body, allowed in WRITES:
        before = running.desk.hub.position
        assert stranger.post(path, json=body).status_code == 401, path
        for role, client in clients.items():
            if role not in allowed:
                assert client.post(path, json=body).status_code == 403, (path, role)
        assert running.desk.hub.position == before, path
        for role in allowed:
            assert clients[role].post(path, json=body).status_code not in {401, 403}, (path, role)


def test_a_double_click_makes_one_record(login: Login):
    client = login("scorekeeper")
    game = {"machine": "m1", "scores": {"p1": 7}}

    def send(key: str) -> dict:
        return ok(client.post(f"{T}/games", json=game, headers={"Idempotency-Key": key}))

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(send, ["one form"] * 8))
    assert len({a["result"]["number"] for a in answers}) == 1
    assert [a["again"] for a in answers].count(False) == 1
    assert send("another form")["result"]["number"] == answers[0]["result"]["number"] + 1


def test_two_officials_meet_at_a_reading(login: Login, agent: Agent):
    ok(login("scorekeeper").post("/machines/m1/assign", json={"players": ["p1"]}))
    agent.plays("m1", None, 0.3, text="7?", candidates=[70, 71])
    first, second = login("official"), login("admin")
    ok(first.post("/readings/r1/correct", json={"score": 71, "based_on": 1}))
    late = second.post("/readings/r1/correct", json={"score": 70, "based_on": 1})
    assert late.status_code == 409
    assert (late.json()["newer"]["by"], late.json()["newer"]["score"]) == ("official", 71)
    assert standings(first) == {"p1": 71}


def test_unconfirmed_scores_seed_nobody_until_confirmed(login: Login, agent: Agent):
    """Report E01."""
    keeper, official = login("scorekeeper"), login("official")
    for player, score, confidence in (("p1", 500, 1.0), ("p3", 300, 1.0), ("p4", 400, 1.0), ("p2", 900, 0.7)):
        ok(keeper.post("/machines/m1/assign", json={"players": [player]}))
        agent.plays("m1", score, confidence)
    assert list(standings(official)) == ["p1", "p4", "p3"]
    ok(official.post("/readings/r1/confirm", json={}))
    assert list(standings(official)) == ["p2", "p1", "p4", "p3"]


def test_a_ruling_needs_a_posted_game_and_is_kept_with_the_malfunction(login: Login, agent: Agent):
    keeper, official = login("scorekeeper"), login("official")
    ok(keeper.post("/machines/m1/assign", json={"players": ["p1"]}))
    game = agent.starts("m1")
    agent.says(("fault.raised", "m1", {"fault": "ball-search", "game": game, "player": 1, "ball": 2}))
    ruling = {"kind": "zero", "who": "p1", "why": "tilted it on purpose"}
    assert official.post("/malfunctions/f1/rulings", json=ruling).status_code == 422
    agent.ends("m1", game, 700)
    assert standings(official) == {"p1": 700}
    ok(official.post("/malfunctions/f1/rulings", json=ruling))
    assert standings(official) == {"p1": 0}
    assert keeper.post("/malfunctions/f1/rulings", json=ruling).status_code == 403
    [shown] = ok(keeper.get("/malfunctions/f1/rulings"))["rulings"]
    assert (shown["who"], shown["why"]) == ("official", "tilted it on purpose")


def test_undo_and_restore_over_http(login: Login):
    official = login("official")
    number = ok(official.post(f"{T}/games", json={"machine": "m1", "scores": {"p1": 7}}))["result"]["number"]
    ok(official.post(f"{T}/log/{number}/undo", json={"why": "typed twice"}))
    assert standings(official) == {}
    [entry] = ok(official.get(f"{T}/log"))["log"]
    assert (entry["undone"], entry["changed_by"], entry["changed_why"]) == (True, "official", "typed twice")
    ok(official.post(f"{T}/log/{number}/restore", json={"why": "it was two games"}))
    assert standings(official) == {"p1": 7}


def test_a_body_that_is_too_large_is_refused(login: Login):
    client = login("admin")
    answer = client.post(f"{T}/log", content=b" " * (2 * 2**20), headers={"content-type": "application/json"})
    assert answer.status_code == 413
    assert "error" in answer.json()


BAD_BODIES = [b"", b"{", b"null", b"[]", b"\xff\xfe", b"[" * 100_000, b'{"entry": {}}', b'{"entry": {"close": 1e400}}']


def test_a_body_that_is_no_body_is_refused(login: Login):
    client = login("admin")
    for body in BAD_BODIES:
        answer = client.post(f"{T}/log", content=body, headers={"content-type": "application/json"})
        assert answer.status_code in {400, 422}, (body[:40], answer.text)
        assert list(answer.json()) == ["error"]


def test_names_are_kept_as_they_are(login: Login):
    name = "<svg/onload=alert(1)> {{7*7}} \u202e Łukasz \U0001f600"
    ok(login("desk").post(f"{T}/players", json={"players": [{"id": "p9", "name": name}]}))
    assert ok(login(None).get(f"{T}/players"))["players"][-1]["name"] == name


def test_a_lone_surrogate_breaks_nothing(login: Login):
    body = b'{"players": [{"id": "p9", "name": "\\ud800"}]}'
    answer = login("desk").post(f"{T}/players", content=body, headers={"content-type": "application/json"})
    assert answer.status_code < 500
    assert login(None).get(f"{T}/players").status_code == 200
