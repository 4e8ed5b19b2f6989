# ruff: noqa: ANN401  (the hall is loaded by its path, so it has no type here)
"""Machines taken down and brought up on a page: an entry of the log, by those who may, in the words of the preset."""

from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

Browse = Callable[..., TestClient]


def test_the_desk_takes_a_machine_down_and_up_with_the_reason(hall: Any, browse: Browse):
    client = browse("desk")
    assert 'value="down"' in client.get("/machines").text
    client.post("/machines/state", data={"machine": "mm", "status": "down", "why": "left flipper"})
    client.post("/machines/state", data={"machine": "mm", "status": "up"})
    recorded = [(one["machine"], one["status"], one.get("why")) for one in hall.log()]
    assert recorded == [("mm", "down", "left flipper"), ("mm", "up", None)]


def test_only_what_the_preset_knows_is_offered_and_only_to_whoever_may_record_it(hall: Any, browse: Browse):
    page = browse("desk").get("/machines").text
    assert 'value="replaced"' not in page
    assert 'action="/machines/state"' not in browse("scorekeeper").get("/machines").text
    browse("scorekeeper").post("/machines/state", data={"machine": "mm", "status": "down"})
    assert hall.log() == []


@pytest.mark.parametrize(
    "form", [{}, {"machine": "mm"}, {"machine": "mm", "status": "gone"}, {"machine": "x", "status": "up"}]
)
def test_a_form_that_says_nothing_records_nothing(hall: Any, browse: Browse, form: dict[str, str]):
    browse("desk").post("/machines/state", data=form)
    assert hall.log() == []
