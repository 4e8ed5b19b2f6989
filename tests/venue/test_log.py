"""Tournaments and their log: what is recorded, who may, and how it is undone, restored, moved."""

import pytest

from server.core import rules
from server.core.venue import commands as c
from server.core.venue.outcomes import Actor, Conflict, Decision, Refused
from server.core.venue.values import Place

from .conftest import HEAD, KEEPER, OFFICIAL, PLACE, World


def standings(world: World) -> dict[str, int]:
    outcome = rules.evaluate(world.book.page(world.state, "club").tournament)
    assert outcome["refused"] == []
    return {row["who"]: row["score"] for row in outcome["stages"][0]["standings"]}


def record(world: World, actor: Actor = OFFICIAL, **entry: object) -> Decision | Refused | Conflict:
    return world.do(c.RecordEntry(tournament="club", entry=entry), actor)


def test_a_typed_game_gets_an_id_and_counts(world: World):
    result = world.done(
        c.RecordEntry(tournament="club", entry={"game": None, "machine": "m1", "scores": {"p1": 5}}), KEEPER
    )
    assert result["game"] == "g1"
    assert standings(world) == {"p1": 5}


def test_a_typed_game_takes_its_players_off_the_machine(world: World):
    world.assign("p1")
    record(world, game=None, machine="m1", scores={"p1": 5})
    assert world.state.machines["m1"].assignment is None


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ({"game": None, "machine": "m1", "scores": {"p9": 5}}, "p9"),
        ({"game": None, "machine": "m9", "scores": {"p1": 5}}, "m9"),
        ({"game": None, "machine": "m1", "scores": {"p1": -5}}, "whole number"),
        ({"game": None, "machine": "m1", "scores": {"p1": True}}, "whole number"),
        ({"game": None, "machine": "m1", "scores": {"p1": 5.0}}, "whole number"),
        ({"game": None, "machine": "m1", "scores": {}}, "scores"),
        ({"game": None, "machine": "m1", "scores": {"p1": 5}, "joke": 1}, "joke"),
        ({"bought": "p1"}, "first key"),
        ({"buy": "p1", "entries": "six"}, "entries"),
        ({"void": "g7", "why": "x"}, "g7"),
        ({"void": "g7"}, "reason|g7"),
        ({}, "first key"),
    ],
)
def test_an_entry_that_makes_no_sense_is_refused_with_what_is_wrong(world: World, entry: dict, reason: str):
    outcome = world.do(c.RecordEntry(tournament="club", entry=entry))
    assert isinstance(outcome, Refused)
    assert any(word in outcome.why for word in reason.split("|")), outcome.why
    assert world.log() == []


def test_two_games_of_one_id_are_a_conflict(world: World):
    record(world, game="g1", machine="m1", scores={"p1": 5})
    assert isinstance(record(world, game="g1", machine="m1", scores={"p2": 5}), Conflict)


@pytest.mark.parametrize(
    ("role", "entry", "allowed"),
    [
        ("desk", {"buy": "p1", "entries": 2}, True),
        ("scorekeeper", {"buy": "p1", "entries": 2}, False),
        ("scorekeeper", {"game": None, "machine": "m1", "scores": {"p1": 5}}, True),
        ("desk", {"game": None, "machine": "m1", "scores": {"p1": 5}}, False),
        ("scorekeeper", {"close": "qualifying"}, False),
        ("official", {"close": "qualifying"}, True),
        ("viewer", {"buy": "p1", "entries": 2}, False),
        ("captain", {"buy": "p1", "entries": 2}, False),
    ],
)
def test_who_may_record_what(world: World, role: str, entry: dict, *, allowed: bool):
    outcome = record(world, Actor(name="x", roles=frozenset({role})), **entry)
    assert isinstance(outcome, Decision) == allowed, outcome
    if not allowed:
        assert outcome.status == "forbidden"


def test_only_an_admin_opens_a_tournament(world: World):
    outcome = world.do(c.OpenTournament(id="other", head=HEAD), OFFICIAL)
    assert isinstance(outcome, Refused)


def test_a_head_that_the_rules_cannot_read_is_refused(world: World):
    outcome = world.do(c.OpenTournament(id="other", head={**HEAD, "preset": "chess"}))
    assert isinstance(outcome, Refused)
    assert "chess" in outcome.why


def test_edit_move_undo_redo_void_restore(world: World):
    """P8's game is entered for P7, corrected, moved, and everything taken back and forth: report E04."""
    record(world, game="g1", machine="m2", scores={"p5": 640_000})
    record(world, correct="g1", scores={"p5": 650_000}, why="mistyped")
    assert standings(world) == {"p5": 650_000}
    world.done(c.MoveGame(tournament="club", game="g1", who="p5", to="p6", why="it was P6"), OFFICIAL)
    assert standings(world) == {"p6": 650_000}
    world.done(c.UndoEntry(tournament="club", number=3, why="or was it"), OFFICIAL)
    assert standings(world) == {"p5": 650_000}
    world.done(c.RestoreEntry(tournament="club", number=3, why="it was"), OFFICIAL)
    assert standings(world) == {"p6": 650_000}
    record(world, void="g1", why="wrong machine")
    assert standings(world) == {}
    world.done(c.UndoEntry(tournament="club", number=4, why="right machine"), OFFICIAL)
    assert standings(world) == {"p6": 650_000}
    moved = world.state.entries["club", 3]
    assert (moved.who, moved.why, moved.changed_by, moved.replaces) == ("olga", "it was P6", "olga", (1, 2))
    assert world.state.entries["club", 1].entry["scores"] == {"p5": 640_000}


def test_undoing_the_entry_of_a_capture_brings_the_capture_back_to_the_queue(world: World):
    world.play("G1", "p1", 700)
    world.done(c.UndoEntry(tournament="club", number=1, why="wrong player"), OFFICIAL)
    assert world.state.games["G1"].status == "waiting"
    assert world.log() == []
    world.done(c.MatchGame(game="G1", place=PLACE, players=("p2",)), OFFICIAL)
    assert standings(world) == {"p2": 700}
    outcome = world.do(c.RestoreEntry(tournament="club", number=1, why="no, it was p1"), OFFICIAL)
    assert isinstance(outcome, Refused), "one capture must not count twice"
    world.done(c.UndoEntry(tournament="club", number=2, why="again"), OFFICIAL)
    world.done(c.RestoreEntry(tournament="club", number=1, why="it was p1"), OFFICIAL)
    assert standings(world) == {"p1": 700}
    assert world.state.games["G1"].status == "posted"


def test_moving_a_captured_game_keeps_its_capture(world: World):
    world.play("G1", "p1", 700)
    world.done(c.MoveGame(tournament="club", game="g1", who="p1", to="p2", why="mix-up"), OFFICIAL)
    assert standings(world) == {"p2": 700}
    assert world.state.games["G1"].entry == 2
    world.done(c.UndoEntry(tournament="club", number=2, why="no mix-up"), OFFICIAL)
    assert world.state.games["G1"].entry == 1
    assert world.state.games["G1"].status == "posted"
    assert standings(world) == {"p1": 700}


def test_a_replaced_entry_cannot_be_undone_under_its_successor(world: World):
    world.play("G1", "p1", 700)
    world.done(c.MoveGame(tournament="club", game="g1", who="p1", to="p2", why="mix-up"), OFFICIAL)
    assert isinstance(world.do(c.UndoEntry(tournament="club", number=1, why="x"), OFFICIAL), Refused)


def test_undoing_twice_is_a_conflict_that_names_who(world: World):
    record(world, buy="p1", entries=2)
    world.done(c.UndoEntry(tournament="club", number=1, why="x"), OFFICIAL)
    outcome = world.do(c.UndoEntry(tournament="club", number=1, why="x"))
    assert isinstance(outcome, Conflict)
    assert outcome.newer["by"] == "olga"


def test_a_correction_based_on_an_older_look_at_that_game_is_a_conflict(world: World):
    record(world, game="g1", machine="m1", scores={"p1": 5})
    seen = world.state.tournaments["club"].version
    record(world, buy="p2", entries=1)
    record(world, correct="g1", scores={"p1": 6}, why="mistyped")
    late = c.RecordEntry(tournament="club", entry={"correct": "g1", "scores": {"p1": 7}, "why": "x"}, based_on=seen)
    outcome = world.do(late)
    assert isinstance(outcome, Conflict)
    assert outcome.newer["by"] == "olga"
    assert outcome.newer["entry"]["scores"] == {"p1": 6}


def test_what_others_did_elsewhere_is_no_conflict(world: World):
    record(world, game="g1", machine="m1", scores={"p1": 5})
    seen = world.state.tournaments["club"].version
    record(world, buy="p2", entries=1)
    entry = {"correct": "g1", "scores": {"p1": 7}, "why": "x"}
    world.done(c.RecordEntry(tournament="club", entry=entry, based_on=seen))
    assert standings(world) == {"p1": 7}


def test_against_the_rules_needs_an_official_who_says_so(world: World):
    record(world, close="qualifying")
    game = {"game": None, "machine": "m1", "scores": {"p1": 5}}
    outcome = world.do(c.RecordEntry(tournament="club", entry=game), KEEPER)
    assert isinstance(outcome, Refused)
    assert "closed" in outcome.why
    assert isinstance(world.do(c.RecordEntry(tournament="club", entry=game, despite_rules=True), KEEPER), Refused)
    world.done(c.RecordEntry(tournament="club", entry=game, despite_rules=True), OFFICIAL)
    assert world.state.entries["club", 2].despite


def test_nobody_can_record_what_the_rules_cannot_read(world: World):
    entry = {"buy": "p1", "entries": "six"}
    assert isinstance(world.do(c.RecordEntry(tournament="club", entry=entry, despite_rules=True)), Refused)


def test_players_are_added_once(world: World):
    world.done(c.AddPlayers(tournament="club", players=({"id": "p7", "name": "Łukasz"},)))
    assert "p7" in world.state.tournaments["club"].players
    assert isinstance(world.do(c.AddPlayers(tournament="club", players=({"id": "p7"},))), Conflict)
    record(world, game=None, machine="m1", scores={"p7": 5})
    assert standings(world) == {"p7": 5}


def test_correcting_what_is_void_asks_first(world: World):
    record(world, game="g1", machine="m1", scores={"p1": 5})
    record(world, void="g1", why="ball stuck")
    correction = {"correct": "g1", "scores": {"p1": 6}, "why": "misread"}
    outcome = world.do(c.RecordEntry(tournament="club", entry=correction), OFFICIAL)
    assert isinstance(outcome, Refused)
    assert "void" in outcome.why
    world.done(c.RecordEntry(tournament="club", entry=correction, despite_rules=True), OFFICIAL)


def test_a_new_tournament_takes_over_what_is_broken_and_not_what_another_one_decided(world: World):
    record(world, machine="m1", status="closed")
    record(world, machine="m2", status="down")
    world.done(c.OpenTournament(id="next", head=HEAD))
    assert [world.state.machines[name].condition for name in ("m1", "m2")] == ["up", "down"]
    world.done(c.Assign(machine="m1", players=("p1",), place=Place(tournament="next")))
    broken = world.do(c.Assign(machine="m2", players=("p2",), place=Place(tournament="next")))
    assert isinstance(broken, Refused)
    assert "record that it is up first (machine: m2, status: up)" in broken.why
    world.done(c.RecordEntry(tournament="next", entry={"machine": "m2", "status": "up"}))
    world.done(c.Assign(machine="m2", players=("p2",), place=Place(tournament="next")))
