"""Makers' devices under a running agent: lines that call over TCP, and a tap on a display wire (a pseudo-terminal)."""

import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from capture.dialects.lines_grammar import sign
from tests.agent.conftest import free_port
from tests.agent.test_serial_machines import SILENT_BROKER, facts, finals, say, wait
from tests.hardware.cables import Cable

Make = Callable[..., Any]


@pytest.fixture
def cable(tmp_path: Path) -> Iterator[Cable]:
    made = Cable(tmp_path / "tap")
    made.plug()
    yield made
    made.pull()


def call(port: int) -> socket.socket:
    end = time.monotonic() + 40
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=5)
        except OSError:
            assert time.monotonic() < end, "the agent does not listen"
            time.sleep(0.05)


def tell(wire: socket.socket, first: int, *lines: str) -> None:
    signed = (sign(f"@{number} {line}") for number, line in enumerate(lines, start=first))
    wire.sendall("".join(f"{line}\r\n" for line in signed).encode())


def test_a_device_that_calls_tells_its_game_across_a_cut(make_agent: Make):
    port = free_port()
    agent = make_agent(broker_port=SILENT_BROKER, machines={"mm-1": ("lines", f"tcp-listen://127.0.0.1:{port}")})
    agent.start()
    with call(port) as wire:
        wire.settimeout(30)
        asked = b""
        while b"STATE?" not in asked:
            asked += wire.recv(100)
        tell(wire, 0, "HELLO device=mm", "GAME players=2", "PLAYER 1 BALL 1", "SCORE 1 2147483648")
        wait(lambda: facts(agent, "mm-1", "game.started"), "the game begins")
    wait(lambda: facts(agent, "mm-1", "machine.detached"), "the line was cut")
    with call(port) as wire:
        tell(wire, 9, "HELLO device=mm", "PLAYER 2 BALL 1", "SCORE 2 12345678910", "BALL END")
        tell(wire, 13, "END 1=4294967296 2=12345678910", "END 1=4294967296 2=12345678910", "END 1=0 2=0")
        wait(lambda: finals(agent, "mm-1"), "the game ends")
        tell(wire, 16, "SCORE 1 4294967296", "END 1=0 2=0", "CALL")
        wait(lambda: any(f["fault"] == "official-called" for f in facts(agent, "mm-1", "fault.raised")), "the call")
    assert agent.end() == 0
    assert finals(agent, "mm-1") == [[4294967296, 12345678910]]
    assert len(facts(agent, "mm-1", "game.started")) == 1
    assert not facts(agent, "mm-1", "game.aborted")
    assert "Traceback" not in agent.said


def test_a_tap_on_a_display_wire_tells_its_game(make_agent: Make, cable: Cable, tmp_path: Path):
    quick = tmp_path / "quick.toml"
    quick.write_text('id = "quick"\nname = "Quick"\nkind = "wire"\ndialect = "lisy"\nhold_ms = 500\ndwell_ms = 100\n')
    agent = make_agent(broker_port=SILENT_BROKER, machines={"old": (str(quick), f"serial://{cable.name}")})
    agent.start()

    def show(display: int, text: str) -> bytes:
        return bytes([30 + display, len(text)]) + text.encode() + b"\x29" * 10 + b"\x65"

    say(cable, show(1, "   5000") + show(2, "       ") + show(0, " 3  "))
    wait(lambda: facts(agent, "old", "machine.attached"), "the tap makes sense")
    say(cable, show(1, "     00") + show(0, " 2 1"))
    wait(lambda: facts(agent, "old", "game.started"), "the game begins")
    say(cable, show(1, "   1230") + show(1, " 712340") + show(0, " 2  "))
    wait(lambda: finals(agent, "old"), "the game ends")
    assert agent.end() == 0
    assert finals(agent, "old") == [[712340]]
    assert "Traceback" not in agent.said
