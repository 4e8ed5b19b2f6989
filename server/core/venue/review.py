"""The review policy: which captured scores count by themselves, and why the others wait for an official.

Pure questions with answers for people. The invariant: whatever is not settled, plausible and confident has a doubt.
"""

from server.core.venue.state import Game, Machine, State
from server.core.venue.values import Score

CONFIDENT = 0.98
"""A reading below this confidence does not count by itself."""
USUAL_AFTER = 20
"""Scores that a machine must have posted before one far above them is doubted."""
FAR_ABOVE = 10
"""Times the best score so far: true ones exist (a good day), so it is doubted and never refused."""
SCORE_FAULTS = frozenset({"score-jump", "score-stuck"})
DISPUTE = "sources-disagree"
"""Two sources of one machine contradict each other: while it is open, either may be wrong about any game."""

_ENDINGS = {
    "slam-tilt": "the machine was slam-tilted",
    "ended-early": "the game ended before all balls were played",
    "link-lost": "the link to the machine was lost during the game",
    "shutdown": "the agent was shut down during the game",
    "reset": "the machine was reset during the game",
    "restart": "a new game was started before this one was over",
    "service": "the machine was put into service mode during the game",
    "display-lost": "the display was lost from sight during the game",
}


def score_doubts(score: Score | None, machine: Machine) -> tuple[str, ...]:
    """Why this score needs eyes; empty where it counts by itself."""
    if score is None:
        return ("no score was seen",)
    if score.score is None:
        return ("the score was not read for certain",)
    doubts = []
    if score.confidence < CONFIDENT:
        doubts.append(f"the reading's confidence is {score.confidence:.2f}, below {CONFIDENT}")
    if any(candidate != score.score for candidate in score.candidates):
        doubts.append("the picture can be read in more than one way")
    if machine.max_score is not None and score.score > machine.max_score:
        doubts.append(f"the machine can show no more than {machine.max_score:,}")
    if machine.quantum and score.score % machine.quantum:
        doubts.append(f"this machine's scores are multiples of {machine.quantum:,}")
    if machine.top is not None and machine.posted >= USUAL_AFTER and score.score > FAR_ABOVE * machine.top:
        doubts.append(f"it is far above the best score here so far ({machine.top:,})")
    return tuple(doubts)


def game_doubts(state: State, game: Game, machine: Machine) -> tuple[str, ...]:
    """Why all scores of the game need eyes, whatever they are."""
    doubts = [*game.why]
    if game.ending is None:
        doubts.append("the end of the game was not heard")
    elif game.aborted or game.ending != "normal":
        doubts.append(_ENDINGS.get(game.ending, f"the game ended by {game.ending}"))
    if game.joined_late or game.started is None:
        doubts.append("the start of the game was not seen")
    if game.rollovers:
        doubts.append("the display rolled over")
    doubts += [
        f"{state.malfunctions[name].fault} was signalled during the game"
        for name in machine.open
        if state.malfunctions[name].fault in SCORE_FAULTS and state.malfunctions[name].game in {None, game.id}
    ]
    if DISPUTE in game.alarms or any(state.malfunctions[name].fault == DISPUTE for name in machine.open):
        doubts.append("the sources of this machine disagree, and no official has settled it")
    if game.late:
        doubts.append("the players were assigned or taken off before this game was heard of: is it theirs?")
    return tuple(dict.fromkeys(doubts))


def count_doubt(game: Game) -> str | None:
    """Whether the machine's slots are not as many as the players assigned."""
    slots = [score.player for score in game.scores]
    if not slots and game.aborted:
        return None
    if slots == list(range(1, len(game.players) + 1)):
        return None
    return f"{len(slots)} started, {len(game.players)} assigned"
