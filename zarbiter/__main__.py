"""`python -m zarbiter`."""

import sys

from zarbiter.cli import main

sys.exit(main())
