"""Machines on serial lines (pseudo-terminals) under a running agent: cut lines, noise, exchanged names, strangers."""

import contextlib
import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bridge.cli import main
from capture.pipeline import Capture
from capture.signals import FaultRaised, MachineAttached
from hardware.catalog import load_profile
from hardware.ports.serial import SerialPort
from hardware.ports.serial_address import parse_address
from tests.hardware.cables import Cable, clock, take

Given = Any
"""What a fixture of conftest gives."""
Make = Callable[..., Any]
SILENT_BROKER = 1
"""No broker is there: what is written to the outbox is all that is looked at."""


@pytest.fixture
def cables(tmp_path: Path) -> Iterator[Callable[..., Cable]]:
    made: list[Cable] = []

    def make(name: str, *, plugged: bool = True) -> Cable:
        made.append(Cable(tmp_path / name))
        if plugged:
            made[-1].plug()
        return made[-1]

    yield make
    for cable in made:
        cable.pull()


def facts(agent: Given, machine: str, *kinds: str) -> list[dict[str, Any]]:
    with contextlib.closing(sqlite3.connect(agent.data / "outbox.sqlite")) as db:
        rows = db.execute("SELECT kind, body FROM entry WHERE machine = ? ORDER BY seq", (machine,))
        return [{"kind": kind, **json.loads(body)} for kind, body in rows if not kinds or kind in kinds]


def finals(agent: Given, machine: str) -> list[list[int | None]]:
    return [[one["score"] for one in fact["scores"]] for fact in facts(agent, machine, "game.ended")]


def wait(true: Callable[[], object], what: str, seconds: float = 40.0) -> None:
    end = time.monotonic() + seconds
    while True:
        with contextlib.suppress(sqlite3.OperationalError):  # it is not there yet
            if true():
                return
        assert time.monotonic() < end, f"not within {seconds} s: {what}"
        time.sleep(0.02)


def say(cable: Cable, data: bytes) -> None:
    """All of it, however slowly it is taken."""
    end = time.monotonic() + 40
    while data:
        assert time.monotonic() < end, "the agent takes no bytes"
        sent = cable.say(data[:4096])
        data = data[sent:]
        if not sent:
            time.sleep(0.001)


def heard(agent: Given, machine: str) -> bool:
    return bool(facts(agent, machine, "machine.attached"))


def game(*scores: int, number: int = 1, name: str = "") -> bytes:
    lines = [f"HELLO device={name}"] if name else []
    lines += [f"GAME players={len(scores)} game={number}", "PLAYER 1 BALL 1"]
    lines += [f"SCORE {player} {score}" for player, score in enumerate(scores, 1)]
    finals = " ".join(f"{player}={score}" for player, score in enumerate(scores, 1))
    lines += ["BALL END", f"END {finals} game={number}"]
    return "".join(f"{line}\n" for line in lines).encode()


class Devices:
    """Machines that say their name whenever they are asked, each on the cable where it is plugged in now."""

    def __init__(self, **at: Cable) -> None:
        self.at = at

    def answer(self) -> None:
        for name, cable in self.at.items():
            if b"HELLO?" in cable.heard():
                say(cable, f"HELLO device={name}\n".encode())


def memory_kb(agent: Given) -> int:
    return int(Path(f"/proc/{agent.process.pid}/statm").read_text().split()[1]) * 4


def test_a_line_counts_only_as_a_whole(make_agent: Make, cables: Given):
    """The tail of a line, a line in two pieces, a line without an end: one score, and no shorter one."""
    cable = cables("mm")
    agent = make_agent(broker_port=SILENT_BROKER, machines={"mm-1": ("lines", f"serial://{cable.name}")})
    agent.start()
    say(cable, b"4560\n")
    say(cable, b"GAME players=1 game=1\nPLAYER 1 BALL 1\nSCORE 1 1234")
    wait(lambda: facts(agent, "mm-1", "game.started"), "the game begins")
    say(cable, b"560\nBALL END\nEND 1=1234560 game=1\nGAME players=1 game=2\nSCORE 1 987")
    wait(lambda: facts(agent, "mm-1", "game.ended"), "the game ends")
    cable.pull()
    wait(lambda: facts(agent, "mm-1", "machine.detached"), "the cable was pulled")
    assert agent.end() == 0
    assert finals(agent, "mm-1") == [[1234560]]
    told = [one for fact in facts(agent, "mm-1") for one in fact.get("scores", ())]
    assert {one["score"] for one in told} <= {0, 1_234_560}
    detached = facts(agent, "mm-1", "machine.detached")[0]
    assert "unplugged" in detached["detail"]
    assert "Traceback" not in agent.said


def test_no_byte_ends_the_reader_and_no_digit_is_guessed(make_agent: Make, cables: Given):
    cable, other = cables("mm"), cables("bcp")
    machines = {"mm-1": ("lines", f"serial://{cable.name}"), "mm-2": ("mpf-bcp", f"serial://{other.name}")}
    agent = make_agent(broker_port=SILENT_BROKER, machines=machines)
    agent.start()
    hello = b"hello?version=1.1&controller_name=MPF&controller_version=0.81.0\n"
    say(cable, b"\x825\xff\n" + game(111_110))
    say(other, b"\x825\xff\n" + hello)
    wait(lambda: finals(agent, "mm-1") and heard(agent, "mm-2"), "a good line after a senseless one")
    before = memory_kb(agent)
    noise = b"\xff" * 4096 + b"\n" + b"\x00" * 300 + b"\n"
    for target, good in ((cable, game(222_220, number=2)), (other, hello)):
        say(target, noise + good)
        say(target, b"SCORE 1 12\x0034\nSCORE 1 12\xff4\n" + b"END 1=9\xff9\n")
        say(target, b"\xff" * (1 << 20) + b"\n" + b"\xef\xbb\xbf" + good)
    say(cable, game(333_330, number=3))
    wait(lambda: [333_330] in finals(agent, "mm-1"), "the last good line")
    assert agent.process.poll() is None
    assert memory_kb(agent) - before < 30_000
    scores = finals(agent, "mm-1")
    assert [one for one in scores if one != [222_220]] == [[111_110], [333_330]]
    assert {score for (score,) in scores} == {111_110, 222_220, 333_330}
    assert "data-garbled" in {fact["fault"] for fact in facts(agent, "mm-1", "fault.raised")}
    assert agent.end() == 0
    assert "Traceback" not in agent.said


async def test_silence_noise_and_a_pulled_cable_are_told_apart(cables: Given):
    silent, noisy, none = cables("silent"), cables("noisy"), cables("none", plugged=False)
    say(noisy, bytes(range(128, 256)) * 2 + b"\x00\n\xff\n\x80\n" * 5)
    told = {}
    for name, cable in (("silent", silent), ("noisy", noisy), ("none", none)):
        capture = Capture(load_profile("mpf-bcp"))
        async with SerialPort(parse_address(f"serial://{cable.name}"), now=clock) as port:
            events = aiter(port)
            said = capture.feed(await take(events))
            if name == "noisy":
                said += capture.feed(await take(events))
        said += capture.tick(clock() + 60_000)  # nothing more comes for long
        told[name] = [(one.fault, one.detail) for one in said if isinstance(one, FaultRaised)]
        assert not any(isinstance(one, MachineAttached) for one in said)
    assert [fault for fault, _ in told["silent"]] == ["no-data"]
    assert [fault for fault, _ in told["noisy"]] == ["wrong-device"]
    assert told["none"] == [("port-lost", f"{none.name} is not there: is it plugged in?")]


def test_exchanged_numbers_credit_each_machine_with_its_own(make_agent: Make, cables: Given):
    """The names that stay follow the devices; their numbers are dealt anew."""
    a, b = cables("by-id-a"), cables("by-id-b")
    machines = {"a": ("lines", f"serial://{a.name}"), "b": ("lines", f"serial://{b.name}")}
    agent = make_agent(broker_port=SILENT_BROKER, machines=machines)
    agent.start()
    say(a, b"HELLO device=A\nGAME players=1 game=1\nPLAYER 1 BALL 1\nSCORE 1 100\n")
    say(b, b"HELLO device=B\nGAME players=1 game=1\nPLAYER 1 BALL 1\nSCORE 1 200\n")
    wait(lambda: facts(agent, "a", "game.started") and facts(agent, "b", "game.started"), "both play")
    a.pull()
    b.pull()
    b.plug()
    a.plug()
    say(b, game(222_220, number=2, name="B"))
    say(a, game(111_110, number=2, name="A"))
    wait(lambda: finals(agent, "a") and finals(agent, "b"), "both end")
    assert finals(agent, "a") == [[111_110]]
    assert finals(agent, "b") == [[222_220]]
    assert agent.end() == 0


def test_where_numbers_are_all_there_is_each_machine_is_found_by_its_own_name(make_agent: Make, cables: Given):
    """Two boards without serial numbers exchange their numbers; a stranger takes one of them."""
    first, second = cables("tty0"), cables("tty1")
    anywhere = f"serial://{first.name.parent}/tty*"
    machines = {name.lower(): ("lines", f'{anywhere}"\ndevice = "{name}') for name in "AB"}
    agent = make_agent(broker_port=SILENT_BROKER, machines=machines)
    agent.start()
    devices = Devices(A=first, B=second)

    def attached(times: int) -> bool:
        devices.answer()
        return all(len(facts(agent, machine, "machine.attached")) == times for machine in machines)

    wait(lambda: attached(1), "both are found")
    say(first, game(100, name="A"))
    say(second, game(200, name="B"))
    wait(lambda: finals(agent, "a") and finals(agent, "b"), "both have played")
    for cable in (first, second):
        cable.pull()
    wait(lambda: all(facts(agent, machine, "machine.detached") for machine in machines), "both are gone")
    first.plug()
    second.plug()
    devices.at = {"B": first, "A": second}
    wait(lambda: attached(2), "both are found again")
    say(first, game(222_220, number=2, name="B"))
    say(second, game(111_110, number=2, name="A"))
    wait(lambda: len(finals(agent, "a")) == len(finals(agent, "b")) == 2, "both have played again")
    first.pull()
    first.plug()
    devices.at = {"C": first, "A": second}
    say(first, game(999_990, number=3, name="C"))

    def stranger_is_refused() -> bool:
        devices.answer()
        faults = facts(agent, "b", "fault.raised")
        return any(fact["fault"] == "wrong-device" and "this is C" in fact["detail"] for fact in faults)

    wait(stranger_is_refused, "the stranger is told")
    assert agent.end() == 0
    assert finals(agent, "a") == [[100], [111_110]]
    assert finals(agent, "b") == [[200], [222_220]]


def test_an_address_that_fits_several_devices_needs_the_machines_name(
    make_agent: Make, cables: Given, capsys: pytest.CaptureFixture[str]
):
    cable = cables("tty0")
    for profile, device in (("lines", ""), ("mpf-bcp", '"\ndevice = "A')):
        machines = {"a": (profile, f"serial://{cable.name.parent}/tty*{device}")}
        file = make_agent(broker_port=SILENT_BROKER, machines=machines).write()
        assert main(["run", "--config", str(file)]) == 2
        assert "key 'device' must say how the machine names itself" in capsys.readouterr().err
