"""The desk under a large tournament: one more game to new standings, a correction that tells, and many readers.

    .venv/bin/python -m benchmarks.desk [--games 100000] [--more 50] [--readers 8]

Printed are medians and worst of `--more` games: recorded (decided by the rules, on disk) and then read as standings.
"""

import argparse
import json
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from server.core.venue import commands as c
from server.core.venue.outcomes import Actor, Done
from server.desk import Desk
from server.store.database import Store

ADMIN = Actor(name="ada", roles=frozenset({"admin"}))


def main() -> None:
    """Measure and print."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--games", type=int, default=100_000)
    asked.add_argument("--players", type=int, default=1_000)
    asked.add_argument("--machines", type=int, default=100)
    asked.add_argument("--more", type=int, default=50)
    asked.add_argument("--readers", type=int, default=8)
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(str(Path(folder) / "inlane.sqlite3"))
        desk = Desk(store, now=lambda: time.time_ns() // 1_000_000)
        try:
            _fill(desk, given)
            _play(desk, given)
            _read(desk, given)
        finally:
            desk.close()
            store.close()


def _fill(desk: Desk, given: argparse.Namespace) -> None:
    head = {
        "tournament": "Large",
        "preset": "tpc",
        "players": [{"id": f"p{n}", "division": "A"} for n in range(given.players)],
        "machines": [{"id": f"m{n}", "division": "A"} for n in range(given.machines)],
    }
    entries = tuple(
        {
            "game": f"g{n}",
            "machine": f"m{n * 7 % given.machines}",
            "scores": {f"p{n % given.players}": n * 7919 % 99_999_989},
        }
        for n in range(given.games)
    )
    _timed("import", lambda: desk.submit(c.ImportTournament(id="large", head=head, entries=entries), ADMIN))
    _timed("first standings", lambda: desk.standings.of("large"))


def _play(desk: Desk, given: argparse.Namespace) -> None:
    recorded, stood = [], []
    for n in range(given.more):
        scores = {f"p{n}": 100_000_000 + n}
        entry = {"game": None, "machine": "m1", "scores": scores}
        before = time.perf_counter()
        outcome = desk.submit(c.RecordEntry(tournament="large", entry=entry), ADMIN)
        between = time.perf_counter()
        desk.standings.of("large")
        recorded.append(between - before)
        stood.append(time.perf_counter() - between)
        assert isinstance(outcome, Done), outcome
    _say("one more game recorded", recorded)
    _say("new standings after it", stood)


def _read(desk: Desk, given: argparse.Namespace) -> None:
    result = desk.standings.of("large")
    if result is None:
        raise SystemExit("there is no tournament to read")
    _timed("standings written as JSON", lambda: desk.standings.written(result))
    each: list[float] = []

    def reads() -> None:
        for _ in range(200):
            before = time.perf_counter()
            found = desk.standings.ready("large")
            if found is not None:
                desk.standings.written(found)
                desk.standings.openness(found)
            each.append(time.perf_counter() - before)

    threads = [threading.Thread(target=reads) for _ in range(given.readers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    _say(f"{given.readers} readers, nothing new", each)


def _timed(what: str, run: Callable[[], object]) -> None:
    before = time.perf_counter()
    run()
    print(json.dumps({"what": what, "s": round(time.perf_counter() - before, 3)}))


def _say(what: str, times: list[float]) -> None:
    median, worst = statistics.median(times) * 1000, max(times) * 1000
    print(json.dumps({"what": what, "median_ms": round(median, 2), "worst_ms": round(worst, 2)}))


if __name__ == "__main__":
    main()
