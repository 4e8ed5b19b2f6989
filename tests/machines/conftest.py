"""Recordings of Mission Pinball Framework: what capture must say of each."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bridge.cli import main


@pytest.fixture
def replayed(capsys: pytest.CaptureFixture[str]) -> Callable[..., list[dict[str, Any]]]:
    """`inlane-agent replay --json` of a file, as the objects it prints."""

    def replay(path: Path, *more: str, profile: str = "mpf-bcp") -> list[dict[str, Any]]:
        capsys.readouterr()
        assert main(["replay", "--profile", profile, str(path), "--json", *more]) == 0
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return replay
