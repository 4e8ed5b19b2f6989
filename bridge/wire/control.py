"""What agent and server say to each other beside the facts: status, pulse, acknowledgement, configuration, commands.

Nothing here is durable: a lost control message costs a moment, never a fact. All are bounded by CONTROL_LIMIT bytes.
"""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from bridge.wire.frame import Sent
from bridge.wire.strict import Confidence, Count, Detail, Number, Score, Several, Uuid, Wall, WireModel
from bridge.wire.topics import Id

Life = Literal["online", "stopped", "lost"]
"""`stopped` is a clean end, `lost` is what a last will says."""
Word = Annotated[str, StringConstraints(max_length=80)]
Machines = Annotated[Several[Id], Field(max_length=64)]


class HostStatus(WireModel):
    """The server's birth and will on `host/status`.

    {"v": 1, "state": "online", "incarnation": 1796023507123456, "at": "2026-11-30T07:25:07.123Z"}
    """

    v: Literal[1] = 1
    state: Life
    incarnation: Number
    """Rises with each opening of the ledger, also when an older backup is opened."""
    at: Wall | None = None


class Status(WireModel):
    """The agent's birth and will on `up/status`: a birth goes out on every connection.

    {"v": 1, "state": "online", "session": 12, "stream": "0199f0c2-6d0e-7c3a-8a53-5f3f4f5b6c7d", "head": 482,
     "boot": "2cb6a1de-0000-4000-8000-000000000001", "host": "pi-mm", "software": "inlane 0.1.0",
     "machines": ["mm-2"], "config_rev": 3, "incarnation": 1796023507123456}
    """

    v: Literal[1] = 1
    state: Life
    session: Number
    """Counts this stream's connections: a will of an older session is late news."""
    stream: Uuid
    head: Count = 0
    """The last seq of the stream (as of then)."""
    boot: Annotated[str, StringConstraints(min_length=1, max_length=64)]
    host: Word = ""
    software: Word = ""
    machines: Machines = ()
    config_rev: Count = 0
    incarnation: Count = 0
    """The highest server incarnation the agent has met: a server with a lower one must take a higher."""


class Live(WireModel):
    """A score as it stands (`score.live`); never stored."""

    machine: Id
    game: Uuid | None = None
    player: Annotated[int, Field(ge=1, le=16)]
    ball: Annotated[int, Field(ge=1, le=99)] | None = None
    up: bool = False
    """This player is the one at the machine."""
    score: Score | None
    confidence: Confidence = 1.0
    accepted: bool = True


class Hearing(WireModel):
    """Whether one machine is heard, and what it does."""

    machine: Id
    heard: bool
    phase: Word = ""
    """`attract`, `playing`, `over` or empty where it is not known."""
    detail: Detail = ""


class Pulse(WireModel):
    """The heartbeat on `up/pulse`: the clock pair, the outbox, the Pi's own health, live scores.

    {"v": 1, "sent": {"boot": "2cb6a1de-0000-4000-8000-000000000001", "mono_ms": 2791178}, "session": 12,
     "wall": "2026-11-30T07:25:07.123Z", "synced": true, "stream": "0199f0c2-6d0e-7c3a-8a53-5f3f4f5b6c7d",
     "head": 482, "depth": 3, "temperature": 51.2, "undervoltage": false, "disk_free": 21474836480,
     "live": [{"machine": "mm-2", "player": 1, "score": 1204330}], "machines": [{"machine": "mm-2", "heard": true}]}
    """

    v: Literal[1] = 1
    sent: Sent
    session: Number
    wall: Wall | None = None
    synced: bool = False
    stream: Uuid
    head: Count = 0
    depth: Count = 0
    """Facts in the outbox that the server has not acknowledged."""
    temperature: Annotated[float, Field(ge=-100, le=200)] | None = None
    """Degrees Celsius of the processor."""
    undervoltage: bool | None = None
    disk_free: Count | None = None
    """Bytes."""
    live: Annotated[Several[Live], Field(max_length=256)] = ()
    machines: Annotated[Several[Hearing], Field(max_length=64)] = ()


class Ack(WireModel):
    """How far the server has committed a stream, on `down/ack`. Within one incarnation it only rises.

    {"v": 1, "incarnation": 1796023507123456, "stream": "0199f0c2-6d0e-7c3a-8a53-5f3f4f5b6c7d", "through": 482,
     "entry": "0199f0d1-0000-7000-8000-000000000482"}
    """

    v: Literal[1] = 1
    incarnation: Number
    stream: Uuid
    through: Count
    entry: Uuid | None = None
    """The id of the entry at `through`, where the server has one: an agent that has another there was set back."""


class Config(WireModel):
    """The wanted configuration on `down/config`; `settings` are as the agent's configuration file has them.

    {"v": 1, "revision": 3, "settings": {"machines": [{"id": "mm-2", "profile": "dmd-128x32"}]}}
    """

    v: Literal[1] = 1
    revision: Number
    settings: dict[str, Any]


class Command(WireModel):
    """One request on `down/cmd`; answered on `up/reply` under the same id. `replay` uses `from` and has no reply.

    {"v": 1, "id": "0199f0d1-0000-7000-8000-000000000007", "name": "freeze", "machine": "mm-2"}
    """

    v: Literal[1] = 1
    id: Uuid
    name: Literal["identify", "snapshot", "freeze", "replay", "recalibrate", "restart"]
    machine: Id | None = None
    from_seq: Annotated[Number | None, Field(alias="from")] = None
    """`replay`: send again from this seq on."""


class Reply(WireModel):
    """The answer to a command.

    {"v": 1, "id": "0199f0d1-0000-7000-8000-000000000007", "ok": true, "detail": "scores kept", "body": {}}
    """

    v: Literal[1] = 1
    id: Uuid
    ok: bool
    detail: Detail = ""
    body: dict[str, Any] = Field(default_factory=dict)


CONTROL: dict[str, type[WireModel]] = {
    "host": HostStatus,
    "status": Status,
    "pulse": Pulse,
    "reply": Reply,
    "ack": Ack,
    "config": Config,
    "command": Command,
}
"""Each control message by the name of its topic (`topics.Topic.name`)."""
