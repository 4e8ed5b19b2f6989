"""What the log says of messages that cannot be read: few lines, each of them ours."""

from server.ingest.refusals import LINES, LONGEST, WINDOW_MS, Refusals, shown


def test_a_flood_of_bad_messages_is_a_few_lines_and_a_count():
    refusals = Refusals()
    said = [refusals.line("t", "empty", now) for now in range(5000)]
    assert [line for line in said if line is not None] == ["t: empty"] * LINES
    later = refusals.line("t", "empty", 5000 + WINDOW_MS)
    assert later == f"t: empty ({5000 - LINES} more like it were not logged)"
    assert refusals.line("t", "empty", 5001 + WINDOW_MS) == "t: empty"


def test_a_topic_writes_no_line_of_its_own():
    assert shown("a\n2026-01-01 INFO all is well\r\x1b[2J\u2028b").isprintable()
    assert len(shown("x" * 70_000)) == LONGEST + 1
    assert shown("inlane/v1/agent/pi-ä/up/log") == "inlane/v1/agent/pi-ä/up/log"
