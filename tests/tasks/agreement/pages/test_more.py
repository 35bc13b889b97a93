"""The page that says how many more ratings it takes."""

import pytest
from django.http import QueryDict
from django.test import Client

from tasks.models import Campaign, ItemOrder, ItemSystem, Suggestion
from tests.bulk import fill
from tests.factories import make_member
from tests.simulated_suggestions import simulate
from tests.tasks.browsers import HTMX, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def simulated(db: None) -> Campaign:
    """60 items rated three times each, one system, all suggested."""
    return simulate(items=60, agree=0.8)


@pytest.fixture
def client(simulated: Campaign) -> Client:
    return signed_in(make_member(simulated, "researcher"))


def page_of(campaign: Campaign, client: Client, **chosen: object) -> str:
    query = QueryDict(mutable=True)
    query.update({name: str(value) for name, value in chosen.items()})
    response = client.get(f"/c/{campaign.slug}/agreement/more/?{query.urlencode()}")
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def test_a_wide_target_is_reached_already(simulated: Campaign, client: Client) -> None:
    page = page_of(simulated, client, quantity="accuracy/juniper", width=0.5)
    assert "Accuracy of juniper" in page
    assert "The interval is as narrow as requested." in page


def test_a_narrow_target_says_what_it_takes_and_what_there_is(
    simulated: Campaign, client: Client
) -> None:
    address = f"/c/{simulated.slug}/agreement/more/?quantity=accuracy/juniper&width=0.1"
    plan = client.get(address).context["plan"]
    width = plan.estimate.high - plan.estimate.low
    needed = int(60 * (width / 0.1) ** 2) + 1
    assert (plan.size.n, plan.size.needed, plan.size.available) == (60, needed, 60)
    assert plan.size.more_ratings == 3 * (needed - 60)
    numbers = [number for number, _width in plan.widths]
    assert (numbers[0], numbers[-1], numbers == sorted(set(numbers))) == (60, needed, True)
    page = page_of(simulated, client, quantity="accuracy/juniper", width=0.1)
    assert f"cannot reach the target width: about {plan.size.more_ratings:,} further" in page


def test_a_target_in_reach_says_how_many_ratings_it_takes(
    simulated: Campaign, client: Client
) -> None:
    # a second campaign's worth of items that nobody has rated, of the same system
    system = simulated.systems.get()
    items = fill(simulated, 600, prefix="more")
    ItemSystem.objects.bulk_create(ItemSystem(item=item, system=system) for item in items)
    address = f"/c/{simulated.slug}/agreement/more/?quantity=accuracy/juniper&width=0.15"
    plan = client.get(address).context["plan"]
    assert (plan.size.available, plan.size.is_reachable, plan.ratings_each) == (660, True, 3)
    page = page_of(simulated, client, quantity="accuracy/juniper", width=0.15)
    assert f"About {plan.size.more_ratings} further ratings are needed." in page


def test_the_choice_is_kept_in_the_form_and_one_that_cannot_be_is_told(
    simulated: Campaign, client: Client
) -> None:
    page = page_of(simulated, client, quantity="accuracy/juniper", width=0.07, epsilon="0.1")
    assert '<option value="accuracy/juniper" selected>juniper</option>' in page
    assert '<option value="0.1" selected>' in page
    assert 'value="0.07"' in page
    assert "significantly below ε = 0.10" in page
    for name, value, error in (
        ("width", "-1", "greater than or equal to 0.001"),
        ("quantity", "accuracy/nobody", "accuracy/nobody is not one of the available choices."),
        ("epsilon", "0.5", "0.5 is not one of the available choices."),
    ):
        page = page_of(simulated, client, **{name: value})
        assert error in page
        assert "Predicted width" not in page


def test_another_choice_is_answered_though_the_figures_are_the_same(
    simulated: Campaign, client: Client
) -> None:
    address = f"/c/{simulated.slug}/agreement/more/"
    stamp = client.get(address).context["stamp"]
    polled = client.get(address, headers={**HTMX, "X-Figures": stamp})
    assert polled.status_code == 204
    chosen = client.get(f"{address}?quantity=accuracy/juniper", headers=HTMX)
    assert chosen.status_code == 200
    assert "Accuracy of juniper" in chosen.content.decode()


def test_the_page_refuses_predictions_with_the_reason(simulated: Campaign, client: Client) -> None:
    page = page_of(simulated, client)
    assert "With predictions" in page
    assert "have no score" not in page
    Suggestion.objects.filter(item__in=simulated.items.order_by("id")[:7]).delete()
    page = page_of(simulated, client)
    assert page.count("7 of 60 answers have no score of f1: run prefill") == 2  # in either table
    for field, value, sentence in (
        ("suggestion_matcher", "feather@x", "the matcher was trained on the labels of this"),
        ("suggestion_matcher", "em", "Not possible yet: this matcher has made no suggestions"),
        ("item_order", ItemOrder.OLDEST, "handed out in the order “As imported, oldest first”"),
    ):
        Campaign.objects.filter(pk=simulated.pk).update(**{field: value})
        page = page_of(simulated, client)
        assert sentence in page
        assert "With predictions" not in page


def test_the_stand_in_test_ends_in_a_plain_sentence(simulated: Campaign, client: Client) -> None:
    page = page_of(simulated, client)
    assert "The test is not possible yet:" in page  # each rater has too few items in common
    large = simulate(items=300, agree=0.9)
    page = page_of(large, signed_in(make_member(large, "researcher")), epsilon="0.2")
    assert "f1 may replace a rater: it holds its own against 100 % of the raters." in page
