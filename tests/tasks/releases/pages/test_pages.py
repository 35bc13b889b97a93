"""Pages of releases that are out: what changed, withdrawing, and what a withdrawn one shows."""

import shutil
from http import HTTPStatus
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from exporters.plan import ReleasePlan
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, Membership, Release, User, Withdrawal
from tasks.releases.workflow.release import publish_release
from tasks.releases.workflow.withdrawal import withdraw_release
from tests.tasks.browsers import signed_in
from tests.tasks.conftest import MakeCampaign, MakeMember, make_campaign, make_member, rating_row

pytestmark = pytest.mark.slow


__all__ = ["make_campaign", "make_member"]  # fixtures

MOVED = "system:test=juniper"
SPLIT = "document:dev=40,test=60"


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    campaign = make_campaign(items=6)
    rate(campaign, *range(1, 6))
    return campaign


@pytest.fixture
def admin(campaign: Campaign, make_member: MakeMember) -> Membership:
    return make_member(campaign, "oak", "admin")


@pytest.fixture
def researcher(campaign: Campaign, make_member: MakeMember) -> Membership:
    return make_member(campaign, "fern", "researcher")


def rate(campaign: Campaign, *items: int) -> None:
    rows = [rating_row(n, rater, "equivalent") for n in items for rater in ("ann", "ben")]
    import_ratings(campaign=campaign, rows=rows)


def publish(campaign: Campaign, folder: Path, version: str, split: str = SPLIT) -> Release:
    plan = ReleasePlan(version=version, seed=0, split=split)
    return publish_release(campaign=campaign, plan=plan, out=folder / version)


def page(client: Client, campaign: Campaign, path: str) -> str:
    response = client.get(f"/c/{campaign.slug}/releases/{path}")
    assert response.status_code == HTTPStatus.OK
    return response.content.decode()


def test_changes_are_counted_and_lead_to_the_items(
    campaign: Campaign, researcher: Membership, tmp_path: Path
) -> None:
    publish(campaign, tmp_path, "1.0.0")
    rate(campaign, 6)
    publish(campaign, tmp_path, "1.1.0")
    html = page(signed_in(researcher), campaign, "1.1.0/changes/")
    item = campaign.items.get(key="item-6")
    assert "From 1.0.0 to 1.1.0" in html
    assert "The version number matches the changes." in html
    assert '<dt>New items</dt><dd><a href="#change-1">1</a></dd>' in html
    assert '<dt>New ratings</dt><dd><a href="#change-2">2</a></dd>' in html
    assert f'<a href="/c/{campaign.slug}/items/{item.pk}/">item-6</a>' in html
    assert "Changed labels" not in html


def test_changes_against_another_release_put_the_lower_number_first(
    campaign: Campaign, researcher: Membership, tmp_path: Path
) -> None:
    publish(campaign, tmp_path, "1.0.0")
    publish(campaign, tmp_path, "2.0.0", MOVED)
    client = signed_in(researcher)
    for path in ("2.0.0/changes/", "2.0.0/changes/?to=1.0.0", "1.0.0/changes/?to=2.0.0"):
        html = page(client, campaign, path)
        assert "From 1.0.0 to 2.0.0" in html
        assert "<code>dev</code> → <code>test</code>" in html
        assert "Settings that differ</dt><dd" in html
    assert client.get(f"/c/{campaign.slug}/releases/2.0.0/changes/?to=9.9.9").status_code == 404
    assert client.get(f"/c/{campaign.slug}/releases/9.9.9/changes/").status_code == 404


def test_changes_name_a_dishonest_number(
    campaign: Campaign, researcher: Membership, tmp_path: Path
) -> None:
    # 1.0.0 could not be compared with while its folder was away
    publish(campaign, tmp_path, "1.0.0")
    (tmp_path / "1.0.0").rename(tmp_path / "lost")
    publish(campaign, tmp_path, "1.0.1", MOVED)
    (tmp_path / "lost").rename(tmp_path / "1.0.0")
    html = page(signed_in(researcher), campaign, "1.0.1/changes/")
    assert "The version number understates the changes." in html
    assert "<dt>Smallest honest step</dt><dd>major</dd>" in html


def test_changes_of_the_only_or_the_first_release_say_so(
    campaign: Campaign, researcher: Membership, tmp_path: Path
) -> None:
    publish(campaign, tmp_path, "1.0.0")
    client = signed_in(researcher)
    assert "There is no other release" in page(client, campaign, "1.0.0/changes/")
    publish(campaign, tmp_path, "1.0.1")
    assert "There is no earlier release" in page(client, campaign, "1.0.0/changes/")
    same = page(client, campaign, "1.0.1/changes/")
    assert "Items, ratings, adjudications and answers are unchanged." in same


def test_changes_of_a_lost_release_say_what_is_missing(
    campaign: Campaign, researcher: Membership, tmp_path: Path
) -> None:
    publish(campaign, tmp_path, "1.0.0")
    publish(campaign, tmp_path, "1.0.1")
    shutil.rmtree(tmp_path / "1.0.0")
    html = page(signed_in(researcher), campaign, "1.0.1/changes/")
    assert "1.0.0 and 1.0.1 cannot be compared:" in html
    assert "manifest.json: is not there as a plain file" in html


def test_changes_are_escaped(
    make_campaign: MakeCampaign, make_member: MakeMember, tmp_path: Path
) -> None:
    campaign = make_campaign(items=3)
    rate(campaign, 1, 2)
    publish(campaign, tmp_path, "1.0.0")
    campaign.items.filter(key="item-3").update(key="<script>alert(1)</script>")
    rows = [
        rating_row(3, "ann", "equivalent", item_id="<script>alert(1)</script>"),
    ]
    import_ratings(campaign=campaign, rows=rows)
    publish(campaign, tmp_path, "1.1.0")
    html = page(signed_in(make_member(campaign, role="admin")), campaign, "1.1.0/changes/")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert "<script>alert" not in html


def test_changes_ask_the_database_no_more_for_more_items(
    campaign: Campaign, researcher: Membership, tmp_path: Path
) -> None:
    publish(campaign, tmp_path, "1.0.0")
    rate(campaign, 6)
    publish(campaign, tmp_path, "1.1.0")
    publish(campaign, tmp_path, "2.0.0", MOVED)
    client = signed_in(researcher)
    page(client, campaign, "1.1.0/changes/")
    queries = []
    for path in ("1.1.0/changes/", "2.0.0/changes/"):
        with CaptureQueriesContext(
            connection,
        ) as captured:
            page(client, campaign, path)
        queries.append(len(captured))
    assert queries[0] == queries[1]


def test_a_release_is_withdrawn_on_its_page(
    campaign: Campaign, admin: Membership, tmp_path: Path
) -> None:
    publish(campaign, tmp_path, "1.0.0")
    client, address = signed_in(admin), f"/c/{campaign.slug}/releases/1.0.0/"
    assert f'href="{address}withdraw/"' in page(client, campaign, "1.0.0/")
    assert "This is permanent" in page(client, campaign, "1.0.0/withdraw/")
    empty = client.post(f"{address}withdraw/", {"reason": " "})
    assert (empty.status_code, Withdrawal.objects.count()) == (422, 0)
    response = client.post(f"{address}withdraw/", {"reason": "Names\nare <b>in</b> it."})
    assert (response.status_code, response["Location"]) == (302, address)
    made = Withdrawal.objects.get()
    assert (made.withdrawn_by, made.role) == (admin.user, "admin")
    shutil.rmtree(tmp_path / "1.0.0")  # nothing that is shown needs the folder
    html = page(client, campaign, "1.0.0/")
    assert "This release has been withdrawn" in html
    assert "<p>Names<br>are &lt;b&gt;in&lt;/b&gt; it.</p>" in html
    assert "Admin, <time" in html
    assert made.release.digest in html
    assert "withdraw/" not in html
    assert '<span class="badge">withdrawn</span>' in page(client, campaign, "")
    again = client.post(f"{address}withdraw/", {"reason": "Again."}, follow=True)
    assert "had already been withdrawn" in again.content.decode()
    assert client.get(f"{address}withdraw/")["Location"] == address
    assert Withdrawal.objects.get() == made


@pytest.mark.parametrize("headers", [{}, {"Range": "bytes=0-9"}])
@pytest.mark.parametrize("path", ["download", "files/README.md", "files/none", "changes/"])
def test_downloads_of_a_withdrawn_release_answer_gone_with_the_reason(
    campaign: Campaign, researcher: Membership, tmp_path: Path, path: str, headers: dict[str, str]
) -> None:
    publish(campaign, tmp_path, "0.9.0")
    release = publish(campaign, tmp_path, "1.0.0")
    withdraw_release(release=release, reason="Names are in it.")
    response = signed_in(researcher).get(
        f"/c/{campaign.slug}/releases/1.0.0/{path}", headers=headers
    )
    assert response.status_code == HTTPStatus.GONE
    html = response.content.decode()
    assert "Names are in it." in html
    assert "Operator of the site, <time" in html


def test_a_withdrawn_release_is_not_compared_with(
    campaign: Campaign, researcher: Membership, tmp_path: Path
) -> None:
    publish(campaign, tmp_path, "1.0.0")
    withdraw_release(release=publish(campaign, tmp_path, "1.0.1"), reason="Leaks.")
    publish(campaign, tmp_path, "1.0.2")
    client = signed_in(researcher)
    html = page(client, campaign, "1.0.2/changes/")
    assert "From 1.0.0 to 1.0.2" in html
    assert '<option value="1.0.1"' not in html
    assert client.get(f"/c/{campaign.slug}/releases/1.0.2/changes/?to=1.0.1").status_code == 404


def test_only_admins_withdraw_and_raters_see_nothing(
    campaign: Campaign, researcher: Membership, make_member: MakeMember, tmp_path: Path
) -> None:
    publish(campaign, tmp_path, "1.0.0")
    address = f"/c/{campaign.slug}/releases/1.0.0/"
    client = signed_in(researcher)
    assert client.get(f"{address}withdraw/").status_code == 403
    assert client.post(f"{address}withdraw/", {"reason": "Mine."}).status_code == 403
    assert "withdraw/" not in page(client, campaign, "1.0.0/")
    rater = signed_in(make_member(campaign, "pine"))
    assert [rater.get(f"{address}{each}/").status_code for each in ("changes", "withdraw")] == [
        *(403, 403)
    ]
    stranger = signed_in(User.objects.create_user("moss"))
    assert [stranger.get(f"{address}{each}/").status_code for each in ("changes", "withdraw")] == [
        *(404, 404)
    ]
    assert not Withdrawal.objects.exists()
