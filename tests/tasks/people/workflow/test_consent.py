"""The consent text: versions, who agreed, and when they are asked again."""

import pytest

from tasks.models import Campaign, Consent, ConsentText, Membership
from tasks.people.workflow.members import ConsentTextChanged, give_consent, publish_consent_text
from tasks.rating.workflow.admission import what_is_missing
from tests.tasks.conftest import MakeCampaign, MakeMember


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=0)


@pytest.fixture
def rater(campaign: Campaign, make_member: MakeMember) -> Membership:
    return make_member(campaign)


def missing(membership: Membership) -> str | None:
    """As the next request would find it."""
    return what_is_missing(Membership.objects.select_related("campaign").get(pk=membership.pk))


def test_publish_makes_versions_and_equal_text_makes_none(campaign: Campaign) -> None:
    texts = ["Take part?", " Take part?\r\n", "Take part, please?"]
    versions = [publish_consent_text(campaign=campaign, text=text) for text in texts]
    assert [text.version for text in versions if text] == [1, 1, 2]
    campaign.refresh_from_db()
    assert (campaign.consent_text, ConsentText.objects.count()) == (versions[-1], 2)
    assert versions[-1] is not None
    assert versions[-1].text == "Take part, please?\n"


def test_publish_of_nothing_withdraws_the_text_and_the_next_is_a_new_version(
    campaign: Campaign, rater: Membership
) -> None:
    publish_consent_text(campaign=campaign, text="Take part?")
    assert missing(rater) == "consent"
    assert publish_consent_text(campaign=campaign, text=" \n") is None
    assert missing(rater) is None
    again = publish_consent_text(campaign=campaign, text="Take part?")
    assert again is not None
    assert again.version == 2


def test_consent_is_asked_once_and_again_when_the_text_changes(
    campaign: Campaign, rater: Membership
) -> None:
    for version in (1, 2):
        publish_consent_text(campaign=campaign, text=f"Text {version}")
        assert missing(rater) == "consent"
        given = {give_consent(membership=rater, version=version).pk for _ in range(2)}
        assert (missing(rater), len(given)) == (None, 1)
    assert list(Consent.objects.values_list("membership", "text__version")) == [
        (rater.pk, 1),
        (rater.pk, 2),
    ]


@pytest.mark.parametrize("version", [1, 3])
def test_consent_to_another_version_than_the_one_in_force_is_refused(
    make_campaign: MakeCampaign, make_member: MakeMember, version: int
) -> None:
    campaign, other = make_campaign(items=0), make_campaign(items=0)
    rater = make_member(campaign)
    for text in ("One", "Two"):
        publish_consent_text(campaign=campaign, text=text)
    for text in ("One", "Two", "Three"):
        publish_consent_text(campaign=other, text=text)
    with pytest.raises(ConsentTextChanged, match=f"version {version} .* is not in force"):
        give_consent(membership=rater, version=version)
    assert not Consent.objects.exists()
    assert missing(rater) == "consent"


def test_consent_to_a_withdrawn_text_is_refused(
    campaign: Campaign, make_member: MakeMember
) -> None:
    publish_consent_text(campaign=campaign, text="Take part?")
    publish_consent_text(campaign=campaign, text="")
    with pytest.raises(ConsentTextChanged):
        give_consent(membership=make_member(campaign), version=1)
