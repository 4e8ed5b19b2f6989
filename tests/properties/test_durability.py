"""The law of durability, played by a machine that tries everything a venue does to electronics.

Real outbox files, the real session, the real store; only the network is a loopback that is as evil as it likes.
More examples: INLANE_EXAMPLES=1000 pytest tests/properties/test_durability.py
"""

import os
import random
import shutil
import sqlite3
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from bridge.clock import ManualClock
from bridge.loopback import LoopbackBroker
from bridge.wire.ids import new_id
from server.store import ledger
from server.store.engine import reading
from tests.properties.programs import AGENT, FACTS, Agent, Server


class Venue(RuleBasedStateMachine):
    """Everything that happens; at the end everything is repaired, and the law must hold."""

    def __init__(self) -> None:
        super().__init__()
        room = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108  (quick to synchronise)
        self.folder = Path(tempfile.mkdtemp(dir=room))
        self.clock = ManualClock(wall_ms=1_796_000_000_000)
        self.broker = LoopbackBroker()
        self.cards = 0
        self.stated: list[str] = []
        """The ids of facts, in the order in which they were kept."""
        self.excused: set[str] = set()
        """Facts that went with their card: these may be missing, but not double."""
        self.place: dict[str, tuple[str, int]] = {}
        """Where each fact lies: its stream and seq there."""
        self.stream = ""
        self.copies: list[Path] = []
        self.backups: list[Path] = []
        self.card = self.new_folder()
        self.agent = Agent(self.broker, self.clock, self.card)
        self.database = self.new_folder() / "ledger.db"
        self.chance = random.Random(1).randrange  # noqa: S311
        self.server = Server(self.broker, self.clock, self.database, self.chance)
        self.go_well(2, 3)

    def new_folder(self) -> Path:
        self.cards += 1
        folder = self.folder / str(self.cards)
        folder.mkdir()
        return folder

    # --- the good -------------------------------------------------------------------------------------------------

    @rule(facts=st.lists(st.sampled_from(["good", "good", "good", *FACTS]), min_size=1, max_size=7))
    def append(self, facts: list[str]) -> None:
        self.stated += self.agent.append(facts)
        self.note_places()
        self.work()

    @rule(facts=st.integers(0, 5), rounds=st.integers(1, 4))
    def go_well(self, facts: int, rounds: int) -> None:
        """For a while nothing bad happens."""
        self.append(["good"] * facts)
        for _ in range(rounds):
            self.connect_both()
            self.deliver_all()

    @rule()
    def connect_both(self) -> None:
        if self.agent.connection is None or not self.agent.connection.open:
            self.agent.connect()
        if self.server.connection is None or not self.server.connection.open:
            self.server.connect()
        self.work()

    @rule(milliseconds=st.sampled_from([50, 1_000, 2_500, 6_000]))
    def wait(self, milliseconds: int) -> None:
        self.clock.advance(milliseconds)
        self.work()

    @precondition(lambda self: self.broker.transit)
    @rule(data=st.data(), many=st.integers(1, 8))
    def deliver(self, data: st.DataObject, many: int) -> None:
        for _ in range(many):
            if self.broker.transit:
                self.broker.deliver(data.draw(st.integers(0, min(3, len(self.broker.transit) - 1))))
                self.work()

    def deliver_all(self) -> None:
        self.broker.deliver_all()
        self.work()

    def work(self) -> None:
        self.agent.work()
        self.server.work()

    # --- the network ------------------------------------------------------------------------------------------------

    @precondition(lambda self: self.broker.transit)
    @rule(data=st.data(), many=st.integers(1, 5))
    def lose(self, data: st.DataObject, many: int) -> None:
        for _ in range(min(many, len(self.broker.transit))):
            self.broker.lose(data.draw(st.integers(0, len(self.broker.transit) - 1)))

    @precondition(lambda self: self.broker.transit)
    @rule(data=st.data())
    def double(self, data: st.DataObject) -> None:
        self.broker.double(data.draw(st.integers(0, len(self.broker.transit) - 1)))

    @rule(whose=st.sampled_from(["agent", "server", "broker"]), late=st.booleans())
    def cut(self, *, whose: str, late: bool) -> None:
        self.broker.late_wills = [] if late else None
        connection = (self.server if whose == "server" else self.agent).connection
        if whose == "broker":
            self.broker.restart()
        elif connection is not None and connection.open:
            self.broker.cut(connection)

    @rule()
    def wills(self) -> None:
        self.broker.publish_wills()

    # --- the agent --------------------------------------------------------------------------------------------------

    @rule(facts=st.integers(0, 3))
    def kill_agent(self, facts: int) -> None:
        self.stated += self.agent.append(["good"] * facts)  # kept, and killed before anything was sent
        self.note_places()
        self.agent.die()
        self.agent = Agent(self.broker, self.clock, self.card)

    @rule()
    def new_card(self) -> None:
        self.excused |= self.held()
        self.agent.die()
        self.card = self.new_folder()
        self.agent = Agent(self.broker, self.clock, self.card)
        self.note_places()

    @rule()
    def copy_card(self) -> None:
        self.agent.die()
        folder = self.new_folder()
        shutil.copytree(self.card, folder, dirs_exist_ok=True)
        self.copies.append(folder)
        self.agent = Agent(self.broker, self.clock, self.card)

    @precondition(lambda self: self.copies)
    @rule()
    def set_card_back(self) -> None:
        """The card lied about what was durable, or an old image of it was put in: seqs will be given twice."""
        self.agent.die()
        self.card = self.copies.pop()
        self.clock.boot = new_id()
        self.agent = Agent(self.broker, self.clock, self.card)
        self.excused |= self.place.keys() - self.held()
        self.excused -= self.held()
        self.note_places()

    @rule(how=st.sampled_from(["empty", "no log", "cut"]))
    def damage_card(self, how: str) -> None:
        path = self.card / "outbox.db"
        log = self.card / "outbox.db-wal"
        image = {name: name.read_bytes() for name in (path, log) if name.exists()}  # as a power cut leaves it
        before = self.held()
        self.agent.die()
        for name, content in image.items():
            name.write_bytes(content)
        if how == "empty":
            path.write_bytes(b"")
        elif how == "no log":
            log.write_bytes(b"")
        else:
            newest = log if len(image.get(log, b"")) > 100 else path
            newest.write_bytes(newest.read_bytes()[:-100])
        self.agent = Agent(self.broker, self.clock, self.card)
        lost = before - self.held()
        told = [entry for entry in self.agent.outbox.window(0, 100_000) if entry.body.get("fault") == "outbox-damaged"]
        assert told or not lost, "facts vanished from a damaged outbox, and nobody was told"
        self.excused |= lost
        self.note_places()

    @rule()
    def prune(self) -> None:
        self.agent.outbox.prune(self.clock.wall_ms(), keep_ms=0)

    def held(self) -> set[str]:
        return {entry.id for entry in self.agent.outbox.window(0, 100_000)}

    def note_places(self) -> None:
        """A stream that is succeeded by another leaves no trace of what was pruned from it: that went with it."""
        stream = self.agent.outbox.stream
        held = {entry.id: (stream, entry.seq) for entry in self.agent.outbox.window(0, 100_000)}
        if stream != self.stream:
            self.stream = stream
            self.excused |= self.place.keys() - held.keys()
        self.place |= held

    # --- the server -------------------------------------------------------------------------------------------------

    @rule(doom=st.sampled_from([None, "before commit", "before ack"]), facts=st.integers(0, 3))
    def kill_server(self, doom: str | None, facts: int) -> None:
        self.append(["good"] * facts)
        self.server.doom = doom
        if doom:
            self.broker.deliver_all()
        self.restart_server(self.database)

    @rule(facts=st.integers(0, 3))
    def back_up(self, facts: int) -> None:
        self.backups.append(self.new_folder() / "ledger.db")
        with sqlite3.connect(self.database) as source, sqlite3.connect(self.backups[-1]) as target:
            source.backup(target)
        source.close()
        target.close()
        self.go_well(facts, 2)

    @precondition(lambda self: self.backups)
    @rule(clock_back=st.booleans())
    def restore(self, *, clock_back: bool) -> None:
        if clock_back:
            self.clock.set_wall(self.clock.wall_ms() - 3_600_000)
        self.restart_server(self.backups.pop())

    def restart_server(self, database: Path) -> None:
        self.server.die()
        self.database = database
        self.server = Server(self.broker, self.clock, self.database, self.chance)

    # --- the law ----------------------------------------------------------------------------------------------------

    @invariant()
    def places_are_known(self) -> None:
        if self.agent.outbox.stream != self.stream:
            self.note_places()

    @invariant()
    def no_word_beyond_the_commit(self) -> None:
        session, server = self.agent.session, self.server
        if session.incarnation == server.recorder.incarnation and session.state == "flowing":
            assert session.cursor <= server.recorder.cursor(AGENT, session.stream).through

    def teardown(self) -> None:
        try:
            self.settle()
            self.judge()
        finally:
            self.agent.die()
            self.server.die()
            shutil.rmtree(self.folder)

    def settle(self) -> None:
        self.broker.publish_wills()
        for _ in range(60):
            self.go_well(0, 1)
            self.clock.advance(1_100)
            session = self.agent.session
            if session.state == "flowing" and session.cursor == session.head and not self.broker.transit:
                return
        raise AssertionError(f"does not come to rest: {session.state}, {session.cursor} of {session.head}")

    def judge(self) -> None:
        with reading(self.server.engine) as connection:
            found = ledger.read(connection, 0, 1_000_000)
        facts = [record for record in found if record.kind.startswith("fact.")]
        lost = [record.body for record in found if record.kind == "stream.gap"]
        gaps = [(gap["stream"], range(gap["from"], gap["through"] + 1)) for gap in lost]
        forked = {(r.body["stream"], seq) for r in found if r.kind == "stream.forked" for seq in r.body["seqs"]}
        names = [record.body["entry"] for record in facts]
        told = [r for r in facts if r.kind == "fact.fault.raised" and r.body["body"]["fault"] == "outbox-damaged"]
        assert len(names) == len(set(names)), "a fact counts twice"
        assert set(names) <= set(self.stated) | {record.body["entry"] for record in told}, "a fact was invented"

        for lost in set(self.stated) - set(names) - self.excused:
            stream, seq = self.place[lost]
            assert any(stream == of and seq in gap for of, gap in gaps), "a fact is lost, and no gap tells of it"
        assert self.held() <= set(names), "the outbox holds what the server says it has and has not"

        last: dict[str, int] = {}
        for record in facts:
            late = any(record.stream == of and record.seq in gap for of, gap in gaps)
            if late or (record.stream, record.seq) in forked:
                continue
            assert record.seq > last.get(record.stream, 0), "a stream's facts are out of order"
            last[record.stream] = record.seq


TestVenue = Venue.TestCase
TestVenue.settings = settings(
    max_examples=int(os.environ.get("INLANE_EXAMPLES", "100")),
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
