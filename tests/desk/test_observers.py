"""What others see on the broker: a machine's state, and an alert exactly as long as its malfunction is open."""

import asyncio
import json
from collections.abc import Callable

import pytest

from bridge.wire.control import Command
from server.core.venue import commands as c
from server.desk import Desk
from server.observers import Observers
from server.store.inbox import Delivery

from .conftest import ADMIN, BEGIN, PLACE, Pi

DEADLINE = 30.0
GAME = "1f0c1d5e-6a5b-5c0e-9a63-0d1b3f0a7a11"


class Board:
    """A broker's retained messages, which can be away; the shape of `Listener` as observers use it."""

    def __init__(self) -> None:
        self.away = False
        self.machines: dict[str, dict] = {}
        self.alerts: dict[tuple[str, str], dict] = {}
        self.commands: list[tuple[str, Command]] = []

    async def show_machine(self, machine: str, state: bytes) -> bool:
        if not self.away:
            self.machines[machine] = json.loads(state)
        return not self.away

    async def show_alert(self, machine: str, fault: str, alert: bytes | None) -> bool:
        if self.away:
            return False
        if alert is None:
            self.alerts.pop((machine, fault), None)
        else:
            self.alerts[machine, fault] = json.loads(alert)
        return True

    async def command(self, agent: str, command: Command) -> bool:
        self.commands.append((agent, command))
        return True


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(DEADLINE):
        while not true():  # noqa: ASYNC110 - another task makes it true
            await asyncio.sleep(0.01)


async def test_states_alerts_and_freezes_follow_the_ledger(desk: Desk):
    board, pi = Board(), Pi()
    task = asyncio.create_task(Observers(desk, board).run())
    try:
        await until(lambda: board.machines.get("m1", {}).get("name") == "Machine One")
        await asyncio.to_thread(desk.submit, c.Assign(machine="m1", place=PLACE, players=("p1",)), ADMIN)
        await asyncio.to_thread(desk.take, [pi.frame(pi.entry("game.started", "m1", {"game": GAME, "players": 1}))])
        await until(lambda: board.machines["m1"]["status"] == "playing")
        assert board.machines["m1"]["players"] == ["p1"]
        await asyncio.to_thread(desk.take, [pi.frame(pi.entry("fault.raised", "m1", {"fault": "tilt"}))])
        await until(lambda: ("m1", "tilt") in board.alerts)
        await asyncio.to_thread(desk.take, [pi.frame(pi.entry("fault.cleared", "m1", {"fault": "tilt"}))])
        await until(lambda: not board.alerts)
        await asyncio.to_thread(desk.submit, c.Freeze(machine="m1"), ADMIN)
        await until(lambda: len(board.commands) == 1)
        agent, command = board.commands[0]
        assert (agent, command.name, command.machine) == ("pi-1", "freeze", "m1")
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_what_could_not_be_shown_is_shown_when_the_broker_is_back(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("server.observers.AGAIN_S", 0.05)
    board, pi = Board(), Pi()
    board.away = True
    task = asyncio.create_task(Observers(desk, board).run())
    try:
        await asyncio.to_thread(desk.take, [pi.frame(pi.entry("fault.raised", "m1", {"fault": "tilt"}))])
        await asyncio.sleep(0.2)
        assert not board.alerts
        board.away = False
        await until(lambda: ("m1", "tilt") in board.alerts and "m2" in board.machines)
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_machines_and_times_that_cannot_be_shown_stop_nothing(desk: Desk):
    """A machine whose name makes no topic, a time that no calendar has."""
    board, pi, odd = Board(), Pi(), Pi("pi-odd")
    named = ({"id": "Attack from <Mars> #+/", "name": "Attack"},)
    await asyncio.to_thread(desk.submit, c.AddMachines(tournament="club", machines=named), ADMIN)
    task = asyncio.create_task(Observers(desk, board).run())
    try:
        await until(lambda: "m1" in board.machines)
        entry = odd.entry("game.started", "m1", {"game": GAME, "players": 1})
        at = entry.at.model_copy(update={"mono_ms": 0})
        frame = odd.frame(entry.model_copy(update={"at": at})).frame
        sent = frame.sent.model_copy(update={"mono_ms": 2**53 - 1})
        await asyncio.to_thread(desk.take, [Delivery("pi-odd", frame.model_copy(update={"sent": sent}), BEGIN)])
        await until(lambda: board.machines["m1"]["status"] == "playing")
        await asyncio.to_thread(desk.take, [pi.frame(pi.entry("fault.raised", "m2", {"fault": "tilt"}))])
        await until(lambda: ("m2", "tilt") in board.alerts)
        assert not task.done()
        assert set(board.machines) == {"m1", "m2"}
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
