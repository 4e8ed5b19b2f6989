"""Taking frames: once, in order, with nothing dropped and nothing made up."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, func, select

from bridge.wire.frame import Frame, Sent, decode
from server.store import inbox, incarnation, ledger
from server.store.engine import make_engine, reading, writing
from server.store.inbox import PARKED_LIMIT, Gap, NewFact, Quarantined, Taken
from server.store.schema import parked, stream

STREAM = "0199f0c2-6d0e-7c3a-8a53-5f3f4f5b6c7d"
OTHER = "0199f0c2-6d0e-7c3a-8a53-000000000000"


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    engine = make_engine(str(tmp_path / "ledger.db"))
    yield engine
    engine.dispose()


def name(seq: int) -> str:
    return f"0199f0d1-0000-7000-8000-{seq:012d}"


def entry(seq: int, **changed: Any) -> dict[str, Any]:  # noqa: ANN401
    at = {"boot": "b", "mono_ms": seq}
    whole = {"seq": seq, "id": name(seq), "kind": "clock.stepped", "machine": None, "at": at, "body": {"by_ms": seq}}
    return {**whole, **changed}


def frame(*entries: int | dict[str, Any], floor: int = 1, of: str = STREAM) -> Frame:
    told = [entry(item) if isinstance(item, int) else item for item in entries]
    raw = {"v": 1, "stream": of, "floor": floor, "sent": {"boot": "b", "mono_ms": 9}, "entries": told}
    return decode(json.dumps(raw).encode())


def take(engine: Engine, *frames: Frame, agent: str = "pi-1") -> list[Taken]:
    taken = []
    for one in frames:
        with writing(engine) as connection:
            taken.append(inbox.take(connection, agent, one, 1_000))
    return taken


def seqs(taken: Taken) -> list[int]:
    return [new.seq for new in taken.new]


def test_what_continues_the_stream_is_new_and_moves_the_cursor(engine: Engine):
    first, second = take(engine, frame(1, 2), frame(3))
    assert (seqs(first), first.through, first.gaps, first.parked) == ([1, 2], 2, (), 0)
    assert (seqs(second), second.through) == ([3], 3)
    new = first.new[0]
    assert isinstance(new, NewFact)
    assert (new.agent, new.stream, new.id, new.kind, new.body) == (
        "pi-1",
        STREAM,
        name(1),
        "clock.stepped",
        {"by_ms": 1},
    )
    assert (new.fact.by_ms, new.sent, new.received_at) == (1, Sent(boot="b", mono_ms=9), 1_000)


def test_taking_a_frame_again_changes_nothing(engine: Engine):
    _, again, overlapping = take(engine, frame(1, 2), frame(1, 2), frame(1, 2, 3))
    assert (again.new, again.through) == ((), 2)
    assert (seqs(overlapping), overlapping.through) == ([3], 3)


def test_early_entries_wait_for_the_ones_before_them(engine: Engine):
    early, again, last = take(engine, frame(3, 4), frame(4, 5), frame(1, 2))
    assert (early.new, early.through, early.parked) == ((), 0, 2)
    assert (again.new, again.parked) == ((), 3)
    assert (seqs(last), last.through, last.parked) == ([1, 2, 3, 4, 5], 5, 0)
    with reading(engine) as connection:
        assert connection.execute(select(func.count()).select_from(parked)).scalar_one() == 0


def test_a_hole_within_a_frame_waits_too(engine: Engine):
    [taken] = take(engine, frame(1, 2, 5))
    assert (seqs(taken), taken.through, taken.parked) == ([1, 2], 2, 1)


def test_what_lies_below_the_floor_is_a_gap_but_for_what_waited(engine: Engine):
    _, taken = take(engine, frame(3, 4), frame(8, floor=8))
    assert taken.gaps == (
        Gap(stream=STREAM, first=1, last=2),
        Gap(stream=STREAM, first=5, last=7),
    )
    assert (seqs(taken), taken.through) == ([3, 4, 8], 8)


def test_a_floor_loses_nothing_that_is_still_to_come(engine: Engine):
    taken, rest = take(engine, frame(9, floor=4), frame(4, 5, 6, 7, 8, floor=4))
    assert taken.gaps == (Gap(stream=STREAM, first=1, last=3),)
    assert (taken.new, taken.through, taken.parked) == ((), 3, 1)
    assert (seqs(rest), rest.gaps, rest.through) == ([4, 5, 6, 7, 8, 9], (), 9)


def test_what_was_given_up_and_comes_after_all_is_new_and_no_fork(engine: Engine):
    _, late = take(engine, frame(5, floor=5), frame(2, 3))
    assert (seqs(late), late.through, late.forked) == ([2, 3], 5, ())


def test_a_fact_that_comes_again_in_another_stream_is_known_by_its_id(engine: Engine):
    carried = [{**entry(1), "id": name(2)}, {**entry(2), "id": name(3)}, {**entry(3), "id": name(4)}]
    _, taken = take(engine, frame(1, 2, 3), frame(*carried, of=OTHER))
    assert (seqs(taken), taken.through) == ([3], 3)
    [late] = take(engine, frame(4))
    assert (late.new, late.through) == ((), 4), "and the other way round"


def test_a_seq_that_was_given_twice_loses_neither_fact_and_is_told(engine: Engine):
    other = {**entry(2), "id": name(77), "body": {"by_ms": 77}}
    _, taken, again = take(engine, frame(1, 2), frame(other), frame(other))
    assert ([new.id for new in taken.new], taken.forked, taken.through) == ([name(77)], (2,), 2)
    assert taken.entry == name(2), "so that the agent notices"
    assert (again.new, again.forked) == ((), ())


def test_a_seq_that_was_given_twice_while_it_waited_loses_neither_fact(engine: Engine):
    other = {**entry(3), "id": name(77)}
    _, taken, last = take(engine, frame(3), frame(other), frame(1, 2))
    assert ([new.id for new in taken.new], taken.forked) == ([name(3)], (3,))
    assert [new.id for new in last.new] == [name(1), name(2), name(77)]


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"kind": "game.exploded"}, "unknown kind game.exploded"),
        ({"body": {"by_ms": "1"}}, "by_ms: Input should be a valid integer"),
        ({"body": {"by_ms": 1.0}}, "by_ms: Input should be a valid integer"),
        ({"kind": "game.started", "body": {}}, "game.started names no machine"),
        ({"at": None}, "at: Input should be a valid dictionary or instance of At"),
        ({"id": "x"}, "id: String should match"),
        ({"machine": "Medieval Madness"}, "machine: String should match"),
        ({"body": {"a": "\ud800"}, "kind": "Ä"}, "kind: String should match"),
    ],
    ids=lambda value: str(value)[:30].encode("ascii", "replace").decode(),
)
def test_a_poisoned_entry_is_quarantined_with_its_reason_and_blocks_nothing(
    engine: Engine, changed: dict[str, Any], why: str
):
    taken, again = take(engine, frame(1, entry(2, **changed), 3), frame(1, entry(2, **changed), 3))
    assert (seqs(taken), taken.through) == ([1, 2, 3], 3)
    bad = taken.new[1]
    assert isinstance(bad, Quarantined)
    assert bad.why.startswith(why)
    assert {key: bad.raw[key] for key in changed} == changed
    assert again.new == ()
    with writing(engine) as connection:
        body = {"raw": bad.raw}
        [kept] = ledger.append(connection, [ledger.Record(at=1, kind="fact.quarantined", who="agent:pi-1", body=body)])
        assert ledger.read(connection, 0, 9) == [kept]


def test_a_poisoned_entry_waits_like_any_other(engine: Engine):
    _, taken = take(engine, frame(entry(2, id=None), 3), frame(1))
    assert [type(new) for new in taken.new] == [NewFact, Quarantined, NewFact]


def test_no_more_than_the_limit_waits(engine: Engine):
    frames = [frame(*range(start, start + 32)) for start in range(2, PARKED_LIMIT + 200, 32)]
    assert max(taken.parked for taken in take(engine, *frames)) == PARKED_LIMIT
    [taken] = take(engine, frame(1))
    assert taken.through == PARKED_LIMIT + 1


def test_what_was_not_committed_never_happened(engine: Engine):
    with writing(engine) as connection:
        inbox.take(connection, "pi-1", frame(1, 2), 1)
        connection.rollback()
    [taken] = take(engine, frame(1, 2))
    assert seqs(taken) == [1, 2]


def test_a_stream_stands_where_it_was_committed(engine: Engine):
    take(engine, frame(1, 2))
    with reading(engine) as connection:
        known, unknown = inbox.standing(connection, STREAM, 5), inbox.standing(connection, OTHER, 5)
    assert (known.incarnation, known.through, known.entry) == (5, 2, name(2))
    assert (unknown.through, unknown.entry) == (0, None)


def test_a_stream_that_moves_to_another_agent_is_told(engine: Engine):
    take(engine, frame(1))
    moved, stays = (*take(engine, frame(2), agent="pi-2"), *take(engine, frame(3), agent="pi-2"))
    assert (moved.moved_from, stays.moved_from) == ("pi-1", None)
    with reading(engine) as connection:
        assert connection.execute(select(stream.c.agent)).scalar_one() == "pi-2"


def born(connection: Connection, now: int, above: int = 0) -> int:
    return incarnation.begin(connection, now, above=above)


def test_an_incarnation_rises_whatever_the_clock_says(engine: Engine):
    now = 1_796_023_507_123
    with writing(engine) as connection:
        numbers = [born(connection, now), born(connection, now), born(connection, 0), born(connection, now + 60_000)]
    assert numbers == sorted(set(numbers))
    assert numbers[0] // 1_000 - now in range(2_000)


def test_an_incarnation_is_above_what_others_have_met_unless_that_is_made_up(engine: Engine):
    now, met = 1_796_023_507_123, 1_900_000_000_000_000
    with writing(engine) as connection:
        assert born(connection, now, above=met) > met
        assert born(connection, now, above=2**53 - 1) < 2**51


def test_an_older_copy_opened_later_is_a_higher_incarnation(engine: Engine, tmp_path: Path):
    now = 1_796_023_507_123
    copy = make_engine(str(tmp_path / "copy.db"))
    with writing(engine) as connection:
        high = [born(connection, now + second * 1_000) for second in range(5)][-1]
    with writing(copy) as connection:
        assert born(connection, now + 6_000) > high
    copy.dispose()
