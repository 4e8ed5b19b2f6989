"""Simulated games by wire through the real capture, on a line on which things go wrong, against the truth.

    python -m benchmarks.wires [--kinds bcp lines …] [--faults none|cuts|all] [--games N] [--first SEED] [--show N]

Each machine plays ten games in simulated time. A finished game is right where it is told once with its true scores and
end; held where an official has to look; aborted where it was told without an end though it had one; gone where it had
none and that was told. Wrong is what was told as certain and is not so. Wrong, doubled, missed and invented must be
nought; what was said in `--show` of such games is printed.
"""

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks.wires_link import SETTINGS, Line
from capture.signals import GameAborted, GameEnded, GameStarted, Signal
from hardware.sim.address import WIRES
from hardware.sim.oracle import Event

GAMES = 10
PLAY = "ball_seconds=6&idle=20&players=1-4&tilt=0.08&tilt_warning=0.2&extra_ball=0.1&slam_tilt=0.05&restart=0.05&service=0.03&power_cut=0.04&early_start=0.2"  # noqa: E501
COLUMNS = (
    "games",
    "right",
    "gone",
    "held",
    "aborted",
    "unheard",
    "wrong",
    "wrong end",
    "doubled",
    "missed",
    "invented",
)
BAD = ("wrong", "doubled", "missed", "invented")
LOST = ("service-entered", "power-lost")
DOTS = ("dndp", "dmdreader", "libdmdutil", "dmd-extensions")
BLIND = {
    "vector": ("slam-tilt",),
    "lisy": ("slam-tilt", "ended-early", *LOST),
    **dict.fromkeys(DOTS, ("ended-early",)),  # no display says how many balls a game has
}
"""Ends that a source has no word for: the display's last scores, standing there, are all that it tells."""


@dataclass
class Truth:
    """One true game."""

    game: int
    begun: int
    ended: int = 0
    how: str = ""
    scores: tuple[int, ...] = ()
    told: list[GameStarted] = field(default_factory=list)


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--kinds", nargs="+", choices=WIRES, default=list(WIRES), metavar="KIND")
    parser.add_argument("--faults", nargs="+", choices=list(SETTINGS), default=list(SETTINGS))
    parser.add_argument("--games", type=int, default=100, help="games a row, ten a machine")
    parser.add_argument("--first", type=int, default=1, help="the first machine's seed")
    parser.add_argument("--play", default=PLAY, help="how the machines play, as in their address")
    parser.add_argument("--show", type=int, default=0, help="so many games that came out badly are printed")
    chosen = parser.parse_args()
    print("| kind | faults | " + " | ".join(COLUMNS) + " | seconds |")
    print("|---" * (len(COLUMNS) + 3) + "|")
    for kind in chosen.kinds:
        for faults in chosen.faults:
            begun, tally, shown = time.perf_counter(), Counter[str](), chosen.show
            for number in range(max(1, chosen.games // GAMES)):
                line = Line(f"sim://{kind}?seed={chosen.first + number}&{chosen.play}", SETTINGS[faults])
                line.run(GAMES)
                shown -= judge(line, tally, shown)
            figures = " | ".join(str(tally[column]) for column in COLUMNS)
            print(f"| {kind} | {faults} | {figures} | {time.perf_counter() - begun:.0f} |", flush=True)


def judge(line: Line, tally: Counter[str], show: int) -> int:
    """Count what became of the games of one line; print at most `show` bad ones, and say how many."""
    games, kind = truths(line.events), line.url.partition("?")[0].removeprefix("sim://")
    first = line.first_heard
    invented = assign(line.said, games)
    tally["invented"] += len(invented)
    bad = [f"invented: {one}" for one in invented]
    odd: list[str] = []
    ends = {one.game: one for one in line.said if isinstance(one, GameEnded | GameAborted)}
    for game in games:
        if not game.ended or game.ended < first:
            continue
        tally["games"] += 1
        for verdict in verdicts(kind, game, [ends.get(told.game) for told in game.told]):
            if verdict in {"missed", "aborted"} and not hearable(line, game):
                verdict = "unheard"  # noqa: PLW2901
            tally[verdict] += 1
            text = f"{verdict}: {game} told as {[ends.get(told.game) for told in game.told]}"
            (bad if verdict in BAD else odd if verdict == "wrong end" else []).append(text)
    for text in [*bad, *odd][:show]:
        print(f"  {line.url}\n    {text}")
    return min(show, len(bad) + len(odd))


def truths(events: list[Event]) -> list[Truth]:
    """The true games, in order."""
    games: dict[int, Truth] = {}
    for event in events:
        if event.kind == "game-started":
            games[event.game] = Truth(game=event.game, begun=event.at)
        elif event.game in games and not games[event.game].ended:
            game = games[event.game]
            game.scores = event.scores or game.scores
            if event.kind == "game-ended":
                game.ended, game.how = event.at, event.detail
            elif event.kind in {"service-entered", "power-lost"}:
                game.ended, game.how = event.at, event.kind
    return list(games.values())


def assign(told: Sequence[Signal], games: list[Truth]) -> list[GameStarted]:
    """Give each game that was told to the true one that ran then; returns those that nobody played."""
    invented = []
    for said in told:
        if not isinstance(said, GameStarted):
            continue
        running = [game for game in games if game.begun <= said.at <= (game.ended or 2**62) + 15_000]
        if running:
            running[-1].told.append(said)
        else:
            invented.append(said)
    return invented


def verdicts(kind: str, game: Truth, ends: list[GameEnded | GameAborted | None]) -> list[str]:
    """What became of one finished game."""
    over = [end for end in ends if isinstance(end, GameEnded)]
    found = ["doubled"] * (len(over) > 1)
    if any(is_false(end, game) for end in ends if end is not None):
        return [*found, "wrong"]
    if not ends:
        return [*found, "missed"]
    lost = game.how in LOST
    if not over:
        return [*found, "gone" if lost else "aborted"]
    if any(one.score is None for one in over[0].scores):
        return [*found, "held"]
    seen = over[0].how == game.how or game.how in BLIND.get(kind, ())
    return [*found, "right" if seen else "wrong end"]


def is_false(end: GameEnded | GameAborted, game: Truth) -> bool:
    """Whether something certain is not true: another final score or number of players; a last one that never was."""
    told = {one.player: one.score for one in end.scores}
    true = dict(enumerate(game.scores, start=1))
    if isinstance(end, GameAborted):
        return any(score > true.get(player, 0) for player, score in told.items() if score is not None)
    wrong = any(score is not None and score != true.get(player) for player, score in told.items())
    return wrong or (None not in told.values() and told.keys() != true.keys())


def hearable(line: Line, game: Truth) -> bool:
    """Whether the line was there when the game ended, and for some of its time."""
    cut = [spell for spell in line.spells if spell.what == "cut"]
    begun = max(game.begun, line.first_heard)
    return not any(spell.begun <= game.ended + 3_000 and spell.ended >= game.ended - 3_000 for spell in cut) and (
        game.ended - begun > 5_000
    )


if __name__ == "__main__":
    main()
