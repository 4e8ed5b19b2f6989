"""When garbage is looked for: not while something large is built.

No imports of the project: commands that must be quick use it too. Invariant: what was on before is on again after.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collecting() -> Iterator[None]:
    """What is built here only grows and has no cycles: searching it for garbage costs more than building it."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
