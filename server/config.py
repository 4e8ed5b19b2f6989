"""The server's configuration: `server.toml` as a strict, frozen model. Each key is described in docs/server.md.

Here: reading the file and saying what is wrong with it. Not here: opening what it names. The invariant: relative
paths count from the file's own folder, so it does not matter where the server is started.
"""

import difflib
import tomllib
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from bridge.errors import WireInvalid
from bridge.wire.topics import ROOT, Topics
from server.errors import InputInvalid

LARGEST_FILE = 256 * 1024


class ConfigInvalid(InputInvalid):
    """The configuration file cannot be used: the text names the file, the key and what is allowed."""


def _is_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ValueError("no such time zone; write one such as Europe/London") from None
    return name


def _is_root(text: str) -> str:
    try:
        return Topics(text).root
    except WireInvalid as error:
        raise ValueError(str(error)) from None


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, hide_input_in_errors=True)

    @field_validator("*", mode="before")
    @classmethod
    def _no_control_characters(cls, value: object) -> object:
        if isinstance(value, str) and any(ord(sign) < 32 or ord(sign) == 127 for sign in value):
            raise ValueError("a text on one line is needed, without control characters")
        return value


class DatabasePart(_Part):
    """`[database]`: the ledger."""

    url: Annotated[str, Field(min_length=1, max_length=2000)] = "inlane.sqlite3"


class EvidencePart(_Part):
    """`[evidence]`: the pictures."""

    folder: Path = Field(default=Path("evidence"), strict=False)
    megabytes: Annotated[int, Field(ge=8, le=10_000_000)] = 5000


class HttpPart(_Part):
    """`[http]`: where pages and API are served."""

    host: Annotated[str, Field(min_length=1, max_length=255)] = "0.0.0.0"  # noqa: S104 - the hall's phones come in here
    port: Annotated[int, Field(ge=0, le=65535)] = 8000
    url: Annotated[str, Field(pattern=r"^https?://[^\s/]+$", max_length=300)] | None = None


class BrokerPart(_Part):
    """`[broker]`: the MQTT broker."""

    host: Annotated[str, Field(min_length=1, max_length=255)] = "127.0.0.1"
    port: Annotated[int, Field(ge=1, le=65535)] = 1883
    username: Annotated[str, Field(max_length=100)] | None = None
    password: SecretStr | None = None
    tls: bool = False
    ca: Path | None = Field(default=None, strict=False)
    root: Annotated[str, Field(min_length=1, max_length=100), AfterValidator(_is_root)] = ROOT


class VenuePart(_Part):
    """`[venue]`: the hall."""

    name: Annotated[str, Field(min_length=1, max_length=100)] = "Inlane"
    timezone: Annotated[str, Field(max_length=100), AfterValidator(_is_zone)] = "UTC"


class ServerConfig(_Part):
    """The whole of `server.toml`."""

    database: DatabasePart = DatabasePart()
    evidence: EvidencePart = EvidencePart()
    http: HttpPart = HttpPart()
    broker: BrokerPart = BrokerPart()
    venue: VenuePart = VenuePart()

    @property
    def zone(self) -> ZoneInfo:
        """The venue's time zone."""
        return ZoneInfo(self.venue.timezone)


def load_config(path: Path) -> ServerConfig:
    """Read the configuration. Raises ConfigInvalid: one line with the file, the key and what is allowed."""
    document = _read(path)
    try:
        config = ServerConfig.model_validate(document)
    except ValidationError as error:
        raise ConfigInvalid(f"{path}: {_explain(error)}") from None
    folder = path.parent
    database, broker = config.database, config.broker
    if "://" not in database.url:
        database = database.model_copy(update={"url": str(folder / Path(database.url).expanduser())})
    if broker.ca is not None:
        ca = folder / broker.ca.expanduser()
        if not ca.is_file():
            raise ConfigInvalid(f"{path}: key 'broker.ca': there is no file {ca}")
        broker = broker.model_copy(update={"ca": ca})
    evidence = config.evidence.model_copy(update={"folder": folder / config.evidence.folder.expanduser()})
    return config.model_copy(update={"database": database, "broker": broker, "evidence": evidence})


def keys(model: type[BaseModel] = ServerConfig, table: str = "") -> list[str]:
    """Every key there is, as `broker.host`; the documentation is tested against it."""
    found: list[str] = []
    for name, field in model.model_fields.items():
        part = field.annotation
        if isinstance(part, type) and issubclass(part, BaseModel):
            found += keys(part, f"{name}.")
        else:
            found.append(f"{table}{name}")
    return found


def _read(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise ConfigInvalid(f"{path}: cannot be read: {error.strerror}") from None
    if len(data) > LARGEST_FILE:
        raise ConfigInvalid(f"{path}: larger than {LARGEST_FILE // 1024} KB: this is no server configuration")
    try:
        return tomllib.loads(data.decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError:
        raise ConfigInvalid(f"{path}: not text in UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise ConfigInvalid(f"{path}: not valid TOML: {str(error).splitlines()[0]}") from None


def _explain(error: ValidationError) -> str:
    problems = error.errors(include_url=False, include_input=False)
    problem = next((one for one in problems if one["type"] == "extra_forbidden"), problems[0])
    key = ".".join(str(step) for step in problem["loc"])
    if problem["type"] == "extra_forbidden":
        close = difflib.get_close_matches(key, [*keys(), *ServerConfig.model_fields], n=1)
        return f"key {key!r} is unknown{f'; is {close[0]!r} meant?' if close else ''} (there are: {', '.join(keys())})"
    return f"key {key!r}: {problem['msg'].removeprefix('Value error, ')}"
