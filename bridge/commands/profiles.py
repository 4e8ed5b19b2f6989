"""`inlane-agent profiles [list | show | check | teach]`: what machines we know, and teaching one's own.

Here only the call and the printing; the data is hardware's, the teaching `bridge.teaching`'s. Invariant: `teach` writes
nothing unless what it writes reads all its own examples right.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bridge.examples import Example
    from capture.vision.atlas_lesson import Outcome
    from hardware.atlas import Atlas, Font
    from hardware.profile import MachineProfile

_MOST_NAMED = 20
"""Pictures named one by one; of more it is said how many."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`list` (the default), `show NAME`, `check FILE` or `teach PROFILE EXAMPLES... [--out FILE]`."""
    parser.add_argument(
        "action", nargs="?", choices=["list", "show", "check", "teach"], default="list",
        help="list the profiles (default), show one, check a file of your own, or teach a machine's dot fonts",
    )  # fmt: skip
    parser.add_argument("name", nargs="?", metavar="PROFILE", help="a profile's id, or the path of a .toml file")
    parser.add_argument(
        "examples", nargs="*", metavar="EXAMPLES", help="teach: a folder with labels.csv (file,value), or such a CSV"
    )
    parser.add_argument(
        "--out", metavar="FILE", help="teach: the new profile, its atlas beside it (default: ID-taught.toml)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Do it. Status 1 where a lesson or a check fails, 2 where the call or a file is wrong."""
    from bridge.errors import InputInvalid  # noqa: PLC0415 - help must be instant
    from hardware.catalog import load_profile, profile_names  # noqa: PLC0415

    if arguments.action != "teach" and (arguments.examples or arguments.out is not None):
        raise InputInvalid(f"profiles {arguments.action} takes no examples: inlane-agent profiles teach does")
    if arguments.action == "list":
        if arguments.name is not None:
            raise InputInvalid("profiles list takes no name; to see one profile: inlane-agent profiles show NAME")
        for name in profile_names():
            profile = load_profile(name)
            _say(f"{profile.id:<20} {profile.kind:<8} {profile.name}")
        return 0
    if arguments.name is None:
        raise InputInvalid(f"profiles {arguments.action} needs a name, one of: {', '.join(profile_names())}")
    profile = load_profile(arguments.name)
    if arguments.action == "show":
        _show(profile)
        return 0
    return _check(arguments.name, profile) if arguments.action == "check" else _teach(arguments, profile)


def _show(profile: "MachineProfile") -> None:
    """Every value that counts, one a line."""
    for key, value in profile.model_dump(exclude_none=True).items():
        for name, shown in _flat(key, value):
            _say(f"{name:<22} {shown}")
    for atlas in _atlases(profile):
        for font in atlas.fonts:
            _say(f"{'font ' + font.name:<22} {_describe(font)}")


def _flat(key: str, value: object) -> "Iterator[tuple[str, str]]":
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
    complaints = list(_complaints(profile))
    for complaint in complaints:
        print(f"inlane-agent: {name}: {complaint}", file=sys.stderr)  # noqa: T201
    if complaints:
        return 1
    _say(f"{name}: good: {profile.name}")
    for atlas in _atlases(profile):
        for font in atlas.fonts:
            _say(f"  font {font.name}: {_describe(font)}")
    return 0


def _complaints(profile: "MachineProfile") -> "Iterator[str]":
    display = profile.display
    for number, part in enumerate(getattr(display, "windows", ()), start=1):
        if part.player is not None and part.player > profile.players:
            yield f"window {number} is player {part.player}'s, but players = {profile.players}"
    yield from _shared_windows(display)
    for number, part in enumerate(getattr(display, "lamps", ()), start=1):
        if part.player is not None and part.player > profile.players:
            yield f"lamp {number} is player {part.player}'s, but players = {profile.players}"
        if part.value > profile.max_score:
            yield f"lamp {number} is worth {part.value:,}, more than max_score"
    if profile.digits is not None and profile.score_quantum >= 10**profile.digits:
        yield f"score_quantum = {profile.score_quantum} has more digits than digits = {profile.digits}"
    if profile.max_score < profile.score_quantum:
        yield "max_score is smaller than score_quantum: no score is possible"


def _shared_windows(display: object) -> "Iterator[str]":
    """Windows for the same score; those of dots are layouts of which one shows at a time."""
    if getattr(display, "type", "dmd") == "dmd":
        return
    windows: dict[int | None, list[str]] = {}
    for number, part in enumerate(getattr(display, "windows", ()), start=1):
        if part.shows == "score":
            windows.setdefault(part.player, []).append(str(number))
    for player, numbers in windows.items():
        if len(numbers) > 1:
            whose = "without a player" if player is None else f"of player {player}"
            yield f"windows {', '.join(numbers)} are all scores {whose}: give each a player of its own"


def _teach(arguments: argparse.Namespace, profile: "MachineProfile") -> int:
    from bridge.errors import InputInvalid  # noqa: PLC0415 - help must be instant
    from bridge.examples import load_examples, refuse_contradictions  # noqa: PLC0415
    from hardware.displays import DotMatrix  # noqa: PLC0415
    from hardware.pictures import bound_decoders  # noqa: PLC0415

    if not arguments.examples:
        raise InputInvalid("profiles teach needs examples: a folder with pictures and a labels.csv (file,value)")
    examples = [example for place in arguments.examples for example in load_examples(Path(place))]
    if not examples:
        raise InputInvalid("there is no labelled picture in it: labels.csv names none with a value")
    refuse_contradictions(examples)
    bound_decoders()
    if profile.display is None:
        raise InputInvalid(f"profile {profile.id!r} has no display: it is heard by wire, so nothing is to be taught")
    if not isinstance(profile.display, DotMatrix):
        return _measure_only(profile, examples)
    from bridge.reliability import measure  # noqa: PLC0415
    from bridge.teaching import open_examples, plan_taught, teach_fonts, write_taught  # noqa: PLC0415

    out = Path(arguments.out) if arguments.out is not None else _beside(arguments.name, profile.id)
    plan_taught(arguments.name, out)
    outcome = teach_fonts(profile, open_examples(examples))
    _report(outcome, len(examples))
    if outcome.atlas is None:
        return _refuse(outcome)
    _say(f"before: {measure(_untaught(profile), open_examples(examples)).line()}")
    after = measure(_taught(profile, outcome.atlas), open_examples(examples))
    _say(f"taught: {after.line()}")
    worse = [(name, said) for name, said in after.wrong if name in outcome.taught]
    for name, said in after.wrong:
        if (name, said) not in worse:
            _say(f"  {name} is read as {said:,}: either its label or its picture is another one's")
    for name, said in worse:
        print(f"inlane-agent: {name}: would be accepted as {said:,}", file=sys.stderr)  # noqa: T201
    if worse:
        print("inlane-agent: nothing is written: correct these labels or take them out", file=sys.stderr)  # noqa: T201
        return 1
    atlas = write_taught(arguments.name, out, outcome.atlas)
    _say(f"wrote {out} and {atlas}")
    return 0


def _beside(name: str, profile_id: str) -> Path:
    """The default for --out: beside a profile of one's own, else here."""
    folder = Path(name).parent if "/" in name or name.endswith(".toml") else Path()
    return folder / f"{profile_id.removesuffix('-taught')[:33]}-taught.toml"


def _untaught(profile: "MachineProfile") -> "MachineProfile":
    return profile.model_copy(update={"display": profile.display.with_atlases(())})  # type: ignore[union-attr]


def _taught(profile: "MachineProfile", atlas: "Atlas") -> "MachineProfile":
    return profile.model_copy(update={"display": profile.display.with_atlases((atlas,))})  # type: ignore[union-attr]


def _report(outcome: "Outcome", count: int) -> None:
    _say(f"{len(outcome.taught)} of {count} examples teach")
    for name, why in outcome.aside[:_MOST_NAMED]:
        _say(f"  not {name}: {why}")
    if len(outcome.aside) > _MOST_NAMED:
        _say(f"  and {len(outcome.aside) - _MOST_NAMED} more do not")
    for font in outcome.fonts:
        _say(f"font {font.name}: {_describe(font)}")
    exam = outcome.exam
    _say(
        f"left out in turn, read by the rest: {len(exam.right)} right, {len(exam.refused)} refused,"
        f" {len(exam.wrong)} wrong"
    )


def _refuse(outcome: "Outcome") -> int:
    """Why nothing is written, on standard error."""
    reasons = [*outcome.objections, *(f"{name}: left out, it is read as {said}" for name, said in outcome.exam.wrong)]
    for reason in reasons[:_MOST_NAMED]:
        print(f"inlane-agent: {reason}", file=sys.stderr)  # noqa: T201
    last = "correct these labels or take them out" if reasons else "no font stands clear in two pictures or more"
    print(f"inlane-agent: nothing is written: {last}", file=sys.stderr)  # noqa: T201
    return 1


def _measure_only(profile: "MachineProfile", examples: "list[Example]") -> int:
    """Displays whose digits are the same on every machine have nothing to teach; how well they are read is said."""
    from bridge.reliability import measure  # noqa: PLC0415 - help must be instant
    from bridge.teaching import open_examples  # noqa: PLC0415

    kind = getattr(profile.display, "type", "")
    _say(f"a display of type {kind!r} has no font to teach: its digits are read without; nothing is written")
    result = measure(profile, open_examples(examples))
    _say(result.line())
    for name, said in result.wrong[:_MOST_NAMED]:
        _say(f"  accepted though wrong: {name} as {said:,}")
    return 1 if result.wrong else 0


def _describe(font: "Font") -> str:
    seen = sum(glyph.seen for glyph in font.glyphs)
    missing = f"still missing {' '.join(font.missing)}" if font.missing else "all ten digits"
    marks = "group marks" if font.marked else "no group mark"
    return f"{font.rows} rows, {seen} signs seen, {missing}, {marks}"


def _atlases(profile: "MachineProfile") -> "tuple[Atlas, ...]":
    return getattr(profile.display, "atlases", ())


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - a command's answer
