"""Workers killed while a release goes into the object store, on a real site with real servers."""

import json
import shutil
import urllib.request
from pathlib import Path

import pytest

from bootstrap.services import PrivateObjectStore
from tests.faults.jobs import await_job, broker
from tests.object_store import objects, place_for_tests
from tests.site import running_site
from tomahto.releases.verification.verify import verify_release

pytestmark = pytest.mark.faults

_START = """
import json
from tomahto.interchange.reading.records import ItemRow, RatingRow, Source
from tasks.jobs.workflow.jobs import start_job
from tasks.models import ApiToken, JobKind, User
from tasks.campaigns.workflow.campaign import add_member, create_campaign
from tasks.intake.workflow.items import import_items
from tasks.intake.workflow.ratings import import_ratings

campaign = create_campaign(slug="rivers", protocol="ae", overlap=2)
import_items(campaign=campaign, rows=[
    ItemRow(Source("items", n), f"item-{n}", None, f"document-{n % 7}", f"Question {n}?",
            "A passage.", (f"reference {n}",), f"candidate {n}", ("juniper",))
    for n in range(40)
])
import_ratings(campaign=campaign, rows=[
    RatingRow(source=Source("ratings", n), item=None, item_id=f"item-{n}", rater=rater,
              label="equivalent")
    for n in range(40) for rater in ("ann", "ben")
])
user = User.objects.create(username="fern")
add_member(campaign=campaign, user=user, role="researcher")
print(json.dumps(ApiToken.issue(user)))
plan = {"version": "1.0.0", "split": "document:dev=40,test=60", "seed": 0}
start_job(campaign=campaign, kind=JobKind.RELEASE, parameters=plan)
"""
_LISTED = """
import json
from tasks.models import Release
print(json.dumps(list(Release.objects.values_list("path", "digest"))))
"""


def get(address: str, token: str, **headers: str) -> tuple[int, bytes]:
    headers = {"Authorization": f"Token {token}", **headers}
    request = urllib.request.Request(address, headers=headers)  # noqa: S310 - our own server
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 - as above
        return answer.status, answer.read()


# the first file, one in the middle, the last before the manifest, and the manifest: then only the
# row is missing
KILLED_AFTER = ("README.md", "csv/items/test.csv", "statistics.json", "manifest.json")


def test_a_release_is_stored_whole_though_its_worker_dies_four_times(
    object_store: PrivateObjectStore, tmp_path: Path
) -> None:
    deaths = tmp_path / "deaths"
    place = place_for_tests(object_store)
    with (
        broker() as address,
        running_site(
            tmp_path / "site",
            environment={
                **object_store.variables(),
                "TOMAHTO_BROKER_URL": address,
                "TOMAHTO_RELEASES_URL": str(place),
                "KILLED_AFTER": " ".join(KILLED_AFTER),
                "DEATHS": str(deaths),
            },
            start=False,
        ) as site,
    ):
        token = json.loads(site.python(_START))
        site.start_worker(application="tests.faults.mortal_uploader")
        job = await_job(site, seconds=120, state__in=["done", "failed"])
        assert (job["state"], job["attempts"], job["error"]) == ("done", 5, "")
        assert deaths.read_text().split() == ["0"] * 4
        [(path, digest)] = json.loads(site.python(_LISTED))
        check_release(object_store, path, tmp_path / "copy", digest)
        # what the first three left is gone
        names = {each.partition("/")[0] for each in objects(object_store, place / "rivers/1.0.0")}
        assert names == {path.rpartition("/")[2]}
        site.start_web()
        check_downloads(site.address, token, tmp_path / "copy")


def check_release(server: PrivateObjectStore, path: str, copy: Path, digest: str) -> None:
    shutil.copytree(server.objects / path.removeprefix(f"s3://{server.bucket}/"), copy)
    assert verify_release(copy) == []
    assert json.loads((copy / "manifest.json").read_text())["digest"] == digest


def check_downloads(site: str, token: str, copy: Path) -> None:
    _, body = get(f"{site}/api/v1/campaigns/rivers/releases", token)
    [listed] = json.loads(body)
    assert {file["path"] for file in listed["files"]} == {
        path.relative_to(copy).as_posix() for path in copy.rglob("*") if path.is_file()
    }
    for file in listed["files"]:
        content = (copy / file["path"]).read_bytes()
        assert get(file["url"], token) == (200, content)
        assert get(file["url"], token, Range="bytes=1-5") == (206, content[1:6])
