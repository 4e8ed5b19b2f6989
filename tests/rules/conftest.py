"""What the tests of the rules share: reading cases, and comparing an output with what a case expects of it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from server.core.rules import Tournament, evaluate
from server.tournament_file import loads

HERE = Path(__file__).parent
SHARED = HERE.parents[1].parent / "shared" / "rules" / "cases"
KEYS = ("id", "who", "machine", "entry")

Mismatches = Callable[[object, object], list[str]]


def mismatches(expected: object, actual: object, where: str = "$") -> Iterator[str]:
    """Say each way in which an output does not contain what is expected, by the format's rules for cases."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key, value in expected.items():
            if key == "absent":
                continue
            if key not in actual:
                yield f"{where}.{key} is missing"
            elif not (key == "who" and same(value, actual[key])):
                yield from mismatches(value, actual[key], f"{where}.{key}")
    elif isinstance(expected, list) and isinstance(actual, list):
        yield from list_mismatches(expected, actual, where)
    elif isinstance(expected, str) and expected.startswith("~"):
        if expected[1:].lower() not in str(actual).lower():
            yield f"{where} does not contain {expected[1:]!r}: {actual!r}"
    elif expected != actual or isinstance(expected, bool) != isinstance(actual, bool):
        yield f"{where} is {actual!r}, not {expected!r}"


def list_mismatches(expected: list[object], actual: list[object], where: str) -> Iterator[str]:
    keys = [next((key for key in KEYS if isinstance(item, dict) and key in item), None) for item in expected]
    if not expected or None in keys:
        if len(expected) != len(actual):
            yield f"{where} is {actual!r}, not {expected!r}"
        else:
            for index, pair in enumerate(zip(expected, actual, strict=True)):
                yield from mismatches(*pair, f"{where}[{index}]")
        return
    for item, key in zip(expected, keys, strict=True):
        found = [other for other in actual if isinstance(other, dict) and same(item[key], other.get(key))]
        if item.get("absent") is True:
            if found:
                yield f"{where}[{item[key]}] should not be there"
        elif not found:
            yield f"{where}[{item[key]}] is missing"
        else:
            tries = [list(mismatches(item, other, f"{where}[{item[key]}]")) for other in found]
            if all(tries):
                yield from min(tries, key=len)


def same(a: object, b: object) -> bool:
    return sorted(map(str, a)) == sorted(map(str, b)) if isinstance(a, list) and isinstance(b, list) else a == b


@pytest.fixture
def compare() -> Mismatches:
    return lambda expected, actual: list(mismatches(expected, actual))


@pytest.fixture
def state_of() -> Callable[[str], dict[str, object]]:
    """Give the state of a tournament written as YAML."""
    return lambda text: evaluate(loads(text))


@pytest.fixture
def read() -> Callable[[str], Tournament]:
    """Read a tournament written as YAML."""
    return loads
