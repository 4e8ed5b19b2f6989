"""The bare pipe: the same steps as Inlane's, in one small script, to measure beside it.

A frame in memory → dots (one remap and a mean) → digits (one matrix product) → JSON → Mosquitto (QoS 1) → one SQLite
commit (WAL, synchronous=FULL) → a server-sent event of a FastAPI application to an open HTTP connection. No outbox, no
rules, no login, no settling; nothing survives a fault: this is what the steps cost by themselves.
"""

import asyncio
import json
import socket
import sqlite3
import threading
import time
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import paho.mqtt.client as mqtt
import uvicorn
from fastapi import FastAPI
from fastapi.sse import EventSourceResponse, ServerSentEvent
from numpy.typing import NDArray
from paho.mqtt.enums import CallbackAPIVersion


class BareReader:
    """Dots by one remap of a lattice of 128 x 32 points with 4 samples each; ten cells against eleven glyphs."""

    def __init__(self, width: int, height: int) -> None:
        columns, rows = np.meshgrid(np.linspace(0, width - 1, 256), np.linspace(0, height - 1, 64))
        self._columns, self._rows = columns.astype(np.float32), rows.astype(np.float32)
        self._glyphs = np.random.default_rng(1).random((11, 12 * 16)).astype(np.float32)

    def read(self, image: NDArray[np.uint8]) -> int:
        """A number out of a frame: as much work as a known font takes, whatever the frame shows."""
        sampled = cv2.remap(image[:, :, 1], self._columns, self._rows, cv2.INTER_LINEAR)
        dots = sampled.reshape(32, 2, 128, 2).mean(axis=(1, 3), dtype=np.float32)
        cells = dots[8:24, 4:124].reshape(16, 10, 12).transpose(1, 0, 2).reshape(10, -1)
        return int((cells @ self._glyphs.T).argmax(axis=1).sum())


class BarePipe:
    """Publisher, subscriber, database and web server of the bare script, joined by Mosquitto on 127.0.0.1:`broker`."""

    def __init__(self, broker: int, folder: Path) -> None:
        self._broker = broker
        self.port = free_port()
        self._open: asyncio.Queue[tuple[int, bytes]] = asyncio.Queue()
        self._database = _database(folder / "bare.sqlite")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._server = uvicorn.Server(uvicorn.Config(
            self._app(), host="127.0.0.1", port=self.port, log_level="critical", timeout_graceful_shutdown=1,
        ))  # fmt: skip
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)
        subscribed = threading.Event()
        self._up, self._down = self._client("bare-up"), self._client("bare-down")
        self._down.on_message = self._heard
        self._down.on_subscribe = lambda *_: subscribed.set()
        self._down.subscribe("bare/log", qos=1)
        subscribed.wait(10)

    def send(self, number: int, score: int) -> None:
        """Publish one score."""
        body = json.dumps({"seq": number, "kind": "game.ended", "machine": "m", "body": {"score": score}})
        self._up.publish("bare/log", body.encode(), qos=1)

    def close(self) -> None:
        """Let go of everything."""
        for client in (self._up, self._down):
            client.disconnect()
            client.loop_stop()
        self._server.should_exit = True
        self._thread.join(10)
        self._database.close()

    def _app(self) -> FastAPI:
        app = FastAPI()

        @app.get("/events", response_class=EventSourceResponse)
        async def events() -> AsyncIterator[ServerSentEvent]:
            while True:
                number, payload = await self._open.get()
                yield ServerSentEvent(raw_data=payload.decode(), id=str(number))

        return app

    def _serve(self) -> None:
        async def serve() -> None:
            self._loop = asyncio.get_running_loop()
            await self._server.serve()

        asyncio.run(serve())

    def _client(self, name: str) -> mqtt.Client:
        client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=name)
        client.connect("127.0.0.1", self._broker)
        client.loop_start()
        return client

    def _heard(self, client: mqtt.Client, _: object, message: mqtt.MQTTMessage) -> None:
        del client
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._commit, message.payload)

    def _commit(self, payload: bytes) -> None:
        entry = json.loads(payload)
        self._database.execute("begin immediate")
        self._database.execute("insert into ledger (seq, body) values (?, ?)", (entry["seq"], payload))
        self._database.execute("commit")
        self._open.put_nowait((entry["seq"], payload))


def _database(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    database.execute("pragma journal_mode=wal")
    database.execute("pragma synchronous=full")
    database.execute("create table ledger (seq integer primary key, body text)")
    return database


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on now."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
