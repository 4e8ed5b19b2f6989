"""The one writer: what it answers is on disk, what it does is done once, and it goes on after a failure."""

import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from bridge.wire.control import Status
from server.core.venue import commands as c
from server.core.venue.evolve import fold
from server.core.venue.outcomes import Conflict, Done, Refused
from server.desk import Desk
from server.errors import StoreUnavailable
from server.filing import from_record
from server.ingest.presence import AgentOnline, TwoBoots
from server.store.database import Store

from .conftest import ADMIN, OFFICIAL, PLACE, Pi


def assign(desk: Desk, machine: str, *players: str) -> None:
    assert isinstance(desk.submit(c.Assign(machine=machine, place=PLACE, players=players), ADMIN), Done)


def scores(desk: Desk) -> dict[str, int]:
    outcome = desk.standings.of("club").outcome
    return {row["who"]: row["score"] for row in outcome["stages"][0]["standings"]}


def test_a_game_goes_from_frame_to_standings(desk: Desk):
    pi = Pi()
    assign(desk, "m1", "p1")
    _, entries = pi.game("m1", 48_213_340)
    [ack] = desk.take([pi.frame(*entries)])
    assert (ack.stream, ack.through) == (pi.stream, 2)
    assert scores(desk) == {"p1": 48_213_340}


def test_what_was_acknowledged_is_there_after_a_restart(desk: Desk, open_desk: Callable[[], Desk]):
    pi = Pi()
    for number in range(1, 5):
        assign(desk, "m1", f"p{number}")
        _, entries = pi.game("m1", number * 100)
        desk.take([pi.frame(*entries)])
    before = desk._state
    desk.close()
    again = open_desk()
    assert again._state == before
    assert scores(again) == {"p1": 100, "p2": 200, "p3": 300, "p4": 400}
    assert again.cursor("pi-1", pi.stream).through == 8
    assert again.incarnation > desk.incarnation


def test_the_ledger_alone_gives_the_state(desk: Desk, path: Path):
    pi = Pi()
    assign(desk, "m1", "p1")
    desk.take([pi.frame(*pi.game("m1", None)[1], *pi.game("m2", 5)[1])])
    desk.submit(c.CorrectReading(reading="r1", score=777), OFFICIAL)
    store = Store.open(str(path))
    folded = fold(happened for record in store.records(0, 10_000) if (happened := from_record(record)))
    store.close()
    assert folded == desk._state
    assert scores(desk) == {"p1": 777}


def test_the_same_frames_again_change_nothing(desk: Desk):
    pi = Pi()
    assign(desk, "m1", "p1")
    frame = pi.frame(*pi.game("m1", 500)[1])
    first = desk.take([frame, frame])
    position = desk.hub.position
    again = desk.take([frame])
    assert [ack.through for ack in [*first, *again]] == [2, 2, 2]
    assert desk.hub.position == position
    assert scores(desk) == {"p1": 500}


def test_a_command_sent_twice_is_done_once_also_after_a_restart(desk: Desk, open_desk: Callable[[], Desk]):
    game = c.RecordEntry(tournament="club", entry={"game": None, "machine": "m1", "scores": {"p1": 5}})
    first = desk.submit(game, ADMIN, "k1")
    second = desk.submit(game, ADMIN, "k1")
    assert isinstance(first, Done)
    assert (second.position, second.result, second.again) == (first.position, first.result, True)
    desk.close()
    third = open_desk().submit(game, ADMIN, "k1")
    assert (third.position, third.result, third.again) == (first.position, dict(first.result), True)


def test_a_key_belongs_to_one_command_and_one_person(desk: Desk):
    desk.submit(c.RecordEntry(tournament="club", entry={"buy": "p1", "entries": 1}), ADMIN, "k1")
    other = c.RecordEntry(tournament="club", entry={"buy": "p2", "entries": 1})
    assert isinstance(desk.submit(other, ADMIN, "k1"), Refused)
    assert isinstance(desk.submit(other, OFFICIAL, "k1"), Done)


def test_two_officials_at_once_decide_a_reading_once(desk: Desk):
    pi = Pi()
    assign(desk, "m1", "p1")
    desk.take([pi.frame(*pi.game("m1", None)[1])])
    outcomes = []
    barrier = threading.Barrier(8)

    def decide(score: int) -> None:
        barrier.wait()
        outcomes.append(desk.submit(c.CorrectReading(reading="r1", score=score), OFFICIAL))

    threads = [threading.Thread(target=decide, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(isinstance(outcome, Done) for outcome in outcomes) == 1
    assert sum(isinstance(outcome, Conflict) for outcome in outcomes) == 7
    assert len(scores(desk)) == 1


def test_an_entry_nobody_understands_is_kept_shown_and_acknowledged(desk: Desk):
    pi = Pi()
    strange = pi.entry("game.levitated", "m1", {"height": 3})
    [ack] = desk.take([pi.frame(strange, pi.entry("fault.raised", "m1", {"fault": "tilt"}))])
    assert ack.through == 2
    with desk.reading() as state:
        [trouble] = state.troubles.values()
        assert "game.levitated" in trouble.text
        assert {m.fault for m in state.malfunctions.values()} == {"facts-not-understood", "tilt"}


def test_lost_entries_are_said_aloud(desk: Desk):
    pi = Pi()
    pi.seq = 479
    [ack] = desk.take([pi.frame(pi.entry("fault.raised", "m1", {"fault": "tilt"}), floor=480)])
    assert ack.through == 480
    with desk.reading() as state:
        assert any("1 to 479" in trouble.text for trouble in state.troubles.values())
        assert "facts-lost" in {m.fault for m in state.malfunctions.values()}


def test_two_computers_under_one_name_are_an_alarm_that_names_both(desk: Desk):
    desk.presence(TwoBoots(agent="pi-1", hosts=("pi-a", "pi-b"), boots=("1", "2")))
    desk.presence(TwoBoots(agent="pi-1", hosts=("pi-a", "pi-b"), boots=("1", "2")))
    with desk.reading() as state:
        [alarm] = state.malfunctions.values()
        assert "pi-a and pi-b" in alarm.detail


def test_presence_is_not_stored(desk: Desk, open_desk: Callable[[], Desk]):
    status = Status(state="online", session=1, stream=Pi().stream, boot="b")
    desk.presence(AgentOnline(agent="pi-1", status=status))
    assert desk.floor.agents()["pi-1"].state(status.session) == "online"
    desk.close()
    assert open_desk().floor.agents() == {}


@pytest.fixture
def full_disk(desk: Desk) -> Callable[[bool], None]:
    """A database that takes no more pages: SQLite then says what it says on a full disk."""

    def full(yes: bool) -> None:  # noqa: FBT001 - a switch
        proxy = desk._store.engine.raw_connection()  # the pool gives the one that was used last: the writer's
        connection: sqlite3.Connection = proxy.driver_connection
        [used] = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count={used if yes else 1_000_000}")
        proxy.close()

    return full


def test_on_a_full_disk_nothing_is_acknowledged_and_it_goes_on_when_there_is_room(
    desk: Desk, full_disk: Callable[[bool], None], open_desk: Callable[[], Desk]
):
    pi = Pi()
    assign(desk, "m1", "p1")
    position = desk.hub.position
    full_disk(True)
    frame = pi.frame(*pi.game("m1", 500)[1], *[pi.entry("fault.raised", "m1", {"fault": f"f-{n}"}) for n in range(30)])
    with pytest.raises(StoreUnavailable, match="full"):
        desk.take([frame])
    entry = {"game": "typed", "machine": "m2", "scores": {"p2": 5}}
    typed = c.RecordEntry(tournament="club", entry=entry, why="x" * 100_000)
    with pytest.raises(StoreUnavailable, match="full"):
        desk.submit(typed, ADMIN)
    assert desk.check() is not None
    assert desk.hub.position == position
    assert scores(desk) == {}
    full_disk(False)
    [ack] = desk.take([frame])
    assert ack.through == 32
    assert isinstance(desk.submit(typed, ADMIN), Done)
    assert desk.check() is None
    assert scores(desk) == {"p1": 500, "p2": 5}
    before = desk._state
    desk.close()
    assert open_desk()._state == before


def test_one_job_that_fails_stops_no_other(desk: Desk):
    hold, held = threading.Event(), threading.Event()

    def wait(_: object) -> None:
        held.set()
        hold.wait(10)

    def fail(_: object) -> None:
        raise ZeroDivisionError

    first = desk._ask(wait)
    held.wait(10)
    bad = desk._ask(fail)
    good = desk.submitted(c.RecordEntry(tournament="club", entry={"buy": "p1", "entries": 1}), ADMIN)
    hold.set()
    first.result(10)
    with pytest.raises(ZeroDivisionError):
        bad.result(10)
    assert isinstance(good.result(10), Done)
    assert isinstance(desk.submit(c.RecordEntry(tournament="club", entry={"buy": "p2", "entries": 1}), ADMIN), Done)


def test_what_is_committed_is_not_done_again_when_a_listener_fails(desk: Desk):
    def fail(_: object) -> None:
        raise ZeroDivisionError

    desk.hub.listen(fail)
    game = c.RecordEntry(tournament="club", entry={"game": None, "machine": "m1", "scores": {"p1": 5}})
    outcomes = [future.result(10) for future in [desk.submitted(game, ADMIN) for _ in range(5)]]
    assert [outcome.result["number"] for outcome in outcomes] == [1, 2, 3, 4, 5]
    with desk.reading() as state:
        assert state.tournaments["club"].entries == 5


def test_a_closed_desk_says_so(desk: Desk):
    desk.close()
    with pytest.raises(StoreUnavailable, match="closed"):
        desk.submit(c.Freeze(machine="m1"), ADMIN)
    assert desk.check() is not None
