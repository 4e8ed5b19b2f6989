"""The strictness every wire model shares: JSON read with bounds, models that coerce nothing.

`"0"` is not 0, 0.0 is not 0, NaN and Infinity are no numbers, and 1e400 is not one either. Unknown fields are ignored
(within a version there are additions only); of duplicate keys the last counts. Every length is bounded before use.
"""

import json
import math
from typing import Annotated, Any, NoReturn, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, Strict, StringConstraints, ValidationError

from bridge.errors import WireInvalid

DEPTH_LIMIT = 12
"""Objects and lists within each other, the outermost included."""
CONTROL_LIMIT = 65_536
"""Bytes of any message that is not a frame."""
WHOLE_LIMIT = 2**53 - 1
"""The largest whole number every reader of JSON takes exactly."""
SCORE_LIMIT = 10**18

Item = TypeVar("Item")
Several = Annotated[tuple[Item, ...], Strict(strict=False)]
"""A JSON list, kept as a tuple; its items stay strict."""

Count = Annotated[int, Field(ge=0, le=WHOLE_LIMIT)]
Number = Annotated[int, Field(ge=1, le=WHOLE_LIMIT)]
Score = Annotated[int, Field(ge=0, le=SCORE_LIMIT)]
Confidence = Annotated[float, Field(ge=0, le=1)]
Uuid = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")]
Boot = Annotated[str, StringConstraints(min_length=1, max_length=64)]
Detail = Annotated[str, StringConstraints(max_length=500)]
Wall = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$")]
"""RFC 3339 in UTC. From an agent it is evidence only: the server owns time."""


class WireModel(BaseModel):
    """What every message is: strict, frozen, deaf to fields it does not know."""

    model_config = ConfigDict(
        strict=True,
        frozen=True,
        extra="ignore",
        allow_inf_nan=False,
        populate_by_name=True,
        use_attribute_docstrings=True,
    )

    @classmethod
    def decode(cls, payload: bytes) -> Self:
        """Read one message; raises WireInvalid with one line that says where it is wrong."""
        return cls.read(read_object(payload, CONTROL_LIMIT))

    @classmethod
    def read(cls, raw: dict[str, Any]) -> Self:
        """Check an object that was read; raises WireInvalid."""
        try:
            return cls.model_validate(raw)
        except ValidationError as error:
            raise WireInvalid(first_problem(error)) from error

    def encode(self) -> bytes:
        """The message as JSON in UTF-8."""
        return self.model_dump_json(by_alias=True).encode()


def read_object(payload: bytes, limit: int) -> dict[str, Any]:
    """Read a JSON object of at most `limit` bytes; raises WireInvalid, and nothing else, whatever the bytes are."""
    if not payload:
        raise WireInvalid("empty")
    if len(payload) > limit:
        raise WireInvalid(f"{len(payload)} bytes, more than the {limit} allowed")
    try:
        raw = json.loads(payload.decode("utf-8"), parse_constant=_no_constant, parse_float=_finite)
    except UnicodeDecodeError as error:
        raise WireInvalid(f"not UTF-8 at byte {error.start}") from error
    except RecursionError as error:
        raise WireInvalid(f"nested deeper than {DEPTH_LIMIT}") from error
    except ValueError as error:
        raise WireInvalid(f"not JSON: {_one_line(str(error))}") from error
    if not isinstance(raw, dict):
        raise WireInvalid("not a JSON object")
    check_depth(raw)
    return raw


def check_depth(value: object, allowed: int = DEPTH_LIMIT) -> None:
    """Raise WireInvalid where objects and lists lie more than `allowed` deep."""
    if not isinstance(value, dict | list):
        return
    if allowed == 0:
        raise WireInvalid(f"nested deeper than {DEPTH_LIMIT}")
    for item in value.values() if isinstance(value, dict) else value:
        if isinstance(item, dict | list):
            check_depth(item, allowed - 1)


def first_problem(error: ValidationError) -> str:
    """The first complaint as one line: where, what."""
    problem = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(_one_line(str(step))[:40] for step in problem["loc"])
    return f"{where}: {problem['msg']}" if where else str(problem["msg"])


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:20]} is beyond any number")
    return number


def _one_line(text: str) -> str:
    return " ".join(text.split())[:200]
