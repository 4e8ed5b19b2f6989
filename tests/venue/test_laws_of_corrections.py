"""Laws of corrections: in whatever order, a recorded game is never lost, doubled or unexplained."""

from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from server.core import rules
from server.core.venue import commands as c
from server.core.venue.closing import open_in
from server.core.venue.evolve import fold
from server.core.venue.outcomes import Decision, Refused
from server.core.venue.story import entry_now, places_of, scores_now, story
from server.core.venue.values import entry_kind

from .conftest import HEAD, OFFICIAL, PLACE, World

PLAYERS = st.sampled_from([f"p{n}" for n in range(1, 5)])
GAMES = st.sampled_from(["g1", "g1", "g2", "g9"])
NUMBER = st.integers(1, 8)
SCORE = st.one_of(st.integers(0, 999), st.just(10**18))
MACHINES = st.sampled_from(["m1", "m2"])


def entry(**fields: Any) -> c.RecordEntry:  # noqa: ANN401 - an entry
    despite = fields.pop("despite", False)
    return c.RecordEntry(
        tournament="club", entry={**fields, "why": "because"}, despite_open=True, despite_rules=despite
    )


def move(game: str, who: str, to: str, *, despite: bool = False) -> c.MoveGame:
    return c.MoveGame(tournament="club", game=game, who=who, to=to, why="mix-up", despite_rules=despite)


CHANGES = st.one_of(
    st.tuples(st.just("move"), GAMES, PLAYERS, st.booleans()),
    st.builds(lambda n: c.UndoEntry(tournament="club", number=n, why="no"), NUMBER),
    st.builds(lambda n: c.RestoreEntry(tournament="club", number=n, why="yes"), NUMBER),
)
OTHERS = st.one_of(
    st.builds(lambda p, m, s: entry(game=None, machine=m, scores={p: s}), PLAYERS, MACHINES, SCORE),
    st.builds(lambda p, q, s: entry(game=None, machine="m1", scores={p: s, q: s + 1}), PLAYERS, PLAYERS, SCORE),
    st.builds(lambda g, p, s, d: entry(correct=g, scores={p: s}, despite=d), GAMES, PLAYERS, SCORE, st.booleans()),
    st.builds(lambda g, p: entry(void=g, who=p), GAMES, st.one_of(st.none(), PLAYERS)),
    st.builds(lambda g, p, k: entry(ruling=g, who=p, kind=k), GAMES, PLAYERS, st.sampled_from(["zero", "stand"])),
    st.builds(lambda g, h, p: entry(ruling=g, who=p, kind="best-of", games=[h]), GAMES, GAMES, PLAYERS),
    st.builds(lambda g, p: entry(penalty=p, game=g, **{"for": "disqualified"}), GAMES, PLAYERS),
    st.just(entry(close="qualifying")),
    st.builds(lambda p: c.Withdraw(tournament="club", player=p, why="ill"), PLAYERS),
    st.builds(lambda p: c.Return(tournament="club", player=p, why="well"), PLAYERS),
    st.just(c.SettleStage(tournament="club", stage="qualifying", why="prizes")),
    st.builds(lambda m, p: c.Assign(machine=m, place=PLACE, players=(p,)), MACHINES, PLAYERS),
    st.tuples(st.just("start"), MACHINES, st.booleans()),
    st.tuples(st.just("end"), MACHINES, st.integers(0, 99), st.sampled_from([1.0, 1.0, 0.5])),
    st.builds(lambda n: c.ConfirmReading(reading=f"r{n}"), st.integers(1, 5)),
    st.just(("wait",)),
)
STEPS = st.one_of(CHANGES, CHANGES, OTHERS)
FIRST = [entry(game=None, machine="m1", scores={"p1": 5}), entry(game=None, machine="m1", scores={"p2": 5, "p3": 6})]


def evening(steps: list[Any]) -> World:
    world = World()
    world.done(c.OpenTournament(id="club", head=HEAD))
    started = 0
    for what in [*FIRST, *steps]:
        if not isinstance(what, tuple):
            world.do(what, OFFICIAL)
        elif what[0] == "move":
            who = next(iter(scores_now(world.state, "club", what[1]) or {}), "p1")
            world.do(move(what[1], who, what[2], despite=what[3]), OFFICIAL)
        elif what[0] == "wait":
            world.now += 60_000
        elif what[0] == "start":
            started += 1
            world.start(f"G{started}", what[1], certain=what[2])
        elif (machine := world.state.machines[what[1]]).game is not None:
            world.end(machine.game, {"player": 1, "score": what[2], "confidence": what[3]}, machine=what[1])
    return world


@settings(max_examples=250, deadline=None)
@given(st.lists(STEPS, max_size=40))
def test_a_recorded_game_counts_once_or_somebody_said_why_not(steps: list[Any]):
    world = evening(steps)
    state = world.state
    counting = [one.entry["game"] for one in state.seen_by_rules("club") if entry_kind(one.entry) == "game"]
    assert len(counting) == len(set(counting))
    for game in {name for (_, name) in state.posted}:
        now = entry_now(state, "club", game)
        assert now is not None
        assert game in counting or now.undone


@settings(max_examples=200, deadline=None)
@given(st.lists(STEPS, max_size=40))
def test_the_story_of_a_game_ends_with_what_the_log_has(steps: list[Any]):
    world = evening(steps)
    for game in {name for (_, name) in world.state.posted}:
        places = set(places_of(world.state, "club", game))
        told = story(world.state, "club", game, [one for one in world.ledger if one.position in places])
        assert told[-1].new == scores_now(world.state, "club", game)
        assert all(before.new == after.old for before, after in pairwise(told))


@settings(max_examples=150, deadline=None)
@given(st.lists(STEPS, max_size=40))
def test_the_rules_can_always_say_where_everybody_stands_and_the_ledger_alone_gives_the_same(steps: list[Any]):
    world = evening(steps)
    page = world.book.page(world.state, "club")
    outcome: Any = rules.evaluate(page.tournament)
    counting = world.state.seen_by_rules("club")
    log = [dict(one.entry) for one in counting]
    assert outcome == rules.evaluate(rules.parse({"inlane": 1, **HEAD, "log": log}))
    assert page.numbers == tuple(one.number for one in counting)
    tournament = world.state.tournaments["club"]
    open_in(world.state, tournament, "qualifying", page.closes.get("qualifying"))
    assert fold(world.ledger) == world.state


@settings(max_examples=150, deadline=None)
@given(st.lists(STEPS, max_size=30), NUMBER)
def test_void_then_undo_and_move_then_undo_give_the_same_standings(steps: list[Any], number: int):
    world = evening(steps)
    before: Any = rules.evaluate(world.book.page(world.state, "club").tournament)
    last = world.state.tournaments["club"].entries
    commands: list[Any] = [
        entry(void=f"g{number}"),
        move(f"g{number}", "p1", "p4", despite=True),
    ]
    for command in commands:
        if isinstance(world.do(command, OFFICIAL), Decision):
            world.done(c.UndoEntry(tournament="club", number=last + 1, why="no"), OFFICIAL)
            last = world.state.tournaments["club"].entries
        after: Any = rules.evaluate(world.book.page(world.state, "club").tournament)
        assert after["stages"] == before["stages"]
        assert after["players"] == before["players"]


def test_of_two_moves_of_one_game_only_one_is_ever_in_force():
    world = evening([])
    assert isinstance(world.do(move("g1", "p1", "p2"), OFFICIAL), Decision)
    world.done(c.UndoEntry(tournament="club", number=3, why="no"), OFFICIAL)
    assert isinstance(world.do(move("g1", "p1", "p4"), OFFICIAL), Decision)
    outcome = world.do(c.RestoreEntry(tournament="club", number=3, why="yes"), OFFICIAL)
    assert isinstance(outcome, Refused)
    assert "entry 4 stands in for entry 1" in outcome.why
    world.done(c.UndoEntry(tournament="club", number=4, why="no"), OFFICIAL)
    world.done(c.RestoreEntry(tournament="club", number=3, why="yes"), OFFICIAL)
    assert scores_now(world.state, "club", "g1") == {"p2": 5}
    assert isinstance(world.do(c.UndoEntry(tournament="club", number=1, why="no"), OFFICIAL), Refused)


def test_a_game_that_moved_twice_counts_once():
    world = evening([])
    world.done(move("g1", "p1", "p2"), OFFICIAL)
    world.done(move("g1", "p2", "p4"), OFFICIAL)
    assert [one["scores"] for one in world.log()] == [{"p4": 5}, {"p2": 5, "p3": 6}]
    world.done(c.UndoEntry(tournament="club", number=4, why="no"), OFFICIAL)
    assert world.log()[0]["scores"] == {"p2": 5}
