"""The review queue: each reading is decided once, by somebody with a name, with what it was before."""

import pytest

from server.core.venue import commands as c
from server.core.venue.outcomes import Conflict, Decision, Refused

from .conftest import KEEPER, OFFICIAL, World

DOUBT = {"player": 1, "score": 700, "confidence": 0.7, "text": "700"}
UNREAD = {"player": 1, "score": None, "confidence": 0.4, "text": "7?0", "candidates": [700, 710]}


def test_confirming_posts_the_proposed_score(world: World):
    world.play("G1", "p1", DOUBT)
    world.done(c.ConfirmReading(reading="r1"), OFFICIAL)
    assert world.log()[0]["scores"] == {"p1": 700}
    assert world.state.games["G1"].status == "posted"
    reading = world.state.readings["r1"]
    assert (reading.status, reading.decided_by, reading.proposed, reading.score) == ("confirmed", "olga", 700, 700)


def test_correcting_keeps_what_was_read(world: World):
    world.play("G1", "p1", DOUBT)
    world.done(c.CorrectReading(reading="r1", score=790, why="glare"), OFFICIAL)
    reading = world.state.readings["r1"]
    assert (reading.proposed, reading.score, reading.decided_why) == (700, 790, "glare")
    assert world.log()[0]["scores"] == {"p1": 790}


def test_a_reading_with_unseen_digits_cannot_be_confirmed(world: World):
    world.play("G1", "p1", UNREAD)
    outcome = world.do(c.ConfirmReading(reading="r1"), OFFICIAL)
    assert isinstance(outcome, Refused)
    assert "type the score" in outcome.why
    assert world.waiting() == ["r1"]


def test_rejecting_the_only_reading_discards_the_game_by_name(world: World):
    world.play("G1", "p1", DOUBT)
    world.done(c.RejectReading(reading="r1", why="not P1's game"), OFFICIAL)
    game = world.state.games["G1"]
    assert (game.status, game.decided_by) == ("discarded", "olga")
    assert world.log() == []


def test_a_game_of_two_waits_for_its_last_reading(world: World):
    world.assign("p1", "p2")
    world.start("G1")
    world.end("G1", DOUBT, {"player": 2, "score": 90, "confidence": 0.5})
    assert world.waiting() == ["r1", "r2"]
    assert world.done(c.ConfirmReading(reading="r1"), OFFICIAL)["left"] == 1
    assert world.log() == []
    world.done(c.RejectReading(reading="r2", why="left"), OFFICIAL)
    assert world.log()[0]["scores"] == {"p1": 700}


def test_only_the_doubtful_score_of_a_game_waits(world: World):
    world.assign("p1", "p2")
    world.start("G1")
    world.end("G1", 500, {"player": 2, "score": 90, "confidence": 0.5})
    assert [world.state.readings[r].who for r in world.waiting()] == ["p2"]
    world.done(c.ConfirmReading(reading="r1"), OFFICIAL)
    assert world.log()[0]["scores"] == {"p1": 500, "p2": 90}


@pytest.mark.parametrize(
    "second",
    [c.ConfirmReading(reading="r1"), c.CorrectReading(reading="r1", score=1), c.RejectReading(reading="r1", why="x")],
)
def test_the_second_official_gets_the_first_ones_decision(world: World, second: c.Command):
    world.play("G1", "p1", DOUBT)
    world.done(c.CorrectReading(reading="r1", score=705), OFFICIAL)
    outcome = world.do(second)
    assert isinstance(outcome, Conflict)
    assert outcome.newer["by"] == "olga"
    assert outcome.newer["score"] == 705
    assert world.log()[0]["scores"] == {"p1": 705}


def test_a_confirmation_of_another_number_is_a_conflict(world: World):
    world.play("G1", "p1", DOUBT)
    assert isinstance(world.do(c.ConfirmReading(reading="r1", score=701), OFFICIAL), Conflict)
    assert world.waiting() == ["r1"]


def test_a_scorekeeper_may_not_decide_readings(world: World):
    world.play("G1", "p1", DOUBT)
    outcome = world.do(c.ConfirmReading(reading="r1"), KEEPER)
    assert isinstance(outcome, Refused)
    assert outcome.status == "forbidden"


@pytest.mark.parametrize("score", [-1, -500])
def test_a_score_below_zero_is_refused(world: World, score: int):
    world.play("G1", "p1", DOUBT)
    assert isinstance(world.do(c.CorrectReading(reading="r1", score=score), OFFICIAL), Refused)


def test_a_reading_that_waits_moves_nobody_in_the_standings(world: World):
    world.play("G1", "p1", 500)
    world.play("G2", "p2", {"player": 1, "score": 900, "confidence": 0.5})
    assert len(world.book.page(world.state, "club").tournament.log) == 1
    world.done(c.ConfirmReading(reading="r1"), OFFICIAL)
    assert len(world.book.page(world.state, "club").tournament.log) == 2


def test_confirmed_against_the_rules_waits_for_an_official_and_can_be_posted_despite_them(world: World):
    world.done(c.RecordEntry(tournament="club", entry={"close": "qualifying"}), OFFICIAL)
    world.play("G1", "p1", DOUBT)
    world.done(c.ConfirmReading(reading="r1"), OFFICIAL)
    game = world.state.games["G1"]
    assert game.status == "waiting"
    assert world.waiting() == []
    match = c.MatchGame(game="G1", place=game.place, players=game.players, despite_rules=True)
    assert isinstance(world.do(match, OFFICIAL), Decision)
    [entry] = [e for e in world.state.log("club") if "game" in e.entry]
    assert entry.despite
    assert entry.entry["scores"] == {"p1": 700}
