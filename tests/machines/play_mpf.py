"""Runs Mission Pinball Framework with our machine and plays on it, for tests and (record_mpf.py) for new recordings.

The switches are hit over BCP by a client of its own, as a player's hands would. Nothing here knows Inlane.
"""

import asyncio
import contextlib
import re
import shutil
import socket
import time
from collections.abc import AsyncIterator
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PATIENCE = 45.0
TRIGGERS = (
    *("game_started", "game_will_end", "game_ending", "game_ended", "player_turn_ended", "ball_will_start"),
    *("ball_will_end", "ball_ended", "tilt_warning", "tilt", "tilt_clear", "slam_tilt", "ball_search_started"),
    *("ball_search_stopped", "ball_search_failed", "ball_search_phase_1", "ball_search_phase_2"),
    *("service_mode_entered", "service_mode_exited", "machine_reset_phase_3", "shutdown"),
    *("high_score_enter_initials", "extra_ball_awarded"),
)


def free_port() -> int:
    """A port that nobody has now."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


class Machine:
    """A running MPF and the hands on it."""

    def __init__(self, folder: Path, port: int, record: Path | None = None) -> None:
        self.folder = folder
        self.port = port
        self.lines: list[str] = []
        self.process: asyncio.subprocess.Process | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._reading: asyncio.Task[None] | None = None
        self._record = record.open("w", encoding="utf-8") if record else None
        self._began = time.monotonic()
        self.gone = asyncio.Event()

    async def connect(self, since: int = 0) -> None:
        """Take hold of the switches and subscribe to everything."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                reader, self._writer = await asyncio.open_connection("127.0.0.1", self.port)
                break
            except OSError:
                if time.monotonic() > end:
                    raise
                await asyncio.sleep(0.05)
        self._reading = asyncio.create_task(self._read(reader))
        for category in ("core_events", "modes", "player_vars", "machine_vars", "switches"):
            self.send(f"monitor_start?category={category}")
        for event in TRIGGERS:
            self.send(f"register_trigger?event={event}")
        await self.wait("mode_list", since)

    async def hang_up(self) -> None:
        """Pull the cable."""
        assert self._writer is not None
        self._writer.transport.abort()
        await asyncio.wait_for(self.gone.wait(), PATIENCE)
        self.gone.clear()

    async def ask(self, *placeholders: str) -> None:
        """Ask MPF for values, one after the other."""
        for placeholder in placeholders:
            since = len(self.lines)
            self.send(f"evaluate_placeholder?placeholder={placeholder}")
            await self.wait("evaluate_placeholder", since)

    def note(self, direction: str, line: str) -> None:
        """Write a line of the recording."""
        if self._record:
            self._record.write(f"{time.monotonic() - self._began:9.3f} {direction} {line}\n")
            self._record.flush()

    def end_record(self) -> None:
        """What comes after this is not of interest."""
        if self._record:
            self._record.close()
            self._record = None

    def send(self, line: str) -> None:
        """Say a line to MPF."""
        assert self._writer is not None
        self.note(">", line)
        with contextlib.suppress(OSError):
            self._writer.write(line.encode() + b"\n")

    async def wait(self, pattern: str, since: int | None = None, seconds: float = PATIENCE) -> int:
        """Wait for a line like this, from now on (or from line `since`); return the number of the next line."""
        at = len(self.lines) if since is None else since
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for number in range(at, len(self.lines)):
                if re.search(pattern, self.lines[number]):
                    return number + 1
            at = max(at, len(self.lines))
            await asyncio.sleep(0.005)
        raise TimeoutError(f"MPF did not say {pattern!r}; last: {self.lines[-5:]}")

    async def hit(self, *switches: str, hold: float = 0.02) -> None:
        """Hit switches one after the other."""
        for switch in switches:
            self.send(f"switch?name={switch}&state=int:1")
            await asyncio.sleep(hold)
            self.send(f"switch?name={switch}&state=int:0")
            await asyncio.sleep(0.02)

    async def start(self, players: int = 1) -> None:
        """Press start until so many players are in the game."""
        since = len(self.lines)
        await self.hit("s_start")
        await self.wait(r"ball_start\?", since)
        for player in range(2, players + 1):
            since = len(self.lines)
            await self.hit("s_start")
            await self.wait(rf"player_added\?player_num=int:{player}", since)

    async def ball(self, *switches: str, drain: bool = True) -> None:
        """Wait until the ball is on the playfield, hit switches, and let it drain."""
        await self._on_playfield()
        await self.hit(*switches)
        if drain:
            since = len(self.lines)
            self.drain()
            await self.wait("ball_ended", since)

    def drain(self) -> None:
        """One ball rolls into the trough."""
        open_switch = next(name for name in sorted(self._trough()) if not self._trough()[name])
        self.send(f"switch?name={open_switch}&state=int:1")

    async def stop(self) -> None:
        """End MPF, if it still runs, and hang up."""
        if self.process and self.process.returncode is None:
            self.process.kill()
            await self.process.wait()
        if self._reading:
            self._reading.cancel()
        if self._writer:
            self._writer.close()
            with contextlib.suppress(OSError):
                await self._writer.wait_closed()
        self.end_record()

    async def _on_playfield(self) -> None:
        """The plunger lane fires by itself; the ball is out when its switch has opened since the ball's start."""
        start = max((i for i, line in enumerate(self.lines) if line.startswith("ball_start?")), default=0)
        await self.wait("name=s_lane&state=int:0", start)
        await asyncio.sleep(1.1)  # bd_lane's eject_timeouts: only then does MPF count the ball as played

    def _trough(self) -> dict[str, bool]:
        state = {f"s_trough{number}": True for number in range(1, 5)}
        for line in self.lines:
            if found := re.match(r"switch\?name=(s_trough\d)&state=int:(\d)", line):
                state[found[1]] = found[2] == "1"
        return state

    async def _read(self, reader: asyncio.StreamReader) -> None:
        with contextlib.suppress(OSError):
            while line := await reader.readline():
                text = line[:-1].decode()
                self.note("<", text)
                self.lines.append(text)
        self.note("#", "EOF from MPF")
        self.gone.set()


@contextlib.asynccontextmanager
async def running(
    folder: Path, *, balls: int = 3, record: Path | None = None, media_port: int | None = None, patient: bool = False
) -> AsyncIterator[Machine]:
    """MPF with a copy of our machine in `folder`.

    `media_port`: it connects there as to its media controller; `patient`: and lives on when that one goes.
    """
    machine_folder = folder / "machine"
    shutil.copytree(HERE / "mpf", machine_folder)
    port = free_port()
    config = machine_folder / "config" / "config.yaml"
    text = config.read_text().replace("port: 5051", f"port: {port}").replace("port: 5050", f"port: {media_port or 1}")
    text = text.replace("host: 127.0.0.1", "host: 127.0.0.1\n      exit_on_close: false") if patient else text
    config.write_text(text.replace("balls_per_game: 3", f"balls_per_game: {balls}"))
    mpf = ROOT / ".venv-mpf" / "bin" / "mpf"
    flags = ["-t", "-X", "-A", "-a"] + ([] if media_port else ["-b"])
    machine = Machine(machine_folder, port, record)
    with (folder / "mpf.log").open("wb") as log:
        machine.process = await asyncio.create_subprocess_exec(
            str(mpf), "game", *flags, cwd=machine_folder, stdin=asyncio.subprocess.DEVNULL, stdout=log, stderr=log
        )
        try:
            yield machine
        finally:
            await machine.stop()
