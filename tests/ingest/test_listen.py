"""Listener and publisher together over a loopback broker, good and bad."""

import asyncio
import contextlib
import json
import random
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from bridge.clock import SystemClock, stamp
from bridge.loopback import Faults, LoopbackBroker, LoopbackLink
from bridge.publisher import Publisher
from bridge.wire.control import Command, Config, HostStatus, Live, Reply, Status
from bridge.wire.topics import Topics
from server.errors import StoreUnavailable
from server.ingest.listen import Listener
from server.ingest.presence import AgentGone, AgentOnline
from server.store import ledger
from server.store.engine import reading

TOPICS = Topics()
CLOCK = SystemClock()


@contextlib.asynccontextmanager
async def running(*programs: Publisher | Listener) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(program.run()) for program in programs]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
    for task in tasks:
        assert task.cancelled(), task.exception()


async def until(true: Callable[[], bool], what: str, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
        await asyncio.sleep(0.005)


async def state(agent: Publisher, count: int) -> None:
    for number in range(count):
        await agent.append("clock.stepped", None, stamp(CLOCK), {"by_ms": number})


def say(broker: LoopbackBroker, topic: str, payload: bytes, *, retain: bool = False) -> None:
    """Publish as somebody who is neither agent nor server."""
    broker.publish(topic, payload, retain=retain)
    broker.deliver_all()


async def test_what_an_agent_keeps_is_recorded_and_acknowledged(venue: SimpleNamespace):
    agent = venue.agent()
    async with running(venue.listener):
        async with running(agent):
            await state(agent, 40)
            await until(lambda: agent.depth == 0, "acknowledged")
        await until(lambda: len(venue.writer.events) == 2, "its good-bye is heard")
    assert venue.writer.facts() == [(agent.outbox.stream, seq) for seq in range(1, 41)]
    assert (agent.outbox.acked, agent.outbox.incarnation) == (40, venue.writer.incarnation)
    assert [type(event) for event in venue.writer.events] == [AgentOnline, AgentGone]
    assert venue.writer.events[-1].status.state == "stopped"
    assert HostStatus.decode(venue.broker.retained[TOPICS.host]).state == "stopped"


async def test_an_evil_network_loses_and_doubles_nothing(venue: SimpleNamespace):
    agent = venue.agent(faults=Faults(lose=0.02, double=0.2, reorder=0.2))
    async with running(venue.listener, agent):
        for _ in range(5):
            await state(agent, 10)
            await until(lambda: bool(venue.broker.connections), "somebody is connected")
            venue.broker.cut(random.Random(2).choice(venue.broker.connections))  # noqa: S311
        await until(lambda: agent.depth == 0, "acknowledged")
    assert venue.writer.facts() == [(agent.outbox.stream, seq) for seq in range(1, 51)]


BAD = [b"", b"{", b"null", b"[]", b'{"score": "abc"}', b'{"v": 1e400}', b'{"v": NaN}', b"\xff\xfe", b"0" * 5_000_000]


@pytest.mark.parametrize("leaf", ["log", "status", "pulse", "reply"])
async def test_bad_messages_are_said_and_stop_nothing(venue: SimpleNamespace, leaf: str):
    agent = venue.agent()
    async with running(venue.listener, agent):
        await until(lambda: agent.session.state == "flowing", "they meet")
        for payload in BAD:
            say(venue.broker, f"inlane/v1/agent/pi-9/up/{leaf}", payload)
        say(venue.broker, "inlane/v1/agent/pi-9/up/nonsense", b"{}")
        say(venue.broker, "inlane/v1/agent/PI 9/up/log", b"{}")
        say(venue.broker, TOPICS.host, b"{")
        await state(agent, 3)
        await until(lambda: agent.depth == 0, "the good facts are taken")
        await until(lambda: venue.listener.dropped == len(BAD) + 3, "each bad message was counted")
    assert len(venue.writer.refusals) == len(BAD) + 3
    assert all("\n" not in why and len(why) < 400 for _, why in venue.writer.refusals)
    assert len(venue.writer.facts()) == 3


async def test_a_frame_that_the_writer_cannot_take_stops_no_other_agent(venue: SimpleNamespace):
    venue.writer.poison = "pi-bad"
    bad, good = venue.agent("pi-bad"), venue.agent("pi-good")
    await state(bad, 3)
    await state(good, 3)
    async with running(venue.listener, bad, good):
        await until(lambda: good.depth == 0, "the good facts are taken")
        await until(lambda: bool(venue.writer.refusals), "the failure is said")
        assert venue.writer.refusals[0] == (TOPICS.log("pi-bad"), "not taken: ZeroDivisionError")
        assert bad.depth == 3, "what was not taken stays in the outbox"
        venue.writer.poison = None
        await until(lambda: bad.depth == 0, "it is sent again, and taken")


async def test_what_waits_is_taken_in_one_transaction(venue: SimpleNamespace):
    agents = [venue.agent(f"pi-{number}") for number in range(6)]
    for agent in agents:
        await agent.append_many([("clock.stepped", None, stamp(CLOCK), {"by_ms": n}) for n in range(100)])
    async with running(venue.listener, *agents):
        await until(lambda: not any(agent.depth for agent in agents), "everything is taken")
    assert len(venue.writer.facts()) == 600
    assert max(venue.writer.batches) > 1


async def test_facts_that_arrive_retained_count_once_and_are_warned_of(
    venue: SimpleNamespace, caplog: pytest.LogCaptureFixture
):
    agent = venue.agent()
    async with running(venue.listener, agent):
        await state(agent, 1)
        await until(lambda: agent.depth == 0, "acknowledged")
        entry = agent.outbox.window(0, 1)[0]
    frame = {"v": 1, "stream": agent.outbox.stream, "floor": 1, "sent": {"boot": "b", "mono_ms": 1}}
    payload = json.dumps({**frame, "entries": [entry.model_dump()]}).encode()
    say(venue.broker, TOPICS.log("pi-1"), payload, retain=True)
    for _ in range(2):  # the server starts anew, twice
        listener = Listener(LoopbackLink(venue.broker), venue.writer, topics=TOPICS)
        before = len(venue.writer.batches)
        async with running(listener):
            await until(lambda: len(venue.writer.batches) > before, "it was taken")  # noqa: B023
    assert len(venue.writer.facts()) == 1
    assert "arrive retained" in caplog.text


async def test_commands_reach_the_program_once_and_replies_come_back(venue: SimpleNamespace):
    agent = venue.agent()
    command = Command(id="0199f0d1-0000-7000-8000-000000000007", name="freeze", machine="mm-2")
    async with running(venue.listener, agent):
        await until(lambda: agent.session.state == "flowing", "they meet")
        assert await venue.listener.command("pi-1", command)
        assert await venue.listener.command("pi-1", command)
        assert await venue.listener.configure("pi-1", Config(revision=2, settings={"machines": []}))
        incoming = agent.incoming()
        assert await anext(incoming) == command
        assert (await anext(incoming)).revision == 2
        await agent.reply(Reply(id=command.id, ok=True, detail="kept"))
        assert await agent.pulse(live=[Live(machine="mm-2", player=1, score=48213340)], temperature=51.5)
        await until(lambda: bool(venue.writer.replies and venue.writer.pulses), "reply and pulse arrive")
    assert venue.writer.replies == [Reply(id=command.id, ok=True, detail="kept")]
    pulse = venue.writer.pulses[0]
    assert (pulse.live[0].score, pulse.temperature, pulse.session) == (48213340, 51.5, 1)
    assert not await agent.pulse(), "without a connection there is no heartbeat"


async def test_a_command_that_the_broker_kept_fires_nothing(venue: SimpleNamespace):
    agent = venue.agent()
    kept = Command(id="0199f0d1-0000-7000-8000-000000000007", name="restart")
    say(venue.broker, TOPICS.command("pi-1"), kept.encode(), retain=True)
    fresh = kept.model_copy(update={"id": "0199f0d1-0000-7000-8000-000000000008", "name": "identify"})
    async with running(venue.listener, agent):
        await until(lambda: agent.session.state == "flowing", "they meet")
        await venue.listener.command("pi-1", fresh)
        assert await anext(agent.incoming()) == fresh


async def test_a_late_will_is_answered_by_a_new_birth(venue: SimpleNamespace):
    agent = venue.agent()
    async with running(venue.listener, agent):
        await until(lambda: agent.session.state == "flowing", "they meet")
        will = Status(state="lost", session=1, stream=agent.outbox.stream, boot=CLOCK.boot)
        say(venue.broker, TOPICS.status("pi-1"), will.encode(), retain=True)
        await until(lambda: Status.decode(venue.broker.retained[TOPICS.status("pi-1")]).state == "online", "it is back")
        ghost = HostStatus(state="lost", incarnation=venue.writer.incarnation)
        say(venue.broker, TOPICS.host, ghost.encode(), retain=True)
        await until(lambda: HostStatus.decode(venue.broker.retained[TOPICS.host]).state == "online", "so is the server")


async def test_a_server_whose_clock_was_set_back_takes_a_number_above_the_one_that_was_met(venue: SimpleNamespace):
    met = venue.writer.incarnation + 10**9
    venue.broker.retained[TOPICS.host] = HostStatus(state="lost", incarnation=met).encode()
    agent = venue.agent()
    agent.session.incarnation = met + 5
    await state(agent, 3)
    async with running(venue.listener, agent):
        await until(lambda: agent.depth == 0, "acknowledged under the new number")
    assert venue.writer.incarnation > met + 5


async def test_a_disk_that_is_full_when_a_higher_number_is_met_stops_nothing(
    venue: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
):
    met = venue.writer.incarnation + 10**9
    reborn, refused = venue.writer.reborn, []

    def full(above: int) -> int:
        refused.append(above)
        if len(refused) < 3:
            raise StoreUnavailable("the ledger cannot be written: database or disk is full")
        return int(reborn(above))

    monkeypatch.setattr(venue.writer, "reborn", full)
    agent = venue.agent()
    await state(agent, 3)
    async with running(venue.listener, agent):
        await until(lambda: agent.session.state == "flowing", "they meet")
        ghost = HostStatus(state="lost", incarnation=met)
        for _ in range(3):
            say(venue.broker, TOPICS.host, ghost.encode())
        await until(lambda: venue.writer.incarnation > met, "the number is taken once there is room")
        await until(lambda: agent.depth == 0, "all is acknowledged")
    assert len(refused) == 3


async def test_a_second_server_under_the_same_root_is_said(venue: SimpleNamespace):
    async with running(venue.listener):
        await until(lambda: TOPICS.host in venue.broker.retained, "it is there")
        other = HostStatus(state="online", incarnation=venue.writer.incarnation + 5)
        say(venue.broker, TOPICS.host, other.encode())
        await until(lambda: bool(venue.writer.refusals), "it is said")
    assert "another server speaks under this root" in venue.writer.refusals[0][1]


async def test_missing_entries_are_asked_for_before_the_agent_notices(venue: SimpleNamespace):
    agent = venue.agent()
    async with running(venue.listener, agent):
        await until(lambda: agent.session.state == "flowing", "they meet")
        agent.session.sent(0, 2, CLOCK.mono_ms())  # a frame that the network swallowed
        began = time.monotonic()
        await state(agent, 4)
        await until(lambda: agent.depth == 0, "acknowledged")
    assert len(venue.writer.facts()) == 4
    assert time.monotonic() - began < 60


async def test_damage_of_the_outbox_is_stated_as_a_fact(venue: SimpleNamespace, tmp_path: Path):
    first = venue.agent()
    await state(first, 2)
    first.outbox.close()
    (tmp_path / "pi-1.db").write_bytes(b"")
    agent = venue.agent()
    async with running(venue.listener, agent):
        await until(lambda: agent.depth == 0 and agent.session.head == 1, "acknowledged")
    with reading(venue.writer._engine) as connection:
        [record] = ledger.read(connection)
    assert (record.kind, record.body["body"]["fault"]) == ("fact.fault.raised", "outbox-damaged")
