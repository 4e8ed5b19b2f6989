"""Drives the PyPI client `warpedpinball`, in its own environment; knows nothing of Inlane. One JSON object a line out.

usb PORT | http HOST          say who the board is, then every event that the client sees
register HOST PASSWORD SECRET have the board push to this computer, signed
pack SECRET                   signed datagrams of the JSON lines on standard input, in hexadecimal
unpack SECRET                 the JSON of the signed datagrams on standard input, in hexadecimal
"""

import json
import sys

from warpedpinball import HttpTransport, Machine, OriginAuthError, origin
from warpedpinball.transports.usb import UsbTransport


def say(what: object) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


class Watched(Machine):
    """Says its first status, so that whoever plays knows that it watches."""

    begun = False

    def game_status(self) -> object:
        told = super().game_status()
        if not self.begun:
            self.begun = True
            say({"first": told})
        return told


def watch(machine: Machine) -> None:
    name, version = machine.game_name(), machine.version()
    say({"name": name, "version": version, "id": machine.machine_id(), "faults": machine.faults()})
    for event in machine.watch_game(interval=0.5):
        say({"type": event.type, "player": event.player, "old": event.old, "new": event.new, "status": event.status})


def main() -> None:
    command, *rest = sys.argv[1:]
    if command == "usb":
        watch(Watched(UsbTransport(rest[0], timeout=20.0, settle=0)))
    elif command == "http":
        watch(Watched(HttpTransport(rest[0])))
    elif command == "register":
        say(Machine(HttpTransport(rest[0]), password=rest[1]).set_origin_target(rest[2]))
    elif command == "pack":
        for line in sys.stdin:
            say(origin.pack(rest[0], json.loads(line)).hex())
    else:
        for line in sys.stdin:
            try:
                say(origin.unpack(rest[0], bytes.fromhex(line)))
            except OriginAuthError as error:
                say(f"refused: {error}")


main()
