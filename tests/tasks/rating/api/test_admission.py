"""Consent and calibration over the API: nothing is claimed before them, nothing given away."""

import pytest

from tasks.intake.workflow.items import import_items
from tasks.models import Assignment, Campaign
from tasks.people.workflow.members import give_consent, publish_consent_text
from tasks.training.workflow import pass_member
from tests.tasks.api_client import AsMember
from tests.tasks.conftest import EQUIVALENT, MakeCampaign, MakeMember, item_row
from tomahto.interchange.reading.records import GivenAnswer

SECRET = "Because the spring is named."


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    """One live item; consent and calibration are asked for."""
    campaign = make_campaign(items=1, requires_calibration=True)
    expected = GivenAnswer(None, EQUIVALENT)
    row = item_row(11, purpose="calibration", expected=expected, explanation=SECRET)
    import_items(campaign=campaign, rows=[row])
    publish_consent_text(campaign=campaign, text="Take part?")
    return campaign


def test_claim_says_what_is_missing_and_where(
    campaign: Campaign, make_member: MakeMember, as_member: AsMember
) -> None:
    member = make_member(campaign)
    caller = as_member(member)
    response = caller.claim(campaign.slug)
    assert (response.status_code, response.json()) == (
        403,
        {
            "detail": "consent to the current text is required before an item can be claimed",
            "missing": "consent",
            "url": f"http://testserver/c/{campaign.slug}/consent/",
        },
    )
    give_consent(membership=member, version=1)
    response = caller.claim(campaign.slug)
    assert (response.status_code, response.json()) == (
        403,
        {
            "detail": "the calibration must be passed before an item can be claimed",
            "missing": "calibration",
            "url": f"http://testserver/c/{campaign.slug}/calibration/",
        },
    )
    assert not Assignment.objects.exists()
    pass_member(membership=member, reason="Known to us.", by=member)
    assert caller.claim(campaign.slug).status_code == 200
