"""What a machine says once more after its game is nobody's, and fills no other player's entry."""

from server.core.venue import commands as c

from .conftest import World


def test_leftover_final_frames_are_nobodys_and_the_next_player_still_waits(world: World):
    world.play("g", "p1", 210_000)
    world.assign("p2")
    for _ in range(2):
        world.end("g", 210_000)
    world.end("ghost", 0)
    assert [entry["scores"] for entry in world.log()] == [{"p1": 210_000}]
    assignment = world.state.machines["m1"].assignment
    assert assignment is not None
    assert assignment.players == ("p2",)
    assert world.state.games["ghost"].status == "unmatched"
    world.done(c.DiscardGame(game="ghost", why="leftover"))
    world.start("h")
    world.end("h", 0)
    assert [entry["scores"] for entry in world.log()] == [{"p1": 210_000}, {"p2": 0}]
