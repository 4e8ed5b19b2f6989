"""One connection of a program to its broker, by one fresh client (`hardware.mqtt`).

Here: the handshakes, the window of unconfirmed messages, and why a connection ended. A failed PUBACK frees its place in
the window like a good one, since durability is made elsewhere.
"""

import asyncio
import ssl
from collections.abc import Sequence
from typing import Any

from bridge.errors import LinkDown
from bridge.link_parts import IN_FLIGHT, Broker, Hello, Inbox, Message, Refused, Slots
from hardware.mqtt import FAILURE, LOGIN_REFUSED, MQTT_5, UNSUPPORTED_VERSION, Broken, Calls, Client

CONNECT_S = 10.0
"""For the address and the handshakes, and for the subscriptions, each."""
WELCOME_S = 4.0
"""For the broker's welcome. A broker that knows MQTT 3.1.1 only may answer a version 5 in a way that is no answer to it
(amqtt 0.12 does), so silence here is a reason to try the other version."""


class Connection:
    """Opened once, ended once. `ended` gives the reason (as `Disconnected` has it) and one line for a person."""

    def __init__(self, broker: Broker, hello: Hello, protocol: int, inbox: Inbox) -> None:
        loop = asyncio.get_running_loop()
        self._broker = broker
        self._where = f"{broker.host}:{broker.port}"
        self._protocol = protocol
        self._inbox = inbox
        self._welcome: asyncio.Future[None] = loop.create_future()
        self._subscribed: asyncio.Future[None] = loop.create_future()
        self._topics: dict[int, str] = {}
        """Published messages that the broker has not confirmed."""
        self._hello = hello
        self._client: Client | None = None
        self.ended: asyncio.Future[tuple[str, str]] = loop.create_future()
        self.slots = Slots(IN_FLIGHT)
        self._held: list[Message] | None = []
        """What comes before the program was told that there is a connection waits here."""
        self.unsupported = False
        """The broker does not speak this version of MQTT."""
        self.mute = False
        """The broker hung up, or stayed silent, before it said anything."""

    async def open(self, subscriptions: Sequence[str]) -> str | None:
        """Connect and subscribe; the version spoken, or None where that failed: then `ended` says why."""
        self._subscriptions = subscriptions
        try:
            self._client = self._made()
            await asyncio.to_thread(self._client.dial)
        except ssl.SSLError as error:
            self.end("untrusted", f"{self._where}: TLS: {error.reason or error}")
            return None
        except (OSError, ValueError) as error:
            self.end("unreachable", f"{self._where}: {str(error) or type(error).__name__}")
            return None
        self._client.start()
        for step in (self._welcome, self._subscribed):
            either: set[asyncio.Future[Any]] = {step, self.ended}
            patience = WELCOME_S if step is self._welcome else CONNECT_S
            done, _ = await asyncio.wait(either, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
            if not done:
                self.mute = step is self._welcome
                self.end("unreachable", f"{self._where}: the broker does not answer")
            if self.ended.done():
                return None
        return "5" if self._protocol == MQTT_5 else "3.1.1"

    async def publish(self, topic: str, payload: bytes, *, qos: int, retain: bool, expires_s: int | None) -> None:
        """Hand over one message; raises LinkDown where the connection is over."""
        if qos:
            await self.slots.take()
        if self._client is None or self.ended.done():
            raise LinkDown("the connection to the broker is over")
        try:
            number = self._client.publish(topic, payload, qos=qos, retain=retain, expires_s=expires_s)
        except Broken as error:
            self.end("lost", f"{self._where}: {error}")
            raise LinkDown("the connection to the broker broke") from None
        if qos:
            self._topics[number] = topic

    def release(self) -> None:
        """Hand on what came; call it when the program was told that there is a connection."""
        held, self._held = self._held or [], None
        for message in held:
            self._inbox.put(message)

    def end(self, reason: str, why: str) -> None:
        """The connection is over; the first reason counts."""
        if not self.ended.done():
            self.ended.set_result((reason, why))
            self.slots.close()

    async def close(self) -> None:
        """Say good-bye where there is somebody to say it to, and let go of the thread and the socket."""
        lost = self.ended.done()
        self.end("lost", "closed")
        if self._client is not None:
            await asyncio.to_thread(self._client.hang_up, lost=lost)

    def _made(self) -> Client:
        hello = self._hello
        calls = Calls(
            welcomed=self._welcomed,
            subscribed=self._answered,
            came=self._came,
            hung_up=self._hung_up,
            confirmed=self._confirmed,
        )
        will = (hello.will_topic, hello.will)
        return Client(
            self._broker, hello.client_id, calls, protocol=self._protocol, timeout_s=CONNECT_S, will=will
        )  # fmt: skip

    # --- called by the client, in the event loop ---------------------------------------------------------

    def _welcomed(self, code: int, text: str) -> None:
        if self._welcome.done() or self.ended.done():
            return
        self._welcome.set_result(None)
        if code == UNSUPPORTED_VERSION:
            self.unsupported = True
            self.end("unreachable", f"{self._where}: {text}")
        elif code in LOGIN_REFUSED:
            self.end("refused", f"{self._where}: the broker refuses the login ({text}): check user name and password")
        elif code >= FAILURE:
            self.end("unreachable", f"{self._where}: {text}")
        elif self._subscriptions and self._client is not None:
            self._client.subscribe(self._subscriptions)
        else:
            self._subscribed.set_result(None)

    def _answered(self, codes: list[tuple[int, str]]) -> None:
        for topic, (code, text) in zip(self._subscriptions, codes, strict=False):
            if code >= FAILURE:
                self._inbox.put(Refused(topic=topic, why=f"the broker refuses the subscription: {text}"))
        if not self._subscribed.done():
            self._subscribed.set_result(None)

    def _came(self, topic: str, payload: bytes, retained: bool) -> None:  # noqa: FBT001 -- as it is called
        message = Message(topic=topic, payload=payload, retained=retained)
        if self._held is None:
            self._inbox.put(message)
        else:
            self._held.append(message)

    def _confirmed(self, number: int, code: int, text: str) -> None:
        topic = self._topics.pop(number, None)
        if topic is None:
            return
        self.slots.give()
        if code >= FAILURE:
            self._inbox.put(Refused(topic=topic, why=f"the broker refuses the message: {text}"))

    def _hung_up(self, text: str) -> None:
        if not self._welcome.done():
            self.mute = True
        self.end("lost" if self._subscribed.done() else "unreachable", f"{self._where}: {text}")
