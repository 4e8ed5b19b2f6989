"""Which number on the display is the score of the player who is up, and what else there is.

Judged from size, place and words alone: nothing here knows a machine. Invariant: when it is not clear which number it
is, or whether any is, that is said in `doubt`; a guess may be shown to an official, never counted.
"""

from dataclasses import dataclass

from capture.vision.digits import Number, Text
from capture.vision.words import OTHERS, STATUS, find_words, says

_NEXT, _TALLER = 0.85, 1.2
"""A second number at least so high beside the tallest leaves it open which is meant; one so much higher is plain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """`live`: the score of the player who is up, if any number can be. `player`: who that is, None if alone.

    `others`: the other players' scores. `doubt`: empty only if the display itself says that `live` is a score.
    `firm`: that evidence is strong enough for a single picture; over time less may do.
    """

    live: Number | None
    player: int | None
    others: tuple[tuple[int, Number], ...]
    words: tuple[str, ...]
    doubt: str
    firm: bool


def lay_out(texts: list[Text], columns: int, rows: int, patterns: tuple[str, ...], players: int) -> Layout:
    """Judge what was read on a display of `columns` x `rows` dots. `patterns` are the words that the profile names."""
    wanted = (*patterns, *(word for word in STATUS if word not in patterns))
    words = find_words([text.words if find_words([text.words], wanted) else text.guess for text in texts], wanted)
    free = [n for text in texts for n in text.numbers if not n.labelled and n.text.strip("?")]
    scores, places = _candidates(free, words, (columns, rows), players)
    if not scores:
        return Layout(live=None, player=None, others=(), words=words, doubt="no score on this screen", firm=False)
    live = max(scores, key=lambda number: (number.height, number.box[2] - number.box[0]))
    player = next((who for who, number in places.items() if number is live), None)
    others = tuple((who, number) for who, number in sorted(places.items()) if number is not live)
    doubt = "a short number: it may be a timer" if _short(live) else ""
    doubt = doubt or _rival(live, scores, free) or _other_player(player, words) or _other_meaning(live, texts, words)
    told = any(word.startswith(("BALL ", "PLAYER ")) for word in words)
    firm = not doubt and (told or (bool(others) and live.height >= _TALLER * max(n.height for _, n in others)))
    if not doubt and not firm:
        doubt = "nothing on this screen says whose number this is"
    return Layout(live=live, player=player, others=others, words=words, doubt=doubt, firm=firm)


def _candidates(
    free: list[Number], words: tuple[str, ...], size: tuple[int, int], players: int
) -> tuple[list[Number], dict[int, Number]]:
    """Numbers that may be scores, and the players' places if they all stand in such.

    Scores have three digits and more and no leading nought, or are 00; shorter ones are timers and counts, unless one
    stands in the place of the player whom the display names.
    """
    long = [number for number in free if _long(number)]
    if players == 1:
        return long, {}
    both = [number for number in free if _long(number) or _short(number)]
    places = _places(both, *size)
    named = [places.get(int(word.split()[-1])) for word in words if word.startswith("PLAYER ")]
    if any(number is not None and _short(number) for number in named):
        return both, places
    places = _places(long, *size)
    return long, places if len(places) > 1 else {}


def _long(number: Number) -> bool:
    return number.text == "00" or (len(number.text) >= 3 and not number.text.startswith("0"))


def _short(number: Number) -> bool:
    return len(number.text) == 2 and number.text.endswith("0") and number.text != "00"


def _rival(live: Number, scores: list[Number], free: list[Number]) -> str:
    """Another number that may be meant."""
    for number in scores:
        if number is not live and number.height >= _NEXT * live.height:
            return f"more than one number of that size: {live.text} and {number.text}"
    for number in free:
        if number is not live and number.height >= _TALLER * live.height:
            return f"a larger number stands on the screen: {number.text}"
    return ""


def _other_player(player: int | None, words: tuple[str, ...]) -> str:
    """The display names a player in whose place this number does not stand."""
    named = [int(word.split()[-1]) for word in words if word.startswith("PLAYER ")]
    if len(named) > 1:
        return "the display names more than one player"
    if named and named[0] != (player or 1):
        return f"the display says PLAYER {named[0]}, but the number does not stand there"
    return ""


def _other_meaning(live: Number, texts: list[Text], words: tuple[str, ...]) -> str:
    if "GAME OVER" in words:
        return "the display says GAME OVER"
    mine = next(text for text in texts if live in text.numbers)
    for text in texts:
        if text is not mine and _beside(text, live) and (says(text.words, OTHERS) or says(text.guess, OTHERS)):
            return f"words beside the number say that it is another one: {text.words}"
    return ""


def _beside(text: Text, live: Number) -> bool:
    """A heading or footing of the number; not the status line, and not a line that labels its own number."""
    if text.numbers or find_words([text.words, text.guess], STATUS):
        return False
    box = text.line.box
    over = min(box[2], live.box[2]) - max(box[0], live.box[0])
    near = max(box[1] - live.box[3], live.box[1] - box[3]) < max(8.0, live.height)
    return near and over > 0.25 * min(box[2] - box[0], live.box[2] - live.box[0])


def _places(scores: list[Number], columns: int, rows: int) -> dict[int, Number]:
    """Player by corner, as displays of all makers place them: 1 and 2 above, 3 and 4 below, 2 sometimes lower right."""
    left = sorted((n for n in scores if n.box[0] < 0.2 * columns and n.box[2] < 0.72 * columns), key=lambda n: n.box[1])
    right = sorted(
        (n for n in scores if n.box[2] > 0.8 * columns and n.box[0] > 0.28 * columns), key=lambda n: n.box[1]
    )
    if len(left) > 2 or len(right) > 2 or len(left) + len(right) != len(scores):
        return {}
    places = {1 + 2 * k: number for k, number in enumerate(left)}
    places |= {2 + 2 * k: number for k, number in enumerate(right)}
    below = [number for number in left if number.box[1] > 0.3 * rows]
    if len(left) == 1 and below and len(right) == 2:
        return {}
    return places
