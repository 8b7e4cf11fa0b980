"""Matches over JSON: set up, list, replay, statistics, export."""

from typing import Any, Final
from urllib.parse import quote

from flask import Response

from recording.record_errors import RecordError
from recording.statistics import SideStatistics
from recording.statistics_dice import dice_sentence, dice_test
from referee.arbiter import EntryError, FlagLaw, MatchSetup, PrematureLaw, Role
from referee.arbiter.setup import NO_CLOCK
from referee.timer_presets import control_named
from referee.timer_state import ClockError
from rules import Color, RulesError
from web.body import choice_query, json_body, text_field, whole_query
from web.plots import PLOTS, plot_svg
from web.problems import ProblemError
from web.roles import WebRole
from web.routes_table import answer_to_json
from web.serving import ApiBlueprint, serving, viewer
from web.session import default_language
from web.steps import Fold
from web.view import Json, results_to_json

matches = ApiBlueprint("matches")
FORMS: Final = ("mat", "sgf", "json", "csv", "pdf")
THEMES: Final = ("light", "dark", "contrast")
_TEXTS: Final = {
    "white": 80, "black": 80, "event": 120, "place": 120, "round": 60, "season": 60,
    "number": 30, "arbiter": 80,
}  # fmt: skip
_LAWS: Final[dict[str, Any]] = {
    "role": Role, "flag_law": FlagLaw, "premature_law": PrematureLaw,
}  # fmt: skip


@matches.on("POST", "/matches", WebRole.PLAYER)
def open_match() -> Json:
    """Begin a match."""
    setup = setup_from(json_body("rules", "length", "clock", *_TEXTS, *_LAWS))
    return answer_to_json(serving().api.open_match(setup))


def setup_from(data: dict[str, Any]) -> MatchSetup:
    """Read an agreement.

    Raises:
        ProblemError: names the field that does not fit.
    """
    rules, length = data.get("rules", MatchSetup().rules), data.get("length")
    if not isinstance(rules, str) or len(rules) > 400:
        raise ProblemError("unfit", "rules")
    whole = isinstance(length, int) and not isinstance(length, bool)
    if length is not None and not (whole and 1 <= length <= 99):
        raise ProblemError("unfit", "length: 1–99, null")
    texts: dict[str, Any] = {
        name: text_field(data, name, most) for name, most in _TEXTS.items()
    }
    laws = {name: _law(data, name) for name in _LAWS}
    try:
        return MatchSetup(
            rules=rules,
            length=length,
            clock=_control(data.get("clock")),
            role=laws["role"],
            flag=laws["flag_law"],
            premature=laws["premature_law"],
            **texts,
        )
    except (RulesError, ClockError, ValueError) as error:
        raise ProblemError("unfit", str(error)[:300]) from error


def _control(value: object) -> Any:
    if value is None:
        return NO_CLOCK
    if not isinstance(value, str) or len(value) > 120:
        raise ProblemError("unfit", "clock")
    return control_named(value)


def _law(data: dict[str, Any], name: str) -> Any:
    kind = _LAWS[name]
    value = data.get(name)
    if value is None:
        return Role.REFEREE if name == "role" else kind.ASK
    if not isinstance(value, str) or value not in [one.value for one in kind]:
        raise ProblemError("unfit", f"{name}: {', '.join(one.value for one in kind)}")
    return kind(value)


@matches.on("GET", "/matches", WebRole.SPECTATOR)
def list_matches() -> Json:
    """Return the matches of the record, newest first."""
    served = serving()
    return {"matches": served.matches.listed(), "current": served.api.state().match_name}


@matches.on("GET", "/matches/<name>", WebRole.SPECTATOR)
def get_match(name: str) -> Json:
    """Return one match of the list, with the results of its games."""
    held = serving().matches
    for one in held.listed():
        if one["name"] == name:
            with held.locked:
                return {**one, "results": results_to_json(_fold(name).story.state)}
    raise ProblemError("no_match")


@matches.on("GET", "/matches/<name>/steps", WebRole.SPECTATOR)
def get_steps(name: str) -> Json:
    """Return a match event by event."""
    after = whole_query("after", 0, 2**53)
    limit = max(1, whole_query("limit", 500, 2000))
    held = serving().matches
    with held.locked:
        fold = _fold(name)
        steps = [one for one in fold.steps if one["seq"] > after][:limit]
        return {"steps": steps, "last_seq": fold.last_seq, "count": len(fold.steps)}


@matches.on("GET", "/matches/<name>/statistics", WebRole.SPECTATOR)
def get_statistics(name: str) -> Json:
    """Return the figures of a match."""
    held = serving().matches
    with held.locked:
        fold = _fold(name)
        figures, setup = fold.statistics(), fold.story.setup
    return {
        "players": {"w": setup.white, "b": setup.black},
        "w": _side(figures.white),
        "b": _side(figures.black),
        "both": _side(figures.both),
        "pips": [None if one is None else list(one) for one in figures.pip_counts],
    }


@matches.on("GET", "/matches/<name>/statistics/<plot>.svg", WebRole.SPECTATOR)
def get_plot(name: str, plot: str) -> Response:
    """Return a plot of a match's figures."""
    if plot not in PLOTS:
        raise ProblemError("not_found")
    language = choice_query("language", ("ru", "en"), default_language(viewer().language))
    theme = choice_query("theme", THEMES, "light")
    held = serving().matches
    with held.locked:
        fold = _fold(name)
        figures, setup = fold.statistics(), fold.story.setup
    names = {Color.WHITE: setup.white, Color.BLACK: setup.black}
    return Response(plot_svg(plot, figures, names, language, theme), mimetype="image/svg+xml")


@matches.on("GET", "/matches/<name>/export", WebRole.SPECTATOR)
def get_export(name: str) -> Response:
    """Return a match as a file."""
    form = choice_query("format", FORMS, "mat")
    language = choice_query("language", ("ru", "en"), default_language(viewer().language))
    try:
        data, media, file_name = serving().api.export(name, form, language)
    except LookupError as error:
        raise ProblemError("no_match") from error
    except ValueError as error:
        raise ProblemError("unfit", str(error)[:300]) from error
    answer = Response(data, content_type=media)
    plain = "".join(
        c if c.isascii() and (c.isalnum() or c in "._-") else "_" for c in file_name
    )
    answer.headers["Content-Disposition"] = (
        f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(file_name, safe='')}"
    )
    return answer


def _fold(name: str) -> Fold:
    if len(name) > 200:
        raise ProblemError("no_match")
    try:
        fold = serving().matches.fold(name)
    except (EntryError, RecordError) as error:
        raise ProblemError("unfit", str(error)[:300]) from error
    if fold is None:
        raise ProblemError("no_match")
    return fold


def _side(figures: SideStatistics) -> Json:
    test = dice_test(figures.faces, looked_at=3)
    said = dice_sentence(test)
    return {
        "turns": figures.turns,
        "faces": list(figures.faces),
        "dice": figures.dice,
        "throws": figures.throws,
        "doubles": figures.doubles,
        "doubles_share": figures.doubles_share,
        "mean_pips": figures.mean_pips,
        "void_throws": figures.void_throws,
        "wrong_plays": figures.wrong_plays,
        "pips_thrown": figures.pips_thrown,
        "pips_played": figures.pips_played,
        "mean_ms": figures.mean_ms,
        "median_ms": figures.median_ms,
        "longest_ms": figures.longest_ms,
        "times_ms": list(figures.times_ms),
        "chi_square": round(test.chi_square, 3),
        "p_value": test.p_value,
        "enough": test.enough,
        "said": {"ru": said.ru, "en": said.en},
    }
