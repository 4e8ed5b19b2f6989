"""All kinds of simulated displays: described, repeatable, spoilt as asked, and true to the finished game."""

from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from hardware.errors import PortInvalid
from hardware.ports.sim import corners_of as corners_by_port
from hardware.sim.address import SHOWN, parse
from hardware.sim.describe import corners_of, profile_of
from hardware.sim.machine import Seen
from hardware.sim.oracle import finished

ADDRESSES = [
    "sim://dmd?size=128x16", "sim://dmd?size=128x32", "sim://dmd?size=192x64&colour=full", "sim://dmd?size=256x64",
    "sim://segments?segments=7", "sim://segments?segments=14&glass=lit&digits=7&players=4", "sim://segments?glass=lcd",
    "sim://segments?segments=16&digits=8&players=2&colour=vfd", "sim://reels?digits=5&players=2&zeros=1",
    "sim://reels?digits=4&players=4&zeros=0", "sim://lcd?players=3", "sim://lights",
]  # fmt: skip


def machine(url: str) -> Seen:
    address = parse(url)
    return Seen(address.live(), address.setting.seed, setting=address.setting)


@pytest.mark.parametrize("url", ADDRESSES)
def test_an_address_has_a_profile_and_corners_within_the_picture(url: str):
    profile, corners, setting = profile_of(url), np.array(corners_of(url)), parse(url).setting
    assert profile.kind == "display"
    assert profile.display is not None
    assert profile.display.type == setting.kind
    assert corners.min() >= 0
    assert (corners <= (setting.width, setting.height)).all()
    assert corners_by_port(url) == corners_of(url)


@pytest.mark.parametrize("url", ADDRESSES)
def test_the_same_address_and_times_give_the_same_pictures(url: str):
    one, other = machine(url), machine(url)
    for at in (3000, 9000):
        first, second = one.look(at), other.look(at)
        assert first is not None
        assert second is not None
        assert (first == second).all()
        assert first.shape == (one.setting.height, one.setting.width, 3)
        assert one.truth == other.truth


@pytest.mark.parametrize("kind", SHOWN)
def test_after_the_game_the_display_shows_what_was_played(kind: str):
    url = f"sim://{kind}?seed=5&ball_seconds=4&idle=30&calm=1&initials=0&players=1-2&scale=1000&balls=2&stick=0"
    address = parse(url)
    face_of_it = machine(url)
    life, face = address.live(), face_of_it.display
    events, at = [], 0
    while not list(finished(events)):
        at += 100
        for event in life.advance(at):
            face.tell(event)
            events.append(event)
    over = next(iter(finished(events)))
    shown = [face.truth(max(at, over.at) + later) for later in range(0, 20_000, 500)]
    digits = 10 ** (profile_of(url).digits or 18)
    want = {player: frozenset({score % digits}) for player, score in enumerate(over.scores, 1)}
    assert any(all(truth.get(player) == value for player, value in want.items()) for truth in shown)


def pictures(url: str, *times: int) -> Iterator[np.ndarray]:
    seen = machine(url)
    for at in times:
        image = seen.look(at)
        assert image is not None
        yield image.astype(int)


@pytest.mark.parametrize("kind", SHOWN)
def test_a_dark_display_is_dark_and_a_frozen_camera_frozen(kind: str):
    before, after = pictures(f"sim://{kind}?seed=3&dark_at=5&glare=0&reflection=0", 3000, 6000)
    assert after.max() <= before.max()
    assert after.mean() < before.mean()
    one, two = pictures(f"sim://{kind}?seed=3&frozen_at=5", 4000, 9000)
    assert (one == two).all()


@pytest.mark.parametrize("kind", SHOWN)
def test_a_bump_moves_the_picture_by_so_much_and_no_more(kind: str):
    url = f"sim://{kind}?seed=3&noise=0&drift=0&bump_at=1&bump="
    calm, moved = (next(pictures(f"{url}{bump}", 3000)).mean(axis=2) for bump in (0, 3))
    corners = np.array(corners_of(url + "3"))
    step = 3 * np.linalg.norm(corners[1] - corners[0]) / 128
    (across, down), _ = cv2.phaseCorrelate(calm, moved)
    assert np.hypot(across, down) == pytest.approx(step, rel=0.1)


@pytest.mark.parametrize("kind", SHOWN)
def test_what_stands_in_front_hides_one_side_and_squeezing_changes_pixels(kind: str):
    plain, cut = (next(pictures(f"sim://{kind}?seed=3&cut={cut}", 3000)) for cut in (0, 0.3))
    columns = (plain != cut).any(axis=(0, 2)).nonzero()[0]
    assert 0 < len(columns) < plain.shape[1] * 0.6
    squeezed = next(pictures(f"sim://{kind}?seed=3&jpeg=40", 3000))
    assert (plain != squeezed).any()
    assert np.abs(plain - squeezed).mean() < 12


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("sim://toaster", "sim://reels"), ("sim://dmd?size=64x64", "128x16"), ("sim://segments?segments=9", "16"),
        ("sim://segments?colour=amber", "plasma"), ("sim://reels?digits=99", "10"), ("sim://lcd?jpeg=101", "100"),
        ("sim://dmd?veil=x", "veil"), ("sim://lights?glow=1", "glow"),
    ],
)  # fmt: skip
def test_what_an_address_may_not_say_is_named(address: str, says: str):
    with pytest.raises(PortInvalid, match=says):
        parse(address)


def test_a_worn_display_has_dead_dots_and_dim_rows():
    whole, worn = (next(pictures(f"sim://dmd?seed=3&noise=0&{more}", 3000)) for more in ("", "dead=0.2&dim=0.3"))
    assert worn.sum() < whole.sum()
