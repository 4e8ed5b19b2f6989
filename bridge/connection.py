"""One connection to one broker, by one fresh client. The only file that imports paho.

paho's thread calls back; every callback only hands over to the event loop. Reason codes of 128 and more are failures
and are said; a failed PUBACK frees its place in the window like a good one, since durability is made elsewhere.
"""
# ruff: noqa: ARG002  (paho says what its callbacks are given)

import asyncio
import contextlib
import socket
import ssl
from collections.abc import Callable, Sequence
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from bridge.errors import LinkDown
from bridge.link_parts import IN_FLIGHT, Broker, Hello, Inbox, Message, Refused, Slots

MQTT_5, MQTT_3 = 5, 4
CONNECT_S = 10.0
"""For the address and the handshakes, and for the subscriptions, each."""
WELCOME_S = 4.0
"""For the broker's welcome. A broker that knows MQTT 3.1.1 only may answer a version 5 in a way that is no answer to it
(amqtt 0.12 does), so silence here is a reason to try the other version."""
_FAILURE = 128
_UNSUPPORTED_VERSION = 132
_LOGIN_REFUSED = {134, 135, 138}  # bad user name or password, not authorised, banned


class _TidySocket(ssl.SSLSocket):
    """Closes itself when the handshake fails, which paho does not."""

    def do_handshake(self, block: bool = False) -> None:  # noqa: FBT001, FBT002
        try:
            super().do_handshake(block)
        except BaseException:
            self.close()
            raise


class Connection:
    """Opened once, ended once. `ended` gives the reason (as `Disconnected` has it) and one line for a person."""

    def __init__(self, broker: Broker, hello: Hello, protocol: int, inbox: Inbox) -> None:
        self._loop = asyncio.get_running_loop()
        self._broker = broker
        self._where = f"{broker.host}:{broker.port}"
        self._protocol = protocol
        self._inbox = inbox
        self._welcome: asyncio.Future[None] = self._loop.create_future()
        self._subscribed: asyncio.Future[None] = self._loop.create_future()
        self._topics: dict[int, str] = {}
        """Published messages that the broker has not confirmed."""
        self._hello = hello
        self._client: mqtt.Client | None = None
        self._socket: Any = None
        self.ended: asyncio.Future[tuple[str, str]] = self._loop.create_future()
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
            await asyncio.to_thread(self._dial, self._client)
        except ssl.SSLError as error:
            self.end("untrusted", f"{self._where}: TLS: {error.reason or error}")
            return None
        except (OSError, ValueError) as error:
            self.end("unreachable", f"{self._where}: {str(error) or type(error).__name__}")
            return None
        self._client.loop_start()
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
        properties = None
        if expires_s is not None and self._protocol == MQTT_5:
            properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
            properties.MessageExpiryInterval = expires_s
        sent = self._client.publish(topic, payload, qos, retain, properties)
        if sent.rc != mqtt.MQTT_ERR_SUCCESS:  # paho may have queued it all the same: this client is not used again
            self.end("lost", f"{self._where}: {mqtt.error_string(sent.rc)}")
            raise LinkDown("the connection to the broker broke")
        if qos:
            self._topics[sent.mid] = topic

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
            await asyncio.to_thread(self._hang_up, self._client, lost)

    @staticmethod
    def _hang_up(client: mqtt.Client, lost: bool) -> None:  # noqa: FBT001
        client.on_disconnect = client.on_publish = client.on_message = None
        if lost:  # without a good-bye, so that the broker tells the others by our will
            with contextlib.suppress(OSError, AttributeError):
                sock: Any = client.socket()
                sock.shutdown(2)
        else:
            client.disconnect()
        client.loop_stop()

    def _made(self) -> mqtt.Client:
        version = MQTTProtocolVersion(self._protocol)
        clean: dict[str, Any] = {} if self._protocol == MQTT_5 else {"clean_session": True}
        client = mqtt.Client(
            CallbackAPIVersion.VERSION2,
            self._hello.client_id,
            protocol=version,
            reconnect_on_failure=False,
            **clean,
        )
        client.connect_timeout = CONNECT_S
        client.max_inflight_messages_set(IN_FLIGHT * 4)  # our own window is the one that holds
        client.will_set(self._hello.will_topic, self._hello.will, qos=1, retain=True)
        if self._broker.username is not None:
            client.username_pw_set(self._broker.username, self._broker.password)
        if (tls := self._broker.tls) is not None:
            context = ssl.create_default_context(cafile=None if tls.ca is None else str(tls.ca))
            if tls.certificate is not None:
                context.load_cert_chain(tls.certificate, tls.key)
            context.sslsocket_class = _TidySocket
            client.tls_set_context(context)
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_subscribe = self._on_subscribe
        client.on_publish = self._on_publish
        client.on_message = self._on_message
        return client

    def _dial(self, client: mqtt.Client) -> None:
        extra: dict[str, Any] = {"clean_start": True} if self._protocol == MQTT_5 else {}
        client.connect(self._broker.host, self._broker.port, self._broker.keepalive_s, **extra)
        self._socket = client.socket()
        self._set_tcp("TCP_NODELAY")  # else our small messages wait 40 ms for each other

    def _set_tcp(self, option: str) -> None:
        if self._socket is not None and hasattr(socket, option):
            with contextlib.suppress(OSError):
                self._socket.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), 1)

    def _soon(self, call: Callable[..., None], *arguments: Any) -> None:  # noqa: ANN401
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is left to tell
            self._loop.call_soon_threadsafe(call, *arguments)

    # --- called by paho's thread ---------------------------------------------------------------------------------

    def _on_connect(self, client: mqtt.Client, data: object, flags: object, code: ReasonCode, *_: object) -> None:
        self._soon(self._welcomed, client, code.value, str(code))

    def _on_disconnect(self, client: object, data: object, flags: object, code: ReasonCode, *_: object) -> None:
        self._soon(self._hung_up, str(code))

    def _on_subscribe(self, client: object, data: object, number: int, codes: list[ReasonCode], *_: object) -> None:
        self._soon(self._answered, [(code.value, str(code)) for code in codes])

    def _on_publish(self, client: object, data: object, number: int, code: ReasonCode, *_: object) -> None:
        self._set_tcp("TCP_QUICKACK")  # else the broker's small messages wait for our kernel's late acknowledgement
        self._soon(self._confirmed, number, code.value, str(code))

    def _on_message(self, client: object, data: object, message: mqtt.MQTTMessage) -> None:
        self._set_tcp("TCP_QUICKACK")
        try:
            topic = message.topic
        except UnicodeDecodeError:
            return
        self._soon(self._came, Message(topic=topic, payload=bytes(message.payload), retained=message.retain))

    # --- in the event loop ---------------------------------------------------------------------------------------

    def _welcomed(self, client: mqtt.Client, code: int, text: str) -> None:
        if self._welcome.done() or self.ended.done():
            return
        self._welcome.set_result(None)
        if code == _UNSUPPORTED_VERSION:
            self.unsupported = True
            self.end("unreachable", f"{self._where}: {text}")
        elif code in _LOGIN_REFUSED:
            self.end("refused", f"{self._where}: the broker refuses the login ({text}): check user name and password")
        elif code >= _FAILURE:
            self.end("unreachable", f"{self._where}: {text}")
        elif self._subscriptions:
            client.subscribe([(topic, 1) for topic in self._subscriptions])
        else:
            self._subscribed.set_result(None)

    def _answered(self, codes: list[tuple[int, str]]) -> None:
        for topic, (code, text) in zip(self._subscriptions, codes, strict=False):
            if code >= _FAILURE:
                self._inbox.put(Refused(topic=topic, why=f"the broker refuses the subscription: {text}"))
        if not self._subscribed.done():
            self._subscribed.set_result(None)

    def _came(self, message: Message) -> None:
        if self._held is None:
            self._inbox.put(message)
        else:
            self._held.append(message)

    def _confirmed(self, number: int, code: int, text: str) -> None:
        topic = self._topics.pop(number, None)
        if topic is None:
            return
        self.slots.give()
        if code >= _FAILURE:
            self._inbox.put(Refused(topic=topic, why=f"the broker refuses the message: {text}"))

    def _hung_up(self, text: str) -> None:
        if not self._welcome.done():
            self.mute = True
        self.end("lost" if self._subscribed.done() else "unreachable", f"{self._where}: {text}")
