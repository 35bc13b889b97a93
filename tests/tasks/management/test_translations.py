"""The translations are complete, and the command finds what is not."""

import re
import sys
from pathlib import Path

import pytest
from pytest_django import Settings

from tasks.management.translations import (
    Language,
    Text,
    faults,
    texts_in,
    texts_of_module,
    texts_of_template,
    update,
)
from tests.site import ROOT
from tests.tasks.management.conftest import Manage

pytestmark = pytest.mark.slow


TEXTS = [
    Text("a.py", 1, "Save %(name)s"),
    Text("a.py", 2, "%(n)d item", "%(n)d items"),
    Text("b.html", 3, "Rater", None, "role"),
    Text("b.html", 4, "A <b>bold</b> word"),
]
COMPLETE = {
    "Save %(name)s": '"%(name)s speichern"',
    "%(n)d items": ('"%(n)d Ding"', '"%(n)d Dinge"'),
    "Rater": '"Bewertung"',
    "A <b>bold</b> word": '"Ein <b>fettes</b> Wort"',
}


@pytest.fixture
def german(tmp_path: Path) -> Language:
    """Translations that are complete."""
    language = Language("de", tmp_path)
    update(language, TEXTS)
    source = language.source.read_text()
    for text, translation in COMPLETE.items():
        if isinstance(translation, str):
            source = source.replace(f'"{text}"\nmsgstr ""', f'"{text}"\nmsgstr {translation}')
        else:
            for number, form in enumerate(translation):
                source = source.replace(f'msgstr[{number}] ""', f"msgstr[{number}] {form}")
    language.source.write_text(source)
    update(language, TEXTS)
    return language


def test_translations_of_the_interface_are_complete(manage: Manage) -> None:
    result = manage.json("translations", "--check")
    assert {code: found for code, found in result.items() if code != "texts"} == {"de": []}


def test_translations_are_found_in_templates() -> None:
    template = (
        "<p>{% load i18n %}\n{% translate 'One' %}{% translate \"It's\" context 'place' %}</p>\n"
        "{% blocktranslate count n=all with x=y %}{{ n }} at 5 %{% plural %}{{ n }} all"
        "{% endblocktranslate %}\n   {{ _('Two')|upper }}\n"
        "{% blocktranslate trimmed %}\n  Over\n  lines\n{% endblocktranslate %}"
        '<i title="{% translate "A \'quote\'" %}">'
        '{% blocktranslate %}Say "x"{% endblocktranslate %}'
    )
    assert list(texts_of_template("t.html", template)) == [
        Text("t.html", 2, "One"),
        Text("t.html", 2, "It's", None, "place"),
        Text("t.html", 3, "%(n)s at 5 %%", "%(n)s all"),
        Text("t.html", 4, "Two"),
        Text("t.html", 5, "Over lines"),
        Text("t.html", 8, "A 'quote'"),
        Text("t.html", 8, 'Say "x"'),
    ]


def test_translations_are_found_in_modules(tmp_path: Path) -> None:
    path = tmp_path / "views.py"
    path.write_text(
        'title = _("One")\nngettext("%(n)d item",\n "%(n)d items", n)\n'
        'pgettext_lazy("role", "Rater")\nnpgettext("role", "one", "many", n)\n_(name)\n'
        '_("in two "\n  "pieces")\n'
    )
    assert list(texts_of_module("views.py", path)) == [
        Text("views.py", 1, "One"),
        Text("views.py", 2, "%(n)d item", "%(n)d items"),
        Text("views.py", 4, "Rater", None, "role"),
        Text("views.py", 5, "one", "many", "role"),
        Text("views.py", 7, "in two pieces"),
    ]


def test_translations_are_found_in_mails(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "mail.txt").write_text("{% load i18n %}{% translate 'A link' %}\n")
    assert list(texts_in(tmp_path)) == [Text("templates/mail.txt", 1, "A link")]


def test_complete_translations_have_no_fault(german: Language) -> None:
    assert faults(german, TEXTS) == []


def test_new_text_is_named_with_its_place(german: Language) -> None:
    new = Text("c.html", 7, "New")
    assert faults(german, [*TEXTS, new]) == ["c.html, line 7: not in the catalogue: 'New'"]
    update(german, [*TEXTS, new])
    assert faults(german, [*TEXTS, new]) == ["c.html, line 7: not translated: 'New'"]


def test_text_that_is_gone_is_named_and_then_removed(german: Language) -> None:
    assert faults(german, TEXTS[1:]) == ["django.po: nothing asks for 'Save %(name)s'"]
    update(german, TEXTS[1:])
    assert faults(german, TEXTS[1:]) == []
    assert "speichern" not in german.source.read_text()


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("%(name)s speichern", "Speichern", "a.py, line 1: placeholders differ: 'Save %(name)s'"),
        ("%(name)s speichern", "%(nam)s speichern", "a.py, line 1: placeholders differ: "),
        ("%(n)d Dinge", "%(n)s Dinge", "a.py, line 2: placeholders differ: '%(n)d item'"),
        ('[1] "%(n)d Dinge"', '[1] ""', "a.py, line 2: not in every plural form: '%(n)d item'"),
        ("<b>fettes</b>", "<i>fettes</i>", "b.html, line 4: tags differ: "),
        ("#, python-format\nmsgid", "#, fuzzy, python-format\nmsgid", "not confirmed (fuzzy)"),
    ],
)
def test_wrong_translation_is_named(german: Language, old: str, new: str, fault: str) -> None:
    german.source.write_text(german.source.read_text().replace(old, new))
    assert any(fault in each for each in faults(german, TEXTS))


def test_compiled_file_that_is_out_of_date_is_named(german: Language) -> None:
    german.source.write_text(german.source.read_text().replace("fettes", "dickes"))
    assert faults(german, TEXTS) == ["django.mo: is not the compiled form of django.po"]


def test_updating_again_changes_nothing(german: Language) -> None:
    before = german.source.read_bytes(), german.compiled.read_bytes()
    moved = [
        Text(text.path, text.line + 40, text.singular, text.plural, text.context) for text in TEXTS
    ]
    update(german, moved)
    assert (german.source.read_bytes(), german.compiled.read_bytes()) == before


def test_command_fails_until_everything_is_translated(
    manage: Manage, settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates/home.html").write_text("{% load i18n %}\n{% translate 'A new text' %}")
    settings.BASE_DIR, settings.LOCALE_PATHS = tmp_path, [tmp_path]
    catalogue = tmp_path / "de/LC_MESSAGES/django.po"
    assert manage.json("translations", "--check", code=1)["de"]
    assert not catalogue.exists()
    assert manage("translations", code=1) == (
        "de: 1 to do for 1 texts\ntemplates/home.html, line 2: not translated: 'A new text'\n"
    )
    text = catalogue.read_text()
    catalogue.write_text(text.replace('"A new text"\nmsgstr ""', '"A new text"\nmsgstr "Neu"'))
    assert manage("translations") == "de: nothing to do for 1 texts\n"


def test_command_without_babel_says_how_to_call_it(
    manage: Manage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("tasks.management.translations")
    monkeypatch.delitem(sys.modules, "tasks.management.translations")
    monkeypatch.setitem(sys.modules, "babel.messages.catalog", None)
    said = "CommandError: this needs Babel: call it as ./run translations\n"
    assert manage.error("translations", "--check") == said


def test_scripts_of_pages_hold_no_text_of_their_own() -> None:
    """A script takes its texts from data attributes: no sentence stands between quotes."""
    sentence = re.compile(r"""["'`][A-Z][a-z]+ [a-z]""")
    scripts = sorted((ROOT / "static/js").glob("*.js"))
    found = [
        line
        for path in scripts
        for line in path.read_text().splitlines()
        if sentence.search(line) and not line.lstrip().startswith("//")
    ]
    assert found == []
