"""What a request sends is judged before anything of it is lost, and before anything large of it is read."""

import socket

import pytest

from .conftest import Running


def test_a_name_that_is_there_twice_is_refused_however_json_is_spelt(hall: Running) -> None:
    official = hall.client("official")
    for kind in ("application/json", "Application/JSON", "application/vnd.club+JSON"):
        body = b'{"machine": "m1", "scores": {"p1": 5, "p1": 7}}'
        answer = official.post("/tournaments/kids/games", content=body, headers={"content-type": kind})
        assert (answer.status_code, answer.json()["error"]) == (422, "p1: is there twice"), kind


@pytest.mark.parametrize("kind", ["application/yaml", "application/json"])
def test_a_file_of_nobody_is_refused_before_it_is_read(hall: Running, kind: str) -> None:
    with socket.create_connection(hall.door.getsockname(), timeout=20) as line:
        head = f"POST /api/v1/tournaments/import HTTP/1.1\r\nHost: x\r\nContent-Type: {kind}\r\n"
        line.sendall(f"{head}Content-Length: 60000000\r\n\r\nx".encode())
        assert line.recv(100).startswith(b"HTTP/1.1 401")
