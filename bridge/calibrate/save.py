"""Keeping what was calibrated: the calibration's file, and a machine profile where a generic one lacks what was set.

Invariant: both files are whole, and read back as what was meant before they take an old one's place; a profile that a
person wrote is never written over.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from bridge.calibrate.draft import Draft
from bridge.calibrate.profile_text import MARK, format_profile
from bridge.calibration import (
    Calibration,
    beside,
    calibration_file,
    camera_of,
    format_calibration,
    from_folder,
    is_for,
    load_calibration,
    write_whole,
)
from bridge.errors import BridgeError, ConfigInvalid
from bridge.parts import Corners
from hardware.catalog import load_profile
from hardware.errors import HardwareError, ProfileInvalid
from hardware.profile import parse_profile

_PROFILES = "profiles"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What is calibrated: the machine's id, port and profile (`profile`: a name, or a path that can be opened from
    here), and the folder of agent.toml.
    """

    machine: str
    port: str
    profile: str
    folder: Path


def first_draft(target: Target, machine_corners: Corners | None) -> tuple[Draft, str]:
    """Where to begin: the machine's calibration if it has one that can be used, else what agent.toml says.

    The text says why there is one that is not used; empty otherwise.
    """
    plain = Draft(base=target.profile, corners=machine_corners, camera=camera_of(target.port))
    file = calibration_file(target.folder, target.machine)
    try:
        found = load_calibration(file)
        if found is None:
            return plain, ""
        if not is_for(found, target.port, target.profile, target.folder):
            return plain, f"{file} is for another port or profile: it is not used, and Save writes it anew"
        draft = _draft_of(found, target, machine_corners)
        draft.profile()
    except (BridgeError, HardwareError) as error:
        return plain, f"{error} (it is not used, and Save writes it anew)"
    return draft, ""


def _draft_of(found: Calibration, target: Target, machine_corners: Corners | None) -> Draft:
    draft = Draft(base=target.profile, corners=found.corners or machine_corners, camera=found.camera)
    used = beside(target.folder, found.use_profile or found.profile)
    if found.made_of is None:
        return replace(draft, base=used)
    profile, base = load_profile(used), load_profile(beside(target.folder, found.made_of))
    windows = getattr(profile.display, "windows", None)
    return replace(
        draft, base=beside(target.folder, found.made_of),
        digits=None if profile.digits == base.digits else profile.digits,
        players=None if profile.players == base.players else profile.players,
        windows=None if windows == getattr(base.display, "windows", None) else windows,
    )  # fmt: skip


def save(target: Target, draft: Draft, size: tuple[int, int] | None) -> list[Path]:
    """Write the files and return them. Raises ConfigInvalid or InputInvalid; then the calibration is as it was."""
    texts: dict[Path, str] = {}
    use = None if draft.base == target.profile else from_folder(target.folder, draft.base)
    if not draft.is_plain:
        file = _profile_file(target, draft.base)
        own: dict[str, str | None] = {"id": target.machine, "name": _name(target, draft)}
        if not _is_file(draft.base):
            own["facts"] = None  # what holds of any machine is not where this one's places come from
        profile = draft.profile().model_copy(update=own)
        text = format_profile(profile, origin=load_profile(draft.base).id)
        try:
            again = parse_profile(text, file=str(file))
        except ProfileInvalid as error:
            raise ConfigInvalid(f"the profile that would be written is not valid: {error}") from None
        if again.model_dump() != profile.model_dump():
            raise ConfigInvalid(f"{file}: the profile would not read back as it is here; nothing was written")
        texts[file] = text
        use = from_folder(target.folder, str(file))
    calibration = Calibration(
        port=target.port, profile=from_folder(target.folder, target.profile), use_profile=use,
        made_of=None if draft.is_plain else from_folder(target.folder, draft.base),
        size=size if draft.corners else None, corners=draft.corners, camera=draft.camera,
    )  # fmt: skip
    texts = {calibration_file(target.folder, target.machine): format_calibration(calibration)} | texts
    write_whole(texts)
    return list(texts)


def _profile_file(target: Target, base: str) -> Path:
    """Beside the profile it is made of, whose fonts it needs; or in `profiles`, for one that comes with Inlane."""
    folder = Path(base).parent if _is_file(base) else target.folder / _PROFILES
    for name in (target.machine, f"{target.machine}-calibrated"):
        file = folder / f"{name}.toml"
        if not file.exists() or _is_ours(file):
            return file
    raise ConfigInvalid(f"{file} was not written by calibrate: move it away")


def _is_file(base: str) -> bool:
    """Whether this is somebody's own profile, and not one that comes with Inlane."""
    return "/" in base or base.endswith(".toml")


def _is_ours(file: Path) -> bool:
    try:
        with file.open(encoding="utf-8", errors="replace") as opened:
            return opened.read(len(MARK)) == MARK
    except OSError as error:
        raise ConfigInvalid(f"{file}: cannot be read: {error.strerror}") from None


def _name(target: Target, draft: Draft) -> str:
    return f"{target.machine}: {load_profile(draft.base).name}"[:80]
