"""What a long tournament file costs: reading, recording (the writer is busy then), a start after it, and going out.

    python -m benchmarks.exchange [GAMES]

Beside the import, a person's command is given again and again: the longest wait is what the hall feels.
"""

import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from server.core import rules
from server.core.venue import commands as c
from server.core.venue.outcomes import Actor, Done
from server.desk import Desk
from server.exchange.bringing import bring_tournament
from server.exchange.results import make_table
from server.exchange.sheets import write_sheet
from server.exchange.tournaments import document_of, read_arrival
from server.history import fold_ledger
from server.program import epoch_ms
from server.store.database import Store
from server.tournament_file import dump

ADMIN = Actor(name="ada", roles=frozenset({"admin"}))


def written(games: int) -> str:
    chance = Random(1)  # noqa: S311 - a file that is the same each time
    lines = ["inlane: 1", "tournament: Long", "preset: tpc", "players:"]
    lines += [f"  - {{id: p{n}, name: Player {n}, division: A}}" for n in range(1000)]
    lines += ["machines:", *(f"  - {{id: m{n}, name: Machine {n}, division: A}}" for n in range(100)), "log:"]
    for n in range(games):
        who, machine, score = chance.randrange(1000), chance.randrange(100), chance.randrange(10**9)
        lines.append(
            f'  - {{game: g{n}, machine: m{machine}, scores: {{p{who}: {score}0}}, at: "2010-05-14T18:02:00Z"}}'
        )
    return "\n".join(lines) + "\n"


@contextmanager
def timed(what: str) -> Iterator[None]:
    begin, busy = time.perf_counter(), time.process_time()
    yield
    print(f"{what:<42}{time.perf_counter() - begin:8.2f} s, {time.process_time() - busy:6.2f} s of one processor")


def waits(desk: Desk, stop: threading.Event, found: list[float]) -> None:
    while not stop.is_set():
        begin = time.perf_counter()
        desk.submit(c.PlanPowerCycle(machines=("m1",), minutes=0), ADMIN)
        found.append(time.perf_counter() - begin)
        time.sleep(0.02)


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    text = written(games)
    print(f"{games} games, {len(text) / 1e6:.1f} MB")
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(str(Path(folder) / "x.sqlite3"))
        desk = Desk(store, now=epoch_ms)
        head = {"preset": "tpc", "players": [], "machines": [{"id": "m1"}]}
        assert isinstance(desk.submit(c.OpenTournament(id="running", head=head), ADMIN), Done)
        stop, found = threading.Event(), [0.0]
        beside = threading.Thread(target=waits, args=(desk, stop, found))
        beside.start()
        with timed("reading and asking the rules"):
            arrival = read_arrival(text.encode(), name="long.yaml")
        reading = max(found)
        with timed("recording, in one transaction"):
            outcome, _ = bring_tournament(desk, arrival, ADMIN)
        assert isinstance(outcome, Done), outcome
        stop.set()
        beside.join()
        print(f"{'longest wait of a command while reading':<42}{reading:8.2f} s")
        print(f"{'longest wait of a command in all':<42}{max(found):8.2f} s")
        with timed("folding the ledger at the next start"):
            state = fold_ledger(store)
        with timed("the tournament file out again"):
            tournament = rules.parse(document_of(state, "long"))
            again = dump(tournament)
        with timed("what the rules say of it"):
            outcome_now = rules.evaluate(tournament)
        with timed("games as a table"):
            table = make_table("games", tournament, outcome_now)
            size = len(write_sheet(table.header, table.rows))
        print(f"{len(again)} characters, {size} bytes of table")
        desk.close()
        store.close()


if __name__ == "__main__":
    main()
