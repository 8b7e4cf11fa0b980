"""The network that says how a die lies, from one upright crop."""

import torch
from torch import nn

OUTPUTS = 10
"""0 logit of "tilted"; 1 tilt in `TILT_UNIT_DEG`; 2–4 logits of lying on or leaning against
board, checker, wall; 5–6 logits of touching a checker, a wall; 7–8 where the outline's middle
is, from the crop's, and 9 the logarithm of its size, both in the size it should have."""
TILT_UNIT_DEG = 30.0
SLANT_UNIT = 1.0


def _conv(inputs: int, outputs: int, stride: int = 1, size: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class _Second(nn.Module):
    """A second opinion that is added to what comes in; at first it says nothing."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = _conv(channels, channels)
        self.second = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(channels)
        nn.init.zeros_(self.norm.weight)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return what came in, corrected."""
        return torch.relu(x + self.norm(self.second(self.first(x))))


class LieModel(nn.Module):
    """(N, 4, 64, 64): BGR in −1…1 and the slant → (N, 10)."""

    def __init__(self, drop: float = 0.15) -> None:
        super().__init__()
        self.body = nn.ModuleList(
            [
                _conv(4, 20, 2),
                _conv(20, 36, 2),
                _conv(36, 44),
                _conv(44, 64, 2),
                _conv(64, 72),
                _conv(72, 96, 2),
                _conv(96, 32, size=1),
            ]
        )
        # Keyed by the convolution they follow: a checkpoint without them can be resumed.
        self.seconds = nn.ModuleDict({"0": _Second(20), "2": _Second(44), "4": _Second(72)})
        self.head = nn.Sequential(
            nn.Flatten(),
            nn.Dropout(drop),
            nn.Linear(32 * 16, 48),
            nn.ReLU(inplace=True),
            nn.Linear(48, OUTPUTS),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the raw outputs."""
        for index, layer in enumerate(self.body):
            x = layer(x)
            if str(index) in self.seconds:
                x = self.seconds[str(index)](x)
        return self.head(x)
