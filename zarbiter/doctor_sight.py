"""What the doctor asks of sight: that the models load and a known picture is read right."""

import importlib.resources
from typing import Final

from zarbiter.findings import Finding, Health

_LOOK_CORNERS: Final = ((136.5, 60.5), (822.8, 60.5), (838.9, 672.8), (120.4, 672.8))
_LOOK_SEEN: Final = "L1 D2 L2 L3 D1 D3 5"


def models() -> Finding:
    """Load every model."""
    import cv2
    import numpy as np

    from vision.checkers_network import default_network

    default_network()
    folder = importlib.resources.files("vision") / "models"
    total, count = 0, 0
    for file in folder.iterdir():
        if file.name.endswith(".onnx"):
            data = file.read_bytes()
            cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))
            total, count = total + len(data), count + 1
    if not count:
        raise FileNotFoundError(f"no model in {folder}")
    said = f"{count}, {total / 1e6:.1f} MB, load"
    return Finding("models", Health.OK, said, "", f"{count}, {total / 1e6:.1f} МБ, читаются")


def look() -> Finding:
    """Look at a picture whose truth is known: the whole chain must run through.

    It was drawn by the simulated table (`table.reel.Reel`, seed 3, its default board).
    """
    import cv2
    import numpy as np

    from vision.cv import as_u8
    from vision.observe import Known, observe

    data = (importlib.resources.files("zarbiter") / "doctor_look.jpg").read_bytes()
    bgr = as_u8(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR))
    seen = observe(bgr, Known(corners_px=_LOOK_CORNERS))
    points = seen.checkers
    held = () if points is None else (*points.top, *points.bottom)
    told = " ".join(point.label for point in held if point.label)
    told += " " + " ".join(str(die.value) for die in seen.dice)
    if told != _LOOK_SEEN:
        return Finding(
            "test look",
            Health.FAULT,
            f"saw {told!r}, and there is {_LOOK_SEEN!r}",
            "reinstall Zarbiter; if it stays so, report it with the output of zarbiter doctor",
            f"видно {told!r}, а стоит {_LOOK_SEEN!r}",
            "переустановите Zarbiter; не поможет — сообщите, приложив вывод zarbiter doctor",
        )
    right = f"all read right in {seen.ms.total:.0f} ms"
    ru = f"всё прочитано верно за {seen.ms.total:.0f} мс"
    return Finding("test look", Health.OK, right, "", ru)
