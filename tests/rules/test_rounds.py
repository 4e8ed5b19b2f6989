"""Laws of match play and knockout, on tournaments that are played as drawn and on such that are not."""

from collections import Counter
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from server.core.rules import TournamentInvalid, evaluate, parse
from server.core.rules.rounds_draw import draw

Json = dict[str, Any]

FORMS: dict[str, Json] = {
    "fours": {"preset": "match-play", "rules": {"rounds": 4}},
    "by size": {
        "preset": "match-play",
        "rules": {"rounds": 3, "group_points": {4: [7, 5, 3, 1], 3: [7, 4, 1], 2: [7, 1]}, "pairing": "balanced"},
    },
    "duels": {"preset": "match-play", "rules": {"rounds": 4, "group_size": 2, "group_points": [1, 0]}},
    "two games": {"preset": "match-play", "rules": {"rounds": 2, "games_per_round": 2, "pairing": "random"}},
    "split": {
        "preset": "match-play",
        "rules": {"rounds": 3, "game_ties": "split", "group_points": [48, 24, 12, 0], "bye_points": 48},
    },
    "three strikes": {"preset": "knockout", "rules": {"game_ties": "high"}},
    "progressive": {
        "preset": "knockout",
        "rules": {
            "group_size": 4,
            "strikes": 6,
            "game_ties": "high",
            "group_strikes": {4: [0, 1, 2, 3], 3: [0, 1, 2], 2: [0, 1]},
        },
    },
}
CASES = [(name, seed) for name in FORMS for seed in range(4)]


def head_of(name: str, players: int) -> Json:
    return {
        "inlane": 1,
        **FORMS[name],
        "players": [{"id": f"p{number}"} for number in range(players)],
        "machines": [{"id": f"m{number}"} for number in range(5)],
    }


def state_of(head: Json, log: list[Json]) -> Json:
    return evaluate(parse(deepcopy({**head, "log": log})))  # type: ignore[return-value]


def play(name: str, seed: int, *, levels: int = 1000) -> tuple[Json, list[Json], Json]:
    """Play a tournament as it is drawn to its end; some withdraw, some come late."""
    random = Random(f"{name}{seed}")  # noqa: S311 - chance in a test
    count = random.randint(3, 11)
    head = head_of(name, count + 2)
    log: list[Json] = [{"register": f"p{number}"} for number in range(count)]
    late = count
    for _ in range(60):
        stage = state_of(head, log)["stages"][0]
        open_games = [game for game in stage["schedule"] if game["game"] is None and len(game["who"]) > 1]
        if stage["status"] == "closed" or not open_games:
            break
        for game in open_games:
            for _ in range(head["rules"].get("games_per_round", 1)):
                scores = {who: random.randrange(levels) for who in random.sample(game["who"], len(game["who"]))}
                place = {"machine": game["machine"], "round": game["round"], "group": game["group"]}
                log.append({"game": f"g{len(log)}", **place, "scores": scores})
        if random.random() < 0.2:
            log.append({"absent": f"p{random.randrange(count)}"})
        if random.random() < 0.2 and late < count + 2:
            log.append({"register": f"p{late}"})
            late += 1
    return head, log, state_of(head, log)


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_a_tournament_played_as_drawn_comes_to_its_end(name: str, seed: int):
    _, log, state = play(name, seed)
    stage = state["stages"][0]
    assert stage["status"] == "closed"
    assert [flag for flag in state["flags"] if "as it is" in flag["why"]] == []
    assert {refusal["why"].split(" ", 1)[1] for refusal in state["refused"]} <= {"has withdrawn already"}
    recorded = sum("game" in entry for entry in log)
    assert len({line["game"] for row in stage["standings"] for line in row["machines"]}) == recorded
    if state["preset"] == "knockout":
        assert [row["out"] for row in stage["standings"]].count(None) <= 1


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_nobody_is_drawn_or_plays_twice_in_a_round(name: str, seed: int):
    head, log, _ = play(name, seed)
    for length in range(0, len(log) + 1, 3):
        schedule = state_of(head, log[:length])["stages"][0].get("schedule", [])
        most = head["rules"].get("games_per_round", 1)
        seen = Counter((game["round"], who) for game in schedule for who in game["who"])
        assert all(times <= most for times in seen.values())


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_what_all_have_is_what_the_tables_give(name: str, seed: int):
    """The sum over a game is that of its table's row, ties or not: with `split` and without ties exactly."""
    head, _, state = play(name, seed, levels=10 if name == "split" else 10**12)
    stage = state["stages"][0]
    rules = head["rules"]
    tables = rules.get("group_strikes") or rules.get("group_points", [4, 2, 1, 0])
    if state["preset"] == "knockout" and "group_strikes" not in rules:
        tables = {2: [0, 1], 3: [0, 1, 1], 4: [0, 0, 1, 1]}
    games: dict[str, list[int]] = {}
    for row in stage["standings"]:
        byes = sum(bye["points"] for bye in row.get("byes", []))
        assert row["points"] == byes + sum(line["points"] for line in row["machines"])
        for line in row["machines"]:
            games.setdefault(line["game"], []).append(line["points"])
    for points in games.values():
        table = tables[len(points)] if isinstance(tables, dict) else tables[: len(points)]
        assert sum(points) == sum(table)


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_a_correction_takes_no_game_away_from_anybody(name: str, seed: int):
    head, log, before = play(name, seed)
    random = Random(seed)  # noqa: S311 - chance in a test
    games = [entry for entry in log if "game" in entry]
    chosen = random.choice(games)
    who = random.choice(list(chosen["scores"]))
    changed = random.choice(
        [
            {"correct": chosen["game"], "scores": {who: random.randrange(2000)}},
            {"void": chosen["game"]},
            {"ruling": chosen["game"], "kind": "zero", "who": who},
            {"penalty": who, "for": "disqualified", "game": chosen["game"]},
        ]
    )
    after = state_of(head, [*log, changed])

    def played(state: Json) -> dict[tuple[str, str], tuple[int, int]]:
        return {
            (row["who"], line["game"]): (line["score"], line["points"])
            for row in state["stages"][0]["standings"]
            for line in row["machines"]
            if line["game"] != chosen["game"]
        }

    assert played(after) == played(before)


@pytest.mark.parametrize(("name", "seed"), CASES[::2])
def test_an_entry_undone_leaves_no_trace(name: str, seed: int):
    """Voided and undone again (the entry taken out of the log) everything is as it was."""
    head, log, state = play(name, seed)
    assert state_of(head, log) == state
    middle = len(log) // 2
    one = state_of(head, log[:middle])
    state_of(head, [*log[:middle], {"absent": "p0"}, {"decision": "round", "stage": "nowhere", "round": 3}])
    assert state_of(head, log[:middle]) == one


@pytest.mark.parametrize(("name", "seed"), CASES[::3])
def test_places_do_not_hang_on_who_is_called_what(name: str, seed: int):
    """Games alone, without registration: renamed players stand as they stood."""
    head, log, _ = play(name, seed)
    games = [entry for entry in log if "game" in entry]
    names = [player["id"] for player in head["players"]]
    others = Random(seed).sample([f"q{number}" for number in range(50)], len(names))  # noqa: S311 - chance in a test
    other = dict(zip(names, others, strict=True))

    def table(state: Json, back: dict[str, str]) -> list[tuple[int, str, int]]:
        rows = state["stages"][0]["standings"]
        return sorted((row["rank"], back.get(row["who"], row["who"]), row["points"]) for row in rows)

    renamed_head = {**head, "players": [{"id": other[who]} for who in names]}
    renamed = [{**game, "scores": {other[who]: score for who, score in game["scores"].items()}} for game in games]
    back = {new: old for old, new in other.items()}
    assert table(state_of(head, games), {}) == table(state_of(renamed_head, renamed), back)


UNREADABLE: dict[str, tuple[str, Json, str]] = {
    "a size without a row": ("match-play", {"group_points": {4: [7, 5, 3, 1]}}, "no row for games of 2 or 3 players"),
    "half a point": ("match-play", {"group_points": [3, "1.5", 0]}, "write all points twice as large"),
    "a size that is none": ("match-play", {"group_points": {"a": [1]}}, "no number of players"),
    "no sizes": ("match-play", {"group_points": {}}, "names no size of group"),
    "a size twice": ("match-play", {"group_points": {4: [1], "4": [2]}}, "is there twice"),
    "shares that are not whole": ("match-play", {"game_ties": "split"}, "12 times as large"),
    "a strike for the winner": ("knockout", {"group_strikes": [1, 0]}, "the first place has no strike"),
    "groups without strikes": ("knockout", {"group_size": 5}, "no row for games of 5 players"),
    "a bye that is no number": ("match-play", {"bye_points": "lots"}, "must be win or a whole number"),
    "a draw that nobody knows": ("match-play", {"pairing": "fair"}, "one of swiss, random, balanced"),
    "too large a group": ("match-play", {"group_size": 9}, "from 2 to 8"),
    "nobody goes on where the preset has finals": ("uk-open", {"qualifiers": 0}, "must be at least 1"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_setting_that_cannot_be_is_refused_with_what_to_do(name: str):
    preset, rules, why = UNREADABLE[name]
    with pytest.raises(TournamentInvalid, match=why):
        parse({"inlane": 1, "preset": preset, "rules": rules})


def test_more_players_than_can_be_drawn_are_told():
    players = [{"id": f"p{number}"} for number in range(1001)]
    state = evaluate(parse({"inlane": 1, "preset": "match-play", "players": players, "machines": [{"id": "m1"}]}))
    assert "1001 players are too many" in str(state["flags"])


def test_no_round_is_drawn_again_to_take_games_that_were_played():
    head, log = head_of("fours", 8), list[Json]()
    for _ in range(4):
        for group in state_of(head, log)["stages"][0]["groups"]:
            scores = {who: 10 + place for place, who in enumerate(group["who"])}
            log.append({"game": f"g{len(log)}", "machine": "m1", "scores": scores})
    draw.cache_clear()
    state = state_of(head, log)
    assert (state["refused"], state["stages"][0]["groups"][0]["standings"] != []) == ([], True)
    assert draw.cache_info().misses == 1


def test_the_order_of_the_file_decides_no_draw():
    for name in FORMS:
        head = head_of(name, 9)
        other = {**head, "players": head["players"][::-1]}
        assert state_of(other, [])["stages"] == state_of(head, [])["stages"]
