"""Recordings of real MPF programs give exactly the games, ends and faults that were played."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

SHARED = Path(__file__).parents[3] / "shared" / "data" / "bcp"
OWN = Path(__file__).parent / "bcp"

Facts = list[dict[str, Any]]
Replay = Callable[..., Facts]


def expectations(folder: Path) -> dict[str, Any]:
    file = folder / "expected.yaml"
    return yaml.safe_load(file.read_text()) if file.exists() else {}


def bodies(facts: Facts, kind: str) -> Facts:
    return [fact["body"] for fact in facts if fact["kind"] == kind]


def scores(body: dict[str, Any]) -> dict[int, int | None]:
    return {score["player"]: score["score"] for score in body["scores"]}


def told(facts: Facts) -> dict[str, Any]:
    """What was said, in the form of expected.yaml."""
    live = {body["player"]: body["score"] for body in bodies(facts, "score.live")}
    said = {
        "started": [{"joined_late": body["joined_late"]} for body in bodies(facts, "game.started")],
        "ended": [{"how": body["how"], "scores": scores(body)} for body in bodies(facts, "game.ended")],
        "aborted": [{"how": body["how"], "scores": scores(body)} for body in bodies(facts, "game.aborted")],
        "faults": [
            {key: body[key] for key in ("fault", "player", "ball") if key in body}
            for body in bodies(facts, "fault.raised")
            if body["fault"] != "tilt-warning"
        ],
    }
    running = len(said["started"]) - len(said["ended"]) - len(said["aborted"])
    return said | {"running": {"scores": live} if running else None}


def check(facts: Facts, expected: dict[str, Any]) -> None:
    said = told(facts)
    for part in ("ended", "aborted"):
        assert said[part] == expected.get(part, []), part
    if "started" in expected:
        assert said["started"] == expected["started"]
    if "running" in expected:
        assert said["running"] == expected["running"]
    else:
        assert said["running"] is None
    wanted = expected.get("faults", [])
    assert [fault["fault"] for fault in said["faults"]] == [fault["fault"] for fault in wanted]
    for fault, want in zip(said["faults"], wanted, strict=True):
        assert {key: fault.get(key) for key in want} == want


def lives_are_consistent(facts: Facts) -> None:
    """Each game is started once and ended or aborted at most once, and nothing is said of a game outside of it."""
    running: set[str] = set()
    seen: set[str] = set()
    for fact in facts:
        game, kind = fact["body"].get("game"), fact["kind"]
        if kind == "game.started":
            assert game not in seen
            assert not running, "a game began in another one"
            seen.add(game)
            running.add(game)
        elif kind in {"game.ended", "game.aborted"}:
            running.remove(game)
        elif kind in {"game.ball", "score.live"}:
            assert game in running


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.exists(), reason="the measured data is not here")
@pytest.mark.parametrize("name", sorted(expectations(SHARED)))
def test_each_measured_transcript_says_what_was_played(name: str, replayed: Replay):
    facts = replayed(SHARED / name)
    check(facts, expectations(SHARED)[name])
    lives_are_consistent(facts)


@pytest.mark.parametrize("name", sorted(expectations(OWN)))
def test_each_recording_of_our_own_machine_says_what_was_played(name: str, replayed: Replay):
    facts = replayed(OWN / name)
    check(facts, expectations(OWN)[name])
    lives_are_consistent(facts)


def test_every_recording_here_has_its_expectation():
    assert sorted(path.name for path in OWN.glob("*.txt")) == sorted(expectations(OWN))


def test_a_turn_is_told_when_it_is_over_extra_ball_and_all(replayed: Replay):
    """Player 2 plays ball 1 twice: one turn, told once, with the score after the extra ball."""
    turns = bodies(replayed(OWN / "three_players.txt"), "game.ball")
    assert [(turn["player"], turn["ball"]) for turn in turns] == [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (3, 2)]
    assert scores(turns[1]) == {1: 1250570, 2: 1260, 3: 0}


def test_each_tilt_warning_is_told_once(replayed: Replay):
    raised = [body for body in bodies(replayed(OWN / "tilts.txt"), "fault.raised") if body["fault"] == "tilt-warning"]
    assert [(body["player"], body["ball"], body["detail"]) for body in raised] == [
        (1, 1, "2 left"), (1, 1, "1 left"), (2, 2, "2 left"), (2, 2, "1 left"),
    ]  # fmt: skip


def test_scores_are_kept_at_each_malfunction(replayed: Replay):
    frozen = bodies(replayed(OWN / "slam_of_four.txt"), "score.frozen")
    assert [(body["why"], scores(body)) for body in frozen] == [("slam-tilt", {1: 1250000, 2: 570, 3: 0, 4: 0})]


# --- the same recording, said otherwise ---------------------------------------------------------------------


def rewritten(source: Path, target: Path, change: Callable[[str], list[str]]) -> Path:
    lines = [line for old in source.read_text().splitlines() for line in change(old)]
    target.write_text("\n".join(lines) + "\n")
    return target


EVENTS = ("trigger?", "ball_", "player_added", "player_turn", "mode_")


@pytest.mark.parametrize("name", sorted(expectations(OWN)))
@pytest.mark.parametrize("times", [2, 3])
def test_events_that_mpf_says_several_times_count_once(name: str, times: int, tmp_path: Path, replayed: Replay):
    """After a client has hung up, MPF says every event once more for each (recorded in reconnect.txt)."""

    def repeat(line: str) -> list[str]:
        return [line] * times if line[10:].startswith("< ") and line[12:].startswith(EVENTS) else [line]

    facts = replayed(rewritten(OWN / name, tmp_path / name, repeat))
    check(facts, expectations(OWN)[name])
    lives_are_consistent(facts)


@pytest.mark.parametrize("name", ["three_players.txt", "two_games.txt", "reconnect.txt"])
def test_without_a_single_trigger_the_games_still_end_right(name: str, tmp_path: Path, replayed: Replay):
    """A recording by somebody who asked for no events; how many balls a game has, the profile must say then."""
    profile = tmp_path / "two-balls.toml"
    profile.write_text('id = "two-balls"\nname = "MPF, two balls"\nkind = "wire"\ndialect = "bcp"\nballs = 2\n')
    file = rewritten(OWN / name, tmp_path / name, lambda line: [] if "< trigger?" in line else [line])
    facts = replayed(file, profile=str(profile))
    check(facts, expectations(OWN)[name])


def test_a_new_game_in_the_middle_of_one_is_a_restart(tmp_path: Path, replayed: Replay):
    """Cut out the end of the first game: the second begins while the first one runs."""
    lines = (OWN / "two_games.txt").read_text().splitlines()
    cut = next(i for i, line in enumerate(lines) if "ball_will_end" in line and line[10] == "<")
    again = next(i for i, line in enumerate(lines) if i > cut and "mode_start?name=game&" in line)
    file = tmp_path / "restart.txt"
    file.write_text("\n".join(lines[:cut] + lines[again:]) + "\n")
    facts = replayed(file)
    said = told(facts)
    assert said["aborted"] == [{"how": "restart", "scores": {1: 2500000}}]
    assert said["ended"] == [{"how": "normal", "scores": {1: 1140}}]
    assert said["faults"] == [{"fault": "restarted", "player": 1, "ball": 1}]
    lives_are_consistent(facts)


def test_scores_of_the_last_game_in_the_machines_memory_are_no_game(tmp_path: Path, replayed: Replay):
    """A new listener is told `playerN_score` of a game of yesterday."""
    file = tmp_path / "leftover.txt"
    file.write_text(
        "0.0 < hello?version=1.1&controller_name=MPF&controller_version=0.81.0\n"
        '0.0 < mode_list?json={"running_modes": [["attract", 10]]}\n'
        "0.0 < machine_variable?name=player1_score&value=int:999\n"
        "5.0 < machine_variable?name=player1_score&value=int:999&prev_value=int:1&change=int:998\n"
    )
    assert [fact["kind"] for fact in replayed(file)] == ["machine.attached"]


def test_a_machine_that_starts_anew_in_mid_game_has_reset(tmp_path: Path, replayed: Replay):
    lines = (OWN / "three_players.txt").read_text().splitlines()
    cut = next(i for i, line in enumerate(lines) if "ball_start?player_num=int:2" in line)
    at = float(lines[cut].split()[0])
    file = tmp_path / "reset.txt"
    hello = [f"{at + 1:9.3f} < hello?version=1.1&controller_name=MPF&controller_version=0.81.0"]
    idle = [f'{at + 1:9.3f} < mode_list?json={{"running_modes": [["attract", 10]]}}']
    file.write_text("\n".join(lines[: cut + 1] + hello + idle) + "\n")
    said = told(replayed(file))
    assert said["aborted"] == [{"how": "reset", "scores": {1: 1250570, 2: 0, 3: 0}}]
    assert [fault["fault"] for fault in said["faults"]] == ["reset"]


def test_a_game_found_after_the_break_that_is_another_one_makes_two(tmp_path: Path, replayed: Replay):
    """The recording of the reconnection, but the scores that are found are lower."""
    file = rewritten(
        OWN / "reconnect.txt",
        tmp_path / "other.txt",
        lambda line: [line.replace("evaluate_placeholder?value=int:1250570", "evaluate_placeholder?value=int:50")],
    )
    facts = replayed(file)
    said = told(facts)
    assert said["aborted"] == [{"how": "link-lost", "scores": {1: 1250570, 2: 120}}]
    assert said["started"] == [{"joined_late": False}, {"joined_late": True}]
    lives_are_consistent(facts)


def test_the_second_listener_is_followed_and_its_answers_belong_to_its_own_questions(tmp_path: Path, replayed: Replay):
    """The first one's lines and questions are somebody else's."""
    file = tmp_path / "second.txt"
    file.write_text(
        "0.0 < hello?version=1.1&controller_name=MPF&controller_version=0.81.0\n"
        '0.0 < mode_list?json={"running_modes": [["game", 20]]}\n'
        "0.1 > evaluate_placeholder?placeholder=players[0].score\n"
        "0.2 < evaluate_placeholder?value=int:666&error=bool:False\n"
        "1.0 <2 hello?version=1.1&controller_name=MPF&controller_version=0.81.0\n"
        '1.0 <2 mode_list?json={"running_modes": [["game", 20]]}\n'
        "1.1 >2 evaluate_placeholder?placeholder=current_player.number\n"
        "1.1 <2 evaluate_placeholder?value=int:2&error=bool:False\n"
        "1.2 >2 evaluate_placeholder?placeholder=players[1].score\n"
        "1.2 <2 evaluate_placeholder?value=int:7000&error=bool:False\n"
        "1.3 >2 evaluate_placeholder?placeholder=players[2].score\n"
        "1.3 <2 evaluate_placeholder?value=NoneType:&error=bool:False\n"
        "1.4 >2 evaluate_placeholder?placeholder=game.num_players\n"
        "1.4 <2 evaluate_placeholder?value=int:2&error=bool:False\n"
        "9.9 <2 switch?name=s_start&state=int:1\n"
    )
    facts = replayed(file)
    (start,) = bodies(facts, "game.started")
    assert (start["players"], start["joined_late"]) == (2, True)
    assert {body["player"]: body["score"] for body in bodies(facts, "score.live")} == {2: 7000}


def test_machine_names_the_output_and_times_are_the_recordings(replayed: Replay):
    facts = replayed(OWN / "two_games.txt", "--machine", "mm-2")
    assert {fact["machine"] for fact in facts} == {"mm-2"}
    assert [fact["at"]["mono_ms"] for fact in facts if fact["kind"] == "game.ended"] == [4660, 10314]
