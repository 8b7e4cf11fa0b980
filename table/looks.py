"""Boards to choose from, and boards that never were: colours, materials, checkers, dice."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from table.die import DieLook, random_look
from table.scene import BoardLook, Camera, Light, Profile, Tabletop

_IVORY_DIE = DieLook(
    edge_mm=15.0,
    body_bgr=(205.0, 226.0, 236.0),
    pip_bgr=(30.0, 28.0, 28.0),
    rounding=0.13,
    ball=0.4,
    pip_radius=0.088,
)
_WHITE_DIE = replace(_IVORY_DIE, body_bgr=(238.0, 240.0, 240.0), gloss=0.4)

LOOKS: Mapping[str, BoardLook] = {
    look.name: look
    for look in (
        BoardLook(
            name="walnut",
            material="wood",
            floor="#a9764a",
            point_a="#4a2a1a",
            point_b="#dcb987",
            outline="#2c170d",
            frame="#5a321d",
            frame_material="wood",
            light="#e3c99b",
            dark="#46261a",
            profile="ring",
            grain=0.7,
            tabletop="cloth",
            tabletop_colour="#8d8778",
            ornament=True,
            seed=11,
            die=_IVORY_DIE,
        ),
        BoardLook(
            name="baize",
            material="felt",
            floor="#2f6b4c",
            point_a="#7d2432",
            point_b="#d9cba6",
            outline=None,
            frame="#231d1b",
            frame_material="leather",
            light="#ece8dc",
            dark="#26242a",
            profile="dish",
            checker_gloss=0.6,
            tabletop="wood",
            tabletop_colour="#a7794c",
            gloss=0.0,
            seed=12,
            die=_WHITE_DIE,
        ),
        BoardLook(
            name="tournament",
            material="leather",
            floor="#cbbd9e",
            point_a="#27304a",
            point_b="#8c3b2c",
            outline="#e9dfc8",
            frame="#3a2a22",
            frame_material="leather",
            light="#efe6d2",
            dark="#7a1f26",
            profile="rings",
            marble=0.5,
            checker_gloss=0.55,
            tabletop="stone",
            tabletop_colour="#6a6c70",
            hinges=True,
            seed=13,
            die=replace(_WHITE_DIE, edge_mm=14.0),
        ),
        BoardLook(
            name="village",
            material="wood",
            floor="#d2a56a",
            point_a="#2f5a45",
            point_b="#8f3a24",
            outline="#40281a",
            frame="#b98550",
            frame_material="wood",
            light="#f0dfb8",
            dark="#37231b",
            profile="dome",
            grain=0.4,
            tabletop="cloth",
            tabletop_colour="#4d5f74",
            ornament=True,
            gloss=0.25,
            seed=14,
            die=replace(_IVORY_DIE, edge_mm=14.5),
        ),
    )
}
"""The boards of the demonstration, by name."""

_FLOORS = {
    "wood": ("#a9764a", "#c79a62", "#8a5a37", "#d9b483", "#6d4128", "#b5835a"),
    "felt": ("#2f6b4c", "#24487a", "#7a2431", "#3c3d42", "#59407a", "#8c7b5a"),
    "leather": ("#cbbd9e", "#3b2c24", "#6b4a34", "#27313f", "#a08a6c", "#e0d8c6"),
}
_PAIRS = (
    ("#4a2a1a", "#dcb987"),
    ("#7d2432", "#d9cba6"),
    ("#27304a", "#8c3b2c"),
    ("#2f5a45", "#8f3a24"),
    ("#1f1f22", "#c33a2e"),
    ("#1d3557", "#e7dcc2"),
    ("#303030", "#f1efe9"),
    ("#5b7f3a", "#e8c468"),
)
_LIGHTS = ("#e3c99b", "#ece8dc", "#f4f3ef", "#f0dfb8", "#d8b07c", "#e2d5b5", "#cfd3d6")
_DARKS = (
    "#46261a",
    "#26242a",
    "#7a1f26",
    "#37231b",
    "#20304f",
    "#1d3b2c",
    "#5c3a22",
    "#101012",
)
_FRAMES = ("#5a321d", "#231d1b", "#3a2a22", "#b98550", "#8a5a37", "#d2b48a", "#4a4a4d")
_TOPS = ("#8d8778", "#a7794c", "#6a6c70", "#4d5f74", "#3b2618", "#d8d2c4", "#2f4f3c", "#7a3b35")


def random_board(rng: np.random.Generator) -> BoardLook:
    """Return a board as they are made: material, colours, points, checkers and dice drawn."""
    kind = int(rng.integers(3))
    material = ("wood", "felt", "leather")[kind]
    pair = _PAIRS[int(rng.integers(len(_PAIRS)))]
    if rng.random() < 0.5:
        pair = (pair[1], pair[0])
    profiles: tuple[Profile, ...] = ("flat", "ring", "rings", "dome", "dish")
    tops: tuple[Tabletop, ...] = ("wood", "cloth", "stone")
    return BoardLook(
        name="random",
        material=LOOKS[("walnut", "baize", "tournament")[kind]].material,
        floor=_shifted(rng, _pick(rng, _FLOORS[material])),
        point_a=_shifted(rng, pair[0]),
        point_b=_shifted(rng, pair[1]),
        outline=_pick(rng, ("#2c170d", "#e9dfc8", "#c9a44c")) if rng.random() < 0.5 else None,
        frame=_shifted(rng, _pick(rng, _FRAMES)),
        frame_material="wood" if material == "wood" or rng.random() < 0.4 else "leather",
        light=_shifted(rng, _pick(rng, _LIGHTS), 0.05),
        dark=_shifted(rng, _pick(rng, _DARKS), 0.08),
        profile=profiles[int(rng.integers(len(profiles)))],
        checker_mm=float(rng.uniform(29.0, 34.5)),
        checker_height_mm=float(rng.uniform(7.0, 11.0)),
        checker_gloss=float(rng.uniform(0.05, 0.7)),
        grain=float(rng.uniform(0, 1)) if material == "wood" else 0.0,
        marble=float(rng.uniform(0.2, 0.8)) if rng.random() < 0.3 else 0.0,
        tabletop=tops[int(rng.integers(len(tops)))],
        tabletop_colour=_shifted(rng, _pick(rng, _TOPS)),
        frame_mm=float(rng.uniform(14, 34)),
        frame_height_mm=float(rng.uniform(9, 22)),
        depth_mm=float(rng.uniform(8, 26)),
        point_length=float(rng.uniform(0.33, 0.46)),
        point_width=float(rng.uniform(0.6, 0.98)),
        hinges=bool(rng.random() < 0.6),
        ornament=bool(rng.random() < 0.4),
        gloss=float(rng.uniform(0, 0.35)) if material != "felt" else 0.0,
        seed=int(rng.integers(1, 1_000_000)),
        die=random_look(rng),
    )


def random_light(rng: np.random.Generator) -> Light:
    """Return a lamp or a window somewhere around the table."""
    return Light(
        azimuth_deg=float(rng.uniform(0, 360)),
        elevation_deg=float(rng.uniform(35, 78)),
        ambient=float(rng.uniform(0.45, 0.82)),
        softness=float(rng.uniform(0.06, 0.5)),
        kelvin=float(rng.uniform(3600, 6800)),
        falloff=float(rng.uniform(0.0, 0.4)),
    )


def random_camera(rng: np.random.Generator) -> Camera:
    """Return a camera as people mount it: 60–110 cm up, up to about 20° off the vertical."""
    height = float(rng.uniform(600, 1100))
    tilt = float(min(abs(rng.normal(0, 8)), 20.0))
    return Camera(
        height_mm=height,
        tilt_deg=tilt,
        azimuth_deg=float(rng.uniform(0, 360)),
        yaw_deg=float(rng.normal(0, 4)),
        offset_mm=(float(rng.normal(0, 12)), float(rng.normal(0, 10))),
        focal_px=height * float(rng.uniform(1.55, 2.0)),
    )


def _pick(rng: np.random.Generator, colours: tuple[str, ...]) -> str:
    return colours[int(rng.integers(len(colours)))]


def _shifted(rng: np.random.Generator, colour: str, spread: float = 0.1) -> str:
    value = int(colour.removeprefix("#"), 16)
    channels = np.array([value >> 16 & 255, value >> 8 & 255, value & 255], np.float64)
    channels = channels * rng.normal(1, spread) + 255 * rng.normal(0, spread / 4, 3)
    r, g, b = np.clip(np.round(channels), 0, 255).astype(int).tolist()
    return f"#{r:02x}{g:02x}{b:02x}"
