"""The two programs of the durability machine: what publisher and listener do, one step at a time.

Real outbox, real session, real store; whoever holds the programs decides what happens between two steps.
"""

from collections.abc import Callable
from pathlib import Path

from bridge.clock import ManualClock, sending, stamp
from bridge.link_parts import Hello, Message
from bridge.loopback import LoopbackBroker, LoopbackConnection
from bridge.outbox import Outbox
from bridge.session import Announce, Mark, Renew, Session
from bridge.wire.control import Ack, Command, HostStatus, Status
from bridge.wire.frame import decode, encode, pack
from bridge.wire.ids import new_id
from bridge.wire.topics import Topics
from server.ingest.acks import Waits
from server.store import inbox, ledger
from server.store.engine import make_engine, writing
from server.store.inbox import Delivery
from server.store.recorder import Recorder, records

TOPICS = Topics()
AGENT = "pi-1"
GAME = "1f0c1d5e-6a5b-5c0e-9a63-0d1b3f0a7a11"
FACTS = {
    "good": ("game.ball", "mm-2", {"game": GAME, "player": 1, "ball": 1, "scores": [{"player": 1, "score": 48213340}]}),
    "bad body": (
        "game.ball",
        "mm-2",
        {"game": GAME, "player": 1, "ball": 1, "scores": [{"player": 1, "score": "abc"}]},
    ),
    "bad kind": ("game.exploded", "mm-2", {"really": True}),
    "no machine": ("game.ball", None, {"game": GAME, "player": 1, "ball": 1, "scores": []}),
}


class Agent:
    """An agent program: what `bridge.publisher` does, one step at a time."""

    def __init__(self, broker: LoopbackBroker, clock: ManualClock, card: Path) -> None:
        self.broker, self.clock = broker, clock
        self.outbox = Outbox(card / "outbox.db")
        self.outbox.append_damage(stamp(clock))
        self.session = Session(
            stream=self.outbox.stream,
            head=self.outbox.head,
            acked=self.outbox.acked,
            incarnation=self.outbox.incarnation,
        )
        self.connection: LoopbackConnection | None = None

    def connect(self) -> None:
        number = self.outbox.next_session()
        hello = Hello(client_id=AGENT, will_topic=TOPICS.status(AGENT), will=self.status("lost", number))
        self.connection = self.broker.connect(hello, self.receive, self.session.disconnected)
        self.session.connected(number, self.clock.mono_ms())
        self.connection.subscribe(TOPICS.for_agent(AGENT))

    def status(self, state: str, number: int) -> bytes:
        told = {"state": state, "session": number, "stream": self.outbox.stream, "boot": self.clock.boot}
        return Status.read({**told, "incarnation": self.session.incarnation}).encode()

    def receive(self, message: Message) -> None:
        now = self.clock.mono_ms()
        match TOPICS.parse(message.topic).name:
            case "host":
                self.session.host(HostStatus.decode(message.payload), now)
            case "ack":
                ack = Ack.decode(message.payload)
                self.session.ack(ack, now, held=self.outbox.id_at(ack.through))
            case "status":
                self.session.ghost(Status.decode(message.payload), now)
            case "command":
                self.session.replay(Command.decode(message.payload).from_seq or 1, now)

    def work(self) -> None:
        self.session.tick(self.clock.mono_ms())
        self.perform()
        while (after := self.session.next_after()) is not None:
            entries = self.outbox.window(after, 3)  # small frames, so that a few facts already make several
            frame = pack(entries, stream=self.outbox.stream, floor=self.outbox.floor, sent=sending(self.clock))
            self.connection.publish(TOPICS.log(AGENT), encode(frame))
            self.session.sent(after, frame.last, self.clock.mono_ms())

    def perform(self) -> None:
        for output in self.session.outputs():
            match output:
                case Announce() if self.session.connection:
                    status = self.status("online", self.session.connection)
                    self.connection.publish(TOPICS.status(AGENT), status, retain=True)
                case Mark():
                    self.outbox.mark(output.through, incarnation=output.incarnation, stream=output.stream)
                case Renew():
                    self.outbox.renew()
                    self.session.renewed(self.outbox.stream, self.outbox.head, self.clock.mono_ms())

    def append(self, facts: list[str]) -> list[str]:
        entries = self.outbox.append_many([(k, m, stamp(self.clock), b) for k, m, b in map(FACTS.get, facts)])
        self.session.appended(self.outbox.head)
        return [entry.id for entry in entries]

    def die(self) -> None:
        self.outbox.close()
        if self.connection is not None and self.connection.open:
            self.broker.drop(self.connection, clean=False)


class Server:
    """A server program: what `server.ingest.listen` does, one step at a time."""

    def __init__(self, broker: LoopbackBroker, clock: ManualClock, path: Path, chance: Callable[[int], int]) -> None:
        self.broker, self.clock = broker, clock
        self.engine = make_engine(str(path))
        self.recorder = Recorder(self.engine, clock.wall_ms, chance)
        self.waits = Waits()
        self.doom: str | None = None
        self.said_at = clock.mono_ms()
        self.connection: LoopbackConnection | None = None

    def connect(self) -> None:
        number = self.recorder.incarnation
        hello = Hello(client_id=f"host-{number}", will_topic=TOPICS.host, will=self.status("lost"))
        self.connection = self.broker.connect(hello, self.receive)
        self.connection.subscribe(TOPICS.for_host())
        self.connection.publish(TOPICS.host, self.status("online"), retain=True)

    def status(self, state: str) -> bytes:
        return HostStatus.read({"state": state, "incarnation": self.recorder.incarnation}).encode()

    def receive(self, message: Message) -> None:
        name = TOPICS.parse(message.topic).name
        if name == "log":
            self.take(Delivery(AGENT, decode(message.payload), self.clock.wall_ms()))
        elif name == "status":
            status = Status.decode(message.payload)
            if status.state == "online":
                self.be_above(status.incarnation)
                self.say(self.recorder.cursor(AGENT, status.stream))
        elif name == "host":
            status = HostStatus.decode(message.payload)
            self.be_above(status.incarnation)
            if status.state != "online" and self.connection.open:
                self.connection.publish(TOPICS.host, self.status("online"), retain=True)

    def be_above(self, number: int) -> None:
        if number > self.recorder.incarnation:
            self.recorder.reborn(number)
            self.broker.cut(self.connection)
            self.connect()

    def take(self, delivery: Delivery) -> None:
        if self.doom == "before commit":
            with writing(self.engine) as connection:
                taken = inbox.take(connection, AGENT, delivery.frame, delivery.received_at)
                ledger.append(connection, records(AGENT, delivery.frame.stream, taken, delivery.received_at))
                connection.rollback()
            return
        [ack] = self.recorder.take([delivery])
        if self.doom != "before ack":
            self.say(ack)
            self.waits.note(AGENT, ack.stream, through=ack.through, last=delivery.frame.last, now=self.clock.mono_ms())

    def say(self, ack: Ack) -> None:
        if self.connection.open:
            self.connection.publish(TOPICS.ack(AGENT), ack.encode(), retain=True)

    def work(self) -> None:
        if self.connection is None or not self.connection.open:
            return
        if self.clock.mono_ms() >= self.said_at + 30_000:
            self.said_at = self.clock.mono_ms()
            self.connection.publish(TOPICS.host, self.status("online"), retain=True)
        for agent, seq in self.waits.due(self.clock.mono_ms()):
            command = Command(id=new_id(), name="replay", from_seq=seq)
            self.connection.publish(TOPICS.command(agent), command.encode())

    def die(self) -> None:
        self.engine.dispose()
        if self.connection is not None and self.connection.open:
            self.broker.drop(self.connection, clean=False)
