"""Records what Mission Pinball Framework says while our machine is played: new recordings for `bcp/`.

    tests/machines/record_mpf.py SCENARIO OUT

`bcp/expected.yaml` says what must be understood of each. Two balls a game.
"""

import asyncio
import signal
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from play_mpf import PATIENCE, Machine, running


async def three_players(m: Machine) -> None:
    """Three players, two balls each; player 2 has an extra ball."""
    await m.start(3)
    await m.ball("s_orbit", "s_bumper")
    await m.ball("s_spinner", "s_special")
    await m.ball("s_bumper", "s_bumper")  # player 2 again
    await m.ball("s_spinner")
    for shots in (("s_bumper",), ("s_orbit",), ("s_spinner", "s_orbit", "s_orbit")):
        await m.ball(*shots)
    await m.wait("name=game_ended")
    await asyncio.sleep(0.3)


async def two_games(m: Machine) -> None:
    """Two games in a row: the second scores less, and the old machine variables are about."""
    for shots in (("s_orbit", "s_orbit"), ("s_bumper",)):
        await m.start(1)
        for _ in range(2):
            await m.ball(*shots)
        await m.wait("mode_stop.name=game", max(0, len(m.lines) - 60))
        await m.wait("mode_list.*attract", max(0, len(m.lines) - 20))
    await asyncio.sleep(0.3)


async def start_held(m: Machine) -> None:
    """The start button is held in mid-game: the game ends on ball 1; a new one is played to its end."""
    await m.start(1)
    await m.ball("s_orbit", "s_bumper", drain=False)
    since = len(m.lines)
    await m.hit("s_start", hold=1.7)
    await m.wait("name=game_will_end", since)
    m.drain()
    await m.wait("mode_stop.name=game", since)
    await asyncio.sleep(1)
    await m.start(1)
    for _ in range(2):
        await m.ball("s_spinner")
    await m.wait("name=game_ended")
    await asyncio.sleep(0.3)


async def goodbye(m: Machine) -> None:
    """MPF is stopped in mid-ball: it says goodbye."""
    await m.start(2)
    await m.ball("s_bumper", "s_orbit")
    await m.ball("s_spinner", drain=False)
    assert m.process is not None
    m.process.send_signal(signal.SIGINT)
    await asyncio.wait_for(m.gone.wait(), PATIENCE)


async def ball_search(m: Machine) -> None:
    """The ball is stuck, found by the search; stuck again, given up and replaced; the game is played on."""
    await m.start(1)
    await m.ball("s_bumper", drain=False)
    await m.wait("ball_search_started")
    await asyncio.sleep(0.2)
    await m.hit("s_spinner")
    await m.wait("ball_search_stopped", max(0, len(m.lines) - 10))
    await m.wait("ball_search_failed")
    await m.wait("name=s_lane&state=int:0")
    await asyncio.sleep(1.2)
    await m.hit("s_orbit")
    since = len(m.lines)
    m.drain()
    await m.wait("ball_ended", since)
    await m.ball("s_bumper")
    await m.wait("name=game_ended")
    await asyncio.sleep(0.3)


async def tilts(m: Machine) -> None:
    """Two players: player 1 tilts ball 1, player 2 tilts ball 2 of 2."""
    await m.start(2)
    await m.ball("s_orbit", drain=False)
    for _ in range(3):
        await m.hit("s_bob")
        await asyncio.sleep(0.2)
    await m.hit("s_bumper")
    since = len(m.lines)
    m.drain()
    await m.wait("ball_ended", since)
    await m.ball("s_bumper", "s_orbit")
    await m.ball("s_spinner")
    await m.ball("s_spinner", drain=False)
    for _ in range(3):
        await m.hit("s_bob")
        await asyncio.sleep(0.2)
    m.drain()
    await m.wait("name=game_ended")
    await asyncio.sleep(0.3)


async def slam_of_four(m: Machine) -> None:
    """Four players; player 2 slams on ball 1."""
    await m.start(4)
    await m.ball("s_orbit")
    await m.ball("s_bumper", drain=False)
    await m.hit("s_door")
    m.drain()
    await m.wait("name=game_ended")
    await asyncio.sleep(0.3)


async def service(m: Machine) -> None:
    """Service mode in attract mode, a game, and service mode again between its balls."""
    m.send("service?subcommand=start")
    await m.wait("service_mode_entered", 0)
    m.send("service?subcommand=stop")
    await m.wait("mode_list.*attract", await m.wait("service_mode_exited", 0))
    await asyncio.sleep(0.5)
    await m.start(2)
    await m.ball("s_orbit", "s_spinner")
    since = len(m.lines)
    m.send("service?subcommand=start")
    await m.wait("service_mode_entered", since)
    await asyncio.sleep(0.3)


async def reconnect(m: Machine) -> None:
    """The cable is pulled in mid-game and plugged in again: the same game is found."""
    await m.start(2)
    await m.ball("s_orbit", "s_bumper")
    await m.ball("s_spinner", drain=False)
    await m.hang_up()
    await asyncio.sleep(1.5)
    await m.connect(len(m.lines))
    await m.ask("game.num_players", "players[0].score", "players[1].score", "current_player.number")
    await m.ask("current_player.ball", "game.balls_per_game", "game.ending", "game.slam_tilted")
    await m.hit("s_spinner")
    since = len(m.lines)
    m.drain()
    await m.wait("ball_ended", since)
    await m.ball("s_bumper")
    await m.ball("s_spinner")
    await m.wait("name=game_ended")
    await m.ask("game.num_players", "players[0].score", "current_player.ball", "game.balls_per_game", "game.ending")
    await asyncio.sleep(0.3)


async def late(m: Machine) -> None:
    """A second listener comes when player 1 of 2 has just tilted ball 2; it asks, but registers no event."""
    await m.start(2)
    await m.ball("s_orbit")
    await m.ball("s_bumper")
    await m.ball("s_spinner", drain=False)
    for _ in range(3):
        await m.hit("s_bob")
        await asyncio.sleep(0.2)
    reader, writer = await asyncio.open_connection("127.0.0.1", m.port)
    listening = asyncio.create_task(_listen(m, reader))

    async def say(line: str) -> None:
        m.note(">2", line)
        writer.write(line.encode() + b"\n")
        await asyncio.sleep(0.1)

    for category in ("core_events", "modes", "player_vars"):
        await say(f"monitor_start?category={category}")
    for asked in ("current_player.score", "players[1].score", "players[2].score", "current_player.number"):
        await say(f"evaluate_placeholder?placeholder={asked}")
    for asked in ("current_player.ball", "game.balls_per_game", "game.num_players", "game.tilted", "game.slam_tilted"):
        await say(f"evaluate_placeholder?placeholder={asked}")
    since = len(m.lines)
    m.drain()
    await m.wait("ball_ended", since)
    await m.ball("s_bumper")
    await m.wait("name=game_ended", since)
    await asyncio.sleep(0.3)
    listening.cancel()
    writer.close()


async def _listen(m: Machine, reader: asyncio.StreamReader) -> None:
    while line := await reader.readline():
        m.note("<2", line[:-1].decode())


SCENARIOS: dict[str, Callable[[Machine], Awaitable[None]]] = {
    scenario.__name__: scenario
    for scenario in (
        three_players,
        two_games,
        start_held,
        goodbye,
        ball_search,
        tilts,
        slam_of_four,
        service,
        reconnect,
        late,
    )
}


async def record(name: str, out: Path) -> None:
    """Play a scenario with two balls a game and write down all that is said."""
    with tempfile.TemporaryDirectory() as folder:
        async with running(Path(folder), balls=2, record=out) as machine:
            await machine.connect()
            await SCENARIOS[name](machine)
            machine.end_record()


if __name__ == "__main__":
    asyncio.run(record(sys.argv[1], Path(sys.argv[2])))
