"""`inlane-server import` and `export` as people call them, on a database alone and beside a running server."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest

from server.cli import main

CLUB = """\
inlane: 1
tournament: Club night
preset: uk-kids
players:
  - {id: p1, name: "O'Brien, Pat", ifpa: 7}
  - {id: p2, name: Łukasz}
machines:
  - {id: m1, name: Machine One}
log:
  - {game: g1, machine: m1, scores: {p1: 12345678910}}
  - {game: g1, machine: m1, scores: {p2: 5}}
"""
DEADLINE = 60.0


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a configuration and a tournament file, in which commands are called."""
    port = free_port()
    (tmp_path / "server.toml").write_text(
        f'[http]\nhost = "127.0.0.1"\nport = {port}\n[broker]\nport = {free_port()}\n', encoding="utf-8"
    )
    (tmp_path / "club.yaml").write_text(CLUB, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def serve(folder: Path) -> Iterator[Callable[[], None]]:
    """Starts the server; none is left behind."""
    started: list[subprocess.Popen[bytes]] = []

    def start() -> None:
        with (folder / "server.log").open("ab") as log:
            argv = [sys.executable, "-m", "server.cli", "run", "--config", "server.toml"]
            started.append(subprocess.Popen(argv, cwd=folder, stdout=log, stderr=log))
        port = (folder / "server.toml").read_text().split("port = ")[1].split("\n")[0]
        deadline = time.monotonic() + DEADLINE
        while True:
            assert started[-1].poll() is None, (folder / "server.log").read_text()
            try:
                httpx2.get(f"http://127.0.0.1:{port}/healthz")
            except httpx2.TransportError:
                assert time.monotonic() < deadline
                time.sleep(0.1)
            else:
                return

    yield start
    for process in started:
        process.send_signal(signal.SIGTERM)
        assert process.wait(DEADLINE) == 0


def call(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(words)
    out, err = capfd.readouterr()
    return status, out, err


def test_a_tournament_goes_in_and_out_of_a_database(folder: Path, capfd: pytest.CaptureFixture[str]):
    status, out, err = call(capfd, "import", "club.yaml")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "Club night is in as club-night: 2 players, 1 machines, 2 entries",
        "the rules refuse entry 2: there is a game g1 already",
    ]
    assert call(capfd, "export", "-o", "one.yaml")[0] == 0
    assert "another tournament goes on" in call(capfd, "import", "one.yaml", "--id", "again")[1]
    status, text, words = call(capfd, "export", "again")
    assert (status, text) == (0, (folder / "one.yaml").read_text(encoding="utf-8"))
    assert words == "the rules refuse entry 2: there is a game g1 already\n"
    assert call(capfd, "export", "--csv", "ifpa", "--no-bom")[1:] == (
        "position,ifpa_id,first_name,last_name\r\n1,7,Pat,O'Brien\r\n",
        "ifpa: not final: the standings of qualifying\n",
    )
    ledger = [json.loads(line) for line in call(capfd, "export", "--ledger", "again")[1].splitlines()]
    assert [(line["kind"], line["who"]) for line in ledger] == [
        ("tournament.opened", "server"), ("tournament.imported", "server"),
    ]  # fmt: skip


def test_tables_go_in_and_out_of_a_database(folder: Path, capfd: pytest.CaptureFixture[str]):
    call(capfd, "import", "club.yaml")
    (folder / "people.csv").write_bytes("Name;IFPA\r\nZoë;\r\nPat O'Brien;7\r\nPat O'Brien;8\r\n".encode("cp1252"))
    status, _, err = call(capfd, "import", "people.csv", "--csv", "players")
    assert (status, err.count("\n")) == (2, 1)
    assert "people.csv, line 2: this is not UTF-8" in err
    assert "cp1252" in err
    status, out, _ = call(capfd, "import", "people.csv", "--csv", "players", "--encoding", "cp1252")
    assert out.splitlines() == [
        "2 players added, 1 were there already",
        "line 3: O'Brien, Pat is there; its name stays O'Brien, Pat, not Pat O'Brien",
    ]
    assert "0 players added, 3 were there" in call(capfd, "import", "people.csv", "--csv", "players", "--encoding",
                                                    "cp1252")[1]  # fmt: skip
    status, out, _ = call(capfd, "export", "--csv", "players", "-o", "out.csv")
    assert (status, (folder / "out.csv").read_bytes()[:3]) == (0, b"\xef\xbb\xbf")
    status, out, _ = call(capfd, "import", "out.csv", "--csv", "players")
    assert out.splitlines()[0] == "0 players added, 4 were there already"


def test_a_running_server_takes_the_file_in(folder: Path, serve: Callable[[], None], capfd: pytest.CaptureFixture[str]):
    serve()
    status, _, err = call(capfd, "import", "club.yaml")
    assert (status, err.count("\n"), "--user NAME" in err) == (2, 1, True)
    argv = [sys.executable, "-m", "server.cli", "user", "add", "ada", "--role", "admin", "--generate"]
    subprocess.run(argv, cwd=folder, check=True, capture_output=True)
    status, out, err = call(capfd, "import", "club.yaml", "--id", "one")
    assert (status, err, out.splitlines()[0]) == (0, "", "Club night is in as one: 2 players, 1 machines, 2 entries")
    status, _, err = call(capfd, "import", "club.yaml", "--id", "one")
    assert (status, err) == (2, "inlane-server: there is a tournament one already: import it under another id\n")
    (folder / "more.csv").write_text("name\nNew One\n", encoding="utf-8")
    assert call(capfd, "import", "more.csv", "--csv", "players")[1].startswith("1 players added")
    (folder / "bad.yaml").write_text(CLUB.replace("scores: {p2: 5}", "scores: {p2: five}"), encoding="utf-8")
    status, _, err = call(capfd, "import", "bad.yaml", "--id", "two")
    assert (status, "bad.yaml, line 11: log entry 2, scores.p2: must be a whole number" in err) == (2, True)
    ledger = [json.loads(line) for line in call(capfd, "export", "--ledger")[1].splitlines()]
    assert {line["who"] for line in ledger} == {"ada"}
    assert call(capfd, "export", "one")[1].startswith("inlane: 1")


WRONG = {
    "no file": (["import", "nothing.yaml"], "nothing.yaml: there is no such file"),
    "folder": (["import", "."], "is no file"),
    "table without a word": (["import", "people.csv"], "say --csv players"),
    "encoding of a tournament": (["import", "club.yaml", "--encoding", "cp1252"], "go with --csv"),
    "id of a table": (["import", "people.csv", "--csv", "players", "--id", "x"], "not for a table"),
    "no tournament to import into": (["import", "club.yaml", "--csv", "players"], "say --into TOURNAMENT"),
    "tournament not there": (["import", "club.yaml", "--csv", "players", "--into", "x"], "there is no tournament x"),
    "no admin": (["import", "club.yaml", "--user", "bob"], "bob is no admin here; there are none"),
    "bad id": (["import", "club.yaml", "--id", "Club Night"], "small letters, digits or hyphens"),
    "nothing to export": (["export"], "no tournament 'current' is in this database; there are: none"),
    "not there": (["export", "x"], "no tournament 'x'"),
    "options of tables": (["export", "--no-bom"], "go with --csv"),
    "no configuration": (["export", "--config", "nowhere.toml"], "nowhere.toml"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_call_is_answered_by_one_line(name: str, folder: Path, capfd: pytest.CaptureFixture[str]):
    words, told = WRONG[name]
    status, out, err = call(capfd, *words)
    assert (status, out, err.count("\n"), told in err) == (2, "", 1, True), err
    assert err.startswith("inlane-server: ")
    assert (folder / "club.yaml").exists()


def test_a_file_of_any_name_is_told_in_one_line(folder: Path, capfd: pytest.CaptureFixture[str]):
    name = b"odd\n\xff" + b"x" * 200
    (Path(os.fsdecode(bytes(folder) + b"/" + name))).write_text("inlane: 2\n", encoding="utf-8")
    status, _, err = call(capfd, "import", os.fsdecode(name))
    assert (status, err.count("\n"), "line 1: inlane: this program reads version 1" in err) == (2, 1, True)


def test_a_file_that_cannot_be_written_is_told(folder: Path, capfd: pytest.CaptureFixture[str]):
    call(capfd, "import", "club.yaml")
    status, _, err = call(capfd, "export", "-o", str(folder / "no" / "such" / "folder.yaml"))
    assert (status, err.count("\n"), "cannot be written" in err) == (1, 1, True)
