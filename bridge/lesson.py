"""`inlane-agent profiles teach`: a lesson from beginning to end, and what is said of it.

The teaching is `bridge.teaching`'s. Invariant: nothing is written unless what is written reads all its own examples
right.
"""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bridge.examples import Example
    from capture.vision.atlas_lesson import Outcome
    from hardware.atlas import Atlas, Font
    from hardware.profile import MachineProfile

_MOST_NAMED = 20
"""Pictures named one by one; of more it is said how many."""


def teach(arguments: argparse.Namespace, profile: "MachineProfile") -> int:
    """Do it. Status 1 where the lesson fails. Raises InputInvalid."""
    from bridge.errors import InputInvalid  # noqa: PLC0415 - help must be instant
    from bridge.examples import load_examples, refuse_contradictions  # noqa: PLC0415
    from hardware.displays import DotMatrix  # noqa: PLC0415
    from hardware.pictures import bound_decoders  # noqa: PLC0415

    if not arguments.more:
        raise InputInvalid("profiles teach needs examples: a folder with pictures and a labels.csv (file,value)")
    examples = [example for place in arguments.more for example in load_examples(Path(place))]
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
        _say(f"font {font.name}: {describe_font(font)}")
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


def describe_font(font: "Font") -> str:
    """What there is of a font."""
    seen = sum(glyph.seen for glyph in font.glyphs)
    missing = f"still missing {' '.join(font.missing)}" if font.missing else "all ten digits"
    marks = "group marks" if font.marked else "no group mark"
    return f"{font.rows} rows, {seen} signs seen, {missing}, {marks}"


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - a command's answer
