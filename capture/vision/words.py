"""Words that matter on a display: what they are, and how they are known though a sign or two was misread.

Nothing is concluded here but which words stand there. Invariant: `WORD #` is said with the number that was read,
never without it.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from capture.vision.networks import TWINS

STATUS = ("BALL #", "PLAYER #", "CREDITS #", "CREDIT #", "FREE PLAY")
"""Words of the line under a score."""
OTHERS = (
    *("CHAMPION", "CHAMPIONS", "GRAND", "HIGH", "HIGHEST", "INITIALS", "ENTER", "SCORE", "SCORES", "LAST", "BEST"),
    *("RECORD", "MATCH", "TOTAL", "BONUS", "AWARD", "AWARDED", "VALUE", "WORTH", "POSITION", "COLLECT", "COLLECTED"),
    *("REPLAY", "JACKPOT", "SPECIAL", "PRESS", "PUSH", "INSERT", "COIN", "COINS", "BUY", "WINS", "LOSES"),
    *("HURRY", "BANK", "BANKED", "PRIZE", "RESULT", "RESULTS", "CHAMP", "RANK", "PLACE", "WINNER", "BEAT", "GOAL"),
    *("NEED", "COUNTDOWN", "LEVEL", "MATCHED", "EARNED", "PREVIOUS", "TOP"),
)
"""Words that say that a number beside or under them is not the score of the player who is up."""
INSTRUCTIONS = ("SHOOT", "HIT", "FOR", "LIGHTS")
"""Words of a line that says what to do, and may name what one gets for it."""
BALL_TALK = (
    *("LOCKED", "LOCK", "LOCKS", "SAVED", "SAVE", "SAVER", "EXTRA", "SHOOT", "AGAIN", "ADDED", "BONUS", "LEFT", "LIT"),
    *("MORE", "JACKPOT", "READY", "OVER", "DRAINED", "PLAY", "TO", "GO", "TOTAL", "SCORE"),
)
"""Words that make BALL 2 a line about something else than the ball in play."""
_PHRASE = 8
"""Letters of a phrase that is known by one sign less."""
NUMBERS = {"ONE": "1", "TWO": "2", "THREE": "3", "FOUR": "4", "FIVE": "5", "SIX": "6"}


def find_words(lines: Iterable[str], patterns: Sequence[str]) -> tuple[str, ...]:
    """The patterns (`#` stands for a number) that stand in the lines, with their numbers, in order of the patterns."""
    return _find_words(tuple(lines), tuple(patterns))


@lru_cache(maxsize=1 << 12)
def _find_words(lines: tuple[str, ...], patterns: tuple[str, ...]) -> tuple[str, ...]:
    split = [words for line in lines for words in ([*line.split()], _unglued(line))]
    found = []
    for pattern in patterns:
        parts = pattern.upper().split()
        for words in split:
            for start in range(len(words) - len(parts) + 1):
                phrase = words[start : start + len(parts)]
                said = _match(phrase, parts) or _match_phrase(phrase, parts)
                if said and said not in found:
                    found.append(said)
    return tuple(found)


def tells_the_ball(line: str) -> bool:
    """Whether a status line says which ball or player is up, and nothing else but what status lines say."""
    if not find_words([line], ("BALL #", "PLAYER #")):
        return False
    rest = [word for word in line.split() if not alike(word, "FREE")]
    free = len(rest) < len(line.split())
    return not any(alike(word, talk) for word in rest for talk in BALL_TALK if not (free and talk == "PLAY"))


def is_label(line: str) -> bool:
    """Whether the line says that a number beside it is something else than the score of the player who is up."""
    return says(line, OTHERS)


def is_instruction(line: str) -> bool:
    """Whether the line tells the player what to do."""
    return says(line, INSTRUCTIONS)


def initials(line: str) -> bool:
    """Whether the line is three letters and nothing else, as a champion signs."""
    return bool(re.fullmatch(r"[A-Z]{3}", line.strip())) and line.strip() not in {"THE", "AND", "FOR", "LIT", "YOU"}


def says(line: str, words: Iterable[str]) -> bool:
    """Whether any of the words stands in the line."""
    return any(alike(said, word) for said in line.split() for word in words)


@lru_cache(maxsize=1 << 16)
def alike(said: str, word: str) -> bool:
    """The same word but for look-alike signs, and one misread sign if it is long enough."""
    a, b = plain(said), plain(word)
    if a == b:
        return True
    if len(b) < 5 or abs(len(a) - len(b)) > 1:
        return False
    return _distance(a, b) <= 1


@lru_cache(maxsize=1 << 12)
def plain(word: str) -> str:
    """With letters that look like digits written as those digits."""
    return "".join(TWINS.get(sign, sign) for sign in word.upper())


def _unglued(line: str) -> list[str]:
    """The words with a number at a word's end taken off it: small fonts hardly leave a space there."""
    return re.sub(r"([A-Z]{3,})(\d{1,2})(?= |$)", r"\1 \2", line).split()


def _match(words: list[str], parts: list[str]) -> str:
    said = []
    for word, part in zip(words, parts, strict=True):
        if part == "#":
            number = NUMBERS.get(word, "".join(TWINS.get(sign, sign) for sign in word))
            if not number.isdigit() or len(number) > 2:
                return ""
            said.append(str(int(number)))
        elif alike(word, part):
            said.append(part)
        else:
            return ""
    return " ".join(said)


def _match_phrase(words: list[str], parts: list[str]) -> str:
    """A phrase of two words with one sign misread, though its words are short: GAME OUER."""
    phrase = "".join(parts)
    long = len(parts) > 1 and len(phrase) >= _PHRASE and "#" not in phrase
    return " ".join(parts) if long and alike("".join(words), phrase) else ""


def _distance(a: str, b: str) -> int:
    """Edits from one to the other."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        above, row[0] = row[0], i
        for j, y in enumerate(b, start=1):
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + (x != y))
    return row[-1]
