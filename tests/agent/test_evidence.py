"""Pictures: kept within the budget, taken to the server once, and never in the way of facts."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from bridge import evidence
from bridge.evidence import EvidenceStore, Uploader
from capture.signals import Picture


def picture(number: int, size: int = 1000) -> Picture:
    return Picture(data=number.to_bytes(4, "big") * (size // 4))


def wait_for(true: Callable[[], object]) -> None:
    end = time.monotonic() + 30
    while not true():
        assert time.monotonic() < end, "not within 30 s"
        time.sleep(0.02)


@dataclass
class Server:
    """A server that answers as it is told, and remembers."""

    url: str = ""
    answers: list[int] = field(default_factory=list)
    got: list[tuple[str, str, bytes]] = field(default_factory=list)


@pytest.fixture
def server() -> Iterator[Server]:
    told = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_PUT(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"]))
            told.got.append((self.path, self.headers["Authorization"], data))
            self.send_response(told.answers.pop(0) if told.answers else 204)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    told.url = f"http://127.0.0.1:{httpd.server_port}"
    thread = threading.Thread(target=httpd.serve_forever, daemon=True)
    thread.start()
    yield told
    httpd.shutdown()
    httpd.server_close()
    thread.join()


@pytest.fixture
def uploading() -> Iterator[Callable[[EvidenceStore, str], Uploader]]:
    made: list[Uploader] = []

    def start(store: EvidenceStore, url: str) -> Uploader:
        made.append(Uploader(store, url, "secret-token"))
        made[-1].start()
        return made[-1]

    yield start
    for uploader in made:
        uploader.stop()


def test_a_picture_is_kept_once_and_survives_a_new_start(tmp_path: Path):
    store = EvidenceStore(tmp_path, budget=10_000)
    assert store.put(picture(1))
    assert store.put(picture(1))
    (tmp_path / "waiting" / "half.part").write_bytes(b"x")
    again = EvidenceStore(tmp_path, budget=10_000)
    assert [file.stem for file in again.waiting()] == [picture(1).digest.removeprefix("sha256:")]
    assert again.size() == 1000


def test_room_is_made_of_what_the_server_has_and_never_of_what_it_has_not(tmp_path: Path):
    store = EvidenceStore(tmp_path, budget=3_500)
    for number in range(3):
        store.put(picture(number))
        os.utime(store.waiting()[-1], (number, number))
    first = store.waiting()[0]
    store.settle(first, "sent")
    assert store.put(picture(10))
    assert not (tmp_path / "sent" / first.name).exists()
    assert not store.put(picture(11))  # all that is left waits for the server
    assert len(store.waiting()) == 3
    assert store.size() <= 3_500


def test_pictures_go_to_the_server_with_the_token_oldest_first(
    tmp_path: Path, server: Server, uploading: Callable[[EvidenceStore, str], Uploader]
):
    store = EvidenceStore(tmp_path, budget=100_000)
    for number in range(3):
        store.put(picture(number))
        os.utime(tmp_path / "waiting" / (picture(number).digest[7:] + ".png"), (number, number))
    uploader = uploading(store, server.url + "/")
    wait_for(lambda: not store.waiting())
    store.put(picture(9))
    uploader.stir()
    wait_for(lambda: len(server.got) == 4)
    want = [f"/api/v1/evidence/{picture(number).digest[7:]}" for number in (0, 1, 2, 9)]
    assert [path for path, _, _ in server.got] == want
    assert {token for _, token, _ in server.got} == {"Bearer secret-token"}
    assert server.got[0][2] == picture(0).data


def test_a_server_in_trouble_is_tried_again_and_a_picture_refused_for_good_stops_no_other(
    tmp_path: Path,
    server: Server,
    uploading: Callable[[EvidenceStore, str], Uploader],
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(evidence, "LONGEST_PAUSE", 0.05)
    store = EvidenceStore(tmp_path, budget=100_000)
    for number in range(2):
        store.put(picture(number))
        os.utime(tmp_path / "waiting" / (picture(number).digest[7:] + ".png"), (number, number))
    server.answers = [503, 500, 413, 204]
    uploader = uploading(store, server.url)
    wait_for(lambda: not store.waiting())
    assert [path[-64:] for path, _, _ in server.got] == [picture(n).digest[7:] for n in (0, 0, 0, 1)]
    assert [file.stem for file in (tmp_path / "refused").iterdir()] == [picture(0).digest[7:]]
    assert uploader.trouble == ""


def test_a_refused_token_is_said_in_words_that_help(
    tmp_path: Path,
    server: Server,
    uploading: Callable[[EvidenceStore, str], Uploader],
    caplog: pytest.LogCaptureFixture,
):
    store = EvidenceStore(tmp_path, budget=100_000)
    store.put(picture(1))
    server.answers = [401] * 50
    uploader = uploading(store, server.url)
    wait_for(lambda: uploader.trouble)
    assert "inlane-server agent add" in uploader.trouble
    assert "secret-token" not in caplog.text
    assert store.waiting()


def test_without_a_server_pictures_wait_and_it_is_said_once(
    tmp_path: Path, uploading: Callable[[EvidenceStore, str], Uploader], monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
):  # fmt: skip
    monkeypatch.setattr(evidence, "LONGEST_PAUSE", 0.05)
    store = EvidenceStore(tmp_path, budget=100_000)
    store.put(picture(1))
    uploader = uploading(store, "http://127.0.0.1:9")
    wait_for(lambda: "not reached" in uploader.trouble)
    time.sleep(0.5)
    assert caplog.text.count("not reached") == 1
    assert len(store.waiting()) == 1
