"""Pages offer the matchers that can be used here."""

import pytest

from tasks.models import Campaign, Membership
from tests.tasks.browsers import signed_in, text
from tomahto.pretrained.files import configure_models


@pytest.fixture(autouse=True)
def no_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tomahto.pretrained.files._configured", {})


def test_settings_offer_a_matcher_once_its_model_is_set(
    admin: Membership, campaign: Campaign
) -> None:
    assert 'value="bem"' not in text(signed_in(admin), f"/c/{campaign.slug}/settings/")
    configure_models({"TOMAHTO_BEM_MODEL": "somewhere"})
    html = text(signed_in(admin), f"/c/{campaign.slug}/settings/")
    assert 'value="bem"' in html
    assert 'value="cap"' not in html


def test_settings_keep_a_matcher_whose_model_went_away(
    admin: Membership, campaign: Campaign
) -> None:
    campaign.suggestion_matcher = "bem"
    campaign.save()
    html = text(signed_in(admin), f"/c/{campaign.slug}/settings/")
    assert '<option value="bem" selected>bem</option>' in html
