"""Which addresses name a port, and what is said of those that do not."""

import pytest

from hardware.errors import PortInvalid
from hardware.ports import open_port
from hardware.ports.tcp import ConnectPort


@pytest.mark.parametrize(
    "url",
    [
        "tcp://", "tcp://host", "tcp://host:0", "tcp://host:99999", "tcp://:5051", "tcp://h:5051/path", "tcp://h:x",
        "tcp-listen://:5050", "tcp://user@h:1", "tcp://[::1", "tcp:h:1",
    ],
)  # fmt: skip
def test_an_address_that_makes_no_sense_is_refused_in_one_line(url: str):
    with pytest.raises(PortInvalid) as caught:
        open_port(url, now=lambda: 0)
    assert "HOST:PORT" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("url", ["", "5051", "http://x", "TCP://h:1", "replay"])
def test_an_unknown_scheme_lists_those_there_are(url: str):
    with pytest.raises(PortInvalid, match="tcp-listen://HOST:PORT"):
        open_port(url, now=lambda: 0)


def test_addresses_of_ipv6_keep_their_brackets():
    port = open_port("tcp://[::1]:5051", now=lambda: 0)
    assert isinstance(port, ConnectPort)
    assert port.url == "tcp://[::1]:5051"
