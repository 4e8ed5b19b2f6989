"""An errand of a command at the ledger: done by the running server where there is one, else on the database itself.

A ledger has one writer. Whoever may write the database file may do what an admin may: so the command opens a session
for an admin, uses it once and ends it. Invariant: never two writers, and the session does not outlive the errand.
"""

import http.client
import json
from collections.abc import Callable
from contextlib import closing
from typing import Any

from server.accounts import Accounts
from server.config import ServerConfig
from server.core.venue.outcomes import Actor, Done, Outcome
from server.desk import Desk
from server.errors import InputInvalid, ServerError, StoreUnavailable
from server.program import BeingServed, epoch_ms, only_one
from server.store.database import Store
from server.web.sessions import cookie_name, digest_of, new_token

TIMEOUT_S = 900.0
LONGEST_ANSWER = 64 * 2**20
EVERYWHERE = {"0.0.0.0", "::", ""}  # noqa: S104 - addresses to serve on, not to be asked at

Locally = Callable[[Desk, Actor], tuple[Outcome, Any]]


def send_or_do(config: ServerConfig, user: str | None, path: str, data: bytes, locally: Locally) -> Any:  # noqa: ANN401
    """POST to the running server and give the answer's `result`; without a server, do the same `locally`.

    Raises InputInvalid where the file or the call is wrong, ServerError where the work failed.
    """
    try:
        with only_one(config.database.url):
            if "://" in config.database.url and _answers(config):  # no lock tells of a server on such a database
                return _send(config, user, path, data)
            return _do(config, user, locally)
    except BeingServed:
        return _send(config, user, path, data)


def _do(config: ServerConfig, user: str | None, locally: Locally) -> Any:  # noqa: ANN401
    with closing(Store.open(config.database.url)) as store:
        name = _admin(Accounts(store), user) or "server"
        desk = Desk(store, now=epoch_ms)
        try:
            outcome, told = locally(desk, Actor(name=name, roles=frozenset({"admin"})))
        finally:
            desk.close()
    if not isinstance(outcome, Done):
        raise InputInvalid(outcome.why)
    return told


def _send(config: ServerConfig, user: str | None, path: str, data: bytes) -> Any:  # noqa: ANN401
    with closing(Store.open(config.database.url)) as store:
        accounts = Accounts(store)
        name = _admin(accounts, user)
        if name is None:
            raise InputInvalid("the server is running: say --user NAME, an admin (user add NAME --role admin)")
        token = new_token()
        digest = str(digest_of(token))
        accounts.keep_session(digest, name, now=epoch_ms())
        try:
            return _post(config, path, data, token)
        finally:
            accounts.end_session(digest)


def _admin(accounts: Accounts, user: str | None) -> str | None:
    """The admin of that name, else the only one there is. Raises InputInvalid where the name is no admin's."""
    admins = [account.name for account in accounts.users() if "admin" in account.roles]
    if user is not None and user not in admins:
        raise InputInvalid(f"{user} is no admin here; there are {', '.join(admins) or 'none'}")
    return user or (admins[0] if len(admins) == 1 else None)


def _address(config: ServerConfig) -> tuple[str, int]:
    if config.http.port == 0:
        raise ServerError("the server is running on a port that it chose itself: set http.port in server.toml")
    return "127.0.0.1" if config.http.host in EVERYWHERE else config.http.host, config.http.port


def _answers(config: ServerConfig) -> bool:
    try:
        with closing(http.client.HTTPConnection(*_address(config), timeout=5)) as connection:
            connection.request("GET", "/healthz")
            connection.getresponse()
    except (OSError, http.client.HTTPException):
        return False
    return True


def _post(config: ServerConfig, path: str, data: bytes, token: str) -> Any:  # noqa: ANN401
    host, port = _address(config)
    headers = {"cookie": f"{cookie_name(secure=False)}={token}", "accept": "application/json"}
    try:
        with closing(http.client.HTTPConnection(host, port, timeout=TIMEOUT_S)) as connection:
            connection.request("POST", path, data, {**headers, "content-type": "application/octet-stream"})
            response = connection.getresponse()
            status, answer = response.status, json.loads(response.read(LONGEST_ANSWER))
    except (OSError, http.client.HTTPException) as error:
        raise StoreUnavailable(
            f"the server at {host}:{port} did not answer ({error}): it was done in whole or not at all; "
            "when the server is up, try again, it does nothing twice"
        ) from None
    except ValueError:
        raise StoreUnavailable(f"what answers at {host}:{port} is no Inlane server") from None
    if status >= 500:
        raise ServerError(str(answer.get("error", status)))
    if status >= 400:
        raise InputInvalid(str(answer.get("error", status)))
    return answer["result"]
