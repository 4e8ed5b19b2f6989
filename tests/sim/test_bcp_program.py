"""The simulated BCP program against recorded sessions of the real one, and its manners."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path

import pytest

from hardware.errors import PortInvalid
from hardware.ports.base import Chunk, Closed, Opened
from hardware.ports.sim import open_url
from hardware.sim import oracle
from hardware.sim.bcp import Program
from hardware.sim.course import Course
from hardware.sim.life import Life
from hardware.sim.listener import BcpServer, Listener
from hardware.sim.oracle import Event
from hardware.sim.play import CALM

RECORDED = Path(__file__).parents[3] / "shared" / "data" / "bcp"
ALL = b"".join(
    b"monitor_start?category=%b\n" % name for name in (b"core_events", b"modes", b"player_vars", b"machine_vars")
)


def recorded(name: str) -> Iterator[str]:
    """The lines that the real program sent, without what the simulated one has no need of."""
    if not RECORDED.is_dir():
        pytest.skip("the recorded sessions do not lie beside the project")
    for line in (RECORDED / name).read_text().splitlines():
        found = re.match(r"\s*[\d.]+ < (.*)", line)
        if found and not re.match(
            r"switch|machine_variable\?(name=(audits|score\d|credits|master|mpf)|json)|settings|service_stop|"
            r"trigger\?name=high_score_award|trigger\?name=ball_search|hello|mode_(start|stop)\?name=(attract|high_score)|mode_list|"
            r"player_variable\?name=(ramps|initials)|trigger\?name=high_score_enter",
            found[1],
        ):
            yield re.sub(r"&balls_remaining=int:\d", "", found[1])


def said(events: list[Event], triggers: set[str]) -> Iterator[str]:
    program = Program()
    listener = Listener(program)
    listener.hear(ALL + b"".join(b"register_trigger?event=%b\n" % name.encode() for name in sorted(triggers)))
    for event in events:
        for line in listener.tell(program.happen(event)).decode().splitlines():
            if not re.match(r"mode_(start|stop)\?name=(attract|high_score|bonus)|mode_list", line):
                yield line


MEANS: dict[str, oracle.Kind] = {
    "trigger?name=request_to_start_game": "game-started",
    "player_added": "player-added",
    "ball_start?": "ball-started",
    "player_variable?name=score": "scored",
    "trigger?name=tilt_warning": "tilt-warning",
    "trigger?name=tilt ": "tilt",
    "trigger?name=slam_tilt": "slam-tilt",
    "ball_end ": "ball-ended",
    "trigger?name=game_will_end": "scores-final",
    "trigger?name=game_ended": "game-ended",
    "trigger?name=service_mode_entered": "service-entered",
    "trigger?name=service_mode_exited": "service-left",
}


def like(lines: list[str]) -> list[Event]:
    """The true events of which a recording tells."""
    events: list[Event] = []
    scores: list[int] = []
    player = ball = 0
    for line in lines:
        kind = next((kind for start, kind in MEANS.items() if f"{line} ".startswith(start)), None)
        number = {key: int(value) for key, value in re.findall(r"(\w+)=int:(-?\d+)", line)}
        if kind is None or (kind == "scored" and not number["change"]):
            continue
        if kind == "player-added":
            scores.append(0)
        elif kind == "ball-started":
            player, ball = number["player_num"], number["ball"]
        elif kind == "scored":
            scores[player - 1] = number["value"]
        who, warnings = number.get("player_num", player), number.get("warnings", 0)
        final = tuple(scores)
        events.append(Event(at=0, kind=kind, game=1, player=who, ball=ball, points=warnings, scores=final))
    return events


@pytest.mark.shared
@pytest.mark.parametrize(
    "name", ["01_two_player_full_game.txt", "03_slam_tilt_mid_game.txt", "07_operator_ends_game_service_mode.txt"]
)
def test_it_says_what_the_real_program_said_in_the_same_order(name: str):
    real = list(recorded(name))
    asked = {found[1] for line in real if (found := re.match(r"trigger\?name=(\w+)", line))}
    ours = list(said(like(real), asked))
    drop = re.compile(
        r"player_variable\?name=(tilt_warnings|ball|index|number)"
    )  # their prev_value is a matter of luck
    assert [line for line in ours if not drop.match(line)] == [line for line in real if not drop.match(line)]


def test_nothing_is_sent_until_it_is_asked_for():
    program = Program()
    listener = Listener(program)
    assert listener.greet().startswith(b"hello?version=1.1&")
    for event in Course(CALM, 1).take(600_000):
        assert listener.tell(program.happen(event)) == b""
    assert listener.hear(b"monitor_start?category=modes\n").startswith(b'mode_list?json={"running_modes"')


def test_one_who_joins_in_mid_game_can_ask_for_the_scores():
    program = Program()
    listener = Listener(program)
    events = Course(CALM, 1).take(60_000)
    for event in events:
        program.happen(event)
    up = events[-1].player
    assert listener.hear(b"evaluate_placeholder?placeholder=players[0].sc") == b""
    assert (
        listener.hear(b"ore\n") == f"evaluate_placeholder?value=int:{events[-1].scores[0]}&error=bool:False\n".encode()
    )
    number = listener.hear(b"evaluate_placeholder?placeholder=current_player.number\n")
    assert number == f"evaluate_placeholder?value=int:{up}&error=bool:False\n".encode()
    nobody = listener.hear(b"evaluate_placeholder?placeholder=players[9].score\n")
    assert nobody == b"evaluate_placeholder?value=NoneType:&error=bool:False\n"


def test_a_bad_category_is_an_error_and_a_line_without_end_ends_the_connection():
    listener = Listener(Program())
    assert listener.hear(b"monitor_start?category=scores\n").startswith(b"error?cmd=monitor_start&error=")
    assert not listener.gone
    listener.hear(b"x" * 70_000)
    assert listener.gone


async def test_over_tcp_two_clients_hear_what_each_asked_for_and_a_power_cut_closes_both():
    events = [
        Event(at=50, kind="game-started", game=1, players=1),
        Event(at=60, kind="player-added", game=1, player=1, scores=(0,)),
        Event(at=70, kind="ball-started", game=1, player=1, ball=1, scores=(0,)),
        Event(at=400, kind="scored", game=1, player=1, ball=1, points=500, scores=(500,), detail="switch"),
        Event(at=500, kind="power-lost", game=1, player=1, ball=1, scores=(500,)),
        Event(at=900, kind="power-back"),
    ]
    course = Course(CALM, 1, waits=True)
    course._left.extend(events)
    async with asyncio.timeout(20), BcpServer(Life(course)) as server:
        (one, tell_one), (two, tell_two) = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(2)]
        tell_one.write(b"monitor_start?category=player_vars\n")
        tell_two.write(b"monitor_start?category=core_events\n")
        first, second = (await one.read(-1)).decode(), (await two.read(-1)).decode()
        tell_one.close()
        tell_two.close()
        assert "value=int:500" in first
        assert "ball_start" not in first
        assert "ball_start?player_num=int:1&ball=int:1" in second
        assert "player_variable" not in second
        while True:
            try:
                again, tell = await asyncio.open_connection("127.0.0.1", server.port)
                break
            except OSError:
                await asyncio.sleep(0.02)
        assert (await again.readline()).startswith(b"hello")
        tell.close()


async def test_the_port_writes_the_truth_it_speaks(tmp_path: Path):
    truth, heard = tmp_path / "truth.jsonl", b""
    clock = asyncio.get_running_loop().time
    url = f"sim://bcp?seed=5&speed=1000&idle=0.05&players=2&ball_seconds=4&calm=1&truth={truth}"
    async with (
        asyncio.timeout(30),
        open_url(url, now=lambda: int(clock() * 1000)) as port,
        aclosing(aiter(port)) as events,
    ):
        async for event in events:
            if isinstance(event, Opened):
                await port.send(ALL + b"register_trigger?event=game_ended\n")
            if isinstance(event, Chunk):
                heard += event.data
            if heard.count(b"trigger?name=game_ended") == 3:
                break
    finals = [over.scores for over in oracle.finished(oracle.read(truth))][:3]
    told = [int(value) for value in re.findall(rb"machine_variable\?name=player\d_score&value=int:(\d+)&", heard)]
    assert told == [score for scores in finals for score in scores]


async def test_a_game_starts_when_the_start_file_says_so_and_is_numbered_on_after_a_restart(tmp_path: Path):
    truth, start = tmp_path / "truth.jsonl", tmp_path / "start"
    clock = asyncio.get_running_loop().time
    url = f"sim://bcp?seed=5&speed=1000&ball_seconds=3&calm=1&truth={truth}&start={start}"
    for _ in range(2):
        async with (
            asyncio.timeout(30),
            open_url(url, now=lambda: int(clock() * 1000)) as port,
            aclosing(aiter(port)) as events,
        ):
            begun = len(oracle.read(truth))
            start.write_text("3\n")
            async for event in events:
                if isinstance(event, Opened):
                    await port.send(ALL)
                if any(told.kind == "game-ended" for told in oracle.read(truth)[begun:]):
                    break
        assert not start.exists()
    overs = list(oracle.finished(oracle.read(truth)))
    assert [(over.game, len(over.scores)) for over in overs] == [(1, 3), (2, 3)]


async def test_a_power_cut_closes_the_port_and_it_opens_again():
    clock = asyncio.get_running_loop().time
    seen: list[type] = []
    url = "sim://bcp?seed=1&speed=1000&idle=0.01&ball_seconds=5&power_cut=1"
    async with (
        asyncio.timeout(30),
        open_url(url, now=lambda: int(clock() * 1000)) as port,
        aclosing(aiter(port)) as events,
    ):
        async for event in events:
            if isinstance(event, Opened | Closed):
                seen.append(type(event))
            if len(seen) == 5:
                break
    assert seen == [Opened, Closed, Opened, Closed, Opened]


@pytest.mark.parametrize(
    ("url", "names"),
    [
        ("sim://toaster", "sim://dmd"),
        ("sim://bcp?sped=3", "speed"),
        ("sim://bcp?speed=fast", "speed"),
        ("sim://bcp?speed=nan", "speed"),
        ("sim://bcp?players=0", "players"),
        ("sim://bcp?players=3-2", "players"),
        ("sim://bcp?tilt=2", "tilt"),
        ("sim://bcp?seed=-1", "seed"),
        ("sim://dmd?width=99999", "width"),
        ("sim://bcp?truth=/nowhere/at/all", "truth"),
    ],
)
def test_an_address_that_cannot_be_meant_is_refused_by_name(url: str, names: str):
    with pytest.raises(PortInvalid, match=names):
        open_url(url, now=lambda: 0)
