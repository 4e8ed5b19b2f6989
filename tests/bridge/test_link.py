"""The link over a real Mosquitto: what it says of the broker, and what it never does."""

import asyncio
import random
import shutil
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, Protocol

import pytest

from bridge.errors import LinkDown
from bridge.link import Broker, Connected, Disconnected, Hello, LinkEvent, Message, PahoLink, Refused
from bridge.link_parts import MESSAGE_LIMIT, Backoff, Slots

pytestmark = [pytest.mark.broker, pytest.mark.timeout(120)]


class Killable(Protocol):
    """The fixture `mosquitto`."""

    host: str
    port: int
    start: Callable[[], None]
    kill: Callable[[], None]


class Quick(Backoff):
    """A test does not wait half a minute to come back."""

    def wait_s(self, reason: str) -> float:
        return min(0.1, super().wait_s(reason))


def link_to(mosquitto: Killable, name: str = "pi-1", listen: str = "t/#", **login: Any) -> PahoLink:  # noqa: ANN401
    link = PahoLink(Broker(host=mosquitto.host, port=mosquitto.port, **login))
    link._backoff = Quick(random.Random(1))  # noqa: S311
    hello = Hello(client_id=name, will_topic=f"t/will/{name}", will=b"gone")
    link.prepare(hello=lambda: hello, subscriptions=[listen])
    return link


async def seen(events: AsyncIterator[LinkEvent], kind: type, seconds: float = 30) -> Any:  # noqa: ANN401
    """The next event of this kind."""
    async with asyncio.timeout(seconds):
        async for event in events:
            if isinstance(event, kind):
                return event
    raise AssertionError


async def test_messages_go_out_and_come_in_in_order(mosquitto: Killable):
    async with link_to(mosquitto) as link:
        events = aiter(link)
        assert (await seen(events, Connected)).version == "5"
        assert (link.state, link.why) == ("up", "")
        for number in range(100):
            await link.publish("t/x", b"%d" % number)
        assert [(await seen(events, Message)).payload for _ in range(100)] == [b"%d" % number for number in range(100)]
    assert link.state == "closed"


async def test_nothing_is_queued_while_there_is_no_connection(mosquitto: Killable):
    async with link_to(mosquitto) as link:
        events = aiter(link)
        await seen(events, Connected)
        mosquitto.kill()
        assert (await seen(events, Disconnected)).reason == "lost"
        with pytest.raises(LinkDown):
            await link.publish("t/x", b"never sent")
        assert (await seen(events, Disconnected)).reason == "unreachable"
        mosquitto.start()
        await seen(events, Connected)
        await link.publish("t/x", b"sent")
        assert (await seen(events, Message)).payload == b"sent"


async def test_who_waits_for_a_place_is_told_when_the_connection_ends(mosquitto: Killable):
    async with link_to(mosquitto) as link:
        events = aiter(link)
        await seen(events, Connected)

        async def publish_for_ever() -> None:
            while True:
                await link.publish("t/x", b"x" * 1000)

        task = asyncio.create_task(publish_for_ever())
        await seen(events, Message)
        mosquitto.kill()
        async with asyncio.timeout(30):
            with pytest.raises(LinkDown):
                await task


async def test_a_refused_login_is_told_apart_and_tried_seldom(start_mosquitto: Callable[..., Any], tmp_path: Path):
    passwords = tmp_path / "passwords"
    words = ("-b", "-c", str(passwords), "pi-1", "right")
    assert await (await asyncio.create_subprocess_exec(_tool("mosquitto_passwd"), *words)).wait() == 0
    passwords.chmod(0o644)
    mosquitto = start_mosquitto(f"allow_anonymous false\npassword_file {passwords}\nuser root")
    async with link_to(mosquitto, username="pi-1", password="wrong") as link:
        refused = await seen(aiter(link), Disconnected)
        assert refused.reason == link.state == "refused"
        assert "the broker refuses the login" in refused.why
        assert "check user name and password" in link.why
        assert "wrong" not in link.why
    async with link_to(mosquitto, username="pi-1", password="right") as link:
        await seen(aiter(link), Connected)
    assert Backoff(random.Random(1)).wait_s("refused") == 60  # noqa: S311


async def test_what_the_brokers_access_list_refuses_is_said(start_mosquitto: Callable[..., Any], tmp_path: Path):
    acl = tmp_path / "acl"
    acl.write_text("topic readwrite t/mine/#\n")
    acl.chmod(0o644)
    mosquitto = start_mosquitto(f"allow_anonymous true\nacl_file {acl}\nuser root")
    async with link_to(mosquitto) as link:
        events = aiter(link)
        await seen(events, Connected)
        await link.publish("t/theirs", b"x")
        refused = await seen(events, Refused)
        assert (refused.topic, refused.why) == ("t/theirs", "the broker refuses the message: Not authorized")
        await link.publish("t/mine/x", b"x")
        assert (await seen(events, Message)).topic == "t/mine/x"


async def test_a_huge_message_is_dropped_and_said_and_the_next_one_read(mosquitto: Killable):
    async with link_to(mosquitto) as link:
        events = aiter(link)
        await seen(events, Connected)
        await link.publish("t/x", b"0" * 5_000_000)
        await link.publish("t/x", b"good")
        refused = await seen(events, Refused)
        assert refused.topic == "t/x"
        assert refused.why == f"dropped: 5000000 bytes, more than the {MESSAGE_LIMIT} allowed"
        assert (await seen(events, Message)).payload == b"good"


async def test_a_good_bye_sends_no_will_and_a_broken_connection_does(mosquitto: Killable):
    async with link_to(mosquitto, "observer", "t/will/#") as observer:
        events = aiter(observer)
        await seen(events, Connected)
        async with link_to(mosquitto, "polite") as polite:
            await seen(aiter(polite), Connected)
        async with link_to(mosquitto, "broken") as broken:
            its = aiter(broken)
            await seen(its, Connected)
            broken.renew()
            assert (await seen(its, Disconnected)).reason == "lost"
            await seen(its, Connected)
            assert (await seen(events, Message)).topic == "t/will/broken"


async def test_a_second_client_of_the_same_name_takes_over(mosquitto: Killable):
    async with link_to(mosquitto, "twin") as first:
        its = aiter(first)
        await seen(its, Connected)
        async with link_to(mosquitto, "twin") as second:
            await seen(aiter(second), Connected)
            assert (await seen(its, Disconnected)).reason == "lost"


async def test_a_broker_that_does_not_speak_mqtt_5_is_spoken_to_in_3_1_1():
    """One that answers as MQTT 3.1.1 does: return code 1, unacceptable protocol version."""
    versions: list[int] = []

    async def old_broker(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connect = await reader.read(1_000)
        versions.append(connect[8])  # fixed header 2, name 6
        if versions[-1] == 5:
            writer.write(b"\x20\x02\x00\x01")
        else:
            writer.write(b"\x20\x02\x00\x00")
            subscribe = await reader.read(1_000)
            writer.write(b"\x90\x03" + subscribe[2:4] + b"\x01")
            await reader.read(1_000)
        writer.close()

    server = await asyncio.start_server(old_broker, "127.0.0.1", 0)
    link = PahoLink(Broker(host="127.0.0.1", port=server.sockets[0].getsockname()[1]))
    link._backoff = Quick(random.Random(1))  # noqa: S311
    hello = Hello(client_id="pi-1", will_topic="w", will=b"w")
    link.prepare(hello=lambda: hello, subscriptions=["t/#"])
    async with link:
        assert (await seen(aiter(link), Connected)).version == "3.1.1"
    assert versions[:2] == [5, 4]
    server.close()
    await server.wait_closed()


async def test_what_the_broker_sends_before_the_subscription_stands_comes_after_connected():
    """MQTT lets a broker send retained messages before it confirms the subscription (MQTT 5, 3.8.4)."""

    async def eager_broker(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1_000)
        writer.write(b"\x20\x03\x00\x00\x00")
        subscribe = await reader.read(1_000)
        writer.write(b"\x31\x09\x00\x03t/x\x00now" + b"\x90\x04" + subscribe[2:4] + b"\x00\x01")
        await reader.read(1_000)
        writer.close()

    server = await asyncio.start_server(eager_broker, "127.0.0.1", 0)
    link = PahoLink(Broker(host="127.0.0.1", port=server.sockets[0].getsockname()[1]))
    hello = Hello(client_id="pi-1", will_topic="w", will=b"w")
    link.prepare(hello=lambda: hello, subscriptions=["t/#"])
    async with link:
        events = aiter(link)
        async with asyncio.timeout(30):
            assert await anext(events) == Connected(version="5")
            assert await anext(events) == Message(topic="t/x", payload=b"now", retained=True)
    server.close()
    await server.wait_closed()


async def test_a_peer_that_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("bridge.connection.CONNECT_S", 0.3)

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    link = PahoLink(Broker(host="127.0.0.1", port=server.sockets[0].getsockname()[1]))
    hello = Hello(client_id="pi-1", will_topic="w", will=b"w")
    link.prepare(hello=lambda: hello, subscriptions=["t/#"])
    async with link:
        gone = await seen(aiter(link), Disconnected)
        assert (gone.reason, gone.why.partition(": ")[2]) == ("unreachable", "the broker does not answer")
    server.close()
    await server.wait_closed()


def test_waits_grow_with_full_jitter_up_to_half_a_minute():
    backoff = Backoff(random.Random(3))  # noqa: S311
    waits = [backoff.wait_s("unreachable") for _ in range(200)]
    assert waits[0] <= 0.5
    assert 20 < max(waits) <= 30
    assert min(waits[10:]) < 5
    backoff.reset()
    assert backoff.wait_s("lost") <= 0.5


async def test_a_cancelled_wait_for_a_place_takes_none():
    slots = Slots(1)
    await slots.take()
    waiting = asyncio.create_task(slots.take())
    await asyncio.sleep(0)
    waiting.cancel()
    slots.give()
    async with asyncio.timeout(5):
        await slots.take()
        slots.give()
        await slots.settled()


def _tool(name: str) -> str:
    return shutil.which(name) or f"/usr/bin/{name}"
