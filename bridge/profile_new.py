"""A profile of one's own, begun: what is known of the machine filled in, what is not left out for a person to add.

Invariant: a file that is there is never written over, and what is written passes the check.
"""

import errno
import os
import re
from pathlib import Path

from bridge.errors import InputInvalid
from hardware.catalog import profile_text
from hardware.opdb import KnownMachine, find_machines
from hardware.profile import parse_profile

_MOST_NAMED = 12
_DISPLAYS = {
    "dmd": 'type = "dmd"\ncolumns = 128             # dots from left to right; some have 192 or 256\nrows = 32',
    "segments": 'type = "segments"\nsegments = 7              # bars of a cell: 7, or 14 or 16 where letters show too',
    "reels": 'type = "reels"\nzeros = 0                 # noughts painted on behind the wheels',
    "lcd": 'type = "lcd"',
    "lights": 'type = "lights"\nlamps = [\n  # one line for each painted number, places as fractions of the display\n'
    "  { value = 1000, left = 0.0, right = 0.1, top = 0.0, bottom = 0.1 },\n]",
}
_MORE = """\
# What you know of the machine; leave out what you do not know. All keys: docs/profiles.md
# balls = 3               # balls of a game by the factory setting
# digits = 7              # of one score, fixed noughts too
# score_quantum = 10      # every score is a multiple of it
"""


def begin_profile(name: str, machine: str, like: str | None, out: Path) -> list[str]:
    """Write the new profile; returns what is to be said. `machine`: words or an id of the Open Pinball Database.

    Raises InputInvalid: bad id, unknown or ambiguous machine (with those that it may be), a file that is there.
    """
    if not re.fullmatch(r"[a-z0-9-]{1,40}", name):
        raise InputInvalid(f"{name[:60]!r} is no id: an id has 1 to 40 of a-z, 0-9 and -")
    if like is not None and machine:
        raise InputInvalid("profiles new: either a machine's name or --like PROFILE, not both")
    if like is not None:
        text = _copy(profile_text(like), name)
    elif machine:
        text = _of(name, _one(machine))
    else:
        raise InputInvalid(
            f"profiles new {name}: say which machine it is, as: profiles new {name} Comet 1985; or begin with a copy:"
            f" profiles new {name} --like seg7"
        )
    profile = parse_profile(text, file=str(out))
    try:
        with out.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        why = "it is there already" if error.errno == errno.EEXIST else os.strerror(error.errno or 0)
        raise InputInvalid(f"cannot write {out}: {why}") from None
    made = ", ".join(str(part) for part in (profile.name, profile.maker, profile.year) if part)
    return [f"wrote {out}: {made}", f"add what you know, then: inlane-agent profiles check {out}"]


def _one(words: str) -> KnownMachine:
    found = find_machines(words)
    if not found:
        raise InputInvalid(f"the Open Pinball Database has no {words!r}; to begin with a copy: --like PROFILE")
    same = [one for one in found if one.name == found[0].name]
    if len(found) > 1 and not (len(same) == 1 and found[0].name.lower() == words.lower()):
        few = "; ".join(one.line for one in found[:_MOST_NAMED])
        more = f"; and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
        raise InputInvalid(f"{len(found)} machines are called so, give one's id: {few}{more}")
    return found[0]


def _of(name: str, machine: KnownMachine) -> str:
    lines = [f'id = "{name}"', f"name = {_quoted(machine.name)}", 'kind = "display"', f'opdb = "{machine.opdb}"']
    lines += [f"maker = {_quoted(machine.maker)}"] if machine.maker else []
    lines += [f"year = {machine.year}"] if machine.year else []
    lines += [f"players = {machine.players}"] if machine.players else []
    return "\n".join(
        [*lines, 'facts = "Open Pinball Database (opdb.org)"', _MORE, "[display]", _DISPLAYS[machine.display], ""]
    )


def _copy(text: str, name: str) -> str:
    """The same profile under another id."""
    return re.sub(r'^id\s*=\s*["\'][^"\']*["\']', f'id = "{name}"', text, count=1, flags=re.MULTILINE)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
