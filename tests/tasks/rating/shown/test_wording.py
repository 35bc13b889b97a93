"""The words in which a rater is asked."""

import pytest
from django.conf import settings
from django.test import RequestFactory

from tasks.models import Campaign
from tasks.protocols.wording import Wording
from tasks.rating.shown.answers import own_wording

OFFERED = {code: Wording(code, 1, {}) for code in ("de", "fr", "pt", "pt-br")}


@pytest.fixture(autouse=True)
def offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.models.campaign.wordings", lambda: OFFERED)


@pytest.mark.parametrize(
    ("languages", "chosen", "accepted", "name"),
    [
        ("", "", "de", ""),
        ("de", "", "de", "de-1"),
        ("de", "", "de-AT,de;q=0.9,en;q=0.5", "de-1"),
        ("de", "", "fr,de;q=0.5", "de-1"),
        ("de", "", "en-GB,de;q=0.9", ""),
        ("de", "", "", ""),
        ("de", "", "not a language; x", ""),
        ("de", "en", "de", ""),
        ("de", "de", "en", "de-1"),
        ("fr", "de", "fr,en;q=0.5", "fr-1"),  # pages have no French
        ("de fr", "de", "fr", "de-1"),
        ("pt pt-br", "", "pt-BR,pt;q=0.9", "pt-br-1"),
        ("pt", "", "pt-BR", "pt-1"),
        ("la", "", "la", ""),  # shipped no more
    ],
)
def test_words_are_those_of_the_first_language_that_is_there(
    languages: str, chosen: str, accepted: str, name: str
) -> None:
    request = RequestFactory().get("/", headers={"Accept-Language": accepted})
    request.COOKIES[settings.LANGUAGE_COOKIE_NAME] = chosen
    assert own_wording(request, Campaign(form_languages=languages)).name == name
