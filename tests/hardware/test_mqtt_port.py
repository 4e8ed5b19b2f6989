"""The port of machines that publish, over a real Mosquitto: lines of JSON, bounds, logins, and a broker that goes."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from typing import Any, Protocol

import pytest

from bridge.link import Broker, Hello, PahoLink
from capture.dialects import Setup
from capture.pipeline import Capture
from capture.signals import FaultCleared, FaultRaised, GameEnded, GameStarted, MachineAttached, Signal
from hardware.catalog import load_profile
from hardware.errors import PortInvalid
from hardware.ports import open_port
from hardware.ports.base import Chunk, Closed, Opened, Port, PortEvent
from hardware.ports.mqtt import LARGEST, line, parse
from hardware.ports.tcp import Pauses


class Killable(Protocol):
    """The fixture `mosquitto`."""

    host: str
    port: int
    start: Callable[[], None]
    kill: Callable[[], None]


def port_of(broker: Killable, rest: str = "pinball/#", **more: Any) -> Port:  # noqa: ANN401
    loop = asyncio.get_running_loop()
    port = open_port(f"mqtt://{broker.host}:{broker.port}/{rest}", now=lambda: int(loop.time() * 1000), **more)
    port._pauses = Pauses(chance=lambda: 0.0)  # type: ignore[attr-defined]
    return port


async def until(events: AsyncIterator[PortEvent], kind: type) -> Any:  # noqa: ANN401
    async with asyncio.timeout(30):
        async for event in events:
            if isinstance(event, kind):
                return event
    raise AssertionError


class Machine:
    """Somebody who publishes."""

    def __init__(self, broker: Killable) -> None:
        self._link = PahoLink(Broker(host=broker.host, port=broker.port))
        hello = Hello(client_id="machine", will_topic="will/machine", will=b"gone")
        self._link.prepare(hello=lambda: hello, subscriptions=[])

    async def __aenter__(self) -> PahoLink:
        await self._link.__aenter__()
        async with asyncio.timeout(30):
            while self._link.state != "up":  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        return self._link

    async def __aexit__(self, *gone: Any) -> None:  # noqa: ANN401, PYI036 -- as the link has it
        await self._link.__aexit__(*gone)


@pytest.mark.broker
async def test_each_message_is_a_line_of_json_with_its_topic(mosquitto: Killable):
    async with Machine(mosquitto) as machine, port_of(mosquitto) as port, aclosing(aiter(port)) as events:
        await machine.publish("pinball/mm/state", b'{"ball": 1}', retain=True)
        assert (await until(events, Opened)).port == f"mqtt://{mosquitto.host}:{mosquitto.port}/pinball/#"
        first = await until(events, Chunk)
        assert json.loads(first.data) == {"topic": "pinball/mm/state", "retained": True, "payload": '{"ball": 1}'}
        await machine.publish("pinball/mm/state", b"\xff\xfe")
        await machine.publish("pinball/mm/ü", b"")
        await machine.publish("pinball/mm/big", b"\0" * 5 * 2**20)
        told = [json.loads((await until(events, Chunk)).data) for _ in range(3)]
        assert [one["payload"] for one in told] == [None, "", None]
        assert "UTF-8" in told[0]["error"]
        assert str(LARGEST) in told[2]["error"]


@pytest.mark.broker
async def test_a_broker_that_goes_and_comes_back_is_found_again(mosquitto: Killable):
    async with port_of(mosquitto) as port, aclosing(aiter(port)) as events:
        await until(events, Opened)
        mosquitto.kill()
        assert (await until(events, Closed)).reason == "eof"
        assert "connection refused" in (await until(events, Closed)).why
        mosquitto.start()
        await until(events, Opened)


@pytest.mark.broker
async def test_a_refused_login_says_which_key_to_look_at(start_mosquitto: Callable[..., Any]):
    broker = start_mosquitto("allow_anonymous false")
    url = f"mqtt://pi@{broker.host}:{broker.port}/t"
    async with open_port(url, now=lambda: 0, password="wrong") as port, aclosing(aiter(port)) as events:
        closed = await until(events, Closed)
        assert closed.reason == "refused"
        assert "`secret`" in closed.why


@pytest.mark.broker
async def test_a_game_over_mqtt_with_all_that_goes_wrong_is_told_once(mosquitto: Killable):
    capture, said = Capture(load_profile("mqtt-json"), setup=Setup()), list[Signal]()

    def state(playing: bool, ball: int, *scores: int) -> bytes:  # noqa: FBT001
        told = {"playing": playing, "players": 1, "player": 1, "ball": ball, "balls": 3, "scores": scores}
        return json.dumps(told).encode()

    async def hear(port: Port) -> None:
        async with aclosing(aiter(port)) as events:
            async for event in events:
                said.extend(capture.feed(event))

    def kinds(kind: type) -> list[Any]:
        said.extend(capture.tick(int(asyncio.get_running_loop().time() * 1000)))
        return [signal for signal in said if isinstance(signal, kind)]

    async def settle(kind: type, count: int = 1) -> None:
        async with asyncio.timeout(30):
            while len(kinds(kind)) < count:  # noqa: ASYNC110
                await asyncio.sleep(0.02)

    async with Machine(mosquitto) as machine, port_of(mosquitto) as port:
        await machine.publish("pinball/mm/event", b'{"event": "game_over", "finals": [777]}', retain=True)
        await machine.publish("pinball/mm/state", state(False, 0, 777), retain=True)
        task = asyncio.create_task(hear(port))
        await settle(MachineAttached)
        await asyncio.sleep(1.7)  # what was found has been looked at: no game
        assert not kinds(GameStarted)
        await machine.publish("pinball/mm/state", state(True, 1, 0), retain=True)
        await settle(GameStarted)
        for bad in (b"", b"{", b"null", b"[]", b'{"scores":["abc"]}', b'{"scores":[1e400]}', b'{"scores":[NaN]}',
                    b"\xff\xfe", b"\0" * 5 * 2**20):  # fmt: skip
            await machine.publish("pinball/mm/state", bad)
        await settle(FaultRaised)
        await machine.publish("pinball/other", b"17")
        await machine.publish("pinball/mm/state", state(True, 3, 4_000_000_000), retain=True)
        await settle(FaultCleared)
        await machine.publish("pinball/mm/event", b'{"event": "game_over", "finals": [4000000010]}')
        await settle(GameEnded)
        task.cancel()
    assert [one.fault for one in kinds(FaultRaised)] == ["data-garbled"]
    assert "pinball/mm/state" in kinds(FaultRaised)[0].detail
    [ended] = kinds(GameEnded)
    assert [one.score for one in ended.scores] == [4_000_000_010]


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("mqtt://", "HOST"),
        ("mqtt://h", "topic is needed"),
        ("mqtt://h/", "topic is needed"),
        ("mqtt://h:0/t", "HOST"),
        ("mqtt://h:x/t", "HOST"),
        ("mqtt://h/a/#/b", "topic is needed"),
        ("mqtt://h/a+", "topic is needed"),
        ("mqtt://u:p@h/t", "secret"),
        ("mqtt://h/t?qos=1", "'qos' is no option"),
        ("mqtt://h/t?ca=/nowhere", "ca is a file"),
        ("mqtts://h/t?ca=/nowhere", "ca is a file"),
    ],
)
def test_an_address_that_makes_no_sense_says_what_is_needed(url: str, told: str):
    with pytest.raises(PortInvalid, match=told) as caught:
        open_port(url, now=lambda: 0)
    assert "\n" not in str(caught.value)


def test_wildcards_stand_for_themselves_in_an_address():
    address = parse("mqtt://pi@[::1]:1884/pinball/+/#?topic=ha/%3F/x&client=me", "word")
    assert address.topics == ("pinball/+/#", "ha/?/x")
    assert (address.broker.host, address.broker.port, address.broker.username) == ("::1", 1884, "pi")
    assert address.url == "mqtt://[::1]:1884/pinball/+/#"
    assert "word" not in repr(address)


def test_no_payload_makes_a_line_that_is_longer_than_a_dialect_takes():
    for payload in (b"\0" * LARGEST, b'"' * LARGEST, "ü".encode() * (LARGEST // 2)):
        assert len(line("t", payload, False)) <= 7 * LARGEST
