"""What an agent costs: memory beyond its imports, and processor time of a station by wire and by camera.

Run by hand: `.venv/bin/python benchmarks/agent.py [SECONDS]`. Needs mosquitto on PATH. Figures are of this process tree
alone (user + system time from /proc), so a busy computer distorts them less than wall time.
"""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CONFIG = """agent = "bench"
data = "data"
log = "warning"
[broker]
host = "127.0.0.1"
port = {broker}
[[machine]]
id = "m"
profile = "{profile}"
port = "{port}"
"""
CASES = {
    "idle, by wire (nobody there)": ("mpf-bcp", "tcp://127.0.0.1:1", ""),
    "BCP machine at normal speed": ("mpf-bcp", "sim://bcp?seed=7&idle=1&players=2", ""),
    "dot-matrix machine, 5 fps, 640x360": ("dmd-128x32", "sim://dmd?seed=7&idle=1&players=2&fps=5", "corners"),
    "dot-matrix machine, 5 fps, 1280x720": (
        "dmd-128x32", "sim://dmd?seed=7&idle=1&players=2&fps=5&width=1280&height=720", "corners",
    ),
}  # fmt: skip


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 30.0
    wire, camera = (
        imports("bridge.agent, bridge.connection, capture.pipeline"),
        imports("bridge.agent, bridge.connection, capture.pipeline, capture.watch, cv2, numpy"),
    )
    print(f"imports alone: {wire:.1f} MB by wire, {camera:.1f} MB by camera")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        broker, port = start_broker(folder)
        try:
            for title, (profile, address, corners) in CASES.items():
                measure(
                    folder, title, CONFIG.format(broker=port, profile=profile, port=address), bool(corners), seconds
                )
        finally:
            broker.terminate()
            broker.wait()


def measure(folder: Path, title: str, config: str, corners: bool, seconds: float) -> None:  # noqa: FBT001
    if corners:
        from hardware.ports.sim import corners_of  # noqa: PLC0415

        address = next(line.split('"')[1] for line in config.splitlines() if line.startswith('port = "sim'))
        config += f"corners = {[list(point) for point in corners_of(address)]}\n"
    shutil.rmtree(folder / "data", ignore_errors=True)
    (folder / "agent.toml").write_text(config)
    command = [sys.executable, "-m", "bridge.cli", "run", "--config", str(folder / "agent.toml")]
    agent = subprocess.Popen(command)
    try:
        time.sleep(8)
        before = busy(agent.pid)
        time.sleep(seconds)
        used = (busy(agent.pid) - before) / seconds
        print(f"{title}: {rss(agent.pid):.1f} MB, {100 * used:.1f} % of a core", flush=True)
    finally:
        agent.terminate()
        agent.wait(30)


def imports(modules: str) -> float:
    code = f"import {modules}\nprint(open('/proc/self/status').read())"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    return int(told.split("VmRSS:")[1].split()[0]) / 1024


def rss(pid: int) -> float:
    return int(Path(f"/proc/{pid}/status").read_text().split("VmRSS:")[1].split()[0]) / 1024


def busy(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def start_broker(folder: Path) -> tuple[subprocess.Popen[bytes], int]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    (folder / "mosquitto.conf").write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\npersistence false\n")
    program = shutil.which("mosquitto", path="/usr/bin:/usr/sbin:/usr/local/sbin") or "mosquitto"
    broker = subprocess.Popen([program, "-c", str(folder / "mosquitto.conf")], stderr=subprocess.DEVNULL)
    time.sleep(1)
    return broker, port


if __name__ == "__main__":
    main()
