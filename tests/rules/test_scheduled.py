"""The schedule of a stage of duels in the output (U4.1 to U4.3, E3.9): drawn, posted, played, or none."""

from collections import Counter
from itertools import combinations, pairwise

from server.core.draws.schedule import duel_schedule
from server.core.rules import evaluate, parse

Entry = dict[str, object]
Row = dict[str, object]


def names(letter: str, count: int) -> list[str]:
    return [f"{letter}{number:02d}" for number in range(1, count + 1)]


def played(preset: str, log: list[Entry], *, players: int, machines: int, rules: object = None) -> dict[str, object]:
    """Give the output after a qualifying in order of the ids, closed, and a log."""
    people = names("p", players)
    qualifying = [
        {"game": f"q-{who}", "machine": "m01", "scores": {who: 100 * (players - rank)}}
        for rank, who in enumerate(people)
    ]
    document = {
        "inlane": 1,
        "preset": preset,
        "rules": rules or {},
        "players": [{"id": who} for who in people],
        "machines": [{"id": name} for name in names("m", machines)],
        "log": [*qualifying, {"close": "qualifying"}, *log],
    }
    return evaluate(parse(document))


def schedule(output: dict[str, object], stage: str) -> list[Row]:
    return next(found for found in output["stages"] if found["id"] == stage).get("schedule", [])  # type: ignore[attr-defined, index]


def flagged(output: dict[str, object]) -> list[str]:
    return [flag["why"] for flag in output["flags"]]  # type: ignore[attr-defined]


def test_round_two_of_the_open_is_drawn_so_that_nobody_meets_an_opponent_or_a_machine_twice():
    rows = schedule(played("uk-open", [], players=30, machines=14), "round2")
    assert Counter(row["round"] for row in rows) == {1: 12, 2: 12, 3: 12, 4: 12}
    assert {row["machine"] for row in rows} == set(names("m", 12))
    assert len({frozenset(row["who"]) for row in rows}) == 48
    assert len({(who, row["machine"]) for row in rows for who in row["who"]}) == 96
    assert Counter(who for row in rows for who in row["who"]) == dict.fromkeys(names("p", 24), 4)
    assert {row["game"] for row in rows} == {None}
    assert all(one < other for one, other in (row["who"] for row in rows))


def test_the_seed_makes_the_schedule_and_games_only_fill_it():
    first = schedule(
        played("uk-open", [], players=8, machines=4, rules={"qualifiers": 8, "round2_rounds": 3}), "round2"
    )
    other = {"qualifiers": 8, "round2_rounds": 3, "schedule_seed": 2}
    assert schedule(played("uk-open", [], players=8, machines=4, rules=other), "round2") != first
    log: list[Entry] = []
    for number, row in enumerate(first):
        scores = dict.fromkeys(row["who"], 10)
        log.append(
            {
                "game": f"g{number}",
                "machine": row["machine"],
                "round": row["round"],
                "scores": scores,
                "stage": "round2",
            }
        )
        log.append({"machine": "m03", "status": "down"} if number % 2 == 0 else {"machine": "m03", "status": "up"})
    after = played("uk-open", log, players=8, machines=4, rules={"qualifiers": 8, "round2_rounds": 3})
    rows = schedule(after, "round2")
    assert [{**row, "game": None} for row in rows] == first
    refused = {entry["entry"] for entry in after["refused"]}
    assert sum(row["game"] is not None for row in rows) == len(first) - len(refused)


def test_a_voided_game_is_to_be_played_again_and_one_off_the_schedule_is_nobodys():
    rules = {"qualifiers": 8, "round2_rounds": 2}
    first = schedule(played("uk-open", [], players=8, machines=4, rules=rules), "round2")
    met = {frozenset(row["who"]) for row in first}
    stranger = next(who for who in names("p", 8)[1:] if frozenset({"p01", who}) not in met)
    log: list[Entry] = [
        {"game": "g", "machine": first[0]["machine"], "scores": dict.fromkeys(first[0]["who"], 7), "stage": "round2"},
        {"game": "off", "machine": "m04", "scores": {"p01": 1, stranger: 2}, "stage": "round2"},
    ]
    output = played("uk-open", log, players=8, machines=4, rules=rules)
    assert [row["game"] for row in schedule(output, "round2")] == ["g", *[None] * 7]
    assert {entry["entry"] for entry in output["refused"]} <= {11}
    log.append({"void": "g"})
    assert {row["game"] for row in schedule(played("uk-open", log, players=8, machines=4, rules=rules), "round2")} == {
        None
    }


def test_a_replaced_machine_is_played_on_its_substitute_and_a_closed_one_on_none():
    rules = {"qualifiers": 8, "round2_rounds": 2}
    first = schedule(played("uk-open", [], players=8, machines=6, rules=rules), "round2")
    lost, shut = first[0]["machine"], first[1]["machine"]
    log: list[Entry] = [
        {"game": "g", "machine": first[2]["machine"], "scores": dict.fromkeys(first[2]["who"], 7), "stage": "round2"},
        {"machine": lost, "status": "replaced", "with": "m06", "scores": "void"},
        {"machine": shut, "status": "closed"},
    ]
    output = played("uk-open", log, players=8, machines=6, rules=rules)
    assert "have no machine any more" in " ".join(flagged(output))
    after = schedule(output, "round2")
    for before, row in zip(first, after, strict=True):
        expected = {lost: "m06", shut: None}.get(str(before["machine"]), before["machine"])
        assert (row["who"], row["machine"]) == (before["who"], expected)


def test_what_officials_post_stands_and_what_has_not_begun_is_drawn_around_it():
    rules = {"qualifiers": 8, "round2_rounds": 3}
    first = schedule(played("uk-open", [], players=8, machines=4, rules=rules), "round2")
    later = [row for row in first if row["round"] == 3]
    posted = [{"players": row["who"], "machine": row["machine"]} for row in later]
    log: list[Entry] = [
        {
            "game": "g",
            "machine": first[0]["machine"],
            "scores": dict.fromkeys(first[0]["who"], 7),
            "stage": "round2",
            "round": 1,
        },
        {"decision": "pairings", "stage": "round2", "round": 2, "games": posted},
    ]
    output = played("uk-open", log, players=8, machines=4, rules=rules)
    rows = schedule(output, "round2")
    assert output["refused"] == []
    assert [row["who"] for row in rows if row["round"] == 1] == [row["who"] for row in first if row["round"] == 1]
    assert [row["who"] for row in rows if row["round"] == 2] == [row["who"] for row in later]
    assert len({frozenset(row["who"]) for row in rows}) == 12
    assert Counter(row["round"] for row in rows) == {1: 4, 2: 4, 3: 4}


def test_officials_name_the_machines_of_a_stage_before_it_begins():
    machines = ["m09", "m03", "m05", "m07"]
    log: list[Entry] = [{"decision": "machines", "stage": "round2", "machines": machines}]
    rules = {"qualifiers": 8, "round2_rounds": 2}
    output = played("uk-open", log, players=8, machines=9, rules=rules)
    assert {row["machine"] for row in schedule(output, "round2")} == set(machines)
    log += [
        {"game": "g", "machine": "m01", "scores": {"p01": 1, "p02": 2}, "stage": "round2"},
        {"decision": "machines", "stage": "round2", "machines": ["m01"]},
        {"decision": "pairings", "stage": "round2", "round": 3, "games": [{"players": ["p01", "p03"]}]},
        {"decision": "pairings", "stage": "round2", "round": 1, "games": [{"players": ["p01", "p09"]}]},
    ]
    assert [entry["entry"] for entry in played("uk-open", log, players=8, machines=9, rules=rules)["refused"]] == [
        12,
        13,
        14,
    ]


def test_where_there_is_no_schedule_the_stage_says_why_until_games_are_played():
    odd = played("uk-open", [], players=7, machines=6, rules={"qualifiers": 7})
    assert schedule(odd, "round2") == []
    assert "7 players cannot all play duels at once" in odd["stages"][1]["unscheduled"]
    few = played("uk-open", [], players=8, machines=3, rules={"qualifiers": 8})
    assert "there are 3" in few["stages"][1]["unscheduled"]
    assert flagged(few) == []
    game: Entry = {"game": "g", "machine": "m01", "scores": {"p01": 1, "p02": 2}, "stage": "round2"}
    assert "unscheduled" not in played("uk-open", [game], players=8, machines=3, rules={"qualifiers": 8})["stages"][1]


def test_the_quarterfinal_has_partners_of_near_rank_on_eight_machines_two_games_each_in_turn():
    output = played("epc", [{"absent": "p20", "stage": "quarterfinal"}], players=40, machines=18)
    rows = schedule(output, "quarterfinal")
    assert Counter((row["group"], row["round"]) for row in rows) == {(g, r): 16 for g in "AB" for r in (1, 2, 3)}
    assert {row["machine"] for row in rows} == set(names("m", 8))
    assert all(one["who"] == other["who"][::-1] for one, other in list(pairwise(rows))[::2])
    assert "p20" not in {who for row in rows for who in row["who"]}
    played_on = Counter((who, row["machine"]) for row in rows for who in row["who"])
    assert set(played_on.values()) == {2}
    assert Counter(who for who, _ in played_on) == dict.fromkeys([*names("p", 19), *names("p", 33)[20:]], 3)


def test_two_games_of_a_pair_fill_the_quarterfinals_schedule_and_a_stand_in_takes_the_seat_over():
    rules = {"qualifiers": 8, "standby": 3}
    first = schedule(played("epc", [], players=12, machines=8, rules=rules), "quarterfinal")
    mine = [row for row in first if row["group"] == "B"][:2]
    pair = mine[0]["who"]
    log: list[Entry] = [
        {
            "game": f"g{number}",
            "machine": mine[0]["machine"],
            "scores": dict.fromkeys(pair, number),
            "stage": "quarterfinal",
        }
        for number in (1, 2)
    ]
    gone = next(who for who in names("p", 8)[4:] if who not in pair)
    log.append({"absent": gone, "stage": "quarterfinal"})
    rows = schedule(played("epc", log, players=12, machines=8, rules=rules), "quarterfinal")
    assert [row["game"] for row in rows if row["group"] == "B"][:2] == ["g1", "g2"]
    for before, row in zip(first, rows, strict=True):
        assert row["who"] == ["p09" if who == gone else who for who in before["who"]]


def test_a_schedule_is_the_one_that_the_search_draws_for_the_ranking():
    drawn = duel_schedule(names("p", 8), names("m", 4), 3, 5)
    rules = {"qualifiers": 8, "round2_rounds": 3, "schedule_seed": 5}
    rows = schedule(played("uk-open", [], players=8, machines=4, rules=rules), "round2")
    assert [(row["round"], row["machine"], tuple(row["who"])) for row in rows] == [
        (duel.round, duel.machine, duel.players) for duel in drawn.duels
    ]


def test_of_a_closed_stage_only_what_was_played_is_shown_and_nothing_where_a_round_was_played_off_the_schedule():
    rules = {"qualifiers": 8, "round2_rounds": 2}
    first = schedule(played("uk-open", [], players=8, machines=4, rules=rules), "round2")
    met = {frozenset(row["who"]) for row in first}
    off = [pair for pair in combinations(names("p", 8), 2) if frozenset(pair) not in met]
    log: list[Entry] = [
        {"game": f"g{number}", "machine": f"m0{number}", "scores": {"p01": 1, other: 2}, "stage": "round2"}
        for number, (_, other) in enumerate([pair for pair in off if pair[0] == "p01"][:2], 1)
    ]
    log += [
        {"game": f"h{number}", "machine": f"m0{number + 2}", "scores": {"p08": 1, other: 2}, "stage": "round2"}
        for number, (other, _) in enumerate([pair for pair in off if pair[1] == "p08" and pair[0] != "p01"][:2], 1)
    ]
    assert schedule(played("uk-open", log[:3], players=8, machines=4, rules=rules), "round2") == first
    assert schedule(played("uk-open", log, players=8, machines=4, rules=rules), "round2") == []
    scores = dict.fromkeys(first[0]["who"], 7)
    on: Entry = {"game": "on", "machine": first[0]["machine"], "scores": scores, "stage": "round2"}
    after = played("uk-open", [on, {"close": "round2"}], players=8, machines=4, rules=rules)
    assert schedule(after, "round2") == [{**first[0], "game": "on"}]
