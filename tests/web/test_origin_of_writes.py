import pytest
from starlette.datastructures import Headers

from server.web.csrf import is_ours

OURS = "desk.local:8000"


@pytest.mark.parametrize(
    ("headers", "ours"),
    [
        ({"sec-fetch-site": "same-origin"}, True),
        ({"sec-fetch-site": "none"}, True),
        ({"sec-fetch-site": "same-site"}, False),
        ({"sec-fetch-site": "cross-site"}, False),
        ({"sec-fetch-site": "cross-site", "origin": f"http://{OURS}"}, False),
        ({"origin": f"http://{OURS}"}, True),
        ({"origin": f"https://{OURS}"}, True),
        ({"origin": "http://desk.local"}, False),
        ({"origin": "http://evil.example"}, False),
        ({"origin": f"http://{OURS}.evil.example"}, False),
        ({"origin": f"http://{OURS}@evil.example"}, False),
        ({"origin": "null"}, False),
        ({"origin": "http://["}, False),
        ({"origin": ""}, False),
        ({}, True),
    ],
)
def test_a_write_is_ours_only_when_the_browser_says_so_or_no_browser_sent_it(headers: dict[str, str], *, ours: bool):
    assert is_ours(Headers({"host": OURS, **headers})) is ours
