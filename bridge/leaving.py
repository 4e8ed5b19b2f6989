"""Leaving the program while a thread of it may still be held by a camera's library.

Such a thread cannot be ended, and an interpreter that shuts down under it aborts in the library's C++. Invariant: the
exit status is what the command says, and what it printed has been written. Not here: stopping in good order, which
comes first.
"""

import logging
import os
import sys
import threading


def leave(status: int) -> int:
    """Call it last. Returns the status; where a thread goes on in the background, ends the process with it at once."""
    if any(thread.daemon for thread in threading.enumerate()):
        logging.shutdown()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    return status
