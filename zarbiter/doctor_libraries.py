"""What the doctor asks of the libraries: versions that clash, and where each comes from."""

import importlib.metadata
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from zarbiter.findings import Finding, Health

DEBIAN: Final = Path("/usr/lib/python3/dist-packages")
"""Where Debian and Raspberry Pi OS put the Python libraries of their packages."""
MODEL: Final = Path("/proc/device-tree/model")
_VENV: Final = "/usr/bin/python3 -m venv --system-site-packages"


@dataclass(frozen=True, slots=True)
class Distribution:
    """An installed library."""

    name: str
    version: str
    folder: Path


def pi_model(path: Path = MODEL) -> str | None:
    """Return the board's name where this is a Raspberry Pi, else None."""
    try:
        model = path.read_text(encoding="ascii", errors="replace").strip("\0 \n")
    except OSError:
        return None
    return model if "Raspberry Pi" in model else None


def installed() -> tuple[Distribution, ...]:
    """Return every library that this Python finds, the first in its path first."""
    found = []
    for one in importlib.metadata.distributions():
        name = one.metadata["Name"]
        if name:
            found.append(
                Distribution(
                    name.lower().replace("_", "-"),
                    one.version,
                    Path(str(one.locate_file(""))).resolve(),
                )
            )
    return tuple(found)


def environment_finding(
    model: str | None, *, base: Path | None = None, config: Path | None = None
) -> Finding:
    """Say whether this Python can see what only the system has: the Pi's camera library.

    Args:
        model: the board's name; None: no Pi.
        base: the Python that the environment was made with.
        config: the environment's `pyvenv.cfg`.
    """
    name = "environment"
    base = Path(sys.base_prefix) if base is None else base
    config = Path(sys.prefix) / "pyvenv.cfg" if config is None else config
    if model is None:
        return Finding(name, Health.OK, "no Raspberry Pi", "", "не Raspberry Pi")
    if base != Path("/usr"):
        return Finding(
            name,
            Health.FAULT,
            f"its Python comes from {base}; libcamera is built for the system's alone",
            f"make the environment with the system's Python: {_VENV} …",
            f"Python взят из {base}, а libcamera собрана только для системного",
            f"создайте окружение системным Python: {_VENV} …",
        )
    if config.is_file() and not _sees_system(config):
        return Finding(
            name,
            Health.FAULT,
            "it does not see the system's libraries, so no ribbon camera and no pins",
            f"make it anew: {_VENV} …",
            "оно не видит системных библиотек: ни камеры на шлейфе, ни выводов",
            f"создайте его заново: {_VENV} …",
        )
    return Finding(name, Health.OK, f"{model}, the system's Python", "", f"{model}, Python ОС")


def _sees_system(config: Path) -> bool:
    for line in config.read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition("=")
        if key.strip() == "include-system-site-packages":
            return value.strip().lower() == "true"
    return False


def opencv_finding(
    distributions: Iterable[Distribution], used: Path, path: Sequence[str]
) -> Finding:
    """Say which OpenCV is used, and whether two lie in one folder and spoil each other.

    Args:
        distributions: what is installed.
        used: the file that `import cv2` loaded.
        path: the folders in which Python looks, in order.
    """
    name = "OpenCV builds"
    wheels = [one for one in distributions if one.name.startswith("opencv-")]
    by_folder: dict[Path, list[str]] = {}
    for one in dict.fromkeys(wheels):
        by_folder.setdefault(one.folder, []).append(f"{one.name} {one.version}")
    for folder, names in by_folder.items():
        if len(set(names)) > 1:
            both = ", ".join(sorted(set(names)))
            bare = " ".join(sorted({one.split()[0] for one in names}))
            return Finding(
                name,
                Health.FAULT,
                f"{both} lie in one folder ({folder}) and overwrite each other",
                f"pip uninstall {bare}; pip install opencv-python-headless",
                f"{both} лежат в одной папке ({folder}) и портят друг друга",
                f"pip uninstall {bare}; pip install opencv-python-headless",
            )
    others = [
        folder
        for folder in dict.fromkeys(Path(one) for one in path)
        if _has_cv2(folder) and folder.resolve() not in (used.parent, used.parent.parent)
    ]
    if not others:
        return Finding(name, Health.OK, f"one, in {used.parent}", "", f"одна, в {used.parent}")
    also = ", ".join(map(str, others))
    return Finding(
        name,
        Health.OK,
        f"the one in {used.parent} is used; another lies in {also}",
        "",
        f"используется та, что в {used.parent}; ещё одна лежит в {also}",
    )


def _has_cv2(folder: Path) -> bool:
    return (folder / "cv2").is_dir() or any(folder.glob("cv2*.so"))


def numpy_finding(distributions: Iterable[Distribution], system: Path = DEBIAN) -> Finding:
    """Say whether a numpy from the index stands before the system's picamera2.

    simplejpeg, which picamera2 loads, is built for the system's numpy; another major version
    makes it fail with "numpy.dtype size changed".
    """
    name = "numpy and picamera2"
    distributions = tuple(distributions)
    numpys = [one for one in distributions if one.name == "numpy"]
    built = [
        one
        for one in distributions
        if one.name in ("simplejpeg", "picamera2") and one.folder == system
    ]
    theirs = [one for one in numpys if one.folder == system]
    if not built or not theirs:
        return Finding(
            name, Health.OK, "no system picamera2 here", "", "системной picamera2 здесь нет"
        )
    used, needed = numpys[0].version, theirs[0].version
    if used.split(".")[0] == needed.split(".")[0]:
        return Finding(name, Health.OK, f"{used} fits", "", f"{used} подходит")
    return Finding(
        name,
        Health.FAULT,
        f"numpy {used} from pip hides the system's {needed}, which picamera2 was built for",
        "pip uninstall numpy",
        f"numpy {used} из pip заслоняет системный {needed}, с которым собрана picamera2",
        "pip uninstall numpy",
    )
