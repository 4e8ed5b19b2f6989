"""The tournament file on disk: YAML text in, a document for the rules out, and back.

Only reading and writing; what a document means is for `server.core.rules`. Safe by construction: no tags, no anchors,
no aliases; size, depth and numbers are bounded before use. Invariant: an error names the line, and what `dump` writes,
read again, is written the same.
"""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path

import yaml

from server.core.rules import Tournament, TournamentInvalid, parse
from server.errors import FileInvalid

MAX_BYTES = 64 * 2**20
MAX_DEPTH = 20
MAX_DIGITS = 1000

INTEGER = re.compile(r"[+-]?(?:0|[1-9][0-9_]*)\Z")
FRACTION = re.compile(r"[+-]?[0-9]{1,40}\.[0-9]{1,40}\Z")
NULL = frozenset({"", "~", "null", "Null", "NULL"})
TRUE = frozenset({"true", "True", "TRUE"})
FALSE = frozenset({"false", "False", "FALSE"})
WORDS = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:[ /-][A-Za-z0-9_]+)*\Z")
RESERVED = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})


class TournamentFileInvalid(FileInvalid):
    """A tournament file cannot be understood."""


def load(path: Path) -> Tournament:
    """Read a tournament file. Raises TournamentFileInvalid, naming the line."""
    return loads(_read(path), name=str(path))


def loads(text: str, *, name: str = "tournament file") -> Tournament:
    """Read a tournament from YAML text; `name` stands in errors."""
    try:
        return parse(_document(text, name))
    except TournamentInvalid as error:
        raise TournamentFileInvalid(name, line_of(text, error.path), str(error)) from None


def dump(tournament: Tournament) -> str:
    """Write a tournament as YAML text: one line for each player, machine, team and entry."""
    lines: list[str] = []
    for key, value in tournament.head.written.items():
        lines += _section(key, value)
    lines += _section("log", [entry.written for entry in tournament.log])
    return "\n".join(lines) + "\n"


def decoded(raw: bytes, name: str) -> str:
    """Give the text of a tournament file's bytes; `name` stands in errors. Raises TournamentFileInvalid."""
    if len(raw) > MAX_BYTES:
        raise TournamentFileInvalid(name, None, f"is larger than {MAX_BYTES // 2**20} MiB")
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise TournamentFileInvalid(name, 1, "is in UTF-16: save it as UTF-8")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise TournamentFileInvalid(name, line, f"is not UTF-8 (byte {raw[error.start]:#04x}): save it so") from None


def line_of(text: str, path: tuple[str | int, ...]) -> int | None:
    """Give the line (from 1) of a place in a document, of the nearest place around it where it is not there."""
    try:
        return _line_of(yaml.parse(text, Loader=_Loader), path)
    except yaml.YAMLError:
        return None


_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise TournamentFileInvalid(str(path), None, f"cannot be read: {error.strerror or error}") from None
    return decoded(raw, str(path))


def _line_of(events: Iterator[yaml.Event], path: tuple[str | int, ...]) -> int | None:
    """Walk down the path, event by event: the nodes of a long file would take a hundred times its room."""
    line: int | None = None
    matched = 0  # how many parts of the path lead to the innermost open list or mapping that is on it
    stack: list[list[object]] = []  # of each that is open: the key that waits for its value, or the index; its line
    for event in events:
        if isinstance(event, yaml.CollectionEndEvent):
            stack.pop()
            if len(stack) <= matched:
                return line
        if not isinstance(event, yaml.NodeEvent):
            continue
        here = 0 if event.start_mark is None else event.start_mark.line + 1
        opens = isinstance(event, yaml.CollectionStartEvent)
        on_path = len(stack) == matched + 1
        if not stack:
            line, on_path = here, False
        elif stack[-1][0] is None:
            stack[-1][:] = [getattr(event, "value", ""), here]
            continue
        else:
            part, at = stack[-1]
            stack[-1][:] = [part + 1, 0] if isinstance(part, int) else [None, 0]
            on_path = on_path and part == (path[matched] if isinstance(part, int) else str(path[matched]))
            if on_path:
                line, matched = (here if isinstance(part, int) else at), matched + 1  # type: ignore[assignment]
        if (on_path or not stack) and (matched == len(path) or not opens):
            return line
        if opens:
            stack.append([0 if isinstance(event, yaml.SequenceStartEvent) else None, 0])
    return line


def _document(text: str, name: str) -> Mapping[str, object]:
    """Build plain values from YAML events: text, int, Decimal, bool, None, list, dict with text keys."""
    try:
        document = _Builder(name).build(yaml.parse(text, Loader=_Loader))
    except yaml.YAMLError as error:
        mark: yaml.Mark | None = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        line = _odd_line(text) if mark is None else mark.line + 1
        raise TournamentFileInvalid(name, line, _yaml_problem(error, text, line)) from None
    if not isinstance(document, dict):
        raise TournamentFileInvalid(name, 1, "this is no tournament file: it does not begin with 'inlane: 1'")
    return document


class _Builder:
    """Turns YAML events into values, refusing what a tournament file never has."""

    def __init__(self, name: str) -> None:
        self.name = name

    def fail(self, event: yaml.Event, reason: str) -> TournamentFileInvalid:
        return TournamentFileInvalid(self.name, event.start_mark.line + 1 if event.start_mark else None, reason)

    def build(self, events: Iterator[yaml.Event]) -> object:
        document: object = None
        documents = 0
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise self.fail(event, "a second document begins: a file holds one tournament")
            elif isinstance(event, yaml.NodeEvent):
                document = self.value(event, events)
        return document

    def value(self, first: yaml.NodeEvent, events: Iterator[yaml.Event]) -> object:
        """Build one value. No recursion: open lists and mappings are kept on a stack."""
        stack: list[tuple[list[object] | dict[str, object], str | None]] = []
        event: yaml.Event = first
        while True:
            if isinstance(event, yaml.CollectionEndEvent):
                done: object = stack.pop()[0]
            elif isinstance(event, (yaml.SequenceStartEvent, yaml.MappingStartEvent)):
                self.check(event)
                if len(stack) >= MAX_DEPTH:
                    raise self.fail(event, f"is nested more than {MAX_DEPTH} levels deep")
                if stack and isinstance(stack[-1][0], dict) and stack[-1][1] is None:
                    raise self.fail(event, "a key must be a single word, not a list or a mapping")
                stack.append(([] if isinstance(event, yaml.SequenceStartEvent) else {}, None))
                event = next(events)
                continue
            else:
                self.check(event)
                if stack and isinstance(stack[-1][0], dict) and stack[-1][1] is None:
                    stack[-1] = (stack[-1][0], self.key(event, stack[-1][0]))
                    event = next(events)
                    continue
                done = self.scalar(event)
            if not stack:
                return done
            holder, key = stack[-1]
            if isinstance(holder, list):
                holder.append(done)
            elif key is not None:
                holder[key] = done
                stack[-1] = (holder, None)
            event = next(events)

    def check(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise self.fail(
                event, "anchors and aliases (& and *) are not used in a tournament file; put * and & in quotes"
            )
        tag = getattr(event, "tag", None)
        if tag is not None and tag != "!":
            raise self.fail(event, f"tags ({tag[:40]}) are not used in a tournament file")

    def key(self, event: yaml.Event, holder: dict[str, object]) -> str:
        key = str(event.value)  # type: ignore[attr-defined]
        if key in holder:
            raise self.fail(event, f"{key[:60]!r} is there twice")
        return key

    def scalar(self, event: yaml.Event) -> object:
        written: str = event.value  # type: ignore[attr-defined]
        if event.style:  # type: ignore[attr-defined]
            return written
        if INTEGER.match(written):
            if len(written) > MAX_DIGITS + 1:
                raise self.fail(event, f"this number has more than {MAX_DIGITS} digits")
            return int(written)
        if written in NULL:
            return None
        if written in TRUE or written in FALSE:
            return written in TRUE
        return Decimal(written) if FRACTION.match(written) else written


def _yaml_problem(error: yaml.YAMLError, text: str, line: int | None) -> str:
    problem = str(getattr(error, "problem", None) or getattr(error, "reason", None) or "cannot be read as YAML")
    problem = re.sub(r"\s+", " ", problem)
    written = text.split("\n")[line - 1] if line is not None and line <= text.count("\n") + 1 else ""
    return f"{problem}: indent with spaces, not with tabs" if written.lstrip(" ").startswith("\t") else problem


def _odd_line(text: str) -> int | None:
    """Give the line of the first character that YAML does not allow."""
    odd = re.search(r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", text)
    return None if odd is None else text.count("\n", 0, odd.start()) + 1


def _section(key: str, value: object) -> list[str]:
    if isinstance(value, list) and key in {"players", "machines", "teams", "log"}:
        return [f"{key}:", *(f"  - {_flow(item)}" for item in value)] if value else [f"{key}: []"]
    return [f"{key}: {_flow(value)}"]


def _flow(value: object) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_scalar(key)}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_flow(item) for item in value) + "]"
    return _scalar(value)


def _scalar(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, Decimal)):
        return str(value)
    text = str(value)
    if WORDS.match(text) and text.lower() not in RESERVED:
        return text
    return '"' + "".join(_escape(character) for character in text) + '"'


def _escape(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
