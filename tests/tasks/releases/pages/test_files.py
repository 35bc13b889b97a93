"""Pages and API on a release in a real object store, over HTTP as browsers and scripts see it."""

import io
import zipfile
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from bootstrap.object_store import PrivateObjectStore
from exporters.plan import ReleasePlan
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import ApiToken, Campaign, Membership, Release
from tasks.release_store.interface import StoreError
from tasks.release_store.places import release_place
from tasks.releases.workflow.release import publish_release
from tests.extent import mostly
from tests.object_store import used
from tests.tasks.browsers import signed_in
from tests.tasks.conftest import MakeCampaign, MakeMember, make_campaign, make_member, rating_row

pytestmark = pytest.mark.slow


__all__ = ["make_campaign", "make_member"]


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    campaign = make_campaign(items=6)
    rows = [rating_row(n, rater, "equivalent") for n in range(1, 7) for rater in ("ann", "ben")]
    import_ratings(campaign=campaign, rows=rows)
    return campaign


@pytest.fixture
def release(
    campaign: Campaign, object_store: PrivateObjectStore, settings: Settings,
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
) -> Iterator[Release]:  # fmt: skip
    with used(object_store, monkeypatch) as place:
        settings.RELEASES_URL, settings.RELEASES_DIR = str(place), tmp_path
        yield publish_release(
            campaign=campaign,
            plan=ReleasePlan(version="1.0.0", split="document:dev=40,test=60", seed=0),
            out=release_place(campaign.slug, "1.0.0"),
        )


@pytest.fixture
def researcher(campaign: Campaign, make_member: MakeMember) -> Membership:
    return make_member(campaign, role="researcher")


@pytest.fixture
def browser(researcher: Membership) -> Client:
    return signed_in(researcher)


@pytest.fixture
def script(researcher: Membership) -> Client:
    assert researcher.user is not None
    headers = {"Authorization": f"Token {ApiToken.issue(researcher.user)}"}
    return Client(headers=headers, raise_request_exception=False)


def page(release: Release, more: str = "") -> str:
    return f"/c/{release.campaign.slug}/releases/1.0.0/{more}"


def api(release: Release, more: str = "") -> str:
    return f"/api/v1/campaigns/{release.campaign.slug}/releases{more}"


def body(response: Any) -> bytes:
    return b"".join(response.streaming_content)


def stored(server: PrivateObjectStore, release: Release) -> dict[str, bytes]:
    folder = server.objects / release.path.removeprefix("s3://releases/")
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_page_shows_figures_and_files_of_the_store(
    release: Release, browser: Client, object_store: PrivateObjectStore
) -> None:
    html = browser.get(page(release)).content.decode()
    assert release.digest in html
    for path in stored(object_store, release):
        assert f'href="{page(release)}files/{path}"' in html


@pytest.mark.parametrize("through", mostly([page, api], api))
def test_every_file_downloads_whole_and_in_part(
    release: Release, browser: Client, script: Client, object_store: PrivateObjectStore,
    through: Any,
) -> None:  # fmt: skip
    client, prefix = (browser, "files/") if through is page else (script, "/1.0.0/files/")
    for path, content in stored(object_store, release).items():
        whole = client.get(through(release, prefix + path))
        assert (whole.status_code, body(whole)) == (HTTPStatus.OK, content)
        assert whole["Content-Length"] == str(len(content))
        part = client.get(through(release, prefix + path), headers={"Range": "bytes=2-7"})
        assert (part.status_code, body(part)) == (HTTPStatus.PARTIAL_CONTENT, content[2:8])
        assert part["Content-Range"] == f"bytes 2-7/{len(content)}"
    missing = client.get(through(release, prefix + "none"))
    assert missing.status_code == HTTPStatus.NOT_FOUND


def test_archive_holds_every_byte_of_the_store(
    release: Release, browser: Client, object_store: PrivateObjectStore
) -> None:
    response = browser.get(page(release, "download"))
    name = f"{release.campaign.slug}-1.0.0"
    with zipfile.ZipFile(io.BytesIO(body(response))) as archive:
        assert archive.testzip() is None
        content = {entry: archive.read(entry) for entry in archive.namelist()}
    files = stored(object_store, release)
    assert content == {f"{name}/{path}": files[path] for path in sorted(files)}


def test_archive_breaks_off_when_the_store_goes_down_in_the_middle(
    release: Release, browser: Client, object_store: PrivateObjectStore
) -> None:
    response: Any = browser.get(page(release, "download"))
    pieces = iter(response.streaming_content)
    assert next(pieces)
    object_store.kill()
    try:
        with pytest.raises(StoreError):
            list(pieces)
    finally:
        object_store.start()


def test_api_lists_files_with_their_sizes(
    release: Release, script: Client, object_store: PrivateObjectStore
) -> None:
    [listed] = script.get(api(release)).json()
    files = stored(object_store, release)
    assert {file["path"]: file["bytes"] for file in listed["files"]} == {
        path: len(content) for path, content in files.items()
    }


def test_pages_and_api_say_that_the_store_is_down(
    release: Release, browser: Client, script: Client, object_store: PrivateObjectStore,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    object_store.kill()
    try:
        pages = [browser.get(page(release, more)) for more in ("", "download", "files/README.md")]
        calls = [script.get(api(release, more)) for more in ("", "/1.0.0/files/README.md")]
        listing = browser.get(f"/c/{release.campaign.slug}/releases/")
    finally:
        object_store.start()
    assert [(each.status_code, each["Retry-After"]) for each in (*pages, *calls)] == [
        (HTTPStatus.SERVICE_UNAVAILABLE, "30")
    ] * 5
    for each in pages:
        assert "The files of releases cannot be read" in each.content.decode()
    for each in calls:
        assert each.json() == {"detail": "the files of releases cannot be read at the moment"}
    assert object_store.url not in "".join(each.content.decode() for each in (*pages, *calls))
    assert caplog.text.count(object_store.url) == 5
    assert listing.status_code == HTTPStatus.OK  # needs the database alone
    assert browser.get(page(release)).status_code == HTTPStatus.OK
