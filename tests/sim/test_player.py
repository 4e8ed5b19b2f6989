"""The laws of the true time line, over many seeds and habits."""

from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path

import pytest

from hardware.sim import oracle
from hardware.sim.course import Course, timeline
from hardware.sim.oracle import Event, Finished, finished
from hardware.sim.play import CALM, Habits, game

WILD = Habits(
    ball_seconds=6,
    idle_seconds=5,
    tilt=0.15,
    tilt_warning=0.4,
    ball_search=0.2,
    extra_ball=0.2,
    early_start=0.3,
    slam_tilt=0.15,
    restart=0.15,
    service=0.1,
    power_cut=0.1,
)


def events(seed: int, count: int = 6000, habits: Habits = WILD) -> list[Event]:
    return list(islice(timeline(habits, seed), count))


def games(line: list[Event]) -> dict[int, list[Event]]:
    found: dict[int, list[Event]] = {}
    for event in line:
        if event.game:
            found.setdefault(event.game, []).append(event)
    found.pop(max(found))  # the last one is cut off
    return found


def test_the_same_seed_plays_the_same_games_and_another_seed_others():
    assert events(7) == events(7)
    assert events(7) != events(8)


@pytest.mark.parametrize("seed", range(12))
def test_time_never_goes_back_and_scores_never_fall_within_a_game(seed: int):
    line = events(seed)
    assert all(before.at <= after.at for before, after in pairwise(line))
    for played in games(line).values():
        for before, after in pairwise(played):
            assert len(before.scores) <= len(after.scores)
            assert all(old <= new for old, new in zip(before.scores, after.scores, strict=False))


@pytest.mark.parametrize("seed", range(12))
def test_each_game_starts_once_and_ends_once(seed: int):
    for played in games(events(seed)).values():
        kinds = [event.kind for event in played]
        assert kinds[0] == "game-started"
        assert kinds.count("game-started") == 1
        assert sum(kinds.count(end) for end in ("game-ended", "service-entered", "power-lost")) == 1
        assert kinds[-1] in {"game-ended", "service-entered", "power-lost"}
        assert kinds.count("player-added") == played[0].players == len(played[-1].scores)


def test_all_that_can_befall_a_game_does_at_these_rates():
    line = [event for seed in range(12) for event in events(seed)]
    assert {event.kind for event in line} == set(oracle.KINDS)
    assert {over.how for over in finished(line)} == {"normal", "slam-tilt", "ended-early", "service", "power-lost"}
    assert any(event.kind == "slam-tilt" and not event.game for event in line)


def test_a_calm_machine_plays_every_ball_of_every_player():
    line = events(3, habits=replace(CALM, ball_seconds=5))
    for played in games(line).values():
        balls = [(event.ball, event.player) for event in played if event.kind == "ball-started"]
        assert balls == [(ball, player) for ball in (1, 2, 3) for player in range(1, played[0].players + 1)]


def test_a_tilted_ball_scores_nothing_more():
    for played in games(events(5)).values():
        tilted = False
        for event in played:
            assert not (tilted and event.kind in {"scored", "bonus"})
            tilted = event.kind == "tilt" or (tilted and event.kind != "ball-started")


def test_final_scores_are_the_sum_of_what_was_scored():
    for played in games(events(9)).values():
        sums = dict.fromkeys(range(1, played[0].players + 1), 0)
        for event in played:
            if event.kind == "scored":
                sums[event.player] += event.points
        assert tuple(sums.values()) == played[-1].scores


def test_a_machine_that_waits_starts_only_when_somebody_presses_start():
    course = Course(CALM, 1, waits=True)
    assert course.due() is None
    assert course.take(10**9) == []
    assert course.begin(3, 1000)
    first = course.take(1000)[0]
    assert (first.kind, first.at, first.players) == ("game-started", 1000, 3)
    assert not course.begin(1, 2000)
    assert course.take(10**9)[-1].kind == "game-ended"
    assert course.begin(1, 10**9)


def test_a_game_depends_on_its_own_number_and_start_alone():
    one, other = (game(WILD, 4, 11, at) for at in (0, 5000))
    assert [replace(event, at=event.at - 5000) for event in other] == one


def test_the_truth_file_gives_back_what_was_written_and_leaves_out_a_half_line(tmp_path: Path):
    line = events(2, 300)
    path = tmp_path / "truth.jsonl"
    with path.open("w") as file:
        for event in line:
            oracle.write(file, event)
        file.write('{"at": 1, "kind": "scor')
    assert oracle.read(path) == line
    assert all(isinstance(over, Finished) for over in finished(oracle.read(path)))
    assert oracle.read(tmp_path / "nowhere") == []


def test_a_truth_file_that_is_none_is_refused_by_its_line(tmp_path: Path):
    path = tmp_path / "notes.txt"
    path.write_text('{"at": 1, "kind": "tilt"}\nhello\n')
    with pytest.raises(ValueError, match="line 2"):
        oracle.read(path)


def test_a_ball_that_is_stuck_for_longer_than_it_lives_costs_no_power():
    habits = replace(CALM, ball_seconds=0.5, ball_search=1.0)
    assert all(event.kind != "power-lost" for seed in range(20) for event in game(habits, seed, 1, 0))
