"""The wire as JSON Schema, and as the tables of `docs/protocol.md`. Run as a module it writes both into `docs/`.

A test holds the copies in `docs/` against what this makes: after a change, `python -m bridge.wire.schema`.
"""

import inspect
import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel, TypeAdapter

from bridge.wire.control import CONTROL, Hearing, Live
from bridge.wire.facts import AGENT_KINDS, FACTS, KeptFrame, PlayerScore
from bridge.wire.frame import At, Entry, Frame, Sent
from bridge.wire.topics import Topics

BEGIN, END = "<!-- begin: made by bridge.wire.schema -->", "<!-- end -->"
_TOPICS = (
    ("host/status", "server", "1", "yes", "[Host status](#host)"),
    ("agent/{agent}/up/status", "agent", "1", "yes", "[Status](#status)"),
    ("agent/{agent}/up/log", "agent", "1", "no", "[Frame](#frame): the durable stream"),
    ("agent/{agent}/up/pulse", "agent", "0", "no", "[Pulse](#pulse), expires after 15 s"),
    ("agent/{agent}/up/reply", "agent", "1", "no", "[Reply](#reply), expires after 30 s"),
    ("agent/{agent}/down/ack", "server", "1", "yes", "[Ack](#ack)"),
    ("agent/{agent}/down/config", "server", "1", "yes", "[Config](#config)"),
    ("agent/{agent}/down/cmd", "server", "1", "no", "[Command](#command), expires after 30 s"),
    ("machine/{machine}/state", "server", "1", "yes", "the machine's state for observers; never read back"),
    ("machine/{machine}/alert/{fault}", "server", "1", "yes", "an open malfunction; deleted when it is cleared"),
)


def schema() -> dict[str, Any]:
    """One JSON Schema document; `$defs` holds the frame, each fact's body and each control message."""
    models: dict[str, type[BaseModel]] = {"frame": Frame, **FACTS, **CONTROL}
    defs: dict[str, Any] = {}
    for name, model in models.items():
        found = model.model_json_schema(by_alias=True, ref_template="#/$defs/{model}")
        defs |= found.pop("$defs", {})
        defs[name] = found
    for found in defs.values():
        if "description" in found:
            found["description"] = _summary(found["description"])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "inlane/v1",
        "title": "Inlane's wire, version 1",
        "$defs": dict(sorted(defs.items())),
    }


def tables() -> str:
    """The generated part of `docs/protocol.md`."""
    root = Topics().root
    parts = [
        "## Topics\n",
        f"Under the root, `{root}` unless it is configured otherwise. Ids match `[a-z0-9-]{{1,40}}`.\n",
        "| topic | written by | QoS | retained | content |",
        "|---|---|---|---|---|",
        *(f"| `{topic}` | {who} | {qos} | {retained} | {what} |" for topic, who, qos, retained, what in _TOPICS),
        "\n## Messages\n",
        _section("frame", Frame),
        *(_section(model.__name__, model) for model in (Sent, Entry, At)),
        *(_section(name, model) for name, model in CONTROL.items()),
        *(_section(model.__name__, model) for model in (Live, Hearing)),
        "## Facts\n",
        "The body of an entry, by its `kind`. Kinds that may name no machine: "
        + ", ".join(f"`{kind}`" for kind in sorted(AGENT_KINDS))
        + ".\n",
        *(_section(name, model) for name, model in FACTS.items()),
        _section("PlayerScore", PlayerScore),
        _section("KeptFrame", KeptFrame),
    ]
    return "\n".join(parts)


def main(docs: Path = Path(__file__).parents[2] / "docs") -> None:
    """Write the schema and the tables."""
    (docs / "protocol.schema.json").write_text(schema_text(), encoding="utf-8")
    page = docs / "protocol.md"
    page.write_text(with_tables(page.read_text(encoding="utf-8")), encoding="utf-8")


def schema_text() -> str:
    """The schema as the file holds it."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


def with_tables(page: str) -> str:
    """The page with its generated part made anew."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{tables()}\n{END}{after}"


def _section(name: str, model: type[BaseModel]) -> str:
    text = inspect.getdoc(model) or ""
    rows = []
    for field_name, field in model.model_fields.items():
        needed = "yes" if field.is_required() else "no"
        shape = _shape(TypeAdapter(field.rebuild_annotation()).json_schema())
        told = " ".join((field.description or "").split()).replace("|", "\\|")
        rows.append(f"| `{field.alias or field_name}` | {shape} | {needed} | {told} |")
    example = text[text.index("{") :] if "{" in text else None
    shown = f"\n```json\n{example}\n```\n" if example else ""
    head = f"### {name}\n\n{_summary(text)}\n\n| field | type | required | |\n|---|---|---|---|\n"
    return head + "\n".join(rows) + f"\n{shown}"


def _shape(found: dict[str, Any]) -> str:
    """A type in a few words."""
    if "const" in found:
        return f"`{json.dumps(found['const'])}`"
    if "enum" in found:
        return ", ".join(f"`{value}`" for value in found["enum"])
    if "properties" in found:
        return str(found["title"])
    if "anyOf" in found:
        return " or ".join(_shape(option) for option in found["anyOf"])
    if "$ref" in found:
        return str(found["$ref"].rpartition("/")[2])
    if found.get("type") == "array":
        return f"list of {_shape(found['items'])}" + (f", at most {found['maxItems']}" if "maxItems" in found else "")
    words = {"integer": "whole number", "number": "number", "string": "text", "boolean": "true or false"}
    shape = words.get(found.get("type", ""), str(found.get("type", "anything")))
    bounds = [f"{found[key]}" for key in ("minimum", "maximum") if key in found]
    if bounds:
        shape += " " + " to ".join(bounds) if len(bounds) == 2 else f" from {bounds[0]}"
    return shape + (f", at most {found['maxLength']} characters" if "maxLength" in found else "")


def _summary(text: str) -> str:
    return text.partition("\n\n{")[0].partition("\n\n    {")[0].strip()


if __name__ == "__main__":
    main()
