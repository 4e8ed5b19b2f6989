"""Counting what came of many simulated machines, and the reliability of confidence. Nothing is played or printed here.

Invariant: whatever was accepted and was not right stands in `wrong`, with all that is needed to see it again.
"""

from dataclasses import dataclass, field

from benchmarks.simulated_watch import Read, Watched

BINS = (0.0, 0.5, 0.9, 0.97, 0.99, 0.999, 1.0001)
PLAYED = {"normal", "slam-tilt", "ended-early"}
"""Games that come to final scores."""


@dataclass(slots=True)
class Tally:
    """What one kind of machine under one setting gave."""

    machines: int = 0
    pictures: int = 0
    readable: int = 0
    exact: int = 0
    accepted: int = 0
    accepted_wrong: int = 0
    finals_right: int = 0
    finals_held: int = 0
    finals_wrong: int = 0
    finals_missing: int = 0
    """Games that were over and for which capture said no end; their scores wait for nobody."""
    invented: int = 0
    changes: int = 0
    changes_seen: int = 0
    live_wrong: int = 0
    seconds: float = 0.0
    bins: dict[float, list[int]] = field(default_factory=lambda: {least: [0, 0] for least in BINS[:-1]})
    """Least confidence: proposals, and how many of them were right."""
    wrong: list[tuple[str, Read]] = field(default_factory=list)

    def add(self, watched: Watched) -> None:
        """One machine more."""
        self.machines += 1
        self.pictures += watched.pictures
        self.readable += watched.readable
        self.exact += watched.exact
        self.changes += watched.changes
        self.changes_seen += watched.changes_seen
        self.seconds += watched.seconds
        self.live_wrong += len(watched.live_wrong)
        self.invented += len(watched.invented)
        for read in watched.reads:
            self.accepted += read.accepted
            self._bin(read)
            if read.accepted and not read.is_right:
                self.accepted_wrong += 1
                self.wrong.append(("reading", read))
        self.wrong += [("live", read) for read in watched.live_wrong]
        self._finals(watched)

    def _bin(self, read: Read) -> None:
        least = max(edge for edge in BINS[:-1] if edge <= read.confidence)
        self.bins[least][0] += 1
        self.bins[least][1] += read.is_right

    def _finals(self, watched: Watched) -> None:
        for over, ended in watched.games:
            if over.how not in PLAYED:
                continue
            if ended is None:
                self.finals_missing += len(over.scores)
                continue
            told = {score.player: score for score in ended.scores}
            for player, score in enumerate(over.scores, 1):
                one = told.get(player)
                if one is None:
                    self.finals_missing += 1
                elif one.score is None:
                    self.finals_held += 1
                elif one.score == score:
                    self.finals_right += 1
                else:
                    self.finals_wrong += 1
                    self._blame(watched, player, one.score, score, ended.at)

    def _blame(self, watched: Watched, player: int, told: int, true: int, at: int) -> None:
        last = [read for read in watched.reads if read.at <= at][-1:]
        if last:
            self.wrong.append(
                ("final", Read(url=watched.url, at=at, player=player, read=told, confidence=1.0, accepted=True,
                               right=frozenset({true}), image=last[0].image))
            )  # fmt: skip
