"""The desk over a real broker: a freeze there and back, bad payloads of every kind, and nothing retained for news."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

from bridge.link import Broker, Connected, Hello, Message, PahoLink
from server.core.venue import commands as c
from server.core.venue.outcomes import Actor, Done
from server.live import Notice
from server.observers import Observers, freeze_id

Given = Any
SIM = "sim://bcp?seed=1&speed=30&idle=0.5&calm=1&ball_seconds=20&players=1&start="
ADMIN = Actor(name="ada", roles=frozenset({"admin"}))
ROOT = "inlane/v1"
HOST = f"{ROOT}/host/status"
GAME = "1f0c1d5e-6a5b-5c0e-9a63-0d1b3f0a7a11"
STREAM = "0199f0c2-6d0e-7c3a-8a53-5f3f4f5b6c7d"


def frame(*facts: tuple[str, dict[str, Any]], first: int = 1, stream: str = STREAM) -> bytes:
    at = {"boot": "b", "mono_ms": 1_000}
    entries = [
        {"seq": n, "id": f"0199f0d1-0000-7000-8000-{n:012d}", "kind": kind, "machine": "mm", "at": at, "body": body}
        for n, (kind, body) in enumerate(facts, first)
    ]
    return json.dumps({"v": 1, "stream": stream, "floor": 1, "sent": at, "entries": entries}).encode()


@contextlib.asynccontextmanager
async def speaking(port: int, *topics: str) -> AsyncIterator[tuple[PahoLink, dict[str, bytes]]]:
    """Somebody with a connection of their own: what they say, and the last that they heard on each topic."""
    link, heard = PahoLink(Broker(host="127.0.0.1", port=port)), dict[str, bytes]()
    link.prepare(
        hello=lambda: Hello(client_id="somebody", will_topic="x/will", will=b"gone"),
        subscriptions=[*topics, "x/none"],
    )
    there = asyncio.Event()

    async def listen() -> None:
        async for event in link:
            if isinstance(event, Connected):
                there.set()
            elif isinstance(event, Message):
                heard[event.topic] = event.payload

    async with link:
        task = asyncio.create_task(listen())
        await asyncio.wait_for(there.wait(), 30)
        yield link, heard
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def listens(server: Given, heard: dict[str, bytes]) -> bool:
    """Whether this server, and not one before, has said that it is there."""
    said = json.loads(heard.get(HOST) or b"{}")
    return bool(said.get("state") == "online" and said.get("incarnation") == server.desk.incarnation)


def bad_payloads() -> list[bytes]:
    good = {"game": GAME, "how": "normal", "source": "wire", "scores": [{"player": 1, "score": 5}]}
    said = [
        {**good, "scores": [{"player": 1, "score": "5"}]},
        {**good, "scores": [{"player": 1, "score": 5.0}]},
        {**good, "scores": [{"player": 1, "score": -5}]},
        {**good, "scores": [{"player": 1, "score": 10**19}]},
        {**good, "scores": [{"player": 99, "score": 5}]},
        {**good, "how": "nonsense"},
        {},
    ]
    return [
        b"",
        b"\x00\xff\xfe",
        b"not JSON",
        b"[]",
        b"null",
        b'{"v": 1}',
        b'{"v": 2, "stream": 1}',
        b'{"v": 1, "stream": "' + STREAM.encode() + b'", "entries": NaN}',
        b"[" * 5_000 + b"]" * 5_000,
        b'{"x": "' + b"y" * 60_000 + b'"}',
        frame(("game.started", {"game": GAME, "players": 1}), first=0),
        *(
            frame(("game.ended", body), first=n, stream=f"0199f0c2-6d0e-7c3a-8a53-{n:012d}")
            for n, body in enumerate(said, 1)
        ),
        frame(("made.up", {}), stream="0199f0c2-6d0e-7c3a-8a53-0000000000ff"),
    ]


async def test_bad_payloads_stop_nothing_and_invent_nothing(broker: Given, serving: Given, until: Given):
    async with serving() as server, speaking(broker.port, HOST) as (link, heard):
        await until(lambda: listens(server, heard), "the server listens")
        for number, payload in enumerate(bad_payloads()):
            for topic in ("log", "status", "pulse", "reply"):
                await link.publish(f"{ROOT}/agent/pi-bad-{number}/up/{topic}", payload)
        good = frame(
            ("game.started", {"game": GAME, "players": 1}),
            ("game.ended", {"game": GAME, "how": "normal", "source": "wire", "scores": [{"player": 1, "score": 7}]}),
        )
        await link.publish(f"{ROOT}/agent/pi-1/up/log", good)
        await until(lambda: len(server.facts("game.ended")) == 1, "the good frame is taken")
        assert server.desk.refusals > 30
        with server.desk.reading() as state:
            assert [game.id for game in state.games.values()] == [GAME]


async def test_a_retained_fault_is_no_news_and_what_was_cleared_stays_cleared(
    broker: Given, serving: Given, until: Given
):
    raised, cleared = ("fault.raised", {"fault": "reset"}), ("fault.cleared", {"fault": "reset"})
    alert = f"{ROOT}/machine/mm/alert/reset"
    async with speaking(broker.port, alert, HOST) as (link, heard):
        async with serving() as server:
            await until(lambda: listens(server, heard), "the server listens")
            showing = asyncio.create_task(Observers(server.desk, server.listener).run())
            await link.publish(f"{ROOT}/agent/pi-1/up/log", frame(raised))
            await until(lambda: heard.get(alert), "the alert is shown")
            assert json.loads(heard[alert])["severity"] == "look"
            showing.cancel()
            await asyncio.gather(showing, return_exceptions=True)
            await link.publish(f"{ROOT}/agent/pi-1/up/log", frame(cleared, first=2))
            await until(lambda: len(server.facts()) == 2, "it is cleared while nobody shows it")
        await link.publish(f"{ROOT}/agent/pi-1/up/log", frame(raised), retain=True)
        pulse = {"v": 1, "sent": {"boot": "b", "mono_ms": 5}, "session": 1, "stream": STREAM}
        live = [{"machine": "mm", "player": 1, "score": 5}]
        await link.publish(f"{ROOT}/agent/pi-1/up/pulse", json.dumps({**pulse, "live": live}).encode(), retain=True)
        for _ in range(2):
            async with serving() as server:
                await until(lambda: listens(server, heard), "the server listens")
                showing = asyncio.create_task(Observers(server.desk, server.listener).run())
                await until(lambda: heard.get(alert) == b"", "the alert that was left over is gone")
                await until(lambda: server.desk.refusals, "the old pulse is refused")
                with server.desk.reading() as state:
                    assert [one.open for one in state.malfunctions.values()] == [False]
                assert server.desk.floor.live() == {}
                assert len(server.facts()) == 2
                showing.cancel()
                await asyncio.gather(showing, return_exceptions=True)


async def test_a_freeze_goes_there_and_its_answer_comes_back(
    broker: Given, serving: Given, until: Given, make_agent: Callable[..., Given]
):
    agent = make_agent(broker_port=broker.port, machines={"mm": ("mpf-bcp", SIM.removesuffix("&start="))})
    agent.start()
    async with serving() as server:
        showing = asyncio.create_task(Observers(server.desk, server.listener).run())
        await until(lambda: any(one.score for one in server.desk.floor.live().get("mm", ())), "a score shows")
        answers: list[Notice] = []
        with server.desk.hub.viewing() as viewer:
            outcome = await asyncio.wrap_future(server.desk.submitted(c.Freeze(machine="mm"), ADMIN))
            assert isinstance(outcome, Done)
            while not answers:
                assert await viewer.woken(30)
                answers = [one for one in viewer.passing() if one.kind == "agent.reply"]
        assert answers[0].subject["command"] == freeze_id(outcome.position)
        assert answers[0].subject["ok"] is True
        assert str(answers[0].subject["detail"]).startswith("scores kept: player 1: ")
        await until(lambda: server.facts("score.frozen"), "the fact comes")
        body = server.facts("score.frozen")[0].body["body"]
        assert body["recording"].startswith("sha256:")
        assert (agent.data / "evidence" / "waiting" / f"{body['recording'][7:]}.txt").exists()
        showing.cancel()
        await asyncio.gather(showing, return_exceptions=True)
