"""Who may use the calibration page: whoever reads the PIN on the terminal. And which requests are a browser's mischief.

Pure but for the terminal line: PIN, tokens and times are handed in. Invariant: a PIN opens once, guessing it is slow,
and no page of another origin can do anything here.
"""

import hmac
import ipaddress
import secrets
import threading
from collections.abc import Callable, Mapping

WRONG_PAUSE_S = 1.0
"""After a wrong PIN none is taken for so long."""
MOST_WRONG = 8
"""Wrong PINs after which there is a new one."""
MOST_GUESTS = 8
COOKIE = "inlane_calibrate"


class Gate:
    """Keeps the PIN and who is in. `tell` shows a new PIN on the terminal; `now` is seconds that never run back."""

    def __init__(self, tell: Callable[[str], None], *, now: Callable[[], float]) -> None:
        self._tell = tell
        self._now = now
        self._lock = threading.Lock()
        self._wrong = 0
        self._closed_until = 0.0
        self._guests: list[str] = []
        self._renew()

    def enter(self, pin: str) -> str | None:
        """A token for the right PIN, which then is used up; None for a wrong one, or while the gate is closed."""
        with self._lock:
            if self._now() < self._closed_until:
                return None
            if not hmac.compare_digest("".join(pin.split()).encode(errors="replace")[:20], self.pin.encode()):
                self._wrong += 1
                self._closed_until = self._now() + WRONG_PAUSE_S
                if self._wrong >= MOST_WRONG:
                    self._renew()
                return None
            token = secrets.token_urlsafe(24)
            self._guests = [*self._guests, token][-MOST_GUESTS:]
            self._renew()
            return token

    def knows(self, token: str) -> bool:
        """Whether this token was given out."""
        return any(
            hmac.compare_digest(token.encode(errors="replace")[:100], guest.encode()) for guest in list(self._guests)
        )

    def _renew(self) -> None:
        self._wrong = 0
        self.pin = f"{secrets.randbelow(10**6):06d}"
        self._tell(self.pin)


def foreign(headers: Mapping[str, str], names: set[str], *, writes: bool) -> str:
    """Why a request is not one of our own page's: empty where it is. `names`: how this computer is called.

    A name that is not ours is a foreign page that made its own name point here (DNS rebinding); a foreign `Origin` or
    `Sec-Fetch-Site` is one that posts to us (the Fetch standard and Fetch Metadata).
    """
    host = headers.get("Host", "")
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
    if not (name.lower().removesuffix(".local") in names or _is_address(name)):
        return "call this page by the computer's own name or address"
    if not writes:
        return ""
    origin, site = headers.get("Origin"), headers.get("Sec-Fetch-Site")
    if (origin is not None and origin != f"http://{host}") or site not in {None, "same-origin", "none"}:
        return "another page may not do this"
    return ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True
