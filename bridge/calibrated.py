"""The configuration as calibrations make it, and corners that are kept while the agent runs.

Here: which of a machine's sources a calibration counts for. Not here: the files (`calibration`, `config`). Invariant:
a calibration for another port or profile changes nothing, and that is said.
"""

import logging
from pathlib import Path

from bridge.calibration import (
    Calibration,
    beside,
    calibration_file,
    fix_camera,
    from_folder,
    is_for,
    load_calibration,
    same_port,
    save_calibration,
)
from bridge.config import AgentConfig, MachinePart, SourcePart
from bridge.errors import ConfigInvalid
from bridge.parts import Corners
from hardware.catalog import load_profile
from hardware.errors import ProfileInvalid

_log = logging.getLogger(__name__)


def with_calibrations(config: AgentConfig, folder: Path) -> tuple[AgentConfig, list[str]]:
    """The configuration as calibrations in the folder of agent.toml make it, and what is to be said of them.

    A machine's calibration counts for that of its sources which has the same port and profile.
    Raises ConfigInvalid for a calibration that cannot be read.
    """
    machines, said = [], []
    for machine in config.machine:
        file = calibration_file(folder, machine.id)
        found = load_calibration(file)
        if found is None:
            machines.append(machine)
        elif is_for(found, machine.port, machine.profile, folder):
            said.append(f"{machine.id}: calibrated by {file}")
            machines.append(machine.model_copy(update=_calibrated(machine, found, folder, file)))
        elif any(is_for(found, source.port, source.profile, folder) for source in machine.also):
            said.append(f"{machine.id}: calibrated by {file}")
            machines.append(machine.model_copy(update={"also": _also_calibrated(machine, found, folder, file)}))
        else:
            said.append(f"{machine.id}: {file} is for another port or profile and does not count: calibrate again")
            machines.append(machine)
    return config.model_copy(update={"machine": tuple(machines)}), said


def _also_calibrated(machine: MachinePart, found: Calibration, folder: Path, file: Path) -> tuple[SourcePart, ...]:
    return tuple(
        source.model_copy(update=_calibrated(source, found, folder, file))
        if is_for(found, source.port, source.profile, folder)
        else source
        for source in machine.also
    )


def _calibrated(source: SourcePart, found: Calibration, folder: Path, file: Path) -> dict[str, object]:
    """What the calibration changes of a source."""
    changes: dict[str, object] = {"port": fix_camera(source.port, found.camera)}
    if found.corners is not None:
        changes |= {"corners": found.corners, "size": found.size}
    if found.use_profile is not None:
        changes["profile"] = used = beside(folder, found.use_profile)
        try:
            load_profile(used)
        except ProfileInvalid as error:
            raise ConfigInvalid(f"{file}: {error}; calibrate again, or remove the file") from None
    return changes


def remember_corners(
    folder: Path, machine: MachinePart, corners: Corners, size: tuple[int, int], *, source: SourcePart | None = None
) -> None:
    """Keep corners that were moved while the agent runs in the machine's calibration. Logs where it cannot.

    `source`: the one of the machine's sources that is a camera; None: the machine's own.
    """
    seen = source or machine
    file = calibration_file(folder, machine.id)
    try:
        found = load_calibration(file)
        if found is None:
            found = Calibration(port=seen.port, profile=from_folder(folder, seen.profile))
        elif not _counts(found, seen, folder):
            _log.error("%s: the corners are not kept: %s is for another port or profile", machine.id, file)
            return
        save_calibration(file, found.model_copy(update={"corners": corners, "size": size}))
    except ConfigInvalid as error:
        _log.error("%s: the corners are not kept: %s", machine.id, error)


def _counts(found: Calibration, machine: SourcePart, folder: Path) -> bool:
    """Whether a running machine's calibration is this one: its profile may have taken the place of agent.toml's."""
    mine = same_port(found.port) == same_port(machine.port)
    return mine and machine.profile in {beside(folder, name) for name in (found.use_profile, found.profile) if name}
