"""What the commands share: how a parser is made, exit statuses, complaints."""

import argparse
import sys
from collections.abc import Callable
from typing import Final, TypeAlias

ParserOf: TypeAlias = Callable[[str, str, str], argparse.ArgumentParser]
"""Makes a command's parser of its name, summary and examples."""
FAILED: Final = 1
"""Exit status: a job, or a part of it, failed."""
WRONG_USE: Final = 2
"""Exit status: wrong use."""


def complain(message: str, status: int = FAILED) -> int:
    """Say what is wrong under the program's name; return the exit status."""
    sys.stderr.write(f"zarbiter: {message}\n")
    return status
