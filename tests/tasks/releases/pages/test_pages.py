"""Pages of releases that are out: what changed, withdrawing, and what a withdrawn one shows."""

from functools import partial
from http import HTTPStatus
from pathlib import Path

import pytest
from django.test import Client

from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, Membership, Release, User, Withdrawal
from tasks.releases.workflow.listing import withdraw_release
from tests.factories import make_member
from tests.tasks.browsers import signed_in
from tests.tasks.conftest import rating_row
from tests.tasks.releases.releasing import MOVED, publish, rated_campaign
from tests.tasks.statements import statements

pytestmark = pytest.mark.slow

SCRIPT = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def _published(kept_rows: None, tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    folder = tmp_path_factory.mktemp("releases")
    campaign = rated_campaign(rated=5)
    publish(campaign, folder / "1.0.0", "1.0.0")
    campaign.items.filter(key="item-6").update(key=SCRIPT)
    new = [rating_row(6, rater, "equivalent", item_id=SCRIPT) for rater in ("ann", "ben")]
    import_ratings(campaign=campaign, rows=new)
    publish(campaign, folder / "1.1.0", "1.1.0")
    publish(campaign, folder / "1.1.1", "1.1.1")
    publish(campaign, folder / "2.0.0", "2.0.0", split=MOVED)
    return campaign


@pytest.fixture
def campaign(_published: Campaign, db: None) -> Campaign:
    """1.1.0 has an item more than 1.0.0, 1.1.1 says the same, and in 2.0.0 items moved."""
    return Campaign.objects.get(pk=_published.pk)


@pytest.fixture
def admin(campaign: Campaign) -> Membership:
    return make_member(campaign, "admin", "oak")


@pytest.fixture
def researcher(campaign: Campaign) -> Client:
    return signed_in(make_member(campaign, "researcher", "fern"))


def page(client: Client, campaign: Campaign, path: str) -> str:
    response = client.get(f"/c/{campaign.slug}/releases/{path}")
    assert response.status_code == HTTPStatus.OK
    return response.content.decode()


def lose(folder: Path, *versions: str) -> None:
    """The folders of these releases are not where their rows say."""
    Release.objects.filter(version__in=versions).update(path=str(folder / "lost"))


def withdraw(version: str, reason: str = "Names are in it.") -> None:
    withdraw_release(release=Release.objects.get(version=version), reason=reason)


def test_changes_are_counted_and_lead_to_the_items(campaign: Campaign, researcher: Client) -> None:
    html = page(researcher, campaign, "1.1.0/changes/")
    item = campaign.items.get(key=SCRIPT)
    assert "From 1.0.0 to 1.1.0" in html
    assert "The version number reflects the changes." in html
    assert '<dt>New items</dt><dd><a href="#change-1">1</a></dd>' in html
    assert '<dt>New ratings</dt><dd><a href="#change-2">2</a></dd>' in html
    name = "&lt;script&gt;alert(1)&lt;/script&gt;"
    assert f'<a href="/c/{campaign.slug}/items/{item.pk}/">{name}</a>' in html
    assert "<script>alert" not in html
    assert "Changed labels" not in html


def test_changes_against_another_release_put_the_lower_number_first(
    campaign: Campaign, researcher: Client
) -> None:
    for path in ("2.0.0/changes/", "2.0.0/changes/?to=1.1.1", "1.1.1/changes/?to=2.0.0"):
        html = page(researcher, campaign, path)
        assert "From 1.1.1 to 2.0.0" in html
        assert "<code>dev</code> → <code>test</code>" in html
        assert "Different settings</dt><dd" in html
    for path in ("2.0.0/changes/?to=9.9.9", "9.9.9/changes/"):
        assert researcher.get(f"/c/{campaign.slug}/releases/{path}").status_code == 404


def test_changes_name_a_dishonest_number(
    campaign: Campaign, researcher: Client, tmp_path: Path
) -> None:
    # 2.0.1 could not be compared with any while their folders were away
    place = Release.objects.get(version="2.0.0").path
    lose(tmp_path, "1.0.0", "1.1.0", "1.1.1", "2.0.0")
    publish(campaign, tmp_path / "2.0.1", "2.0.1")
    Release.objects.filter(version="2.0.0").update(path=place)
    html = page(researcher, campaign, "2.0.1/changes/")
    assert "The version number understates the changes." in html
    assert "<dt>Minimum step</dt><dd>major</dd>" in html


def test_changes_of_the_only_or_the_first_release_say_so(
    campaign: Campaign, researcher: Client
) -> None:
    assert "There is no earlier release" in page(researcher, campaign, "1.0.0/changes/")
    same = page(researcher, campaign, "1.1.1/changes/")
    assert "Items, ratings, adjudications and answers are the same." in same
    Release.objects.exclude(version="1.0.0").delete()
    assert "There is no other release" in page(researcher, campaign, "1.0.0/changes/")


def test_changes_of_a_lost_release_say_what_is_missing(
    campaign: Campaign, researcher: Client, tmp_path: Path
) -> None:
    lose(tmp_path, "1.1.0")
    html = page(researcher, campaign, "1.1.1/changes/")
    assert "1.1.0 and 1.1.1 cannot be compared:" in html
    assert "manifest.json: is missing or not a regular file" in html


def test_changes_ask_the_database_no_more_for_more_items(
    campaign: Campaign, researcher: Client
) -> None:
    page(researcher, campaign, "2.0.0/changes/")  # the first look at votes is noted
    one, several = (
        statements(partial(page, researcher, campaign, f"{version}/changes/"))[0]
        for version in ("1.1.0", "2.0.0")
    )
    assert one == several


def test_a_release_is_withdrawn_on_its_page(
    campaign: Campaign, admin: Membership, tmp_path: Path
) -> None:
    client, address = signed_in(admin), f"/c/{campaign.slug}/releases/1.0.0/"
    assert f'href="{address}withdraw/"' in page(client, campaign, "1.0.0/")
    assert "A withdrawal is final" in page(client, campaign, "1.0.0/withdraw/")
    empty = client.post(f"{address}withdraw/", {"reason": " "})
    assert (empty.status_code, Withdrawal.objects.count()) == (422, 0)
    response = client.post(f"{address}withdraw/", {"reason": "Names\nare <b>in</b> it."})
    assert (response.status_code, response["Location"]) == (302, address)
    made = Withdrawal.objects.get()
    assert (made.withdrawn_by, made.role) == (admin.user, "admin")
    lose(tmp_path, "1.0.0")  # nothing that is shown needs the folder
    html = page(client, campaign, "1.0.0/")
    assert "This release was withdrawn" in html
    assert "<p>Names<br>are &lt;b&gt;in&lt;/b&gt; it.</p>" in html
    assert "Admin, <time" in html
    assert made.release.digest in html
    assert "withdraw/" not in html
    assert '<span class="badge">withdrawn</span>' in page(client, campaign, "")
    again = client.post(f"{address}withdraw/", {"reason": "Again."}, follow=True)
    assert "had already been withdrawn" in again.content.decode()
    assert client.get(f"{address}withdraw/")["Location"] == address
    assert Withdrawal.objects.get() == made


@pytest.mark.parametrize("path", ["download", "files/README.md", "files/none", "changes/"])
def test_downloads_of_a_withdrawn_release_answer_gone_with_the_reason(
    campaign: Campaign, researcher: Client, path: str
) -> None:
    withdraw("1.1.0")
    for headers in ({}, {"Range": "bytes=0-9"}):
        response = researcher.get(f"/c/{campaign.slug}/releases/1.1.0/{path}", headers=headers)
        html = response.content.decode()
        assert response.status_code == HTTPStatus.GONE
        assert "Names are in it." in html
        assert "Operator of the site, <time" in html


def test_a_withdrawn_release_is_not_compared_with(campaign: Campaign, researcher: Client) -> None:
    withdraw("1.1.0")
    html = page(researcher, campaign, "1.1.1/changes/")
    assert "From 1.0.0 to 1.1.1" in html
    assert '<option value="1.1.0"' not in html
    to_it = researcher.get(f"/c/{campaign.slug}/releases/1.1.1/changes/?to=1.1.0")
    assert to_it.status_code == 404


def test_only_admins_withdraw_and_raters_see_nothing(
    campaign: Campaign, researcher: Client
) -> None:
    address = f"/c/{campaign.slug}/releases/1.0.0/"
    assert researcher.get(f"{address}withdraw/").status_code == 403
    assert researcher.post(f"{address}withdraw/", {"reason": "Mine."}).status_code == 403
    assert "withdraw/" not in page(researcher, campaign, "1.0.0/")
    for who, refused in ((make_member(campaign), 403), (User.objects.create_user("moss"), 404)):
        client = signed_in(who)
        for path in ("changes", "withdraw"):
            assert client.get(f"{address}{path}/").status_code == refused
    assert not Withdrawal.objects.exists()
