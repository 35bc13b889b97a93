"""The documentation in the site: rendered safely, its links alive, and help on every page."""

import re

import pytest
from django.conf import settings
from django.test import Client

from tasks.handbook.queries.documents import (
    FIRST,
    FOLDER,
    address_of,
    document,
    names,
    sections_with,
)
from tasks.handbook.queries.terms import TERMS
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Membership
from tasks.web.addresses import help_for, pages
from tests.tasks.browsers import signed_in
from tests.tasks.conftest import rating_row
from tomahto.reliability.statistics import on_pages

pytestmark = pytest.mark.django_db


def exists(place: str) -> bool:
    """Whether a page of this name is served and has the section."""
    file, _, anchor = place.partition("#")
    name = file.removesuffix(".md")
    return name in names() and (
        not anchor or anchor in {each.anchor for each in document(name).sections}
    )


def test_every_page_has_help_that_exists() -> None:
    missing = {page.name for page in pages() if not exists(help_for(page.name))}
    assert missing == set()


def test_every_page_says_where_its_help_is(admin: Membership) -> None:
    html = signed_in(admin).get("/c/rivers/agreement/alerts/").content.decode()
    assert 'href="/docs/dashboards/#alerts"' in html
    assert 'href="/docs/people/#guessing-passwords"' in Client().get("/login/").content.decode()


def test_what_is_refused_and_no_page_has_no_help() -> None:
    refused = Client(enforce_csrf_checks=True).post("/language/", {"language": "de"})
    assert refused.status_code == 403
    assert "/docs/" not in refused.content.decode()


def test_every_term_leads_to_a_section() -> None:
    assert {name for name, term in TERMS.items() if not exists(term.section)} == set()


def test_every_term_is_explained_on_a_page() -> None:
    templates = (settings.BASE_DIR / "templates").rglob("*.html")
    marked = {
        name
        for template in templates
        for name in re.findall(r'{% term "(\w+)"', template.read_text(encoding="utf-8"))
    }
    of_tiles = {several[0].group or several[0].name for several in on_pages()}
    assert marked <= set(TERMS) <= marked | of_tiles


def test_agreement_explains_each_term_once(admin: Membership) -> None:
    items = [item.key for item in admin.campaign.items.all()]
    rows = [rating_row(0, who, "equivalent", item_id=key) for key in items for who in "ab"]
    import_ratings(campaign=admin.campaign, rows=rows)
    html = signed_in(admin).get("/c/rivers/agreement/").content.decode()
    shown = re.findall(r'<span id="term-(\w+)"', html)
    assert shown == ["alpha", "kappa", "ac1", "pair_agreement", "tie"]
    assert all(f'popovertarget="term-{name}"' in html for name in shown)
    assert 'href="/docs/dashboards/#agreement"' in html


def test_the_first_page_names_all_others_once() -> None:
    named = re.findall(r"\]\(([\w-]+)\.md\)", (FOLDER / f"{FIRST}.md").read_text(encoding="utf-8"))
    assert sorted(named) == sorted(path.stem for path in FOLDER.glob("*.md") if path.stem != FIRST)


@pytest.mark.parametrize("name", [FIRST, *names()])
def test_links_and_pictures_of_a_page_lead_somewhere(name: str) -> None:
    page = document(name)
    client = Client()
    own = {each.anchor for each in page.sections} | set(re.findall(r'id="([^"]+)"', page.html))
    links = set(re.findall(r'(?:href|src)="([^"]*)"', page.html))
    for link in links:
        address, _, anchor = link.partition("#")
        if link.startswith("https://"):
            continue
        if not address:
            assert anchor in own, link
            continue
        response = client.get(address)
        assert response.status_code == 200, link
        assert not anchor or f'id="{anchor}"' in response.content.decode(), link
        response.close()


def test_a_page_has_its_title_once_and_contents_that_lead_to_its_sections() -> None:
    html = Client().get("/docs/dashboards/").content.decode()
    assert html.count("<h1") == 1
    assert html.index("<h1") < html.index("On this page")
    assert '<a href="#intervals">Intervals</a>' in html
    assert '<h2 id="intervals">Intervals</h2>' in html


def test_what_is_not_served_is_not_there_and_links_to_it_are_words() -> None:
    for name in (FIRST, "nothing", "..%2Fmanage"):
        assert Client().get(f"/docs/{name}/").status_code == 404
    assert Client().get("/docs/images/..%2Ftour.md").status_code == 404
    assert address_of("../CONTRIBUTING.md") == address_of("https://example.org/tour.md") == ""
    assert "<li>Contributing: checks" in Client().get("/docs/").content.decode()


def test_words_of_the_glossary_have_places_of_their_own() -> None:
    words = document("glossary").words
    [accepted] = [word for word in words if word.name == "accepted"]
    assert accepted.meaning.startswith("Of a candidate: its label")
    html = Client().get("/docs/glossary/").content.decode()
    assert all(f'id="{word.anchor}"' in html for word in words)
    assert len({word.anchor for word in words}) == len(words)


def test_sections_are_found_by_all_words_titles_first() -> None:
    first = sections_with("ALERTS webhook")[0]
    assert first.title == "Alerts"
    assert first.hint == document("dashboards").title
    assert first.address == "/docs/dashboards/#alerts"
    assert "webhook" in first.text
    titled = ["alerts" in each.title.lower() for each in sections_with("alerts")]
    assert titled == sorted(titled, reverse=True)
    assert set(titled) == {True, False}
    assert sections_with("alerts unheardof") == sections_with("  ") == []


def test_words_of_the_glossary_are_found_as_such() -> None:
    found = sections_with("lease")[0]
    assert found[:3] == ("lease", "Glossary", "/docs/glossary/#word-lease")
    assert found.text.startswith("How long a claim")


def test_anybody_searches_without_a_script() -> None:
    page = Client().get("/docs/", {"q": "quadratic κ"})
    html = page.content.decode()
    assert '<a href="/docs/matchers-neural/#reading-caps-score">' in html
    assert 'value="quadratic κ"' in html
    none = Client().get("/docs/", {"q": "<b>unheardof"}).content.decode()
    assert "No section contains all of these words." in none
    assert "<b>unheardof" not in none
    assert "The first 50 of" in Client().get("/docs/", {"q": "a"}).content.decode()
