"""Every law, tried on whole tournaments of every preset that are made up from a seed.

More of them: INLANE_EXAMPLES=10000 pytest -n0 tests/properties/test_tournament_laws.py
"""

import os
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.core.rules import PRESETS
from tests.properties.laws import LAWS, Law
from tests.properties.tournaments import play

EXAMPLES = int(os.environ.get("INLANE_EXAMPLES", "25"))
READY = [name for name, preset in PRESETS.items() if preset.first != "holes"]
made = settings(
    max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), print_blob=False
)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@made
@given(st.sampled_from(READY), st.integers(0, 2**32))
def test_whole_tournaments_keep_the_law(law: Law, preset: str, seed: int):
    law(play(preset, seed), Random(seed))  # noqa: S311 - a seed is what is wanted
