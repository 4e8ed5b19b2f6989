"""The networks for displays of segments: plain 3x3 convolutions, made so that OpenCV's dnn runs them as they are."""

from __future__ import annotations

import torch
from torch import nn


def block(inputs: int, outputs: int, *, stride: int = 1, dilation: int = 1, size: int = 3) -> nn.Sequential:
    """Convolution, normalisation, rectification."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, stride, dilation * (size // 2), dilation, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(),
    )


class Cell(nn.Module):
    """A cell's two planes, 48 x 32, to: the kinds (signs, blank, none), its segments, its point, its corners (8)."""

    def __init__(self, kinds: int, bits: int) -> None:
        super().__init__()
        self.parts = (kinds, bits, 1, 8)
        self.body = nn.Sequential(
            block(2, 24, stride=2, size=5),
            block(24, 32),
            block(32, 48, stride=2),
            block(48, 64),
            block(64, 80, stride=2),
        )
        self.whole = nn.Sequential(
            nn.Conv2d(80, 128, (6, 4), bias=False), nn.BatchNorm2d(128), nn.ReLU(), nn.Dropout(0.1)
        )
        self.head = nn.Conv2d(128, sum(self.parts), 1)

    def forward(self, cells: torch.Tensor) -> torch.Tensor:
        """From n x 2 x 48 x 32 to n x sum(parts) x 1 x 1."""
        return self.head(self.whole(self.body(cells)))


class Finder(nn.Module):
    """A picture (3 x rows x columns, 0 to 1) to a grid of a quarter: is a digit's middle here; its corners (8)."""

    def __init__(self) -> None:
        super().__init__()
        self.near = nn.Sequential(block(3, 20, stride=2, size=5), block(20, 40, stride=2), block(40, 40))
        self.far = nn.Sequential(
            block(40, 56, stride=2), block(56, 56, dilation=2), block(56, 56, dilation=3), block(56, 56)
        )
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        self.join = nn.Sequential(nn.Conv2d(96, 32, 1, bias=False), nn.BatchNorm2d(32), nn.ReLU(), block(32, 32))
        self.head = nn.Conv2d(32, 9, 1)

    def forward(self, picture: torch.Tensor) -> torch.Tensor:
        """From b x 3 x rows x columns (multiples of 8) to b x 9 x rows/4 x columns/4."""
        near = self.near(picture)
        return self.head(self.join(torch.cat([near, self.up(self.far(near))], 1)))
