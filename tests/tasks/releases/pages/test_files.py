"""Pages and API on a release in a real object store, over HTTP as browsers and scripts see it."""

import io
import zipfile
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client, override_settings

from bootstrap.services import PrivateObjectStore
from tasks.models import Membership, Release
from tasks.release_store.files import StoreError
from tasks.release_store.places import release_place
from tests.exporters.folders import contents
from tests.factories import make_member
from tests.object_store import used
from tests.sampling import mostly
from tests.tasks.api_client import ApiClient
from tests.tasks.browsers import signed_in
from tests.tasks.releases.releasing import publish, rated_campaign

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def _published(
    kept_rows: None, object_store: PrivateObjectStore, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Release]:
    campaign = rated_campaign()
    with (
        pytest.MonkeyPatch.context() as patch,
        used(object_store, patch) as place,
        override_settings(RELEASES_URL=str(place), RELEASES_DIR=tmp_path_factory.mktemp("made")),
    ):
        yield publish(campaign, release_place(campaign.slug, "1.0.0"))


@pytest.fixture
def release(_published: Release, db: None) -> Release:
    return Release.objects.get(pk=_published.pk)


@pytest.fixture
def researcher(release: Release) -> Membership:
    return make_member(release.campaign, "researcher")


@pytest.fixture
def browser(researcher: Membership) -> Client:
    return signed_in(researcher)


@pytest.fixture
def script(researcher: Membership) -> Client:
    return ApiClient(researcher).client


def page(release: Release, more: str = "") -> str:
    return f"/c/{release.campaign.slug}/releases/1.0.0/{more}"


def api(release: Release, more: str = "") -> str:
    return f"/api/v1/campaigns/{release.campaign.slug}/releases{more}"


def body(response: Any) -> bytes:
    return b"".join(response.streaming_content)


def stored(server: PrivateObjectStore, release: Release) -> dict[str, bytes]:
    return contents(server.objects / release.path.removeprefix("s3://releases/"))


def test_page_shows_figures_and_files_of_the_store(
    release: Release, browser: Client, object_store: PrivateObjectStore
) -> None:
    html = browser.get(page(release)).content.decode()
    assert release.digest in html
    for path in stored(object_store, release):
        assert f'href="{page(release)}files/{path}"' in html


@pytest.mark.parametrize("through", mostly([page, api], api))
def test_files_download_whole_and_in_part(
    release: Release, browser: Client, script: Client, object_store: PrivateObjectStore,
    through: Any,
) -> None:  # fmt: skip
    client, prefix = (browser, "files/") if through is page else (script, "/1.0.0/files/")
    files = stored(object_store, release)
    for path in ("items/test.parquet", "manifest.json", "README.md"):
        content = files[path]
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
