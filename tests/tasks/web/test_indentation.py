"""Pages are sent without the indentation of their templates."""

import time
from pathlib import Path

import pytest
from django.template.engine import Engine
from pytest_django import Settings

from tasks.web.page import unindented

TEMPLATES = Path(__file__).parents[3] / "templates"


@pytest.mark.parametrize(
    ("template", "rendered"),
    [
        ("a\n<ul>\n  <li>\n    1\n  </li>\n</ul>\nb", "a<ul><li>1</li></ul>b"),
        ('<b>1</b>\n<a id="2"\n   lang="en">3</a>\n', '<b>1</b> <a id="2" lang="en">3</a> '),
        (
            'a\n<p {% if b > c %}lang="en"{% endif %}>\n  d',
            'a<p {% if b > c %}lang="en"{% endif %}>d',
        ),
        (
            "a\n  {% if b %}\n    b\n  {% else %}\n    c\n  {% endif %}\n",
            "a{% if b %} b{% else %} c{% endif %} ",
        ),
        ('<a href="#b">\n  {{ b }}\n</a>\n<b>\n c</b> d', '<a href="#b">{{ b }}</a> <b>c</b> d'),
        ("a<span>\n  b\n</span>\nc", "a<span> b</span> c"),
        ("a\n  {% translate 'b' %}\n  {{ c }}\n", "a {% translate 'b' %} {{ c }} "),
        ("a\n  {% if b %}b{% endif %}\n", "a {% if b %}b{% endif %} "),
    ],
)
def test_gaps_that_show_stay(template: str, rendered: str) -> None:
    assert unindented(template) == rendered


def test_mails_keep_theirs(tmp_path: Path, settings: Settings) -> None:
    for name in ("mail.txt", "page.html"):
        (tmp_path / name).write_text("a\n  b\n")
    engine = Engine([str(tmp_path)], **settings.TEMPLATES[0]["OPTIONS"] | {"libraries": {}})
    found = {name: engine.get_template(name).source for name in ("mail.txt", "page.html")}
    assert found == {"mail.txt": "a\n  b\n", "page.html": "a b "}


def test_takes_time_in_proportion_to_the_length() -> None:
    open_tag = "<p " + "{% if b %}{{ c }} d " * 200
    templates = [page.read_text() for page in TEMPLATES.rglob("*.html")]
    assert len(templates) > 100
    start = time.process_time()
    for template in [open_tag, *templates]:
        unindented(template)
    assert time.process_time() - start < 1
