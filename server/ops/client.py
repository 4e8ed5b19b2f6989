"""A client of Inlane's own HTTP API, for programs: logs in once, then asks and says. Standard library only.

Every write carries an idempotency key, and is sent again with the same key when the connection breaks.
"""

import http.client
import json
import time
import uuid
from collections.abc import Mapping
from typing import Any

from server.errors import ServerError

TIMEOUT_S = 10.0
TRIES = 3
PAUSE_S = 0.5
LONGEST_ANSWER = 64 * 1024 * 1024


class Refused(ServerError):
    """The server said no: `status` is the HTTP status, the text is the server's reason."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.code = status


class Unreachable(ServerError):
    """The server does not answer."""


class Client:
    """One person's conversation with a server at http://host:port. For one thread."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._cookie = ""

    def log_in(self, name: str, password: str) -> None:
        """Log in; raises Refused where name and password do not belong together."""
        body = json.dumps({"name": name, "password": password}).encode()
        status, answer, data = self._exchange("POST", "/api/v1/login", body, {"Content-Type": "application/json"})
        cookie = answer.get("Set-Cookie", "")
        if status >= 400 or not cookie:
            raise Refused(status, data.decode("utf-8", "replace")[:200] or "the login was refused")
        self._cookie = cookie.split(";", 1)[0]

    def get(self, path: str) -> Any:  # noqa: ANN401 - whatever JSON the resource is
        """Ask for a resource under /api/v1 (or a path that begins with a slash and is not under it)."""
        return self._json("GET", path, None, {})

    def post(self, path: str, body: Mapping[str, Any]) -> Any:  # noqa: ANN401 - as above
        """Say something: sent again with the same key if the line breaks, so that it happens once."""
        headers = {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
        return self._json("POST", path, json.dumps(body).encode(), headers)

    def _json(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Any:  # noqa: ANN401
        full = path if path.startswith("/") else f"/api/v1/{path}"
        status, _, data = self._exchange(method, full, body, headers)
        try:
            answer = json.loads(data) if data else None
        except ValueError:
            answer = {"error": data.decode("utf-8", "replace")[:200]}
        if status >= 400:
            raise Refused(status, str(answer.get("error") if isinstance(answer, dict) else answer))
        return answer

    def _exchange(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str]
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        headers = {**headers, "Accept": "application/json"} | ({"Cookie": self._cookie} if self._cookie else {})
        for attempt in range(TRIES):
            connection = http.client.HTTPConnection(self._host, self._port, timeout=TIMEOUT_S)
            try:
                connection.request(method, path, body, headers)
                response = connection.getresponse()
                return response.status, response.headers, response.read(LONGEST_ANSWER)
            except (OSError, http.client.HTTPException) as error:
                if attempt == TRIES - 1:
                    raise Unreachable(f"the server at {self._host}:{self._port} does not answer: {error}") from None
                time.sleep(PAUSE_S)
            finally:
                connection.close()
        raise Unreachable("unreachable")
