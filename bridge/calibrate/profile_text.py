"""A machine profile as the text of its TOML file: the other direction of `hardware.profile.parse_profile`.

Pure text. Invariant: what is written reads back as the same profile, whatever keys profiles come to have.
"""

from typing import Any

from bridge.calibration import toml
from hardware.profile import MachineProfile

MARK = "# Written by `inlane-agent calibrate`"


def format_profile(profile: MachineProfile, *, origin: str) -> str:
    """The file's text; `origin` names the profile that it was made of. What is as usual is left out."""
    head = f"{MARK} from the profile {origin}; it is written anew when the machine is calibrated.\n"
    values = profile.model_dump(exclude_defaults=True, exclude_none=True)
    values |= {"id": profile.id, "name": profile.name, "kind": profile.kind}
    if profile.display is not None:
        values["display"] = {"type": profile.display.type} | values.get("display", {})
    return head + "".join(_table(values, ""))


def _table(values: dict[str, Any], name: str) -> list[str]:
    """Plain values first, then tables and lists of tables, as TOML needs it."""
    tables = {key: value for key, value in values.items() if isinstance(value, dict)}
    lists = {key: value for key, value in values.items() if _is_tables(value)}
    lines = [f"{key} = {toml(value, exact=True)}\n" for key, value in values.items() if key not in tables | lists]
    for key, value in tables.items():
        lines += [f"\n[{name}{key}]\n", *_table(value, f"{name}{key}.")]
    for key, several in lists.items():
        for value in several:
            lines += [f"\n[[{name}{key}]]\n", *_table(value, f"{name}{key}.")]
    return lines


def _is_tables(value: object) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(part, dict) for part in value)
