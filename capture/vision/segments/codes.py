"""Which segments make which sign: for 7 segments and a middle bar, and for 14 or 16 segments.

Pure tables, shared by the reader (does the code spell the sign that was named?) and by the drawing of training
pictures. Not here: where the segments lie. Invariant: a sign is the same for every maker; makers differ in the variant.
"""

SEVEN = ("a", "b", "c", "d", "e", "f", "g", "i")
"""Clockwise from the top, then the middle bar; `i` is the upright in the middle that some makers use for a 1."""
SIXTEEN = ("a1", "a2", "b", "c", "d2", "d1", "e", "f", "g1", "g2", "h", "i", "j", "k", "l", "m")
"""As seven, with halves; then the inner ones clockwise from the upper left diagonal. With 14, the halves are one."""

DIGITS: dict[str, tuple[str, ...]] = {
    "0": ("abcdef",), "1": ("bc", "i", "bc"), "2": ("abged",), "3": ("abcdg",), "4": ("fgbc",),
    "5": ("afgcd",), "6": ("acdefg", "cdefg"), "7": ("abc", "abc", "abcf"), "8": ("abcdefg",), "9": ("abcdfg", "abcfg"),
}  # fmt: skip
"""Variants by letters of SEVEN."""

SIGNS: dict[str, tuple[str, ...]] = {
    "0": ("a b c d e f", "a b c d e f", "a b c d e f j m"),
    "1": ("b c", "i l", "b c j", "b c"),
    "2": ("a b g e d", "a b g e d", "a b g2 m d"), "3": ("a b c d g", "a b c d g2", "a j g2 c d", "a j k d"),
    "4": ("f g b c", "f g i l", "f g b c"),
    "5": ("a f g c d", "a f g c d", "a h g2 c d", "a f g1 k d", "a h k d"),
    "6": ("a c d e f g", "a c d e f g", "c d e f g"), "7": ("a b c", "a j l", "a j m", "a b c f", "a b c"),
    "8": ("a b c d e f g", "a j h k m d"), "9": ("a b c d f g", "a b c f g"),
    "A": ("a b c e f g", "a b c e f g", "e m j b c g2", "e f h k g1"),
    "B": ("a b c d i l g2", "a b c d i l g2", "a j k d i l"),
    "C": ("a d e f", "a d e f", "d e g"), "D": ("a b c d i l", "a b c d i l", "b c d e g"),
    "E": ("a d e f g", "a d e f g1"), "F": ("a e f g", "a e f g1"), "G": ("a c d e f g2", "a c d e f"),
    "H": ("b c e f g", "b c e f g", "c e f g"), "I": ("a d i l", "a d i l", "a d i l"),
    "J": ("b c d e", "b c d"), "K": ("e f g1 j k", "e f g1 j k", "i l j k"), "L": ("d e f",),
    "M": ("b c e f h j", "b c e f h j", "a b c e f i", "b c e f h j l"), "N": ("b c e f h k", "b c e f h k", "c e g"),
    "P": ("a b e f g",), "Q": ("a b c d e f k",), "R": ("a b e f g k", "a b e f g k", "e g", "e g1"),
    "T": ("a i l", "a i l", "a i l", "d e f g"), "U": ("b c d e f", "b c d e f", "c d e"),
    "V": ("e f j m",), "W": ("b c e f m k", "b c e f m k", "b c d e f l"),
    "X": ("h j k m",), "Y": ("h j l", "h j l", "b c d f g", "b f g l"), "Z": ("a d j m", "a g d j m"),
}  # fmt: skip
"""Variants for 16 segments; `a`, `d` and `g` mean both halves. O is drawn as 0, and S as 5: neighbours decide."""
SMALL = {"0": "c d e g"}
"""A small o, as in lower case."""
OTHER_MARKS = (
    "g", "j m", "h k", "g h i j k l m", "g i l", "d", "i", "a f h g1", "a b g2 l", "j", "m", "a b f g", "h m d", "j k",
)  # fmt: skip
"""Signs that are neither letter nor digit: dash, slash, star, plus and the like."""

SEVEN_KINDS = "0123456789"
SIXTEEN_KINDS = "".join(SIGNS)


def bits_of_digit(variant: str) -> tuple[int, ...]:
    """Eight bits in the order of SEVEN."""
    return tuple(int(name in variant) for name in SEVEN)


def bits_of_sign(variant: str) -> tuple[int, ...]:
    """Sixteen bits in the order of SIXTEEN."""
    names = set(variant.split())
    return tuple(int(name in names or (len(name) == 2 and name[0] in names)) for name in SIXTEEN)


def spelled() -> tuple[dict[tuple[int, ...], str], dict[tuple[int, ...], str]]:
    """Codes to signs, for seven and for sixteen segments; no code means two signs in a table of seven."""
    seven = {bits_of_digit(variant): sign for sign, variants in DIGITS.items() for variant in variants}
    sixteen = {bits_of_sign(variant): sign for sign, variants in SIGNS.items() for variant in variants}
    return seven, sixteen | {bits_of_sign(code): sign for sign, code in SMALL.items()}
