"""Mistakes in agent.toml that no type tells: one line with the file and the key, before anything runs."""

from pathlib import Path

import pytest

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
