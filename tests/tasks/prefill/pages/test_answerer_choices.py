"""The page of jobs offers the built-in answerers and those the site has configured."""

import pytest

from tasks.models import Campaign, Membership
from tests.tasks.browsers import signed_in, text
from tomahto.answerers.lexical import LexicalAnswerer


def test_jobs_offer_configured_answerers(
    admin: Membership, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tomahto.answerers.registry._configured", {})
    page = text(signed_in(admin), f"/c/{campaign.slug}/jobs/")
    assert '<option value="lexical">' in page
    assert '<option value="mine">' not in page
    monkeypatch.setattr("tomahto.answerers.registry._configured", {"mine": LexicalAnswerer})
    assert '<option value="mine">' in text(signed_in(admin), f"/c/{campaign.slug}/jobs/")
