"""Doors to machines: a URL's scheme picks the transport, which is imported only then.

Here: the table of schemes. Not here: the transports (one module each) and what the bytes mean. Invariant: whoever uses
a port cannot tell a real machine from a recording or a simulated one.
"""

import importlib
from collections.abc import Callable

from hardware.errors import PortInvalid
from hardware.ports.base import Port

SCHEMES = {
    "tcp": ("hardware.ports.tcp", "tcp://HOST:PORT (we connect to the machine)"),
    "tcp-listen": ("hardware.ports.tcp", "tcp-listen://HOST:PORT (the machine connects to us)"),
    "serial": ("hardware.ports.serial", "serial:///dev/serial/by-id/NAME?baud=N, serial://usb/SERIALNUMBER?baud=N"),
    "rfc2217": ("hardware.ports.serial_remote", "rfc2217://HOST:PORT?baud=N (a serial line behind a network box)"),
    "socket": ("hardware.ports.serial_remote", "socket://HOST:PORT (the same as tcp)"),
    "loop": ("hardware.ports.serial_remote", "loop:// (what we say comes back)"),
    "vector-http": ("hardware.ports.vector_http", "vector-http://HOST[:PORT] (a Vector board in the network)"),
    "udp": ("hardware.ports.udp", "udp://0.0.0.0:PORT[?from=ADDRESS] (datagrams that come to this computer)"),
    "spi": ("hardware.ports.spi", "spi:///dev/spidev0.0?irq=GPIO (a device on the Raspberry Pi's SPI)"),
    "ws-listen": ("hardware.ports.websocket", "ws-listen://HOST:PORT/PATH (a program calls us by WebSocket)"),
    "mqtt": ("hardware.ports.mqtt", "mqtt://[USER@]HOST[:PORT]/TOPICS (a machine that publishes over MQTT)"),
    "mqtts": ("hardware.ports.mqtt", "mqtts://… (the same, encrypted)"),
    "replay": ("hardware.ports.replay", "replay:PATH (a recording)"),
    "sim": ("hardware.ports.sim", "sim://KIND?seed=1 (a simulated machine)"),
    "gpio": ("hardware.ports.gpio", "gpio://?power=22&tilt=17&door=23&call=5 (sensors on the Pi's own pins)"),
    "camera": (
        "hardware.ports.camera",
        "camera:///dev/NAME, camera://0, camera://picamera/0, camera:///a/folder (a camera, or a file)",
    ),
}
"""Scheme: the module whose `open_url(url, now=…)` makes the port, and how such an address looks."""
PASSWORDS = {"mqtt", "mqtts"}
"""Schemes whose `open_url` takes a password as well."""


def open_port(url: str, *, now: Callable[[], int], password: str | None = None) -> Port:
    """Make the port of an address; `now` gives milliseconds since boot. It opens with `async with`.

    `password`: for those that log in somewhere (`PASSWORDS`); the others do without.
    Raises PortInvalid where the address makes no sense: the text names the schemes there are.
    """
    scheme, colon, _ = url.partition(":")
    if not colon or scheme not in SCHEMES:
        forms = "; ".join(form for _, form in SCHEMES.values())
        raise PortInvalid(f"{url!r} is no port's address; these are: {forms}")
    more = {"password": password} if scheme in PASSWORDS else {}
    port: Port = importlib.import_module(SCHEMES[scheme][0]).open_url(url, now=now, **more)
    return port
