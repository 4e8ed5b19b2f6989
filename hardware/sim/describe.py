"""The profile and the corners that belong to a simulated machine: what somebody would write down who set it up.

Invariant: the profile says where things are and how many, and nothing of what the machine's signs look like.
"""

from hardware.catalog import load_profile
from hardware.catalog import profile_text as catalog_text
from hardware.profile import MachineProfile, parse_profile
from hardware.sim.address import WIRES, Setting, parse
from hardware.sim.lights import LightFace
from hardware.sim.machine import camera_of, face_of
from hardware.sim.monitor import MonitorFace
from hardware.sim.reels import WHEEL, ReelFace
from hardware.sim.segments import CELL, SegmentFace
from hardware.sim.trouble import Corners

Box = tuple[float, float, float, float]


def corners_of(url: str) -> Corners:
    """The true corners of the display of an address, in pixels: top left and on, clockwise. Raises PortInvalid."""
    setting = parse(url).setting
    return camera_of(setting, face_of(setting)).corners


PROFILES = {kind: kind for kind in WIRES} | {"bcp": "mpf-bcp", "memory": "sim-memory", "json": "mqtt-json"}
"""The profiles with which simulated machines that talk are heard."""


def profile_of(url: str) -> MachineProfile:
    """The machine's profile. Raises PortInvalid."""
    kind = parse(url).setting.kind
    if kind in WIRES:
        return load_profile(PROFILES[kind])
    return parse_profile(profile_text(url), file="simulated.toml")


def profile_text(url: str) -> str:
    """The machine's profile as a file would hold it (TOML). Raises PortInvalid."""
    address = parse(url)
    setting = address.setting
    if setting.kind in WIRES:
        return catalog_text(PROFILES[setting.kind])
    face = face_of(setting)
    head = f'id = "sim-{setting.kind}"\nname = "Simulated machine"\nkind = "display"\nplayers = {setting.most}\n'
    head += f"balls = {address.habits.balls}\n"
    if isinstance(face, SegmentFace):
        return head + f"digits = {setting.digits}\nscore_quantum = 10\n{_segments(setting, face)}"
    if isinstance(face, ReelFace):
        return head + f"digits = {setting.digits + setting.zeros}\nscore_quantum = 10\n{_reels(setting, face)}"
    if isinstance(face, MonitorFace):
        return head + f"score_quantum = 10\n{_monitor(face)}"
    if isinstance(face, LightFace):
        return head + f"digits = 8\nscore_quantum = 1000\n{_lights(face)}"
    size = f"columns = {setting.columns}\nrows = {setting.rows}\n"
    return f'{head}score_quantum = 10\n[display]\ntype = "dmd"\n{size}'


def _segments(setting: Setting, face: SegmentFace) -> str:
    rows, columns = face.size
    lines = [f'[display]\ntype = "segments"\nsegments = {setting.segments}\nglass = "{setting.glass}"\nwindows = [']
    for place in face.places:
        box = (
            place.left / columns, place.top / rows,
            (place.left + place.cells * CELL[1]) / columns, (place.top + CELL[0]) / rows,
        )  # fmt: skip
        lines.append(_window(place.shows, place.player or None, box, digits=place.cells))
    return "\n".join([*lines, "]\n"])


def _reels(setting: Setting, face: ReelFace) -> str:
    rows, columns = face.size
    lines = [f'[display]\ntype = "reels"\nzeros = {setting.zeros}\nwindows = [']
    for player, (top, left) in enumerate(face.places, 1):
        box = (left / columns, top / rows, (left + face.block) / columns, (top + WHEEL[0]) / rows)
        lines.append(_window("score", player, box, digits=setting.digits))
    return "\n".join([*lines, "]\n"])


def _monitor(face: MonitorFace) -> str:
    rows, columns = face.size
    lines = ['[display]\ntype = "lcd"\nwindows = [']
    places = [("score", player, place) for player, place in enumerate(face.places, 1)]
    for shows, player, (left, top, wide, high) in [*places, ("ball", None, face.ball_place)]:
        box = (left / columns, top / rows, (left + wide) / columns, (top + high) / rows)
        lines.append(_window(shows, player, box))
    return "\n".join([*lines, "]\n"])


def _lights(face: LightFace) -> str:
    lines = ['[display]\ntype = "lights"\nlamps = [']
    lines += [f"  {{ value = {value}, player = 1, {_box(box)} }}," for value, box in face.fields()]
    return "\n".join([*lines, "]\n"])


def _window(shows: str, player: int | None, box: Box, *, digits: int | None = None) -> str:
    whose = f", player = {player}" if player else ""
    many = f", digits = {digits}" if digits else ""
    return f'  {{ shows = "{shows}"{whose}{many}, {_box(box)} }},'


def _box(box: Box) -> str:
    left, top, right, bottom = (round(side, 5) for side in box)
    return f"left = {left}, top = {top}, right = {right}, bottom = {bottom}"
