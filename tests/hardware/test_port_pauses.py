"""How long a port waits before it tries again."""

from hardware.ports.tcp import Pauses


def test_pauses_double_up_to_half_a_minute_and_are_uneven():
    longest = Pauses(lambda: 1.0)
    assert [longest.draw() for _ in range(8)] == [0.5, 1, 2, 4, 8, 16, 30, 30]
    longest.reset()
    assert longest.draw() == 0.5
    assert Pauses(lambda: 0.0).draw() == 0.25
