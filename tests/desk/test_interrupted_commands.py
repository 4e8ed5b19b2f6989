"""Ctrl-C while a command is still being read ends it without a word."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("room", ["server", "bridge"])
def test_an_interrupt_at_the_very_beginning_is_no_traceback(room: str):
    code = (
        "import sys\n"
        "class Hand:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == '{room}.commands.run': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Hand())\n"
        f"from {room}.cli import main\n"
        "sys.exit(main(['run', '--config', 'x.toml']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (130, "")
