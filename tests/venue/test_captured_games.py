"""What becomes of captured games: posted, waiting, unmatched; and of what comes twice or late."""

import pytest

from server.core.venue import commands as c
from server.core.venue.outcomes import Conflict, Refused

from .conftest import KEEPER, OFFICIAL, PLACE, World


def test_a_confident_score_of_an_assigned_player_counts_at_once(world: World):
    game = world.play("G1", "p1", 700)
    assert game.status == "posted"
    [entry] = world.log()
    assert entry["scores"] == {"p1": 700}
    assert entry["machine"] == "m1"
    assert entry["started_at"] < entry["at"]
    assert next(iter(entry)) == "game"


def test_the_machine_is_free_after_the_game(world: World):
    world.play("G1", "p1", 700)
    machine = world.state.machines["m1"]
    assert machine.game is None
    assert machine.assignment is None
    assert not world.state.assigned


def test_a_score_of_zero_is_a_score(world: World):
    world.play("G1", "p1", 0)
    assert world.log()[0]["scores"] == {"p1": 0}


@pytest.mark.parametrize("score", [2**31, 2**53 + 1, 10**18])
def test_large_scores_are_exact(world: World, score: int):
    world.play("G1", "p1", score)
    assert world.log()[0]["scores"] == {"p1": score}


@pytest.mark.parametrize(
    ("score", "reason"),
    [
        ({"player": 1, "score": None, "text": "7?0", "candidates": [700, 710], "confidence": 0.6}, "not read"),
        ({"player": 1, "score": 700, "confidence": 0.9}, "confidence"),
        ({"player": 1, "score": 700, "candidates": [700, 900], "confidence": 1.0}, "more than one way"),
    ],
)
def test_a_doubtful_score_waits_with_its_reason(world: World, score: dict, reason: str):
    game = world.play("G1", "p1", score)
    assert game.status == "waiting"
    [reading] = world.waiting()
    assert any(reason in why for why in world.state.readings[reading].why)
    assert world.log() == []


def test_the_picture_of_a_doubtful_reading_is_shown_whenever_it_comes(world: World):
    world.assign("p1")
    world.start("G1")
    world.fact("score.read", game="G1", player=1, text="7?0", candidates=[700], confidence=0.5, evidence="sha256:aa")
    world.end("G1", {"player": 1, "score": None, "confidence": 0.5})
    [reading] = world.state.readings.values()
    assert (reading.evidence, reading.text, reading.candidates) == ("sha256:aa", "7?0", (700,))
    world.fact("score.read", game="G1", player=1, text="7?0", candidates=[], confidence=0.5, evidence="sha256:bb")
    assert world.state.readings[reading.id].evidence == "sha256:bb"


@pytest.mark.parametrize("how", ["slam-tilt", "ended-early"])
def test_a_game_that_ended_oddly_waits(world: World, how: str):
    world.assign("p1")
    world.start("G1")
    world.end("G1", 700, how=how)
    assert world.state.games["G1"].status == "waiting"
    assert world.log() == []


def test_a_game_that_was_joined_late_waits(world: World):
    world.assign("p1")
    world.fact("game.started", game="G1", players=1, joined_late=True)
    world.end("G1", 700)
    assert world.state.games["G1"].status == "waiting"


def test_an_aborted_game_waits_with_its_last_scores(world: World):
    world.assign("p1")
    world.start("G1")
    world.fact("game.aborted", game="G1", how="link-lost", scores=[{"player": 1, "score": 500}])
    [reading] = world.state.readings.values()
    assert reading.proposed == 500
    assert "link" in reading.why[0]


def test_a_score_beyond_what_the_machine_can_show_waits(world: World):
    world.done(c.AddMachines(tournament="club", machines=({"id": "m3", "max_score": 9_999_990},)))
    assert world.play("G1", "p1", 10_000_000, machine="m3").status == "waiting"


def test_a_score_far_above_all_others_waits_once_and_counts_when_confirmed(world: World):
    for number in range(25):
        world.play(f"G{number}", "p1", 40_000_000 + number)
    assert world.play("GX", "p6", 2_100_000_000).status == "waiting"
    [reading] = world.waiting()
    world.done(c.ConfirmReading(reading=reading), OFFICIAL)
    assert world.log()[-1]["scores"] == {"p6": 2_100_000_000}
    assert world.play("GY", "p6", 45_000_000).status == "posted"


def test_a_game_with_nobody_assigned_is_kept_with_an_alarm(world: World):
    world.start("G1")
    assert world.alarms() == ["unassigned-play"]
    world.end("G1", 700)
    assert world.state.games["G1"].status == "unmatched"
    assert world.alarms() == ["unassigned-play"]
    assert "game:G1" in world.state.waiting


def test_an_assignment_made_during_the_game_counts_and_closes_the_alarm(world: World):
    world.start("G1")
    world.assign("p1")
    assert world.alarms() == []
    world.end("G1", 700)
    assert world.log()[0]["scores"] == {"p1": 700}


def test_an_assignment_made_after_the_game_is_for_the_next_one(world: World):
    world.start("G1")
    world.end("G1", 700)
    world.assign("p1")
    assert world.state.games["G1"].status == "unmatched"
    world.start("G2")
    world.end("G2", 800)
    assert world.log()[0]["scores"] == {"p1": 800}


def test_more_players_than_assigned_are_held_with_an_alarm(world: World):
    world.assign("p1")
    world.start("G1")
    world.fact("game.ball", game="G1", player=1, ball=1, scores=[{"player": 1, "score": 5}, {"player": 2, "score": 0}])
    assert world.alarms() == ["wrong-players"]
    world.end("G1", 700, 300)
    assert world.state.games["G1"].status == "waiting"
    assert world.alarms() == ["wrong-players"]
    world.done(c.MatchGame(game="G1", place=PLACE, players=("p1", None)), OFFICIAL)
    assert world.log()[0]["scores"] == {"p1": 700}
    assert world.alarms() == []


def test_fewer_players_than_assigned_are_held(world: World):
    world.assign("p1", "p2")
    world.start("G1")
    world.end("G1", 700)
    assert world.state.games["G1"].status == "waiting"
    assert world.alarms() == ["wrong-players"]


def test_a_game_of_two_counts_for_both_in_order_of_play(world: World):
    world.assign("p2", "p1")
    world.start("G1")
    world.end("G1", 20, 10)
    assert list(world.log()[0]["scores"].items()) == [("p2", 20), ("p1", 10)]


def test_an_end_that_comes_twice_counts_once(world: World):
    world.play("G1", "p1", 700)
    world.assign("p2")
    world.end("G1", 700)
    assert len(world.log()) == 1
    assert world.state.machines["m1"].assignment is not None
    assert world.alarms() == []


def test_a_second_end_with_other_scores_changes_nothing_and_is_shown(world: World):
    world.play("G1", "p1", 700)
    world.end("G1", 900)
    world.end("G1", 901)
    assert world.log()[0]["scores"] == {"p1": 700}
    assert world.alarms() == ["second-result"]


def test_an_end_without_a_start_is_credited_to_nobody(world: World):
    world.assign("p2")
    world.end("GX", 0)
    assert world.state.games["GX"].status == "unmatched"
    assert world.state.machines["m1"].assignment is not None
    assert world.log() == []


def test_a_late_game_finds_the_players_who_held_the_machine_then(world: World):
    world.assign("p1")
    began = world.now + 1
    world.now += 60_000
    world.done(c.Unassign(machine="m1", why="the agent is silent"))
    world.assign("p2")
    world.start("G1", when=began)
    world.end("G1", 700, when=began + 30_000)
    game = world.state.games["G1"]
    assert game.players == ("p1",)
    assert game.status == "waiting"
    assert any("is it theirs" in why for why in world.state.readings[world.waiting()[0]].why)
    assert world.state.machines["m1"].assignment.players == ("p2",)


def test_an_assignment_made_as_the_player_pressed_start_counts(world: World):
    pressed = world.now + 1
    world.now += 5_000
    world.assign("p1")
    world.start("G1", when=pressed)
    world.end("G1", 700)
    assert world.log()[0]["scores"] == {"p1": 700}
    assert world.alarms(open_only=False) == []


def test_an_assignment_made_for_the_next_game_does_not_get_one_that_is_heard_of_late(world: World):
    began = world.now + 1
    world.now += 120_000
    world.assign("p1")
    world.now += 120_000
    world.start("G1", when=began)
    world.end("G1", 700, when=began + 200_000)
    assert world.log() == []
    [reading] = world.waiting()
    assert "is it theirs" in world.state.readings[reading].why[0]


def test_a_game_of_uncertain_time_is_nobodys_and_takes_nobodys_turn(world: World):
    world.assign("p2")
    world.start("G1", certain=False)
    world.end("G1", 700, certain=False)
    game = world.state.games["G1"]
    assert (game.status, game.players) == ("unmatched", ())
    assert "not certain" in game.why[0]
    assert world.state.machines["m1"].assignment.players == ("p2",)
    world.start("G2")
    world.end("G2", 5)
    assert world.log()[0]["scores"] == {"p2": 5}


def test_taking_a_player_off_during_the_game_holds_it_and_frees_the_machine(world: World):
    world.assign("p4")
    world.start("G1")
    world.done(c.Unassign(machine="m1", why="P4 leaves"), KEEPER)
    assert world.state.machines["m1"].assignment is None
    world.end("G1", 700)
    assert world.state.games["G1"].status == "waiting"
    assert world.log() == []


def test_a_game_whose_end_was_never_heard_waits_when_the_next_begins(world: World):
    world.assign("p1")
    world.start("G1")
    world.fact("game.ball", game="G1", player=1, ball=1, scores=[{"player": 1, "score": 50}])
    world.start("G2")
    assert world.state.games["G1"].status == "waiting"
    assert world.state.machines["m1"].game == "G2"


def test_a_game_of_an_unknown_machine_is_kept(world: World):
    world.start("G1", "m9")
    world.end("G1", 700, machine="m9")
    assert world.state.games["G1"].status == "unmatched"


def test_what_the_rules_refuse_is_held_with_their_reason(world: World):
    world.done(c.RecordEntry(tournament="club", entry={"machine": "m2", "status": "down"}))
    world.done(c.RecordEntry(tournament="club", entry={"machine": "m2", "status": "up"}))
    world.assign("p2", machine="m2")
    world.done(c.RecordEntry(tournament="club", entry={"penalty": "p2", "for": "disqualified", "why": "shouted"}))
    world.start("G2", "m2")
    world.end("G2", 100, machine="m2")
    game = world.state.games["G2"]
    assert game.status == "waiting"
    assert "p2" in game.why[0]
    assert [entry for entry in world.log() if "game" in entry] == []


def test_an_official_matches_an_unmatched_game(world: World):
    world.start("G1")
    world.end("G1", 700)
    world.done(c.MatchGame(game="G1", place=PLACE, players=("p3",)), OFFICIAL)
    assert world.log()[0]["scores"] == {"p3": 700}
    assert world.alarms() == []


def test_a_discarded_game_stays_with_who_and_why(world: World):
    world.start("G1")
    world.end("G1", 700)
    world.done(c.DiscardGame(game="G1", why="a passer-by"), OFFICIAL)
    game = world.state.games["G1"]
    assert (game.status, game.decided_by, game.why) == ("discarded", "olga", ("a passer-by",))
    assert isinstance(world.do(c.MatchGame(game="G1", place=PLACE, players=("p3",)), OFFICIAL), Conflict)


def test_discarding_needs_a_reason(world: World):
    world.start("G1")
    world.end("G1", 700)
    assert isinstance(world.do(c.DiscardGame(game="G1", why="  "), OFFICIAL), Refused)
    assert world.state.games["G1"].status == "unmatched"
