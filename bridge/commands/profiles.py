"""`inlane-agent profiles [list | show NAME]`: what machines we know. Here only the printing; the data is hardware's."""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`list` (the default) or `show NAME`."""
    parser.add_argument(
        "action", nargs="?", choices=["list", "show"], default="list", help="what to do (default: list)"
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="a profile's id, or the path of a .toml file")


def run(arguments: argparse.Namespace) -> int:
    """Print the profiles, or one of them with every value that counts."""
    from bridge.errors import InputInvalid  # noqa: PLC0415 - help must be instant
    from hardware.catalog import load_profile, profile_names  # noqa: PLC0415

    if arguments.action == "list":
        if arguments.name is not None:
            raise InputInvalid("profiles list takes no name; to see one profile: inlane-agent profiles show NAME")
        for name in profile_names():
            profile = load_profile(name)
            print(f"{profile.id:<20} {profile.kind:<8} {profile.name}")  # noqa: T201
        return 0
    if arguments.name is None:
        raise InputInvalid(f"profiles show needs a name, one of: {', '.join(profile_names())}")
    profile = load_profile(arguments.name)
    for key, value in profile.model_dump(exclude_none=True).items():
        if isinstance(value, dict):
            for inner, part in value.items():
                print(f"{key + '.' + inner:<20} {_shown(part)}")  # noqa: T201
        else:
            print(f"{key:<20} {_shown(value)}")  # noqa: T201
    return 0


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
