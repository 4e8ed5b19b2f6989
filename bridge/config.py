"""The agent's configuration: `agent.toml` as a strict, frozen model. Each key is described in docs/agent.md.

Here: reading the file and saying what is wrong with it. Not here: opening what it names. Invariant: a configuration
that exists is whole: ids are valid and unique, and relative paths count from the file's own folder.
"""

import difflib
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal, get_args
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, Field, SecretStr, ValidationError

from bridge.calibration import beside, same_port
from bridge.errors import ConfigInvalid, WireInvalid
from bridge.parts import CameraPart, Corners, Part, Size
from bridge.wire.topics import ID_PATTERN, ROOT, Topics
from capture.dialects import Setup
from hardware.ports.camera_options import with_options

LARGEST_FILE = 256 * 1024
MOST_MACHINES = 64
MOST_SOURCES = 4
"""Of one machine."""


def _is_web_address(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("an address such as http://desk.local:8000 is needed")
    return text.rstrip("/")


def _is_root(text: str) -> str:
    try:
        return Topics(text).root
    except WireInvalid as error:
        raise ValueError(str(error)) from None


class ServerPart(Part):
    """`[server]`: where pictures go. Without it they stay on the agent's disk."""

    url: Annotated[str, AfterValidator(_is_web_address)]
    token: SecretStr


class BrokerPart(Part):
    """`[broker]`: the MQTT broker."""

    host: Annotated[str, Field(min_length=1, max_length=255)]
    port: Annotated[int, Field(ge=1, le=65535)] = 1883
    username: Annotated[str, Field(max_length=100)] | None = None
    """Not given: the agent's id."""
    password: SecretStr | None = None
    tls: bool = False
    ca: Path | None = Field(default=None, strict=False)
    """A file of certificates to trust instead of the system's."""
    root: Annotated[str, AfterValidator(_is_root)] = ROOT


class EvidencePart(Part):
    """`[evidence]`: how much disk pictures may take."""

    megabytes: Annotated[int, Field(ge=1, le=1_000_000)] = 500


class SourcePart(Part):
    """One way in which a machine is heard or seen."""

    profile: Annotated[str, Field(min_length=1, max_length=400)]
    port: Annotated[str, Field(min_length=1, max_length=2000)]
    device: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    """How the device on the port names itself; another one gives no score."""
    secret: Annotated[SecretStr, Field(min_length=1, max_length=1000)] | None = None
    """What the device signs its messages with, or the password of its broker."""
    corners: Corners | None = None
    """The display in the camera's picture."""
    size: Size | None = None
    """Of the pictures that `corners` belong to."""
    camera: CameraPart | None = None

    @property
    def setup(self) -> Setup:
        """What a dialect is told of this machine."""
        return Setup(device=self.device, secret=self.secret.get_secret_value().encode() if self.secret else None)

    @property
    def password(self) -> str | None:
        """What a port logs in with."""
        return self.secret.get_secret_value() if self.secret else None


class MachinePart(SourcePart):
    """`[[machine]]`: one pinball machine, its first source, and the others that it has."""

    id: Annotated[str, Field(pattern=ID_PATTERN)]
    recalibrate: bool = False
    """Whether the desk's command may move the corners."""
    also: Annotated[tuple[SourcePart, ...], Field(strict=False, max_length=MOST_SOURCES - 1)] = ()
    """Further sources of the same machine: `[[machine.also]]`."""

    @property
    def sources(self) -> tuple[SourcePart, ...]:
        """All of them, the machine's own first."""
        return (self, *self.also)


class AgentConfig(Part):
    """The whole of `agent.toml`."""

    agent: Annotated[str, Field(pattern=ID_PATTERN)]
    data: Path = Field(strict=False)
    """The folder for the outbox and the pictures; it is made where it is not there."""
    log: Literal["debug", "info", "warning", "error"] = "info"
    server: ServerPart | None = None
    broker: BrokerPart
    evidence: EvidencePart = EvidencePart()
    machine: Annotated[tuple[MachinePart, ...], Field(strict=False, min_length=1, max_length=MOST_MACHINES)]

    @property
    def username(self) -> str:
        """Who the agent says it is to the broker."""
        return self.agent if self.broker.username is None else self.broker.username


def load_config(path: Path) -> AgentConfig:
    """Read the configuration. Raises ConfigInvalid: one line with the file, the key and what is allowed."""
    document = _read(path)
    try:
        config = AgentConfig.model_validate(document)
    except ValidationError as error:
        raise ConfigInvalid(f"{path}: {_explain(error, document)}") from None
    ids = [machine.id for machine in config.machine]
    if twice := next((name for name in ids if ids.count(name) > 1), None):
        raise ConfigInvalid(f"{path}: two machines have the id {twice!r}: each needs its own")
    broker = config.broker
    if broker.ca is not None:
        ca = path.parent / broker.ca.expanduser()
        if not ca.is_file():
            raise ConfigInvalid(f"{path}: key 'broker.ca': there is no file {ca}")
        broker = broker.model_copy(update={"ca": ca})
    machines = tuple(_resolve(machine, path) for machine in config.machine)
    data = path.parent / config.data.expanduser()
    return config.model_copy(update={"data": data, "broker": broker, "machine": machines})


def keys(model: type[BaseModel] = AgentConfig, table: str = "") -> list[str]:
    """Every key there is, as `broker.host`; the documentation is tested against it."""
    found = []
    for name, field in model.model_fields.items():
        part = _model_in(field.annotation)
        found += keys(part, f"{table}{name}.") if part else [f"{table}{name}"]
    return found


def _resolve(machine: MachinePart, path: Path) -> MachinePart:
    """Paths of profiles counted from the file's folder, and what a camera is fixed to in its address."""
    also = tuple(source.model_copy(update=_resolved(source, machine.id, path)) for source in machine.also)
    ports = [same_port(source.port) for source in machine.sources]
    if twice := next((port for port in ports if ports.count(port) > 1), None):
        raise ConfigInvalid(f"{path}: machine {machine.id!r}: two of its sources have the port {twice!r}")
    return machine.model_copy(update=_resolved(machine, machine.id, path) | {"also": also})


def _resolved(source: SourcePart, machine: str, path: Path) -> dict[str, object]:
    changes: dict[str, object] = {"profile": beside(path.parent, source.profile)}
    if source.camera is not None:
        if not source.port.startswith("camera:"):
            raise ConfigInvalid(f"{path}: key 'camera' (machine {machine!r}) is for a port that is a camera")
        changes["port"] = with_options(source.port, source.camera.options())
    return changes


def _read(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise ConfigInvalid(f"{path}: cannot be read: {error.strerror}") from None
    if len(data) > LARGEST_FILE:
        raise ConfigInvalid(f"{path}: larger than {LARGEST_FILE // 1024} KB: this is no agent configuration")
    try:
        return tomllib.loads(data.decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError:
        raise ConfigInvalid(f"{path}: not text in UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise ConfigInvalid(f"{path}: not valid TOML: {str(error).splitlines()[0]}") from None


def _explain(error: ValidationError, document: dict[str, Any]) -> str:
    problems = error.errors(include_url=False, include_input=False)
    problem = next((one for one in problems if one["type"] == "extra_forbidden"), problems[0])
    steps = [step for step in problem["loc"] if step not in {"tuple", "function-after"}]
    key = "".join(f"[{step + 1}]" if isinstance(step, int) else f".{step}" for step in steps).lstrip(".")
    where = f"key {key!r}"
    if steps[:1] == ["machine"] and len(steps) > 1 and isinstance(steps[1], int):
        machine = document["machine"][steps[1]]
        name = machine.get("id") if isinstance(machine, dict) else None
        where += f" (machine {name!r})" if isinstance(name, str) else ""
    if problem["type"] == "missing":
        return f"{where} is missing"
    if problem["type"] == "extra_forbidden":
        table = ".".join(str(step) for step in steps[:-1] if not isinstance(step, int))
        prefix = f"{table}." if table else ""
        allowed = sorted({known.removeprefix(prefix).split(".")[0] for known in keys() if known.startswith(prefix)})
        close = difflib.get_close_matches(str(steps[-1]), allowed, n=1)
        return f"{where} is unknown{f'; is {close[0]!r} meant?' if close else ''} (there are: {', '.join(allowed)})"
    if steps[-1:] == ["secret"] and problem["type"] == "too_short":
        return f"{where}: a text is needed: leave the key out where there is no secret"
    if problem["type"] in {"tuple_type", "tuple_long", "too_short"}:
        tables = {"machine": "written as [[machine]], at least one", "also": "written as [[machine.also]]"}
        return f"{where}: {tables.get(str(steps[-1]), 'a list is needed')}"
    if problem["type"] == "string_pattern_mismatch":
        return f"{where}: an id is 1 to 40 of a-z, 0-9 and -"
    return f"{where}: {str(problem['msg']).removeprefix('Value error, ').splitlines()[0]}"


def _model_in(annotation: object) -> type[BaseModel] | None:
    """The table that a key holds, or None for a plain value."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((model for part in get_args(annotation) if (model := _model_in(part))), None)
