"""`zarbiter calibrate`: learn a board and its camera, measure a lens, print its sheet."""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

from zarbiter.command import WRONG_USE, ParserOf, complain

JsonLine: TypeAlias = dict[str, Any]

_SUFFIXES = frozenset((".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"))

_SAID = {
    "found": (
        "Board found, confidence {confidence:.2f}; {px_per_mm:.2f} pixels a mm, "
        "{tilt:.0f}° off vertical.",
        "Доска найдена, уверенность {confidence:.2f}; {px_per_mm:.2f} пикс. на мм, "
        "{tilt:.0f}° от вертикали.",
    ),
    "not_found": ("No board found.", "Доска не найдена."),
    "start": (
        "Start position of {start} seen: the look of checkers and empty points is learned.",
        "Видна начальная расстановка ({start}): вид шашек и пустых пунктов запомнен.",
    ),
    "no_start": (
        "No start position seen. Put it up and calibrate again: readings are then surer.",
        "Начальная расстановка не видна. Расставьте шашки и повторите: чтение станет надёжнее.",
    ),
    "good": ("The view is good.", "Вид хороший."),
    "written": ("Profile written: {path}", "Профиль записан: {path}"),
    "not_written": (
        "No profile written: put right what is said above.",
        "Профиль не записан: исправьте то, что сказано выше.",
    ),
    "lens": (
        "Lens measured from {pictures} pictures: error {rms:.2f} pixels, focal length "
        "{focal:.0f} pixels.",
        "Объектив измерен по {pictures} кадрам: ошибка {rms:.2f} пикс., фокусное расстояние "
        "{focal:.0f} пикс.",
    ),
    "sheet": (
        "Sheet written: {path}. Print it at 100 %; the ruler must be 200 mm long.",
        "Лист записан: {path}. Печатайте в масштабе 100 %; линейка должна быть 200 мм.",
    ),
}
_STARTS = {"long": ("long nardy", "длинные нарды"), "short": ("backgammon", "короткие нарды")}


def add_calibrate(parser_of: ParserOf, language: str) -> None:
    """Add the command that makes a calibration profile."""
    parser = parser_of(
        "calibrate",
        "learn a board and its camera from pictures, and say how good the view is",
        "  zarbiter calibrate table.jpg --out table.profile.json\n"
        "  zarbiter calibrate pictures/ --out table.profile.json --overlay seen.png\n"
        '  zarbiter calibrate table.jpg --corners "388,234 949,237 947,725 385,722"\n'
        "  zarbiter calibrate --sheet sheet.pdf                 # to print, for the lens\n"
        "  zarbiter calibrate table.jpg --lens sheets/ --out table.profile.json",
    )
    parser.add_argument(
        "images", nargs="*", metavar="IMAGE", help="pictures of the board, or a folder of them"
    )
    parser.add_argument("--out", metavar="FILE", help="write the profile to this file")
    parser.add_argument(
        "--corners",
        metavar='"x,y x,y x,y x,y"',
        help="the playing field's outer corners, clockwise from the image's top-left",
    )
    parser.add_argument(
        "--start",
        choices=("auto", "long", "short", "none"),
        default="auto",
        help="the start position on the board, which teaches its look (default: auto)",
    )
    parser.add_argument("--name", default="", help="what to call the table")
    parser.add_argument(
        "--lens",
        nargs="+",
        metavar="IMAGE",
        help="measure the lens from at least 8 pictures of the sheet, or a folder of them",
    )
    parser.add_argument("--sheet", metavar="FILE.pdf", help="write the sheet for the lens")
    parser.add_argument("--overlay", metavar="FILE", help="draw what is seen")
    parser.add_argument("--language", choices=("ru", "en"), default=language)
    parser.add_argument("--json", action="store_true", help="machine-readable")
    parser.set_defaults(run=run_calibrate)


def run_calibrate(
    options: argparse.Namespace, now: Callable[[], datetime] = lambda: datetime.now(UTC)
) -> int:
    """Run the command and return the exit status."""
    from calibration.lens import LensError
    from vision.frame import FrameError
    from zarbiter.corners import RequestError

    problem = _misuse(options)
    if problem:
        complain(problem)
        return WRONG_USE
    done: JsonLine = {}
    try:
        if options.sheet:
            done["sheet"] = _write_sheet(options)
        lens = None
        if options.lens:
            lens = _lens_of(pictures_in(options.lens))
            done["lens"] = lens.to_json()
            _tell(
                options, "lens", pictures=lens.pictures, rms=lens.rms_px, focal=lens.focal_px[0]
            )
        status = _calibrate(options, lens, done, now) if options.images else 0
    except RequestError as error:
        complain(str(error))
        return WRONG_USE
    except (FrameError, LensError) as error:
        done["error"] = {"code": error.code, "message": str(error)}
        if not options.json:
            complain(str(error))
        status = 1
    if options.json:
        sys.stdout.write(json.dumps(done, ensure_ascii=False) + "\n")
    return status


def pictures_in(names: Iterable[str]) -> list[Path]:
    """Return the pictures named, those of folders by name."""
    found: list[Path] = []
    for name in names:
        path = Path(name)
        if path.is_dir():
            found += sorted(p for p in path.iterdir() if p.suffix.lower() in _SUFFIXES)
        else:
            found.append(path)
    return found


def _misuse(options: argparse.Namespace) -> str | None:
    from cv2 import haveImageWriter

    if not (options.images or options.lens or options.sheet):
        return "name pictures of the board, --lens pictures, or a --sheet to write"
    if (options.out or options.overlay) and not options.images:
        return "--out and --overlay need pictures of the board"
    if options.sheet and not options.sheet.lower().endswith(".pdf"):
        return f"--sheet {options.sheet}: end the name in .pdf"
    if options.overlay and not haveImageWriter(options.overlay):
        return f"--overlay {options.overlay}: end the name in .png or .jpg"
    if options.images and not pictures_in(options.images):
        return "no pictures there"
    return None


def _write_sheet(options: argparse.Namespace) -> str:
    from zarbiter.lens_sheet import sheet_pdf

    Path(options.sheet).write_bytes(sheet_pdf(options.language))
    _tell(options, "sheet", path=options.sheet)
    return str(options.sheet)


def _lens_of(paths: Sequence[Path]) -> Any:
    from calibration.lens import LensError, find_sheet, measure_lens
    from calibration.sheet import DEFAULT_SHEET
    from vision.cv import to_gray
    from vision.frame import read_image

    sightings, size = [], None
    for path in paths:
        gray = to_gray(read_image(path))
        if size is None:
            size = (gray.shape[1], gray.shape[0])
        if (gray.shape[1], gray.shape[0]) != size:
            raise LensError("sizes_differ", f"{path}: all pictures must have the same size")
        seen = find_sheet(gray, DEFAULT_SHEET)
        if seen is not None:
            sightings.append(seen)
    return measure_lens(sightings, DEFAULT_SHEET, size or (1, 1))


def _calibrate(
    options: argparse.Namespace, lens: Any, done: JsonLine, now: Callable[[], datetime]
) -> int:
    from calibration.advice import advice_on
    from calibration.profile import write_profile
    from vision.frame import FrameError, read_image
    from zarbiter.corners import parse_corners
    from zarbiter.profiles import STARTS, calibrate

    paths = pictures_in(options.images)
    pictures = [read_image(path) for path in paths]
    sizes = {one.shape for one in pictures}
    if len(sizes) > 1:
        raise FrameError("sizes_differ", "all pictures of the board must have the same size")
    starts = {"auto": tuple(STARTS), "none": ()}.get(options.start, (options.start,))
    made = calibrate(
        pictures,
        corners_px=parse_corners(options.corners) if options.corners else None,
        starts=starts,
        lens=lens,
        made_utc=now().strftime("%Y-%m-%dT%H:%M:%SZ"),
        name=options.name,
    )
    advice = advice_on(made.quality)
    usable = made.profile is not None and made.quality.usable
    written = None
    if usable and options.out and made.profile is not None:
        write_profile(Path(options.out), made.profile)
        written = options.out
    if options.overlay:
        _write_overlay(Path(options.overlay), pictures[made.best], made)
    done |= {
        "images": [str(path) for path in paths],
        "image": str(paths[made.best]),
        "board": _board(made.sighting),
        "start": made.start,
        "white_start": None if made.layout is None else made.layout.white_start.value,
        "quality": _quality(made.quality),
        "advice": [
            {"fault": one.fault.value, "text": one.text(options.language)} for one in advice
        ],
        "usable": usable,
        "profile": written,
    }
    if not options.json:
        _tell_all(
            options, made, [one.text(options.language) for one in advice], written, usable
        )
    return 0 if usable else 1


def _tell_all(
    options: argparse.Namespace, made: Any, advice: list[str], written: str | None, usable: bool
) -> None:
    if made.profile is None:
        if not made.sighting.cut:
            _tell(options, "not_found")
    else:
        seen = made.quality
        _tell(
            options,
            "found",
            confidence=made.sighting.confidence,
            px_per_mm=seen.px_per_mm,
            tilt=seen.tilt_deg,
        )
        if made.start is not None:
            start = _STARTS[made.start][options.language == "ru"]
            _tell(options, "start", start=start)
        elif options.start != "none":
            _tell(options, "no_start")
    for sentence in advice:
        sys.stdout.write(f"• {sentence}\n")
    if not advice:
        _tell(options, "good")
    if written is not None:
        _tell(options, "written", path=written)
    elif options.out and not usable:
        _tell(options, "not_written")


def _board(sighting: Any) -> JsonLine:
    corners = sighting.corners_px
    return {
        "found": sighting.found,
        "corners_px": None
        if corners is None
        else [[round(x, 1), round(y, 1)] for x, y in corners],
        "confidence": round(sighting.confidence, 4),
        "cut": list(sighting.cut),
    }


def _quality(seen: Any) -> JsonLine:
    return {
        "blur_px": round(seen.blur_px, 2),
        "luma": round(seen.luma, 1),
        "contrast": round(seen.contrast, 1),
        "clipped": round(seen.clipped, 4),
        "glare": round(seen.glare, 4),
        "px_per_mm": round(seen.px_per_mm, 3),
        "tilt_deg": round(seen.tilt_deg, 1),
        "height_mm": round(seen.height_mm),
        "margin": round(seen.margin, 3),
        "cut": [edge.value for edge in seen.cut],
        "faults": [fault.value for fault in seen.faults],
    }


def _write_overlay(path: Path, bgr: Any, made: Any) -> None:
    from vision.cv import write_image
    from vision.observation import Observation, Timings
    from vision.overlay import draw_observation

    seen = Observation(
        bgr.shape[1], bgr.shape[0], made.sighting, made.reading, (), Timings(0, 0, 0, 0)
    )
    geometry = None if made.profile is None else made.profile.geometry
    write_image(path, draw_observation(bgr, seen, geometry))


def _tell(options: argparse.Namespace, key: str, **values: object) -> None:
    if not options.json:
        sentence = _SAID[key][options.language == "ru"]
        sys.stdout.write(sentence.format(**values) + "\n")
