"""The desk's commands to a running agent: each is answered once, in one line a person can read.

Here: identify, snapshot, freeze, recalibrate, restart (`replay` is the publisher's own). Invariant: a command changes
no fact that was stated; what it adds is a new one.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence

from bridge.evidence import EvidenceStore
from bridge.publisher import Publisher
from bridge.station import Station
from bridge.translate import scores_body
from bridge.wire.control import Command, Config, Reply
from capture.signals import ScoreFrozen, Scores
from hardware import pi

ANSWER_S, FIT_S = 5.0, 30.0
"""How long a station may take to answer; and to look for its display anew."""
ASKED = "asked for by the desk"
"""Why a score was frozen, where a person asked for it at the desk."""

_log = logging.getLogger(__name__)


class Commanding:
    """Answers commands on behalf of these stations. `stop` is set for a restart."""

    def __init__(
        self,
        stations: Sequence[Station],
        pictures: EvidenceStore,
        stir: Callable[[], None],
        now: Callable[[], int],
        stop: asyncio.Event,
    ) -> None:
        self._stations = stations
        self._pictures = pictures
        self._stir = stir
        self._now = now
        self._stop = stop
        self.restart_wanted = False

    async def serve(self, publisher: Publisher) -> None:
        """Answer what comes, until cancelled."""
        async for wanted in publisher.incoming():
            if isinstance(wanted, Config):
                _log.warning(
                    "a configuration (revision %d) came from the desk: this agent follows its file", wanted.revision
                )
                continue
            reply = await self._answer(wanted)
            _log.info("command %s: %s", wanted.name, reply.detail)
            await publisher.reply(reply)

    async def _answer(self, command: Command) -> Reply:
        chosen = [one for one in self._stations if command.machine in {None, one.machine}]
        if not chosen:
            return Reply(id=command.id, ok=False, detail=f"this agent has no machine {command.machine}")
        try:
            async with asyncio.timeout(FIT_S if command.name == "recalibrate" else ANSWER_S):
                ok, detail, body = await self._do(command.name, chosen)
        except (TimeoutError, asyncio.QueueFull):
            ok, detail, body = False, "no answer from the machine's station in time", {}
        return Reply(id=command.id, ok=ok, detail=detail, body=body)

    async def _do(self, name: str, stations: list[Station]) -> tuple[bool, str, dict[str, object]]:
        match name:
            case "identify":
                machines = [station.hearing().model_dump() for station in stations]
                return True, f"this is {pi.host_name()}", {"host": pi.host_name(), "machines": machines}
            case "freeze":
                return await self._freeze(stations)
            case "snapshot":
                return await self._snapshot(stations)
            case "recalibrate":
                return await self._recalibrate(stations)
            case "restart":
                self.restart_wanted = True
                asyncio.get_running_loop().call_later(1.0, self._stop.set)
                return True, "the agent starts anew", {}
        return False, f"this agent cannot {name}", {}

    async def _freeze(self, stations: list[Station]) -> tuple[bool, str, dict[str, object]]:
        kept = {}
        for station in stations:
            for signal in await station.freeze(ASKED):
                if isinstance(signal, ScoreFrozen):
                    kept[station.machine] = signal.scores
        if not kept:
            return False, "no game runs or ran: there is nothing to keep", {}
        told = "; ".join(
            f"{machine}: {_told(scores)}" if len(stations) > 1 else _told(scores) for machine, scores in kept.items()
        )
        return True, f"scores kept: {told}"[:500], {"machines": {name: scores_body(s) for name, s in kept.items()}}

    async def _recalibrate(self, stations: list[Station]) -> tuple[bool, str, dict[str, object]]:
        told = {station.machine: said for station in stations if (said := await station.recalibrate())}
        if not told:
            return False, "nothing to recalibrate: heard by wire, or the camera gives no picture", {}
        return True, "; ".join(f"{machine}: {said}" for machine, said in told.items())[:500], {"machines": told}

    async def _snapshot(self, stations: list[Station]) -> tuple[bool, str, dict[str, object]]:
        taken: dict[str, object] = {}
        for station in stations:
            if station.frame is None:
                continue
            from capture.vision.evidence import encode_jpeg  # noqa: PLC0415 -- who only listens needs no OpenCV

            picture = await asyncio.to_thread(encode_jpeg, station.frame.image)
            if await asyncio.to_thread(self._pictures.put, picture):
                taken[station.machine] = {"evidence": picture.digest, "age_ms": self._now() - station.frame.at}
                self._stir()
        if not taken:
            return False, "no picture: these machines are heard by wire, or their camera gives none", {}
        return True, f"{len(taken)} picture(s) on their way", {"pictures": taken}


def _told(scores: Scores) -> str:
    """The scores for a person."""
    one = [f"player {s.player}: {s.text or '?' if s.score is None else f'{s.score:,}'}" for s in scores]
    return ", ".join(one) or "none yet"
