"""Answers that name their language, and those that are the same in all languages."""

from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.utils.translation import gettext, override

from annotation_site.middleware import PageLanguageMiddleware


def answer(address: str, **headers: str) -> HttpResponse:
    """The answer with these headers to a German browser."""

    def view(_request: HttpRequest) -> HttpResponse:
        return HttpResponse(gettext("Settings"), headers=headers)

    request = RequestFactory().get(address, headers={"Accept-Language": "de"})
    with override("en"):  # puts back what the middleware switches on
        response = PageLanguageMiddleware(view)(request)
    assert isinstance(response, HttpResponse)
    return response


def test_page_says_its_language_and_what_it_depends_on() -> None:
    page = answer("/c/rivers/")
    assert page.content.decode() == "Einstellungen"
    assert page["Content-Language"] == "de"
    assert page["Vary"] == "Cookie, Accept-Language"


def test_answers_to_programs_are_english() -> None:
    plain = ("/healthz", "/readyz", "/metrics")
    for address in ("/api/v1/campaigns/rivers/claim", "/api/schema", *plain):
        told = answer(address)
        assert (told.content.decode(), told.has_header("Vary")) == ("Settings", False)
        assert not told.has_header("Content-Language")


def test_files_have_no_language() -> None:
    file = answer(
        "/c/rivers/releases/1.0.0/files/README.md", **{"Content-Disposition": "attachment"}
    )
    assert not file.has_header("Content-Language")
    assert not file.has_header("Vary")
