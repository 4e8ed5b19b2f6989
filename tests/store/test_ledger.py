"""The ledger and the engine beneath it."""

import sqlite3
import threading
from pathlib import Path

import pytest

from server.errors import StoreUnavailable
from server.store import ledger
from server.store.engine import make_engine, reading, writing
from server.store.ledger import Record


def record(number: int) -> Record:
    return Record(at=number, kind="fact.clock.stepped", who="agent:pi-1", body={"n": number, "score": 10**18})


def test_records_get_positions_without_holes_and_come_back_the_same(tmp_path: Path):
    engine = make_engine(str(tmp_path / "ledger.db"))
    with writing(engine) as connection:
        assert ledger.tail(connection) == 0
        assert ledger.append(connection, []) == []
        first = ledger.append(connection, [record(1), record(2)])
    with writing(engine) as connection:
        ledger.append(connection, [record(3)])
        connection.rollback()
    with writing(engine) as connection:
        second = ledger.append(connection, [record(4)])
    with reading(engine) as connection:
        assert ledger.read(connection) == [*first, *second]
        assert [kept.position for kept in ledger.read(connection, after=1, limit=1)] == [2]
        assert ledger.tail(connection) == 3
    engine.dispose()


def test_a_commit_is_synchronised_to_the_disk(tmp_path: Path):
    engine = make_engine(str(tmp_path / "ledger.db"))
    with reading(engine) as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
    engine.dispose()


def test_writers_that_come_together_wait_for_each_other(tmp_path: Path):
    engine = make_engine(str(tmp_path / "ledger.db"))
    failures: list[BaseException] = []

    def write() -> None:
        try:
            for number in range(20):
                with writing(engine) as connection:
                    ledger.tail(connection)
                    ledger.append(connection, [record(number)])
        except BaseException as error:  # noqa: BLE001
            failures.append(error)

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with reading(engine) as connection:
        assert [kept.position for kept in ledger.read(connection)] == list(range(1, 81))
    assert not failures
    engine.dispose()


def test_a_reader_sees_one_moment_while_others_write(tmp_path: Path):
    engine = make_engine(str(tmp_path / "ledger.db"))
    with reading(engine) as before:
        assert ledger.tail(before) == 0
        with writing(engine) as connection:
            ledger.append(connection, [record(1)])
        assert ledger.tail(before) == 0
    engine.dispose()


@pytest.mark.parametrize("address", ["nosuch://host/db", "sqlite:////no/such/folder/ledger.db"])
def test_a_store_that_cannot_be_opened_is_said_in_one_line(address: str):
    with pytest.raises(StoreUnavailable, match="database") as unavailable:
        make_engine(address)
    assert "\n" not in str(unavailable.value)


def test_a_file_that_is_no_database_is_said(tmp_path: Path):
    (tmp_path / "ledger.db").write_bytes(b"x" * 4096)
    with pytest.raises(StoreUnavailable, match="file is not a database"):
        make_engine(str(tmp_path / "ledger.db"))


def test_a_password_is_not_shown():
    with pytest.raises(StoreUnavailable) as unavailable:
        make_engine("nosuch://user:secret@host/db")
    assert "secret" not in str(unavailable.value)


def test_no_lock_of_another_program_is_waited_for_in_vain(tmp_path: Path):
    engine = make_engine(str(tmp_path / "ledger.db"))
    other = sqlite3.connect(tmp_path / "ledger.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    release = threading.Timer(0.3, lambda: other.execute("COMMIT"))
    release.start()
    with writing(engine) as connection:
        ledger.append(connection, [record(1)])
    release.join()
    other.close()
    engine.dispose()
