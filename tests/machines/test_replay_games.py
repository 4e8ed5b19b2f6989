"""A whole simulated game as a dump, a folder of pictures and a video: told once, with its true final score."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from bridge.cli import main
from hardware.sim import oracle
from hardware.sim.address import parse
from hardware.sim.dmd import Display
from hardware.sim.machine import Seen

URL = "sim://dmd?seed=5&players=1&balls=1&ball_seconds=6&idle=15&calm=1&initials=0&jackpot=0"


def play(step: int, until: int) -> tuple[list[tuple[int, np.ndarray, np.ndarray]], oracle.Finished]:
    """Times, dots and pictures of one game, from attract mode to attract mode, and how it truly ended."""
    address = parse(URL)
    life, events = address.live(), []
    seen = Seen(life, address.setting.seed, setting=address.setting)
    advance = life.advance

    def note(now: int) -> list[oracle.Event]:
        told = advance(now)
        events.extend(told)
        return told

    life.advance = note  # type: ignore[method-assign]
    shown, wall = [], 0
    assert isinstance(seen.display, Display)
    while (truth := next(oracle.finished(events), None)) is None or wall < truth.at + until:
        wall += step
        picture = seen.look(wall)
        dots = seen.display.draw(max(life.machine_time(wall), seen.display.event.at))
        if picture is not None:
            shown.append((wall, dots, picture))
    return shown, truth


def replay(path: Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    assert main(["replay", "--profile", "dmd-128x32", "--machine", "m-1", "--json", str(path)]) == 0
    out, error = capsys.readouterr()
    assert "Traceback" not in error
    return [json.loads(line) for line in out.splitlines()]


def test_a_dump_of_a_game_tells_it_once_with_its_true_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    shown, truth = play(100, 14_000)
    lines, last = [], None
    for at, dots, _ in shown:
        if last is None or not np.array_equal(last, dots):
            lines += [f"0x{at:08x}", *("".join(f"{dot:x}" for dot in row) for row in dots), ""]
        last = dots
    (tmp_path / "game.txt").write_text("\r\n".join(lines))
    told = replay(tmp_path / "game.txt", capsys)
    assert [fact["kind"] for fact in told if fact["kind"].startswith("game.")] == ["game.started", "game.ended"]
    (end,) = [fact for fact in told if fact["kind"] == "game.ended"]
    assert [score["score"] for score in end["body"]["scores"]] == list(truth.scores)
    live = [fact["body"] for fact in told if fact["kind"] == "score.live" and fact["body"]["accepted"]]
    assert [one["score"] for one in live] == sorted({one["score"] for one in live})
    assert {fact["machine"] for fact in told} == {"m-1"}


@pytest.mark.parametrize("form", ["folder", "video"])
def test_pictures_of_a_game_go_by_the_recordings_own_times(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    shown, _ = play(250, 0)
    shown = [one for one in shown if one[0] > 14_000][:40]
    if form == "folder":
        path = tmp_path
        for at, _, picture in shown:
            cv2.imwrite(str(tmp_path / f"{at}.png"), picture)
    else:
        path = tmp_path / "x.avi"
        writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 4, shown[0][2].shape[1::-1])
        for _, _, picture in shown:
            writer.write(picture)
        writer.release()
    told = replay(path, capsys)
    assert [fact["kind"] for fact in told if fact["kind"].startswith("game.")] == ["game.started", "game.aborted"]
    first = shown[0][0] if form == "folder" else 0
    assert all(first <= fact["at"]["mono_ms"] <= first + 11_000 for fact in told)
