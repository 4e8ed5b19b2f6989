"""Two sources of one machine disagree: whatever is played there waits until an official has settled it."""

from typing import Any

import pytest

from server.core.venue import commands as c
from server.core.venue.outcomes import Actor, Refused

World = Any
OFFICIAL = Actor(name="olga", roles=frozenset({"official"}))
DESK = Actor(name="dora", roles=frozenset({"desk"}))
SAID = "player 1: the wire says 880,120, the camera 88,012: ten times"


def scores(world: World) -> list[dict[str, int]]:
    return [entry["scores"] for entry in world.log() if "game" in entry]


def dispute(world: World, game: str) -> str:
    world.fact("fault.raised", fault="sources-disagree", game=game, detail=SAID)
    return str(world.state.machines["m1"].open[-1])


def disputed(world: World) -> str:
    """A game of p1 whose two scores differ: the reader holds it by itself."""
    world.assign("p1")
    world.start("A")
    world.end("A", {"player": 1, "score": None, "text": "880120", "candidates": [880_120, 88_012]})
    return dispute(world, "A")


def test_while_sources_disagree_each_game_there_waits_whatever_the_reader_forgot(world: World):
    found = disputed(world)
    world.fact("fault.cleared", fault="sources-disagree", detail="the agent began anew")
    assert world.state.malfunctions[found].open
    assert world.play("B", "p2", 5_000).status == "waiting"
    assert world.play("C", "p3", 7_000, machine="m2").status == "posted"
    reading = next(world.state.readings[name] for name in world.waiting() if world.state.readings[name].game == "B")
    assert reading.why == ("the sources of this machine disagree, and no official has settled it",)


def test_an_official_who_decides_the_game_settles_it(world: World):
    found = disputed(world)
    assert world.play("B", "p2", 5_000).status == "waiting"
    by_game = {world.state.readings[name].game: name for name in world.waiting()}
    world.done(c.ConfirmReading(reading=by_game["B"]), OFFICIAL)
    assert world.state.malfunctions[found].open
    world.done(c.CorrectReading(reading=by_game["A"], score=880_120), OFFICIAL)
    assert not world.state.malfunctions[found].open
    assert world.play("C", "p3", 6_000).status == "posted"
    assert scores(world) == [{"p2": 5_000}, {"p1": 880_120}, {"p3": 6_000}]


def test_a_game_on_which_they_agree_settles_it_but_not_the_game_before(world: World):
    disputed(world)
    world.assign("p2")
    world.start("B")
    world.fact("fault.cleared", fault="sources-disagree", game="B")
    world.end("B", 5_000)
    assert scores(world) == [{"p2": 5_000}]
    assert world.state.games["A"].status == "waiting"


def test_a_contradiction_that_comes_late_takes_the_result_out_again(world: World):
    assert world.play("A", "p1", 880_120).status == "posted"
    dispute(world, "A")
    assert scores(world) == []
    (reading,) = world.waiting()
    assert SAID in world.state.readings[reading].why[0]
    assert not isinstance(world.do(c.ConfirmReading(reading=reading), OFFICIAL), Refused)
    assert scores(world) == [{"p1": 880_120}]
    assert world.alarms() == []


def test_what_an_official_decided_stays_when_a_contradiction_comes_late(world: World):
    world.assign("p1")
    world.start("A")
    world.end("A", {"player": 1, "score": 880_120, "confidence": 0.5})
    world.done(c.ConfirmReading(reading=world.waiting()[0]), OFFICIAL)
    dispute(world, "A")
    assert scores(world) == [{"p1": 880_120}]
    assert world.alarms() == ["sources-disagree"]


@pytest.mark.parametrize("twice", [False, True])
def test_a_result_that_was_taken_out_and_put_back_counts_once(world: World, *, twice: bool):
    world.play("A", "p1", 880_120)
    dispute(world, "A")
    world.done(c.RestoreEntry(tournament="club", number=1, why="the glass was read"), OFFICIAL)
    assert world.waiting() == []
    assert world.alarms() == []
    if twice:
        dispute(world, "A")
    assert scores(world) == [{"p1": 880_120}]


def test_only_an_official_closes_it(world: World):
    found = disputed(world)
    closing = c.CloseMalfunction(malfunction=found, why="fine")
    assert isinstance(world.do(closing, DESK), Refused)
    world.done(closing, OFFICIAL)
    assert world.play("B", "p2", 5_000).status == "posted"
