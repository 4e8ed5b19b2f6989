"""The server program: desk, ingest, observers and web in one process, started together and stopped in order.

The only place where they are composed. The invariant: whatever ends first ends the rest cleanly: streams are closed,
the agents are told, what was accepted is committed.
"""

import asyncio
import contextlib
import fcntl
import gc
import logging
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import uvicorn

from bridge.link import Broker, PahoLink, Tls
from bridge.wire.topics import Topics
from server.accounts import Accounts
from server.config import BrokerPart, HttpPart, ServerConfig
from server.desk import Desk
from server.errors import ServerError, StoreUnavailable
from server.evidence import Evidence
from server.ingest.listen import Listener
from server.observers import Observers
from server.services import LinkHealth, Services
from server.store.database import Store
from server.web.app import create_app

log = logging.getLogger(__name__)
GRACE_S = 3
"""Seconds that requests get to finish."""
BACKLOG = 512


def epoch_ms() -> int:
    """The server's clock: milliseconds since 1970 UTC."""
    return time.time_ns() // 1_000_000


class BeingServed(StoreUnavailable):
    """A server has this database already."""


async def serve(config: ServerConfig) -> None:
    """Run the server until SIGTERM or SIGINT. Raises ServerError where it cannot start."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(only_one(config.database.url))
        door = stack.enter_context(contextlib.closing(_listen(config.http)))
        store = Store.open(config.database.url)
        stack.callback(store.close)
        desk = await asyncio.to_thread(Desk, store, now=epoch_ms)
        stack.callback(desk.close)
        gc.collect()
        gc.freeze()  # the state that was folded stays: no collector need look at it again
        link = PahoLink(_broker(config.broker))
        listener = Listener(link, desk, topics=Topics(config.broker.root), now=epoch_ms)
        services = Services(
            store=store,
            desk=desk,
            accounts=Accounts(store),
            evidence=Evidence(config.evidence.folder, budget=config.evidence.megabytes * 2**20),
            zone=config.zone,
            venue=config.venue.name,
            now=epoch_ms,
            broker=lambda: LinkHealth(state=link.state, why=link.why),
        )
        await _run(services, listener, door)
    log.info("stopped")


async def _run(services: Services, listener: Listener, door: socket.socket) -> None:
    config = uvicorn.Config(
        create_app(services),
        log_config=None,
        access_log=False,
        lifespan="off",
        server_header=False,
        timeout_graceful_shutdown=GRACE_S,
    )
    web = _Web(config)
    loop = asyncio.get_running_loop()

    def stop() -> None:
        web.should_exit = True
        services.hub.close()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
    host, port = door.getsockname()[:2]
    log.info("serving on http://%s:%d", host, port)
    beside = [
        asyncio.create_task(listener.run(), name="ingest"),
        asyncio.create_task(Observers(services.desk, listener).run(), name="observers"),
    ]
    for task in beside:
        task.add_done_callback(lambda _: stop())
    try:
        await web.serve(sockets=[door])
    finally:
        for task in beside:
            task.cancel()
        ended = await asyncio.gather(*beside, return_exceptions=True)
    for result in ended:
        if isinstance(result, Exception):
            raise ServerError(f"ingest ended: {type(result).__name__}: {result}") from result


class _Web(uvicorn.Server):
    """uvicorn, whose signals are ours."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals are handled by the program."""
        yield


def _listen(http: HttpPart) -> socket.socket:
    family = socket.AF_INET6 if ":" in http.host else socket.AF_INET
    try:
        return socket.create_server((http.host, http.port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise ServerError(f"http: cannot serve on {http.host} port {http.port}: {error.strerror or error}") from error


def _broker(part: BrokerPart) -> Broker:
    return Broker(
        host=part.host,
        port=part.port,
        username=part.username,
        password=None if part.password is None else part.password.get_secret_value(),
        tls=Tls(ca=part.ca) if part.tls else None,
        keepalive_s=30,
    )


@contextlib.contextmanager
def only_one(url: str) -> Iterator[None]:
    """One server on a database: two would each believe that the ledger ends where they wrote last."""
    if "://" in url:
        yield
        return
    path = Path(url + ".lock")
    try:
        file = path.open("w")
    except OSError as error:
        raise StoreUnavailable(f"database {url}: {path}: {error.strerror}") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BeingServed(f"database {url}: another server is running on it") from None
        yield
