"""The computer under the agent: its temperature, its supply, its disk, its name. Read-only.

What cannot be asked of this computer is None, never a guess.
"""

import os
import platform
import shutil
from pathlib import Path

_TEMPERATURE = Path("/sys/class/thermal/thermal_zone0/temp")
_THROTTLED = Path("/sys/devices/platform/soc/soc:firmware/get_throttled")
_UNDERVOLTAGE_NOW = 0x1  # bit 0 of what the Raspberry Pi firmware's get_throttled says


def temperature() -> float | None:
    """Degrees Celsius of the processor."""
    try:
        return int(_TEMPERATURE.read_text(encoding="ascii")) / 1000
    except (OSError, ValueError):
        return None


def undervoltage() -> bool | None:
    """Whether the supply is too weak right now."""
    try:
        return bool(int(_THROTTLED.read_text(encoding="ascii"), 16) & _UNDERVOLTAGE_NOW)
    except (OSError, ValueError):
        return None


def disk_free(folder: Path) -> int | None:
    """Bytes that may still be written to the disk under this folder."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return None


def host_name() -> str:
    """This computer's name."""
    return platform.node() or os.uname().sysname
