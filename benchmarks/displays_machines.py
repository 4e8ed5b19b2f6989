"""Profiles of the photographed machines: where their scores stand, as anybody would write down who has seen them play.

No fonts and nothing learnt from the pictures. Invariant: places only.
"""

from hardware.profile import MachineProfile, parse_profile

_HEAD = """id = "{name}"
name = "A photographed machine"
kind = "display"
score_quantum = 10
[display]
type = "dmd"
columns = 128
rows = 32
windows = [
{windows}
]
"""
_CORNERS = """  { player = 1, left = 0.0, top = 0.0, right = 0.5, bottom = 0.45 },
  { player = 2, left = 0.5, top = 0.0, right = 1.0, bottom = 0.45 },
  { player = 3, left = 0.0, top = 0.3, right = 0.5, bottom = 0.8 },
  { player = 4, left = 0.5, top = 0.3, right = 1.0, bottom = 0.8 },"""
_PLACES = {
    "nascar": _CORNERS + "\n  { left = 0.04, top = 0.0, right = 0.96, bottom = 0.73 },",
    "sttng": _CORNERS + "\n  { left = 0.04, top = 0.0, right = 0.93, bottom = 0.8 },"
    "\n  { left = 0.25, top = 0.65, right = 0.75, bottom = 1.0 },",
}


def profile_for(game: str) -> MachineProfile:
    """The profile of one of the photographed games."""
    text = _HEAD.replace("{name}", f"photo-{game}").replace("{windows}", _PLACES[game])
    return parse_profile(text, file=f"photo-{game}.toml")
