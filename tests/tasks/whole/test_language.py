"""Pages speak the reader's language, the instrument its own, and programs get English."""

import re
from collections.abc import Mapping
from http import HTTPStatus

import pytest
from django.test import Client
from django.utils.translation import override

from tasks.models import ApiToken, Campaign, Membership, User
from tests.factories import PASSWORD, make_campaign, make_item, make_member
from tests.tasks.browsers import signed_in
from tests.tasks.management.conftest import Manage, manage

__all__ = ["manage"]

GERMAN = {"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}


def page(client: Client, address: str, headers: Mapping[str, str] | None = None) -> tuple[str, str]:
    """The language a page says it is in, twice, and the page."""
    response = client.get(address, headers=headers)
    html = response.content.decode()
    found = re.search(r'<html lang="(\w+)" dir="ltr">', html)
    assert found is not None
    assert response["Content-Language"] == found[1]
    assert {"Accept-Language", "Cookie"} <= set(response["Vary"].split(", "))
    return found[1], html


@pytest.mark.parametrize(
    ("wanted", "language", "title"),
    [
        ("de", "de", "Anmelden"),
        ("de-AT,en;q=0.5", "de", "Anmelden"),
        ("fr,de;q=0.5", "de", "Anmelden"),
        ("en-GB,de;q=0.9", "en", "Log in"),
        ("fr", "en", "Log in"),
        ("", "en", "Log in"),
        ("not a language; \x00", "en", "Log in"),
    ],
)
@pytest.mark.django_db
def test_login_is_in_the_language_of_the_browser(wanted: str, language: str, title: str) -> None:
    spoken, html = page(Client(), "/login/", {"Accept-Language": wanted})
    assert spoken == language
    assert f"<h1>{title}</h1>" in html


def test_pages_of_a_campaign_are_german(rater: Membership) -> None:
    client = signed_in(rater)
    titles = {
        "/": "Meine Kampagnen",
        "/c/rivers/history/": "Meine Bewertungen",
        "/c/rivers/guidelines/": "Richtlinien",
        "/c/nowhere/": "Seite nicht gefunden",
    }
    shown = {address: page(client, address, GERMAN) for address in titles}
    assert {address: language for address, (language, _html) in shown.items()} == dict.fromkeys(
        titles, "de"
    )
    assert all(f"<h1>{titles[address]}</h1>" in html for address, (_lang, html) in shown.items())


def test_question_on_a_german_page_stays_as_published(rater: Membership) -> None:
    _language, html = page(signed_in(rater), "/c/rivers/rate/", GERMAN)
    question = "Is the second answer a completely different answer?"
    assert "Ihr Urteil" in html
    assert f'<span class="wording" lang="en">{question}</span>' in html
    assert '<dt lang="en">Second answer</dt>' in html
    choices = html.partition('<div class="choices" lang="en">')[2].partition("</div>")[0]
    assert re.findall("<b>(.*?)</b>", choices) == ["Yes", "No"]


def test_items_are_in_the_language_of_the_campaign(db: None) -> None:
    campaign = make_campaign("rios")
    Campaign.objects.filter(pk=campaign.pk).update(language="es")
    make_item(campaign, question="¿Dónde nace el Miño?")
    rater = make_member(campaign)
    _language, html = page(signed_in(rater), "/c/rios/rate/", GERMAN)
    assert 'lang="es" dir="auto">¿Dónde nace el Miño?</h1>' in html
    assert '<div class="prose" lang="es" dir="auto">' in html


def test_agreement_has_german_text_and_english_labels(researcher: Membership) -> None:
    _language, html = page(signed_in(researcher), "/c/rivers/agreement/", GERMAN)
    assert "Krippendorffs α, nominal" in html
    assert '<span lang="en">Is the second answer a completely different answer?</span>' in html
    _language, html = page(signed_in(researcher), "/c/rivers/agreement/labels/", GERMAN)
    assert "Häufigkeit der Labels" in html
    assert '<th scope="row" lang="en">Not equivalent</th>' in html


def test_forms_and_their_errors_are_german(admin: Membership, campaign: Campaign) -> None:
    client = signed_in(admin)
    refused = client.post(
        "/c/rivers/settings/members/new/", {"username": "oak", "role": "rater"}, headers=GERMAN
    )
    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    html = refused.content.decode()
    assert "Es gibt bereits ein Konto „oak“." in html
    assert '<option value="researcher">Forschung</option>' in html
    refused = client.post("/c/rivers/settings/", {"section": "general"}, headers=GERMAN)
    assert "Dieses Feld ist zwingend erforderlich." in refused.content.decode()


def test_short_name_that_is_taken_is_refused_in_german(admin: Membership) -> None:
    assert admin.user is not None
    admin.user.is_staff = True
    admin.user.save()
    fields = {"title": "Again", "slug": "rivers", "protocol": "ae", "overlap": "2"}
    refused = signed_in(admin).post(
        "/campaigns/new/", {**fields, "suggestions": "hidden"}, headers=GERMAN
    )
    html = refused.content.decode()
    assert "Es gibt bereits eine Kampagne mit diesem Kurznamen." in html
    assert re.search(r'<div lang="en">\s*<label for="id_protocol_0">', html)


def test_language_switch_beats_the_browser(rater: Membership) -> None:
    client = signed_in(rater)
    response = client.post(
        "/language/", {"language": "en", "next": "/c/rivers/history/"}, headers=GERMAN
    )
    assert response["Location"] == "/c/rivers/history/"
    cookie = response.cookies["django_language"]
    assert (cookie.value, cookie["samesite"], cookie["httponly"]) == ("en", "Lax", True)
    language, html = page(client, "/c/rivers/history/", GERMAN)
    assert language == "en"
    assert "<h1>My ratings</h1>" in html
    client.post("/language/", {"language": "de"})
    assert page(client, "/c/rivers/history/", {"Accept-Language": "en"})[0] == "de"


def test_mails_are_in_the_language_chosen_last_or_that_of_the_first_login(
    rater: Membership,
) -> None:
    def language_of_mails() -> str:
        return User.objects.values_list("language", flat=True).get(username="pine")

    name = {"username": "pine", "password": PASSWORD}
    User.objects.update(language="")
    browser = Client()
    browser.post("/login/", name, headers=GERMAN)
    assert language_of_mails() == "de"
    browser.post("/language/", {"language": "en"})
    assert language_of_mails() == "en"
    browser.post("/language/", {"language": "tlh"})
    Client().post("/login/", name, headers=GERMAN)
    assert language_of_mails() == "en"
    changed = browser.patch("/api/v1/account", {"language": "de"}, "application/json")
    assert (changed.json()["language"], changed.json()["message_mails"]) == ("de", "none")
    assert language_of_mails() == "de"


@pytest.mark.django_db
def test_language_switch_needs_a_token_and_leads_nowhere_else() -> None:
    assert Client(enforce_csrf_checks=True).post("/language/", {"language": "de"}).status_code == (
        HTTPStatus.FORBIDDEN
    )
    client = Client()
    client.cookies["django_language"] = "tlh"  # a language there is not: the browser's it is
    assert page(client, "/login/", GERMAN)[0] == "de"
    away = client.post("/language/", {"language": "de", "next": "https://example.org/"})
    assert away["Location"] == "/"


def test_language_switch_names_the_page_to_come_back_to(admin: Membership) -> None:
    client = signed_in(admin)
    _language, html = page(client, "/c/rivers/history/?q=far")
    assert '<input type="hidden" name="next" value="/c/rivers/history/?q=far">' in html
    assert re.search(r'value="en" lang="en" aria-current="true">English</button>', html)
    assert re.search(r'value="de" lang="de">Deutsch</button>', html)
    answer = client.post("/c/rivers/settings/members/new/", {"username": ""})
    assert '<input type="hidden" name="next" value="/">' in answer.content.decode()


def test_api_answers_in_english_whatever_the_browser_says(rater: Membership) -> None:
    assert rater.user is not None
    token = {**GERMAN, "Authorization": f"Token {ApiToken.issue(rater.user)}"}
    client = Client()
    client.cookies["django_language"] = "de"
    refused = client.post("/api/v1/campaigns/rivers/claim", headers=GERMAN)
    assert refused.json() == {"detail": "Authentication credentials were not provided."}
    claimed = client.post("/api/v1/campaigns/rivers/claim", headers=token)
    wrong = client.post(
        f"/api/v1/assignments/{claimed.json()['assignment']}/rating",
        {"answers": {"q1": True}, "seconds": -1},
        content_type="application/json",
        headers={**token, "Idempotency-Key": "k"},
    )
    assert wrong.json() == {
        "detail": "Ensure this value is greater than or equal to 0.",
        "field": "seconds",
    }
    assert "Accept-Language" not in wrong.get("Vary", "")
    assert not wrong.has_header("Content-Language")


def test_page_in_german_does_not_make_the_next_api_call_german(rater: Membership) -> None:
    client = signed_in(rater)
    page(client, "/", GERMAN)
    wrong = client.post(
        "/api/v1/assignments/1/rating",
        {"seconds": "long"},
        content_type="application/json",
        headers={"Idempotency-Key": "k"},
    )
    assert wrong.json() == {"detail": "A valid number is required.", "field": "seconds"}


def test_commands_speak_english(manage: Manage) -> None:
    manage("create_campaign", "rivers", "--protocol", "ae", "--overlap", "2")
    manage("create_member", "oak", "--campaign", "rivers", "--role", "rater")
    with override("de"):
        printed = manage.error("create_member", "oak", "--campaign", "rivers", "--role", "rater")
        refused = manage.error("create_campaign", "New", "--protocol", "ae", "--overlap", "0")
    assert printed == "CommandError: this account is already a member\n"
    assert refused == (
        "CommandError: slug: lower-case letters, digits and single hyphens between them; "
        "overlap: Ensure this value is greater than or equal to 1.\n"
    )
