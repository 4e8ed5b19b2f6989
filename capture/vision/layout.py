"""Which number on the display is the score of the player who is up, and what else there is.

Judged from size, place, brightness and words alone: nothing here knows a machine, but for the windows that a profile
may name. Invariant: when it is not clear which number it is, or whether any is, that is said in `doubt`; a guess may
be shown to an official, never counted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from capture.vision.digits import Number, Text
from capture.vision.networks import Values
from capture.vision.places import aside, at_side, corners, window_of
from capture.vision.reading import LIKELY, LIVE, OPEN, OTHER
from capture.vision.signs import bars
from capture.vision.words import STATUS, find_words, initials, is_instruction, is_label, says, tells_the_ball

if TYPE_CHECKING:
    from hardware.displays import Window

_NEXT, _TALLER, _BRIGHTER = 0.85, 1.2, 1.4
"""A second number at least so high beside the tallest leaves it open which is meant; one so much higher, or so much
brighter, is plain."""
_DIM = 0.7
"""Numbers less bright than this part of the brightest are no score at the side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """`live`: the score of the player who is up, if any number can be. `player`: who that is, None if alone.

    `others`: the other players' scores. `rest`: every other number. `standing` and `doubt` say how sure it is that
    `live` is a score at all (`reading.LIVE` and so on); `doubt` is empty only if it is LIVE.
    """

    live: Number | None
    player: int | None
    others: tuple[tuple[int, Number], ...]
    rest: tuple[Number, ...]
    words: tuple[str, ...]
    doubt: str
    standing: str


def lay_out(
    texts: list[Text], dots: Values, *, patterns: tuple[str, ...], players: int, windows: Sequence["Window"] = ()
) -> Layout:
    """Judge what was read on a display (dots: 2 x rows x columns). `patterns` are the words that the profile names."""
    size = (dots.shape[2], dots.shape[1])
    wanted = (*patterns, *(word for word in STATUS if word not in patterns))
    words = find_words([text.words if find_words([text.words], wanted) else text.guess for text in texts], wanted)
    numbers = [number for text in texts for number in text.numbers if number.text.strip("?")]
    divided = bool(bars(dots[0])) and not windows
    if windows:
        words = (*words, *(word for word in _shown(texts, windows, size) if word not in words))
        places = _in_windows(numbers, windows, size)
        scores = [number for number, _ in places]
        free, by_player = scores, {who: number for number, who in places if who is not None}
    else:
        free = [number for number in numbers if not number.labelled]
        scores, by_player = _candidates(free, words, size, players, divided=divided)
    if not scores:
        return Layout(
            live=None, player=None, others=(), rest=tuple(numbers), words=words, doubt="no score on this screen",
            standing="",
        )  # fmt: skip
    live = _choose(scores, by_player, words, size)
    player = next((who for who, number in by_player.items() if number is live), None)
    if not by_player and len(_named(words)) == 1 and all(number.text == live.text for number in scores):
        player = _named(words)[0]
    others = tuple((who, number) for who, number in sorted(by_player.items()) if number is not live)
    standing, doubt = _stand(
        live, player, (scores, free, [number for _, number in others]), texts, words, size, divided=divided
    )
    if windows and standing == LIKELY:
        standing, doubt = LIVE, ""
    taken = {id(live), *(id(number) for _, number in others)}
    return Layout(
        live=live, player=player, others=others, rest=tuple(n for n in numbers if id(n) not in taken), words=words,
        doubt=doubt, standing=standing,
    )  # fmt: skip


def _stand(
    live: Number, player: int | None, numbers: tuple[list[Number], list[Number], list[Number]], texts: list[Text],
    words: tuple[str, ...], size: tuple[int, int], *, divided: bool,
) -> tuple[str, str]:  # fmt: skip
    """How `live` stands as the score, and what is in doubt."""
    scores, free, others = numbers
    every = [number for text in texts for number in text.numbers]
    against = _other_player(player, words) or _other_meaning(live, texts, words)
    if against:
        return OTHER, against
    open_ = ("a short number: it may be a timer" if _short(live) else "") or _rival(live, scores, free, size)
    if open_:
        return OPEN, open_
    lines = [text for text in texts if tells_the_ball(text.words) or tells_the_ball(text.guess)]
    told = bool(lines)
    if divided and not told and not aside(live, *size):
        return OPEN, "the column of scores beside it cannot be read"
    level = next((number for number in every if not others and _beside_the_ball(number, live, lines)), None)
    if level is not None:
        return OPEN, f"a number stands in the line that says which ball is played: {level.text}"
    plain = len(others) >= 2 and all(_plainer(live, number) for number in others)
    if told or plain or _timed(live, every, size):
        return LIVE, ""
    return LIKELY, "nothing on this screen says whose number this is"


def _candidates(
    free: list[Number], words: tuple[str, ...], size: tuple[int, int], players: int, *, divided: bool
) -> tuple[list[Number], dict[int, Number]]:
    """Numbers that may be scores, and the players' places if they all stand in such.

    Scores have three digits and more and no leading nought, or are 00; shorter ones are timers and counts, unless one
    stands in the place of the player whom the display names. On a display that a bar divides nothing is a corner.
    """
    long = [number for number in free if _long(number)]
    if players == 1 or divided:
        return long, {}
    both = [number for number in free if _long(number) or _short(number)]
    places = corners(both, *size)
    named = [places.get(int(word.split()[-1])) for word in words if word.startswith("PLAYER ")]
    if any(number is not None and _short(number) for number in named):
        return both, places
    places = corners(long, *size)
    return long, places if len(places) > 1 else {}


def _choose(scores: list[Number], places: dict[int, Number], words: tuple[str, ...], size: tuple[int, int]) -> Number:
    """The named player's; a larger score at the side of a show; the tallest; of like ones the brightest."""
    named = [places[who] for who in _named(words) if who in places]
    if len(named) == 1:
        return named[0]
    tallest = max(scores, key=lambda number: (number.height, number.box[2] - number.box[0]))
    if not any(word.startswith(("BALL ", "PLAYER ", "CREDIT", "FREE PLAY")) for word in words) and not places:
        small = [number for number in scores if aside(number, *size) and number.level >= _DIM * tallest.level]
        most = max(small, key=_worth, default=tallest)
        if all(_worth(most) >= _worth(number) for number in scores):
            return most
    like = [number for number in scores if number.height >= _NEXT * tallest.height]
    brightest = max(like, key=lambda number: number.level)
    return brightest if brightest.level > _BRIGHTER * tallest.level else tallest


def _worth(number: Number) -> tuple[int, str]:
    """Compares numbers of which places may be unknown."""
    return len(number.text), number.text.replace("?", "0")


def _long(number: Number) -> bool:
    return number.text == "00" or (len(number.text) >= 3 and not number.text.startswith("0"))


def _short(number: Number) -> bool:
    return len(number.text) == 2 and number.text.endswith("0") and number.text != "00"


def _plainer(live: Number, number: Number) -> bool:
    """Whether `live` stands out against the other."""
    return live.height >= _TALLER * number.height or (
        live.height >= number.height and live.level > _BRIGHTER * number.level
    )


def _rival(live: Number, scores: list[Number], free: list[Number], size: tuple[int, int]) -> str:
    """Another number that may be meant: no copy of this one, no timer at the side, none that is plainly dim."""
    tallest = max(number.height for number in scores)
    for number in scores:
        if number is live or number.text == live.text or _plainer(live, number):
            continue
        if number.height >= _NEXT * live.height:
            small = live.height < _NEXT * tallest
            return (
                f"a larger number stands on the screen: {number.text}" if small
                else f"more than one number of that size: {live.text} and {number.text}"
            )  # fmt: skip
    for number in free:
        timer = len(number.text) <= 2 and at_side(number, size[0])
        if number not in scores and not timer and number.height >= _TALLER * live.height:
            return f"a larger number stands on the screen: {number.text}"
    return ""


def _beside_the_ball(number: Number, live: Number, lines: list[Text]) -> bool:
    """Whether it stands level with BALL n, as scores do in a status line while an award plays above them."""
    middle = (number.box[1] + number.box[3]) / 2
    level = any(text.line.box[1] <= middle <= text.line.box[3] for text in lines)
    return level and _long(number) and number.text not in {live.text, "00"} and number.height < _NEXT * live.height


def _timed(live: Number, numbers: list[Number], size: tuple[int, int]) -> bool:
    """A running timer at the side, or the same at both, and a number that is not round: the score, kept in view.

    Awards and levels are round numbers; totals and records are labelled, and stand there when no time runs.
    """
    if live.value is None or live.value % 1000 == 0 or len(live.text) < 5:
        return False
    timers = [n for n in numbers if len(n.text) == 2 and n.text.strip("?") and at_side(n, size[0])]
    if any(n.alone and n.height >= _NEXT * live.height for n in timers):
        return True
    pairs = combinations([n for n in timers if n.text.isdigit()], 2)
    return any(a.text == b.text and abs(a.box[0] - b.box[0]) > size[0] / 2 for a, b in pairs)


def _named(words: tuple[str, ...]) -> list[int]:
    return [int(word.split()[-1]) for word in words if word.startswith("PLAYER ")]


def _other_player(player: int | None, words: tuple[str, ...]) -> str:
    """The display names a player in whose place this number does not stand."""
    named = _named(words)
    if len(named) > 1:
        return "the display names more than one player"
    if named and named[0] != (player or 1):
        return f"the display says PLAYER {named[0]}, but the number does not stand there"
    return ""


def _other_meaning(live: Number, texts: list[Text], words: tuple[str, ...]) -> str:
    if "GAME OVER" in words:
        return "the display says GAME OVER"
    mine = next((text for text in texts if live in text.numbers), None)
    titled = any(text is not mine and text.line.box[3] <= live.box[1] + 1 and len(text.words) > 3 for text in texts)
    for text in texts:
        if text is mine or not _beside(text, live):
            continue
        below = text.line.box[1] >= live.box[3] - 1
        if titled and below and (is_instruction(text.words) or is_instruction(text.guess)):
            continue
        if is_label(text.words) or is_label(text.guess):
            return f"words beside the number say that it is another one: {text.words}"
    told = any(tells_the_ball(text.words) or tells_the_ball(text.guess) for text in texts)
    if not told:
        for text in texts:
            if text is not mine and initials(text.words):
                return f"initials stand beside the number, as in a table of high scores: {text.words}"
        if any(says(text.words, ("PRESS", "PUSH")) and says(text.words, ("START",)) for text in texts):
            return "the display asks for a player to start"
    return ""


def _beside(text: Text, live: Number) -> bool:
    """A heading or footing of the number; not the status line, and not a line that labels its own number."""
    if any(len(number.text) > 2 for number in text.numbers) or find_words([text.words, text.guess], STATUS):
        return False
    box = text.line.box
    over = min(box[2], live.box[2]) - max(box[0], live.box[0])
    near = max(box[1] - live.box[3], live.box[1] - box[3]) < max(8.0, live.height)
    return near and over > 0.25 * min(box[2] - box[0], live.box[2] - live.box[0])


def _in_windows(
    numbers: list[Number], windows: Sequence["Window"], size: tuple[int, int]
) -> list[tuple[Number, int | None]]:
    """The numbers that stand in windows which show scores, and whose they are. The larger where two share a window."""
    found: dict[int, tuple[Number, int | None]] = {}
    for number in numbers:
        window = window_of(number, windows, *size)
        room = 24 if window is None or window.digits is None else window.digits
        if window is not None and window.shows == "score" and len(number.text) <= room:
            key = windows.index(window)
            if key not in found or number.height > found[key][0].height:
                found[key] = (number, window.player)
    shown = list(found.values())
    return [one for one in shown if _long(one[0])] or shown


def _shown(texts: list[Text], windows: Sequence["Window"], size: tuple[int, int]) -> list[str]:
    """Words for the numbers in windows that show the ball or the credits: a ball window that shows 3 says BALL 3."""
    said = []
    for window in windows:
        name = {"ball": "BALL", "credits": "CREDITS"}.get(window.shows)
        for text in texts:
            left, top, right, bottom = text.line.box
            x, y = (left + right) / 2 / size[0], (top + bottom) / 2 / size[1]
            shown = text.words.split()[-1] if text.words.split() else ""
            inside = window.left <= x <= window.right and window.top <= y <= window.bottom
            if name and inside and shown.isdigit() and len(shown) <= 2:
                said.append(f"{name} {int(shown)}")
    return said
