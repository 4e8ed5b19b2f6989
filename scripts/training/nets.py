"""The three networks. All small, all plain 3x3 convolutions, made so that OpenCV's dnn runs them as they are."""

from __future__ import annotations

import torch
from torch import nn

KINDS = 37
"""Digits, letters, and one class for every other mark."""


def _block(inputs: int, outputs: int, *, stride: int | tuple[int, int] = 1, dilation: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, dilation, dilation, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()
    )


class Finder(nn.Module):
    """Two channels of dots to a grid of half the size: is a sign's middle here, is it damaged, its box, its class."""

    def __init__(self) -> None:
        super().__init__()
        self.near = nn.Sequential(_block(2, 16), _block(16, 32, stride=2), _block(32, 32), _block(32, 32, dilation=2))
        self.far = nn.Sequential(_block(32, 40, stride=2), _block(40, 40), _block(40, 40, dilation=2))
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        self.join = nn.Sequential(nn.Conv2d(72, 40, 1, bias=False), nn.BatchNorm2d(40), nn.ReLU(), _block(40, 40))
        self.head = nn.Conv2d(40, 6 + KINDS, 1)

    def forward(self, dots: torch.Tensor) -> torch.Tensor:
        """From b x 2 x rows x columns to b x (6 + kinds) x rows/2 x columns/2."""
        near = self.near(dots)
        return self.head(self.join(torch.cat([near, self.up(self.far(near))], 1)))


class Namer(nn.Module):
    """One sign's box, 20 x 16, and a plane with its proportions, to its class or 'no sign' (the last)."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(_block(3, 24), _block(24, 32, stride=2), _block(32, 40), _block(40, 40, stride=2))
        self.head = nn.Linear(40 * 5 * 4, KINDS + 1)
        self.drop = nn.Dropout(0.1)

    def forward(self, crops: torch.Tensor) -> torch.Tensor:
        """From b x 3 x 20 x 16 to b x (kinds + 1)."""
        return self.head(self.drop(self.body(crops).flatten(1)))


class Strip(nn.Module):
    """One line, 16 high, to what it says: signs, marks, group marks, spaces, and the blank (the last), CTC."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _block(2, 24), _block(24, 32, stride=(2, 1)), _block(32, 40, stride=(2, 1)), _block(40, 48, stride=(2, 2))
        )
        self.mix = nn.Sequential(
            nn.Conv2d(96, 64, (1, 5), padding=(0, 2), bias=False), nn.BatchNorm2d(64), nn.ReLU(),
            nn.Conv2d(64, 64, (1, 5), padding=(0, 2), bias=False), nn.BatchNorm2d(64), nn.ReLU(),
        )  # fmt: skip
        self.head = nn.Conv2d(64, KINDS + 3, 1)

    def forward(self, lines: torch.Tensor) -> torch.Tensor:
        """From b x 2 x 16 x w to b x (kinds + 3) x 1 x w/2."""
        seen = self.body(lines)
        flat = torch.cat([seen[:, :, 0:1], seen[:, :, 1:2]], 1)
        return self.head(self.mix(flat))
