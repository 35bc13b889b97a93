"""In an archived campaign no page and no call changes anything, but for those that are named here.

The addresses come from the URL configuration, so a new one is refused or has to be named."""

import logging
from collections.abc import Iterator

import pytest
from django.apps import apps

from tasks.campaigns.workflow.lives import archive, delete_campaign
from tasks.models import Assignment, Membership, Rating, User
from tasks.rating.workflow.assignment import claim_item
from tests.table_hashes import Hashes, table_hashes
from tests.tasks.browsers import signed_in
from tests.tasks.conftest import EQUIVALENT
from tests.tasks.whole.routes import ROWS, WRITE, addresses, filled, status

pytestmark = pytest.mark.slow

METHODS = ("POST", "PUT", "PATCH", "DELETE")
# of campaigns, and taken while one is archived
TAKEN = {
    # what opens votes to whoever reads them
    *("items", "item-votes", "rater", "api-item-votes", "api-seen-votes"),
    # releases of what there is
    *("release-new", "release-withdraw", "api-releases", "api-release-previews"),
    "api-release-withdrawal",
    # ending access and work; any other change of a member is refused when it is recorded
    *("member", "api-member", "job-cancel", "api-job-cancel"),
    # the campaign as a whole
    *("campaign-archive", "campaign-copy", "campaign-delete", "campaign-reopen"),
    *("api-campaign-archive", "api-campaign-copies", "api-campaign-deletion"),
    "api-campaign-reopen",
    # operators come in to read, too
    *("campaign-enter", "api-campaign-enter"),
}


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Requests are refused here on purpose: no warning says more."""
    logging.disable(logging.ERROR)
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture
def held(rater: Membership) -> Assignment:
    """The rater's, in what will be an archived campaign."""
    claim = claim_item(membership=rater)
    assert claim is not None
    return Assignment.objects.get(pk=claim.assignment_id)


def everything() -> Hashes:
    models = apps.get_app_config("tasks").get_models()
    return table_hashes(*(model._meta.db_table for model in models))


def writes(rater: Membership, assignment: Assignment) -> Iterator[tuple[str, str, str]]:
    """Name, method and address of what writes in a campaign."""
    for name, pattern in addresses():
        if "<slug:slug>" in pattern or "assignment_id" in pattern:
            address = filled(pattern, rater, assignment_id=assignment.pk)
            methods = WRITE if not pattern.startswith("api/") else METHODS
            yield from ((name, each, address) for each in methods if each in ROWS[name].methods)


def test_nothing_is_changed_in_an_archived_campaign(
    operating_admin: Membership, rater: Membership, held: Assignment
) -> None:
    archive(campaign=rater.campaign)
    browsers = {"entered": signed_in(operating_admin), "rater": signed_in(rater)}
    before = everything()
    answers = {
        (name, method): {
            browser.generic(method, address, content_type="application/json").status_code
            for who, browser in browsers.items()
            if ROWS[name].admits(who, method)
        }
        for name, method, address in writes(rater, held)
        if name not in {*TAKEN, "api-rating"}  # which reads what was sent first, see below
    }
    assert len(answers) > 100
    # an assignment is looked for among one's own: the admin has none
    assert {key: found for key, found in answers.items() if not {409} <= found <= {409, 404}} == {}
    assert everything() == before


def test_no_rating_is_stored(rater: Membership, held: Assignment) -> None:
    archive(campaign=rater.campaign)
    answer = signed_in(rater).post(
        f"/api/v1/assignments/{held.pk}/rating",
        {"answers": EQUIVALENT},
        "application/json",
        headers={"Idempotency-Key": "key"},
    )
    assert (answer.status_code, Rating.objects.count()) == (409, 0)


def test_what_is_taken_is_there() -> None:
    assert set(ROWS) >= TAKEN


def test_page_and_call_say_why(admin: Membership) -> None:
    browser = signed_in(admin)
    campaign = admin.campaign
    archive(campaign=campaign)
    page = browser.post(f"/c/{campaign.slug}/settings/", {"title": "x"})
    assert page.status_code == 409
    assert "Nothing was changed, because" in page.content.decode()
    called = browser.post(f"/api/v1/campaigns/{campaign.slug}/invitations", {}, "application/json")
    assert (called.status_code, called.json()) == (
        409,
        {
            "detail": f"the campaign {campaign.slug} is archived and read-only; "
            "an admin can reopen it in its settings"
        },
    )
    part = browser.post(f"/c/{campaign.slug}/rate/1/draft/", headers={"HX-Request": "true"})
    assert (part.status_code, part.headers["HX-Refresh"]) == (409, "true")


def test_every_other_change_of_a_member_is_refused(admin: Membership, rater: Membership) -> None:
    archive(campaign=admin.campaign)
    address = f"/c/{admin.campaign.slug}/settings/members/{rater.pk}/"
    answers = {
        action: signed_in(admin).post(address, {"action": action}).status_code
        for action in ("pause", "deactivate")
    }
    assert answers == {"pause": 409, "deactivate": 302}


def test_a_deleted_campaign_is_found_nowhere(
    admin: Membership, rater: Membership, held: Assignment, operator: User
) -> None:
    campaign = rater.campaign
    delete_campaign(campaign=campaign, typed=campaign.slug)
    for browser in (signed_in(admin), signed_in(rater), signed_in(operator)):
        found = {
            (name, status(browser, "GET", filled(pattern, rater, assignment_id=held.pk))[0])
            for name, pattern in addresses()
            if "<slug:slug>" in pattern or "assignment_id" in pattern
        }
        assert {(name, code) for name, code in found if code not in (404, 405)} == set()
        for address in ("/", "/account/", f"/find/?q={campaign.slug}", "/inbox/"):
            assert campaign.title not in browser.get(address).content.decode(), address
