"""Simulated machines of every kind through the real reader, settling and game machine, against the truth.

    python -m benchmarks.simulated [--kinds dmd segments7 …] [--settings normal hard] [--games N] [--pictures N]
                                   [--first SEED] [--wrong FOLDER]

Each game is a machine of its own (its own look, camera and play), in simulated time: nothing waits. Prints what became
of the final scores, accepted readings that were wrong, the changes seen, and how far confidence means what it says.
"""

import argparse
import random
from dataclasses import fields
from pathlib import Path

import cv2

from benchmarks.simulated_tally import Tally
from benchmarks.simulated_watch import read_still, watch
from hardware.sim.trouble import HARD, NORMAL

KINDS: dict[str, tuple[str, ...]] = {
    "dmd": ("dmd?", "dmd?colour=red&", "dmd?colour=white&", "dmd?"),
    "dmd-sizes": ("dmd?size=128x16&", "dmd?size=192x64&", "dmd?size=256x64&", "dmd?size=192x64&colour=full&",
                  "dmd?colour=full&"),
    "segments7": ("segments?", "segments?digits=6&"),
    "segments7-lcd": ("segments?glass=lcd&",),
    "segments14": ("segments?segments=14&",),
    "segments16": ("segments?segments=16&digits=8&",),
    "reels": ("reels?", "reels?digits=4&zeros=1&", "reels?digits=5&zeros=0&", "reels?stick=0.005&"),
    "lcd": ("lcd?",),
    "lights": ("lights?",),
}  # fmt: skip
"""Row of the table: the addresses that take turns."""
PLAY = "ball_seconds=6&idle=14&fps=8"
FEWER = {"dmd": "players=1-2", "dmd-sizes": "players=1-2", "reels": "players=1-2", "lights": "players=1"}
"""The others have four windows, and one to four players."""


def main() -> None:
    """Play, read and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--kinds", nargs="+", choices=list(KINDS), default=list(KINDS), metavar="KIND")
    parser.add_argument("--settings", nargs="+", choices=("normal", "hard"), default=["normal", "hard"])
    parser.add_argument("--games", type=int, default=4, help="machines a row, one game each")
    parser.add_argument("--pictures", type=int, default=0, help="single pictures a row, each of a machine of its own")
    parser.add_argument("--first", type=int, default=1000, help="the first machine's seed")
    parser.add_argument("--wrong", type=Path, help="a folder for pictures and a list (wrong.md) of what was wrong")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    whole: dict[str, Tally] = {}
    print(HEAD)
    for setting in chosen.settings:
        for kind in chosen.kinds:
            tally = Tally()
            for number in range(chosen.games):
                tally.add(watch(address(kind, setting, chosen.first + number)))
            for number in range(chosen.pictures):
                seed = chosen.first + chosen.games + number
                at = random.Random(seed).randrange(2_000, 120_000)  # noqa: S311 -- repeatable, no secrets
                tally.add(read_still(address(kind, setting, seed), at))
            print(row(kind, setting, tally), flush=True)
            whole.setdefault(setting, Tally())
            merge(whole[setting], tally)
            if chosen.wrong:
                keep(chosen.wrong, kind, tally)
    for setting, tally in whole.items():
        print(reliability(setting, tally))


def address(kind: str, setting: str, seed: int) -> str:
    """The machine of this row with this seed."""
    machines = KINDS[kind]
    spoilt = spoil(seed) if setting == "hard" else ""
    return f"sim://{machines[seed % len(machines)]}seed={seed}&{PLAY}&{FEWER.get(kind, 'players=1-4')}{spoilt}"


def spoil(seed: int) -> str:
    """The parameters of the hard setting; the bump comes at another second on each machine."""
    told = "".join(
        f"&{one.name}={getattr(HARD, one.name):g}"
        for one in fields(HARD)
        if getattr(HARD, one.name) != getattr(NORMAL, one.name) and one.name != "bump_at"
    )
    return f"{told}&bump_at={20 + seed % 40}"


HEAD = (
    "kind           setting  machines  finals right/held/wrong/missing  invented  pictures    exact  accepted   wrong  "
    "changes seen  live wrong      ms"
)


def row(kind: str, setting: str, tally: Tally) -> str:
    """One line of the table."""
    finals = f"{tally.finals_right}/{tally.finals_held}/{tally.finals_wrong}/{tally.finals_missing}"
    seen = f"{tally.changes_seen}/{tally.changes}"
    exact = f"{100 * tally.exact / tally.readable:.1f} %" if tally.readable else "–"
    each = 1000 * tally.seconds / max(1, tally.pictures)
    return (
        f"{kind:<14} {setting:<8} {tally.machines:8d}  {finals:>31}  {tally.invented:8d}  {tally.pictures:8d}  "
        f"{exact:>7}  {tally.accepted:8d}  {tally.accepted_wrong:6d}  {seen:>12}  {tally.live_wrong:10d}  {each:6.1f}"
    )


def reliability(setting: str, tally: Tally) -> str:
    """How often a proposal with so much confidence was right."""
    lines = [f"\nconfidence, {setting} settings    proposals     right"]
    for least, (many, right) in tally.bins.items():
        share = f"{100 * right / many:8.3f} %" if many else "       –"
        lines.append(f"  from {least:<20g} {many:12d}  {share}")
    rate = 100_000 * tally.accepted_wrong / tally.accepted if tally.accepted else 0.0
    lines.append(f"  accepted: {tally.accepted}, of them wrong: {tally.accepted_wrong} ({rate:.1f} in 100,000)")
    return "\n".join(lines)


def merge(into: Tally, tally: Tally) -> None:
    """Add up what the last lines need."""
    into.accepted += tally.accepted
    into.accepted_wrong += tally.accepted_wrong
    for least, (many, right) in tally.bins.items():
        into.bins[least][0] += many
        into.bins[least][1] += right


def keep(folder: Path, kind: str, tally: Tally) -> None:
    """Write down what was wrong, once for each number of each machine, with its picture."""
    (folder / "wrong").mkdir(parents=True, exist_ok=True)
    known = set()
    with (folder / "wrong.md").open("a", encoding="utf-8") as file:
        for what, read in tally.wrong:
            if (what, read.url, read.player, read.read) in known:
                continue
            known.add((what, read.url, read.player, read.read))
            name = f"{kind}-{abs(hash(read.url)) % 10**6}-{read.at}-{read.read}.png"
            cv2.imwrite(str(folder / "wrong" / name), read.image)
            right = ", ".join(map(str, sorted(read.right))) or "nothing"
            file.write(
                f"- {kind}, {what}: `{read.url}` at {read.at} ms, player {read.player}: read {read.read} "
                f"({read.confidence:.4f}), truth {right}; {name}\n"
            )


if __name__ == "__main__":
    main()
