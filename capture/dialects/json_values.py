"""Values in messages of JSON: parsing that trusts nothing, paths, and what may be a number or a flag.

Not here: what a message means (`json_messages`). Invariant: a whole number comes out exactly as it was written or not
at all: no float, no truth value and no text becomes one, texts of digits only where the profile says so.
"""

import json
from dataclasses import dataclass
from typing import Any

from capture.errors import LineGarbled
from hardware.wires.messages import Steps

MOST_SCORE = 10**18
MOST_SMALL = 99
"""Players, balls and the like are no larger."""
MOST_COUNT = 10**9
MOST_LIST = 32
_DIGITS = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message. `topic` None: a line of JSON that came without one."""

    topic: str | None
    value: Any
    retained: bool = False
    plain: bool = False
    """Its payload is no JSON: `value` is the text."""
    error: str = ""
    """Why its payload could not be handed on."""


class _Oddity:
    """What is none of the kinds below: a number with a fraction or an exponent, no list where there should be one."""


def parse_message(line: bytes) -> Message:
    """One line: an envelope `{"topic": …, "retained": …, "payload": …}` or plain JSON. Raises LineGarbled."""
    try:
        value = _loads(line.decode("utf-8").removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        raise LineGarbled("no JSON") from None
    if not isinstance(value, dict) or not isinstance(value.get("topic"), str) or "payload" not in value:
        return Message(topic=None, value=value)
    topic, payload, retained = value["topic"], value["payload"], value.get("retained") is True
    if payload is None and isinstance(value.get("error"), str):
        return Message(topic=topic, value=None, retained=retained, error=value["error"][:100])
    if not isinstance(payload, str):
        return Message(topic=topic, value=payload, retained=retained)
    try:
        return Message(topic=topic, value=_loads(payload), retained=retained)
    except (ValueError, RecursionError):
        return Message(topic=topic, value=payload.strip(), retained=retained, plain=True)


def find(value: Any, steps: Steps) -> Any:  # noqa: ANN401 -- JSON
    """What stands there; None where nothing does. A step to every place of a list makes a list."""
    if value is None:
        return None
    for number, step in enumerate(steps):
        if step is None:
            rest = steps[number + 1 :]
            return [find(one, rest) for one in value[: MOST_LIST + 1]] if isinstance(value, list) else _Oddity()
        if isinstance(step, int):
            value = value[step] if isinstance(value, list) and step < len(value) else None
        else:
            value = value.get(step) if isinstance(value, dict) else None
        if value is None:
            return None
    return value


def whole(value: Any, *, texts: bool, most: int = MOST_SCORE) -> int | None:  # noqa: ANN401 -- JSON
    """A whole number from 0 to `most`, None for null. Raises LineGarbled for anything else."""
    if value is None:
        return None
    if texts and isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= _DIGITS:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise LineGarbled(f"{_show(value)} is no whole number")
    if not 0 <= value <= most:
        raise LineGarbled(f"{_show(value)} is not from 0 to {most}")
    return value


def wholes(value: Any, *, texts: bool) -> tuple[int | None, ...]:  # noqa: ANN401 -- JSON
    """A list of scores. Raises LineGarbled."""
    if value is None:
        return ()
    if not isinstance(value, list) or len(value) > MOST_LIST:
        raise LineGarbled(f"{_show(value)} is no list of scores")
    return tuple(whole(one, texts=texts) for one in value)


def flag(value: Any, on: tuple[str, ...], off: tuple[str, ...]) -> bool | None:  # noqa: ANN401 -- JSON
    """True or false, None for null. Raises LineGarbled for what is neither."""
    if value is None or isinstance(value, bool):
        return value
    text = str(value).casefold() if isinstance(value, str | int) else None
    for words, meaning in ((on, True), (off, False)):
        if text is not None and text in {word.casefold() for word in words}:
            return meaning
    raise LineGarbled(f"{_show(value)} is neither on nor off")


def _loads(text: str) -> Any:  # noqa: ANN401 -- JSON
    return json.loads(text, parse_float=_odd, parse_constant=_refuse, parse_int=_int)


def _int(text: str) -> object:
    return int(text) if len(text) <= _DIGITS else _Oddity()


def _odd(_: str) -> object:
    return _Oddity()


def _refuse(text: str) -> object:
    raise ValueError(text)


def _show(value: object) -> str:
    """A value for a person, short."""
    shown = "what stands there" if isinstance(value, _Oddity) else repr(value)
    return shown if len(shown) <= 40 else shown[:39] + "…"
