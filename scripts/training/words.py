"""What displays say: words of the game in general, random words, and numbers as scores look."""

from __future__ import annotations

import numpy as np

PLAIN = (
    *("BALL", "CREDITS", "FREE", "PLAY", "PLAYER", "GAME", "OVER", "TILT", "SLAM", "PRESS", "PUSH", "START", "REPLAY"),
    *("AT", "SCORE", "HIGH", "JACKPOT", "SUPER", "DOUBLE", "BONUS", "TOTAL", "MULTIBALL", "EXTRA", "SHOOT", "THE"),
    *("RAMP", "LEFT", "RIGHT", "LOOP", "LANE", "TARGET", "LOCK", "LIT", "IS", "FOR", "MODE", "MISSION", "COMPLETE"),
    *("TIME", "LAST", "HURRY", "UP", "MILLION", "AWARD", "MYSTERY", "SPECIAL", "MATCH", "INSERT", "COIN", "COINS"),
    *("CHAMPION", "GRAND", "INITIALS", "ENTER", "DANGER", "WARNING", "AGAIN", "MAY", "CONTINUE", "THIS", "YOU", "ONE"),
    *("TWO", "THREE", "FOUR", "COLLECT", "ADVANCE", "SPINNER", "ORBIT", "SAVE", "KICKBACK", "READY", "WORLD", "RACE"),
    *("CAR", "SHIP", "ATTACK", "CASTLE", "NEXT", "HIT", "ANY", "ALL", "HOUSE", "PARTY", "KING", "QUEEN", "NIGHT"),
    *("GOLD", "SILVER", "RESCUE", "CHASE", "BATTLE", "WIZARD", "VALUE", "LEVEL"),
)


def number(rng: np.random.Generator) -> int:
    """A score: mostly round in its last place, of any usual length."""
    digits = int(rng.choice([2, 3, 4, 5, 6, 7, 8, 9, 10], p=(0.02, 0.03, 0.08, 0.12, 0.25, 0.22, 0.14, 0.1, 0.04)))
    value = int(rng.integers(10 ** (digits - 1), 10**digits))
    step = int(rng.choice([1, 10, 10, 10, 10, 100, 1000]))
    return max(0, value // step * step)


def grouped(rng: np.random.Generator, value: int) -> str:
    """As displays write it: mostly with commas or points, zero as 00."""
    if value == 0:
        return str(rng.choice(["00", "00", "00", "0", "000"]))
    if rng.random() < 0.12:
        return str(value)
    return f"{value:,}" if rng.random() < 0.85 else f"{value:,}".replace(",", ".")


def title(rng: np.random.Generator) -> str:
    """One to three words."""
    return " ".join(_word(rng) for _ in range(int(rng.integers(1, 4))))


def any_words(rng: np.random.Generator) -> str:
    """Words with a number in, before or after them."""
    kind = rng.integers(6)
    value = grouped(rng, number(rng))
    if kind == 5:
        return f"{_word(rng)}={value}"
    if kind == 0:
        return f"{_word(rng)} {rng.choice(['=', 'AT', 'IS', '-', ''])} {value}".replace("  ", " ")
    if kind == 1:
        return f"{value} {_word(rng)}"
    if kind == 2:
        return f"#{rng.integers(1, 9)} {_word(rng)}"
    if kind == 3:
        return f"{title(rng)} {rng.integers(0, 100)}"
    return title(rng)


def bottom_line(rng: np.random.Generator) -> str:
    """The small line under a score."""
    kind = rng.integers(7)
    if kind <= 1:
        return f"BALL {rng.integers(1, 6)}"
    if kind == 2:
        return "FREE PLAY"
    if kind == 3:
        return f"CREDITS {rng.integers(0, 31)}"
    if kind == 4:
        return f"PLAYER {rng.integers(1, 5)}"
    if kind == 5:
        return f"REPLAY AT {grouped(rng, number(rng))}"
    return any_words(rng)


def _word(rng: np.random.Generator) -> str:
    if rng.random() < 0.75:
        return str(rng.choice(PLAIN))
    return "".join(rng.choice(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), int(rng.integers(2, 9))))
