"""One client of one MQTT broker, used once. The only file that imports paho.

Here: connecting, and handing over: paho's thread calls back, and every callback only passes on to the event loop. Not
here: what a topic means, when to come back. Reason codes of `FAILURE` and more are failures.
"""
# ruff: noqa: ARG002  (paho says what its callbacks are given)

import asyncio
import contextlib
import socket
import ssl
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

MQTT_5, MQTT_3 = 5, 4
FAILURE = 128
UNSUPPORTED_VERSION = 132
LOGIN_REFUSED = {134, 135, 138}  # bad user name or password, not authorised, banned


@dataclass(frozen=True, slots=True, kw_only=True)
class Tls:
    """How to trust the broker and prove ourselves; empty: the system's authorities, no certificate."""

    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Broker:
    """Where the broker is and who we are to it."""

    host: str
    port: int = 1883
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    tls: Tls | None = None
    keepalive_s: int = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls:
    """What is called in the event loop. Codes are MQTT's, texts for a person."""

    welcomed: Callable[[int, str], None]
    subscribed: Callable[[list[tuple[int, str]]], None]
    came: Callable[[str, bytes, bool], None]
    """Topic, payload, whether it was retained."""
    hung_up: Callable[[str], None]
    confirmed: Callable[[int, int, str], None] = lambda *_: None
    """The number of a published message, then as above."""


class Broken(Exception):
    """The connection broke: its text says how."""


class Client:
    """One connection. `largest`: bytes of a message that the broker (MQTT 5) need not send. `will`: topic, payload."""

    def __init__(
        self,
        broker: Broker,
        client_id: str,
        calls: Calls,
        *,
        protocol: int,
        timeout_s: float,
        will: tuple[str, bytes] | None = None,
        largest: int | None = None,
    ) -> None:
        """Raises OSError or ValueError where certificates cannot be used."""
        self._loop = asyncio.get_running_loop()
        self._broker = broker
        self._calls = calls
        self._protocol = protocol
        self._largest = largest
        self._socket: Any = None
        self._client = self._made(client_id, timeout_s, will)

    def dial(self) -> None:
        """Connect: blocks. Raises OSError or ValueError."""
        extra: dict[str, Any] = {"clean_start": True} if self._protocol == MQTT_5 else {}
        if self._protocol == MQTT_5 and self._largest is not None:
            extra["properties"] = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
            extra["properties"].MaximumPacketSize = self._largest
        self._client.connect(self._broker.host, self._broker.port, self._broker.keepalive_s, **extra)
        self._socket = self._client.socket()
        self._set_tcp("TCP_NODELAY")  # else our small messages wait 40 ms for each other

    def start(self) -> None:
        """Begin to call back."""
        self._client.loop_start()

    def subscribe(self, topics: Sequence[str]) -> None:
        """Ask for these topics, each message at least once."""
        self._client.subscribe([(topic, 1) for topic in topics])

    def publish(self, topic: str, payload: bytes, *, qos: int, retain: bool, expires_s: int | None) -> int:
        """Hand over a message; its number. Raises Broken."""
        properties = None
        if expires_s is not None and self._protocol == MQTT_5:
            properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
            properties.MessageExpiryInterval = expires_s
        sent = self._client.publish(topic, payload, qos, retain, properties)
        if sent.rc != mqtt.MQTT_ERR_SUCCESS:  # paho may have queued it all the same: this client is not used again
            raise Broken(mqtt.error_string(sent.rc))
        return sent.mid

    def hang_up(self, *, lost: bool) -> None:
        """Let go of thread and socket: blocks. `lost`: without a good-bye, so that the broker tells the will."""
        client = self._client
        client.on_disconnect = client.on_publish = client.on_message = None
        if lost:
            with contextlib.suppress(OSError, AttributeError):
                sock: Any = client.socket()
                sock.shutdown(2)
        else:
            client.disconnect()
        client.loop_stop()

    def _made(self, client_id: str, timeout_s: float, will: tuple[str, bytes] | None) -> mqtt.Client:
        clean: dict[str, Any] = {} if self._protocol == MQTT_5 else {"clean_session": True}
        client = mqtt.Client(
            CallbackAPIVersion.VERSION2,
            client_id,
            protocol=MQTTProtocolVersion(self._protocol),
            reconnect_on_failure=False,
            **clean,
        )
        client.connect_timeout = timeout_s
        client.max_inflight_messages_set(64)  # whoever publishes has a smaller window of its own
        if will is not None:
            client.will_set(will[0], will[1], qos=1, retain=True)
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

    def _set_tcp(self, option: str) -> None:
        if self._socket is not None and hasattr(socket, option):
            with contextlib.suppress(OSError):
                self._socket.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), 1)

    def _soon(self, call: Callable[..., None], *arguments: Any) -> None:  # noqa: ANN401
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is left to tell
            self._loop.call_soon_threadsafe(call, *arguments)

    # --- called by paho's thread -------------------------------------------------------------------------

    def _on_connect(self, client: mqtt.Client, data: object, flags: object, code: ReasonCode, *_: object) -> None:
        self._soon(self._calls.welcomed, code.value, str(code))

    def _on_disconnect(self, client: object, data: object, flags: object, code: ReasonCode, *_: object) -> None:
        self._soon(self._calls.hung_up, str(code))

    def _on_subscribe(self, client: object, data: object, number: int, codes: list[ReasonCode], *_: object) -> None:
        self._soon(self._calls.subscribed, [(code.value, str(code)) for code in codes])

    def _on_publish(self, client: object, data: object, number: int, code: ReasonCode, *_: object) -> None:
        self._set_tcp("TCP_QUICKACK")  # else the broker's small messages wait for our kernel's late acknowledgement
        self._soon(self._calls.confirmed, number, code.value, str(code))

    def _on_message(self, client: object, data: object, message: mqtt.MQTTMessage) -> None:
        self._set_tcp("TCP_QUICKACK")
        try:
            topic = message.topic
        except UnicodeDecodeError:
            return
        self._soon(self._calls.came, topic, bytes(message.payload), message.retain)


class _TidySocket(ssl.SSLSocket):
    """Closes itself when the handshake fails, which paho does not."""

    def do_handshake(self, block: bool = False) -> None:  # noqa: FBT001, FBT002
        try:
            super().do_handshake(block)
        except BaseException:
            self.close()
            raise
