"""Pages are sent without the indentation of their templates."""

from pathlib import Path

import pytest
from django.template.engine import Engine
from pytest_django import Settings

from tasks.web.indentation import unindented


@pytest.mark.parametrize(
    ("template", "rendered"),
    [
        ("<ul>\n  <li>\n    1\n", "<ul>\n<li>\n1\n"),
        (
            "a\n  {% if b %}\n    b\n  {% else %}\n    c\n  {% endif %}\n",
            "a{% if b %}\nb{% else %}\nc{% endif %}\n",
        ),
        ("a\n  {% translate 'b' %}\n  {{ c }}\n", "a\n{% translate 'b' %}\n{{ c }}\n"),
        ("a\n  {% if b %}b{% endif %}\n", "a\n{% if b %}b{% endif %}\n"),
    ],
)
def test_every_gap_stays_a_line_break(template: str, rendered: str) -> None:
    assert unindented(template) == rendered


def test_mails_keep_theirs(tmp_path: Path, settings: Settings) -> None:
    for name in ("mail.txt", "page.html"):
        (tmp_path / name).write_text("a\n  b\n")
    engine = Engine([str(tmp_path)], **settings.TEMPLATES[0]["OPTIONS"] | {"libraries": {}})
    found = {name: engine.get_template(name).source for name in ("mail.txt", "page.html")}
    assert found == {"mail.txt": "a\n  b\n", "page.html": "a\nb\n"}
