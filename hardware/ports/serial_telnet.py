"""RFC 2217: a serial line behind a network box, as telnet with the option COM-PORT-OPTION (44).

Here: the bytes of the conversation alone, no I/O. Sources: RFC 854, 855, 856, 858 and 2217. Invariants: what the box
sends costs a bounded amount of memory; each of its wishes is answered once, so that no two programs agree for ever.
"""

import struct

from hardware.ports.serial_address import Settings

SE, SB, WILL, WONT, DO, DONT, IAC = 240, 250, 251, 252, 253, 254, 255
BINARY, ECHO, NO_GO_AHEAD, COM_PORT = 0, 1, 3, 44
OURS = frozenset({BINARY, NO_GO_AHEAD, COM_PORT})
"""What we offer."""
THEIRS = frozenset({BINARY, ECHO, NO_GO_AHEAD, COM_PORT})
"""What the box may do."""
SET_BAUD, SET_BITS, SET_PARITY, SET_STOP, SET_CONTROL, LINE_STATE, LINE_MASK = 1, 2, 3, 4, 5, 6, 10
SERVER = 100
"""The box's answer has the question's number and this."""
BAD_LINE = 0x04 | 0x08 | 0x10
"""Parity error, framing error, break."""
_PARITY = {"none": 1, "odd": 2, "even": 3, "mark": 4, "space": 5}
_STOP = {1.0: 1, 2.0: 2, 1.5: 3}
_FLOW = {"none": 1, "xonxoff": 2, "rtscts": 3}
_MOST_ASIDE = 64
"""Bytes of one sub-negotiation; the longest that means something has six."""


class Telnet:
    """One conversation with one box."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._state = "data"
        self._command = 0
        self._aside = bytearray()
        self._answered: set[tuple[int, int]] = set()
        self.agreed: bool | None = None
        """Whether it is such a box; None: not known yet."""
        self.baud: int | None = None
        """The speed that the box says it has set."""
        self.bad = 0
        """How often it told of framing or parity errors, or a break."""

    def greet(self) -> bytes:
        """What is said first: binary both ways, and that we want to set a serial line."""
        words = [(WILL, BINARY), (DO, BINARY), (WILL, NO_GO_AHEAD), (DO, NO_GO_AHEAD), (WILL, COM_PORT)]
        return b"".join(self._say(command, option) for command, option in words)

    def feed(self, data: bytes) -> tuple[bytes, bytes]:
        """Take bytes as they came; return what the machine said in them, and what is to be answered to the box."""
        heard, reply = bytearray(), bytearray()
        position = 0
        while position < len(data):
            if self._state == "data":
                stop = data.find(IAC, position)
                if stop < 0:
                    heard += data[position:]
                    break
                heard += data[position:stop]
                self._state, position = "command", stop + 1
                continue
            byte = data[position]
            position += 1
            if self._state == "command" and byte == IAC:
                heard.append(IAC)
                self._state = "data"
            else:
                reply += self._control(byte)
        return bytes(heard), bytes(reply)

    def _control(self, byte: int) -> bytes:
        """One byte that is not the machine's."""
        if self._state == "command":
            self._command = byte
            self._state = {SB: "aside", WILL: "option", WONT: "option", DO: "option", DONT: "option"}.get(byte, "data")
            self._aside.clear()
        elif self._state == "option":
            self._state = "data"
            return self._negotiate(self._command, byte)
        elif self._state == "aside" and byte == IAC:
            self._state = "aside command"
        elif self._state == "aside command" and byte == SE:
            self._state = "data"
            self._take_aside(bytes(self._aside))
        else:
            self._aside.append(byte)
            self._state = "aside" if len(self._aside) < _MOST_ASIDE else "data"  # too long: noise, not telnet
        return b""

    def _negotiate(self, command: int, option: int) -> bytes:
        if option == COM_PORT and command in {DO, DONT} and self.agreed is None:
            self.agreed = command == DO
            return self._settle() if self.agreed else b""
        if command == DO:
            return self._say(WILL if option in OURS else WONT, option)
        if command == WILL:
            return self._say(DO if option in THEIRS else DONT, option)
        return self._say(WONT if command == DONT else DONT, option)

    def _say(self, command: int, option: int) -> bytes:
        if (command, option) in self._answered:
            return b""
        self._answered.add((command, option))
        return bytes((IAC, command, option))

    def _settle(self) -> bytes:
        """The line's settings, each an order of its own."""
        line = self._settings
        orders = [
            (SET_BAUD, struct.pack(">I", line.baud)),
            (SET_BITS, bytes([line.bits])),
            (SET_PARITY, bytes([_PARITY[line.parity]])),
            (SET_STOP, bytes([_STOP[line.stop]])),
            (SET_CONTROL, bytes([_FLOW[line.flow]])),
            (SET_CONTROL, bytes([9 if line.dtr is False else 8])),
            (LINE_MASK, bytes([BAD_LINE])),
        ]
        if line.flow != "rtscts":
            orders.insert(6, (SET_CONTROL, bytes([12 if line.rts is False else 11])))
        return b"".join(bytes((IAC, SB, COM_PORT, order)) + escape(value) + bytes((IAC, SE)) for order, value in orders)

    def _take_aside(self, aside: bytes) -> None:
        if len(aside) < 3 or aside[0] != COM_PORT:
            return
        if aside[1] == SERVER + SET_BAUD and len(aside) == 6:
            self.baud = int(struct.unpack(">I", aside[2:])[0])
        elif aside[1] == SERVER + LINE_STATE and aside[2] & BAD_LINE:
            self.bad += 1


def escape(data: bytes) -> bytes:
    """Bytes for the machine as they go over telnet."""
    return data.replace(b"\xff", b"\xff\xff")
