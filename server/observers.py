"""What others may see on the broker: each machine's state and its open malfunctions, for overlays and automation.

Also carries out what the desk asks of agents (freeze). Nothing here is read back. The invariant: a retained alert is
there exactly as long as its malfunction is open, once the broker is reached.
"""

import asyncio
import json
import logging
import uuid
from collections.abc import AsyncIterator, Iterable

from bridge.wire.control import Command
from bridge.wire.topics import is_id
from server.core.venue.severity import suggestion
from server.core.venue.state import Machine, State
from server.core.venue.times import moment
from server.desk import Desk
from server.ingest.listen import Listener
from server.live import Notice

log = logging.getLogger(__name__)
AGAIN_S = 5.0
"""What could not be published, because there was no broker, is tried again after so long."""


_COMMANDS = uuid.UUID("4b8d6c3e-0c47-5c1f-8a52-2f8e6c9b7a10")


def freeze_id(position: int) -> str:
    """The id of the command that carries out the wish at this ledger position: the answer to it names the same."""
    return str(uuid.uuid5(_COMMANDS, str(position)))


class Observers:
    """Publishes what changed."""

    def __init__(self, desk: Desk, listener: Listener) -> None:
        self._desk, self._listener = desk, listener
        self._said: dict[str, bytes] = {}
        self._alerts: dict[tuple[str, str], bytes] = {}
        self._swept: set[str] = set()

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
                due.update(self._noted())
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

    def _noted(self) -> Iterable[str]:
        """Machines of which an announced power cycle explains something: with time alone that becomes an alert."""
        with self._desk.reading() as state:
            open_now = [state.malfunctions[name] for machine in state.machines.values() for name in machine.open]
        return {fault.machine for fault in open_now if fault.noted_until is not None and fault.machine is not None}

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
            body, alerts = _state_of(state, found), _alerts_of(state, found, self._desk.now())
        if self._said.get(machine) != body:
            if not await self._listener.show_machine(machine, body):
                return False
            self._said[machine] = body
        shown = {fault for whose, fault in self._alerts if whose == machine} | self._left_over(machine)
        gone = {fault: None for fault in shown if fault not in alerts}
        for fault, alert in {**alerts, **gone}.items():
            if alert is not None and self._alerts.get((machine, fault)) == alert:
                continue
            if not await self._listener.show_alert(machine, fault, alert):
                return False
            if alert is None:
                self._alerts.pop((machine, fault), None)
            else:
                self._alerts[machine, fault] = alert
        self._swept.add(machine)
        return True

    def _left_over(self, machine: str) -> set[str]:
        """Faults of which a run before may have left an alert on the broker: each is said to be over once."""
        if machine in self._swept:
            return set()
        with self._desk.reading() as state:
            ever = list(state.malfunctions.values())
        return {fault.fault for fault in ever if fault.machine == machine and is_id(fault.fault)}

    async def _freeze(self, notice: Notice) -> None:
        command = Command(id=freeze_id(notice.position or 0), name="freeze", machine=str(notice.subject["machine"]))
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


def _alerts_of(state: State, machine: Machine, now: int) -> dict[str, bytes | None]:
    found: dict[str, bytes | None] = {}
    for name in machine.open:
        malfunction = state.malfunctions[name]
        if not malfunction.raised(now) or not is_id(malfunction.fault):
            continue
        about = suggestion(malfunction.fault)
        body = {
            "id": name,
            "since": moment(malfunction.since),
            "detail": malfunction.detail,
            "severity": about.at(in_game=malfunction.game is not None),
            "suggested": about.called_at(in_game=malfunction.game is not None),
        }
        found[malfunction.fault] = json.dumps(body, separators=(",", ":")).encode("ascii")
    return found
