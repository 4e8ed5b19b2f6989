"""The documentation of the agent names every key, parameter, rate, scheme, command and fault of its own."""

import re
from pathlib import Path
from typing import get_args

import pytest

from bridge import config, vitals
from bridge.station import FAULT
from bridge.wire.control import Command
from hardware.ports import SCHEMES
from hardware.ports.sim import PARAMETERS
from hardware.sim.play import Habits

TEXT = (Path(__file__).parents[2] / "docs" / "agent.md").read_text("utf-8")
CODES = set(re.findall(r"`([^`\n]+)`", TEXT))


@pytest.mark.parametrize("key", config.keys())
def test_every_configuration_key_has_a_row(key: str):
    assert re.search(rf"^\| `{re.escape(key)}` \|", TEXT, re.MULTILINE)


@pytest.mark.parametrize("name", PARAMETERS)
def test_every_parameter_of_a_simulated_machine_is_named(name: str):
    assert name in CODES


def test_the_defaults_of_rates_are_the_real_ones():
    for name, told in re.findall(r"`(\w+)` (\d+(?:\.\d+)?)", TEXT):
        if name in PARAMETERS:
            assert float(told) == getattr(Habits(), name), name


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_kind_of_port_is_named(scheme: str):
    assert any(code.startswith((f"{scheme}:", f"{scheme}//")) for code in CODES)


def test_every_command_that_is_obeyed_is_named():
    assert set(get_args(Command.model_fields["name"].annotation)) <= CODES


def test_the_agents_own_faults_are_named():
    assert {FAULT, "disk-low", "undervoltage", "clock-unsynced", "outbox-damaged"} <= CODES
    assert f"{vitals.DISK_LOW // 2**20} MB" in TEXT


def test_the_example_is_a_configuration(tmp_path: Path):
    example = re.search(r"```toml\n(.*?)```", TEXT, re.DOTALL)
    assert example
    file = tmp_path / "agent.toml"
    file.write_text(example[1], "utf-8")
    assert config.load_config(file).machine[0].id == "mm-2"
