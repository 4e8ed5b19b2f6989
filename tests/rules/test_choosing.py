"""Choices of machine and order at the desk (T11): decisions in the log, and who is asked next in the output."""

from server.core.rules import evaluate, parse

Entry = dict[str, object]
Row = dict[str, object]


def played(log: list[Entry], machines: int = 3) -> dict[str, object]:
    """Give the output of a tournament of eight, p1 to p8 by rank, whose semifinal groups choose as the log says."""
    people = [f"p{number}" for number in range(1, 9)]
    qualifying = [{"game": f"q-{who}", "machine": "m1", "scores": {who: 900 - rank}} for rank, who in enumerate(people)]
    document = {
        "inlane": 1,
        "preset": "tpc",
        "players": [{"id": who, "division": "A"} for who in people],
        "machines": [{"id": f"m{number}", "division": "A"} for number in range(1, machines + 1)],
        "log": [*qualifying, {"close": "A/qualifying"}, *log],
    }
    return evaluate(parse(document))


def asked(output: dict[str, object]) -> dict[str, Row]:
    stage = next(stage for stage in output["stages"] if stage["id"] == "A/semifinal")  # type: ignore[attr-defined]
    return {row["group"]: row for row in stage["choices"]}


def refused(output: dict[str, object]) -> dict[int, str]:
    return {entry["entry"]: entry["why"] for entry in output["refused"]}  # type: ignore[attr-defined]


def say(topic: str, **given: object) -> Entry:
    return {"decision": topic, "stage": "A/semifinal", **given}


def game(name: str, machine: str, who: list[str], number: int = 1) -> Entry:
    scores = {each: 1000 - place for place, each in enumerate(who)}
    return {"game": name, "machine": machine, "scores": scores, "stage": "A/semifinal", "round": number}


def test_the_group_of_the_best_seed_is_asked_first_and_its_best_seed_for_machine_or_order():
    rows = asked(played([]))
    assert rows["1"] == {
        "group": "1",
        "round": 1,
        "machine": None,
        "order": [None] * 4,
        "status": "chooses",
        "who": "p1",
        "machines": ["m1", "m2", "m3"],
        "positions": [1, 2, 3, 4],
    }
    assert rows["2"]["status"] == "later"


def test_who_takes_the_machine_chooses_his_position_last_and_the_next_group_is_asked():
    log = [say("machine", who=["p1"], machine="m2"), say("order", who=["p3"], position=4)]
    rows = asked(played(log))
    assert (rows["1"]["machine"], rows["1"]["who"], rows["1"]["positions"]) == ("m2", "p5", [1, 2, 3])
    assert (rows["2"]["who"], rows["2"]["machines"]) == ("p2", ["m1", "m3"])
    log += [say("order", who=["p5"], position=1), say("order", who=["p7"], position=3)]
    rows = asked(played(log))
    assert (rows["1"]["order"], rows["1"]["status"]) == (["p5", "p1", "p7", "p3"], "ready")


def test_a_choice_out_of_turn_or_of_what_is_taken_is_refused_with_the_reason():
    log = [
        say("machine", who=["p3"], machine="m1"),
        say("machine", who=["p1"], machine="m1"),
        say("machine", who=["p2"], machine="m1"),
        say("machine", who=["p1", "p2"], machine="m1"),
        say("order", who=["p1"]),
        say("decline"),
        say("machine", who=["p2"], machine="m9"),
        say("order", who=["p2"], position=9),
        say("machine", who=["p2"], machine="m2", round=4),
    ]
    output = played(log)
    assert sorted(refused(output)) == [10, 12, 13, 14, 15, 16, 17, 18]
    assert "p1 chooses now" in refused(output)[10]
    assert "group 1 has taken m1" in refused(output)[12]
    assert "there is no machine m9" in refused(output)[16]


def test_declining_passes_the_choice_on_and_where_nobody_chooses_officials_do():
    log = [say("decline", who=[who]) for who in ("p1", "p3", "p5")]
    assert asked(played(log))["1"]["who"] == "p7"
    log.append(say("decline", who=["p7"]))
    assert asked(played(log))["1"]["who"] is None
    log += [say("machine", group="1", machine="m3"), say("order", group="1", who=["p7", "p5", "p3", "p1"])]
    output = played(log)
    assert refused(output) == {}
    assert (asked(output)["1"]["machine"], asked(output)["1"]["order"]) == ("m3", ["p7", "p5", "p3", "p1"])


def test_games_that_are_over_bring_the_next_round_without_the_machines_played():
    log = [
        say("machine", who=["p1"], machine="m1"),
        game("a", "m1", ["p1", "p3", "p5", "p7"]),
        game("b", "m2", ["p2", "p4", "p6", "p8"]),
    ]
    rows = asked(played(log))
    assert {row["round"] for row in rows.values()} == {2}
    assert rows["1"]["machines"] == ["m2", "m3"]
    log += [say("machine", who=["p1"], machine="m2"), {"void": "a", "why": "wrong balls"}]
    rows = asked(played(log))
    assert (rows["1"]["round"], rows["1"]["machine"], rows["2"]["status"]) == (1, "m1", "played")


def test_a_group_without_a_machine_waits_and_must_take_the_first_that_is_free():
    log = [say("machine", who=["p1"], machine="m1")]
    assert asked(played(log, machines=1))["2"]["status"] == "waits"
    log.append(game("a", "m1", ["p1", "p3", "p5", "p7"]))
    rows = asked(played(log, machines=1))
    assert (rows["1"]["status"], rows["2"]["machine"], rows["2"]["who"]) == ("played", "m1", "p2")


def test_a_machine_that_is_down_cannot_be_chosen():
    output = played([{"machine": "m2", "status": "down"}, say("machine", who=["p1"], machine="m2")])
    assert asked(output)["1"]["machines"] == ["m1", "m3"]
    assert "out of order" in refused(output)[11]


def test_choices_elsewhere_are_only_a_record():
    output = played([{"decision": "machine", "machine": "m1", "why": "drawn for the tie-break", "by": "olga"}])
    assert refused(output) == {}
