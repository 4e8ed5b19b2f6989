"""Mistakes in agent.toml that no type tells: one line with the file and the key, before anything runs."""

from pathlib import Path

import pytest

from bridge.cli import main
from bridge.config import load_config
from bridge.errors import ConfigInvalid

HEAD = 'agent = "a"\n{data}\n[broker]\nhost = "127.0.0.1"\n{broker}\n'
MACHINE = '[[machine]]\nid = "m"\nprofile = "dmd-128x32"\nport = "sim://dmd"\ncorners = {corners}\n'
SQUARE = "[[0, 0], [9, 0], [9, 9], [0, 9]]"


def write(path: Path, data: str = 'data = "d"', broker: str = "", corners: str = SQUARE) -> Path:
    path.write_text(HEAD.format(data=data, broker=broker) + MACHINE.format(corners=corners), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("wrong", "key"),
    [
        ({"data": 'data = "a\\u0000b"'}, "'data'"),
        ({"broker": 'username = "a\\nb"'}, "broker.username"),
        ({"broker": 'root = "a/+"'}, "broker.root"),
        ({"broker": "port = " + "9" * 5000}, "not valid TOML"),
        ({"broker": "port = 0x" + "f" * 5000}, "broker.port"),
        ({"broker": 'ca = "nowhere.pem"'}, "broker.ca"),
        ({"corners": "[[nan, 0], [9, 0], [9, 9], [0, 9]]"}, "corners"),
        ({"corners": "[[0, 0], [inf, 0], [9, 9], [0, 9]]"}, "corners"),
        ({"corners": "[[0, 0], [1e300, 0], [9, 9], [0, 9]]"}, "corners"),
    ],
)
def test_a_mistake_names_file_and_key_in_one_line(tmp_path: Path, wrong: dict[str, str], key: str):
    path = write(tmp_path / "agent.toml", **wrong)
    with pytest.raises(ConfigInvalid) as caught:
        load_config(path)
    assert str(path) in str(caught.value)
    assert key in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_same_without_a_mistake_is_read(tmp_path: Path):
    config = load_config(write(tmp_path / "agent.toml"))
    assert config.machine[0].corners == ((0, 0), (9, 0), (9, 9), (0, 9))


WIRED = '[[machine]]\nid = "m"\nprofile = "{profile}"\nport = "{port}"\n{more}\n'


@pytest.mark.parametrize(
    ("profile", "port", "more", "said"),
    [
        ("lines", "tcp://h:1", 'secret = ""', "'machine[1].secret' (machine 'm'): a text is needed"),
        ("lines", "camera://0", "", "'camera://0' shows pictures"),
        ("dmd-128x32", "tcp://h:1", "", "'tcp://h:1' is no camera"),
        ("lines", "replay:/nowhere", "", "cannot read /nowhere"),
        ("lines", "replay:/dev/null", "", "is no recording"),
    ],
)
def test_what_does_not_go_together_is_refused_before_anything_runs(
    profile: str, port: str, more: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "agent.toml"
    text = HEAD.format(data='data = "d"', broker="") + WIRED.format(profile=profile, port=port, more=more)
    file.write_text(text, encoding="utf-8")
    assert main(["run", "--config", str(file)]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
