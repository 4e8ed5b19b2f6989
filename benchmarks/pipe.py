"""From a frame in memory to the number on an open page: Inlane beside a bare script, in one run.

`python -m benchmarks.pipe [scores]`. Both read a 720p frame, send the score through the same Mosquitto, commit it to a
fully synced SQLite and push it to an open HTTP connection (Inlane: `/live/board`, matched to its player, posted by the
rules, drawn). The last column gives the bare script Inlane's own reading of the frame, so that only the pipe differs.
"""

import asyncio
import contextlib
import http.client
import queue
import re
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from benchmarks.bare_pipe import BarePipe, BareReader, free_port
from bridge.clock import SystemClock, stamp
from bridge.link import Broker, PahoLink
from bridge.outbox import Outbox
from bridge.publisher import Publisher
from bridge.wire.topics import Topics
from capture.vision import open_reader
from hardware.catalog import load_profile
from hardware.ports.base import Image
from hardware.sim import fonts
from hardware.sim.lens import Lens
from server.ops.broker import broker_command
from server.ops.client import Client

MACHINE = "m1"
GAP_S = 0.25
"""Between two scores: a page is drawn ten times a second at most."""
TOPICS = Topics()


class Page:
    """An open stream of server-sent events; tells when a text came by."""

    def __init__(self, port: int, path: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self._connection.request("GET", path, headers={"Accept": "text/event-stream"})
        self._response = self._connection.getresponse()
        self._seen: queue.Queue[tuple[str, float]] = queue.Queue()
        threading.Thread(target=self._look, daemon=True).start()

    def wait(self, text: str) -> float:
        """The moment (perf_counter) at which a line with this text came."""
        while True:
            line, at = self._seen.get(timeout=30)
            if text in line:
                return at

    def _look(self) -> None:
        with contextlib.suppress(OSError, ValueError, AttributeError, http.client.HTTPException):
            while line := self._response.readline():
                self._seen.put((line.decode("utf-8", "replace"), time.perf_counter()))


def frames(count: int) -> tuple[list[Image], tuple[tuple[float, float], ...]]:
    """Frames of a display with different scores, 1280x720, through a lens without troubles."""
    lens = Lens(3, width=1280, height=720)
    made = []
    for number in range(count):
        dots = np.zeros((32, 128), np.uint8)
        glyph = fonts.number(10_000_000 + number * 12_340, 20, fonts.Hand())
        dots[4 : 4 + glyph.shape[0], 6 : 6 + glyph.shape[1]] = glyph[:, :120] * 15
        made.append(lens.picture(dots, number * 200))
    return made, lens.corners


def measure_bare(broker: int, folder: Path, pictures: Sequence[Image], read: Callable[[Image], int]) -> list[float]:
    pipe = BarePipe(broker, folder)
    page = Page(pipe.port, "/events")
    took = []
    for number, picture in enumerate(pictures, 1):
        began = time.perf_counter()
        pipe.send(number, read(picture))
        took.append(page.wait(f'"seq": {number},') - began)
        time.sleep(GAP_S)
    pipe.close()
    return took[len(took) // 5 :]


class Venue:
    """A server process with one player, always on the machine."""

    def __init__(self, folder: Path, broker: int) -> None:
        self.port = free_port()
        config = folder / "server.toml"
        config.write_text(f'[http]\nhost = "127.0.0.1"\nport = {self.port}\n[broker]\nport = {broker}\n')
        program = [sys.executable, "-m", "server.cli"]
        user = [*program, "user", "add", "ada", "--role", "admin", "--generate", "--config", str(config)]
        said = subprocess.run(user, capture_output=True, text=True, check=True).stdout
        log = (folder / "server.log").open("wb")
        self.process = subprocess.Popen([*program, "run", "--config", str(config)], stdout=log, stderr=log)
        self.client = Client("127.0.0.1", self.port)
        for _ in range(200):
            with contextlib.suppress(Exception):
                self.client.get("/healthz")
                break
            time.sleep(0.1)
        self.client.log_in("ada", re.search(r"once: (\S+)", said)[1])  # type: ignore[index]
        people = [{"id": "p1", "name": "Ada"}]
        head = {"tournament": "Bench", "preset": "uk-kids", "players": people, "machines": [{"id": MACHINE}]}
        self.client.post("tournaments", {"id": "bench", "head": head})

    def close(self) -> None:
        """End the server."""
        self.process.terminate()
        self.process.wait(20)


async def measure_inlane(
    broker: int, folder: Path, pictures: Sequence[Image], read: Callable[[Image], int]
) -> list[float]:
    venue = await asyncio.to_thread(Venue, folder, broker)
    try:
        return await _measure(venue, broker, folder, pictures, read)
    finally:
        venue.close()


async def _measure(
    venue: Venue, broker: int, folder: Path, pictures: Sequence[Image], read: Callable[[Image], int]
) -> list[float]:
    clock, outbox = SystemClock(), Outbox(folder / "outbox.db")
    publisher = Publisher(
        outbox, PahoLink(Broker(host="127.0.0.1", port=broker)), agent="pi-1", clock=clock, topics=TOPICS
    )
    task = asyncio.create_task(publisher.run())
    while publisher.session.state != "flowing":  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    took = []
    for number, picture in enumerate(pictures, 1):
        game, score = str(uuid.uuid4()), 1_000_000 + number * 10
        assigned = {"players": ["p1"]}
        await asyncio.to_thread(venue.client.post, f"machines/{MACHINE}/assign", assigned)
        await publisher.append("game.started", MACHINE, stamp(clock), {"game": game, "players": 1})
        page = await asyncio.to_thread(Page, venue.port, "/live/board")
        while publisher.depth:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        await asyncio.sleep(GAP_S)
        began = time.perf_counter()
        read(picture)
        scores = [{"player": 1, "score": score, "confidence": 1.0}]
        body = {"game": game, "how": "normal", "scores": scores, "source": "wire", "balls_played": 3}
        waiting = asyncio.get_running_loop().run_in_executor(None, page.wait, f'value="{score}"')
        await publisher.append("game.ended", MACHINE, stamp(clock), body)
        took.append(await waiting - began)
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    outbox.close()
    return took[len(took) // 5 :]


def told(name: str, took: Sequence[float]) -> tuple[float, float]:
    ordered = sorted(took)
    p50, p99 = ordered[len(ordered) // 2] * 1e3, ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)] * 1e3
    print(f"{name:45} p50 {p50:6.2f} ms   p99 {p99:6.2f} ms   ({len(ordered)} scores)")
    return p50, p99


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 150
    pictures, corners = frames(count)
    reader = open_reader(load_profile("dmd-128x32"), corners=corners)
    bare = BareReader(1280, 720)

    def read(picture: Image) -> int:
        scores = reader.read(picture).scores
        return (scores[0].score or 0) if scores else 0

    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        port = free_port()
        broker = subprocess.Popen(broker_command(folder, port)[1])
        stack.callback(broker.wait)
        stack.callback(broker.terminate)
        time.sleep(0.5)
        for step in ("bare", "same", "inlane"):
            (folder / step).mkdir()
        one = told("bare script, known font", measure_bare(port, folder / "bare", pictures, bare.read))
        same = told("bare script, Inlane's reader", measure_bare(port, folder / "same", pictures, read))
        took = asyncio.run(measure_inlane(port, folder / "inlane", pictures, read))
        ours = told("Inlane, frame to /live/board", took)
    for what, (p50, p99) in (("known font", one), ("Inlane's reader", same)):
        print(f"Inlane / bare script with {what}: p50 {ours[0] / p50:.1f} times, p99 {ours[1] / p99:.1f} times")


if __name__ == "__main__":
    main()
