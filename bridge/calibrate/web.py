"""The calibration page over HTTP, by the standard library alone: a few fixed files, pictures, state, and buttons.

Here: bounds, addresses and answers. Not here: what a button does (`bench`), who may (`gate`). Invariant: nothing that a
request says names a file, and nothing in it is unbounded.
"""

import json
import logging
import socket
from collections.abc import Callable
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from typing import Any
from urllib.parse import parse_qs, urlsplit

from bridge.calibrate.bench import Bench
from bridge.calibrate.draft import parse_edit
from bridge.calibrate.gate import COOKIE, Gate, foreign
from bridge.calibrate.room import Room
from bridge.errors import BridgeError, ConfigInvalid
from hardware import pi
from hardware.errors import HardwareError

LARGEST_BODY = 32 * 1024
MOST_AT_ONCE = 24
PATIENCE_S = 15.0
_FILES = {
    "/": ("page.html", "text/html; charset=utf-8"),
    "/page.css": ("page.css", "text/css; charset=utf-8"),
    "/page.js": ("page.js", "text/javascript; charset=utf-8"),
    "/places.js": ("places.js", "text/javascript; charset=utf-8"),
    "/mark.svg": ("mark.svg", "image/svg+xml"),
}
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
_log = logging.getLogger(__name__)


class PageServer(ThreadingHTTPServer):
    """Serves one bench, over `MOST_AT_ONCE` connections at most: a page needs three."""

    daemon_threads = False
    block_on_close = True
    """A thread that is still at work while the interpreter ends would abort it."""

    def __init__(self, address: tuple[str, int], bench: Bench, gate: Gate) -> None:
        """Raises ConfigInvalid where the address cannot be listened on."""
        self.room = Room(MOST_AT_ONCE)
        if ":" in address[0]:
            self.address_family = socket.AF_INET6
        try:
            super().__init__(address, _Handler)
        except (OSError, OverflowError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise ConfigInvalid(f"cannot listen on {address[0]} port {address[1]}: {why} (see --listen)") from None
        self.bench = bench
        self.gate = gate
        self.names = {"localhost", pi.host_name().lower(), socket.getfqdn().lower().removesuffix(".local")}

    def process_request(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 -- socketserver's
        """Take a connection where there is room."""
        if self.room.take(request):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def shutdown_request(self, request: Any) -> None:  # noqa: ANN401 -- as above
        """The last that happens to a connection."""
        self.room.leave(request)
        super().shutdown_request(request)

    def server_close(self) -> None:
        """Cut off who is connected, and wait until each thread is done with its request."""
        self.room.close()
        super().server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 -- as above
        """A browser that hangs up in mid-answer is nothing to talk about."""


class _Refused(Exception):
    """A request that is not answered as it wants to be."""

    def __init__(self, status: HTTPStatus, why: str) -> None:
        super().__init__(why)
        self.status = status


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "inlane", ""
    timeout = PATIENCE_S
    server: PageServer

    def do_GET(self) -> None:
        """A file of the page, the state, or a picture."""
        self._try(self._show)

    def do_POST(self) -> None:
        """A button."""
        self._try(self._take)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401 -- the base's names
        """The terminal is for the PIN."""

    def _try(self, answer: Callable[[], None]) -> None:
        """Every request is answered, by a line that says why where it cannot be answered as it wants."""
        try:
            answer()
        except _Refused as refusal:
            self._refuse(refusal.status, str(refusal))
        except (BridgeError, HardwareError) as error:
            self._refuse(HTTPStatus.UNPROCESSABLE_ENTITY, str(error))
        except (ConnectionError, TimeoutError):
            self.close_connection = True  # the browser hung up
        except Exception as error:  # noqa: BLE001 -- the page goes on, whatever one request meets
            _log.debug("a request failed", exc_info=True)
            why = f"a fault in this program: {type(error).__name__}: {error}".splitlines()[0]
            self._refuse(HTTPStatus.INTERNAL_SERVER_ERROR, why[:300])

    def _show(self) -> None:
        try:
            parts = urlsplit(self.path)
        except ValueError:
            raise _Refused(HTTPStatus.NOT_FOUND, "there is no such page") from None
        if why := foreign(self.headers, self.server.names, writes=False):  # type: ignore[arg-type]
            raise _Refused(HTTPStatus.MISDIRECTED_REQUEST, why)
        if parts.path in _FILES:
            name, kind = _FILES[parts.path]
            return self._answer(HTTPStatus.OK, _file(name), kind)
        if parts.path not in {"/state", "/picture"}:
            raise _Refused(HTTPStatus.NOT_FOUND, "there is no such page")
        self._need_guest()
        if parts.path == "/state":
            return self._tell()
        after = parse_qs(parts.query[:200]).get("after", ["0"])[0]
        found = self.server.bench.picture(int(after) if after.isdecimal() and len(after) < 16 else 0)
        if found is None:
            return self._answer(HTTPStatus.NO_CONTENT, b"", "image/jpeg")
        return self._answer(HTTPStatus.OK, found[1], "image/jpeg", {"X-Number": str(found[0])})

    def _take(self) -> None:
        if why := foreign(self.headers, self.server.names, writes=True):  # type: ignore[arg-type]
            raise _Refused(HTTPStatus.FORBIDDEN, why)
        document = self._read()
        if self.path == "/enter":
            return self._enter(document)
        self._press(document)
        return self._tell()

    def _press(self, document: object) -> None:
        self._need_guest()
        bench = self.server.bench
        buttons: dict[str, Callable[[], None]] = {
            "/edit": lambda: bench.edit(parse_edit(document)), "/undo": bench.undo, "/find": bench.find,
            "/fit": bench.fit, "/freeze": bench.freeze, "/loosen": bench.loosen, "/save": bench.save,
        }  # fmt: skip
        if self.path not in buttons:
            raise _Refused(HTTPStatus.NOT_FOUND, "there is no such button")
        buttons[self.path]()

    def _enter(self, document: object) -> None:
        pin = document.get("pin") if isinstance(document, dict) else None
        token = self.server.gate.enter(pin) if isinstance(pin, str) else None
        if token is None:
            raise _Refused(HTTPStatus.FORBIDDEN, "not this PIN: look at the terminal, and wait a second")
        cookie = f"{self._cookie}={token}; HttpOnly; SameSite=Strict; Path=/"
        return self._answer(HTTPStatus.OK, b"{}", "application/json", {"Set-Cookie": cookie})

    @property
    def _cookie(self) -> str:
        """Browsers keep cookies by the computer alone: pages on several ports of it must not share one."""
        return f"{COOKIE}_{self.server.server_address[1]}"

    def _need_guest(self) -> None:
        """Raises _Refused unless the browser is let in."""
        try:
            morsel = SimpleCookie(self.headers.get("Cookie", "")[:4096]).get(self._cookie)
        except CookieError:
            morsel = None
        if morsel is None or not self.server.gate.knows(morsel.value):
            raise _Refused(HTTPStatus.UNAUTHORIZED, "the PIN on the terminal is needed")
        self.server.room.trust(self.connection)

    def _read(self) -> object:
        """The body as JSON. Raises _Refused."""
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal()) or "Transfer-Encoding" in self.headers:
            raise _Refused(HTTPStatus.LENGTH_REQUIRED, "a length is needed")
        if len(length) > 9 or int(length) > LARGEST_BODY:
            raise _Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"more than {LARGEST_BODY} bytes")
        if self.headers.get_content_type() != "application/json":
            raise _Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "JSON is needed")
        try:
            document: object = json.loads(self.rfile.read(int(length)), parse_constant=_no_constant)
        except (ValueError, RecursionError):
            raise _Refused(HTTPStatus.BAD_REQUEST, "not JSON") from None
        return document

    def _tell(self) -> None:
        self._answer(HTTPStatus.OK, json.dumps(self.server.bench.state()).encode(), "application/json")

    def _refuse(self, status: HTTPStatus, why: str) -> None:
        self.close_connection = True  # a body that was not read must not be taken for the next request
        self._answer(status, json.dumps({"error": why}).encode(), "application/json")

    def _answer(self, status: HTTPStatus, body: bytes, kind: str, more: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in ({"Content-Type": kind, "Content-Length": str(len(body))} | _HEADERS | (more or {})).items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def _file(name: str) -> bytes:
    """One of the page's own files, by a name from the table above."""
    return (resources.files("bridge.calibrate") / "page" / name).read_bytes()


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")
