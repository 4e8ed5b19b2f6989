r"""Regular expressions that strangers write, kept to a part of the language that cannot run away.

Here: the check. Allowed: literal signs, `.`, `\d \D \s \S \w \W`, classes, groups `(…)`, `(?:…)`, `(?P<name>…)`, `|`,
and `? * + {n} {n,m}` after one sign or class; after a group only `?`. Not allowed: a repeated group, lookarounds, back
references, flags, anchors (a pattern has to fit the whole line anyway). Invariant: a pattern that passes is tried in at
most `MOST_WAYS` ways on any line, times the line's length: repeats that could give signs to what follows them multiply.
"""

import re
from dataclasses import dataclass

LONGEST = 500
"""Signs of a pattern."""
LONGEST_LINE = 512
"""Bytes of a line that is held against patterns; a longer one fits none."""
MOST_WAYS = 5_000

_ANY = frozenset(range(129)) - {10}
"""Sets of signs: 0 to 127, and 128 for all others."""
_SETS = {
    "d": frozenset(range(48, 58)),
    "s": frozenset(b" \t\n\r\f\v"),
    "w": frozenset([*range(48, 58), *range(65, 91), *range(97, 123), 95]),
}
_CONTROL = {"t": 9, "n": 10, "r": 13}
_COUNT = re.compile(r"\{(\d{1,3})(,(\d{0,3}))?\}")
_NAMED = re.compile(r"\(\?P<([a-z_][a-z0-9_]{0,30})>", re.ASCII)
_EVER = LONGEST_LINE


@dataclass(frozen=True, slots=True)
class _Signs:
    """One sign or class, with how often it comes."""

    signs: frozenset[int]
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class _Group:
    """One of several sequences; an empty one is among them where the group may be missing."""

    branches: tuple["_Sequence", ...]


_Sequence = tuple["_Signs | _Group", ...]


def check_pattern(text: str) -> re.Pattern[str]:
    """Compile a pattern. Raises ValueError with one line that says what is not allowed, and where."""
    if not text or len(text) > LONGEST:
        raise ValueError(f"a pattern has 1 to {LONGEST} signs")
    reader = _Reader(text)
    whole = reader.choice(0)
    if reader.at < len(text):
        raise ValueError(f"a ')' too many at place {reader.at + 1}")
    if _weigh((whole,), frozenset())[0] > MOST_WAYS:
        raise ValueError(
            "too many ways to fit: a repeat is followed by what it could take itself; write [^;]* instead of .*"
        )
    try:
        return re.compile(text, re.ASCII)
    except (re.error, OverflowError) as error:
        raise ValueError(f"no regular expression: {error}") from None


class _Reader:
    """Reads a pattern once, from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.at = 0

    def choice(self, depth: int) -> _Group:
        """Sequences between bars, up to the end or a closing bracket."""
        if depth > 10:
            raise ValueError("groups are nested too deeply")
        branches = [self._sequence(depth)]
        while self._peek() == "|":
            self.at += 1
            branches.append(self._sequence(depth))
        return _Group(tuple(branches))

    def _sequence(self, depth: int) -> _Sequence:
        steps: list[_Signs | _Group] = []
        while self._peek() not in {"", "|", ")"}:
            steps.append(self._step(depth))
        return tuple(steps)

    def _step(self, depth: int) -> _Signs | _Group:
        sign = self._text[self.at]
        if sign == "(":
            return self._group(depth)
        signs = self._atom(sign)
        return _Signs(signs, *self._count())

    def _group(self, depth: int) -> _Group:
        opened = self.at
        if named := _NAMED.match(self._text, self.at):
            self.at = named.end()
        elif self._text.startswith("(?:", self.at):
            self.at += 3
        elif self._text.startswith("(?", self.at):
            raise ValueError(f"only (?:…) and (?P<name>…) may begin with (?, not what stands at place {opened + 1}")
        else:
            self.at += 1
        group = self.choice(depth + 1)
        if self._peek() != ")":
            raise ValueError(f"the group at place {opened + 1} does not end")
        self.at += 1
        least, most = self._count()
        if most > 1:
            raise ValueError(f"the group at place {opened + 1} is repeated: only ? may follow a group")
        return group if least else _Group((*group.branches, ()))

    def _count(self) -> tuple[int, int]:
        sign = self._peek()
        if sign == "{" and (found := _COUNT.match(self._text, self.at)):
            self.at = found.end()
            least = int(found[1])
            most = least if found[2] is None else int(found[3]) if found[3] else _EVER
        elif sign in {"?", "*", "+"}:
            self.at += 1
            least, most = {"?": (0, 1), "*": (0, _EVER), "+": (1, _EVER)}[sign]
        else:
            return 1, 1
        if self._peek() in {"?", "+", "*", "{"}:
            raise ValueError(f"a repeat of a repeat at place {self.at + 1}")
        return least, most

    def _atom(self, sign: str) -> frozenset[int]:
        if sign in "^$":
            raise ValueError(f"{sign} at place {self.at + 1}: a pattern has to fit the whole line anyway: leave it out")
        if sign in "*+?{":
            raise ValueError(f"nothing to repeat at place {self.at + 1}")
        if sign == "[":
            return self._class()
        self.at += 1
        if sign == ".":
            return _ANY
        return self._escape() if sign == "\\" else frozenset({min(ord(sign), 128)})

    def _escape(self) -> frozenset[int]:
        sign = self._peek()
        self.at += 1
        if sign in _CONTROL:
            return frozenset({_CONTROL[sign]})
        if sign.lower() in _SETS and sign:
            signs = _SETS[sign.lower()]
            return signs if sign.islower() else frozenset(range(129)) - signs
        if not sign or sign.isalnum():
            raise ValueError(f"\\{sign} at place {self.at - 1} is not allowed")
        return frozenset({min(ord(sign), 128)})

    def _class(self) -> frozenset[int]:
        opened = self.at
        self.at += 1
        negated = self._peek() == "^"
        self.at += negated
        signs: set[int] = set()
        begun = True
        while (sign := self._peek()) != "]" or begun:
            if not sign:
                raise ValueError(f"the class at place {opened + 1} does not end")
            signs |= self._member(sign)
            begun = False
        self.at += 1
        return frozenset(range(129)) - signs if negated else frozenset(signs)

    def _member(self, sign: str) -> frozenset[int]:
        self.at += 1
        if sign == "[" or (sign in "-&~|" and self._peek() == sign):
            raise ValueError(f"{sign} in a class at place {self.at}: write \\{sign}")
        low = self._escape() if sign == "\\" else frozenset({min(ord(sign), 128)})
        if self._peek() != "-" or self._text[self.at + 1 : self.at + 2] in {"]", ""} or len(low) > 1:
            return low
        self.at += 1
        last = self._peek()
        if last in {"-", "["}:
            raise ValueError(f"{last} in a class at place {self.at + 1}: write \\{last}")
        self.at += 1
        high = self._escape() if last == "\\" else frozenset({min(ord(last), 128)})
        return frozenset(range(min(low), max(high) + 1))

    def _peek(self) -> str:
        return self._text[self.at : self.at + 1]


def _weigh(sequence: _Sequence, after: frozenset[int]) -> tuple[int, frozenset[int]]:
    """In how many ways a sequence may have to be tried, and its first signs, `after` being those of what follows it."""
    ways, first = 1, after
    for step in reversed(sequence):
        if isinstance(step, _Signs):
            if step.most > step.least and step.signs & first:
                ways *= step.most - step.least + 1
            first = step.signs if step.least else step.signs | first
        else:
            weighed = [_weigh(branch, first) for branch in step.branches]
            firsts = [signs for _, signs in weighed]
            first = frozenset[int]().union(*firsts)
            apart = sum(len(signs) for signs in firsts) == len(first)
            ways *= max(number for number, _ in weighed) if apart else sum(number for number, _ in weighed)
        ways = min(ways, MOST_WAYS + 1)
    return ways, first
