"""Passages in Markdown: laid out, marked, harmless and quick."""

import time

import pytest

from benchmarks.timing import fastest
from tasks.rating.shown.rich_passage import (
    MAX_MARKDOWN,
    is_readable,
    read_rich_passage,
    rich_passage,
)

N = 50_000
WIDE = f"|{'a|' * 500}\n|{'-|' * 500}\n"
PIXEL = "data:image/png;base64,iVBORw0KGgo="


def test_tables_formulas_and_emphasis_are_laid_out_and_answers_marked() -> None:
    html = rich_passage("The *mass* is $m$.\n\n| a |\n|---|\n| two |", ["two"], "mass")
    assert html == (
        '<p>The <em><mark class="candidate">mass</mark></em> is '
        '<math display="inline"><mrow><mi>m</mi></mrow></math>.</p>\n'
        '<div class="scroll" role="region" tabindex="0" aria-label="Table 1"><table><thead>\n'
        "<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n"
        '<td><mark class="reference">two</mark></td>\n</tr>\n</tbody>\n</table></div>\n'
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("It costs $5 and $6.", "It costs $5 and $6."),
        (r"It costs \$a\$.", "It costs $a$."),
        ("a $ b $ c", "a $ b $ c"),
        ("<b onclick=x>bold</b>", "&lt;b onclick=x&gt;bold&lt;/b&gt;"),
        ("[x](javascript:alert)", "[x](javascript:alert)"),
        ("[x](/logout/)", "[x](/logout/)"),
        ("[x](https://example.org)", '<a href="https://example.org">x</a>'),
        ("![x](/logout/)", "![x](/logout/)"),
        (
            "![x](https://example.org/a.png)",
            '<a href="https://example.org/a.png" rel="noreferrer">x</a>',
        ),
        (f"![x]({PIXEL})", f'<img src="{PIXEL}" alt="x">'),
        (
            "![x](data:image/svg+xml;base64,AAAA)",
            "![x](data:image/svg+xml;base64,AAAA)",
        ),
    ],
)
def test_what_is_shown_of_it(text: str, shown: str) -> None:
    assert rich_passage(text, ["nowhere"], "at all") == f"<p>{shown}</p>\n"


def test_answers_are_marked_with_their_signs_escaped() -> None:
    assert rich_passage("a <b> c", ["<b>"], "x") == (
        '<p>a <mark class="reference">&lt;b&gt;</mark> c</p>\n'
    )


@pytest.mark.parametrize(
    "text",
    [
        WIDE + "x\n" * 24_000,  # every row is filled up to 500 cells
        f"| a | b |\n|---|---|\n{('| x' + ' ' * 2000 + '| y |' + chr(10)) * 25}",
        "| 1 | 2 |\n" * 5_000,
        "[" * N,
        ">" * N,
        "*a" * (N // 2),
        "$x_{1}$ " * (N // 8),
        "`a" * (N // 2),
    ],
)
@pytest.mark.parametrize("length", [N, MAX_MARKDOWN])
def test_no_passage_costs_more_than_a_moment(text: str, length: int) -> None:
    # 0.3 s on a machine that has nothing else to do
    assert fastest(lambda: read_rich_passage(text[:length], ["a"], "b"), time.process_time) < 0.6


def test_what_is_too_large_is_left_as_plain_text() -> None:
    assert is_readable("a" * MAX_MARKDOWN)
    assert not is_readable("a" * (MAX_MARKDOWN + 1))
    assert not is_readable(WIDE + "x\n" * 20)
    found = read_rich_passage(WIDE + "x\n" * 20, ["a"], "b")
    assert (found.html, found.is_too_large) == ("", True)


def test_a_picture_within_the_passage_does_not_make_it_too_long() -> None:
    assert is_readable(f"![x](data:image/png;base64,{'A' * N})")
