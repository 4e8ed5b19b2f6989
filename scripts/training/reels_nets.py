"""The two networks that read a wheel, and what goes into them. They share no weights and see different planes.

Both answer with 103 numbers: logits of the 100 places, of being a wheel, of being cut, of digits travelling up. The
planes are made by the product in just the same way (`capture.vision.reels_net`).
"""

from __future__ import annotations

import torch
from reels_wheels import PLACES
from torch import nn

FLOOR = 0.02
"""Least spread that a picture's planes are stretched by: less is noise."""


def colour_planes(pictures: torch.Tensor) -> torch.Tensor:
    """Blue, green and red, less their common mean, over their common spread."""
    mean = pictures.mean((1, 2, 3), keepdim=True)
    return (pictures - mean) / pictures.std((1, 2, 3), keepdim=True, unbiased=False).clamp(min=FLOOR)


def bright_planes(pictures: torch.Tensor) -> torch.Tensor:
    """The brightest and the darkest channel, each less its mean, over its spread."""
    both = torch.stack([pictures.amax(1), pictures.amin(1)], 1)
    mean = both.mean((2, 3), keepdim=True)
    return (both - mean) / both.std((2, 3), keepdim=True, unbiased=False).clamp(min=FLOOR)


def _step(into: int, out: int, size: int = 3, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(into, out, size, stride, size // 2, bias=False), nn.BatchNorm2d(out), nn.ReLU(inplace=True)
    )


class _Twice(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.first, self.second = _step(width, width), nn.Conv2d(width, width, 3, 1, 1)

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """Two looks, added to what was there."""
        return torch.relu(seen + self.second(self.first(seen)))


class Colour(nn.Module):
    """Small kernels, residual, on the three colours."""

    planes = 3

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _step(3, 20), _step(20, 32, stride=2), _Twice(32), _step(32, 64, stride=2), _Twice(64), _step(64, 40, 1)
        )
        self.head = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.1), nn.Linear(40 * 40, 128), nn.ReLU(inplace=True), nn.Linear(128, PLACES + 3)
        )

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        """N x 3 x 32 x 20 to n x 103."""
        return self.head(self.body(planes))


class Bright(nn.Module):
    """Larger kernels, plain, on the brightest and the darkest channel."""

    planes = 2

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _step(2, 24, 5),
            nn.MaxPool2d(2),
            _step(24, 40, 5),
            _step(40, 48),
            nn.MaxPool2d(2),
            _step(48, 72),
            _step(72, 40, 1),
        )
        self.head = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.1), nn.Linear(40 * 40, 128), nn.ReLU(inplace=True), nn.Linear(128, PLACES + 3)
        )

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        """N x 2 x 32 x 20 to n x 103."""
        return self.head(self.body(planes))


PLANES = {Colour: colour_planes, Bright: bright_planes}
