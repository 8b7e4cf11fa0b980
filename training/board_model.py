"""The board net: where in a picture lies a field, and which part of it does each pixel show?"""

import torch
from torch import nn

from training.dice_model import Residual, conv

CHANNELS_OUT = 5
"""0 logit of "field"; 1, 2 the pixel's place in the field (0–1 across, 0–1 down, of either end:
a board looks alike from both); 3, 4 logits of corners: 3 the field's first and third, clockwise
from the image's top-left, 4 the second and fourth."""
STRIDE = 4


class BoardModel(nn.Module):
    """Fully convolutional: (N, 3, 256, 256) in −1…1 → (N, 5, 64, 64)."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(conv(3, 16, 2), conv(16, 24, 2))
        self.fine = conv(24, 24)
        self.down8 = nn.Sequential(conv(24, 40, 2), Residual(40))
        self.down16 = nn.Sequential(conv(40, 64, 2), Residual(64))
        self.down32 = nn.Sequential(conv(64, 80, 2), Residual(80), Residual(80))
        self.up16 = conv(80, 64, size=1)
        self.mix16 = Residual(64)
        self.up8 = conv(64, 40, size=1)
        self.mix8 = Residual(40)
        self.up4 = conv(40, 24, size=1)
        self.mix4 = nn.Sequential(conv(24, 32), conv(32, 32))
        self.head = nn.Conv2d(32, CHANNELS_OUT, 1)
        self.grow = nn.Upsample(scale_factor=2, mode="nearest")
        nn.init.normal_(self.head.weight, std=0.01)
        with torch.no_grad():
            self.head.bias[:] = torch.tensor([0.0, 0.5, 0.5, -4.0, -4.0])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the raw map."""
        fine = self.fine(self.stem(x))
        eighth = self.down8(fine)
        sixteenth = self.down16(eighth)
        lowest = self.down32(sixteenth)
        sixteenth = self.mix16(sixteenth + self.grow(self.up16(lowest)))
        eighth = self.mix8(eighth + self.grow(self.up8(sixteenth)))
        return self.head(self.mix4(fine + self.grow(self.up4(eighth))))
