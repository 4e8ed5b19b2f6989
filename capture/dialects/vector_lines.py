"""One line of Warped Pinball Vector, over any of its transports: an answer, a message pushed, or console text.

Here: framing, JSON and lengths. Not here: what a status means (`vector_status`), whose message it is (`vector_seals`).
Invariant: a line is understood whole or it is `LineGarbled`; no digit of a damaged line is ever used. Sources:
warped-pinball/vector dccf1ea (firmware 1.11.28), docs/usb.md; warpedpinball 0.5.0, origin.py.
"""

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn

from capture.errors import LineGarbled

PREFIX = b"USB API RESPONSE-->"
"""What an answer's line begins with; all other text on the same wire is the board's console."""
SEAL = 16
"""Hexadecimal digits before a signed datagram's JSON."""
MOST_ID = 64
"""Characters of a machine_id, a type, a route's name that we listen for."""

_SEALED = re.compile(rb"[0-9a-fA-F]{16}\{")
_CONSOLE = (
    *(b"USB REQ:", b"GSTAT:", b"SCORE:", b"FRAM:", b"Server:", b"Main:", b"MAIN:", b"FLTS:", b"DATAMAPPER"),
    *(b"origin message", b"BALL IN PLAY", b"Warped Pinball", b"RESPONSE-->"),
)
"""How the firmware's own console text is known: enough to tell a board that does not answer from another device."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the board answered: the body is text, most often JSON."""

    route: str
    status: int
    body: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Push:
    """A datagram's message. `sealed` is what its signature covers, None where it has none."""

    device: str
    kind: str
    data: Any
    count: int | None = None
    seal: bytes = b""
    sealed: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Console:
    """Text that is no message. `ours`: the kind of text that a Vector writes there."""

    ours: bool


def parse_line(line: bytes) -> Answer | Push | Console:
    """Understand a line without its end. Raises LineGarbled for a message that is damaged, and for bytes not text."""
    start = line.rfind(PREFIX)
    if start >= 0:
        return _answer(line[start + len(PREFIX) :])
    text = line.strip()
    if _SEALED.match(text):
        return _push(text[SEAL:], seal=text[:SEAL])
    if text.startswith(b'{"'):
        return _push(text, seal=None)
    _text(line)
    return Console(ours=any(mark in line for mark in _CONSOLE))


def parse_json(text: str) -> Any:  # noqa: ANN401 - any JSON
    """Strict JSON: no NaN, no key twice, no depth that is not needed. Raises LineGarbled."""
    try:
        return json.loads(text, parse_constant=_no_number, object_pairs_hook=_no_key_twice)
    except (ValueError, RecursionError):
        raise LineGarbled("no JSON") from None


def whole(value: object, *, most: int) -> int:
    """A whole number from 0 to `most`. Raises LineGarbled for all else: text, a fraction, true."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise LineGarbled("no such number")
    return value


def _answer(text: bytes) -> Answer:
    envelope = parse_json(_text(text))
    if not isinstance(envelope, dict):
        raise LineGarbled("an answer that is no object")
    route, status, body = envelope.get("route"), envelope.get("status"), envelope.get("body")
    if not isinstance(route, str) or not route.startswith("/") or not isinstance(body, str):
        raise LineGarbled("an answer without route or body")
    _check_length(envelope.get("headers"), body)
    return Answer(route=route.partition("?")[0], status=whole(status, most=999), body=body)


def _check_length(headers: object, body: str) -> None:
    """The board says how long the body is: one that lost a character on the way is not taken. It counts characters."""
    if not isinstance(headers, dict):
        return
    said = next((value for name, value in headers.items() if name.lower() == "content-length"), None)
    if said is None:
        return
    if str(said) not in {str(len(body)), str(len(body.encode("utf-8", "surrogatepass")))}:
        raise LineGarbled("an answer of another length than it says")


def _push(text: bytes, *, seal: bytes | None) -> Push | Console:
    message = parse_json(_text(text))
    if not isinstance(message, dict):
        raise LineGarbled("a message that is no object")
    device, kind, count = message.get("machine_id"), message.get("type"), message.get("n")
    if seal is None and "machine_id" not in message:
        return Console(ours=False)  # somebody's JSON, and not a board's message
    if not isinstance(device, str) or not isinstance(kind, str) or not (_is_name(device) and _is_name(kind)):
        raise LineGarbled("a message without machine_id or type")
    if count is not None or seal is not None:
        count = whole(count, most=2**63 - 1)
    return Push(
        device=device.lower(),
        kind=kind,
        data=message.get("data"),
        count=count,
        seal=seal or b"",
        sealed=None if seal is None else text,
    )


def _is_name(value: str) -> bool:
    return 0 < len(value) <= MOST_ID and value.isprintable()


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise LineGarbled("no text") from None


def _no_number(text: str) -> NoReturn:
    raise ValueError(text)


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key twice")
    return found
