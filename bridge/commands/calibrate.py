"""`inlane-agent calibrate`: a page on the local network to set up one machine's camera, until Ctrl-C.

Here: the call, and the parts put together. Invariant: the agent's own files are touched only by the page's save.
"""

import argparse
import contextlib
import re
import signal
import socket
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bridge.calibrate.draft import Draft
    from bridge.calibrate.save import Target
    from bridge.config import MachinePart


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`[--config FILE] [--machine M] [--port URL --profile P] [--host H --listen N]`."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="agent.toml: its machine is calibrated")
    parser.add_argument("--machine", metavar="M", help="the machine's id (needed where agent.toml has several)")
    parser.add_argument("--port", metavar="URL", help="the camera's address, in place of --config (see docs/agent.md)")
    parser.add_argument("--profile", metavar="P", help="the machine's profile, in place of --config")
    parser.add_argument("--host", default="0.0.0.0", metavar="H", help="where the page listens (default: everywhere)")  # noqa: S104
    parser.add_argument("--listen", type=int, default=8765, metavar="N", help="the page's port (default: 8765)")


def run(arguments: argparse.Namespace) -> int:
    """Serve the page until it is ended; 0. Raises InputInvalid, ConfigInvalid or PortInvalid."""
    from bridge.calibrate.bench import Bench  # noqa: PLC0415 - help must be instant
    from bridge.calibrate.gate import Gate  # noqa: PLC0415
    from bridge.calibrate.web import PageServer  # noqa: PLC0415
    from bridge.clock import SystemClock  # noqa: PLC0415
    from bridge.leaving import leave  # noqa: PLC0415
    from hardware.pictures import bound_decoders  # noqa: PLC0415

    bound_decoders()
    target, draft, said = _target(arguments)
    if said:
        print(f"inlane-agent: {said}", file=sys.stderr)  # noqa: T201
    bench = Bench(target, draft, now=SystemClock().mono_ms)
    with PageServer((arguments.host, arguments.listen), bench, Gate(_tell_pin, now=time.monotonic)) as server:
        signal.signal(signal.SIGTERM, _interrupt)
        bench.start()
        print(f"{target.machine}: open {_address(server.server_address)} (Ctrl-C ends it)", flush=True)  # noqa: T201
        try:
            server.serve_forever(poll_interval=0.2)
        except KeyboardInterrupt:
            print(file=sys.stderr)  # noqa: T201
        finally:
            bench.close()
    return leave(0)


def _target(arguments: argparse.Namespace) -> "tuple[Target, Draft, str]":
    """What is calibrated, where to begin, and why a calibration that is there is not used."""
    from bridge.calibrate.save import Target, first_draft  # noqa: PLC0415 - help must be instant
    from bridge.config import load_config  # noqa: PLC0415
    from bridge.errors import InputInvalid  # noqa: PLC0415

    if not 0 <= arguments.listen <= 65535:
        raise InputInvalid(f"--listen is a port from 1 to 65535, not {arguments.listen}")
    if arguments.config is not None:
        if arguments.port or arguments.profile:
            raise InputInvalid("--port and --profile are for a call without --config: agent.toml names them")
        machine = _choose(load_config(arguments.config).machine, arguments.machine)
        folder = arguments.config.parent
        source = next((one for one in machine.sources if one.port.startswith("camera:")), machine)
        target = Target(machine=machine.id, port=source.port, profile=source.profile, folder=folder)
        return target, *first_draft(target, source.corners)
    if not arguments.port or not arguments.profile:
        raise InputInvalid("--config agent.toml is needed, or --port and --profile")
    name = arguments.machine or "machine"
    if not re.fullmatch(r"[a-z0-9-]{1,40}", name):
        raise InputInvalid(f"--machine {name!r}: an id has 1 to 40 of a-z, 0-9 and -")
    target = Target(machine=name, port=arguments.port, profile=arguments.profile, folder=Path())
    return target, *first_draft(target, None)


def _choose(machines: "Sequence[MachinePart]", name: str | None) -> "MachinePart":
    from bridge.errors import InputInvalid  # noqa: PLC0415 - help must be instant

    known = ", ".join(machine.id for machine in machines)
    if name is None and len(machines) > 1:
        raise InputInvalid(f"--machine is needed, for agent.toml has several: {known}")
    for machine in machines:
        if name in {None, machine.id}:
            return machine
    raise InputInvalid(f"--machine {name!r}: agent.toml has no such machine; it has: {known}")


def _tell_pin(pin: str) -> None:
    print(f"PIN for the next browser: {pin[:3]} {pin[3:]}", flush=True)  # noqa: T201


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def _address(bound: object) -> str:
    """The address to type: where the page listens everywhere, this computer's own on the network."""
    host, port = (str(part) for part in bound[:2]) if isinstance(bound, tuple) else ("localhost", "")
    if host in {"0.0.0.0", "::"}:  # noqa: S104 -- compared, not bound
        host = "localhost"
        with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # sends nothing: it only chooses the way out (RFC 5737's test address)
            host = str(probe.getsockname()[0])
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
