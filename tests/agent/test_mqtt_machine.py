"""A machine that publishes over MQTT, under a running agent: its game reaches the desk, whatever else comes."""

import asyncio
import json
from typing import Any

import pytest

from bridge.link import Broker, Hello, PahoLink

Given = Any
"""What a fixture of conftest gives."""


def state(*scores: int, playing: bool = True, ball: int = 1) -> bytes:
    told = {"playing": playing, "players": len(scores), "player": 1, "ball": ball, "balls": 3, "scores": scores}
    return json.dumps(told).encode()


@pytest.mark.broker
async def test_a_game_on_mqtt_reaches_the_desk_once(broker: Given, make_agent: Given, serving: Given, until: Given):
    machine = PahoLink(Broker(host="127.0.0.1", port=broker.port))
    machine.prepare(hello=lambda: Hello(client_id="machine", will_topic="w", will=b""), subscriptions=[])
    port = f"mqtt://127.0.0.1:{broker.port}/pinball/mm-1/#"
    agent = make_agent(broker_port=broker.port, machines={"mm-1": ("mqtt-json", port)})
    async with serving() as server, machine:
        await until(lambda: machine.state == "up", "the machine's link")
        await machine.publish("pinball/mm-1/event", b'{"event": "game_over", "finals": [777]}', retain=True)
        await machine.publish("pinball/mm-1/state", state(777, playing=False), retain=True)
        agent.start()
        await until(lambda: server.facts("machine.attached"), "the machine is heard")
        await asyncio.sleep(1.6)  # what was found has been looked at
        await machine.publish("pinball/mm-1/state", state(0), retain=True)
        await until(lambda: server.facts("game.started"), "the game begins")
        await machine.publish("pinball/mm-1/state", state(52_000, ball=2), retain=True)
        for bad in (b"", b"{", b"[]", b'{"scores": ["abc"]}', b'{"scores": [1e400]}', b"\xff\xfe", b"\0" * 2**20):
            await machine.publish("pinball/mm-1/state", bad)
        await machine.publish("pinball/mm-1/state", state(53_000, ball=3), retain=True)
        await machine.publish("pinball/mm-1/event", b'{"event": "game_over", "finals": [53580]}')
        await until(lambda: server.facts("game.ended"), "the game's end at the desk")
        assert agent.end() == 0
        [ended] = server.facts("game.ended")
        assert "53580" in str(ended)
        assert len(server.facts("game.started")) == 1
        assert [record for record in server.facts("fault.raised") if "data-garbled" in str(record)]
    assert "Traceback" not in agent.said
