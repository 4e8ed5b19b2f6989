"""Simulated games pushed as datagrams by a Vector board, of which many get lost, against the truth.

    python -m benchmarks.vector_pushes [--games N] [--first SEED] [--loss 0 0.1 0.3] [--show N]

As `benchmarks.wires`, in simulated time, with its columns. A board that loses its power just falls silent.
"""

import argparse
import json
import random
import time
from collections import Counter

from benchmarks.wires import COLUMNS, GAMES, PLAY, judge
from benchmarks.wires_link import CLEAN_CUTS, NONE, Line
from hardware.ports.base import Opened
from hardware.sim.oracle import Event
from hardware.sim.vector import VectorSpeaker
from hardware.sim.vector_board import Board, Said


class Pushes:
    """The speaker of a board's datagrams: each is one write, lost with chance `loss`, doubled or late now and then."""

    def __init__(self, board: Board, loss: float, seed: int) -> None:
        self._board = board
        self._loss = loss
        self._chance = random.Random(f"inlane/pushes/{seed}")  # noqa: S311 -- repeatable, no secrets
        self._late: list[bytes] = []

    def greet(self, at: int) -> list[bytes]:
        """Nobody knows who listens."""
        del at
        return []

    def happen(self, event: Event) -> list[bytes]:
        """Something truly happened."""
        return self._send(self._board.happen(event))

    def hear(self, data: bytes, at: int) -> list[bytes]:
        """Nothing is answered."""
        del data, at
        return []

    def tick(self, at: int) -> list[bytes]:
        """What is pushed now."""
        return self._send(self._board.tick(at))

    def deadline(self) -> int | None:
        """When something may be."""
        return self._board.deadline()

    def _send(self, said: list[Said]) -> list[bytes]:
        sent: list[bytes] = []
        for one in said:
            if one.message is None or self._chance.random() < self._loss:
                continue
            data = json.dumps(one.message).encode() + b"\n"
            late, self._late = self._late, []
            dice = self._chance.random() if self._loss else 1.0
            if dice < 0.02:
                self._late = [data]
                sent += late
            else:
                sent += [data, *late] + [data] * (dice > 0.98 and self._loss > 0)
        return sent


class PushLine(Line):
    """A line that only hears."""

    def listen(self, loss: float) -> None:
        """Hear the board's datagrams instead of its USB line."""
        speaker = self._speaker
        assert isinstance(speaker, VectorSpeaker)
        self._speaker = Pushes(speaker.board, loss, self._seed)

    def _connect(self, at: int) -> None:
        if self._connected:
            return  # a board that has its power back: nobody connects to it
        self._connected = True
        self.said += self._capture.feed(Opened(at=at, port="udp://", passive=True))

    def _disconnect(self, at: int, why: str) -> None:
        if why != "the machine lost its power":
            super()._disconnect(at, why)


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--loss", type=float, nargs="+", default=[0.0, 0.1, 0.3])
    parser.add_argument("--cuts", action="store_true", help="the agent's own network goes now and then as well")
    parser.add_argument("--show", type=int, default=0)
    asked = parser.parse_args()
    print("| lost | " + " | ".join(COLUMNS) + " | seconds |")
    print("|---" * (len(COLUMNS) + 2) + "|")
    for loss in asked.loss:
        begun, tally, shown = time.perf_counter(), Counter[str](), asked.show
        for number in range(max(1, asked.games // GAMES)):
            line = PushLine(f"sim://vector?seed={asked.first + number}&{PLAY}", CLEAN_CUTS if asked.cuts else NONE)
            line.listen(loss)
            line.run(GAMES)
            shown -= judge(line, tally, shown)
        figures = " | ".join(str(tally[column]) for column in COLUMNS)
        print(f"| {loss:.0%} | {figures} | {time.perf_counter() - begun:.0f} |", flush=True)


if __name__ == "__main__":
    main()
