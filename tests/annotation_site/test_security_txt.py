"""/.well-known/security.txt (RFC 9116), where an operator names a contact."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import path
from django.utils import timezone
from pytest_django import Settings

from annotation_site import env
from annotation_site import urls as site_urls
from annotation_site.security_txt import PATH, security_txt

urlpatterns = [*site_urls.urlpatterns, path(PATH, security_txt)]

pytestmark = pytest.mark.django_db


def test_contacts_stand_in_order_until_a_day_within_the_year(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ROOT_URLCONF, settings.SITE_URL = __name__, "https://tomahto.example.org"
    settings.SECURITY_CONTACTS = ["mailto:security@example.org", "https://example.org/security"]
    now = datetime(2026, 3, 1, 23, 30, tzinfo=UTC)
    monkeypatch.setattr(timezone, "now", lambda: now)
    response = Client().get("/.well-known/security.txt")
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert response.content.decode() == (
        "Contact: mailto:security@example.org\n"
        "Contact: https://example.org/security\n"
        "Expires: 2026-05-30T00:00:00Z\n"
        "Preferred-Languages: en\n"
        "Canonical: https://tomahto.example.org/.well-known/security.txt\n"
    )
    assert datetime(2026, 5, 30, tzinfo=UTC) - now < timedelta(days=365)


def test_site_without_a_contact_has_none() -> None:
    assert Client().get("/.well-known/security.txt").status_code == 404


def test_contacts_are_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONTACT", " mailto:a@example.org, https://example.org/x ,tel:+49-30-1")
    assert env.contacts("CONTACT") == [
        "mailto:a@example.org",
        "https://example.org/x",
        "tel:+49-30-1",
    ]


@pytest.mark.parametrize(
    "contact", ["a@example.org", "http://example.org", "mailto:a\nExpires: x", "mailto:", "tel:"]
)
def test_contact_that_is_no_address_is_refused(
    contact: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONTACT", contact)
    with pytest.raises(env.SettingError, match="CONTACT must be an address such as mailto:"):
        env.contacts("CONTACT")
