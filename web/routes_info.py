"""What there is to choose from, the rule sheets, and the API's own description."""

from importlib.metadata import PackageNotFoundError, version

from flask import Response, current_app

from calibration.layout import Corner
from referee.arbiter import FlagLaw, PrematureLaw, Role
from referee.timer_presets import PRESETS, format_control
from referee.timer_settings import ClockKind
from rules import VARIANTS, RulesError, Variant, variant_named
from rules.sheet import shared_laws, sheet, source_text
from web.openapi import description
from web.problems import ProblemError
from web.roles import WebRole
from web.serving import ApiBlueprint
from web.session import THEMES
from web.view import Json

info = ApiBlueprint("info")


def program_version() -> str:
    """Return the version installed."""
    try:
        return version("zarbiter")
    except PackageNotFoundError:
        return "0"


@info.on("GET", "/rules", WebRole.SPECTATOR)
def list_rules() -> Json:
    """Return the rule sets."""
    return {"rules": [_rule_set(one) for one in VARIANTS.values()]}


@info.on("GET", "/rules/<name>", WebRole.SPECTATOR)
def get_rules(name: str) -> Json:
    """Return a rule set's sheet."""
    if len(name) > 400:
        raise ProblemError("not_found")
    try:
        variant = variant_named(name)
    except RulesError as error:
        raise ProblemError("not_found", str(error)[:300]) from error
    lines = zip(sheet(variant, "ru"), sheet(variant, "en"), strict=True)
    return {
        **_rule_set(variant),
        "shared": {"ru": list(shared_laws("ru")), "en": list(shared_laws("en"))},
        "laws": [
            {
                "field": ru.field,
                "title": {"ru": ru.title, "en": en.title},
                "value": {"ru": ru.value, "en": en.value},
                "source": {
                    "ru": source_text(ru.source, "ru"),
                    "en": source_text(en.source, "en"),
                },
                "decided": None if ru.decided is None else {"ru": ru.decided, "en": en.decided},
            }
            for ru, en in lines
        ],
    }


@info.on("GET", "/options", WebRole.SPECTATOR)
def get_options() -> Json:
    """Return what a match, a board and a page may be set to."""
    return {
        "rules": [_rule_set(one) for one in VARIANTS.values()],
        "clocks": [
            {
                "name": one.name,
                "title": {"ru": one.title_ru, "en": one.title_en},
                "control": None
                if one.control.kind is ClockKind.NONE
                else format_control(one.control),
                "by_point": bool(one.control.per_point_ms),
                "source": one.source,
            }
            for one in PRESETS.values()
        ],
        "roles": [one.value for one in Role],
        "flag_laws": [one.value for one in FlagLaw],
        "premature_laws": [one.value for one in PrematureLaw],
        "white_starts": [one.value for one in Corner],
        "languages": {"ru": "Русский", "en": "English"},
        "themes": list(THEMES),
        "web_roles": [one.value for one in WebRole],
    }


@info.on("GET", "/openapi.json", WebRole.SPECTATOR)
def get_description() -> Json:
    """Return the description of this API."""
    return description(current_app, program_version())


@info.on("GET", "/healthz", None)
def healthz() -> Response:
    """Answer that the server is there; tells nothing else."""
    return Response("ok\n", mimetype="text/plain")


def _rule_set(variant: Variant) -> Json:
    return {
        "name": variant.name,
        "title": {"ru": variant.title_ru, "en": variant.title_en},
        "long": not variant.hits,
        "cube": variant.cube,
        "touch_law": variant.touch_move,
        "verified": variant.verified,
        "source": {
            "ru": source_text(variant.source, "ru"),
            "en": source_text(variant.source, "en"),
        },
    }
