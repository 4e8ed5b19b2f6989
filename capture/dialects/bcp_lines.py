"""One line of BCP 1.1 (Mission Pinball Framework): text to command and typed values, and back.

Source: mpf 0.81.0, mpf/core/bcp/bcp_socket_client.py, encode_command_string and read_message. Here no command is
understood. Invariant: a line is either understood whole or refused whole (`LineGarbled`); nothing is mended.
"""

import json
import math
import re
from typing import NamedTuple
from urllib.parse import quote, unquote

from capture.errors import LineGarbled

Value = str | int | float | bool | None | list[object] | dict[str, object]

Values = dict[str, Value]

MOST_PLAYERS = 16
MOST_PAYLOAD = 64 * 1024 * 1024
"""More raw bytes than this after a line are not believed."""

_NAME = re.compile(r"[a-z_][a-z0-9_]{0,63}\Z")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_PAYLOAD = re.compile(r"&bytes=(\d{1,9})\Z")
_PAYLOAD_BYTES = re.compile(rb"&bytes=(\d{1,9})\Z")
_INT = re.compile(r"-?\d{1,40}\Z", re.ASCII)


class Command(NamedTuple):
    """A command's name in lower case and its values by key."""

    name: str
    values: Values


def payload_length(line: bytes) -> int:
    """How many raw bytes follow this line (`&bytes=N` at its end). 0 where that is not to be believed."""
    found = _PAYLOAD_BYTES.search(line, max(0, len(line) - 16))
    if not found:
        return 0
    length = int(found[1])
    return length if length <= MOST_PAYLOAD else 0


def parse_line(line: bytes) -> Command:
    """Understand one line, given without its line end. Raises LineGarbled."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise LineGarbled("not UTF-8") from None
    if _CONTROL.search(text):
        raise LineGarbled("a control character")
    name, asked, query = text.partition("?")
    name = name.lower()
    if not _NAME.match(name):
        raise LineGarbled("no command")
    if not asked or not query:
        return Command(name, {})
    query = _PAYLOAD.sub("", query)
    if query.startswith("json="):
        return Command(name, _parse_json(query[5:]))
    return Command(name, _parse_pairs(query))


def format_line(name: str, **values: str | int) -> bytes:
    """Write one line, with its line end."""
    pairs = (f"{key}={f'int:{v}' if isinstance(v, int) else quote(v, '')}" for key, v in values.items())
    query = "&".join(pairs)
    return f"{name}?{query}\n".encode() if query else f"{name}\n".encode()


def whole(value: Value) -> int | None:
    """A whole number, as int or as a float without a fraction; None for all else (true and false too)."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float) and math.isfinite(value) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return None


def text_of(values: Values, key: str) -> str:
    """A value that must be a text."""
    value = values.get(key)
    if not isinstance(value, str):
        raise LineGarbled(f"no {key}")
    return value


def count_of(values: Values, key: str) -> int:
    """A value that must be a number from 0 to 99."""
    number = whole(values.get(key))
    if number is None or not 0 <= number <= 99:
        raise LineGarbled(f"no {key}")
    return number


def player_of(values: Values, key: str) -> int:
    """A value that must be a player's number."""
    number = whole(values.get(key))
    if number is None or not 1 <= number <= MOST_PLAYERS:
        raise LineGarbled(f"no {key}")
    return number


def _parse_json(text: str) -> Values:
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        raise LineGarbled("bad JSON") from None
    if not isinstance(values, dict):
        raise LineGarbled("JSON that is no object")
    return values


def _parse_pairs(query: str) -> Values:
    values: Values = {}
    for pair in query.split("&"):
        key, equals, value = pair.partition("=")
        if not equals or "?" in value or "=" in value:
            raise LineGarbled("no key=value")
        values[key.lower()] = _parse_value(value)
    return values


def _parse_value(text: str) -> Value:
    kind, colon, rest = text.partition(":")
    if not colon:
        return _unquote(text)
    match kind.lower():
        case "int":
            if not _INT.match(rest):
                raise LineGarbled("no whole number")
            return int(rest)
        case "float":
            try:
                return float(_unquote(rest))
            except ValueError:
                raise LineGarbled("no number") from None
        case "bool":
            if rest.lower() not in {"true", "false"}:
                raise LineGarbled("neither true nor false")
            return rest.lower() == "true"
        case "nonetype":
            return None
        case _:
            return _unquote(text)


def _unquote(text: str) -> str:
    if "%" not in text:
        return text
    try:
        return unquote(text, errors="strict")
    except UnicodeDecodeError:
        raise LineGarbled("bad percent-encoding") from None
