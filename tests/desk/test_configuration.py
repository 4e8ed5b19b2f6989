"""The configuration: every key documented, every mistake named; and what the commands say."""

import subprocess
import sys
from pathlib import Path

import pytest

from bridge.config import load_config as load_agent
from server.config import ConfigInvalid, keys, load_config
from server.errors import StoreUnavailable
from server.store.database import Store

DOCS = Path(__file__).parents[2] / "docs" / "server.md"


def test_every_key_is_documented():
    text = DOCS.read_text(encoding="utf-8")
    assert [key for key in keys() if f"| `{key}` |" not in text] == []


def test_an_empty_file_is_a_whole_configuration(tmp_path: Path):
    path = tmp_path / "server.toml"
    path.write_text("", encoding="utf-8")
    config = load_config(path)
    assert config.database.url == str(tmp_path / "inlane.sqlite3")
    assert config.evidence.folder == tmp_path / "evidence"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[http]\nprot = 8000\n", "http.port"),
        ("[http]\nport = '8000'\n", "http.port"),
        ("[http]\nport = 70000\n", "http.port"),
        ("[venue]\ntimezone = 'Mars/Olympus'\n", "venue.timezone"),
        ("[browser]\n", "browser"),
        ("http = 5\n", "http"),
        ("[http\n", "not valid TOML"),
        (f"[http]\nport = {'9' * 5000}\n", "not valid TOML"),
        (f"[http]\nport = 0x{'f' * 5000}\n", "http.port"),
        ("[evidence]\nmegabytes = 1\n", "evidence.megabytes"),
        ('[http]\nhost = "a\\u0000b"\n', "http.host"),
        ('[database]\nurl = "a\\u0000b"\n', "database.url"),
        ('[evidence]\nfolder = "a\\nb"\n', "evidence.folder"),
        ('[broker]\nusername = "\\u0000"\n', "broker.username"),
        ("[broker]\nroot = 'a/#'\n", "broker.root"),
        ("[broker]\nroot = '/'\n", "broker.root"),
        ("[broker]\nca = 'nowhere.pem'\n", "broker.ca"),
    ],
)
def test_a_mistake_names_file_and_key_in_one_line(tmp_path: Path, text: str, said: str):
    path = tmp_path / "server.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigInvalid) as caught:
        load_config(path)
    assert said in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def command(folder: Path, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "server.cli", *words]
    return subprocess.run(argv, cwd=folder, input=typed, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a configuration whose broker has a login."""
    (tmp_path / "server.toml").write_text('[broker]\nusername = "host"\n', encoding="utf-8")
    return tmp_path


def test_adding_an_agent_prints_a_configuration_that_the_agent_reads(folder: Path):
    done = command(folder, "agent", "add", "pi-1")
    assert done.returncode == 0, done.stderr
    path = folder / "agent.toml"
    path.write_text(done.stdout, encoding="utf-8")
    config = load_agent(path)
    assert config.agent == "pi-1"
    assert config.broker.password.get_secret_value() in done.stdout.split("mosquitto_passwd")[1]
    again = command(folder, "agent", "add", "pi-1")
    assert (again.returncode, again.stdout) == (2, "")
    assert "there is an agent pi-1 already" in again.stderr
    assert command(folder, "agent", "add", "pi-1", "--renew").returncode == 0


def test_adding_a_person(folder: Path):
    assert command(folder, "user", "add", "ada", "--role", "admin", typed="long enough\n").returncode == 0
    twice = command(folder, "user", "add", "ada", "--role", "admin", typed="long enough\n")
    assert (twice.returncode, twice.stderr.count("\n")) == (2, 1)
    short = command(folder, "user", "add", "bob", "--role", "desk", typed="short\n")
    assert (short.returncode, "8 to 200" in short.stderr) == (2, True)
    made = command(folder, "user", "add", "bob", "--role", "desk", "--generate")
    assert "shown this once" in made.stdout
    assert command(folder, "user", "add", "eve", "--role", "king", typed="x\n").returncode == 2


def test_a_missing_configuration_is_one_clear_line(tmp_path: Path):
    done = command(tmp_path, "run", "--config", "server.toml")
    assert done.returncode == 2
    assert done.stderr == "inlane-server: server.toml: cannot be read: No such file or directory\n"


def test_a_database_of_another_layout_is_refused_and_left_alone(tmp_path: Path):
    path = tmp_path / "inlane.sqlite3"
    store = Store.open(str(path))
    with store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE about SET value = '2'")
    store.close()
    with pytest.raises(StoreUnavailable, match="layout is 2, this program knows 1"):
        Store.open(str(path))


def test_a_file_that_is_no_database_is_refused_in_one_line(tmp_path: Path):
    path = tmp_path / "inlane.sqlite3"
    path.write_bytes(b"this is no database, it is a text that somebody wrote here" * 100)
    with pytest.raises(StoreUnavailable, match="not a database"):
        Store.open(str(path))
