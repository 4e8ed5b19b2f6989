"""`inlane-server user`: a captain is a player of the rosters; whatever is wrong is one line and changes nothing."""

import io
import sys
from pathlib import Path

import pytest

from server import cli
from server.accounts import Accounts
from server.store.database import Store


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A server.toml with a database of its own."""
    file = tmp_path / "server.toml"
    file.write_text(f'[database]\nurl = "{tmp_path / "inlane.sqlite3"}"\n', encoding="utf-8")
    return file


def user(config: Path, *words: str) -> int:
    return cli.main(["user", *words, "--config", str(config)])


def player_of(config: Path, name: str) -> str | None:
    store = Store.open(str(config.parent / "inlane.sqlite3"))
    try:
        found = Accounts(store).find(name)
        assert found is not None
        return found.player
    finally:
        store.close()


def test_a_captain_is_added_as_a_player_and_may_become_another(
    config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(sys, "stdin", io.StringIO("correct horse\n"))
    assert user(config, "add", "Hal", "--role", "captain", "--player", "h1") == 0
    assert "Hal may log in as captain and plays as h1" in capsys.readouterr().out
    assert player_of(config, "Hal") == "h1"
    assert user(config, "player", "Hal", "h2") == 0
    assert player_of(config, "Hal") == "h2"
    assert user(config, "player", "Hal") == 0
    assert player_of(config, "Hal") is None


@pytest.mark.parametrize(
    "words",
    [("add", "Hal", "--role", "captain", "--player", "x" * 10**5), ("player", "Nobody", "h1"), ("player", "Hal", "")],
)
def test_what_is_wrong_is_one_line(
    config: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(sys, "stdin", io.StringIO("correct horse\n"))
    assert user(config, *words) == 2
    told = capsys.readouterr().err
    assert len(told.splitlines()) == 1
    assert len(told) < 300
