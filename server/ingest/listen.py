"""The server's end of the wire at work: frames in, to the writer in batches, acknowledgements out after the commit.

Nothing is understood here but the wire. A message that cannot be read is dropped, said to the writer, and stops
nothing; a frame that the writer cannot take is sent again and again by its agent, and stops no other.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from bridge.errors import LinkDown, WireInvalid
from bridge.link import Connected, Disconnected, Hello, Link, Message, Refused
from bridge.wire.control import Ack, Command, Config, HostStatus, Pulse, Reply, Status
from bridge.wire.frame import decode
from bridge.wire.ids import new_id
from bridge.wire.topics import Topic, Topics
from server.errors import StoreUnavailable
from server.ingest.acks import Waits
from server.ingest.presence import AgentGone, Presence
from server.ingest.refusals import Refusals, shown
from server.ingest.writer import Writer
from server.store.inbox import Delivery
from server.store.incarnation import BELIEVED

log = logging.getLogger(__name__)

BATCH = 64
"""Frames taken in one transaction at most."""
WAITING = 1_024
"""Messages read and not yet handed to the writer; beyond that the link's own bounded queue fills."""
COMMAND_EXPIRY_S = 30
REPEAT_S = 30.0
"""The server says this often that it is there."""

R = TypeVar("R")


def epoch_ms() -> int:
    """The server's clock: milliseconds since the Unix epoch."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class _Heard:
    """A control message of an agent, read."""

    agent: str
    message: Status | Pulse | Reply
    received_at: int


class Listener:
    """Listens until `run` is cancelled. `now`: milliseconds since the Unix epoch."""

    def __init__(self, link: Link, writer: Writer, *, topics: Topics, now: Callable[[], int] = epoch_ms) -> None:
        self.link = link
        self.dropped = 0
        """Messages that could not be read."""
        self._writer = writer
        self._topics = topics
        self._now = now
        self._presence = Presence()
        self._waits = Waits()
        self._queue: asyncio.Queue[Delivery | _Heard] = asyncio.Queue(WAITING)
        self._retained_warned: set[str] = set()
        self._refusals, self._troubles = Refusals(), Refusals()
        link.prepare(hello=self._hello, subscriptions=topics.for_host())

    async def run(self) -> None:
        """Listen until cancelled; then say good-bye."""
        async with self.link:
            try:
                async with asyncio.TaskGroup() as group:
                    group.create_task(self._listen())
                    group.create_task(self._keep_taking())
                    group.create_task(self._keep_asking())
            finally:
                await self._say("stopped")

    async def command(self, agent: str, command: Command) -> bool:
        """Ask something of an agent; False where there is no connection to the broker."""
        return await self._publish(self._topics.command(agent), command.encode(), expires_s=COMMAND_EXPIRY_S)

    async def configure(self, agent: str, config: Config) -> bool:
        """Publish the configuration an agent shall have."""
        return await self._publish(self._topics.config(agent), config.encode(), retain=True)

    async def show_machine(self, machine: str, state: bytes) -> bool:
        """Publish a machine's state, as JSON, for observers."""
        return await self._publish(self._topics.machine(machine), state, retain=True)

    async def show_alert(self, machine: str, fault: str, alert: bytes | None) -> bool:
        """Publish an open malfunction, as JSON, for observers; None deletes it."""
        return await self._publish(self._topics.alert(machine, fault), alert or b"", retain=True)

    # --- from the link to the queue --------------------------------------------------------------------------------

    async def _listen(self) -> None:
        async for event in self.link:
            match event:
                case Connected():
                    log.info("connected to the broker (MQTT %s)", event.version)
                    await self._say("online")
                case Disconnected():
                    log.warning("no connection to the broker: %s", event.why)
                case Refused():
                    await self._refuse(event.topic, event.why)
                case Message():
                    await self._read(event)

    async def _read(self, message: Message) -> None:
        topic = self._topics.parse(message.topic)
        try:
            if topic is not None and topic.name == "host":
                await self._host(HostStatus.decode(message.payload), retained=message.retained)
            elif topic is not None and topic.agent is not None:
                await self._queue.put(self._understood(topic, topic.agent, message))
            else:
                await self._refuse(message.topic, "no topic of ours")
        except WireInvalid as error:
            await self._refuse(message.topic, str(error))

    def _understood(self, topic: Topic, agent: str, message: Message) -> Delivery | _Heard:
        received_at = self._now()
        if message.retained and topic.name in {"pulse", "reply"}:
            raise WireInvalid("it is retained: old news; the agent or the broker is badly set")
        match topic.name:
            case "log":
                if message.retained and agent not in self._retained_warned:
                    self._retained_warned.add(agent)  # harmless here: taking a fact again changes nothing
                    log.warning("%s: facts arrive retained; the agent or the broker is badly set", message.topic)
                return Delivery(agent, decode(message.payload), received_at, message.retained)
            case "status":
                return _Heard(agent, Status.decode(message.payload), received_at)
            case "pulse":
                return _Heard(agent, Pulse.decode(message.payload), received_at)
            case "reply":
                return _Heard(agent, Reply.decode(message.payload), received_at)
        raise WireInvalid("not for the server")

    async def _host(self, status: HostStatus, *, retained: bool) -> None:
        ours = self._writer.incarnation
        if status.incarnation > ours:
            if not retained and status.state == "online":
                await self._refuse(self._topics.host, "another server speaks under this root: stop one of them")
                return
            await self._be_reborn(status.incarnation)
        elif status.incarnation < ours or status.state != "online":
            await self._say("online")  # a ghost of ours

    async def _be_reborn(self, above: int) -> None:
        if self._writer.incarnation < above <= BELIEVED:
            number = await self._ask_writer(lambda: self._writer.reborn(above))
            if number is not None:
                log.warning("incarnation %d was met, so this is %d now: was the clock set back?", above, number)
                self.link.renew()

    async def _refuse(self, topic: str, why: str) -> None:
        self.dropped += 1
        line = self._refusals.line(topic, why, time.monotonic_ns() // 1_000_000)
        if line is not None:
            log.warning("%s", line)
        await self._ask_writer(lambda: self._writer.refused(shown(topic), shown(why)))

    # --- from the queue to the writer, and back ---------------------------------------------------------------------

    async def _keep_taking(self) -> None:
        batch: list[Delivery] = []
        while True:
            item = await self._queue.get()
            while True:
                if isinstance(item, Delivery):
                    batch.append(item)
                if batch and (not isinstance(item, Delivery) or len(batch) >= BATCH or self._queue.empty()):
                    await self._take(batch)
                    batch = []
                if isinstance(item, _Heard):
                    await self._tell(item)
                if self._queue.empty():
                    break
                item = self._queue.get_nowait()

    async def _take(self, batch: Sequence[Delivery]) -> None:
        """The one supervised place: whatever the writer raises, the rest goes on and the agents send again."""
        try:
            acks = await asyncio.to_thread(self._writer.take, batch)
        except Exception as error:
            why = f"{len(batch)} frames not taken: {type(error).__name__}: {error}"
            if (line := self._troubles.line("ingest", why, time.monotonic_ns() // 1_000_000)) is not None:
                log.error("%s", line)  # noqa: TRY400
            log.debug("frames not taken", exc_info=True)
            for delivery in batch if len(batch) > 1 else ():
                await self._take([delivery])
            if len(batch) == 1 and not isinstance(error, StoreUnavailable):
                await self._refuse(self._topics.log(batch[0].agent), f"not taken: {type(error).__name__}")
            return
        latest: dict[tuple[str, str], Ack] = {}
        now = time.monotonic_ns() // 1_000_000
        for delivery, ack in zip(batch, acks, strict=True):
            latest[delivery.agent, ack.stream] = ack
            self._waits.note(delivery.agent, ack.stream, through=ack.through, last=delivery.frame.last, now=now)
        for (agent, _), ack in latest.items():
            await self._publish(self._topics.ack(agent), ack.encode(), retain=True)

    async def _tell(self, heard: _Heard) -> None:
        match heard.message:
            case Status() as status:
                await self._status(heard.agent, status)
            case Pulse() as pulse:
                await self._ask_writer(lambda: self._writer.pulse(heard.agent, pulse, heard.received_at))
            case Reply() as reply:
                await self._ask_writer(lambda: self._writer.reply(heard.agent, reply))

    async def _status(self, agent: str, status: Status) -> None:
        for event in self._presence.heard(agent, status):
            if isinstance(event, AgentGone):
                self._waits.forget(agent)
            await self._ask_writer(lambda event=event: self._writer.presence(event))  # type: ignore[misc]
        if status.state != "online":
            return
        await self._be_reborn(status.incarnation)
        ack = await self._ask_writer(lambda: self._writer.cursor(agent, status.stream))
        if ack is not None:
            await self._publish(self._topics.ack(agent), ack.encode(), retain=True)

    async def _ask_writer(self, call: Callable[[], R]) -> R | None:
        try:
            return await asyncio.to_thread(call)
        except Exception as error:
            log.error("the writer failed: %s: %s", type(error).__name__, error)  # noqa: TRY400
            log.debug("the writer failed", exc_info=True)
            return None

    async def _keep_asking(self) -> None:
        said = time.monotonic()
        while True:
            await asyncio.sleep(0.25)
            if time.monotonic() - said >= REPEAT_S:  # an agent that missed it waits for nothing else
                said = time.monotonic()
                await self._say("online")
            for agent, from_seq in self._waits.due(time.monotonic_ns() // 1_000_000):
                log.info("%s: entries from %d on are missing: asking for them", agent, from_seq)
                await self.command(agent, Command(id=new_id(), name="replay", from_seq=from_seq))

    # --- who we are --------------------------------------------------------------------------------------------------

    def _hello(self) -> Hello:
        number = self._writer.incarnation
        return Hello(client_id=f"host-{number}", will_topic=self._topics.host, will=self._status_of("lost"))

    def _status_of(self, state: str) -> bytes:
        return HostStatus.read({"state": state, "incarnation": self._writer.incarnation}).encode()

    async def _say(self, state: str) -> None:
        await self._publish(self._topics.host, self._status_of(state), retain=True)

    async def _publish(self, topic: str, payload: bytes, *, retain: bool = False, expires_s: int | None = None) -> bool:
        with contextlib.suppress(LinkDown):
            await self.link.publish(topic, payload, retain=retain, expires_s=expires_s)
            return True
        return False
