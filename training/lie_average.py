"""Average the weights of checkpoints that were trained from the same one.

    python -m training.lie_average OUT.pt ONE.pt OTHER.pt ...

Such a network sees strange pictures better than each of them (Wortsman et al., Model soups,
ICML 2022).
"""

import argparse
from pathlib import Path

import torch


def averaged(states: list[dict[str, torch.Tensor]]) -> dict[str, torch.Tensor]:
    """Return the mean of all weights; what only counts is taken from the first."""
    mean = dict(states[0])
    for name, first in states[0].items():
        if first.dtype.is_floating_point:
            mean[name] = torch.stack([state[name] for state in states]).mean(0)
    return mean


def main() -> None:
    """Parse the command line and write the mean."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("checkpoints", type=Path, nargs="+")
    options = parser.parse_args()
    torch.save(averaged([torch.load(path) for path in options.checkpoints]), options.out)


if __name__ == "__main__":
    main()
