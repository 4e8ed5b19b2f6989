"""MQTT as a port: `mqtt://[USER@]HOST[:PORT]/TOPICS`, a client of the broker that a machine publishes to.

Here: the address, subscribing, and one line of JSON for each message, `{"topic": …, "retained": …, "payload": TEXT}`,
so that a recording is text. Payloads are not understood. Invariant: a message that is too large, is no text or finds no
room is told as one that could not be handed on (`"payload": null, "error": …`), and never in part.
"""

import asyncio
import json
import re
import secrets
import ssl
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from hardware.errors import PortInvalid
from hardware.mqtt import FAILURE, LOGIN_REFUSED, MQTT_3, MQTT_5, UNSUPPORTED_VERSION, Broker, Calls, Client, Tls
from hardware.ports.base import Chunk, Closed, Opened, Port, PortEvent
from hardware.ports.peer import explain, in_url
from hardware.ports.tcp import STEADY_MS, Pauses

CONNECT_S, WELCOME_S = 10.0, 4.0
LARGEST = 256 * 1024
"""Bytes of a payload; a larger one is told as such."""
LARGEST_PACKET = 16 * 2**20
"""A broker of MQTT 5 does not even send more."""
MOST_WAITING = 4 * 2**20
"""Bytes that wait for a slow reader."""
MOST_TOPICS = 20
LARGEST_LINE = 1_000_000
"""Bytes of a line: a payload of control signs grows when it is written as JSON."""
_FORM = "mqtt://[USER@]HOST[:PORT]/TOPICS[?topic=MORE][&client=NAME], mqtts://… with [&ca=FILE]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """An address, understood."""

    broker: Broker
    topics: tuple[str, ...]
    client: str | None = None

    @property
    def url(self) -> str:
        """It, without secrets."""
        scheme = "mqtts" if self.broker.tls else "mqtt"
        return f"{scheme}://{in_url(self.broker.host)}:{self.broker.port}/{self.topics[0]}"


def open_url(url: str, *, now: Callable[[], int], password: str | None = None) -> Port:
    """The port of an address. `password`: of the address's user. Raises PortInvalid."""
    return MqttPort(parse(url, password), now=now)


def parse(url: str, password: str | None = None) -> Address:
    """Understand an address; `+` and `#` stand for themselves in it, other signs may be written `%3F`."""
    scheme, _, rest = url.partition("://")
    where, _, asked = rest.partition("?")
    place, _, first = where.partition("/")
    try:
        parts = urlsplit(f"//{place}")
        host, port, user = parts.hostname, parts.port, parts.username
    except ValueError:
        host, port, user = None, None, None
    if not host or port == 0 or re.search(r"[\s#?]", place):
        raise PortInvalid(f"{url!r}: such an address is {_FORM}")
    if parts.password is not None:
        raise PortInvalid(f"{_FORM}: the password is no part of the address: it is the machine's key `secret`")
    options = _options(url, asked)
    topics = tuple(unquote(topic) for topic in (first, *options.pop("topic", [])))
    for topic in topics:
        _check_topic(url, topic)
    if len(topics) > MOST_TOPICS:
        raise PortInvalid(f"{url!r}: {len(topics)} topics, more than {MOST_TOPICS}: name them with + and #")
    ca = options.get("ca", [None])[-1]
    if ca is not None and (scheme != "mqtts" or not Path(ca).is_file()):
        raise PortInvalid(f"{url!r}: ca is a file of certificates, for mqtts://")
    secure = scheme == "mqtts"
    broker = Broker(
        host=host,
        port=port or (8883 if secure else 1883),
        username=unquote(user) if user else None,
        password=password,
        tls=Tls(ca=Path(ca) if ca else None) if secure else None,
    )
    return Address(broker=broker, topics=topics, client=options.get("client", [None])[-1])


def line(topic: str, payload: bytes, retained: bool) -> bytes:  # noqa: FBT001 -- as it comes
    """One message as a line of JSON."""
    told: dict[str, Any] = {"topic": topic, "retained": retained}
    if len(payload) > LARGEST:
        return _line(told | {"payload": None, "error": f"{len(payload)} bytes, more than {LARGEST}"})
    try:
        return _line(told | {"payload": payload.decode("utf-8")})
    except UnicodeDecodeError:
        return _line(told | {"payload": None, "error": f"{len(payload)} bytes that are no text in UTF-8"})


class MqttPort(Port):
    """Subscribes, and again whenever the broker is lost."""

    def __init__(self, address: Address, *, now: Callable[[], int]) -> None:
        self.url = address.url
        self._address = address
        self._now = now
        self._pauses = Pauses()
        self._protocol = MQTT_5
        self._stopped = asyncio.Event()
        self._session: _Session | None = None

    async def __aiter__(self) -> AsyncIterator[PortEvent]:
        """Yield events until the port is left."""
        while not self._stopped.is_set():
            self._session = session = _Session(self._address, self._protocol)
            try:
                if await session.open():
                    opened = self._now()
                    yield Opened(at=opened, port=self.url, passive=True)
                    while (data := await session.next()) is not None:
                        yield Chunk(at=self._now(), data=data)
                    if self._now() - opened >= STEADY_MS:
                        self._pauses.reset()
            finally:
                await asyncio.shield(session.close())
            if self._stopped.is_set():
                return
            if session.other_version:
                self._protocol = MQTT_3 if self._protocol == MQTT_5 else MQTT_5
            yield Closed(at=self._now(), reason=session.reason, why=session.why)
            await self._pauses.rest(self._stopped)

    async def send(self, data: bytes) -> None:
        """A machine that publishes hears nothing from us."""

    async def __aexit__(self, *_: object) -> None:
        """Leave the broker."""
        self._stopped.set()
        session, self._session = self._session, None
        if session is not None:
            session.end("stopped", "the port was left")
            await session.close()


class _Session:
    """One connection."""

    def __init__(self, address: Address, protocol: int) -> None:
        loop = asyncio.get_running_loop()
        self._address = address
        self._where = f"{address.broker.host}:{address.broker.port}"
        self._protocol = protocol
        self._client: Client | None = None
        self._ready: asyncio.Future[None] = loop.create_future()
        self._over: asyncio.Future[None] = loop.create_future()
        self._welcome = False
        self._lines: deque[bytes] = deque()
        self._waiting = 0
        self._some = asyncio.Event()
        self.reason, self.why = "", ""
        self.other_version = False
        """The broker may speak another version of MQTT."""

    async def open(self) -> bool:
        """Connect and subscribe; where that fails, `reason` and `why` say so."""
        calls = Calls(welcomed=self._welcomed, subscribed=self._subscribed, came=self._came, hung_up=self._hung_up)
        name = self._address.client or f"inlane-{secrets.token_hex(4)}"
        try:
            self._client = Client(
                self._address.broker, name, calls, protocol=self._protocol, timeout_s=CONNECT_S, largest=LARGEST_PACKET
            )
            await asyncio.to_thread(self._client.dial)
        except ssl.SSLError as error:
            self.end("refused", f"{self._where}: TLS: {error.reason or error}")
            return False
        except OSError as error:
            self.end("refused", f"cannot connect to the broker at {self._where}: {explain(error)}")
            return False
        except ValueError as error:
            self.end("refused", f"{self._where}: {error}")
            return False
        self._client.start()
        await asyncio.wait({self._ready, self._over}, timeout=WELCOME_S, return_when=asyncio.FIRST_COMPLETED)
        if not self._ready.done():
            self.other_version |= not self._welcome
            self.end("refused", f"{self._where}: the broker does not answer")
        return not self._over.done()

    async def next(self) -> bytes | None:
        """The next line, None when the connection is over."""
        while not self._lines:
            if self._over.done():
                return None
            self._some.clear()
            await self._some.wait()
        data = self._lines.popleft()
        self._waiting -= len(data)
        return data

    def end(self, reason: str, why: str) -> None:
        """It is over; the first reason counts."""
        if not self._over.done():
            self._over.set_result(None)
            self.reason, self.why = reason, why
            self._some.set()

    async def close(self) -> None:
        """Let go of thread and socket."""
        self.end("stopped", "closed")
        client, self._client = self._client, None
        if client is not None:
            await asyncio.to_thread(client.hang_up, lost=False)

    # --- called by the client, in the event loop ---------------------------------------------------------

    def _welcomed(self, code: int, text: str) -> None:
        self._welcome = True
        if code == UNSUPPORTED_VERSION:
            self.other_version = True
            self.end("refused", f"{self._where}: {text}")
        elif code in LOGIN_REFUSED:
            who = "its user and the machine's key `secret`"
            self.end("refused", f"{self._where}: the broker refuses the login ({text}): check {who}")
        elif code >= FAILURE:
            self.end("refused", f"{self._where}: {text}")
        elif self._client is not None:
            self._client.subscribe(self._address.topics)

    def _subscribed(self, codes: list[tuple[int, str]]) -> None:
        for topic, (code, text) in zip(self._address.topics, codes, strict=False):
            if code >= FAILURE:
                self.end("refused", f"{self._where}: the broker refuses the topic {topic!r}: {text}")
        if not self._ready.done():
            self._ready.set_result(None)

    def _came(self, topic: str, payload: bytes, retained: bool) -> None:  # noqa: FBT001 -- as it is called
        data = line(topic, payload, retained)
        if len(data) > LARGEST_LINE:
            data = _line({"topic": topic, "retained": retained, "payload": None, "error": "too long a line"})
        if self._waiting + len(data) > MOST_WAITING:
            data = _line({"topic": topic, "retained": retained, "payload": None, "error": "too much is waiting"})
            if self._waiting > MOST_WAITING + LARGEST:
                return
        self._lines.append(data)
        self._waiting += len(data)
        self._some.set()

    def _hung_up(self, text: str) -> None:
        self.other_version |= not self._welcome
        self.end("eof", f"{self._where}: the broker has gone ({text})")


def _line(told: dict[str, Any]) -> bytes:
    return json.dumps(told).encode() + b"\n"


def _options(url: str, asked: str) -> dict[str, list[str]]:
    options: dict[str, list[str]] = {}
    for pair in filter(None, asked.split("&")):
        name, _, value = pair.partition("=")
        if name not in {"topic", "ca", "client"} or not value:
            raise PortInvalid(f"{url!r}: {name!r} is no option of such an address, which is {_FORM}")
        options.setdefault(name, []).append(value if name == "topic" else unquote(value))
    return options


def _check_topic(url: str, topic: str) -> None:
    levels = topic.split("/")
    wild = all(level in {"+", "#"} or not set("+#") & set(level) for level in levels) and "#" not in levels[:-1]
    if not topic or len(topic.encode()) > 1000 or not wild or any(ord(sign) < 32 for sign in topic):
        raise PortInvalid(
            f"{url!r}: a topic is needed after the host, such as pinball/mm-2/# (+: any one level, #: all that follow)"
        )
