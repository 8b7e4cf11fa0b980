"""`zarbiter see`: look at pictures and say what is on the board. Output: product contract."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from calibration.homography import GeometryError
from calibration.profile import CalibrationProfile, ProfileError, read_profile
from referee.evidence import evidence_of
from referee.matcher import MatcherSettings, believe
from referee.throws import judge_dice, throw_to_json
from rules import Variant
from vision.frame import FrameError, read_image
from vision.observation import CheckersReading, Corners, DieReading, Observation, PointReading
from vision.observe import Known, observe, observe_dice
from zarbiter.corners import RequestError, checked_corners
from zarbiter.profiles import known_of
from zarbiter.setup import Setup

JsonLine: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    """One picture to look at."""

    image: str
    corners_px: Corners | None = None
    dice_only: bool = False
    profile: str | None = None
    """A calibration profile's file; corners given beside it override its own."""


def parse_request(line: str) -> Request:
    """Read one line of `--requests`.

    Raises:
        RequestError: broken JSON, a missing image, or a field of the wrong type.
    """
    try:
        asked = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RequestError("bad_json", f"not JSON: {error}") from error
    if not isinstance(asked, dict) or not isinstance(asked.get("image"), str):
        raise RequestError("bad_request", 'a request is an object with "image"')
    profile = asked.get("profile")
    if profile is not None and not isinstance(profile, str):
        raise RequestError("bad_request", '"profile" is the name of a file, or null')
    corners = asked.get("corners")
    dice_only = asked.get("dice_only", False)
    if not isinstance(dice_only, bool):
        raise RequestError("bad_request", '"dice_only" is true or false')
    return Request(
        asked["image"],
        None if corners is None else checked_corners(corners),
        dice_only,
        profile,
    )


def look_at(
    request: Request, variant: Variant, setup: Setup | None = None
) -> tuple[JsonLine, Observation | None]:
    """Look at one picture; a picture that cannot be used gives a line with its error.

    Args:
        request: the picture, with what is known of it.
        variant: whose throw law holds.
        setup: how the table stands; with it the line tells the game's position as well.
    """
    try:
        bgr = read_image(Path(request.image))
        seen = (
            observe_dice(bgr)
            if request.dice_only
            else observe(bgr, _known(request, setup, (bgr.shape[1], bgr.shape[0])))
        )
    except ProfileError as error:
        return error_line(request.image, "bad_profile", f"{request.image}: {error}"), None
    except FrameError as error:
        return error_line(request.image, error.code, str(error)), None
    except GeometryError as error:
        return error_line(request.image, "bad_corners", f"{request.image}: {error}"), None
    line = observation_to_json(request.image, seen, variant)
    if setup is not None and seen.checkers is not None:
        line |= _position(seen.checkers, setup)
    return line, seen


def _known(request: Request, setup: Setup | None, image_size_px: tuple[int, int]) -> Known:
    """Return what is known of the table; corners asked for override those of files.

    Raises:
        ProfileError: a profile that cannot be read or is for another view.
    """
    corners = request.corners_px or (None if setup is None else setup.corners_px)
    if request.profile is None:
        return Known(corners_px=corners)
    known = known_of(profile_named(request.profile), image_size_px)
    return known if corners is None else replace(known, corners_px=corners)


@lru_cache(maxsize=8)
def profile_named(path: str) -> CalibrationProfile:
    """Read a profile; a run of pictures of one table reads it once.

    Raises:
        ProfileError: see `read_profile`.
    """
    return read_profile(Path(path))


def _position(checkers: CheckersReading, setup: Setup) -> JsonLine:
    """Write what stands on the board as a position of the game, null when unsure."""
    settings = MatcherSettings()
    evidence = evidence_of(checkers, setup.layout, setup.white)
    belief = believe(evidence, setup.variant, settings)
    sure = belief.certain(settings)
    with_bar = setup.variant.hits
    if sure is not None:
        return {"position": sure.to_json(with_bar=with_bar)}
    candidates = [one.to_json(with_bar=with_bar) for one in belief.candidates[:5]]
    return {"position": None, "position_candidates": candidates}


def error_line(image: str | None, code: str, message: str) -> JsonLine:
    """Return the line of a picture that could not be looked at."""
    return {"image": image, "error": {"code": code, "message": message}}


def requests_from(lines: Iterable[str]) -> Iterator[Request | JsonLine]:
    """Yield requests, or the error line of a line that is none; blank lines are skipped."""
    for line in lines:
        if not line.strip():
            continue
        try:
            yield parse_request(line)
        except RequestError as error:
            yield error_line(_image_of(line), error.code, str(error))


def observation_to_json(image: str, seen: Observation, variant: Variant) -> JsonLine:
    """Write an observation as the product's contract has it."""
    line: JsonLine = {
        "image": image,
        "width": seen.width,
        "height": seen.height,
        "board": None,
        "points": None,
        "on_bar": None,
        "points_confidence": None,
        "dice": [_die(die) for die in seen.dice],
        "throw": None,
        "ms": {
            "board": round(seen.ms.board, 1),
            "points": round(seen.ms.points, 1),
            "dice": round(seen.ms.dice, 1),
            "total": round(seen.ms.total, 1),
        },
    }
    if seen.board is not None:
        corners = seen.board.corners_px
        line["board"] = {
            "found": seen.board.found,
            "corners_px": None if corners is None else [_rounded(one) for one in corners],
            "confidence": round(seen.board.confidence, 4),
        }
        if seen.board.cut:
            line["board"]["cut"] = list(seen.board.cut)
        if seen.board.found:
            line["throw"] = throw_to_json(judge_dice(seen.dice, variant.throw))
    if seen.checkers is not None:
        rows = {"top": seen.checkers.top, "bottom": seen.checkers.bottom}
        line["points"] = {name: [one.label for one in row] for name, row in rows.items()}
        line["points_confidence"] = {
            name: [round(one.confidence, 4) for one in row] for name, row in rows.items()
        }
        line["points_candidates"] = {
            name: [_candidates(one) for one in row] for name, row in rows.items()
        }
        line["on_bar"] = {"L": seen.checkers.bar.light, "D": seen.checkers.bar.dark}
    return line


def _candidates(reading: PointReading) -> list[list[Any]] | None:
    """Write what an unsure point may hold: [label, probability], most likely first."""
    if not reading.unsure:
        return None
    return [
        [f"{side.value}{count}" if side and count else "", round(probability, 4)]
        for side, count, probability in reading.candidates
    ]


def _die(die: DieReading) -> JsonLine:
    return {
        "value": die.value,
        "center_px": _rounded(die.center_px),
        "box_px": _rounded(die.box_px),
        "flat": die.flat,
        "tilt_deg": None if die.tilt_deg is None else round(die.tilt_deg, 1),
        "half": None if die.half is None else die.half.value,
        "on": None if die.on is None else die.on.value,
        "touches": sorted(one.value for one in die.touches),
        "confidence": round(die.confidence, 4),
    }


def _rounded(numbers: tuple[float, ...]) -> list[float]:
    return [round(number, 1) for number in numbers]


def _image_of(line: str) -> str | None:
    try:
        asked = json.loads(line)
    except (ValueError, RecursionError):
        return None
    image = asked.get("image") if isinstance(asked, dict) else None
    return image if isinstance(image, str) else None


def observation_to_text(image: str, seen: Observation, line: JsonLine) -> str:
    """Write an observation for a person: the board drawn in letters, dice and throw."""
    rows = [f"{image}: {seen.width}×{seen.height}"]
    if seen.board is not None and seen.board.cut:
        rows.append(f"  the board is cut off at the {' and '.join(seen.board.cut)}")
    elif seen.board is not None and not seen.board.found:
        rows.append("  no board found; give its corners with --corners")
    if seen.checkers is not None:
        for name in ("top", "bottom"):
            cells = [f"{one.label or '·':>4}" for one in seen.checkers.row(name)]
            rows.append(f"  {name:6}" + "".join(cells[:6]) + "  |" + "".join(cells[6:]))
    for die in seen.dice:
        lies = "".join(f", {one.value}" for one in (die.half, die.on) if one is not None)
        value = "unsure" if die.value is None else str(die.value)
        x, y = die.center_px
        rows.append(f"  die {value} at {x:.0f},{y:.0f}{lies} ({die.confidence:.2f})")
    if line["throw"] is not None:
        reasons = ", ".join(line["throw"]["reasons"] + line["throw"].get("open", []))
        rows.append(
            f"  throw: {line['throw']['verdict']}" + (f" ({reasons})" if reasons else "")
        )
    return "\n".join(rows)
