"""Runs the real GNU Backgammon on files and brings back what it understood."""

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

FOUND: Final = shutil.which("gnubg", path=f"{os.environ.get('PATH', '')}:/usr/games")
MISSING: Final = "GNU Backgammon is not installed: apt install gnubg"
_SCRIPT: Final = """
import json
import gnubg

with open("job.json") as stream:
    job = json.load(stream)
for command in ("automatic game off", "player 0 human", "player 1 human", "jacoby off"):
    gnubg.command("set " + command)
done = {}
if job["load"]:
    gnubg.command(job["load"])
    told = gnubg.match(analysis=0, boards=1)
    done["info"] = told["match-info"]
    done["games"] = [{"info": one["info"], "actions": one["game"]} for one in told["games"]]
for command in job["commands"]:
    gnubg.command(command)
gnubg.command("show beavers")  # says one line: what follows is not about the file
if job["walk"]:
    done["ids"] = []
    for number, game in enumerate(done["games"]):
        gnubg.command("first game")
        if number:
            gnubg.command("next game %d" % number)
        ids = []
        for _ in range(len(game["actions"]) + 1):
            try:
                ids.append((gnubg.positionid(), gnubg.matchid()))
            except ValueError:
                ids.append(None)
            gnubg.command("next")
        done["ids"].append(ids)
done["xgids"] = []
for text in job["xgids"]:
    gnubg.command("set xgid " + text)
    done["xgids"].append((gnubg.positionid(), gnubg.matchid()))
with open("done.json", "w") as stream:
    json.dump(done, stream)
"""
_BANNER: Final = "`show copying' for details."
_ENOUGH: Final = "3 beavers/raccoons allowed"
_BOARD_LINE: Final = re.compile(
    r"\s*$|[ v^]?\s*[|+].*[|+]|\s*(GNU Backgammon  Position ID|Match ID   ):|"
    r"(Will not automatically start games|Moves for .* must now be entered manually|"
    r"Will not use the Jacoby rule for money sessions)\.$"
)


@dataclass(frozen=True, slots=True)
class Told:
    """What GNU Backgammon made of a file."""

    complaints: tuple[str, ...]
    """Every line it printed that is no board."""
    info: dict[str, Any]
    games: list[dict[str, Any]]
    ids: list[list[tuple[str, str] | None]]
    xgids: list[tuple[str, str]]


def ask(
    folder: Path,
    load: str = "",
    *,
    commands: tuple[str, ...] = (),
    walk: bool = False,
    xgids: tuple[str, ...] = (),
) -> Told:
    """Start the program in a folder of its own, load a file and run commands."""
    assert FOUND
    job = {"load": load, "commands": commands, "walk": walk, "xgids": xgids}
    (folder / "job.json").write_text(json.dumps(job))
    (folder / "script.py").write_text(_SCRIPT)
    (folder / "done.json").unlink(missing_ok=True)
    ran = subprocess.run(
        [FOUND, "--tty", "--quiet", "--no-rc", "--python=script.py"],
        cwd=folder,
        env={"HOME": str(folder), "PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=240,
        check=False,
    )
    done = json.loads((folder / "done.json").read_text())
    # The opening banner speaks of warranty and ends with this line.
    about_file = ran.stdout.partition(_BANNER)[2].partition(_ENOUGH)[0].splitlines()
    said = about_file + ran.stderr.splitlines()
    return Told(
        tuple(line for line in said if not _BOARD_LINE.match(line)),
        done.get("info", {}),
        done.get("games", []),
        [[one and (one[0], one[1]) for one in ids] for ids in done.get("ids", [])],
        [(one[0], one[1]) for one in done["xgids"]],
    )
