"""Marks of direction: named in every text of a page, untouched where they are not read."""

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from annotation_site.middleware import DirectionMarksMiddleware, with_named_marks

OVERRIDE = '<bdi class="control">RLO</bdi>'


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a\u202eb</p>", f"<p>a{OVERRIDE}b</p>"),
        ("<p>a\u200fb</p>", '<p>a\u200f<bdi class="control">RLM</bdi>b</p>'),
        ("<p>שלום עולם</p>", "<p>שלום עולם</p>"),
        ("\u202e<b>\u202e</b>\u202e", f"{OVERRIDE}<b>{OVERRIDE}</b>{OVERRIDE}"),
        ('<option value="\u202e">\u202ea</option>', '<option value="\u202e">‹RLO›a</option>'),
        ("<title>\u202ea</title>", "<title>‹RLO›a</title>"),
        ('<input value="\u202e">', '<input value="\u202e">'),
        ("<textarea>\n\u202e<b></textarea>\u202e", f"<textarea>\n\u202e<b></textarea>{OVERRIDE}"),
        ('<script type="a">"\u202e"</script>', '<script type="a">"\u202e"</script>'),
        ("<optional>\u202e", f"<optional>{OVERRIDE}"),
        ("1 &lt; 2 \u202e", f"1 &lt; 2 {OVERRIDE}"),
    ],
)
def test_marks_are_shown_in_texts_alone(html: str, expected: str) -> None:
    assert with_named_marks(html) == expected


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"Content-Type": "text/html; charset=utf-8"}, f"{OVERRIDE}a"),
        ({"Content-Type": "text/plain"}, "\u202ea"),
        ({"Content-Type": "text/html", "Content-Disposition": "attachment"}, "\u202ea"),
    ],
)
def test_pages_alone_are_changed(headers: dict[str, str], expected: str) -> None:
    middleware = DirectionMarksMiddleware(lambda _: HttpResponse("\u202ea", headers=headers))
    answer = middleware(RequestFactory().get("/"))
    assert isinstance(answer, HttpResponse)
    assert answer.content.decode() == expected


def test_very_many_marks_are_named_in_short() -> None:
    assert with_named_marks("\u202e" * 1_001) == "‹RLO›" * 1_001
    assert with_named_marks("\u202e" * 1_000) == OVERRIDE * 1_000
