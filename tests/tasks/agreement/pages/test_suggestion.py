"""The page that says whether the suggestion steers."""

import pytest
from django.test import Client

from tasks.agreement.workflow.alerts import look_if_due
from tasks.models import Campaign, Membership, SuggestionPolicy
from tests.factories import make_campaign, make_member
from tests.simulated_suggestions import simulate
from tests.tasks.browsers import signed_in

pytestmark = pytest.mark.django_db


def page_of(campaign: Campaign, client: Client, language: str = "en") -> str:
    address = f"/c/{campaign.slug}/agreement/suggestion/"
    response = client.get(address, headers={"Accept-Language": language})
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def test_a_planted_effect_is_named_on_the_page(db: None) -> None:
    campaign = simulate(items=100, effect=0.3)
    client = signed_in(make_member(campaign, "researcher"))
    assert "No test yet: the next look is at 100 ratings." in page_of(campaign, client)
    look = look_if_due(campaign=campaign, ratings=300)
    assert look is not None
    bound = f"{100 * look.as_json()['findings']['steering']['bound']:.1f}"
    page = page_of(campaign, client)
    sentence = (
        "The suggestion steers raters: they agree with it more often when they see it, by at "
    )
    assert f"{sentence}least {bound} percentage points." in page
    assert "As of look 1, at 300 ratings; the next look is at 450." in page
    german = page_of(campaign, client, "de")
    number = bound.replace(".", ",")
    assert f"wenn sie ihn sehen, um mindestens {number} Prozentpunkte." in german


def test_a_look_at_a_campaign_without_a_lot_concludes_nothing(db: None) -> None:
    campaign = make_campaign()
    look_if_due(campaign=campaign, ratings=100)
    page = page_of(campaign, signed_in(make_member(campaign, "researcher")))
    assert "As of look 1, at 100 ratings" in page
    assert "no rating was given while the suggestion was shown at random" in page


def test_what_an_earlier_look_found_stays_on_the_page(db: None) -> None:
    campaign = simulate(items=100, effect=0.3)
    look_if_due(campaign=campaign, ratings=300)
    other = simulate(items=100)
    found = look_if_due(campaign=other, ratings=300)
    assert found is not None
    found.campaign, found.number, found.pk = campaign, 2, None
    found.save()
    page = page_of(campaign, signed_in(make_member(campaign, "researcher")))
    assert "No conclusion yet on whether the suggestion steers raters." in page
    assert "Look 1, at 300 ratings, found this, and it still holds: The suggestion steers" in page


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        ("hidden", "Raters see no suggestions at present."),
        ("before", "All raters see the suggestion with the item at present."),
        ("after", "Raters see the suggestion after their answer at present."),
        ("randomised", ""),
    ],
)
def test_without_a_lot_the_page_says_what_to_switch_on(
    admin: Membership, policy: str, sentence: str
) -> None:
    Campaign.objects.update(suggestions=policy)
    page = page_of(admin.campaign, signed_in(admin))
    assert sentence in page
    is_wanted = policy != SuggestionPolicy.RANDOMISED
    assert ("Switch on “Shown with the item for a random half”" in page) == is_wanted
    assert ('<a href="/c/rivers/settings/">Open the settings</a>' in page) == is_wanted
