"""Datagrams as a port: one line each, shared, bounded."""

import socket

import pytest

from hardware.errors import PortInvalid
from hardware.ports import open_port
from hardware.ports.base import Chunk, Closed, Opened
from hardware.ports.udp import MOST_WAITING, UdpPort
from tests.hardware.ears import Ear, hearing


def free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def send(port: int, *data: bytes) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        for one in data:
            sock.sendto(one, ("127.0.0.1", port))


def now() -> int:
    return 7


def udp(url: str) -> UdpPort:
    port = open_port(url, now=now)
    assert isinstance(port, UdpPort)
    return port


async def test_each_datagram_is_one_line():
    number = free_port()
    async with hearing(Ear(udp(f"udp://127.0.0.1:{number}"))) as heard:
        await heard.until(1)
        send(number, b"one", b"two\n", b"")
        assert (await heard.until(3)) == [
            Opened(at=7, port=f"udp://127.0.0.1:{number}", passive=True),
            Chunk(at=7, data=b"one\n"),
            Chunk(at=7, data=b"two\n"),
        ]


async def test_several_machines_hear_what_comes_to_one_address():
    """A datagram to this one computer would reach one socket alone."""
    url = f"udp://127.0.0.1:{(number := free_port())}"
    async with hearing(Ear(udp(url))) as first, hearing(Ear(udp(url))) as second:
        await first.until(1)
        await second.until(1)
        send(number, b"one")
        assert (await first.until(2))[1] == (await second.until(2))[1] == Chunk(at=7, data=b"one\n")
    async with hearing(Ear(udp(url))) as again:
        await again.until(1)
        send(number, b"two")
        assert (await again.until(2))[1] == Chunk(at=7, data=b"two\n")


async def test_one_machine_may_leave_and_the_others_hear_on():
    url = f"udp://127.0.0.1:{(number := free_port())}"
    async with hearing(Ear(udp(url))) as stays:
        async with hearing(Ear(udp(url))) as goes:
            await goes.until(1)
        await stays.until(1)
        send(number, b"one")
        await stays.until(2)


async def test_only_the_named_sender_is_heard():
    number = free_port()
    here, elsewhere = f"udp://127.0.0.1:{number}?from=127.0.0.1", f"udp://127.0.0.1:{number}?from=192.0.2.1"
    async with hearing(Ear(udp(here))) as heard, hearing(Ear(udp(elsewhere))) as deaf:
        await heard.until(1)
        await deaf.until(1)
        send(number, b"one")
        await heard.until(2)
        assert len(deaf.events) == 1


def test_a_flood_costs_no_more_than_its_limit_and_the_newest_stay():
    port = udp("udp://127.0.0.1:6809")
    for number in range(100):
        port.take(b"%60000d" % number, "127.0.0.1")
    assert port.dropped > 80
    assert port._held <= MOST_WAITING
    assert int(port._waiting[-1].data) == 99


async def test_an_address_that_is_taken_is_said_and_tried_again():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", 0))  # and shares it with nobody
        number = int(sock.getsockname()[1])
        async with hearing(Ear(udp(f"udp://127.0.0.1:{number}"))) as heard:
            (closed,) = await heard.until(1)
            assert isinstance(closed, Closed)
            assert closed.reason == "busy"
            assert "in use" in closed.why
            sock.close()
            await heard.until(2)
            assert isinstance(heard.events[-1], (Opened, Closed))


@pytest.mark.parametrize(
    "url", ["udp://", "udp://0.0.0.0", "udp://0.0.0.0:x", "udp://0.0.0.0:99999", "udp://h:1/path", "udp://h:1?from=me",
            "udp://h:1?to=1.2.3.4", "udp://[::1"],
)  # fmt: skip
def test_an_address_that_makes_no_sense_is_refused(url: str):
    with pytest.raises(PortInvalid, match="such an address is udp://HOST:PORT"):
        open_port(url, now=now)
