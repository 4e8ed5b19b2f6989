"""How fast the ledger folds, and how many facts a second go through the whole decide path into a synced database.

`python -m benchmarks.ledger [events]`. Half of the games have players assigned, so they are matched and posted.
"""

import sys
import tempfile
import time
import uuid
from pathlib import Path

from bridge.wire.frame import At, Entry, Frame, Sent
from server.core.venue import commands as c
from server.core.venue.outcomes import Actor
from server.core.venue.values import Place
from server.desk import Desk
from server.history import fold_ledger
from server.store.database import Store
from server.store.inbox import Delivery

ADMIN = Actor(name="ada", roles=frozenset({"admin"}))
MACHINES = [f"m{n}" for n in range(12)]
PLAYERS = [f"p{n}" for n in range(100)]
HEAD = {
    "tournament": "Benchmark",
    "preset": "uk-kids",
    "timezone": "UTC",
    "players": [{"id": name} for name in PLAYERS],
    "machines": [{"id": name} for name in MACHINES],
}
NOW = 1_800_000_000_000


def game(stream: str, seq: int) -> list[tuple[str, dict[str, object]]]:
    name = str(uuid.uuid5(uuid.UUID(stream), str(seq)))
    score = [{"player": 1, "score": 1_000_000 + seq * 10, "confidence": 1.0}]
    balls = [("game.ball", {"game": name, "player": 1, "ball": ball, "scores": score}) for ball in (1, 2, 3)]
    ended = {"game": name, "how": "normal", "scores": score, "source": "wire", "balls_played": 3}
    return [("game.started", {"game": name, "players": 1}), *balls, ("game.ended", ended)]


def frames(machine: str, games: int) -> list[Delivery]:
    stream, seq, entries = str(uuid.uuid4()), 0, []
    for _ in range(games):
        for kind, body in game(stream, seq + 1):
            seq += 1
            at = At(boot="b", mono_ms=seq * 10)
            entries.append(Entry(seq=seq, id=str(uuid.uuid4()), kind=kind, machine=machine, at=at, body=body))
    made = []
    for first in range(0, len(entries), 32):
        part = tuple(entries[first : first + 32])
        frame = Frame(stream=stream, floor=1, sent=Sent(boot="b", mono_ms=part[-1].at.mono_ms), entries=part)
        made.append(Delivery("pi-" + machine, frame, NOW + part[-1].at.mono_ms))
    return made


def ingest(desk: Desk, events: int) -> int:
    """Unmatched games, with frames of 32 in batches as the listener makes them."""
    made = [frame for machine in MACHINES for frame in frames(machine, events // 5 // len(MACHINES))]
    facts = sum(len(delivery.frame.entries) for delivery in made)
    began = time.perf_counter()
    for first in range(0, len(made), 8):
        desk.take(made[first : first + 8])
    took = time.perf_counter() - began
    print(f"ingest: {facts} facts in {took:.2f} s = {facts / took:.0f} facts/s (frames of 32, 8 a transaction)")
    return facts


def posted(desk: Desk, games: int) -> None:
    """One game after another, each assigned, matched and posted through the rules."""
    place, took = Place(tournament="bench"), 0.0
    for number in range(games):
        machine = MACHINES[number % len(MACHINES)]
        desk.submit(c.Assign(machine=machine, place=place, players=(PLAYERS[number % len(PLAYERS)],)), ADMIN)
        [delivery] = frames(machine, 1)
        began = time.perf_counter()
        desk.take([delivery])
        took += time.perf_counter() - began
    print(f"posted: {games} games of 5 facts: {took / games * 1000:.2f} ms each, committed, with {games} in the log")


def main() -> None:
    events = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(str(Path(folder) / "ledger.sqlite3"))
        desk = Desk(store, now=lambda: NOW)
        desk.submit(c.OpenTournament(id="bench", head=HEAD), ADMIN)
        posted(desk, 500)
        ingest(desk, events)
        desk.close()
        for _ in range(3):
            began, busy = time.perf_counter(), time.process_time()
            state = fold_ledger(store)
            took, busy = time.perf_counter() - began, time.process_time() - busy
            per = f"{busy / state.position * 1e6:.1f} us of processor each"
            print(f"fold: {state.position} events in {took:.2f} s, {busy:.2f} s of processor = {per}")
        began = time.process_time()
        for _ in range(3_000_000):
            pass
        print(f"for comparison, 3,000,000 empty loops: {time.process_time() - began:.3f} s of processor")
        store.close()


if __name__ == "__main__":
    main()
