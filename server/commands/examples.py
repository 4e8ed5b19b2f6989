"""`inlane-server examples FOLDER [--machine M]`: the labelled examples with their pictures, a folder for each machine.

Files are written here; which readings are examples is `server.core.venue.examples`'. Invariant: doing it again changes
nothing but what was decided since; only ids and hashes become parts of paths.
"""

import argparse
import csv
import hashlib
import io
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from server.errors import ServerError
from server.evidence import LARGEST
from server.files import write_whole

if TYPE_CHECKING:
    from server.core.venue.examples import Example
    from server.evidence import Evidence

_COLUMNS = (
    "file", "value", "player", "machine", "text", "proposed", "decision", "decided_by", "decided_at", "reading",
    "sha256",
)  # fmt: skip
_ENDINGS = {"image/jpeg": ".jpg", "image/png": ".png"}


class ExportFailed(ServerError):
    """The folder cannot be written: make room, or name another."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this subcommand."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where to: one folder a machine is made in it")
    parser.add_argument("--machine", metavar="M", help="only this machine's")
    parser.add_argument("--config", type=Path, default=Path("server.toml"), metavar="FILE", help="server.toml")


def run(arguments: argparse.Namespace) -> int:
    """Write them and say how many. Raises ServerError."""
    from server.config import load_config  # noqa: PLC0415 - help must be instant
    from server.core.venue.examples import labelled  # noqa: PLC0415 - as above
    from server.evidence import Evidence  # noqa: PLC0415 - as above
    from server.history import fold_ledger  # noqa: PLC0415 - as above
    from server.store.database import Store  # noqa: PLC0415 - as above

    config = load_config(arguments.config)
    store = Store.open(config.database.url)
    try:
        state = fold_ledger(store)
    finally:
        store.close()
    evidence = Evidence(config.evidence.folder, budget=config.evidence.megabytes * 2**20)
    by_machine: dict[str, list[Example]] = {}
    for example in labelled(state, machine=arguments.machine):
        by_machine.setdefault(example.machine, []).append(example)
    if not by_machine:
        whose = f" of {arguments.machine}" if arguments.machine else ""
        print(f"no reading{whose} was confirmed or corrected yet")  # noqa: T201 - a command's answer
    for machine, examples in sorted(by_machine.items()):
        try:
            here = write_examples(arguments.folder / _plain(machine), examples, evidence)
        except OSError as error:
            raise ExportFailed(f"cannot write {arguments.folder}: {os.strerror(error.errno or 0)}") from None
        missing = len(examples) - here
        late = f" ({missing} whose picture has not come, or is damaged, are in examples.jsonl alone)" if missing else ""
        print(f"{arguments.folder / _plain(machine)}: {here} examples{late}")  # noqa: T201 - as above
    return 0


def write_examples(folder: Path, examples: Sequence["Example"], evidence: "Evidence") -> int:
    """Write pictures, labels.csv and examples.jsonl of one machine; return how many have their picture.

    `inlane-agent profiles teach` reads the folder. Raises OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    table = io.StringIO(newline="")
    rows = csv.writer(table, lineterminator="\n")
    rows.writerow(_COLUMNS)
    lines, here = [], 0
    for example in examples:
        digest = example.evidence.removeprefix("sha256:")
        kept = evidence.get(digest)
        data = None if kept is None else _whole(kept.path, digest)
        name = None
        if kept is not None and data is not None:
            here += 1
            name = digest + _ENDINGS[kept.media]
            _keep(folder / name, data, digest)
            rows.writerow([name, *_row(example), digest])
        lines.append(json.dumps({"file": name, **_shape(example)}))
    write_whole(folder / "labels.csv", table.getvalue().encode(), beside=folder)
    write_whole(folder / "examples.jsonl", "".join(line + "\n" for line in lines).encode(), beside=folder)
    return here


def _shape(example: "Example") -> dict[str, Any]:
    """As the API says it."""
    from server.web.api.games import shown_example as shape  # noqa: PLC0415 - help must be instant

    return shape(example)


def _row(example: "Example") -> list[object]:
    said = _shape(example)
    return [_harmless(said[name]) for name in _COLUMNS[1:-1]]


def _harmless(value: object) -> object:
    """A text that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in {"=", "+", "-", "@", "\t", "\r"} else value


def _plain(machine: str) -> str:
    """The machine's id as a folder's name, whatever it is."""
    return machine if re.fullmatch(r"[a-z0-9-]{1,40}", machine) else "machine-" + machine.encode().hex()[:60]


def _whole(file: Path, digest: str) -> bytes | None:
    """What is in the file; None where it is not what its name says, or cannot be read."""
    try:
        if not file.is_file() or file.stat().st_size > LARGEST:
            return None
        data = file.read_bytes()
    except OSError:
        return None
    return data if hashlib.sha256(data).hexdigest() == digest else None


def _keep(target: Path, data: bytes, digest: str) -> None:
    """Whatever stands there already counts only if it is this picture."""
    if target.is_symlink() or _whole(target, digest) is None:
        write_whole(target, data, beside=target.parent)
