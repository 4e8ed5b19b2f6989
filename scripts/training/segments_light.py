"""Light of a drawn display of segments as a camera takes it: glow, glass, liquid crystal, reflections, sensor."""

from __future__ import annotations

import cv2
import numpy as np

COLOURS = {
    "red": (1.0, 0.12, 0.08), "deep red": (1.0, 0.02, 0.02), "pink": (1.0, 0.2, 0.35), "plasma": (1.0, 0.45, 0.12),
    "amber": (1.0, 0.65, 0.1), "yellow": (1.0, 0.9, 0.25), "green": (0.15, 1.0, 0.25), "vfd": (0.25, 1.0, 0.8),
    "blue": (0.08, 0.35, 1.0), "cyan": (0.1, 0.85, 1.0), "white": (1.0, 0.97, 0.9), "violet": (0.6, 0.2, 1.0),
}  # fmt: skip
UNIT = 56.0
"""Pixels of a digit's height while drawing."""


def blur(plane: np.ndarray, sigma: float) -> np.ndarray:
    """Gaussian blur, cheap for wide ones."""
    if sigma < 0.3:
        return plane
    if sigma < 6:
        return cv2.GaussianBlur(plane, (0, 0), sigma)
    k = int(sigma / 3)
    small = cv2.resize(plane, (max(2, plane.shape[1] // k), max(2, plane.shape[0] // k)), interpolation=cv2.INTER_AREA)
    return cv2.resize(cv2.GaussianBlur(small, (0, 0), sigma / k), (plane.shape[1], plane.shape[0]))


def shine(
    rng: np.random.Generator, emit: np.ndarray, inside: np.ndarray, size: tuple[int, int], strongest: float
) -> np.ndarray:
    """Light of a display that shines: core, glow, veil; ghosts in the glass; what surrounds it. BGR, linear, 1 full."""
    colour = np.array(list(COLOURS.values())[rng.integers(len(COLOURS))])[::-1]
    if rng.random() < 0.45:
        colour = np.array(COLOURS[str(rng.choice(["red", "deep red", "pink", "plasma"]))])[::-1]
    colour = np.clip(colour * rng.uniform(0.8, 1.2, 3) + rng.uniform(0, 0.08), 0, 1)
    core = blur(emit, UNIT * rng.uniform(0.0, 0.03))
    near = blur(core, UNIT * rng.uniform(0.04, 0.1)) * rng.uniform(0, 0.7)
    far = blur(core, UNIT * rng.uniform(0.12, 0.4)) * rng.uniform(0, 0.6)
    gain = np.exp(rng.uniform(np.log(0.5), np.log(9.0)))
    gain = min(gain, strongest)
    glow = core + near * (rng.random() < 0.8) + far * (rng.random() < 0.7)
    light = gain * glow[..., None] * colour
    glass = surroundings(rng, inside, size, bright=rng.random() ** 2 * 0.5)
    if rng.random() < 0.5:  # unlit bars show in the glass by the room's light
        outline = (emit > 0.002).astype(np.float32)
        glass = glass * (1 + blur(outline, 0.8)[..., None] * rng.uniform(-0.5, 0.6))
    return light + glass


def shade(rng: np.random.Generator, emit: np.ndarray, inside: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """A liquid-crystal display: ink on a bright or dim ground, with its shadow, glare and backlight."""
    ink = blur(emit, UNIT * rng.uniform(0, 0.025))
    ground = (
        rng.uniform(0.5, 1.0, 3)
        if rng.random() < 0.4
        else np.full(3, rng.uniform(0.1, 0.95)) * rng.uniform(0.85, 1.1, 3)
    )
    if rng.random() < 0.35:  # coloured backlight
        ground = np.array(list(COLOURS.values())[rng.integers(len(COLOURS))])[::-1] * rng.uniform(0.5, 1.4)
    base = np.clip(ground, 0.02, 1.3) * np.exp(rng.uniform(np.log(0.12), np.log(1.0))) ** (rng.random() < 0.6)
    depth = rng.uniform(0.2, 0.95)
    dx, dy = rng.normal(0, 0.05 * UNIT, 2)
    shadow = cv2.warpAffine(blur(ink, UNIT * rng.uniform(0.01, 0.06)), np.array([[1, 0, dx], [0, 1, dy]]), size)
    dark = np.clip(ink * depth + shadow * depth * rng.uniform(0, 0.5) * (rng.random() < 0.5), 0, 0.97)
    light = surroundings(rng, inside, size, bright=None, base=base)
    tint = rng.uniform(0.7, 1.0, 3)
    return light * (1 - dark[..., None] * tint) + haze(rng, size)


def haze(rng: np.random.Generator, size: tuple[int, int]) -> np.ndarray:
    """Reflections that lie over everything: soft spots, hard edges, an even veil."""
    over = np.zeros((size[1], size[0], 3), np.float32)
    if rng.random() < 0.4:
        over += (rng.random(3) * rng.uniform(0, 0.25)).astype(np.float32)
    for _ in range(rng.integers(0, 3)):
        patch = np.zeros((size[1], size[0]), np.float32)
        middle = (int(rng.uniform(0, size[0])), int(rng.uniform(0, size[1])))
        axes = (int(rng.uniform(0.2, 2.5) * UNIT), int(rng.uniform(0.1, 1.0) * UNIT))
        if rng.random() < 0.5:
            cv2.ellipse(patch, middle, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1, cv2.LINE_AA)
        else:
            box = cv2.boxPoints(
                ((float(middle[0]), float(middle[1])), (axes[0] * 2.0, axes[1] * 2.0), float(rng.normal(0, 15)))
            )
            cv2.fillPoly(patch, [box.astype(np.int32)], 1.0, cv2.LINE_AA)
        over += blur(patch, UNIT * rng.uniform(0.0, 0.4))[..., None] * (rng.random(3) * rng.uniform(0, 0.35)).astype(
            np.float32
        )
    return over


def surroundings(rng, inside, size, *, bright, base=None):  # noqa: ANN001, ANN201
    """The glass within `inside` and what lies around it: a frame, art, bright edges."""
    area = np.empty((size[1], size[0], 3), np.uint8)
    area[:] = rng.random(3) * rng.uniform(0.0, 150)
    for _ in range(rng.integers(0, 6)):
        a, b = (rng.uniform(0, 1, (2, 2)) * size).astype(int)
        colour = tuple(float(v) for v in rng.random(3) * rng.uniform(25, 255))
        kind = rng.integers(3)
        if kind == 0:
            cv2.rectangle(area, tuple(int(v) for v in a), tuple(int(v) for v in b), colour, -1)
        elif kind == 1:
            cv2.line(
                area, tuple(int(v) for v in a), tuple(int(v) for v in b), colour, int(rng.integers(1, 10)), cv2.LINE_AA
            )
        else:
            text = "".join(rng.choice(list("kWhLbgKGSCUM0123456789BALPYR"), rng.integers(1, 6)))
            cv2.putText(
                area,
                text,
                tuple(int(v) for v in a),
                int(rng.integers(0, 4)),
                rng.uniform(0.3, 1.4),
                colour,
                int(rng.integers(1, 4)),
            )
    area = cv2.GaussianBlur(area.astype(np.float32) / 255, (0, 0), rng.uniform(0.5, 3))
    frame = np.zeros((size[1], size[0]), np.float32)
    middle = inside.mean(0)
    window = middle + (inside - middle) * rng.uniform(0.99, 1.06) + rng.normal(0, 0.04 * UNIT, (4, 2))
    if rng.random() < 0.4:
        window = middle + (window - middle) * (1, rng.uniform(1.05, 1.6)) + (0, rng.normal(0, 0.06) * UNIT)
    if rng.random() < 0.3:
        window = middle + (window - middle) * (rng.uniform(1.0, 1.3), 1)
    cv2.fillPoly(frame, [np.round(window * 16).astype(np.int32)], 1.0, cv2.LINE_AA, 4)
    frame = blur(frame, rng.uniform(0.3, 3))[..., None]
    ground = base if base is not None else np.clip(rng.uniform(0.6, 1.0, 3), 0, 1) * bright
    ys, xs = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float32)
    slope = rng.normal(0, 0.25 if base is None else 0.18, 2)
    gradient = np.clip(1 + slope[0] * (xs / size[0] - 0.5) * 2 + slope[1] * (ys / size[1] - 0.5) * 2, 0.15, 2)[
        ..., None
    ]
    glass = ground * gradient + (haze(rng, size) * rng.uniform(0.2, 1.0) if base is None and rng.random() < 0.5 else 0)
    return area * (1 - frame) + glass * frame


def photograph(rng: np.random.Generator, light: np.ndarray) -> tuple[np.ndarray, float]:
    """Blur, sampling, sensor, JPEG. Gives the picture and its scale against the canvas."""
    high = np.exp(rng.uniform(np.log(15), np.log(75)))
    scale = high / UNIT
    light = cv2.GaussianBlur(light, (0, 0), max(0.3, UNIT * rng.uniform(0.0, 0.045)))
    if rng.random() < 0.15:  # moved
        kernel = np.zeros((9, 9), np.float32)
        cv2.line(kernel, (4, 4), tuple(int(v) for v in rng.integers(0, 9, 2)), 1.0)
        light = cv2.filter2D(light, -1, kernel / kernel.sum())
    size = (max(8, round(light.shape[1] * scale)), max(8, round(light.shape[0] * scale)))
    light = cv2.resize(light, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    image = np.clip(light, 0, 1) ** rng.uniform(0.45, 1.1)
    if rng.random() < 0.3:
        image = image * rng.uniform(0.5, 1) + rng.uniform(0, 0.15)
    image = image + rng.normal(0, rng.uniform(0.001, 0.035), image.shape) * (0.4 + np.sqrt(np.clip(image, 0, 1)))
    picture = np.clip(image * 255, 0, 255).astype(np.uint8)
    if rng.random() < 0.2:
        soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
        picture = cv2.addWeighted(picture, 1.7, soft, -0.7, 0)
    if rng.random() < 0.75:
        _, data = cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 96))))
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR)
    if rng.random() < 0.08:
        picture = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    return picture, scale
