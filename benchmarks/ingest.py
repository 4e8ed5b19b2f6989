"""How many facts a second are committed and acknowledged: python -m benchmarks.ingest [--facts N] [--agents N].

Three measures, each on a fresh, fully synchronised SQLite file:
1. frames of 32 as bytes → decoded → inbox and ledger in one transaction a frame → ack as bytes (no broker, no rules);
2. the same through the desk, which decides on every fact;
3. the real path: outboxes → publishers → Mosquitto on the loopback → listener → commit → ack → every agent at rest.
"""

import argparse
import asyncio
import contextlib
import shutil
import socket
import subprocess
import tempfile
import time
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path

from bridge.clock import SystemClock, stamp
from bridge.link import Broker, PahoLink
from bridge.outbox import Outbox
from bridge.publisher import Publisher
from bridge.wire.frame import At, Entry, Frame, Sent, decode, encode
from bridge.wire.ids import new_id
from bridge.wire.topics import Topics
from server.desk import Desk
from server.ingest.listen import Listener, epoch_ms
from server.ingest.writer import Writer
from server.store.database import Store
from server.store.engine import make_engine
from server.store.inbox import Delivery
from server.store.recorder import Recorder

AT = At(boot="2cb6a1de-0000-4000-8000-000000000001", mono_ms=5, wall="2026-11-30T07:25:07.123Z", synced=True)
TOPICS = Topics()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", type=int, default=20_000)
    parser.add_argument("--agents", type=int, default=4)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        recorder = Recorder(make_engine(str(folder / "recorder.db")))
        print(f"frames -> commit -> ack, 1 frame a transaction:   {direct(recorder, wanted.facts, 1):8,.0f} facts/s")
        recorder = Recorder(make_engine(str(folder / "batched.db")))
        print(f"frames -> commit -> ack, 16 frames a transaction: {direct(recorder, wanted.facts, 16):8,.0f} facts/s")
        with desk_at(folder / "desk.db") as desk:
            print(f"frames -> desk -> commit -> ack, 16 together:     {direct(desk, wanted.facts, 16):8,.0f} facts/s")
        rate = asyncio.run(over_mosquitto(folder, wanted.facts, wanted.agents))
        print(f"{wanted.agents} agents -> Mosquitto -> commit -> ack:         {rate:8,.0f} facts/s")


def direct(writer: Writer, facts: int, together: int) -> float:
    """Facts a second from bytes to bytes."""
    payloads = [encode(frame) for frame in frames(facts)]
    began = time.perf_counter()
    for start in range(0, len(payloads), together):
        some = [Delivery("pi-1", decode(payload), epoch_ms()) for payload in payloads[start : start + together]]
        for ack in writer.take(some):
            ack.encode()
    return facts / (time.perf_counter() - began)


def frames(facts: int) -> list[Frame]:
    """Whole games: started, three balls, ended."""
    stream, made = new_id(), []
    for start in range(1, facts + 1, 32):
        entries = [entry(seq) for seq in range(start, min(start + 32, facts + 1))]
        made.append(Frame(stream=stream, floor=1, sent=Sent(boot=AT.boot, mono_ms=9), entries=tuple(entries)))
    return made


def entry(seq: int) -> Entry:
    """The fact at this place of the games."""
    kind, body = fact(seq)
    return Entry(seq=seq, id=new_id(), kind=kind, machine="mm-2", at=AT, body=body)


def fact(seq: int) -> tuple[str, dict[str, object]]:
    """Kind and body."""
    number, step = divmod(seq - 1, 5)
    game = str(uuid.uuid5(uuid.NAMESPACE_OID, str(number)))
    scores = [{"player": 1, "score": 48_213_340 + seq, "confidence": 1.0}]
    if step == 0:
        return "game.started", {"game": game, "players": 1}
    if step == 4:
        return "game.ended", {"game": game, "how": "normal", "scores": scores, "balls_played": 3, "source": "wire"}
    return "game.ball", {"game": game, "player": 1, "ball": step, "scores": scores}


async def over_mosquitto(folder: Path, facts: int, agents: int) -> float:
    """Facts a second from full outboxes to agents that know that all is committed."""
    clock, each = SystemClock(), facts // agents
    outboxes = [Outbox(folder / f"outbox-{number}.db") for number in range(agents)]
    for outbox in outboxes:
        outbox.append_many([(kind, "mm-2", stamp(clock), body) for kind, body in map(fact, range(1, each + 1))])
    with mosquitto_in(folder) as broker:
        links = [PahoLink(broker) for _ in range(agents + 1)]
        listener = Listener(links[0], Recorder(make_engine(str(folder / "real.db"))), topics=TOPICS)
        publishers = [
            Publisher(outbox, link, agent=f"pi-{number}", clock=clock, topics=TOPICS)
            for number, (outbox, link) in enumerate(zip(outboxes, links[1:], strict=True))
        ]
        tasks = [asyncio.create_task(program.run()) for program in (listener, *publishers)]
        began = time.perf_counter()
        await until(lambda: not any(publisher.depth for publisher in publishers), tasks)
        rate = each * agents / (time.perf_counter() - began)
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
    for outbox in outboxes:
        outbox.close()
    return rate


async def until(true: Callable[[], bool], tasks: Sequence[asyncio.Task[None]]) -> None:
    """Wait, as long as the programs run."""
    while not true():
        for task in tasks:
            if task.done():
                task.result()
        await asyncio.sleep(0.002)


@contextlib.contextmanager
def desk_at(path: Path):  # noqa: ANN201
    """A desk on a fresh ledger."""
    desk = Desk(Store.open(str(path)), now=epoch_ms)
    try:
        yield desk
    finally:
        desk.close()


@contextlib.contextmanager
def mosquitto_in(folder: Path):  # noqa: ANN201
    """A Mosquitto on a free port of the loopback."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    conf = folder / "mosquitto.conf"
    conf.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\npersistence false\nset_tcp_nodelay true\n")
    program = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
    with subprocess.Popen([program, "-c", conf], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield Broker(host="127.0.0.1", port=port)
        finally:
            process.kill()


if __name__ == "__main__":
    main()
