"""The link over TLS: a broker that our authority vouches for is trusted, another one is not, and that is said."""

import asyncio
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bridge.link import Broker, Connected, Disconnected, Hello, LinkEvent, PahoLink, Tls

pytestmark = [pytest.mark.broker, pytest.mark.timeout(120)]


@pytest.fixture
def authority(tmp_path: Path) -> Path:
    """A private authority, and a certificate of its for localhost: ca.pem, cert.pem, key.pem."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed")
    new_key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    ca = ("-x509", *new_key, "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=Test authority", "-days", "2")
    request = (*new_key, "-keyout", "key.pem", "-out", "cert.csr", "-subj", "/CN=localhost")
    (tmp_path / "names").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    sign = ("-req", "-in", "cert.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out", "cert.pem")
    for words in (("req", *ca), ("req", *request), ("x509", *sign, "-days", "2", "-extfile", "names")):
        subprocess.run([openssl, *words], cwd=tmp_path, check=True, capture_output=True)
    (tmp_path / "key.pem").chmod(0o644)
    return tmp_path


async def first(broker: Broker) -> LinkEvent:
    """The first thing a link says of this broker."""
    link = PahoLink(broker)
    hello = Hello(client_id="pi-1", will_topic="w", will=b"w")
    link.prepare(hello=lambda: hello, subscriptions=["t/#"])
    async with link, asyncio.timeout(60):
        return await anext(aiter(link))


def encrypted(folder: Path) -> str:
    return f"allow_anonymous true\nuser root\ncertfile {folder}/cert.pem\nkeyfile {folder}/key.pem"


async def test_a_broker_that_our_authority_vouches_for_is_trusted(start_mosquitto: Callable[..., Any], authority: Path):
    mosquitto = start_mosquitto(encrypted(authority))
    trusting = Tls(ca=authority / "ca.pem")
    assert await first(Broker(host="127.0.0.1", port=mosquitto.port, tls=trusting)) == Connected(version="5")


async def test_a_broker_that_nobody_vouches_for_is_not(start_mosquitto: Callable[..., Any], authority: Path):
    mosquitto = start_mosquitto(encrypted(authority))
    said = await first(Broker(host="127.0.0.1", port=mosquitto.port, tls=Tls()))
    assert isinstance(said, Disconnected)
    assert said.reason == "untrusted"
    assert "TLS" in said.why


async def test_an_authority_that_is_no_file_is_said(start_mosquitto: Callable[..., Any], authority: Path):
    mosquitto = start_mosquitto(encrypted(authority))
    said = await first(Broker(host="127.0.0.1", port=mosquitto.port, tls=Tls(ca=authority / "none.pem")))
    assert isinstance(said, Disconnected)
    assert (said.reason, "No such file" in said.why) == ("unreachable", True)
