"""An outbox with something in it, for the tests of the outbox."""

from bridge.outbox import Outbox
from bridge.wire.frame import At, Entry

AT = At(boot="b", mono_ms=5)


def fill(outbox: Outbox, count: int) -> list[Entry]:
    return outbox.append_many([("clock.stepped", None, AT, {"by_ms": number}) for number in range(count)])


def held(outbox: Outbox) -> list[tuple[int, str]]:
    return [(entry.seq, entry.id) for entry in outbox.window(0, 100_000)]
