"""Machines on serial lines (pseudo-terminals): from byte to outbox row, and what an agent with four of them costs.

    python -m benchmarks.agent_serial [--kind bcp] [--games N] [--seconds N]

The real agent in a process of its own, a real broker, real pseudo-terminals. The time of a row is from the write of the
machine's bytes to its commit in the agent's outbox, beside what such a commit alone takes on the same disk.
"""

import argparse
import os
import select
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import tty
from pathlib import Path

from benchmarks.agent import busy, rss, start_broker
from hardware.sim.address import parse
from hardware.sim.course import Course
from hardware.sim.describe import PROFILES
from hardware.sim.oracle import Event
from hardware.sim.speaker import Speaker, open_speaker

HEAD = 'agent = "bench"\ndata = "data"\nlog = "warning"\n[broker]\nhost = "127.0.0.1"\nport = {broker}\n'
MACHINE = '[[machine]]\nid = "m{number}"\nprofile = "{profile}"\nport = "serial://{path}?baud=115200"\n'
TELLING = {"player-added", "ball-ended", "scores-final"}
"""What is a row: the first player, each turn, the end."""
PACE_S = 0.02
"""Between two events where the time to a row is measured: no queue builds up."""


class Terminal:
    """A simulated machine on a pseudo-terminal."""

    def __init__(self, kind: str, seed: int) -> None:
        self.ours, self._theirs = os.openpty()
        tty.setraw(self._theirs)
        self.path = os.ttyname(self._theirs)
        address = parse(f"sim://{kind}?seed={seed}&calm=1&ball_seconds=20&players=2&idle=1")
        self.speaker: Speaker = open_speaker(address.setting)
        self.course = Course(address.habits, seed)
        self.written = 0

    def write(self, data: list[bytes]) -> None:
        """As the machine would."""
        for part in data:
            self.written += os.write(self.ours, part)

    def answer(self, at: int, patience: float) -> None:
        """What the agent asks, for so many seconds."""
        ends = time.monotonic() + patience
        while select.select([self.ours], [], [], max(0.0, ends - time.monotonic()))[0]:
            self.write(self.speaker.hear(os.read(self.ours, 65536), at))

    def live(self, stop: threading.Event) -> None:
        """Play in real time until told to stop."""
        begun = time.monotonic()
        self.write(self.speaker.greet(0))
        while not stop.is_set():
            now = round((time.monotonic() - begun) * 1000)
            for event in self.course.take(now):
                self.write(self.speaker.happen(event))
            self.write(self.speaker.tick(now))
            self.answer(now, 0.01)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--kind", default="bcp")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=30.0)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        broker, port = start_broker(folder)
        try:
            rows(folder / "one", port, chosen.kind, chosen.games)
            four(folder / "four", port, chosen.kind, chosen.seconds)
        finally:
            broker.terminate()
            broker.wait()


def rows(folder: Path, broker: int, kind: str, games: int) -> None:
    """From byte to row."""
    terminal = Terminal(kind, 1)
    agent = start(folder, broker, kind, [terminal])
    try:
        box = sqlite3.connect(folder / "data" / "outbox.sqlite", isolation_level=None)
        terminal.write(terminal.speaker.greet(0))
        terminal.answer(0, 2.0)
        took: list[float] = []
        finished = 0
        while finished < games:
            event = terminal.course.take(terminal.course.due() or 0)[0]
            finished += event.kind == "game-ended"
            took += _follow(terminal, box, event)
        print(f"{kind}: {len(took)} rows, byte to row: {_shown(took)}")
    finally:
        agent.terminate()
        agent.wait(30)
    print(f"a commit alone on this disk: {_shown(commits(folder, len(took)))}")


def _follow(terminal: Terminal, box: sqlite3.Connection, event: Event) -> list[float]:
    """Seconds until the event's row is there; nothing where it makes none."""
    said = terminal.speaker.happen(event)
    if event.kind not in TELLING or (event.kind == "player-added" and event.player > 1):
        terminal.write(said)
        terminal.answer(event.at, 0.002)
        return []
    terminal.answer(event.at, PACE_S)
    before = box.execute("PRAGMA data_version").fetchone()
    begun = time.perf_counter()
    terminal.write(said)
    while time.perf_counter() - begun < 0.5:
        if box.execute("PRAGMA data_version").fetchone() != before:
            return [time.perf_counter() - begun]
    return []


def commits(folder: Path, many: int) -> list[float]:
    """Seconds of one small durable commit, as the outbox makes them."""
    box = sqlite3.connect(folder / "alone.sqlite", isolation_level=None)
    box.execute("PRAGMA journal_mode = WAL")
    box.execute("PRAGMA synchronous = FULL")
    box.execute("CREATE TABLE fact (seq INTEGER PRIMARY KEY, body TEXT)")
    took = []
    for _ in range(many):
        begun = time.perf_counter()
        box.execute("INSERT INTO fact (body) VALUES (?)", ("x" * 500,))
        took.append(time.perf_counter() - begun)
        time.sleep(PACE_S)
    return took


def four(folder: Path, broker: int, kind: str, seconds: float) -> None:
    """What four machines at play cost."""
    terminals = [Terminal(kind, seed) for seed in range(1, 5)]
    agent = start(folder, broker, kind, terminals)
    stop = threading.Event()
    playing = [threading.Thread(target=one.live, args=(stop,), daemon=True) for one in terminals]
    for one in playing:
        one.start()
    try:
        time.sleep(5)
        before, written = busy(agent.pid), sum(one.written for one in terminals)
        time.sleep(seconds)
        used = (busy(agent.pid) - before) / seconds
        rate = (sum(one.written for one in terminals) - written) / seconds
        print(
            f"four {kind} machines at play ({rate:,.0f} bytes/s): {100 * used:.1f} % of a core, {rss(agent.pid):.0f} MB"
        )
    finally:
        stop.set()
        agent.terminate()
        agent.wait(30)


def start(folder: Path, broker: int, kind: str, terminals: list[Terminal]) -> subprocess.Popen[bytes]:
    """The agent, ready to hear."""
    folder.mkdir()
    machines = [
        MACHINE.format(number=number, profile=PROFILES[kind], path=one.path) for number, one in enumerate(terminals, 1)
    ]
    (folder / "agent.toml").write_text(HEAD.format(broker=broker) + "".join(machines))
    agent = subprocess.Popen([sys.executable, "-m", "bridge.cli", "run", "--config", str(folder / "agent.toml")])
    time.sleep(4)
    return agent


def _shown(took: list[float]) -> str:
    ordered = sorted(took)
    return f"p50 {1000 * ordered[len(took) // 2]:.2f} ms, p99 {1000 * ordered[int(len(took) * 0.99)]:.2f} ms"


if __name__ == "__main__":
    main()
