"""The outbox: what it promises about the disk, and to its one process."""

import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from bridge.errors import BridgeError, OutboxBusy, OutboxFull, WireInvalid
from bridge.outbox import Outbox
from tests.bridge.filled import AT, fill, held

DAY = 24 * 3600 * 1000


def test_facts_are_numbered_from_1_and_are_there_after_a_restart(tmp_path: Path):
    outbox = Outbox(tmp_path / "outbox.db")
    first = outbox.append("machine.attached", "mm-2", AT, {"port": "sim://x"})
    fill(outbox, 2)
    stream, kept = outbox.stream, outbox.window(0, 10)
    assert (first.seq, outbox.head, outbox.floor, outbox.depth) == (1, 3, 1, 3)
    outbox.close()
    again = Outbox(tmp_path / "outbox.db")
    assert (again.stream, again.head, again.window(0, 10)) == (stream, 3, kept)
    assert [entry.seq for entry in again.window(1, 1)] == [2]
    assert again.damage is None
    again.close()


def test_another_file_is_another_stream(tmp_path: Path):
    one, other = Outbox(tmp_path / "one.db"), Outbox(tmp_path / "other.db")
    assert one.stream != other.stream
    one.close()
    other.close()


def test_one_outbox_belongs_to_one_process(tmp_path: Path):
    outbox = Outbox(tmp_path / "outbox.db")
    with pytest.raises(OutboxBusy, match="another agent uses this outbox"):
        Outbox(tmp_path / "outbox.db")
    outbox.close()
    Outbox(tmp_path / "outbox.db").close()


@pytest.mark.parametrize(
    ("kind", "machine", "body", "word"),
    [
        ("No Kind", None, {}, "kind"),
        ("game.ball", "MM", {}, "machine"),
        ("game.ball", "mm", {"x": float("nan")}, "body"),
        ("game.ball", "mm", {"x": "y" * 20_000}, "more than the"),
        ("game.ball", "mm", {"x": b"y"}, "body"),
    ],
)
def test_what_could_never_be_sent_is_refused_and_nothing_is_kept(
    tmp_path: Path, kind: str, machine: str | None, body: dict[str, object], word: str
):
    outbox = Outbox(tmp_path / "outbox.db")
    with pytest.raises(WireInvalid, match=word):
        outbox.append_many([("clock.stepped", None, AT, {"by_ms": 1}), (kind, machine, AT, body)])
    assert (outbox.head, held(outbox)) == (0, [])
    assert outbox.append("clock.stepped", None, AT, {"by_ms": 1}).seq == 1
    outbox.close()


def test_several_threads_may_append_at_once(tmp_path: Path):
    outbox = Outbox(tmp_path / "outbox.db")
    threads = [threading.Thread(target=fill, args=(outbox, 5)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [seq for seq, _ in held(outbox)] == list(range(1, 41))
    outbox.close()


def test_the_servers_word_survives_and_may_fall_with_a_new_incarnation(tmp_path: Path):
    outbox = Outbox(tmp_path / "outbox.db")
    fill(outbox, 10)
    outbox.mark(8, incarnation=5)
    outbox.mark(3, incarnation=6)
    outbox.mark(9, incarnation=6, stream="another stream")
    outbox.mark(11, incarnation=6)
    outbox.close()
    again = Outbox(tmp_path / "outbox.db")
    assert (again.acked, again.incarnation, again.depth) == (3, 6, 7)
    again.close()


def test_only_what_is_acknowledged_and_old_is_pruned_and_never_the_last(tmp_path: Path):
    outbox = Outbox(tmp_path / "outbox.db")
    fill(outbox, 5)
    outbox.mark(3)
    now = 1_796_000_000_000
    assert outbox.prune(now) == 0, "their age counts from the first look"
    assert outbox.prune(now + 6 * DAY) == 0
    assert outbox.prune(now + 8 * DAY) == 3
    assert (outbox.floor, outbox.head, [seq for seq, _ in held(outbox)]) == (4, 5, [4, 5])
    outbox.mark(5)
    assert outbox.prune(now + 8 * DAY) == 1
    assert outbox.prune(now + 20 * DAY) == 0
    assert (outbox.floor, outbox.head) == (5, 5)
    outbox.close()
    again = Outbox(tmp_path / "outbox.db")
    assert (again.head, again.append("clock.stepped", None, AT, {"by_ms": 1}).seq) == (5, 6)
    again.close()


def test_a_clock_that_went_back_makes_the_age_count_anew(tmp_path: Path):
    outbox = Outbox(tmp_path / "outbox.db")
    fill(outbox, 3)
    outbox.mark(3)
    outbox.prune(1_796_000_000_000 + 30 * DAY)
    assert outbox.prune(1_796_000_000_000) == 0
    assert outbox.prune(1_796_000_000_000 + 6 * DAY) == 0
    assert outbox.prune(1_796_000_000_000 + 7 * DAY) == 2
    outbox.close()


def test_at_the_limit_the_oldest_acknowledged_facts_give_way_and_no_other(tmp_path: Path):
    outbox = Outbox(tmp_path / "outbox.db", rows_limit=10)
    fill(outbox, 10)
    with pytest.raises(OutboxFull, match="10 facts wait for the server and there is room for no more"):
        fill(outbox, 1)
    assert outbox.head == 10
    outbox.mark(4)
    fill(outbox, 3)
    assert [seq for seq, _ in held(outbox)] == list(range(4, 14))
    outbox.close()


def test_a_fact_costs_the_same_however_many_are_held(tmp_path: Path):
    outbox = Outbox(tmp_path / "outbox.db")
    fill(outbox, 3)
    asked: list[str] = []
    outbox._db.set_trace_callback(asked.append)
    fill(outbox, 1)
    outbox._db.set_trace_callback(None)
    assert not [one for one in asked if "count(" in one]
    plans = [outbox._db.execute(f"EXPLAIN QUERY PLAN {one}") for one in asked if one.startswith("SELECT")]
    assert [row[3] for plan in plans for row in plan] == ["SEARCH entry"]
    outbox.close()


def test_the_servers_word_waits_for_no_disk_and_every_fact_does(tmp_path: Path):
    outbox = Outbox(tmp_path / "outbox.db")
    synced: list[str] = []
    outbox._db.set_trace_callback(lambda told: synced.append(told) if "synchronous" in told else None)
    fill(outbox, 1)
    outbox.mark(1)
    fill(outbox, 1)
    outbox._db.set_trace_callback(None)
    assert [told.rpartition(" ")[2] for told in synced] == ["FULL", "NORMAL", "FULL"]
    outbox.close()
    again = Outbox(tmp_path / "outbox.db")
    assert (again.acked, again.head) == (1, 2)
    again.close()


def test_a_full_disk_is_said_nothing_is_half_written_and_room_mends_it(tmp_path: Path):
    outbox = Outbox(tmp_path / "outbox.db")
    fill(outbox, 3)
    pages = outbox._db.execute("PRAGMA page_count").fetchone()[0]
    outbox._db.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(OutboxFull, match="the disk is full; nothing was written: free some space"):
        fill(outbox, 500)
    assert (outbox.head, len(held(outbox))) == (3, 3)
    outbox._db.execute("PRAGMA max_page_count = 1000000")
    fill(outbox, 500)
    assert [seq for seq, _ in held(outbox)] == list(range(1, 504))
    outbox.close()


def test_a_folder_that_may_not_be_written_is_said_in_one_line(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BridgeError, match="file"):
        Outbox(tmp_path / "file" / "outbox.db")


def test_renewing_carries_everything_over_with_its_ids(tmp_path: Path):
    outbox = Outbox(tmp_path / "outbox.db")
    fill(outbox, 6)
    outbox.mark(4)
    outbox.prune(0)
    outbox.prune(8 * DAY)
    kept, before = [name for _, name in held(outbox)], outbox.stream
    assert outbox.renew() == outbox.stream != before
    assert held(outbox) == [*enumerate(kept, 1)]
    assert (outbox.head, outbox.floor, outbox.acked, outbox.next_session()) == (2, 1, 0, 1)
    outbox.close()
    again = Outbox(tmp_path / "outbox.db")
    assert (held(again), again.damage) == ([*enumerate(kept, 1)], None)
    again.close()


def test_a_killed_process_loses_nothing_that_it_said_was_kept(tmp_path: Path):
    program = (
        "import sys\n"
        "from bridge.outbox import Outbox\n"
        "from bridge.wire.frame import At\n"
        "outbox = Outbox(sys.argv[1])\n"
        "while True:\n"
        "    entry = outbox.append('clock.stepped', None, At(boot='b', mono_ms=1), {'by_ms': 1})\n"
        "    print(entry.seq, entry.id, flush=True)\n"
    )
    chance = random.Random(7)  # noqa: S311
    said: list[tuple[int, str]] = []
    for _ in range(6):
        with subprocess.Popen(
            [sys.executable, "-c", program, tmp_path / "outbox.db"], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            lines = [process.stdout.readline() for _ in range(chance.randrange(1, 30))]
            time.sleep(chance.random() / 100)
            process.send_signal(signal.SIGKILL)
            lines += process.stdout.readlines()
        said += [(int(seq), name) for seq, name in (line.split() for line in lines if line.endswith("\n"))]
    outbox = Outbox(tmp_path / "outbox.db")
    kept = held(outbox)
    assert outbox.damage is None
    assert [seq for seq, _ in kept] == list(range(1, len(kept) + 1))
    assert set(said) <= set(kept)
    outbox.close()
