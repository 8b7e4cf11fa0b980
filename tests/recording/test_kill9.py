import json
import os
import subprocess
import sys
from pathlib import Path

from tests.support import kill9

MEMORY = Path("/dev/shm")


def test_no_acknowledged_event_is_lost_by_two_hundred_kills(tmp_path: Path) -> None:
    # What a killed process has written outlives it on any file system: take the quick one.
    quick = os.access(MEMORY, os.W_OK)
    folder = MEMORY if quick else tmp_path
    done = subprocess.run(
        [sys.executable, kill9.__file__, "--lives=200", "--seed=9", f"--folder={folder}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["kills"] == 200
    assert found["acknowledged"] > 500
    assert found["killed_in"]["opening"]
    assert found["pictures_checked"]
