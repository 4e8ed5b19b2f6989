"""Machines: who is put on them, the line in front of them, their malfunctions."""

from server.core.venue import commands as c
from server.core.venue.outcomes import Conflict, Refused

from .conftest import KEEPER, OFFICIAL, PLACE, World


def test_a_player_is_on_one_machine_at_a_time(world: World):
    world.assign("p1")
    outcome = world.do(c.Assign(machine="m2", place=PLACE, players=("p1",)))
    assert isinstance(outcome, Refused)
    assert "Machine One" in outcome.why


def test_players_who_have_not_begun_give_way(world: World):
    world.assign("p1")
    world.assign("p2")
    assert world.state.machines["m1"].assignment.players == ("p2",)
    world.assign("p1", machine="m2")


def test_a_running_game_keeps_its_players(world: World):
    world.assign("p1")
    world.start("G1")
    outcome = world.do(c.Assign(machine="m1", place=PLACE, players=("p2",)))
    assert isinstance(outcome, Refused)
    assert "p1 is playing" in outcome.why


def test_two_scorekeepers_at_one_machine_meet(world: World):
    seen = world.state.machines["m1"].version
    world.assign("p1")
    outcome = world.do(c.Assign(machine="m1", place=PLACE, players=("p2",), based_on=seen), KEEPER)
    assert isinstance(outcome, Conflict)
    assert outcome.newer["players"] == ["p1"]


def test_nobody_is_put_on_a_machine_that_is_down(world: World):
    world.done(c.RecordEntry(tournament="club", entry={"machine": "m1", "status": "down"}), OFFICIAL)
    assert world.state.machines["m1"].condition == "down"
    assert isinstance(world.do(c.Assign(machine="m1", place=PLACE, players=("p1",))), Refused)
    world.done(c.UndoEntry(tournament="club", number=1, why="it works"), OFFICIAL)
    assert world.state.machines["m1"].condition == "up"
    world.assign("p1")


def test_nobody_unknown_and_nobody_twice(world: World):
    for players in (("p9",), ("p1", "p1"), ()):
        assert isinstance(world.do(c.Assign(machine="m1", place=PLACE, players=players)), Refused)


def test_a_line_is_joined_once_called_and_left_by_playing(world: World):
    world.done(c.JoinQueue(machine="m1", tournament="club", player="p1"))
    world.done(c.JoinQueue(machine="m1", tournament="club", player="p2"))
    assert isinstance(world.do(c.JoinQueue(machine="m2", tournament="club", player="p1")), Refused)
    world.done(c.CallPlayer(machine="m1", tournament="club", player="p1"))
    assert world.state.machines["m1"].queue[0].called is not None
    world.assign("p1")
    assert [w.player for w in world.state.machines["m1"].queue] == ["p2"]
    world.done(c.LeaveQueue(machine="m1", tournament="club", player="p2"))
    assert world.state.machines["m1"].queue == ()


def test_a_fault_opens_once_and_closes_once(world: World):
    world.assign("p1")
    world.start("G1")
    for _ in range(3):
        world.fact("fault.raised", fault="ball-search", game="G1", player=1, ball=2, scores=[{"player": 1, "score": 9}])
    assert world.alarms() == ["ball-search"]
    found = world.state.malfunctions["f1"]
    assert found.scores[0].score == 9
    assert world.state.machines["m1"].open == ("f1",)
    for _ in range(2):
        world.fact("fault.cleared", fault="ball-search")
    assert world.alarms() == []
    assert world.state.machines["m1"].open == ()
    world.fact("fault.raised", fault="ball-search", game="G1")
    assert world.alarms() == ["ball-search"]


def test_a_fault_of_the_agent_itself_is_kept_without_a_machine(world: World):
    world.fact("fault.raised", None, fault="disk-low")
    world.fact("fault.raised", None, fault="disk-low")
    assert world.alarms() == ["disk-low"]
    world.fact("fault.cleared", None, fault="disk-low")
    assert world.alarms() == []


def test_acknowledging_is_done_once_and_takes_it_off_the_list(world: World):
    world.fact("fault.raised", fault="tilt")
    assert "malfunction:f1" in world.state.waiting
    world.done(c.AcknowledgeMalfunction(malfunction="f1", note="on my way"), KEEPER)
    assert "malfunction:f1" not in world.state.waiting
    assert world.state.malfunctions["f1"].open
    assert isinstance(world.do(c.AcknowledgeMalfunction(malfunction="f1")), Conflict)


def test_a_freeze_needs_an_agent(world: World):
    assert isinstance(world.do(c.Freeze(machine="m1")), Refused)
    world.start("G1")
    world.done(c.Freeze(machine="m1", why="stuck ball"))


def test_frozen_scores_are_kept_with_the_game(world: World):
    world.assign("p1")
    world.start("G1")
    world.fact("score.frozen", game="G1", scores=[{"player": 1, "score": 880}], why="ball-search", evidence="sha256:aa")
    [frozen] = world.state.games["G1"].frozen
    assert (frozen.scores[0].score, frozen.evidence) == (880, "sha256:aa")


def test_a_jumping_score_holds_the_game(world: World):
    world.assign("p1")
    world.start("G1")
    world.fact("fault.raised", fault="score-jump", game="G1", player=1)
    world.end("G1", 700)
    assert world.state.games["G1"].status == "waiting"
