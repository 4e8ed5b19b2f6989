# ruff: noqa: ANN401  (the hall is loaded by its path, so it has no type here)
"""The desk's alarms, where there are many."""

from collections.abc import Callable
from typing import Any

from starlette.testclient import TestClient

Browse = Callable[[str | None], TestClient]


def test_what_is_over_and_unseen_never_pushes_the_machines_out_of_sight(hall: Any, browse: Browse):
    hall.assign("mm", "p1")
    game = hall.starts("mm")
    for _ in range(12):
        hall.says("fault.raised", "mm", fault="reset", game=game)
        hall.says("fault.cleared", "mm", fault="reset")
    hall.says("fault.raised", "mm", fault="link-lost", game=game)
    alarms = browse("official").get("/desk").text.split('id="alarms"', maxsplit=1)[1].split("</section>", maxsplit=1)[0]
    assert alarms.count('class="alarm') == 1 + 3
    assert alarms.count("/malfunction/") == 1 + 3 + 6
    assert "and 3 more" in alarms
    assert '<span class="badge">13</span>' in alarms
