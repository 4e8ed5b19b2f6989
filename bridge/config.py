"""The agent's configuration: `agent.toml` as a strict, frozen model. Each key is described in docs/agent.md.

Here: reading the file and saying what is wrong with it. Not here: opening what it names. Invariant: a configuration
that exists is whole: ids are valid and unique, and relative paths count from the file's own folder.
"""

import difflib
import logging
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal, get_args
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, Field, SecretStr, ValidationError

from bridge.calibration import (
    Calibration,
    beside,
    calibration_file,
    fix_camera,
    from_folder,
    is_for,
    load_calibration,
    same_port,
    save_calibration,
)
from bridge.errors import ConfigInvalid, WireInvalid
from bridge.parts import CameraPart, Corners, Part, Size
from bridge.wire.topics import ID_PATTERN, ROOT, Topics
from hardware.catalog import load_profile
from hardware.errors import ProfileInvalid
from hardware.ports.camera_options import with_options

LARGEST_FILE = 256 * 1024
MOST_MACHINES = 64

_log = logging.getLogger(__name__)


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


class MachinePart(Part):
    """`[[machine]]`: one pinball machine."""

    id: Annotated[str, Field(pattern=ID_PATTERN)]
    profile: Annotated[str, Field(min_length=1, max_length=400)]
    port: Annotated[str, Field(min_length=1, max_length=2000)]
    corners: Corners | None = None
    """The display in the camera's picture."""
    size: Size | None = None
    """Of the pictures that `corners` belong to."""
    camera: CameraPart | None = None
    recalibrate: bool = False
    """Whether the desk's command may move the corners."""


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


def with_calibrations(config: AgentConfig, folder: Path) -> tuple[AgentConfig, list[str]]:
    """The configuration as calibrations in the folder of agent.toml make it, and what is to be said of them.

    Raises ConfigInvalid for a calibration that cannot be read.
    """
    machines, said = [], []
    for machine in config.machine:
        file = calibration_file(folder, machine.id)
        found = load_calibration(file)
        if found is None:
            machines.append(machine)
        elif not is_for(found, machine.port, machine.profile, folder):
            said.append(f"{machine.id}: {file} is for another port or profile and does not count: calibrate again")
            machines.append(machine)
        else:
            said.append(f"{machine.id}: calibrated by {file}")
            changes: dict[str, object] = {"port": fix_camera(machine.port, found.camera)}
            if found.corners is not None:
                changes |= {"corners": found.corners, "size": found.size}
            if found.use_profile is not None:
                changes["profile"] = used = beside(folder, found.use_profile)
                try:
                    load_profile(used)
                except ProfileInvalid as error:
                    raise ConfigInvalid(f"{file}: {error}; calibrate again, or remove the file") from None
            machines.append(machine.model_copy(update=changes))
    return config.model_copy(update={"machine": tuple(machines)}), said


def remember_corners(folder: Path, machine: MachinePart, corners: Corners, size: tuple[int, int]) -> None:
    """Keep corners that were moved while the agent runs in the machine's calibration. Logs where it cannot."""
    file = calibration_file(folder, machine.id)
    try:
        found = load_calibration(file)
        if found is None:
            found = Calibration(port=machine.port, profile=from_folder(folder, machine.profile))
        elif not _counts(found, machine, folder):
            _log.error("%s: the corners are not kept: %s is for another port or profile", machine.id, file)
            return
        save_calibration(file, found.model_copy(update={"corners": corners, "size": size}))
    except ConfigInvalid as error:
        _log.error("%s: the corners are not kept: %s", machine.id, error)


def _counts(found: Calibration, machine: MachinePart, folder: Path) -> bool:
    """Whether a running machine's calibration is this one: its profile may have taken the place of agent.toml's."""
    mine = same_port(found.port) == same_port(machine.port)
    return mine and machine.profile in {beside(folder, name) for name in (found.use_profile, found.profile) if name}


def keys(model: type[BaseModel] = AgentConfig, table: str = "") -> list[str]:
    """Every key there is, as `broker.host`; the documentation is tested against it."""
    found = []
    for name, field in model.model_fields.items():
        part = _model_in(field.annotation)
        found += keys(part, f"{table}{name}.") if part else [f"{table}{name}"]
    return found


def _resolve(machine: MachinePart, path: Path) -> MachinePart:
    """Its profile's path counted from the file's folder, and what its camera is fixed to in its address."""
    changes: dict[str, object] = {"profile": beside(path.parent, machine.profile)}
    if machine.camera is not None:
        if not machine.port.startswith("camera:"):
            raise ConfigInvalid(f"{path}: key 'camera' (machine {machine.id!r}) is for a port that is a camera")
        changes["port"] = with_options(machine.port, machine.camera.options())
    return machine.model_copy(update=changes)


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
    except (tomllib.TOMLDecodeError, RecursionError) as error:
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
    if problem["type"] in {"tuple_type", "tuple_long", "too_short"}:
        return f"{where}: {'written as [[machine]], at least one' if steps == ['machine'] else 'a list is needed'}"
    if problem["type"] == "string_pattern_mismatch":
        return f"{where}: an id is 1 to 40 of a-z, 0-9 and -"
    return f"{where}: {str(problem['msg']).removeprefix('Value error, ').splitlines()[0]}"


def _model_in(annotation: object) -> type[BaseModel] | None:
    """The table that a key holds, or None for a plain value."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((model for part in get_args(annotation) if (model := _model_in(part))), None)
