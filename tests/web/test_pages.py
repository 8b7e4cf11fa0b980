import gettext
import io
import re
from pathlib import Path

import pytest

import web.pages
from tests.support.web_site import PINS, Phone, Site, site
from tests.support.web_table import FakeTable
from web import i18n
from web.roles import WebRole

TEMPLATES = Path(web.pages.__file__).parent / "templates"
SCRIPTS = Path(web.pages.__file__).parent / "static" / "js"
PO = i18n.LOCALE / "ru" / "LC_MESSAGES" / "pages.po"


@pytest.fixture
def here(tmp_path: Path) -> Site:
    return site(FakeTable(tmp_path / "record"), tmp_path)


def roles(site_: Site) -> dict[str, Phone]:
    site_.set_up()
    names = ("admin", "referee", "player", "spectator")
    return {name: site_.phone().login(name) for name in names}


# --- words -----------------------------------------------------------------------------------


def test_the_compiled_catalogue_is_what_the_text_says() -> None:
    pofile = pytest.importorskip("babel.messages.pofile", reason="no Babel here")
    mofile = pytest.importorskip("babel.messages.mofile")
    with PO.open("rb") as text:
        catalogue = pofile.read_po(text)
    made = io.BytesIO()
    mofile.write_mo(made, catalogue)
    compiled = PO.with_suffix(".mo").read_bytes()
    same = vars(gettext.GNUTranslations(io.BytesIO(made.getvalue())))["_catalog"]
    kept = vars(gettext.GNUTranslations(io.BytesIO(compiled)))["_catalog"]
    assert {k: v for k, v in kept.items() if k} == {k: v for k, v in same.items() if k}, (
        "compile anew: pybabel compile -d web/locale -D pages"
    )


def test_every_word_of_pages_and_scripts_is_translated() -> None:
    extract = pytest.importorskip("babel.messages.extract", reason="no Babel here")
    pofile = pytest.importorskip("babel.messages.pofile")
    with PO.open("rb") as text:
        catalogue = pofile.read_po(text)
    known = {message.id for message in catalogue if message.id and all(_forms(message.string))}
    keywords = {"_": None, "ngettext": (1, 2)}
    methods = [(TEMPLATES, "*.html", "jinja2.ext:babel_extract", {}),
               (SCRIPTS, "*.js", "javascript", {"parse_template_string": "true"})]  # fmt: skip
    missing = []
    for folder, pattern, method, options in methods:
        for path in sorted(folder.glob(pattern)):
            with path.open("rb") as source:
                found = extract.extract(method, source, keywords, (), options)
                missing += [(path.name, said) for _, said, *_ in found if said not in known]
    assert missing == [], "pybabel extract and update: see docs/reference/dashboard.md"


def _forms(string: object) -> tuple[str, ...]:
    return string if isinstance(string, tuple) else (str(string),)


def test_translations_keep_the_places_for_values() -> None:
    pofile = pytest.importorskip("babel.messages.pofile", reason="no Babel here")
    with PO.open("rb") as text:
        for message in pofile.read_po(text):
            for form in _forms(message.string) if message.id else ():
                wanted = set(re.findall(r"{\w+}", str(message.id)))
                assert set(re.findall(r"{\w+}", form)) == wanted, form


def test_scripts_get_their_words_and_plural_forms() -> None:
    import json

    words = json.loads(i18n.script_catalogue("ru"))
    assert words["Dice"] == "Зары"
    assert words["{n} checker"] == ["{n} шашка", "{n} шашки", "{n} шашек"]
    assert json.loads(i18n.script_catalogue("en")) == {}


# --- pages -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(web.pages.PAGES))
def test_every_page_comes_in_both_languages_without_anything_inline(
    here: Site, name: str
) -> None:
    phone = here.phone("127.0.0.1")
    path, _ = web.pages.PAGES[name]
    for language in ("ru", "en"):
        answer = phone.get(path, headers={"Accept-Language": language})
        assert answer.status_code == 200
        assert f'lang="{language}"' in answer.text
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", answer.text)
        assert not re.search(r"""(src|href)=["'](https?:)?//""", answer.text)


def test_pages_open_by_role(here: Site) -> None:
    phones = roles(here)
    for name, (path, allowed) in web.pages.PAGES.items():
        for role, phone in phones.items():
            wanted = 200 if role in allowed else 403
            assert phone.get(path).status_code == wanted, (name, role)
        stranger = here.phone().get(path)
        assert stranger.status_code == 302
        assert "/login?next=" in stranger.headers["Location"]


def test_the_menu_names_only_what_may_be_opened(here: Site) -> None:
    phones = roles(here)
    assert 'href="/referee"' in phones["referee"].get("/").text
    assert 'href="/referee"' not in phones["player"].get("/").text
    assert 'href="/match"' not in phones["spectator"].get("/").text


def test_before_set_up_the_network_is_led_to_the_code(tmp_path: Path) -> None:
    here = site(FakeTable(tmp_path / "record"), tmp_path, host="0.0.0.0")
    answer = here.phone().get("/")
    assert answer.status_code == 302
    assert answer.headers["Location"].endswith("/setup")
    assert here.phone().get("/setup").status_code == 200


def test_everything_lies_under_the_path_of_a_proxy(tmp_path: Path) -> None:
    here = site(FakeTable(tmp_path / "record"), tmp_path, prefix="/table3")
    text = here.phone("127.0.0.1").get("/table3/settings").text
    assert 'data-base="/table3/"' in text
    for address in re.findall(r"""(?:src|href)=["']([^"'#]+)""", text):
        assert address.startswith("/table3/"), address
    here.access.choose({WebRole(role): pin for role, pin in PINS.items()})
    led = here.phone().get("/table3/settings").headers["Location"]
    assert led == "/table3/login?next=/table3/settings"


def test_a_phone_that_read_the_code_is_led_to_its_pin(here: Site) -> None:
    phones = roles(here)
    assert here.phone().get("/join/player").headers["Location"] == "/login"
    assert "join-role" in phones["referee"].get("/join/player").text
    assert "join-role" not in phones["player"].get("/join/player").text


def test_scripts_and_styles_are_kept_for_good_under_an_address_of_their_own(
    here: Site,
) -> None:
    phone = here.phone("127.0.0.1")
    text = phone.get("/").text
    found = re.findall(r"""["'](/assets/[^"']+)["']""", text)
    assert any(one.endswith("page_table.js") for one in found)
    assert any(one.endswith("board_geometry.js") for one in found), (
        "modules are fetched at once"
    )
    for address in found:
        answer = phone.get(address)
        assert answer.status_code == 200, address
        assert "immutable" in answer.headers["Cache-Control"]
    old = phone.get(re.sub("/assets/[0-9a-f]+/", "/assets/old/", found[0]))
    assert "immutable" not in old.headers.get("Cache-Control", "")
    assert phone.get("/assets/x/../../pages.py").status_code == 404


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", '"><img src=x onerror=1>'])
def test_a_match_name_in_the_address_is_only_text(here: Site, name: str) -> None:
    text = here.phone("127.0.0.1").get(f"/replay/{name}").text
    assert "<script>alert" not in text
    assert "<img src=x" not in text
