"""The template check finds what it is there to find."""

from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django import Settings

from tasks.management.commands.lint_templates import faults_of


def test_lint_templates_passes_on_our_own() -> None:
    call_command("lint_templates")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("<p>\nPlain words</p>", "line 1: text that is not translated: 'Plain words'"),
        ('<p style="x">1</p>', "line 1: inline style"),
        ('\n<a onclick="x">1</a>', "line 2: inline onclick"),
        ("<script>1</script>", "line 1: inline <script>"),
        ("<style>b{}</style>", "line 1: inline <style>"),
        ('<a href="javascript:x">1</a>', "line 1: script in href"),
        ("<img src=x>", "line 1: <img> without alt"),
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
    )
    assert list(faults_of(tmp_path / "page.html", tmp_path)) == []
