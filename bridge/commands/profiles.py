"""`inlane-agent profiles [list | show | check | new | teach]`: what machines we know, and describing one's own.

Here only the call and the printing. Invariant: nothing that is there already is ever written over.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardware.atlas import Atlas
    from hardware.profile import MachineProfile

_ACTIONS = ("list", "show", "check", "new", "teach")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`list [WORDS]` (the default), `show NAME`, `check FILE`, `new ID [WORDS]` or `teach PROFILE EXAMPLES...`."""
    parser.add_argument(
        "action", nargs="?", choices=_ACTIONS, default="list", metavar="ACTION",
        help="list the profiles (default; all, or those with these words in name, maker or year), show one, check a"
        " file of your own, begin a new one, or teach a machine's dot fonts",
    )  # fmt: skip
    parser.add_argument(
        "name", nargs="?", metavar="PROFILE",
        help="a profile's id, or the path of a .toml file; new: the id of the new one, written to ID.toml",
    )  # fmt: skip
    parser.add_argument(
        "more", nargs="*", metavar="MORE",
        help="new: the machine's name in the Open Pinball Database, or its id there; teach: folders with labels.csv"
        " (file,value), or such files",
    )  # fmt: skip
    parser.add_argument("--like", metavar="PROFILE", help="new: begin with a copy of this profile")
    parser.add_argument(
        "--out", metavar="FILE", help="new, teach: the new profile's file (default: ID.toml, ID-taught.toml)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Do it. Status 1 where a lesson or a check fails, 2 where the call or a file is wrong."""
    from bridge.errors import InputInvalid  # noqa: PLC0415 - help must be instant
    from hardware.catalog import generic_names, load_profile  # noqa: PLC0415

    action = arguments.action
    if action in {"show", "check"} and (arguments.more or arguments.out is not None):
        raise InputInvalid(f"profiles {action} takes one profile and nothing else")
    if arguments.like is not None and action != "new":
        raise InputInvalid("--like is for profiles new")
    if action == "list":
        return _list([arguments.name or "", *arguments.more])
    if arguments.name is None:
        if action == "new":
            raise InputInvalid(
                "profiles new needs an id for the new profile, such as: profiles new my-comet Comet 1985"
            )
        if action == "check":
            raise InputInvalid("profiles check needs a name or a file of your own, such as: my-comet.toml")
        raise InputInvalid(f"profiles {action} needs a name, such as: {', '.join(generic_names())}")
    if action == "new":
        return _new(arguments)
    profile = load_profile(arguments.name)
    if action == "show":
        _show(profile)
        return 0
    if action == "check":
        return _check(arguments.name, profile)
    from bridge.lesson import teach  # noqa: PLC0415

    return teach(arguments, profile)


def _list(words: list[str]) -> int:
    """A line each: profiles for any machine first, then real ones, by name."""
    from hardware.catalog import generic_names, load_profile, machine_names  # noqa: PLC0415 - help must be instant

    wanted = " ".join(words).lower().split()
    found = 0
    for names in (generic_names(), machine_names()):
        for profile in sorted(map(load_profile, names), key=lambda one: one.name.lower()):
            if _fits(profile, wanted):
                found += 1
                _say(f"{profile.id:<34} {_kind(profile):<14} {_title(profile)}")
    if not found:
        said = " ".join(wanted)
        _say(f"no profile has {said!r} in its name; to begin one: inlane-agent profiles new ID {said}")
    return 0


def _fits(profile: "MachineProfile", wanted: list[str]) -> bool:
    told = f"{profile.id} {_kind(profile)} {_title(profile)} {' '.join(profile.sources)}".lower()
    return all(word in told for word in wanted)


def _kind(profile: "MachineProfile") -> str:
    display = getattr(profile.display, "type", "")
    return f"{profile.dialect}" if profile.dialect else display


def _title(profile: "MachineProfile") -> str:
    made = ", ".join(str(part) for part in (profile.maker, profile.year) if part)
    return f"{profile.name} ({made})" if made else profile.name


def _new(arguments: argparse.Namespace) -> int:
    from bridge.profile_new import begin_profile  # noqa: PLC0415 - help must be instant

    out = Path(arguments.out) if arguments.out is not None else Path(f"{arguments.name}.toml")
    for line in begin_profile(arguments.name, " ".join(arguments.more), arguments.like, out):
        _say(line)
    return 0


def _show(profile: "MachineProfile") -> None:
    """Every value that counts, one a line."""
    from bridge.lesson import describe_font  # noqa: PLC0415

    for key, value in profile.model_dump(exclude_none=True).items():
        for name, shown in _flat(key, value):
            _say(f"{name:<22} {shown}")
    for atlas in _atlases(profile):
        for font in atlas.fonts:
            _say(f"{'font ' + font.name:<22} {describe_font(font)}")


def _flat(key: str, value: object) -> Iterator[tuple[str, str]]:
    """Tables within tables as `a.b`, lists of tables as `a 1`, `a 2`."""
    if isinstance(value, dict):
        if key.rpartition(" ")[2].isdigit():  # one window or lamp: a line of its own
            yield key, "  ".join(f"{name} {_plain(inner)}" for name, inner in value.items())
            return
        for name, inner in value.items():
            yield from _flat(f"{key}.{name}", inner)
    elif isinstance(value, tuple) and value and isinstance(value[0], dict):
        for number, inner in enumerate(value, start=1):
            yield from _flat(f"{key} {number}", inner)
    elif not isinstance(value, tuple) or value:
        yield key, _plain(value)


def _plain(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _check(name: str, profile: "MachineProfile") -> int:
    """Whether everything fits together: what `load_profile` cannot know by single keys."""
    from bridge.lesson import describe_font  # noqa: PLC0415
    from bridge.profile_check import complaints  # noqa: PLC0415

    found = list(complaints(profile))
    for complaint in found:
        print(f"inlane-agent: {name}: {complaint}", file=sys.stderr)  # noqa: T201
    if found:
        return 1
    _say(f"{name}: good: {profile.name}")
    for atlas in _atlases(profile):
        for font in atlas.fonts:
            _say(f"  font {font.name}: {describe_font(font)}")
    return 0


def _atlases(profile: "MachineProfile") -> "tuple[Atlas, ...]":
    return getattr(profile.display, "atlases", ())


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - a command's answer
