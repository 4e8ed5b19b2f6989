"""Which serial device an address names: by what stays the same, never by a number, never by a guess."""

import re
from pathlib import Path

import pytest

from hardware.errors import PortInvalid
from hardware.ports import open_port, serial_names
from hardware.ports.base import Closed
from hardware.ports.peer import Lost
from hardware.ports.serial import SerialPort
from hardware.ports.serial_address import Address, Settings, UsbName, parse_address
from hardware.ports.serial_names import Device, find, stable_names
from tests.hardware.cables import clock, quick, take

BOARDS = [
    Device(path="/dev/ttyACM0", kind=(0x2E8A, 0x0005), serial="E6614C"),
    Device(path="/dev/ttyACM1", kind=(0x2E8A, 0x0005), serial="E6614D"),
    Device(path="/dev/ttyUSB0", kind=(0x1A86, 0x7523)),
    Device(path="/dev/ttyUSB1", kind=(0x1A86, 0x7523)),
    Device(path="/dev/ttyUSB2", kind=(0x10C4, 0xEA60), serial="0001"),
    Device(path="/dev/ttyUSB3", kind=(0x10C4, 0xEA61), serial="0001"),
    Device(path="/dev/ttyACM2", kind=(0xCAFE, 0x0001), serial="TWO", interface=0),
    Device(path="/dev/ttyACM3", kind=(0xCAFE, 0x0001), serial="TWO", interface=2),
    Device(path="/dev/ttyS0"),
]


@pytest.mark.parametrize(
    ("url", "name", "settings"),
    [
        ("serial:///dev/serial/by-id/usb-A%23B-if00", "/dev/serial/by-id/usb-A#B-if00", Settings()),
        ("serial:/dev/serial0?baud=9600", "/dev/serial0", Settings(baud=9600)),
        ("serial:////dev//pts/../pts/5", "/dev/pts/5", Settings()),
        (
            "serial:///dev/x?baud=300&bits=7&parity=even&stop=1.5&flow=rtscts&dtr=off&rts=on&settle_ms=2000",
            "/dev/x",
            Settings(baud=300, bits=7, parity="even", stop=1.5, flow="rtscts", dtr=False, rts=True, settle_ms=2000),
        ),
        ("serial://usb/E6614C", UsbName(serial="E6614C"), Settings()),
        ("serial://usb/2e8a:0005", UsbName(kind=(0x2E8A, 5)), Settings()),
        ("serial://usb/2E8A:0005/E6?interface=2", UsbName(kind=(0x2E8A, 5), serial="E6", interface=2), Settings()),
    ],
)  # fmt: skip
def test_an_address_names_a_device_and_how_its_line_is_set(url: str, name: str | UsbName, settings: Settings):
    address = parse_address(url)
    assert (address.name, address.settings, address.any_device) == (name, settings, False)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("serial://", "by-id"),
        ("serial:", "by-id"),
        ("serial:///", "by-id"),
        ("serial:///dev/", "by-id"),
        ("serial:///dev/x#y", "%23"),
        ("serial:///dev/x%00y", "by-id"),
        ("serial://[::1", "by-id"),
        ("serial://dev/ttyS0", "three slashes (serial:///dev/ttyS0)"),
        ("serial://usb", "serial://usb/SERIALNUMBER"),
        ("serial://usb/", "serial://usb/SERIALNUMBER"),
        ("serial://usb/a/b", "serial://usb/SERIALNUMBER"),
        ("serial://usb/1a86:7523/a/b", "serial://usb/SERIALNUMBER"),
        ("serial:///dev/x?speed=9600", "'speed' is unknown; there are: any_device, baud"),
        ("serial:///dev/x?baud=9600&baud=300", "twice"),
        ("serial:///dev/x?baud=fast", "baud must be a number from 50 to 12000000, not 'fast'"),
        ("serial:///dev/x?baud=", "baud must be"),
        ("serial:///dev/x?baud=-1", "baud must be"),
        ("serial:///dev/x?baud=1e5", "baud must be"),
        ("serial:///dev/x?baud=٩٦٠٠", "baud must be"),
        ("serial:///dev/x?parity=maybe", "parity must be one of none, even, odd, mark, space"),
        ("serial:///dev/x?interface=1", "alone"),
        ("serial:///dev/ttyUSB0", "/dev/ttyUSB0 may be another device after a restart"),
        ("serial:///dev/../dev//ttyACM17?baud=9600", "/dev/ttyACM17 may be another device"),
    ],
)
def test_an_address_that_makes_no_sense_is_refused_in_one_line(url: str, said: str):
    with pytest.raises(PortInvalid, match=re.escape(said)) as caught:
        open_port(url, now=lambda: 0)
    assert "\n" not in str(caught.value)


def test_a_number_is_taken_where_the_risk_is_taken():
    assert isinstance(open_port("serial:///dev/ttyUSB0?any_device=1", now=lambda: 0), SerialPort)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("E6614C", "/dev/ttyACM0"),
        ("2e8a:0005/E6614D", "/dev/ttyACM1"),
        ("10c4:ea61/0001", "/dev/ttyUSB3"),
        ("10c4:ea60", "/dev/ttyUSB2"),
        ("TWO?interface=2", "/dev/ttyACM3"),
    ],
)
def test_a_usb_device_is_found_wherever_it_is(name: str, found: str):
    assert find(parse_address(f"serial://usb/{name}"), lambda: BOARDS) == found
    renumbered = [*BOARDS[::-1]]
    assert find(parse_address(f"serial://usb/{name}"), lambda: renumbered) == found


@pytest.mark.parametrize(
    ("name", "reason", "said"),
    [
        ("0001", "refused", "2 devices are called 0001 (/dev/ttyUSB2, /dev/ttyUSB3) and cannot be told apart"),
        ("1a86:7523", "refused", "cannot be told apart"),
        ("TWO", "refused", "say which, one of interface=0, interface=2"),
        ("TWO?interface=1", "unplugged", "no device TWO is plugged in"),
        ("E66", "unplugged", "plugged in now: serial://usb/E6614C, serial://usb/E6614D"),
        ("2e8a:0006/E6614C", "unplugged", "no device 2e8a:0006/E6614C"),
    ],
)
def test_a_device_that_cannot_be_told_apart_is_refused_and_never_guessed(name: str, reason: str, said: str):
    lost = find(parse_address(f"serial://usb/{name}"), lambda: BOARDS)
    assert isinstance(lost, Lost)
    assert lost.reason == reason
    assert said in lost.why


def test_names_that_stay_are_listed_and_doubtful_ones_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(serial_names, "BY_ID", tmp_path)
    (tmp_path / "usb-x-if00").touch()
    told = stable_names(lambda: BOARDS)
    assert told.startswith(f"plugged in now: serial://{tmp_path}/usb-x-if00, serial://usb/E6614C, serial://usb/E6614D")
    assert "0001" not in told
    monkeypatch.setattr(serial_names, "BY_ID", tmp_path / "none")
    assert "no serial device" in stable_names(list)


async def test_a_link_of_ones_own_to_a_number_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "ttyUSB0").symlink_to("/dev/null")  # stands for a device
    (tmp_path / "mine").symlink_to(tmp_path / "ttyUSB0")
    monkeypatch.setattr(serial_names, "is_number", lambda path: path == "/dev/null")
    async with SerialPort(parse_address(f"serial://{tmp_path}/mine"), now=clock, pauses=quick()) as port:
        closed = await take(aiter(port))
        assert isinstance(closed, Closed)
        assert "a number that another device may get" in closed.why


def test_the_address_is_told_without_its_settings():
    assert Address(name=UsbName(kind=(1, 2), serial="A"), settings=Settings()).url == "serial://usb/0001:0002/A"
    assert parse_address("serial:///dev/x?baud=300").url == "serial:///dev/x"


@pytest.mark.parametrize(
    ("other", "refused"),
    [
        (Device(path="/dev/ttyUSB9", kind=(1, 2), serial="0001", place="1-2"), True),
        (Device(path="/dev/ttyUSB9", kind=(1, 2), serial="0002", place="1-2"), False),
        (Device(path="/dev/ttyUSB9", kind=(1, 2), serial="0001", place="1-1"), False),  # its own second line
        (Device(path="/dev/ttyUSB9", kind=(1, 2), serial="0001", place="1-1:1.2", interface=2), False),
        (Device(path="/dev/ttyS9"), False),
    ],
)
def test_a_name_that_two_devices_bear_is_refused(
    other: Device,
    refused: bool,  # noqa: FBT001
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    """The system gives the name under by-id to the one that was plugged in last."""
    monkeypatch.setattr(serial_names, "BY_ID", tmp_path)
    (tmp_path / "usb-x-if00").symlink_to("/dev/null")  # stands for a device
    mine = Device(path="/dev/null", kind=(1, 2), serial="0001", place="1-1")
    found = find(parse_address(f"serial://{tmp_path}/usb-x-if00"), lambda: [other, mine])
    if refused:
        assert isinstance(found, Lost)
        assert (found.reason, "/dev/null or /dev/ttyUSB9" in found.why) == ("refused", True)
    else:
        assert found == f"{tmp_path}/usb-x-if00"
