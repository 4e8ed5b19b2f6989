"""What an official decided about a picture labels it, as long as the score counts as it was decided."""

from server.core.venue import commands as c
from server.core.venue.examples import labelled

from .conftest import ADMIN, OFFICIAL, World

HASH = "sha256:" + "ab" * 32
UNREAD = {"player": 1, "score": None, "confidence": 0.4, "text": "7?0", "candidates": [700, 710]}


def held(world: World, game: str = "G1", player: str = "p1", machine: str = "m1") -> None:
    world.assign(player, machine=machine)
    world.start(game, machine)
    read = {"player": 1, "text": "7?0", "candidates": [700, 710], "confidence": 0.4, "evidence": HASH}
    world.fact("score.read", machine, game=game, **read)
    world.end(game, UNREAD, machine=machine)


def test_a_corrected_reading_labels_its_picture_with_what_was_read_and_who_decided(world: World):
    held(world)
    assert labelled(world.state) == []
    world.done(c.CorrectReading(reading="r1", score=710), OFFICIAL)
    (example,) = labelled(world.state)
    assert (example.value, example.text, example.proposed, example.candidates) == (710, "7?0", None, (700, 710))
    assert (example.decision, example.decided_by, example.machine, example.player) == ("corrected", "olga", "m1", 1)
    assert example.evidence == HASH


def test_rejected_readings_and_those_without_a_picture_label_nothing(world: World):
    held(world)
    world.done(c.RejectReading(reading="r1", why="not his"), OFFICIAL)
    world.play("G2", "p2", UNREAD)
    world.done(c.CorrectReading(reading="r2", score=5), OFFICIAL)
    assert labelled(world.state) == []


def test_an_undone_decision_labels_nothing_until_it_is_restored(world: World):
    held(world)
    world.done(c.CorrectReading(reading="r1", score=710), OFFICIAL)
    world.done(c.UndoEntry(tournament="club", number=1, why="wrong picture"), OFFICIAL)
    assert labelled(world.state) == []
    world.done(c.RestoreEntry(tournament="club", number=1, why="right after all"), OFFICIAL)
    assert [example.value for example in labelled(world.state)] == [710]


def test_a_score_that_was_corrected_in_the_log_no_longer_labels_the_picture(world: World):
    held(world)
    world.done(c.CorrectReading(reading="r1", score=710), OFFICIAL)
    game = world.log()[0]["game"]
    entry = {"correct": game, "scores": {"p1": 7100}, "why": "a digit was missing"}
    world.done(c.RecordEntry(tournament="club", entry=entry, why="a digit was missing"), ADMIN)
    assert labelled(world.state) == []


def test_examples_come_in_the_order_of_their_decisions_and_can_be_asked_for_by_machine_and_place(world: World):
    held(world, "G1", "p1", "m1")
    held(world, "G2", "p2", "m2")
    world.done(c.CorrectReading(reading="r2", score=720), OFFICIAL)
    world.done(c.CorrectReading(reading="r1", score=710), OFFICIAL)
    first, second = labelled(world.state)
    assert (first.reading, second.reading) == ("r2", "r1")
    assert labelled(world.state, after=first.position) == [second]
    assert labelled(world.state, machine="m2") == [first]
