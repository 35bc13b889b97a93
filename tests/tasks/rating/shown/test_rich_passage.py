"""Passages in Markdown: laid out, marked, folded, harmless and quick."""

import re
import time

import pytest

from benchmarks.timing import fastest
from tasks.rating.shown.rich_passage import MAX_MARKDOWN, RichPassage, read_rich_passage

WIDE = f"|{'a|' * 500}\n|{'-|' * 500}\n"
PIXEL = "data:image/png;base64,iVBORw0KGgo="
LINK = 'rel="nofollow noopener noreferrer" target="_blank"'


def read(text: str, references: list[str] | None = None, candidate: str = "") -> RichPassage:
    passage = read_rich_passage(text, references or [], candidate)
    assert passage is not None
    return passage


def test_tables_formulas_and_emphasis_are_laid_out_and_answers_marked() -> None:
    text = "The *mass* is $m$.\n\n| a | b |\n|---|--:|\n| two | `2` |"
    assert read(text, ["two", "2"], "mass").whole == (
        '<p dir="auto">The <em><mark class="candidate">mass</mark></em> is '
        '<math display="inline"><mrow><mi>m</mi></mrow></math>.</p>\n'
        '<div class="scroll" role="region" tabindex="0" aria-label="Table 1" dir="auto">'
        '<table><thead>\n<tr>\n<th>a</th>\n<th class="right">b</th>\n</tr>\n</thead>\n'
        '<tbody>\n<tr>\n<td><mark class="reference">two</mark></td>\n'
        '<td class="right"><code><mark class="reference">2</mark></code></td>\n</tr>\n'
        "</tbody>\n</table></div>\n"
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
        ("[x](HTTPS://e.org 'y')", f'<a href="HTTPS://e.org" {LINK}>x</a>'),
        ("<http://e.org>", f'<a href="http://e.org" {LINK}>http://e.org</a>'),
        (f"[x]({PIXEL})", "<a>x</a>"),
        ("![x](/logout/)", "![x](/logout/)"),
        ("![x](image.png)", "![x](image.png)"),
        ("![x](https://e.org/a.png)", f'<a href="https://e.org/a.png" {LINK}>x</a>'),
        ("![](http://e.org/a)", f'<a href="http://e.org/a" {LINK}>http://e.org/a</a>'),
        (f"![x]({PIXEL})", f'<img src="{PIXEL}" alt="x">'),
        ("![x](data:image/svg+xml;base64,AAAA)", "![x](data:image/svg+xml;base64,AAAA)"),
        ("![x](data:text/html;base64,AAAA)", "![x](data:text/html;base64,AAAA)"),
        ("a\x00b", "a\ufffdb"),
    ],
)
def test_texts_links_and_images_are_harmless(text: str, shown: str) -> None:
    assert read(text).whole == f'<p dir="auto">{shown}</p>\n'


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a <b> c", "a [&lt;b&gt;] c"),
        ("in **New** York", "in <strong>[New]</strong>[ York]"),
        ("in New\nYork", "in [New]\n[York]"),
        ("New $x$ York", 'New <math display="inline"><mrow><mi>x</mi></mrow></math> York'),
    ],
)
def test_answers_are_marked_over_emphasis_and_lines_and_not_over_formulas(
    text: str, shown: str
) -> None:
    html = read(text, ["<b>", "New York"]).whole
    marks = html.replace('<mark class="reference">', "[").replace("</mark>", "]")
    assert marks == f'<p dir="auto">{shown}</p>\n'


@pytest.mark.parametrize(
    ("text", "levels"),
    [("### a\n# b\n### c\n### d\n## e", "22333"), ("# a\n" + "###### b\n", "23")],
)
def test_no_level_of_headings_is_left_out(text: str, levels: str) -> None:
    assert re.findall(r"<h(\d)", read(text).whole) == list(levels)


def test_a_long_passage_is_folded_to_whole_blocks_around_the_first_mark() -> None:
    blocks = [*("before " * 60, "*a* " * 10, "here", "- " + "after " * 80, "end " * 200)]
    passage = read("\n\n".join(blocks), ["here"])
    assert passage.excerpt == "<p>…</p>\n" + "".join(
        [
            f'<p dir="auto">{("<em>a</em> " * 10).strip()}</p>\n',
            '<p dir="auto"><mark class="reference">here</mark></p>\n',
            f'<ul dir="auto">\n<li>{("after " * 80).strip()}</li>\n</ul>\n',
            "<p>…</p>\n",
        ]
    )
    assert read("\n\n".join(blocks[1:3]), ["here"]).excerpt == ""
    assert read("word " * 1000).excerpt == ""


@pytest.mark.parametrize("text", ["\n", "[a]: https://e.org"])
def test_a_passage_without_blocks_is_empty(text: str) -> None:
    assert read(text) == RichPassage(read("").whole, read("").excerpt)


LETTERS = f"data:image/png;base64,{'A' * 950_000}"


@pytest.mark.parametrize(
    "text",
    [
        f"| a | b |\n|---|---|\n{('| x' + ' ' * 2000 + '| y |' + chr(10)) * 7}",
        WIDE + "x\n" * 5,  # every row is filled up to 500 cells
        "| 1 | 2 |\n" * 1_500,
        "[" * 2_000,
        "> " * 2_000,
        "*a" * 7_500,
        "$x_{1}$ " * 1_875,
        "`a" * 7_500,
        "***\n" * 3_750,
        f"![x]({LETTERS})",
        f"{'[' * 1_900}![x]({LETTERS})",
        f"{'![x](' * 1_900}{LETTERS})",
        f"![x]({LETTERS[:500]}) " * 400,
    ],
)
def test_no_passage_costs_more_than_a_moment(text: str) -> None:
    assert read_rich_passage(text, [], "") is not None
    # 0.15 s on a machine that has nothing else to do
    assert fastest(lambda: read_rich_passage(text, ["a"], "b"), time.process_time) < 0.6


def test_a_text_too_large_to_lay_out_is_left_to_be_plain() -> None:
    assert read_rich_passage("a" * MAX_MARKDOWN, [], "") is not None
    assert read_rich_passage("a" * (MAX_MARKDOWN + 1), [], "") is None
    assert read_rich_passage(WIDE + "x\n" * 20, [], "") is None


def test_pictures_within_the_passage_do_not_make_it_too_long_and_keep_their_place() -> None:
    pictures = [f"data:image/png;base64,{sign * 50_000}" for sign in "AB"]
    html = read(f"![x]({pictures[0]}) ![y]({pictures[1]}) `{pictures[0]}`").whole
    assert html == (
        f'<p dir="auto"><img src="{pictures[0]}" alt="x"> <img src="{pictures[1]}" alt="y"> '
        f"<code>{pictures[0]}</code></p>\n"
    )
    assert read(f"[a]: {pictures[0]}\n\n![a] ![a]").whole == (
        f'<p dir="auto"><img src="{pictures[0]}" alt="a"> a</p>\n'
    )
    assert read("![x](data&#58;image/png;base64,7)").whole == (
        '<p dir="auto"><img src="data:image/png;base64,7" alt="x"></p>\n'
    )
