"""The demo's cast: who plays, on which machines, under which rules. Invented names, nobody's."""

from dataclasses import dataclass

TOURNAMENT = "demo"
TITLE = "Harbour Lights Open"
DIVISIONS = ("A", "B")

MACHINES = (
    "Copper Comet", "Lighthouse", "Paper Tigers", "Night Ferry", "Brass Monkey", "Tin Astronaut",
    "Ghost Tram", "Coral Reef", "Midnight Circus", "Iron Orchid", "Pole Star", "Velvet Thunder",
    "Salt & Pepper", "River Queen", "Blue Zeppelin", "Moon Harbour", "Clockwork Fox", "Desert Rally",
    "Silent Bell", "Snow Leopard", "Jade Palace", "Radio City", "Wild Geese", "Amber Road",
)  # fmt: skip

PLAYERS = (
    "Ada Whitfield", "Björn Ålund", "Carmen Ortega", "Dmitri Volkov", "Elif Yıldız", "Finn O’Hara",
    "Grete Lindqvist", "Hiro Tanaka", "Imani Okafor", "João Pereira", "Katya Sørensen", "Luc Moreau",
    "Mei Chen", "Nils Berg", "Olga Kowalczyk", "Pablo Núñez", "Quinn Barker", "Rosa Bianchi",
    "Sanjay Rao", "Tove Jansen", "Umberto Greco", "Vera Novák", "Wim de Groot", "Yuki Mori",
)  # fmt: skip

CAMERA_EVERY = 3
"""Every third machine only shows its score and is read by camera; the others talk."""
WIRES = ("bcp", "lines")
"""What those speak, in turn: kinds of `hardware.sim` that say each event, so that they can be played at any speed."""
CAMERA_KINDS = ("dmd", "segments", "reels")
"""The displays of machines read by camera, in turn: kinds of `hardware.sim`."""
PER_AGENT = 3
"""Machines that share one agent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """One simulated machine of the demo."""

    id: str
    name: str
    division: str
    kind: str
    """What it speaks, or the display that a camera looks at."""
    seed: int


def machines(count: int) -> tuple[Machine, ...]:
    """The first `count` machines, divisions alternating in blocks, so that each has both kinds."""
    return tuple(
        Machine(
            id=f"m{number}",
            name=MACHINES[(number - 1) % len(MACHINES)] + (f" {number}" if number > len(MACHINES) else ""),
            division=DIVISIONS[(number - 1) % len(DIVISIONS)],
            kind=_kind(number),
            seed=number,
        )
        for number in range(1, count + 1)
    )


def _kind(number: int) -> str:
    turn, other = divmod(number, CAMERA_EVERY)
    return WIRES[(turn + other - 1) % len(WIRES)] if other else CAMERA_KINDS[(turn - 1) % len(CAMERA_KINDS)]


def players(count: int) -> list[dict[str, object]]:
    """Players as the tournament file has them: two for each machine, at least eight, in both divisions."""
    wanted = min(len(PLAYERS), max(8, 2 * count))
    return [
        {"id": f"p{number}", "name": name, "division": DIVISIONS[(number - 1) % len(DIVISIONS)], "country": "CA"}
        for number, name in enumerate(PLAYERS[:wanted], 1)
    ]
