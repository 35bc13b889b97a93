"""The documentation in the site: rendered safely, its links alive, and help on every page."""

import re

import pytest
from django.test import Client

from tasks.handbook.queries.documents import DOCUMENTS, FOLDER, address_of, document
from tasks.handbook.queries.terms import TERMS
from tasks.models import Membership
from tasks.web.addresses import help_for, pages
from tests.tasks.browsers import signed_in

pytestmark = pytest.mark.django_db

FOR_DEVELOPERS = {"architecture", "promises", "translate"}


def exists(place: str) -> bool:
    """Whether a page of this name is served and has the section."""
    file, _, anchor = place.partition("#")
    found = document(file.removesuffix(".md"))
    return not anchor or anchor in {each.anchor for each in found.sections}


def test_every_page_has_help_that_exists() -> None:
    missing = {page.name for page in pages() if not exists(help_for(page.name))}
    assert missing == set()


def test_every_page_says_where_its_help_is(admin: Membership) -> None:
    html = signed_in(admin).get("/c/rivers/agreement/alerts/").content.decode()
    assert 'href="/docs/dashboards/#alerts"' in html
    assert 'href="/docs/people/#guessing-passwords"' in Client().get("/login/").content.decode()


def test_every_term_leads_to_a_section() -> None:
    assert {name for name, term in TERMS.items() if not exists(term.section)} == set()


def test_all_pages_are_served_but_those_for_developers() -> None:
    assert {path.stem for path in FOLDER.glob("*.md")} - set(DOCUMENTS) == FOR_DEVELOPERS


@pytest.mark.parametrize("name", DOCUMENTS)
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


def test_what_is_no_page_for_readers_is_not_there() -> None:
    for name in ("architecture", "nothing", "..%2Fmanage"):
        assert Client().get(f"/docs/{name}/").status_code == 404
    assert Client().get("/docs/images/..%2Ftour.md").status_code == 404
    assert address_of("../CONTRIBUTING.md") == address_of("https://example.org/tour.md") == ""


def test_words_of_the_glossary_have_places_of_their_own() -> None:
    words = document("glossary").words
    [accepted] = [word for word in words if word.name == "accepted"]
    assert accepted.meaning.startswith("Of a candidate: its label")
    html = Client().get("/docs/glossary/").content.decode()
    assert all(f'id="{word.anchor}"' in html for word in words)
    assert len({word.anchor for word in words}) == len(words)
