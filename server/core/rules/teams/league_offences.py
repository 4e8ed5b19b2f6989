"""What an offence in a match of the league does by itself (PC12, PC13, PC27 to PC30).

Only data. Invariant: an offence that is not here is an official's matter.
"""

LOSING = {"out-of-turn": "PC12", "interference": "PC27", "slam-tilt": "PC29", "machine-damage": "PC29"}
"""The team loses the game, whatever the scores are; with the clause."""

ZEROING = {"death-save": "PC28"}
"""The player's score in the game is 0, the partner's stays."""

LOGGED_IN, PRACTICE, DISQUALIFIED = "logged-in", "practice", "disqualified"
"""PC13: first a warning, then the player's score is gone. PC30: first a warning, then the game is forfeited. C3.5."""

WARNED_FIRST = frozenset({LOGGED_IN, PRACTICE})
