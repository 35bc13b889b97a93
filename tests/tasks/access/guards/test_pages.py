"""Who gets which page: strangers nothing, raters their work, admins everything."""

import pytest
from django.test import Client

from tasks.models import Job, JobKind, Membership, User
from tests.factories import make_campaign, make_item, make_member
from tests.tasks.browsers import signed_in

pytestmark = pytest.mark.slow


FOR_MEMBERS = ["rate/", "history/", "guidelines/"]
FOR_RESULTS = [
    "adjudicate/",
    "adjudicate/decided/",
    "agreement/",
    "agreement/alerts/",
    "agreement/classes/",
    "agreement/classes/equivalent/not-equivalent/",
    "agreement/labels/",
    "agreement/more/",
    "agreement/progress/",
    "agreement/raters/",
    "agreement/suggestion/",
    "agreement/systems/",
    "agreement/time/",
    "lab/",
    "matchers/",
    "releases/",
    "releases/datasheet/",
    "releases/new/",
]
FOR_ADMINS = [
    "flags/",
    "generated/",
    "import/",
    "jobs/",
    "jobs/failed/",
    "settings/",
    "settings/members/",
]
POSTS_FOR_ADMINS = [
    "agreement/alerts/channels/",
    "agreement/alerts/rules/",
    "agreement/alerts/trial/",
    "settings/",
    "settings/guidelines/",
    "settings/consent/",
    "settings/calibration/",
    "settings/completion/",
    "settings/invitations/",
    "settings/members/new/",
    "settings/members/add/",
    "import/",
    "jobs/",
    "generated/",
    "matchers/train/",
    "matchers/use/",
]


def statuses(client: Client, pages: list[str]) -> list[int]:
    return [client.get(f"/c/rivers/{page}").status_code for page in pages]


def test_pages_send_those_who_are_not_signed_in_to_the_login(rater: Membership) -> None:
    response = Client().get("/c/rivers/rate/")
    assert (response.status_code, response["Location"]) == (302, "/login/?next=/c/rivers/rate/")


def test_pages_are_not_there_for_strangers(rater: Membership, stranger: User) -> None:
    pages = ["", *FOR_MEMBERS, *FOR_RESULTS, *FOR_ADMINS]
    assert statuses(signed_in(stranger), pages) == [404] * len(pages)


def test_pages_are_not_there_for_deactivated_members(rater: Membership) -> None:
    Membership.objects.filter(pk=rater.pk).update(is_active=False)
    assert statuses(signed_in(rater), FOR_MEMBERS) == [404] * 3


def test_raters_get_their_pages_and_no_others(rater: Membership) -> None:
    client = signed_in(rater)
    assert statuses(client, FOR_MEMBERS) == [200] * 3
    assert statuses(client, [*FOR_RESULTS, *FOR_ADMINS]) == [403] * len([*FOR_RESULTS, *FOR_ADMINS])
    assert client.get("/c/rivers/")["Location"] == "/c/rivers/rate/"


def test_researchers_see_results_and_change_nothing(researcher: Membership) -> None:
    client = signed_in(researcher)
    pages = ["", *FOR_MEMBERS, *FOR_RESULTS]
    assert statuses(client, pages) == [200] * len(pages)
    assert statuses(client, FOR_ADMINS) == [403] * len(FOR_ADMINS)


def test_raters_see_neither_an_items_votes_nor_a_raters_page(
    rater: Membership, researcher: Membership, stranger: User
) -> None:
    item = rater.campaign.items.first()
    assert item is not None
    pages = [f"items/{item.pk}/", f"agreement/raters/{rater.pseudonym}/"]
    assert statuses(signed_in(rater), pages) == [403] * 2
    assert statuses(signed_in(researcher), pages) == [200] * 2
    assert statuses(signed_in(stranger), pages) == [404] * 2


def test_items_and_raters_of_another_campaign_are_not_there(admin: Membership) -> None:
    other = make_campaign()
    item, somebody = make_item(other), make_member(other)
    pages = [f"items/{item.pk}/", f"agreement/raters/{somebody.pseudonym}/"]
    assert statuses(signed_in(admin), pages) == [404] * 2


def test_admins_get_every_page(admin: Membership) -> None:
    pages = ["", *FOR_MEMBERS, *FOR_RESULTS, *FOR_ADMINS]
    assert statuses(signed_in(admin), pages) == [200] * len(pages)


@pytest.mark.parametrize("page", POSTS_FOR_ADMINS)
def test_researchers_cannot_post_to_the_admins_pages(researcher: Membership, page: str) -> None:
    assert signed_in(researcher).post(f"/c/rivers/{page}").status_code == 403


def test_jobs_of_another_campaign_are_not_there(admin: Membership) -> None:
    job = Job.objects.create(campaign=make_campaign(), kind=JobKind.SUGGEST, input_hash="x")
    client = signed_in(admin)
    assert client.get(f"/c/rivers/jobs/{job.pk}/").status_code == 404
    for action in ("cancel", "retry", "leave"):
        assert client.post(f"/c/rivers/jobs/{job.pk}/{action}/").status_code == 404


def test_posts_without_a_csrf_token_are_refused_with_a_page(rater: Membership) -> None:
    client = Client(enforce_csrf_checks=True)
    assert rater.user is not None
    client.force_login(rater.user, backend="django.contrib.auth.backends.ModelBackend")
    response = client.post("/c/rivers/rate/1/", {"action": "submit"})
    assert response.status_code == 403
    assert "This form has expired" in response.content.decode()


def test_every_page_carries_a_strict_content_security_policy(rater: Membership) -> None:
    policy = signed_in(rater).get("/c/rivers/rate/")["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "object-src 'none'" in policy
