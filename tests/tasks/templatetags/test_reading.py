"""Foreign text on our pages: no HTML let through."""

import re

from tasks.templatetags.reading import markdown


def test_markdown_lowers_headings_and_keeps_html_as_text() -> None:
    assert markdown("# Title\n\n<script>x</script>\n") == (
        "<h2>Title</h2>\n<p>&lt;script&gt;x&lt;/script&gt;</p>\n"
    )


def test_markdown_refuses_script_links_and_images() -> None:
    html = markdown("[a](javascript:x) ![b](http://example.org/b.png)")
    assert "<a" not in html.replace('<a href="http://example.org/b.png">', "")
    assert "<img" not in html
    assert 'href="javascript' not in html


def test_markdown_puts_tables_into_a_region_that_scrolls() -> None:
    html = markdown("| a |\n| --- |\n| 1 |\n")
    assert html.startswith(
        '<div class="scroll" role="region" tabindex="0" aria-label="Table 1"><table>'
    )
    assert html.rstrip().endswith("</table></div>")


def test_markdown_numbers_the_tables() -> None:
    html = markdown("| a |\n| --- |\n\n" * 3)
    assert re.findall(r'aria-label="([^"]*)"', html) == ["Table 1", "Table 2", "Table 3"]
