"""Topics and paths of messages: which fit, whose they are, and what is no path."""

from typing import Any

import pytest

from capture.dialects.json_topics import fit
from hardware.wires.messages import parse_path


@pytest.mark.parametrize(
    ("topic", "pattern", "device", "found"),
    [
        ("a/b/state", "*/state", None, (("a", "b"), None)),
        ("state", "*/state", None, ((), None)),
        ("a/state/x", "*/state", None, None),
        ("a/b/state", "a/+/state", None, (("b",), None)),
        ("a/score/2", "*/score/{player}", None, (("a",), 2)),
        ("a/score/0", "*/score/{player}", None, None),
        ("a/score/17", "*/score/{player}", None, None),
        ("a/score_3x", "a/score_{player}x", None, ((), 3)),
        ("a/mm/s", "a/{device}/s", "mm", ((), None)),
        ("a/tz/s", "a/{device}/s", "mm", None),
        ("a/tz/s", "*/s", "mm", None),
    ],
)
def test_topics_fit_patterns(topic: str, pattern: str, device: str | None, found: tuple[Any, Any] | None):
    got = fit(topic, pattern, device)
    assert (None if got is None else (got.rest, got.player)) == found


@pytest.mark.parametrize("path", ["", "a", "$.", "$..a", "$[", "$[-1]", "$[*][*]", "$.a b", "$" + ".a" * 13])
def test_a_path_that_is_none_is_refused(path: str):
    with pytest.raises(ValueError, match="a path is needed"):
        parse_path(path)
