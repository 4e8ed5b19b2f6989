"""Machines on serial lines (pseudo-terminals): from byte to outbox row, and what an agent with four of them costs.

    python -m benchmarks.agent_serial [--kind bcp|lines|lisy|memory|vector] [--games N] [--seconds N]

The real agent in a process of its own, a real broker, real pseudo-terminals. Of machines that speak unasked, a row's
time is from the write of its bytes until another process sees it committed; the same commit alone takes turns with it,
so that both meet the same disk and the same load. The second time the outbox lies in memory (/dev/shm), where a commit
costs nothing: what is left is the agent's own. Of all kinds, a row's time from the moment that the fact itself bears.
"""

import argparse
import json
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
UNASKED = {"bcp", "lines"}
"""Kinds that say at once what happens; others are asked, or looked at until it is sure."""
PACE_S = 0.02
"""Between two events where the time to a row is measured: no queue builds up."""
LOOK_S = 0.0001
"""Between two looks for a row: whoever never sleeps on a busy computer is made to wait when it matters."""
MEMORY = Path("/dev/shm")  # noqa: S108 -- memory is what is wanted
_BODY = "x" * 500


class Terminal:
    """A simulated machine on a pseudo-terminal."""

    def __init__(self, kind: str, seed: int) -> None:
        self.ours, self._theirs = os.openpty()
        tty.setraw(self._theirs)
        self.path = os.ttyname(self._theirs)
        address = parse(f"sim://{kind}?seed={seed}&calm=1&ball_seconds=20&players=2&idle=1")
        self.speaker: Speaker = open_speaker(address.setting)
        self.course = Course(address.habits, seed)
        self.written = self.said = 0
        """Bytes, and messages."""

    def write(self, data: list[bytes]) -> None:
        """As the machine would."""
        for part in data:
            self.said += 1
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
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryDirectory(dir=MEMORY) as quick:
        broker, port = start_broker(Path(name))
        try:
            if chosen.kind in UNASKED:
                for place, folder in (("this disk", name), ("memory", quick)):
                    rows(Path(folder) / "one", port, chosen.kind, chosen.games, place)
            four(Path(name) / "four", port, chosen.kind, chosen.seconds)
        finally:
            broker.terminate()
            broker.wait()


def rows(folder: Path, broker: int, kind: str, games: int, place: str) -> None:
    """From byte to row, and a commit alone in turn with each."""
    terminal = Terminal(kind, 1)
    agent = start(folder, broker, kind, [terminal])
    try:
        box = sqlite3.connect(folder / "data" / "outbox.sqlite", isolation_level=None)
        alone = _empty(folder / "alone.sqlite")
        terminal.write(terminal.speaker.greet(0))
        terminal.answer(0, 2.0)
        took: list[float] = []
        commits: list[float] = []
        finished, used = 0, busy(agent.pid)
        while finished < games:
            event = terminal.course.take(terminal.course.due() or 0)[0]
            finished += event.kind == "game-ended"
            if row := _follow(terminal, box, event):
                took += row
                time.sleep(PACE_S)
                commits.append(_commit(alone))
        used = busy(agent.pid) - used
    finally:
        agent.terminate()
        agent.wait(30)
    print(f"{kind}, {len(took)} rows, outbox in {place}: byte to row {_shown(took)}; a commit alone {_shown(commits)}")
    print(f"  {1000 * used / terminal.said:.2f} ms of a core for each of {terminal.said} messages, rows and all")


def _follow(terminal: Terminal, box: sqlite3.Connection, event: Event) -> list[float]:
    """Seconds until the event's row is there; nothing where it makes none."""
    said = terminal.speaker.happen(event)
    if event.kind not in TELLING or (event.kind == "player-added" and event.player > 1):
        terminal.write(said)
        terminal.answer(event.at, 0.002)
        return []
    terminal.answer(event.at, PACE_S)
    before = _version(box)
    begun = time.perf_counter()
    terminal.write(said)
    while time.perf_counter() - begun < 0.5:
        if _version(box) != before:
            return [time.perf_counter() - begun]
        time.sleep(LOOK_S)
    return []


def _version(box: sqlite3.Connection) -> int:
    """Another number after each commit of somebody else."""
    return int(box.execute("PRAGMA data_version").fetchone()[0])


def _empty(path: Path) -> sqlite3.Connection:
    box = sqlite3.connect(path, isolation_level=None)
    box.execute("PRAGMA journal_mode = WAL")
    box.execute("PRAGMA synchronous = FULL")
    box.execute("CREATE TABLE fact (seq INTEGER PRIMARY KEY, body TEXT)")
    return box


def _commit(box: sqlite3.Connection) -> float:
    """Seconds of one small durable commit, as the outbox makes them."""
    begun = time.perf_counter()
    box.execute("INSERT INTO fact (body) VALUES (?)", (_BODY,))
    return time.perf_counter() - begun


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
        took = watch(folder / "data" / "outbox.sqlite", seconds)
        used = (busy(agent.pid) - before) / seconds
        rate = (sum(one.written for one in terminals) - written) / seconds
        print(
            f"four {kind} machines at play ({rate:,.0f} bytes/s): {100 * used:.1f} % of a core, {rss(agent.pid):.0f} MB"
        )
        print(f"  {len(took)} rows, from the fact's own moment: {_shown(took)}" if took else "  no rows")
    finally:
        stop.set()
        agent.terminate()
        agent.wait(30)


def watch(path: Path, seconds: float) -> list[float]:
    """Seconds of each row that comes from the moment it bears (whole milliseconds) until it is seen."""
    box = sqlite3.connect(path, isolation_level=None)
    newest = "SELECT seq, at FROM entry WHERE seq > ? ORDER BY seq"
    seen = max((row[0] for row in box.execute(newest, (0,))), default=0)
    took, ends, before = [], time.monotonic() + seconds, _version(box)
    while time.monotonic() < ends:
        time.sleep(LOOK_S)
        if (version := _version(box)) == before:
            continue
        before, now = version, time.clock_gettime(time.CLOCK_BOOTTIME)
        for seq, at in box.execute(newest, (seen,)).fetchall():
            seen = seq
            took.append(now - json.loads(at)["mono_ms"] / 1000)
    return took


def start(folder: Path, broker: int, kind: str, terminals: list[Terminal]) -> subprocess.Popen[bytes]:
    """The agent, ready to hear."""
    folder.mkdir()
    machines = [
        MACHINE.format(number=number, profile=PROFILES[kind], path=one.path) for number, one in enumerate(terminals, 1)
    ]
    (folder / "agent.toml").write_text(HEAD.format(broker=broker) + "".join(machines))
    agent = subprocess.Popen([sys.executable, "-m", "bridge.cli", "run", "--config", str(folder / "agent.toml")])
    ends = time.monotonic() + 60
    while not (folder / "data" / "outbox.sqlite-wal").exists() and agent.poll() is None and time.monotonic() < ends:
        time.sleep(0.1)
    time.sleep(2)
    return agent


def _shown(took: list[float]) -> str:
    ordered = sorted(took)
    return f"p50 {1000 * ordered[len(took) // 2]:.2f} ms, p99 {1000 * ordered[int(len(took) * 0.99)]:.2f} ms"


if __name__ == "__main__":
    main()
