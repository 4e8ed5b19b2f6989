# ruff: noqa: ANN401  (support modules are loaded by their path, so they have no type here)
"""A whole venue against what went wrong elsewhere: results around the close, zeros and great scores, over MQTT."""

import asyncio
import json
import time
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from bridge.link import Broker, Connected, Hello, PahoLink
from server.ops.client import Client, Refused

T = "tournaments/current"
HEAD = {
    "tournament": "Night",
    "preset": "uk-kids",
    "timezone": "Europe/London",
    "players": [{"id": f"p{n}", "name": f"Player {n}"} for n in range(1, 7)],
    "machines": [{"id": f"m{n}", "name": f"Machine {n}"} for n in range(1, 5)],
}


def now() -> int:
    return time.time_ns() // 1_000_000


def text(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Pi:
    """An agent that says over MQTT whatever a test wants, with the times it wants."""

    def __init__(self, port: int, name: str) -> None:
        self.port, self.name, self.stream, self.seq, self.session = port, name, str(uuid.uuid4()), 0, 0

    def facts(self, *facts: tuple[str, str, int, dict[str, Any]]) -> None:
        """(kind, machine, when in ms since 1970, body), each."""
        entries = []
        for kind, machine, at, body in facts:
            self.seq += 1
            when = {"boot": "b", "mono_ms": at}
            ident = str(uuid.uuid4())
            entries.append({"seq": self.seq, "id": ident, "kind": kind, "machine": machine, "at": when, "body": body})
        sent = {"boot": "b", "mono_ms": now()}
        frame = {"v": 1, "stream": self.stream, "floor": 1, "sent": sent, "entries": entries}
        self._publish("log", frame, retain=False)

    def is_now(self, state: str) -> None:
        self.session += state == "online"
        status = {"v": 1, "state": state, "session": self.session, "stream": self.stream, "head": self.seq, "boot": "b"}
        self._publish("status", status, retain=True)

    def starts(self, machine: str, at: int) -> str:
        game = str(uuid.uuid4())
        self.facts(("game.started", machine, at, {"game": game, "players": 1}))
        return game

    def ends(self, machine: str, game: str, at: int, score: int, confidence: float = 1.0) -> None:
        said = [{"player": 1, "score": score, "confidence": confidence}]
        body = {"game": game, "how": "normal", "source": "camera", "scores": said}
        self.facts(("game.ended", machine, at, body))

    def _publish(self, what: str, body: dict[str, Any], *, retain: bool) -> None:
        asyncio.run(self._say(f"inlane/v1/agent/{self.name}/up/{what}", json.dumps(body).encode(), retain))

    async def _say(self, topic: str, payload: bytes, retain: bool) -> None:  # noqa: FBT001 - passed on
        link = PahoLink(Broker(host="127.0.0.1", port=self.port))
        hello = Hello(client_id=f"t-{uuid.uuid4().hex[:12]}", will_topic=f"{self.name}/will", will=b"gone")
        link.prepare(hello=lambda: hello, subscriptions=["x/none"])
        async with link:
            async for event in link:
                if isinstance(event, Connected):
                    break
            await link.publish(topic, payload, qos=1, retain=retain)


def scores(client: Client) -> dict[str, int]:
    return {row["who"]: row["score"] for row in client.get(f"{T}/standings/qualifying")["standings"]}


def usual_scores(client: Client) -> None:
    """What machine 1 has seen an hour ago: 20 to 80 million."""
    for n in range(25):
        score = {"p5": 20_000_000 + n * 2_400_000}
        client.post(f"{T}/games", {"machine": "m1", "scores": score, "at": text(now() - 3_600_000)})


def stage(client: Client) -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"{T}/standings/qualifying")
    return found


@pytest.mark.broker
def test_results_around_the_close_zeros_and_great_scores_over_mqtt(venue: Any, until: Callable[..., Any]):
    admin, _ = venue.person("ada", "admin")
    admin.post("tournaments", {"id": "night", "head": HEAD})
    one, three = Pi(venue.broker, "pi-1"), Pi(venue.broker, "pi-3")
    for agent in (one, three):
        agent.is_now("online")
    usual_scores(admin)

    # Zero and 2,100,000,000 are what the machine said.
    admin.post("machines/m2/assign", {"players": ["p6"]})
    one.ends("m2", one.starts("m2", now() - 20_000), now() - 19_000, 0)
    assert until(lambda: scores(admin).get("p6") == 0, say="0 is a score")
    admin.post("machines/m1/assign", {"players": ["p6"]})
    great = one.starts("m1", now() - 18_000)
    one.ends("m1", great, now() - 17_000, 2_100_000_000)
    [reading] = until(lambda: admin.get("readings?status=waiting")["readings"] or None, say="the great score waits")
    assert (reading["game"], reading["proposed"]) == (great, 2_100_000_000)
    admin.post(f"readings/{reading['id']}/confirm", {})
    assert scores(admin)["p6"] == 2_100_000_000

    # G1 runs over the close, G2 began after it, G3's agent is away, G4 waits for eyes.
    base = now()
    close_at = base - 6_000
    for n in range(1, 5):
        admin.post(f"machines/m{n}/assign", {"players": [f"p{n}"]})
    g1 = one.starts("m1", base - 15_000)
    g4 = one.starts("m4", base - 13_000)
    one.ends("m4", g4, base - 9_000, 44_000, 0.5)
    g2 = one.starts("m2", base - 1_000)
    g3 = three.starts("m3", base - 14_000)
    until(lambda: admin.get("machines/m3")["status"] == "playing", say="G3 is heard")
    three.is_now("lost")
    until(lambda: admin.get("machines/m3")["agent"]["state"] == "lost", say="pi-3 is away")
    until(lambda: admin.get("readings?status=waiting")["readings"] or None, say="G4 waits")
    until(lambda: admin.get("machines/m2")["status"] == "playing", say="G2 is heard")
    entry = {"close": "qualifying", "at": text(close_at)}
    with pytest.raises(Refused) as refused:
        admin.post(f"{T}/log", {"entry": entry})
    assert refused.value.code == 409
    named = (reading_of(admin, g4), "Machine 1: a game is running", "pi-3 (Machine 3) is not heard")
    assert all(word in str(refused.value) for word in named)
    assert "p2" not in str(refused.value)
    closed = admin.post(f"{T}/log", {"entry": entry, "despite_open": True})
    assert {one["kind"] for one in closed["result"]["open"]} == {"reading", "running", "agent"}
    assert not stage(admin)["official"]

    one.ends("m1", g1, now(), 11_000)
    one.ends("m2", g2, now(), 22_000)
    three.ends("m3", g3, base - 8_000, 33_000)
    three.is_now("online")
    until(lambda: {"p1", "p3"} <= set(scores(admin)), say="G1 and G3 count")
    admin.post(f"readings/{reading_of(admin, g4).split()[-1]}/confirm", {})
    assert {who: score for who, score in scores(admin).items() if who in {"p1", "p2", "p3", "p4"}} == {
        "p1": 11_000, "p3": 33_000, "p4": 44_000,
    }  # fmt: skip
    late = until(lambda: (x := admin.get(f"games/{g2}"))["status"] == "posted" and x, say="G2 is stored")
    assert (late["counts"], "closed" in late["against"]) == (False, True)
    [shown] = [game for game in admin.get(f"{T}/games")["games"] if game["capture"] == g2]
    assert (shown["counts"], shown["why"]) == (False, late["against"])
    until(lambda: stage(admin)["official"], say="nothing is open any more")


def reading_of(client: Client, game: str) -> str:
    """`reading r2`, as the desk's words have it."""
    [found] = [one for one in client.get("readings?status=waiting")["readings"] if one["game"] == game]
    return f"reading {found['id']}"
