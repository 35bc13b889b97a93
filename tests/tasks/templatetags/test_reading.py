"""Foreign text on our pages: hidden characters shown, no HTML let through."""

from tasks.templatetags.reading import markdown, visible


def test_visible_escapes_html() -> None:
    assert visible('<b a="1">&') == "&lt;b a=&quot;1&quot;&gt;&amp;"


def test_visible_shows_an_override_and_takes_its_force() -> None:
    assert visible("a\u202eb") == 'a<bdi class="control">RLO</bdi>b'


def test_visible_shows_a_direction_mark_and_leaves_it() -> None:
    assert visible("a\u200fb") == 'a\u200f<bdi class="control">RLM</bdi>b'


def test_visible_leaves_right_to_left_letters_alone() -> None:
    assert visible("שלום עולם") == "שלום עולם"


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
