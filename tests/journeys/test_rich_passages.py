"""Passages in Markdown as raters meet them, and hostile ones in a real browser."""

import uuid
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import NARROW, OpenPage, Tomahto, item, sideways, violations
from tests.security.payloads import PAYLOADS

pytestmark = pytest.mark.browser

PIXEL = (
    "data:image/png;base64,"
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)
FACTS = f"""
## Rivers of the north

The **northern** hills hold the source; a drop falls by $h = \\frac{{1}}{{2}} g t^2$.

| river | {" | ".join(f"measured in {year}" for year in range(2000, 2012))} |
|---|{"---|" * 12}
| Elm | {" | ".join("far from the sea" for _year in range(12))} |

$$\\begin{{aligned}} v &= {" + ".join(f"v_{{{year}}}" for year in range(2000, 2012))} \\\\
w &= 0 \\end{{aligned}}$$

![A map of the river]({PIXEL})
"""
HOSTILE = "\n\n".join(
    [
        *PAYLOADS,
        "[a link](data:text/html;base64,PHNjcmlwdD5wd25lZCgxKTwvc2NyaXB0Pg==)",
        "[a link](vbscript:pwned) <data:text/html,pwned>",
        "![a picture](data:text/html;base64,PHNjcmlwdD5wd25lZCgxKTwvc2NyaXB0Pg==)",
        "![a picture](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9InB3bmVkKDEpIi8+)",
        "![a picture](https://pwned.example/picture.png)",
        '!["onload=pwned(1) x="](' + PIXEL + ' "\\" onload=pwned(1)")',
        r"$\href{javascript:pwned(1)}{x}$ $\text{<img src=x onerror=pwned(1)>}$",
        r"$$\style{background:url(/pwned.png)}{x} \class{" + '" onclick="pwned(1)}{y}$$',
        r"$\text{</math><script>pwned(1)</script>}$ $\unicode{<script>}$",
        "| <script>pwned(1)</script> |\n|:-:|\n| $\\text{<svg onload=pwned(1)>}$ |",
    ]
)


def open_item(tomahto: Tomahto, open_page: OpenPage, context: str, **options: Any) -> Page:
    slug = f"rich-{uuid.uuid4().hex[:8]}"
    rater = tomahto.campaign(slug, items=[item(1, context=context)], rater=f"yew-{slug}")
    tomahto.site.manage("configure_campaign", slug, "--passages-are-markdown")
    return open_page(rater, f"/login/?next=/c/{slug}/rate/", **options)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_rater_reads_tables_formulas_and_images_on_a_telephone_and_rates(
    tomahto: Tomahto, open_page: OpenPage, theme: str
) -> None:
    page = open_item(tomahto, open_page, FACTS, viewport=NARROW, color_scheme=theme)
    expect(page.get_by_role("heading", name="Rivers of the north")).to_be_visible()
    image = page.get_by_role("img", name="A map of the river")
    assert image.evaluate("image => image.naturalWidth") == 1
    expect(page.locator("mark.candidate")).to_have_text(["far from the sea"] * 12)
    assert page.locator("math").evaluate_all("all => all.map(one => one.clientHeight > 10)") == [
        *(True, True)
    ]
    assert page.locator("math mtr").count() == 2
    for name in ("Table 1", "Formula"):
        wide = page.locator(".passage").get_by_label(name)
        wide.press("ArrowRight")
        page.wait_for_function("() => document.activeElement.scrollLeft > 0")
    assert sideways(page) == 0
    assert violations(page) == []
    for key in ("y", "Enter"):
        page.keyboard.press(key)
    expect(page.locator(".stored")).to_contain_text("Stored")


def test_a_long_passage_opens_and_folds_by_key(tomahto: Tomahto, open_page: OpenPage) -> None:
    page = open_item(tomahto, open_page, f"{'Water. ' * 200}\n\n{FACTS}\n\n{'Rain. ' * 200}")
    expect(page.locator(".excerpt")).to_be_visible()
    expect(page.get_by_text("Rain. Rain.")).to_be_hidden()
    page.keyboard.press("p")
    expect(page.locator(".excerpt")).to_be_hidden()
    expect(page.get_by_text("Rain. Rain.")).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("p")
    expect(page.locator(".excerpt")).to_be_visible()


def test_nothing_in_a_hostile_passage_comes_alive(tomahto: Tomahto, open_page: OpenPage) -> None:
    """A violation of the pages' policy would fail the fixture."""
    page = open_item(tomahto, open_page, HOSTILE)
    expect(page.locator(".passage.rich").first).to_be_visible()
    ran, asked = [], []
    page.context.expose_function("pwned", lambda *said: ran.append(said))
    page.context.on("request", lambda request: asked.append(request.url))
    page.reload()
    page.keyboard.press("p")
    passage = page.locator("details[open] .passage")
    expect(passage.get_by_text("<script>pwned(1)</script>").first).to_be_visible()
    page.evaluate("pwned('the guard')")
    for each in passage.locator("a, math, [tabindex='0']").all():
        each.dispatch_event("mouseover")
        each.dispatch_event("focus")
    assert passage.locator("a").evaluate_all("all => all.map(one => one.href)") == [
        "https://pwned.example/picture.png"
    ]
    assert (
        passage.locator("a, math *, img").evaluate_all(
            "all => all.flatMap(one => one.getAttributeNames())"
            ".filter(name => name.startsWith('on') || ['style', 'class', 'id'].includes(name))"
        )
        == []
    )
    assert ran == [("the guard",)]
    assert [url for url in asked if "pwned" in url] == []
