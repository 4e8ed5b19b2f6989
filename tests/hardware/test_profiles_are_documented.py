"""docs/profiles.md names every key of a profile, and its examples are profiles that pass the check."""

import re
from pathlib import Path

import pytest

from bridge.cli import main
from hardware.displays import DISPLAYS, Lamp, Window
from hardware.profile import DisplayWords, MachineProfile

TEXT = (Path(__file__).parents[2] / "docs" / "profiles.md").read_text("utf-8")
CODES = set(re.findall(r"`([^`\n]+)`", TEXT))
EXAMPLES = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.parametrize("model", [MachineProfile, DisplayWords, Window, Lamp, *DISPLAYS.values()])
def test_every_key_is_named(model: type[MachineProfile]):
    assert set(model.model_fields) <= CODES


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: text.split('"')[1])
def test_every_example_passes_the_check(example: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "own.toml"
    file.write_text(example, "utf-8")
    assert main(["profiles", "check", str(file)]) == 0
    assert "good" in capsys.readouterr().out


def test_there_is_an_example_of_every_kind_without_a_file_that_comes_along():
    kinds = {match for example in EXAMPLES for match in re.findall(r'^type = "(\w+)"', example, re.MULTILINE)}
    assert kinds == set(DISPLAYS) - {"dmd"}
