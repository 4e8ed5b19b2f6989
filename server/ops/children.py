"""Child processes that are watched: started, started again with back-off when they die, stopped in order.

A child never outlives its parent: it is told to end when the parent ends, however that happens. What a child prints
goes to a file of its own.
"""

import asyncio
import contextlib
import ctypes
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 5.0
STEADY_AFTER_S = 10.0
"""A child that ran this long is well again: the next pause is the first one."""
GRACE_S = 5.0
"""How long a child may take to end before it is killed."""

Say = Callable[[str], None]


@dataclass(slots=True, kw_only=True)
class Child:
    """One watched process. `argv` is run as it stands; its output is appended to `log`."""

    name: str
    argv: Sequence[str]
    log: Path
    say: Say
    process: asyncio.subprocess.Process | None = field(default=None, init=False)
    starts: int = field(default=0, init=False)
    _task: asyncio.Task[None] | None = field(default=None, init=False)

    def start(self) -> None:
        """Begin to run and watch the process."""
        self._task = asyncio.get_running_loop().create_task(self._watch(), name=f"watch {self.name}")

    async def stop(self) -> None:
        """End the process: ask, wait GRACE_S, then kill. Returns when it is gone."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        process = self.process
        if process is None or process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(process.wait(), GRACE_S)
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _watch(self) -> None:
        pause = FIRST_PAUSE_S
        clock = asyncio.get_running_loop().time
        while True:
            began = clock()
            status = await self._run_once()
            pause = FIRST_PAUSE_S if clock() - began > STEADY_AFTER_S else min(pause * 2, LONGEST_PAUSE_S)
            self.say(f"{self.name} ended ({_ending(status)}); starting it again. {self._last_words()}".rstrip())
            await asyncio.sleep(pause)

    async def _run_once(self) -> int:
        with self.log.open("ab") as output:
            self.process = await asyncio.create_subprocess_exec(
                *self.argv, stdin=asyncio.subprocess.DEVNULL, stdout=output, stderr=output,
                start_new_session=True, preexec_fn=_die_with_parent,
            )  # fmt: skip
        self.starts += 1
        return await self.process.wait()

    def _last_words(self) -> str:
        try:
            tail = self.log.read_bytes()[-2000:].decode("utf-8", "replace").strip().splitlines()
        except OSError:
            return ""
        return f"It last said: {tail[-1][:200]}" if tail else ""


def _ending(status: int) -> str:
    if status < 0:
        with contextlib.suppress(ValueError):
            return signal.Signals(-status).name
    return f"status {status}"


def _die_with_parent() -> None:
    """Linux: PR_SET_PDEATHSIG (prctl(2)), so that a killed parent leaves no orphan behind."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)
