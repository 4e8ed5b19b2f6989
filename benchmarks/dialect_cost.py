"""What capture takes of each machine that talks: processor time a message, and a second of the machine's life.

    python -m benchmarks.dialect_cost [--kinds bcp vector …] [--games N]

A simulated machine on a sound line in simulated time; only the time within capture counts (one message: one write).
"""

import argparse
import time
from collections.abc import Callable

from benchmarks.wires import PLAY
from benchmarks.wires_link import SETTINGS, Line
from hardware.sim.address import WIRES


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kinds", nargs="+", choices=WIRES, default=list(WIRES), metavar="KIND")
    parser.add_argument("--games", type=int, default=5)
    chosen = parser.parse_args()
    for kind in chosen.kinds:
        line = Line(f"sim://{kind}?seed=1&{PLAY}", SETTINGS["none"])
        capture, spent, fed = line._capture, [0.0], [0]  # noqa: SLF001 -- what it takes is the point

        def timed(call: Callable[..., object], counts: int, spent: list[float] = spent, fed: list[int] = fed) -> object:
            def measured(*arguments: object) -> object:
                fed[0] += counts
                begun = time.process_time()
                try:
                    return call(*arguments)
                finally:
                    spent[0] += time.process_time() - begun

            return measured

        for name, counts in (("feed", 1), ("tick", 0), ("next_deadline", 0), ("outgoing", 0)):
            setattr(capture, name, timed(getattr(capture, name), counts))
        line.run(chosen.games)
        life = (line.events[-1].at - line.events[0].at) / 1000
        print(
            f"{kind}: {fed[0]} messages in {life:.0f} s of play, {1e6 * spent[0] / fed[0]:.0f} us each,"
            f" {100 * spent[0] / life:.2f} % of a core",
            flush=True,
        )


if __name__ == "__main__":
    main()
