"""The dice net: one small convolutional network, a map of dice at a quarter of the size."""

import torch
from torch import nn

CHANNELS_OUT = 12
"""0 heat; 1–6 value logits; 7–8 outline's centre from the cell's (in `SIZE_UNIT_PX`);
9–10 log of the outline's width and height (in `SIZE_UNIT_PX`); 11 logit of "lies tilted"."""
STRIDE = 4
SIZE_UNIT_PX = 24.0


def conv(inputs: int, outputs: int, stride: int = 1, size: int = 3) -> nn.Sequential:
    """Return a convolution, its normalisation and the rectifier."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Residual(nn.Module):
    """Two convolutions and a shortcut."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = conv(channels, channels)
        self.second = nn.Sequential(
            nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the block's output."""
        return torch.relu(x + self.second(self.first(x)))


class DiceModel(nn.Module):
    """Fully convolutional: (N, 3, H, W) in −1…1 → (N, 12, H/4, W/4); H, W multiples of 16.

    Small pips are read at a quarter of the size; what is a die and which face is the upper one
    is seen at an eighth and a sixteenth and handed back up.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(conv(3, 16, 2), conv(16, 24, 2))
        self.fine = conv(24, 24)
        self.down8 = nn.Sequential(conv(24, 44, 2), Residual(44))
        self.down16 = nn.Sequential(conv(44, 64, 2), Residual(64))
        self.up8 = conv(64, 44, size=1)
        self.mix8 = conv(44, 44)
        self.up4 = conv(44, 24, size=1)
        self.mix4 = conv(24, 24)
        self.head = nn.Conv2d(24, CHANNELS_OUT, 1)
        self.grow = nn.Upsample(scale_factor=2, mode="nearest")
        nn.init.normal_(self.head.weight, std=0.01)
        nn.init.zeros_(self.head.bias)
        with torch.no_grad():
            self.head.bias[0] = -4.0  # dice are rare

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the raw map: logits and sizes."""
        fine = self.fine(self.stem(x))
        eighth = self.down8(fine)
        sixteenth = self.down16(eighth)
        eighth = self.mix8(eighth + self.grow(self.up8(sixteenth)))
        return self.head(self.mix4(fine + self.grow(self.up4(eighth))))
