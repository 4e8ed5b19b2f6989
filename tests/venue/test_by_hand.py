"""A machine without an agent: a person says what happens, and it goes the way of every captured game."""

from typing import Any

import pytest

from server.core.venue import commands as c
from server.core.venue import manual
from server.core.venue.outcomes import Actor, Conflict, Refused

World = Any
KEEPER = Actor(name="kim", roles=frozenset({"scorekeeper"}))
OTHER = Actor(name="lea", roles=frozenset({"scorekeeper"}))
OFFICIAL = Actor(name="olga", roles=frozenset({"official"}))


def scores_of(world: World) -> list[dict[str, int]]:
    return [entry["scores"] for entry in world.log() if "game" in entry]


def test_a_game_by_hand_is_matched_reviewed_and_posted_as_any_other(world: World):
    world.assign("p1", "p2")
    game = world.done(c.StartGame(machine="m1"), KEEPER)["game"]
    assert world.state.machines["m1"].game == game
    world.done(c.NoteBall(machine="m1", player=1, ball=1, scores=(500, 0)), KEEPER)
    assert [score.score for score in world.state.games[game].turns[0].scores] == [500, 0]
    result = world.done(c.EndGame(machine="m1", scores=(12_345_678_910, 0)), KEEPER)
    assert result["status"] == "posted"
    found = world.state.games[game]
    assert (found.source, found.agent, found.ending) == ("manual", manual.MANUAL, "normal")
    assert scores_of(world) == [{"p1": 12_345_678_910, "p2": 0}]
    machine = world.state.machines["m1"]
    assert (machine.game, machine.assignment, machine.agent) == (None, None, None)


def test_final_scores_alone_begin_and_end_a_game(world: World):
    world.assign("p1")
    world.done(c.EndGame(machine="m1", scores=(700,)), KEEPER)
    assert scores_of(world) == [{"p1": 700}]
    assert isinstance(world.do(c.EndGame(machine="m1", scores=(700,)), KEEPER), Refused)
    assert len(scores_of(world)) == 1


@pytest.mark.parametrize("scores", [(), (1, 2), (-1,), (10**18 + 1,), (True,)])
def test_scores_that_make_no_sense_are_refused(world: World, scores: tuple[int, ...]):
    world.assign("p1")
    assert isinstance(world.do(c.EndGame(machine="m1", scores=scores), KEEPER), Refused)
    assert world.state.machines["m1"].game is None


def test_what_the_review_policy_doubts_waits_though_it_was_typed(world: World):
    for _ in range(25):
        world.assign("p1")
        world.done(c.EndGame(machine="m1", scores=(40_000_000,)), KEEPER)
    world.assign("p2")
    result = world.done(c.EndGame(machine="m1", scores=(2_100_000_000,)), KEEPER)
    assert result["status"] == "waiting"
    reading = world.waiting()[0]
    world.done(c.ConfirmReading(reading=reading), OFFICIAL)
    assert {"p2": 2_100_000_000} in scores_of(world)
    world.assign("p2")
    assert world.done(c.EndGame(machine="m1", scores=(45_000_000,)), KEEPER)["status"] == "posted"


def test_nobody_begins_without_players_or_twice_or_on_what_has_changed(world: World):
    assert isinstance(world.do(c.StartGame(machine="m1"), KEEPER), Refused)
    world.assign("p1")
    version = world.state.machines["m1"].version
    world.done(c.StartGame(machine="m1", based_on=version), KEEPER)
    assert isinstance(world.do(c.StartGame(machine="m1"), KEEPER), Conflict)
    assert isinstance(world.do(c.EndGame(machine="m1", scores=(5,), based_on=version), KEEPER), Conflict)


def test_scores_are_never_taken_for_those_of_others_and_a_longer_line_disturbs_nobody(world: World):
    world.assign("p1")
    seen = world.state.machines["m1"].assignment.id
    world.done(c.JoinQueue(machine="m1", tournament="club", player="p3"), OFFICIAL)
    game = world.done(c.StartGame(machine="m1", of=seen), KEEPER)["game"]
    world.done(c.EndGame(machine="m1", scores=(5,), of=seen), KEEPER)
    world.assign("p2")
    for old in (seen, game):
        assert isinstance(world.do(c.EndGame(machine="m1", scores=(5,), of=old), KEEPER), Conflict)
    assert scores_of(world) == [{"p1": 5}]


def test_a_game_that_a_reader_began_can_be_ended_by_hand_and_the_reader_stays(world: World):
    world.assign("p1")
    world.start("g")
    world.done(c.EndGame(machine="m1", scores=(300,)), KEEPER)
    assert scores_of(world) == [{"p1": 300}]
    assert world.state.machines["m1"].agent == "pi-1"
    world.end("g", 300)
    assert world.alarms() == []
    world.assign("p2")
    world.start("h")
    world.done(c.EndGame(machine="m1", scores=(400,)), KEEPER)
    world.end("h", 4_000)
    assert world.alarms() == ["second-result"]
    assert scores_of(world) == [{"p1": 300}, {"p2": 400}]


def test_who_typed_a_game_takes_it_back_and_types_it_anew(world: World):
    world.assign("p1", "p2")
    game = world.done(c.EndGame(machine="m1", scores=(100, 200)), KEEPER)["game"]
    undo = c.UndoEntry(tournament="club", number=1, why="mistyped")
    assert isinstance(world.do(undo, OTHER), Refused)
    world.done(undo, KEEPER)
    assert scores_of(world) == []
    anew = c.RetypeGame(game=game, scores=(1_000, 200))
    assert isinstance(world.do(anew, OTHER), Refused)
    assert world.done(anew, KEEPER)["status"] == "posted"
    assert scores_of(world) == [{"p1": 1_000, "p2": 200}]
    assert [r.status for r in world.state.readings.values()] == ["corrected"]
    assert isinstance(world.do(anew, KEEPER), Conflict)


def test_a_scorekeeper_takes_back_nothing_else_and_not_for_long(world: World):
    world.play("g", "p1", 5)
    assert isinstance(world.do(c.UndoEntry(tournament="club", number=1, why="x"), KEEPER), Refused)
    world.assign("p2")
    world.done(c.EndGame(machine="m1", scores=(7,)), KEEPER)
    world.now += manual.TAKE_BACK_MS + 1
    assert isinstance(world.do(c.UndoEntry(tournament="club", number=2, why="x"), KEEPER), Refused)
    world.done(c.UndoEntry(tournament="club", number=2, why="x"), OFFICIAL)


def test_next_players_keep_the_machine_while_a_game_is_typed_anew(world: World):
    world.assign("p1")
    game = world.done(c.EndGame(machine="m1", scores=(100,)), KEEPER)["game"]
    world.done(c.UndoEntry(tournament="club", number=1, why="mistyped"), KEEPER)
    world.assign("p2")
    world.done(c.RetypeGame(game=game, scores=(1_100,)), KEEPER)
    assignment = world.state.machines["m1"].assignment
    assert assignment is not None
    assert assignment.players == ("p2",)
    assert scores_of(world) == [{"p1": 1_100}]


def test_a_malfunction_reported_by_hand_keeps_the_scores_and_asks_a_reader_for_its_own(world: World):
    world.assign("p1")
    game = world.done(c.StartGame(machine="m1"), KEEPER)["game"]
    world.done(c.NoteBall(machine="m1", player=1, ball=2, scores=(880_120,)), KEEPER)
    photo = "sha256:" + "ab" * 32
    world.done(c.ReportMalfunction(machine="m1", fault="ball-search", note="left ramp", evidence=photo), KEEPER)
    [found] = world.state.malfunctions.values()
    assert (found.fault, found.source, found.detail, found.evidence) == ("ball-search", "manual", "left ramp", photo)
    assert (found.game, found.ball, [score.score for score in found.scores]) == (game, 2, [880_120])
    assert [one.why for one in world.state.games[game].frozen] == ["ball-search"]
    assert isinstance(world.do(c.ReportMalfunction(machine="m1", fault="ball-search"), KEEPER), Conflict)
    assert isinstance(world.do(c.ReportMalfunction(machine="m1", fault="nonsense"), KEEPER), Refused)
    world.fact("machine.attached", "m2", port="sim://bcp")
    world.done(c.ReportMalfunction(machine="m2", fault="official-called"), KEEPER)
    assert world.ledger[-1].event.agent == "pi-1"


def test_typed_scores_are_asked_about_that_are_unlike_those_before(world: World):
    machine = world.state.machines["m1"]
    usual = [20_000_000, 35_000_010, 48_000_000]
    assert manual.odd(machine, (45_000_000,), usual) == ()
    assert len(manual.odd(machine, (0,), usual)) == 1
    assert "far above" in manual.odd(machine, (450_000_000,), usual)[0]
    assert "far below" in manual.odd(machine, (4_500,), [*usual, 20_000_001])[0]
    assert "does not end in 0" in manual.odd(machine, (45_000_003,), usual)[0]
    assert manual.odd(machine, (45_000_003,), []) == ()


def test_a_reader_that_hears_a_game_begun_by_hand_follows_it_with_the_same_players(world: World):
    world.fact("machine.attached", port="sim://bcp")
    world.assign("p1")
    hand = world.done(c.StartGame(machine="m1"), KEEPER)["game"]
    world.start("A")
    assert world.state.games[hand].status == "discarded"
    assert world.alarms() == []
    assert isinstance(world.do(c.EndGame(machine="m1", scores=(7,), of=hand), KEEPER), Conflict)
    world.end("A", 48_210)
    assert scores_of(world) == [{"p1": 48_210}]
    assert world.state.machines["m1"].assignment is None
    world.assign("p1", "p2", machine="m2")


def test_a_game_begun_by_hand_long_ago_is_not_the_one_that_a_reader_hears_now(world: World):
    world.assign("p1")
    hand = world.done(c.StartGame(machine="m1"), KEEPER)["game"]
    world.now += 60_000
    world.start("A")
    world.end("A", 48_210)
    assert world.state.games[hand].status == "waiting"
    assert world.state.games["A"].status == "unmatched"
    assert scores_of(world) == []


def test_scores_after_a_ball_are_not_noted_in_the_game_of_others(world: World):
    world.assign("p1")
    seen = world.state.machines["m1"].assignment.id
    game = world.done(c.StartGame(machine="m1", of=seen), KEEPER)["game"]
    world.done(c.NoteBall(machine="m1", player=1, ball=1, scores=(5,), of=seen), KEEPER)
    world.done(c.EndGame(machine="m1", scores=(9,), of=game), KEEPER)
    world.assign("p2")
    world.done(c.StartGame(machine="m1"), OTHER)
    assert isinstance(world.do(c.NoteBall(machine="m1", player=1, ball=2, scores=(7,), of=game), KEEPER), Conflict)


def test_what_was_seen_and_happens_again_is_reported_again(world: World):
    first = world.done(c.ReportMalfunction(machine="m1", fault="ball-search"), KEEPER)["malfunction"]
    world.done(c.AcknowledgeMalfunction(malfunction=first), OFFICIAL)
    second = world.done(c.ReportMalfunction(machine="m1", fault="ball-search", note="again"), KEEPER)["malfunction"]
    assert [found.id for found in world.state.malfunctions.values() if found.open] == [second]
    assert isinstance(world.do(c.ReportMalfunction(machine="m1", fault="ball-search"), KEEPER), Conflict)
