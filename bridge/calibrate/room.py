"""How many connections the calibration page takes at once, and which one goes when there is no room for another.

Not here: what a connection says. Invariant: whoever connects and then says nothing, or says it very slowly, never keeps
out the browser that has the PIN.
"""

import contextlib
import socket
import threading


class Room:
    """Holds at most `most` connections. Those of a browser that is let in are trusted, and never make room."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._trusted: dict[socket.socket, bool] = {}
        """Every open connection, the oldest first."""

    def take(self, connection: socket.socket) -> bool:
        """Take it in; where there is no room, the oldest stranger is cut off. False: there is no stranger."""
        with self._lock:
            if len(self._trusted) >= self._most:
                oldest = next((one for one, trusted in self._trusted.items() if not trusted), None)
                if oldest is None:
                    return False
                del self._trusted[oldest]
                with contextlib.suppress(OSError):  # it went by itself
                    oldest.shutdown(socket.SHUT_RDWR)  # its thread reads the end, and closes it
            self._trusted[connection] = False
            return True

    def trust(self, connection: socket.socket) -> None:
        """It showed that it is let in."""
        with self._lock:
            if connection in self._trusted:
                self._trusted[connection] = True

    def close(self) -> None:
        """Cut off everybody."""
        with self._lock:
            for connection in self._trusted:
                with contextlib.suppress(OSError):  # it went by itself
                    connection.shutdown(socket.SHUT_RDWR)

    def leave(self, connection: socket.socket) -> None:
        """It is over. Call before it is closed."""
        with self._lock:
            self._trusted.pop(connection, None)
