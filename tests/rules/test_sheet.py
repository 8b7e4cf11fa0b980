import pytest

from rules import VARIANTS
from rules.sheet import TEXTS, shared_laws, sheet, source_text
from rules.variant import derive, parameters
from tests.support.boards import LONG_SETS, rules

LANGUAGES = ("ru", "en")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", VARIANTS)
def test_every_line_has_a_title_a_value_and_a_known_source(name: str, language: str) -> None:
    lines = sheet(rules(name), language)
    assert len({line.field for line in lines}) == len(lines)
    for line in lines:
        assert line.title
        assert line.value
        assert source_text(line.source, language)


@pytest.mark.parametrize("name", VARIANTS)
def test_every_decision_can_be_read_on_the_sheet(name: str) -> None:
    variant = rules(name)
    for pick, language in enumerate(LANGUAGES):
        told = {line.decided for line in sheet(variant, language)}
        for decision in variant.decisions:
            assert decision[1 + pick] in told


def test_a_long_set_without_a_cube_tells_every_parameter_but_the_cubes() -> None:
    fields = {line.field for line in sheet(rules("bolshie-nardy"), "en")}
    assert fields == set(parameters()) - {"beavers", "crawford", "jacoby"} | {"path"}


def test_short_nardy_speaks_of_no_head_and_no_block() -> None:
    fields = {line.field for line in sheet(rules("short"), "en")}
    assert not fields & {"head", "head_exception", "block", "block_in_passing"}
    assert {"cube", "beavers", "crawford", "jacoby"} <= fields


def value(name: str, field: str, language: str) -> str:
    return next(line.value for line in sheet(rules(name), language) if line.field == field)


def test_the_words_follow_the_values() -> None:
    assert value("bolshie-nardy", "head_exception", "ru") == "исключений нет"
    assert "4-4" in value("moscow-open", "head_exception", "en")
    assert value("kush", "block", "en") == "no law"
    assert value("classic", "block_in_passing", "ru") == "тоже нарушает"
    assert value("bolshie-nardy", "oin", "en") == "1 point"
    assert value("bolshie-nardy", "mars", "en") == "2 points"
    assert value("bolshie-nardy", "koks", "ru") == "нет"
    assert "draw" in value("federation", "end", "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_any_change_of_a_parameter_changes_the_sheet(language: str) -> None:
    base = rules("classic+cube=yes")
    for key, values in parameters().items():
        told = set()
        choices = values.replace("0–9", "0|9").replace(" or ", "|").split("|")
        for choice in choices:
            lines = sheet(derive(base, {key: choice}), language)
            shown = [line for line in lines if line.field == key]
            told |= {line.value for line in shown}
            if key != "cube":
                assert [line.source for line in shown] == ["option"]
        assert len(told) == len(choices)


def test_both_languages_tell_the_same_laws() -> None:
    for name in LONG_SETS:
        ru, en = (sheet(rules(name), language) for language in LANGUAGES)
        assert [(x.field, x.source) for x in ru] == [(x.field, x.source) for x in en]
    assert len(shared_laws("ru")) == len(shared_laws("en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_joined_sources_are_all_explained(language: str) -> None:
    pick = LANGUAGES.index(language)
    text = source_text("T2 + federation", language)
    assert TEXTS["T2"][pick] in text
    assert TEXTS["federation"][pick] in text
