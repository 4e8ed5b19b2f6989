"""The agent's end of the wire at work: outbox, session and link driven together in one event loop.

`append` returns when the fact is on disk, whatever the network does; sending and sending again is this file's worry.
Nothing here decides: `bridge.session` does. The disk is touched in one thread, in the order of the calls.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Sequence
from typing import Any

from bridge.clock import Clock, sending, wall_text
from bridge.errors import BridgeError, LinkDown, WireInvalid
from bridge.link import Connected, Disconnected, Hello, Link, Message, Refused
from bridge.outbox import Outbox
from bridge.outbox_thread import OutboxThread
from bridge.session import Announce, Mark, Output, Renew, Session
from bridge.wire.control import Ack, Command, Config, Hearing, HostStatus, Live, Pulse, Reply, Status
from bridge.wire.frame import At, Entry, encode, pack
from bridge.wire.topics import Topics, check_id

log = logging.getLogger(__name__)

PULSE_EXPIRY_S = 15
REPLY_EXPIRY_S = 30
INCOMING = 64
"""Commands that wait for the program; more are refused."""


class Publisher:
    """Publishes one outbox under one agent's name, until `run` is cancelled."""

    def __init__(
        self,
        outbox: Outbox,
        link: Link,
        *,
        agent: str,
        clock: Clock,
        topics: Topics,
        host: str = "",
        software: str = "",
    ) -> None:
        self.outbox = outbox
        self.link = link
        self.agent = check_id(agent, "agent")
        self.machines: tuple[str, ...] = ()
        """Told in the status; call `announce` after a change."""
        self.config_rev = 0
        self.dropped = 0
        """Messages that could not be read or taken."""
        self.session = Session(
            stream=outbox.stream, head=outbox.head, acked=outbox.acked, incarnation=outbox.incarnation
        )
        self._clock = clock
        self._topics = topics
        self._host, self._software = host, software
        self._connection = 0
        self._work = asyncio.Event()
        self._incoming: asyncio.Queue[Command | Config] = asyncio.Queue(INCOMING)
        self._answered: dict[str, None] = {}
        self._disk = OutboxThread(outbox, clock, self._appended)
        link.prepare(hello=self._hello, subscriptions=topics.for_agent(agent))

    @property
    def depth(self) -> int:
        """Facts that the server has not acknowledged."""
        return max(0, self.session.head - self.session.cursor)

    async def run(self) -> None:
        """Publish until cancelled; then say good-bye. Raises OutboxDamaged where the disk fails."""
        try:
            await self._disk.tell_damage()
            async with self.link:
                try:
                    async with asyncio.TaskGroup() as group:
                        group.create_task(self._listen())
                        group.create_task(self._keep_sending())
                        group.create_task(self._disk.keep_marking())
                        group.create_task(self._disk.keep_pruning())
                finally:
                    await self._say("stopped")
        except BaseExceptionGroup as several:
            raise several.exceptions[0] from several
        finally:
            await self._disk.note_mark()

    async def append(self, kind: str, machine: str | None, at: At, body: dict[str, Any]) -> Entry:
        """Keep one fact; on disk when it returns. Raises as `Outbox.append`. Cancelling does not undo it."""
        return (await self.append_many([(kind, machine, at, body)]))[0]

    async def append_many(self, facts: Sequence[tuple[str, str | None, At, dict[str, Any]]]) -> list[Entry]:
        """Keep several facts, all or none, in this order."""
        return await self._disk.append_many(facts)

    async def pulse(
        self,
        *,
        live: Sequence[Live] = (),
        machines: Sequence[Hearing] = (),
        temperature: float | None = None,
        undervoltage: bool | None = None,
        disk_free: int | None = None,
    ) -> bool:
        """Publish a heartbeat; False where there is no connection (a late heartbeat would be a lie)."""
        pulse = Pulse(
            sent=sending(self._clock),
            session=max(1, self._connection),
            wall=wall_text(self._clock.wall_ms()),
            synced=self._clock.synced(),
            stream=self.session.stream,
            head=self.session.head,
            depth=self.depth,
            temperature=temperature,
            undervoltage=undervoltage,
            disk_free=disk_free,
            live=tuple(live),
            machines=tuple(machines),
        )
        topic = self._topics.pulse(self.agent)
        return await self._try(topic, pulse.encode(), qos=0, expires_s=PULSE_EXPIRY_S)

    async def reply(self, reply: Reply) -> bool:
        """Answer a command; False where there is no connection."""
        return await self._try(self._topics.reply(self.agent), reply.encode(), expires_s=REPLY_EXPIRY_S)

    async def announce(self) -> bool:
        """Publish the status anew, after `machines` or `config_rev` changed."""
        return await self._say("online")

    async def incoming(self) -> AsyncIterator[Command | Config]:
        """The server's commands (each once) and wanted configurations, without end. `replay` is dealt with here."""
        while True:
            yield await self._incoming.get()

    # --- sending -------------------------------------------------------------------------------------------------

    async def _keep_sending(self) -> None:
        while True:
            deadline = self.session.next_deadline()
            wait_s = None if deadline is None else max(0.0, (deadline - self._clock.mono_ms()) / 1000)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait_s):  # wait_for of Python 3.11 may swallow a cancellation
                    await self._work.wait()
            self._work.clear()
            self.session.tick(self._clock.mono_ms())
            await self._perform(self.session.outputs())
            while (after := self.session.next_after()) is not None and await self._send(after):
                await self._perform(self.session.outputs())

    def _appended(self, head: int) -> None:
        self.session.appended(head)
        self._work.set()

    async def _send(self, after: int) -> bool:
        entries, floor = await self._disk.window(after)
        if not entries or self.session.next_after() != after:
            return bool(entries)
        frame = pack(entries, stream=self.session.stream, floor=floor, sent=sending(self._clock))
        if not await self._try(self._topics.log(self.agent), encode(frame)):
            return False
        self.session.sent(after, frame.last, self._clock.mono_ms())
        return True

    async def _perform(self, outputs: list[Output]) -> None:
        for output in outputs:
            match output:
                case Announce():
                    await self._say("online")
                case Mark():
                    self._disk.mark(output)
                case Renew():
                    await self._renew()

    async def _renew(self) -> None:
        log.error("the server knows more of stream %s than this outbox: a copied or set-back card", self.session.stream)
        if await self._disk.renew():
            self.session.renewed(self.outbox.stream, self.outbox.head, self._clock.mono_ms())
            self._work.set()

    async def _say(self, state: str) -> bool:
        if not self._connection:
            return False
        return await self._try(self._topics.status(self.agent), self._status(state, self._connection), retain=True)

    async def _try(
        self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False, expires_s: int | None = None
    ) -> bool:
        try:
            await self.link.publish(topic, payload, qos=qos, retain=retain, expires_s=expires_s)
        except LinkDown:
            return False
        return True

    # --- listening -----------------------------------------------------------------------------------------------

    async def _listen(self) -> None:
        async for event in self.link:
            match event:
                case Connected():
                    log.info("connected to the broker (MQTT %s)", event.version)
                    self.session.connected(self._connection, self._clock.mono_ms())
                case Disconnected():
                    log.warning("no connection to the broker: %s", event.why)
                    self.session.disconnected()
                case Refused():
                    self.dropped += 1
                    log.warning("%s: %s", event.topic, event.why)
                case Message():
                    await self._take(event)
            self._work.set()

    async def _take(self, message: Message) -> None:
        topic = self._topics.parse(message.topic)
        now = self._clock.mono_ms()
        try:
            match topic.name if topic else "":
                case "host":
                    self.session.host(HostStatus.decode(message.payload), now)
                case "ack":
                    ack = Ack.decode(message.payload)
                    self.session.ack(ack, now, held=await self._disk.id_at(ack.through))
                case "status":
                    self.session.ghost(Status.decode(message.payload), now)
                case "config":
                    self._offer(Config.decode(message.payload))
                case "command" if not message.retained:  # a kept command would fire at every connection
                    self._command(Command.decode(message.payload), now)
        except WireInvalid as error:
            self.dropped += 1
            log.warning("%s: %s", message.topic, error)

    def _command(self, command: Command, now: int) -> None:
        if command.name == "replay":
            self.session.replay(command.from_seq or 1, now)
            return
        if command.id in self._answered:
            return
        self._answered[command.id] = None
        while len(self._answered) > INCOMING:
            del self._answered[next(iter(self._answered))]
        self._offer(command)

    def _offer(self, wanted: Command | Config) -> None:
        try:
            self._incoming.put_nowait(wanted)
        except asyncio.QueueFull:
            self.dropped += 1
            log.warning("too many commands wait: one is dropped")

    # --- who we are ----------------------------------------------------------------------------------------------

    def _hello(self) -> Hello:
        """Called by the link, in a thread, before each connection."""
        try:
            self._connection = self.outbox.next_session()
        except BridgeError as error:  # a full disk must not keep us from telling it
            log.warning("%s", error)
            self._connection += 1
        will = self._status("lost", self._connection)
        return Hello(client_id=self.agent, will_topic=self._topics.status(self.agent), will=will)

    def _status(self, state: str, connection: int) -> bytes:
        return Status.read(
            {
                "state": state,
                "session": connection,
                "stream": self.outbox.stream,
                "head": self.outbox.head,
                "boot": self._clock.boot,
                "host": self._host,
                "software": self._software,
                "machines": self.machines,
                "config_rev": self.config_rev,
                "incarnation": self.session.incarnation,
            }
        ).encode()
