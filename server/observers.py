"""What others may see on the broker: each machine's state and its open malfunctions, for overlays and automation.

Also carries out what the desk asks of agents (freeze). Nothing here is read back. The invariant: a retained alert is
there exactly as long as its malfunction is open, once the broker is reached.
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Iterable

from bridge.wire.control import Command
from bridge.wire.ids import new_id
from bridge.wire.topics import is_id
from server.core.venue.posting import moment
from server.core.venue.state import Machine, State
from server.desk import Desk
from server.ingest.listen import Listener
from server.live import Notice

log = logging.getLogger(__name__)
AGAIN_S = 5.0
"""What could not be published, because there was no broker, is tried again after so long."""


class Observers:
    """Publishes what changed."""

    def __init__(self, desk: Desk, listener: Listener) -> None:
        self._desk, self._listener = desk, listener
        self._said: dict[str, bytes] = {}
        self._alerts: dict[tuple[str, str], bytes] = {}

    async def run(self) -> None:
        """Publish until cancelled. The one supervised loop: what cannot be shown must never stop what is kept."""
        while not self._desk.hub.closed:
            try:
                await self._follow()
            except Exception as error:
                log.error("showing machines on the broker failed: %s: %s", type(error).__name__, error)  # noqa: TRY400
                log.debug("showing machines failed", exc_info=True)
                await asyncio.sleep(AGAIN_S)

    async def _follow(self) -> None:
        due = set(self._machines())
        with self._desk.hub.viewing() as viewer:
            while not viewer.closed:
                due = {machine for machine in due if not await self._show(machine)}
                await viewer.woken(AGAIN_S)
                viewer.passing()
                async for notice in self._news(viewer.position):
                    viewer.position = notice.position or viewer.position
                    if "machine" in notice.subject:
                        due.add(str(notice.subject["machine"]))
                    if notice.kind == "machine.freeze":
                        await self._freeze(notice)
                    elif notice.kind.startswith("malfunction."):
                        due.update(self._machines_of(str(notice.subject.get("malfunction"))))

    async def _news(self, after: int) -> AsyncIterator[Notice]:
        while after < self._desk.hub.position:
            for notice in await asyncio.to_thread(self._desk.history, after, 500):
                yield notice
                after = notice.position or after

    def _machines(self) -> Iterable[str]:
        with self._desk.reading() as state:
            return list(state.machines)

    def _machines_of(self, malfunction: str) -> Iterable[str]:
        with self._desk.reading() as state:
            found = state.malfunctions.get(malfunction)
        return () if found is None or found.machine is None else (found.machine,)

    async def _show(self, machine: str) -> bool:
        """Publish a machine's state and alerts where they changed; False where the broker is not there.

        A machine of a tournament file may have a name that makes no topic: no agent can speak of it, nor can we.
        """
        if not is_id(machine):
            return True
        with self._desk.reading() as state:
            found = state.machines.get(machine)
            if found is None:
                return True
            body, alerts = _state_of(state, found), _alerts_of(state, found)
        if self._said.get(machine) != body:
            if not await self._listener.show_machine(machine, body):
                return False
            self._said[machine] = body
        gone = {fault: None for (whose, fault) in self._alerts if whose == machine and fault not in alerts}
        for fault, alert in {**alerts, **gone}.items():
            if self._alerts.get((machine, fault)) == alert:
                continue
            if not await self._listener.show_alert(machine, fault, alert):
                return False
            if alert is None:
                del self._alerts[machine, fault]
            else:
                self._alerts[machine, fault] = alert
        return True

    async def _freeze(self, notice: Notice) -> None:
        command = Command(id=new_id(), name="freeze", machine=str(notice.subject["machine"]))
        await self._listener.command(str(notice.subject["agent"]), command)


def _state_of(state: State, machine: Machine) -> bytes:
    game = state.games.get(machine.game) if machine.game else None
    body = {
        "name": machine.name,
        "status": machine.condition if machine.condition != "up" else "playing" if game else "idle",
        "players": list(machine.assignment.players) if machine.assignment else [],
        "game": None if game is None else {"id": game.id, "scores": [score.score for score in game.scores]},
        "since": None if machine.since is None else moment(machine.since),
    }
    return json.dumps(body, separators=(",", ":")).encode("ascii")


def _alerts_of(state: State, machine: Machine) -> dict[str, bytes | None]:
    found: dict[str, bytes | None] = {}
    for name in machine.open:
        malfunction = state.malfunctions[name]
        body = {"id": name, "since": moment(malfunction.since), "detail": malfunction.detail}
        if is_id(malfunction.fault):
            found[malfunction.fault] = json.dumps(body, separators=(",", ":")).encode("ascii")
    return found
