"""Whoever deletes what ratings hang on, by whichever way, is refused: no rating goes (R18)."""

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.models import Model, ProtectedError, QuerySet
from django.test import Client

from tasks.models import Campaign, Guideline, Item, Membership, Outcome, Rating, Slot, User
from tests.factories import PASSWORD, make_campaign, make_item, make_member, make_user
from tests.tasks.browsers import signed_in
from tests.tasks.conftest import rate_next
from tests.tasks.models.guards import execute

MODELS: tuple[type[Model], ...] = (User, Campaign, Guideline, Membership, Item, Slot, Outcome)
TABLES = ("user", "campaign", "guideline", "membership", "item", "slot", "assignment", "outcome")


@pytest.fixture
def rater(db: None) -> Membership:
    campaign = make_campaign("rivers")
    make_item(campaign)
    rater = make_member(campaign)
    rate_next(rater)
    return rater


@pytest.mark.usefixtures("rater")
def test_no_rating_goes_when_the_application_deletes() -> None:
    for model in MODELS:
        rows: QuerySet[Model] = model._default_manager.all()
        with pytest.raises(DatabaseError), transaction.atomic():  # ProtectedError is one
            rows.delete()
        assert Rating.objects.count() == 1, model


@pytest.mark.usefixtures("rater")
def test_no_rating_goes_by_raw_sql() -> None:
    for table in TABLES:
        with pytest.raises(DatabaseError):
            _delete_and_commit(table)
        assert Rating.objects.count() == 1, table


@transaction.atomic
def _delete_and_commit(table: str) -> None:
    execute(f"DELETE FROM tasks_{table}")
    connection.check_constraints()  # as the commit does


def test_a_single_one_is_protected(rater: Membership) -> None:
    for of in (rater.user, rater.campaign, rater.campaign.guideline, rater):
        assert of is not None
        with pytest.raises(ProtectedError):
            of.delete()
        assert Rating.objects.count() == 1, of


@pytest.fixture
def operator(db: None) -> Client:
    return signed_in(make_user("operator", is_staff=True, is_superuser=True))


def test_no_rating_goes_by_the_operators_admin(operator: Client, rater: Membership) -> None:
    addresses = {
        f"/admin/tasks/user/{rater.user_id}/delete/": 200,  # says what protects it
        f"/admin/tasks/campaign/{rater.campaign_id}/delete/": 403,
        f"/admin/tasks/membership/{rater.pk}/delete/": 403,
        f"/admin/tasks/rating/{rater.ratings.get().pk}/delete/": 403,
    }
    yes = {"post": "yes", "password": PASSWORD}
    found = {address: operator.post(address, yes).status_code for address in addresses}
    assert found == addresses
    chosen = {"action": "delete_selected", "_selected_action": rater.user_id, **yes}
    assert operator.post("/admin/tasks/user/", chosen).status_code == 200
    assert User.objects.filter(memberships=rater).exists()
    assert Rating.objects.count() == 1
