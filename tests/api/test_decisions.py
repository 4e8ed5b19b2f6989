"""Decisions and rulings found by their words; officials who play themselves are warned and recorded as recused."""

from collections.abc import Callable

import httpx2
import pytest

from .words import T, ok, say, type_game

Login = Callable[[str | None], httpx2.Client]


def official_of(login: Login, user: str, player: str | None, role: str = "official", http: int = 200) -> None:
    answer = login(role).put(f"{T}/officials/{user}", json={"player": player})
    assert answer.status_code == http, answer.text


def found(client: httpx2.Client, words: str = "") -> list[int]:
    answer = ok(client.get(f"{T}/decisions", params={"words": words}))
    return [one["number"] for one in answer["decisions"]]


@pytest.mark.usefixtures("kids")
def test_decisions_are_found_by_words_of_their_why_and_their_people_and_undone_ones_too(login: Login):
    official, keeper = login("official"), login("scorekeeper")
    type_game(keeper, "m1", p1=500)
    first = say(official, decision="warning", who=["p2"], why="Shook the machine twice")["result"]["number"]
    second = say(official, penalty="p1", **{"for": "rough-play"}, why="tilted on purpose")["result"]["number"]
    assert found(official) == [second, first]
    assert found(official, "MACHINE shook") == [first]
    assert found(official, "player 1") == [second]
    assert found(official, "nothing of it") == []
    ok(official.post(f"{T}/log/{second}/undo", json={"why": "mistaken"}))
    assert found(official, "tilted") == [second]
    assert login("viewer").get(f"{T}/decisions").status_code == 403


@pytest.mark.usefixtures("kids")
def test_an_official_who_plays_is_warned_and_what_he_rules_all_the_same_says_so(login: Login):
    official, other = login("official"), login("admin")
    game = type_game(login("scorekeeper"), "m1", p2=500)["result"]["game"]
    official_of(login, "official", "p1")
    warned = say(official, http=422, void=game, why="a ball was freed")
    assert "you play there yourself as p1" in warned["error"]
    say(official, decision="call", who=["p2"])
    answer = official.post(
        f"{T}/log", json={"entry": {"void": game, "why": "nobody else is here"}, "despite_recusal": True}
    )
    number = ok(answer)["result"]["number"]
    shown = ok(other.get(f"{T}/decisions"))["decisions"][0]
    assert (shown["number"], shown["recused"]) == (number, "p1")
    say(other, correct=game, scores={"p2": 600}, why="misread", despite_rules=True)
    move = {"who": "p2", "to": "p3", "why": "the next in line"}
    moved = official.post(f"{T}/games/{game}/move", json={**move, "despite_rules": True})
    assert (moved.status_code, "as p1" in moved.json()["error"]) == (422, True)
    ok(official.post(f"{T}/games/{game}/move", json={**move, "despite_rules": True, "despite_recusal": True}))
    assert [one["recused"] for one in ok(other.get(f"{T}/log"))["log"] if one["kind"] == "game"] == [None, "p1"]
    official_of(login, "official", None)
    say(official, penalty="p2", **{"for": "late"}, why="came late")


@pytest.mark.usefixtures("toronto")
def test_he_is_recused_in_his_own_division_only(login: Login):
    admin, official = login("admin"), login("official")
    ok(admin.post(f"{T}/players", json={"players": [{"id": "b1", "name": "Bee", "division": "B"}]}))
    ok(admin.post(f"{T}/machines", json={"machines": [{"id": "mb", "name": "Machine B", "division": "B"}]}))
    official_of(login, "official", "p1", role="admin")
    shown = ok(official.get(f"{T}/officials"))["officials"]
    assert shown == [{"user": "official", "player": "p1", "division": "A"}]
    ok(login("desk").post(f"{T}/players/b1/register", json={"division": "B"}))
    say(official, penalty="b1", **{"for": "rough-play"}, why="shook it")
    say(official, http=422, penalty="p2", **{"for": "rough-play"}, why="shook it")
    say(official, http=422, decision="qualifiers", stage="A/qualifying", qualifiers=6, why="few came")
    ok(login("desk").post(f"{T}/players/p1/register", json={"division": "B"}))
    say(official, http=422, penalty="b1", **{"for": "rough-play"}, why="again")


@pytest.mark.usefixtures("kids")
def test_who_plays_is_said_of_oneself_or_by_officials_and_only_of_players(login: Login):
    official_of(login, "scorekeeper", "p3", role="scorekeeper")
    official_of(login, "official", "p3", role="scorekeeper", http=403)
    official_of(login, "viewer", "p3", role="viewer", http=403)
    official_of(login, "official", "p99", http=404)
    official_of(login, "official", None, http=422)
    assert ok(login("desk").get(f"{T}/officials"))["officials"][0]["user"] == "scorekeeper"


@pytest.mark.usefixtures("kids")
def test_calls_by_name_are_told_with_their_time_until_who_was_called_has_played(login: Login):
    desk, public = login("desk"), login(None)
    say(desk, decision="call", who=["p1", "p2"], stage="qualifying")
    calls = ok(public.get(f"{T}/calls"))["calls"]
    assert [(call["player"], call["stage"], call["machine"]) for call in calls] == [
        ("p1", "qualifying", None),
        ("p2", "qualifying", None),
    ]
    type_game(login("scorekeeper"), "m1", p1=500)
    assert [call["player"] for call in ok(public.get(f"{T}/calls"))["calls"]] == ["p2"]
