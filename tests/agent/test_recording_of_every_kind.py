"""A recording of each kind of machine that talks says, replayed, what was said when it was made."""

import asyncio
import time
from contextlib import aclosing
from pathlib import Path

import pytest

from bridge.recorder import Recorder
from bridge.translate import translate
from capture.pipeline import Capture
from capture.signals import Signal
from hardware.catalog import load_profile
from hardware.ports import open_port
from hardware.ports.base import Closed
from hardware.ports.recordings import open_recording
from hardware.profile import MachineProfile
from hardware.sim.describe import PROFILES

SECONDS = 3.0
UNLIKE = {"port", "detail", "evidence"}
"""What belongs to the place, and not to the game."""


def now() -> int:
    return time.monotonic_ns() // 1_000_000


def told(signals: list[Signal]) -> list[tuple[str, str]]:
    games: dict[str, str] = {}
    facts = []
    for signal in signals:
        game = getattr(signal, "game", None)
        name = None if game is None else games.setdefault(game, f"game {len(games)}")
        if fact := translate(signal, game=name):
            facts.append((fact.kind, str({key: value for key, value in fact.body.items() if key not in UNLIKE})))
    return facts


async def record(kind: str, profile: MachineProfile, path: Path) -> list[Signal]:
    """What capture said while it was recorded."""
    recorder = Recorder(path, profile, title=kind, budget=2**28)
    capture, said = Capture(profile), []
    port = open_port(f"sim://{kind}?seed=5&speed=120&idle=0.3&players=2", now=now)
    end = now() + SECONDS * 1000
    async with port, aclosing(aiter(port)) as events:
        coming = asyncio.ensure_future(anext(events))
        while now() < end:
            due = min(end, capture.next_deadline() or end)
            await asyncio.wait({coming}, timeout=max(0.0, due - now()) / 1000)
            if coming.done():
                recorder.take(coming.result())
                said += capture.feed(coming.result())
                coming = asyncio.ensure_future(anext(events))
            said += capture.tick(now())
            if out := capture.outgoing():
                recorder.sent(out, now())
                await port.send(out)
        coming.cancel()
        await asyncio.gather(coming, return_exceptions=True)
    recorder.close()
    return said


async def replay(profile: MachineProfile, path: Path) -> list[Signal]:
    capture, said = Capture(profile), []
    async with open_recording(path, profile) as port:
        for event in port.events():
            if not isinstance(event, Closed) or event.reason != "ended":
                said += capture.feed(event)
        assert port.damaged == 0
    return said


@pytest.mark.parametrize("kinds", [("bcp", "vector", "memory", "lisy", "lines", "json"), ("dndp",)])
async def test_what_is_replayed_says_what_was_said_then(kinds: tuple[str, ...], tmp_path: Path):
    profiles = [load_profile(PROFILES[kind]) for kind in kinds]
    paths = [tmp_path / f"{kind}.txt.gz" for kind in kinds]
    live = await asyncio.gather(*map(record, kinds, profiles, paths))
    for kind, profile, path, said in zip(kinds, profiles, paths, live, strict=True):
        then, again = told(said), told(await replay(profile, path))
        assert then[: len(again)] == again, kind  # the last tick may have been after the last byte
        assert len(again) >= len(then) - 2, kind
        assert then, kind
