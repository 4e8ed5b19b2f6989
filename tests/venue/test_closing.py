"""Closing a stage: what is open is named, what comes late is kept and does not count, what is unsure waits."""

from typing import Any

import pytest

from server.core import rules
from server.core.venue import commands as c
from server.core.venue.closing import Silence, open_in
from server.core.venue.outcomes import Conflict, Decision
from server.core.venue.tables import changed
from server.core.venue.times import moment
from server.core.venue.values import Place

from .conftest import ADMIN, HEAD, KEEPER, OFFICIAL, World

TPC: dict[str, Any] = {
    "tournament": "Toronto",
    "preset": "tpc",
    "rules": {"qualifiers_min": 1},
    "players": [{"id": f"p{n}", "name": f"Player {n}", "division": "A"} for n in range(1, 10)],
    "machines": [{"id": "m1", "name": "Machine One", "division": "A"}, {"id": "m2", "name": "M2", "division": "A"}],
}


@pytest.fixture
def toronto(world: World) -> World:
    """A tournament in which nothing counts that was unfinished at the close."""
    world.done(c.OpenTournament(id="tpc", head=TPC))
    return world


def close(world: World, stage: str = "qualifying", *, despite: bool = False, **more: Any) -> Decision | Any:  # noqa: ANN401 - passed on
    silent = more.pop("silent", ())
    command = c.RecordEntry(
        tournament=world.state.current or "", entry={"close": stage, **more}, despite_open=despite, silent=silent
    )
    return world.do(command, OFFICIAL)


def standings(world: World, tournament: str = "club") -> dict[str, Any]:
    page = world.book.page(world.state, tournament)
    outcome: Any = rules.evaluate(page.tournament)
    return {row["who"]: row.get("score", row.get("points")) for row in outcome["stages"][0]["standings"]}


def still_open(world: World, stage: str = "qualifying") -> list[str]:
    tournament = world.state.tournaments[world.state.current or ""]
    page = world.book.page(world.state, tournament.id)
    return [one.key for one in open_in(world.state, tournament, stage, page.closes.get(stage))]


def test_a_close_names_every_reading_and_running_game_and_silent_agent(world: World):
    world.play("G1", "p1", {"player": 1, "score": 900, "confidence": 0.5})
    world.assign("p2", machine="m2")
    world.start("G2", "m2")
    outcome = close(
        world, silent=(Silence(agent="pi-1", why="is not heard"), Silence(agent="pi-9", why="is not heard"))
    )
    assert isinstance(outcome, Conflict)
    assert [one["kind"] for one in outcome.newer["open"]] == ["reading", "running", "agent"]
    assert "reading r1" in outcome.why
    assert "despite_open" in outcome.why
    assert world.log() == []


def test_an_official_may_close_all_the_same_and_the_log_says_what_was_open(world: World):
    world.play("G1", "p1", {"player": 1, "score": 900, "confidence": 0.5})
    outcome = close(world, despite=True)
    assert isinstance(outcome, Decision)
    entry = world.state.entries["club", 1]
    assert (entry.who, entry.open) == ("olga", ("reading:r1",))
    assert still_open(world) == ["reading:r1"]
    world.done(c.ConfirmReading(reading="r1"), OFFICIAL)
    assert still_open(world) == []
    assert standings(world) == {"p1": 900}


def test_with_nothing_open_a_stage_just_closes(world: World):
    world.play("G1", "p1", 900)
    assert isinstance(close(world), Decision)


def test_what_began_before_the_close_counts_and_what_began_after_is_kept_and_does_not(world: World):
    world.assign("p1")
    world.start("G1")
    world.now += 10_000
    assert isinstance(close(world, despite=True), Decision)
    world.now += 10_000
    world.assign("p2", machine="m2")
    world.start("G2", "m2")
    assert still_open(world) == ["game:G1"]
    world.end("G1", 700)
    world.end("G2", 800, machine="m2")
    assert standings(world) == {"p1": 700}
    late = world.state.games["G2"]
    assert late.status == "posted"
    assert late.against is not None
    assert "closed" in late.against
    assert world.state.entries["club", late.entry or 0].despite == late.against
    assert still_open(world) == []


def test_a_late_game_counts_when_the_close_is_taken_back(world: World):
    assert isinstance(close(world), Decision)
    world.now += 10_000
    world.play("G1", "p1", 700)
    assert standings(world) == {}
    world.done(c.UndoEntry(tournament="club", number=1, why="too early"), OFFICIAL)
    assert standings(world) == {"p1": 700}


def test_where_the_uncertainty_spans_the_close_an_official_decides_and_is_told_both_times(world: World):
    world.assign("p1")
    world.fact("game.started", game="G1", players=1, joined_late=False)
    began = world.state.games["G1"].started or 0
    world.state.games["G1"] = changed(world.state.games["G1"], started_within=5_000)
    at = moment(began - 2_000)
    assert isinstance(close(world, despite=True, at=at), Decision)
    world.now += 10_000
    world.end("G1", 700)
    game = world.state.games["G1"]
    assert game.status == "waiting"
    assert at in game.why[0]
    assert moment(began + 5_000) in game.why[0]
    assert standings(world) == {}
    decided = c.MatchGame(
        game="G1", place=Place(tournament="club"), players=("p1",), why="I saw it", started=began - 3_000
    )
    world.done(decided, OFFICIAL)
    assert standings(world) == {"p1": 700}


def test_a_start_of_which_nothing_certain_is_known_is_never_decided_by_the_program(world: World):
    assert isinstance(close(world), Decision)
    world.now += 10_000
    world.start("G1", certain=False)
    world.end("G1", 700, certain=False)
    world.done(c.MatchGame(game="G1", place=Place(tournament="club"), players=("p1",)), OFFICIAL)
    for reading in world.waiting():
        world.done(c.ConfirmReading(reading=reading), OFFICIAL)
    game = world.state.games["G1"]
    assert (game.status, standings(world)) == ("waiting", {})
    assert "or before" in game.why[0]


def test_a_reading_taken_before_the_close_counts_though_confirmed_after_it(world: World):
    world.play("G1", "p1", {"player": 1, "score": 900, "confidence": 0.5})
    world.now += 10_000
    assert isinstance(close(world, despite=True), Decision)
    world.now += 60_000
    world.done(c.ConfirmReading(reading="r1"), OFFICIAL)
    assert standings(world) == {"p1": 900}


def test_where_nothing_unfinished_counts_a_game_that_ended_before_is_held_and_one_after_is_kept_as_late(toronto: World):
    def play(game: str, machine: str, player: str, score: object) -> None:
        toronto.done(c.Assign(machine=machine, place=Place(tournament="tpc"), players=(player,)))
        toronto.start(game, machine)
        toronto.end(game, score, machine=machine)

    play("G1", "m1", "p1", {"player": 1, "score": 900, "confidence": 0.5})
    toronto.done(c.Assign(machine="m2", place=Place(tournament="tpc"), players=("p2",)))
    toronto.start("G2", "m2")
    toronto.now += 10_000
    assert isinstance(close(toronto, "A/qualifying", despite=True), Decision)
    toronto.now += 10_000
    toronto.end("G2", 500, machine="m2")
    toronto.done(c.ConfirmReading(reading="r1"), OFFICIAL)
    assert standings(toronto, "tpc") == {}
    assert toronto.state.games["G2"].against is not None
    held = toronto.state.games["G1"]
    assert held.status == "waiting"
    assert "undo the close" in held.why[0]
    number = toronto.state.tournaments["tpc"].entries
    close_number = next(n for n in range(1, number + 1) if "close" in toronto.state.entries["tpc", n].entry)
    toronto.done(c.UndoEntry(tournament="tpc", number=close_number, why="to count G1"), OFFICIAL)
    toronto.done(c.MatchGame(game="G1", place=Place(tournament="tpc"), players=("p1",)), OFFICIAL)
    assert standings(toronto, "tpc")["p1"] == 50


def test_a_game_that_counts_though_it_began_after_a_close_dated_back_is_named(world: World):
    world.play("G1", "p1", 700)
    outcome = close(world, at=moment(world.now - 60_000))
    assert isinstance(outcome, Conflict)
    assert [one["kind"] for one in outcome.newer["open"]] == ["late"]


def test_somebody_else_s_tournament_holds_nothing_open(world: World):
    world.play("G1", "p1", {"player": 1, "score": 900, "confidence": 0.5})
    world.done(c.OpenTournament(id="other", head=HEAD), ADMIN)
    assert isinstance(close(world), Decision)


def test_only_officials_close(world: World):
    outcome = world.do(c.RecordEntry(tournament="club", entry={"close": "qualifying"}, despite_open=True), KEEPER)
    assert not isinstance(outcome, Decision)


def test_a_player_in_two_games_at_once_is_held(world: World):
    world.play("G0", "p2", 1)
    world.assign("p1")
    world.start("G1")
    world.now += 60_000
    world.end("G1", 700)
    began = world.now - 30_000
    world.assign("p1", machine="m2")
    world.fact("game.started", "m2", game="G2", players=1, joined_late=False, when=began)
    world.end("G2", 800, machine="m2")
    game = world.state.games["G2"]
    assert game.status in {"waiting", "unmatched"}
    assert standings(world) == {"p1": 700, "p2": 1}
    if game.status == "unmatched":
        world.done(c.MatchGame(game="G2", place=Place(tournament="club"), players=("p1",)), OFFICIAL)
    for reading in world.waiting():
        world.done(c.ConfirmReading(reading=reading), OFFICIAL)
    assert "two games at once" in world.state.games["G2"].why[0]


def test_a_game_whose_start_nobody_heard_is_an_officials_matter_after_the_close(world: World):
    assert isinstance(close(world), Decision)
    world.now += 10_000
    world.end("G1", 700)
    world.done(c.MatchGame(game="G1", place=Place(tournament="club"), players=("p1",)), OFFICIAL)
    for reading in world.waiting():
        world.done(c.ConfirmReading(reading=reading), OFFICIAL)
    game = world.state.games["G1"]
    assert game.status == "waiting"
    assert f"{moment(game.ended or 0)} or before" in game.why[0]
    assert standings(world) == {}


def test_a_typed_game_that_began_after_a_close_dated_back_is_named_too(world: World):
    at = world.now + 50_000
    for who, began in (("p1", at - 1), ("p2", at)):
        entry = {"game": None, "machine": "m1", "scores": {who: 5}, "started_at": moment(began), "at": moment(at + 9)}
        world.done(c.RecordEntry(tournament="club", entry=entry))
    outcome = close(world, at=moment(at))
    assert isinstance(outcome, Conflict)
    assert [(one["kind"], one["id"]) for one in outcome.newer["open"]] == [("late", "2")]
    assert isinstance(close(world, at=moment(at), despite=True), Decision)
    assert world.state.entries["club", 3].open == ("entry:2",)


def test_a_typed_game_of_the_same_millisecond_as_the_close_was_there_before_it(world: World):
    at = world.now + 50_000
    entry = {"game": None, "machine": "m1", "scores": {"p1": 5}, "at": moment(at)}
    world.done(c.RecordEntry(tournament="club", entry=entry))
    assert isinstance(close(world, at=moment(at)), Decision)
