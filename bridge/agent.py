"""The agent, put together: stations, outbox and publisher, evidence, pulse and commands in one task group.

The only place where the parts of the agent meet. A clean stop lets the stations say their last word, gives it a moment
to go out, and publishes `stopped`. Invariant: no part's trouble stops another; only `stop` ends the agent.
"""

import asyncio
import contextlib
import importlib.metadata
import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Self

from bridge.calibrated import remember_corners
from bridge.clock import Clock, StepWatch, stamp
from bridge.commanding import Commanding
from bridge.config import AgentConfig, MachinePart, SourcePart
from bridge.errors import BridgeError, ConfigInvalid, OutboxFull
from bridge.evidence import EvidenceStore, Uploader
from bridge.leftover import OpenGame
from bridge.link import Broker, Link, PahoLink, Tls
from bridge.post import Post
from bridge.scribe import Scribe
from bridge.source import Source
from bridge.station import Station
from bridge.vitals import Vitals
from bridge.wire.topics import Topics
from capture.dialects import open_dialect
from capture.errors import CaptureError
from capture.pipeline import Corners
from hardware import pi
from hardware.catalog import load_profile
from hardware.errors import HardwareError
from hardware.ports import open_port
from hardware.ports.serial_address import leaves_choice
from hardware.profile import MachineProfile

PULSE_S = 5.0
"""A pulse goes out at least this often; where live scores change, `LIVE_S` apart."""
LIVE_S = 1.0
NAMED = ("lines", "vector", "json")
"""Dialects whose devices say which they are."""
SHOWING = ("camera", "sim", "replay")
"""Schemes of ports that may bring pictures."""
LAST_WORD_S = 5.0
GOOD_BYE_S = 2.0

_log = logging.getLogger(__name__)


class Agent:
    """One agent program. Make it (which opens the outbox and checks the machines), then `run` it once."""

    def __init__(
        self,
        config: AgentConfig,
        *,
        clock: Clock,
        make_link: Callable[[], Link] | None = None,
        folder: Path | None = None,
    ) -> None:
        """`folder`: where calibrations are kept (that of agent.toml).

        Raises ConfigInvalid for what the configuration names wrongly; OutboxBusy, OutboxFull as the outbox does.
        """
        self._folder = folder
        self._config = config
        self._clock = clock
        profiles = [[_profile(source, machine.id) for source in machine.sources] for machine in config.machine]
        try:
            config.data.mkdir(parents=True, exist_ok=True)
            self._pictures = EvidenceStore(config.data / "evidence", budget=config.evidence.megabytes * 2**20)
        except OSError as error:
            raise ConfigInvalid(f"key 'data': the folder {config.data} cannot be used: {error.strerror}") from None
        self.post = Post(
            config.data / "outbox.sqlite",
            make_link or partial(PahoLink, _broker(config)),
            agent=config.agent,
            clock=clock,
            topics=Topics(config.broker.root),
            host=pi.host_name()[:80],
            software=f"inlane {importlib.metadata.version('inlane')}",
        )
        self.post.machines = self.post.publisher.machines = tuple(machine.id for machine in config.machine)
        self._uploader = _uploader(config, self._pictures)
        self.stations = [
            self._station(machine, profile) for machine, profile in zip(config.machine, profiles, strict=True)
        ]
        self._vitals = Vitals(config.data, clock, self.post)
        self._steps = StepWatch()
        self.stop = asyncio.Event()
        """Set it to end the agent cleanly."""
        self._commanding = Commanding(self.stations, self._pictures, self._stir, clock.mono_ms, self.stop)

    @property
    def restart_wanted(self) -> bool:
        """Whether the agent was stopped by the desk's command, to begin anew."""
        return self._commanding.restart_wanted

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.post.close()

    async def run(self) -> None:
        """Work until `stop` is set. Raises OutboxFull where something was said that no disk took until then."""
        if self._uploader:
            self._uploader.start()
        _log.info("agent %s: %d machine(s), stream %s", self._config.agent, len(self.stations), self.post.outbox.stream)
        async with asyncio.TaskGroup() as group:
            posting = group.create_task(self.post.run(self._commanding.serve), name="post")
            pulsing = group.create_task(self._keep_pulsing(), name="pulse")
            working = [group.create_task(one.run(self.stop), name=one.machine) for one in self.stations]
            await self.stop.wait()
            _log.info("agent %s: stopping", self._config.agent)
            _, late = await asyncio.wait(working, timeout=LAST_WORD_S)
            for task in [pulsing, *late]:
                task.cancel()
            await self._last_facts_out()
            posting.cancel()
        if self._uploader:
            self._uploader.stop()
        _log.info("agent %s: stopped, %d fact(s) wait for the server", self._config.agent, self.post.publisher.depth)
        unwritten = sum(one.unwritten for one in self.stations)
        if unwritten:
            raise OutboxFull(
                f"{unwritten} fact(s) could not be written to {self._config.data} and are lost with this stop, maybe "
                "ends of games: free the disk, and check the last games of the machines in the log at the desk"
            )

    async def _last_facts_out(self) -> None:
        """A moment for what was said last, where there is a server to take it."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GOOD_BYE_S):
                while self.post.publisher.session.state == "flowing" and self.post.publisher.depth:  # noqa: ASYNC110
                    await asyncio.sleep(0.05)

    async def _keep_pulsing(self) -> None:
        quiet, before = 0.0, None
        while True:
            live = [one for station in self.stations for one in station.live()]
            hearing = [station.hearing() for station in self.stations]
            if (live, hearing) != before or quiet >= PULSE_S:
                quiet, before = 0.0, (live, hearing)
                await self.post.publisher.pulse(live=live[:256], machines=hearing, **self._vitals.read())
            await self._vitals.watch()
            await self._watch_clock()
            await asyncio.sleep(LIVE_S)
            quiet += LIVE_S

    async def _watch_clock(self) -> None:
        moved = self._steps.look(self._clock)
        if moved is None:
            return
        _log.info("the wall clock was set by %d ms", moved)
        fact = ("clock.stepped", None, stamp(self._clock), {"by_ms": moved})
        with contextlib.suppress(BridgeError):  # the server does not need it to place facts in time
            await self.post.keep(lambda _stream, _seq: [fact])

    def _stir(self) -> None:
        if self._uploader:
            self._uploader.stir()

    def _station(self, machine: MachinePart, profiles: list[MachineProfile]) -> Station:
        note = OpenGame(self._config.data / f"playing-{machine.id}.json")
        scribe = Scribe(
            machine.id, self.post, self._pictures, note=note, stamp=partial(stamp, self._clock), stir=self._stir
        )
        kinds = [_kind(part, profile) for part, profile in zip(machine.sources, profiles, strict=True)]
        sources = [
            Source(
                name=kind if kinds.count(kind) == 1 else f"{kind} {kinds[: number + 1].count(kind)}",
                profile=profile,
                open_port=partial(open_port, part.port, now=self._clock.mono_ms, password=part.password),
                setup=part.setup,
                sensor=kind == "sensor" and len(kinds) > 1,
                corners=part.corners,
                size=part.size,
                keep_corners=self._keeping(machine, part),
            )
            for number, (kind, part, profile) in enumerate(zip(kinds, machine.sources, profiles, strict=True))
        ]
        return Station(scribe, sources, now=self._clock.mono_ms)

    def _keeping(self, machine: MachinePart, part: SourcePart) -> Callable[[Corners, tuple[int, int]], None] | None:
        if self._folder is None or not machine.recalibrate:
            return None
        return partial(remember_corners, self._folder, machine, source=part)


def _kind(part: SourcePart, profile: MachineProfile) -> str:
    """What a source of several is called."""
    return "sensor" if part.port.startswith("gpio:") else profile.source


def _profile(source: SourcePart, machine: str) -> MachineProfile:
    """The source's profile; checks its port as well, so that a mistake is told before anything runs."""
    where = f"machine {machine!r}"
    try:
        profile = load_profile(source.profile)
        open_port(source.port, now=lambda: 0, password=source.password)
        if profile.dialect:
            open_dialect(profile, source.setup)
    except (HardwareError, CaptureError) as error:
        raise ConfigInvalid(f"{where}: {error}") from None
    scheme = source.port.partition(":")[0]
    if (profile.display is None) if scheme == "camera" else (profile.dialect is None and scheme not in SHOWING):
        raise ConfigInvalid(
            f"{where}: profile {profile.id!r} is of a machine that is {'heard' if profile.display is None else 'seen'},"
            f" and {source.port!r} {'shows pictures' if scheme == 'camera' else 'is no camera'}: one of them is wrong"
        )
    if leaves_choice(source.port) and (source.device is None or profile.dialect not in NAMED):
        raise ConfigInvalid(
            f"{where}: {source.port!r} fits several devices: key 'device' must say how the machine names itself, and"
            f" the profile's dialect must be one that says so ({', '.join(NAMED)})"
        )
    if source.corners and profile.kind != "display":
        raise ConfigInvalid(
            f"{where}: key 'corners' is for displays; profile {profile.id!r} is of kind {profile.kind!r}"
        )
    return profile


def _broker(config: AgentConfig) -> Broker:
    part = config.broker
    return Broker(
        host=part.host,
        port=part.port,
        username=config.username,
        password=part.password.get_secret_value() if part.password else None,
        tls=Tls(ca=part.ca) if part.tls or part.ca else None,
    )


def _uploader(config: AgentConfig, pictures: EvidenceStore) -> Uploader | None:
    if config.server is None:
        _log.warning("key 'server' is not given: pictures stay on this disk, and the desk cannot see them")
        return None
    return Uploader(pictures, config.server.url, config.server.token.get_secret_value())
