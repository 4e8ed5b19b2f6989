"""The session's table, line by line."""

import pytest

from bridge.session import WINDOW, Announce, Mark, Renew, Session
from bridge.wire.control import Ack, HostStatus, Status

STREAM = "0199f0c2-6d0e-7c3a-8a53-5f3f4f5b6c7d"
OTHER = "0199f0c2-6d0e-7c3a-8a53-000000000000"
ONE, TWO = "0199f0d1-0000-7000-8000-000000000001", "0199f0d1-0000-7000-8000-000000000002"


def online(incarnation: int) -> HostStatus:
    return HostStatus(state="online", incarnation=incarnation)


def lost(incarnation: int) -> HostStatus:
    return HostStatus(state="lost", incarnation=incarnation)


def ack(through: int, incarnation: int = 7, stream: str = STREAM, entry: str | None = None) -> Ack:
    return Ack(incarnation=incarnation, stream=stream, through=through, entry=entry)


def ghost(state: str = "lost") -> Status:
    return Status(state=state, session=1, stream=STREAM, boot="b")


def flowing(head: int = 10, acked: int = 0) -> Session:
    """A session that knows incarnation 7 and sends."""
    session = Session(stream=STREAM, head=head, acked=acked, incarnation=7)
    session.connected(1, now=0)
    session.host(online(7), now=0)
    session.outputs()
    assert session.state == "flowing"
    return session


def send(session: Session, now: int, size: int = 1) -> list[int]:
    """Send what may be sent, in frames of `size`; returns where each began."""
    began = []
    while (after := session.next_after()) is not None:
        began.append(after)
        session.sent(after, min(after + size, session.head), now)
    return began


def test_nothing_is_sent_before_there_is_a_connection_and_a_server():
    session = Session(stream=STREAM, head=3)
    assert (session.state, session.next_after(), session.next_deadline()) == ("offline", None, None)
    session.connected(1, now=0)
    assert session.outputs() == [Announce()]
    assert (session.state, session.next_after()) == ("waiting", None)


def test_a_server_that_is_new_to_us_is_asked_first():
    session = Session(stream=STREAM, head=3)
    session.connected(1, now=0)
    session.outputs()
    session.host(online(7), now=10)
    assert session.outputs() == [Announce()]
    assert (session.state, session.next_after()) == ("asking", None)
    session.ack(ack(1), now=20, held=ONE)
    assert (session.state, session.next_after()) == ("flowing", 1)
    assert session.outputs() == [Mark(stream=STREAM, through=1, incarnation=7)]


def test_who_is_asked_and_does_not_answer_is_asked_again():
    session = Session(stream=STREAM, head=3)
    session.connected(1, now=0)
    session.host(online(7), now=10)
    session.outputs()
    assert session.next_deadline() == 5_010
    session.tick(5_009)
    assert session.outputs() == []
    session.tick(5_010)
    assert session.outputs() == [Announce()]


def test_a_server_that_we_know_is_sent_to_at_once():
    assert send(flowing(head=3, acked=1), now=0) == [1, 2]


def test_no_more_than_the_window_is_in_flight():
    session = flowing(head=100)
    assert len(send(session, now=0)) == WINDOW
    session.ack(ack(3), now=1, held=None)
    assert send(session, now=1) == [WINDOW, WINDOW + 1, WINDOW + 2]


def test_the_cursor_only_rises_within_an_incarnation():
    session = flowing()
    session.ack(ack(5), now=1, held=None)
    session.ack(ack(3), now=2, held=None)
    assert session.cursor == 5


def test_late_news_and_other_streams_are_ignored():
    session = flowing()
    for late in (ack(9, incarnation=6), ack(9, stream=OTHER)):
        session.ack(late, now=1, held=None)
    session.host(lost(6), now=1)
    assert (session.state, session.cursor, session.outputs()) == ("flowing", 0, [])


def test_a_new_incarnation_may_lower_the_cursor_and_all_beyond_goes_out_again():
    session = flowing(head=10, acked=10)
    session.host(online(8), now=1)
    assert (session.state, session.outputs()) == ("asking", [Announce()])
    session.ack(ack(4, incarnation=8), now=2, held=None)
    assert send(session, now=2) == [4, 5, 6, 7, 8, 9]
    assert session.outputs() == [Mark(stream=STREAM, through=4, incarnation=8)]


def test_an_ack_of_a_new_incarnation_counts_though_its_birth_was_not_heard():
    session = flowing(head=10, acked=10)
    session.ack(ack(4, incarnation=8), now=2, held=None)
    assert (session.state, session.cursor, session.incarnation) == ("flowing", 4, 8)
    session.host(online(7), now=3)
    assert session.incarnation == 8


def test_while_the_server_is_away_nothing_is_sent_and_then_all_again():
    session = flowing(head=3)
    assert send(session, now=0) == [0, 1, 2]
    session.host(lost(7), now=1)
    assert (session.state, session.next_after(), session.next_deadline()) == ("waiting", None, None)
    session.host(online(7), now=2)
    assert send(session, now=2) == [0, 1, 2]


def test_a_broken_connection_starts_again_from_the_cursor():
    session = flowing(head=3)
    send(session, now=0)
    session.ack(ack(1), now=1, held=None)
    session.disconnected()
    assert (session.state, session.next_deadline()) == ("offline", None)
    session.connected(2, now=5)
    session.host(online(7), now=5)
    assert send(session, now=5) == [1, 2]


def test_without_progress_for_five_seconds_the_window_goes_out_again():
    session = flowing(head=3)
    send(session, now=0)
    assert session.next_deadline() == 5_000
    session.ack(ack(1), now=4_000, held=None)
    assert session.next_deadline() == 9_000
    session.tick(8_999)
    assert session.next_after() is None
    session.tick(9_000)
    assert send(session, now=9_000) == [1, 2]


@pytest.mark.parametrize(("from_seq", "again"), [(3, [2, 3, 4]), (1, []), (2, [1, 2, 3, 4]), (9, [])])
def test_a_replay_goes_back_but_never_behind_the_cursor(from_seq: int, again: list[int]):
    session = flowing(head=5)
    send(session, now=0)
    session.ack(ack(1), now=0, held=None)
    session.replay(from_seq, now=1)
    assert send(session, now=1) == again


def test_what_changed_while_a_frame_went_out_is_not_skipped():
    session = flowing(head=5)
    after = session.next_after()
    session.host(lost(7), now=1)  # while the frame was on its way to the broker
    session.sent(after, 3, now=2)
    session.host(online(7), now=3)
    assert session.next_after() == 0


@pytest.mark.parametrize(
    ("word", "held"),
    [(ack(11), None), (ack(5, entry=ONE), TWO), (ack(11, incarnation=8), None)],
    ids=["beyond our head", "another entry than ours", "of a new incarnation"],
)
def test_a_card_that_was_set_back_goes_on_in_a_new_stream(word: Ack, held: str | None):
    session = flowing(head=10)
    session.ack(word, now=1, held=held)
    assert session.outputs() == [Renew()]
    assert (session.state, session.next_after(), session.next_deadline()) == ("renewing", None, 5_001)
    session.ack(ack(5), now=2, held=None)
    assert session.cursor == 0
    session.tick(5_001)
    assert session.outputs() == [Renew()], "the disk was full: try again"
    session.renewed(OTHER, 10, now=5_002)
    assert session.outputs() == [Announce()]
    assert send(session, now=5_003) == list(range(10))


@pytest.mark.parametrize(("entry", "held"), [(ONE, ONE), (ONE, None), (None, ONE)])
def test_an_ack_that_names_our_entry_or_none_is_taken(entry: str | None, held: str | None):
    session = flowing(head=10)
    session.ack(ack(5, entry=entry), now=1, held=held)
    assert session.cursor == 5


def test_a_ghosts_will_is_answered_at_most_once_a_second():
    session = flowing()
    session.ghost(ghost("online"), now=500)
    assert session.outputs() == []
    session.ghost(ghost(), now=1_500)
    assert session.outputs() == [Announce()]
    session.ghost(ghost(), now=1_600)
    session.ghost(ghost(), now=1_700)
    assert (session.outputs(), session.next_deadline()) == ([], 2_500)
    session.tick(2_500)
    assert session.outputs() == [Announce()]


def test_what_is_appended_goes_out_next():
    session = flowing(head=0)
    assert session.next_after() is None
    session.appended(2)
    assert send(session, now=0, size=32) == [0]
