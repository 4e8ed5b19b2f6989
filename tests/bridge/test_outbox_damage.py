"""The outbox when the disk broke its promise: nothing is thrown away, nothing is made up, and it is told."""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from bridge.errors import OutboxDamaged
from bridge.outbox import Outbox
from tests.bridge.filled import AT, fill, held


def crashed(folder: Path, count: int, *, settled: bool = False) -> tuple[Path, list[str], str]:
    """An outbox as a power cut leaves it: nothing was closed. Its path, the ids it held, its stream.

    Half of the facts lie in the write-ahead log alone, unless it is `settled`.
    """
    outbox = Outbox(folder / "live.db")
    fill(outbox, count // 2)
    outbox._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    fill(outbox, count - count // 2)
    if settled:
        outbox._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for suffix in ("", "-wal", ".seen"):
        (folder / f"outbox.db{suffix}").write_bytes((folder / f"live.db{suffix}").read_bytes())
    names, stream = [name for _, name in held(outbox)], outbox.stream
    outbox.close()
    return folder / "outbox.db", names, stream


def cut(path: Path, count: int = 100) -> None:
    os.truncate(path, path.stat().st_size - count)


def overwrite_a_digit(path: Path) -> None:
    content = path.read_bytes()
    place = content.rindex(b'{"by_ms":')
    path.write_bytes(content[: place + 9] + b"7" + content[place + 10 :])


DAMAGES: list[tuple[str, Callable[[Path], object], int, bool]] = [
    ("the newest file is cut", lambda path: cut(path.with_name("outbox.db-wal")), 20, False),
    ("the log is emptied", lambda path: path.with_name("outbox.db-wal").write_bytes(b""), 20, False),
    ("the log is gone", lambda path: path.with_name("outbox.db-wal").unlink(), 20, False),
    ("the database is cut", cut, 1, True),
    ("the database is emptied", lambda path: path.write_bytes(b""), 0, False),
    ("the database is gone", lambda path: path.unlink(), 0, False),
    ("the database is no database", lambda path: path.write_bytes(b"x" * 8192), 0, True),
    ("a digit is changed", overwrite_a_digit, 39, True),
]


@pytest.mark.parametrize(
    ("damage", "least", "settled"), [damage[1:] for damage in DAMAGES], ids=[name for name, *_ in DAMAGES]
)
def test_a_damaged_file_is_kept_aside_told_and_what_can_be_read_goes_on(
    tmp_path: Path, damage: Callable[[Path], object], least: int, *, settled: bool
):
    path, names, stream = crashed(tmp_path, 40, settled=settled)
    damage(path)
    outbox = Outbox(path)
    assert outbox.stream != stream, "seqs that may have been sent are never given again"
    saved = [name for _, name in held(outbox)]
    assert saved == [name for name in names if name in saved], "what is saved keeps its order and its ids"
    assert least <= len(saved) < 40
    assert outbox.damage is not None
    told = outbox.append_damage(AT)
    assert told is not None
    assert (told.kind, told.body["fault"]) == ("fault.raised", "outbox-damaged")
    assert "missing: check this agent's games" in told.body["detail"]
    assert list(tmp_path.glob("outbox.db.damaged-*"))
    outbox.close()
    again = Outbox(path)
    assert again.damage is None, "it is told once"
    assert again.append_damage(AT) is None
    assert len(held(again)) == len(saved) + 1
    again.close()


def test_damage_that_was_not_told_yet_is_told_after_the_next_start(tmp_path: Path):
    path, _, _ = crashed(tmp_path, 4)
    path.write_bytes(b"")
    Outbox(path).close()
    again = Outbox(path)
    assert again.append_damage(AT) is not None
    again.close()


def test_a_power_cut_in_the_middle_of_the_swap_loses_nothing_that_was_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path, names, _ = crashed(tmp_path, 40, settled=True)
    overwrite_a_digit(path)
    renames: list[Path] = []
    rename = Path.rename
    for fatal in range(1, 7):

        def rename_until(self: Path, target: Path, fatal: int = fatal) -> Path:
            renames.append(self)
            if len(renames) == fatal:
                raise KeyboardInterrupt  # the power fails
            return rename(self, target)

        renames.clear()
        with monkeypatch.context() as power:
            power.setattr(Path, "rename", rename_until)
            try:
                Outbox(path).close()
                break
            except KeyboardInterrupt:
                continue
    outbox = Outbox(path)
    saved = [name for _, name in held(outbox)]
    assert saved == [name for name in names if name in saved]
    assert len(saved) == 39
    outbox.close()


def test_damage_in_use_is_said_with_what_to_do(tmp_path: Path):
    outbox = Outbox(tmp_path / "outbox.db")
    fill(outbox, 3)
    with sqlite3.connect(tmp_path / "outbox.db") as other:
        other.execute("UPDATE entry SET body = '{\"by_ms\":9}' WHERE seq = 2")
    other.close()
    with pytest.raises(OutboxDamaged, match="fact 2 is damaged: start the agent again"):
        outbox.window(0, 10)
    outbox.close()
    again = Outbox(tmp_path / "outbox.db")
    assert len(held(again)) == 2
    assert again.damage is not None
    again.close()
