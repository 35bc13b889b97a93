"""Admins see chosen names, researchers pseudonyms; nobody sees those of another campaign."""

from tasks.models import Campaign, Membership
from tasks.people.shown.names import Names, ShownName, shown_name
from tests.factories import make_campaign, make_member


def test_admins_see_chosen_names_and_pseudonyms(
    campaign: Campaign, admin: Membership, rater: Membership
) -> None:
    both = ShownName(rater.pseudonym, rater.name)
    assert Names(admin).of(rater.pseudonym) == both
    assert shown_name(admin, rater) == both
    assert str(both) == rater.name != rater.pseudonym


def test_researchers_see_pseudonyms_alone(researcher: Membership, rater: Membership) -> None:
    alone = ShownName(rater.pseudonym)
    assert Names(researcher).of(rater.pseudonym) == alone
    assert shown_name(researcher, rater) == alone
    assert str(alone) == rater.pseudonym


def test_names_of_another_campaign_are_not_known(admin: Membership) -> None:
    stranger = make_member(make_campaign("elsewhere"), "rater")
    assert Names(admin).of(stranger.pseudonym) == ShownName(stranger.pseudonym)
