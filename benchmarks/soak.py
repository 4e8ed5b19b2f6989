"""An agent with simulated machines of many kinds, a real broker and a real server, for minutes or hours.

    scripts/soak [--minutes N] [--kinds bcp vector …] [--play …] [--folder F]

What the machines truly did is held against the server's ledger: every finished game once, with its true scores and
end. The agent must not grow, and must stop cleanly. Status 1 where any of that is not so.
"""

import argparse
import json
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.agent import busy, rss, start_broker
from benchmarks.wires import BAD, assign, truths, verdicts
from capture.signals import GameAborted, GameEnded, GameStarted, PlayerScore, Signal
from hardware.sim.address import parse
from hardware.sim.describe import PROFILES
from hardware.sim.oracle import read

KINDS = ("bcp", "vector", "memory", "lisy", "lines", "json", "dndp", "dmdreader")
PLAY = "ball_seconds=6&idle=20&players=1-2&tilt=0.08&tilt_warning=0.2&extra_ball=0.1&slam_tilt=0.05&service=0.03&power_cut=0.04"  # noqa: E501
EVERY_S = 10.0
WARM_S = 60.0
"""What an agent takes until then it may keep."""
MOST_MB, MOST_MORE = 8.0, 2
"""Growth of memory, and of descriptors and threads, from the first quarter to the last."""
END_S = 30.0
ATTACHED_MS = 3_000
"""So long after it was switched on a machine may be heard first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The agent at one time."""

    memory: float
    descriptors: int
    threads: int
    used: float


def main() -> int:
    """Run, judge and print; 1 where something is wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--kinds", nargs="+", choices=list(PROFILES), default=list(KINDS), metavar="KIND")
    parser.add_argument("--play", default=PLAY, help="how the machines play, as in their address")
    parser.add_argument("--folder", type=Path, help="where everything is kept; else it is thrown away")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = chosen.folder or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        broker, port = start_broker(folder)
        try:
            found = _serve(folder, port, chosen)
        finally:
            broker.terminate()
            broker.wait()
        found += judge(folder, chosen.kinds, parse(f"sim://bcp?{chosen.play}").speed)
    for line in found:
        print(f"NOT SO: {line}")
    return 1 if found else 0


def _serve(folder: Path, broker: int, chosen: argparse.Namespace) -> list[str]:
    """With a server: what was wrong with the agent."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        http = probe.getsockname()[1]
    config = folder / "server.toml"
    config.write_text(
        f'[database]\nurl = "ledger.sqlite3"\n[http]\nhost = "127.0.0.1"\nport = {http}\nurl = "http://127.0.0.1:{http}"\n'
        f'[broker]\nhost = "127.0.0.1"\nport = {broker}\n'
    )
    add = [sys.executable, "-m", "server.cli", "agent", "add", "soak", "--config", str(config)]
    told = subprocess.run(add, capture_output=True, text=True, check=True).stdout
    head = told[: told.index("[[machine]]")]
    machines = "".join(
        f'[[machine]]\nid = "{kind}"\nprofile = "{PROFILES[kind]}"\n'
        f'port = "sim://{kind}?seed={number}&{chosen.play}&truth={folder.resolve()}/{kind}.jsonl"\n'
        for number, kind in enumerate(chosen.kinds, 1)
    )
    (folder / "agent.toml").write_text(head + machines)
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "server.cli", "run", "--config", str(config)], stdout=log, stderr=log
        )
    try:
        time.sleep(5)
        return _run(folder, chosen.minutes)
    finally:
        server.terminate()
        server.wait(END_S)


def _run(folder: Path, minutes: float) -> list[str]:
    """The agent, from its start to its end."""
    with (folder / "agent.log").open("wb") as log:
        command = [sys.executable, "-m", "bridge.cli", "run", "--config", str(folder / "agent.toml")]
        agent = subprocess.Popen(command, stdout=log, stderr=log)
    samples = []
    try:
        for _ in range(max(8, round(minutes * 60 / EVERY_S))):
            time.sleep(EVERY_S)
            if agent.poll() is not None:
                return [f"the agent ended with {agent.returncode}"]
            samples.append(sample(agent.pid))
    finally:
        agent.terminate()
        begun = time.monotonic()
        try:
            agent.wait(END_S)
        except subprocess.TimeoutExpired:
            agent.kill()
            agent.wait()
    print(f"stopped after {time.monotonic() - begun:.1f} s with status {agent.returncode}")
    time.sleep(2)  # for the server, which may still be writing
    return [*grown(samples), *_complaints(folder, agent.returncode)]


def sample(pid: int) -> Sample:
    """What the process holds now."""
    task = Path(f"/proc/{pid}")
    return Sample(
        memory=rss(pid),
        descriptors=len(list((task / "fd").iterdir())),
        threads=len(list((task / "task").iterdir())),
        used=busy(pid),
    )


def grown(samples: list[Sample]) -> list[str]:
    """Print how the agent was, and say what grew."""
    warm = samples[min(len(samples) // 2, round(WARM_S / EVERY_S)) :]
    quarter = max(1, len(warm) // 4)
    found = []
    for name, most in (("memory", MOST_MB), ("descriptors", MOST_MORE), ("threads", MOST_MORE)):
        first, last = (median(getattr(one, name) for one in part) for part in (warm[:quarter], warm[-quarter:]))
        print(f"{name}: {first:.1f} at first, {last:.1f} at last")
        if last - first > most:
            found.append(f"{name} grew from {first:.1f} to {last:.1f}")
    print(f"memory every {EVERY_S:.0f} s:", *(f"{one.memory:.0f}" for one in samples))
    share = (warm[-1].used - warm[0].used) / max(EVERY_S, (len(warm) - 1) * EVERY_S)
    print(f"{100 * share:.1f} % of a core")
    return found


def _complaints(folder: Path, status: int | None) -> list[str]:
    found = [] if status == 0 else [f"the agent ended with {status}"]
    for name in ("agent.log", "server.log"):
        lines = (folder / name).read_text("utf-8", "replace").splitlines()
        found += [f"{name}: {line}" for line in lines if " ERROR " in line or line.startswith("Traceback")][:10]
    return found


def judge(folder: Path, kinds: list[str], speed: float) -> list[str]:
    """Hold the ledger against the truth; print a line a machine, and say what is not so."""
    found = []
    for kind in kinds:
        said, games = ledger(folder / "ledger.sqlite3", kind, speed), truths(read(folder / f"{kind}.jsonl"))
        tally = Counter[str]()
        invented = assign(said, games)
        found += [f"{kind}: invented: {one}" for one in invented]
        ends: dict[str, list[GameEnded | GameAborted]] = {}
        for one in said:
            if isinstance(one, GameEnded | GameAborted):
                ends.setdefault(one.game, []).append(one)
        found += [f"{kind}: ended twice: {twice}" for twice in ends.values() if len(twice) > 1]
        for game in games:
            if not game.ended:
                continue
            for verdict in verdicts(kind, game, [ends.get(told.game, [None])[0] for told in game.told]):
                tally[verdict] += 1
                if verdict in {*BAD, "wrong end"}:
                    found.append(f"{kind}: {verdict}: {game} told as {[ends.get(told.game) for told in game.told]}")
        print(f"{kind}: {sum(tally.values())} games: " + ", ".join(f"{many} {what}" for what, many in tally.items()))
    return found


def ledger(path: Path, machine: str, speed: float) -> list[Signal]:
    """What the ledger has of one machine, in the machine's own time or a little later."""
    box = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    rows = box.execute("SELECT kind, body FROM ledger WHERE kind LIKE 'fact.%' ORDER BY position")
    facts = [(kind, fact) for kind, fact in ((kind, json.loads(body)) for kind, body in rows)]
    mine = [(kind, fact) for kind, fact in facts if fact.get("machine") == machine]
    born = next((fact["mono_ms"] for kind, fact in mine if kind == "fact.machine.attached"), 0)
    said: list[Signal] = []
    for kind, fact in mine:
        at, body = round((fact["mono_ms"] - born + ATTACHED_MS) * speed), fact["body"]
        scores = tuple(
            PlayerScore(player=one["player"], score=one["score"], confidence=one["confidence"])
            for one in body.get("scores", ())
        )
        if kind == "fact.game.started":
            said.append(GameStarted(at=at, game=body["game"], players=body["players"]))
        elif kind == "fact.game.ended":
            said.append(
                GameEnded(
                    at=at,
                    game=body["game"],
                    how=body["how"],
                    scores=scores,
                    source=body["source"],
                    balls_played=body.get("balls_played"),
                )
            )
        elif kind == "fact.game.aborted":
            said.append(GameAborted(at=at, game=body["game"], how=body["how"], scores=scores))
    return said


if __name__ == "__main__":
    sys.exit(main())
