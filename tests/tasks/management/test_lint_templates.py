"""The template check finds what it is there to find."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django import Settings

from bootstrap.checks import SLOW_LINTERS
from bootstrap.system import ROOT
from tasks.management.commands.lint_templates import faults_of, long_lines, wordings

pytestmark = pytest.mark.slow


def test_lint_templates_passes_on_our_own() -> None:
    call_command("lint_templates")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("<p>\nPlain words</p>", "line 1: text that is not translated: 'Plain words'"),
        ('\n<a onclick="x">1</a>', "line 2: inline onclick"),
        ("<script>1</script>", "line 1: inline <script>"),
        ("<style>b{}</style>", "line 1: inline <style>"),
        ('<i title="Words">1</i>', "line 1: title that is not translated: 'Words'"),
        ('<form method="post"></form>', "line 1: post form without csrf_token"),
        ("{{ text|safe }}", "line 1: |safe turns escaping off"),
        ('{{ day|date:"j F Y" }}', 'line 1: |date:"j F Y" fits one language only'),
    ],
)
def test_lint_templates_names_the_fault(
    tmp_path: Path, settings: Settings, text: str, fault: str
) -> None:
    settings.TEMPLATES = [{**settings.TEMPLATES[0], "DIRS": [tmp_path]}]
    (tmp_path / "page.html").write_text(text)
    assert list(faults_of(tmp_path / "page.html", tmp_path)) == [f"page.html, {fault}"]


def test_lint_templates_accepts_translated_text_and_tokens(
    tmp_path: Path, settings: Settings
) -> None:
    settings.TEMPLATES = [{**settings.TEMPLATES[0], "DIRS": [tmp_path]}]
    (tmp_path / "page.html").write_text(
        '{% load i18n %}<form method="post">{% csrf_token %}{% translate "Words" %} Tomahto '
        "{% blocktranslate %}More words{% endblocktranslate %} <code>words()</code></form>"
        "{{ day|date:'c' }} {{ day|date:'DATE_FORMAT' }}"
        '<form method="post" rel="external" action="{{ elsewhere }}"></form>'
    )
    assert list(faults_of(tmp_path / "page.html", tmp_path)) == []


def test_lint_templates_names_lines_over_160_characters(tmp_path: Path) -> None:
    mail = tmp_path / "mail.txt"
    mail.write_text("\n".join(["x" * 160, "x" * 161]))
    assert list(long_lines(mail, tmp_path)) == ["mail.txt, line 2: 161 characters"]


def test_lint_templates_names_wordings_that_are_not_plain(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        "{# What stands here is no text #}\n"
        '<h2>{% translate "What has been decided" %}</h2>\n'
        "<p title=\"{% translate 'Where alerts are told' %}\">\n"
        "  {% blocktranslate trimmed with n=items|count %}\n"
        "    {{ n }} items. It has\n"
        "    been found anew.\n"
        "  {% plural %}\n"
        "    That is all of {{ n }}.\n"
        '  {% endblocktranslate %} {% firstof name _("They are new.") %}\n'
        "</p>\n"
    )
    assert list(wordings(page, tmp_path)) == [
        "page.html, line 2: not plain English: 'What has been decided'",
        "page.html, line 3: not plain English: 'are told'",
        "page.html, line 6: not plain English: 'anew'",
        "page.html, line 8: not plain English: 'That is all of …'",
        "page.html, line 9: not plain English: 'They are new'",
    ]


def test_lint_templates_accepts_questions_and_pronouns_whose_noun_came_before(
    tmp_path: Path,
) -> None:
    mail = tmp_path / "mail.txt"
    mail.write_text(
        "{% blocktranslate %}What is {{ term }}? It stands out.{% endblocktranslate %}"
        '{% translate "That link has expired." %} {{ it }} {% translate "Who are you?" %}'
    )
    assert list(wordings(mail, tmp_path)) == []


def test_the_checks_run_djlint_with_rules_that_find(tmp_path: Path) -> None:
    faults = {
        "indented.html": ("<div><p>1</p></div>\n", "<p>1</p>"),
        "style.html": ('<p style="x">1</p>\n', "H021"),
        "script.html": ('<a href="javascript:x">1</a>\n', "H019"),
        "image.html": ('<img src="x">\n', "H013"),
    }
    for name, (text, _fault) in faults.items():
        (tmp_path / name).write_text(text)
    [check] = [check for check in SLOW_LINTERS if check.name == "djLint"]
    program = str(Path(sys.executable).with_name("djlint"))
    options = check.command[2:]
    ended = subprocess.run(
        [program, str(tmp_path), "--configuration", str(ROOT / "pyproject.toml"), *options],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    assert [fault for _text, fault in faults.values() if fault not in ended.stdout] == []
