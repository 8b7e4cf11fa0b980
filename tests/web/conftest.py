from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.arbiter import MatchSetup
from referee.timer_presets import PRESETS
from tests.support.web_site import Site, site
from tests.support.web_table import FakeTable, played


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Site]:
    """Bound to loopback, nothing set up: whoever is there may do anything."""
    table = FakeTable(tmp_path / "record")
    yield site(table, tmp_path)
    table.close()


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Site]:
    """On the network, with PINs chosen."""
    table = FakeTable(tmp_path / "record")
    made = site(table, tmp_path, host="0.0.0.0")
    made.set_up()
    yield made
    table.close()


@pytest.fixture(scope="module")
def after_play(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A match under way with 120 things done; for reading only."""
    folder = tmp_path_factory.mktemp("played")
    setup = MatchSetup(
        white="Анна", black="Борис", length=3, clock=PRESETS["federation"].control
    )
    table = played(folder / "record", setup=setup, steps=120, wrong=0.1)
    yield site(table, folder)
    table.close()
