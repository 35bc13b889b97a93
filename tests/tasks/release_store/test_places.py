"""Places of releases as settings and rows name them."""

import sys
from pathlib import Path

import pytest
from pytest_django import Settings

from tasks.release_store.files import FolderFiles, ObjectPlace, StoreError, object_place
from tasks.release_store.places import release_files, release_place
from tasks.release_store.publication import ObjectFiles


@pytest.mark.parametrize(
    ("url", "key"), [("s3://bucket", "m.json"), ("s3://bucket/a/b", "a/b/m.json")]
)
def test_object_place_is_where_the_address_says(url: str, key: str) -> None:
    place = object_place(url)
    assert (place.bucket, place.key("m.json")) == ("bucket", key)


def test_object_place_and_its_address_are_the_same() -> None:
    place = object_place("s3://bucket") / "rivers" / "1.0.0"
    assert str(place) == "s3://bucket/rivers/1.0.0"
    assert object_place(str(place)) == place == ObjectPlace("bucket", "rivers/1.0.0")


def test_releases_go_to_a_folder_by_campaign_and_version(settings: Settings) -> None:
    settings.RELEASES_DIR, settings.RELEASES_URL = Path("/srv/releases"), ""
    assert release_place("rivers", "1.0.0") == Path("/srv/releases/rivers/1.0.0")


def test_releases_go_to_the_store_if_there_is_one(settings: Settings) -> None:
    settings.RELEASES_URL = "s3://bucket/tomahto"
    assert release_place("rivers", "1.0.0") == ObjectPlace("bucket", "tomahto/rivers/1.0.0")


def test_files_of_a_release_are_where_its_row_says_whatever_the_settings(
    settings: Settings, tmp_path: Path
) -> None:
    settings.RELEASES_URL = ""
    assert release_files(str(tmp_path)) == FolderFiles(tmp_path)
    assert isinstance(release_files("s3://bucket/a"), ObjectFiles)


def test_a_store_without_its_client_installed_is_a_store_that_cannot_be_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "tasks.release_store.publication", None)
    with pytest.raises(StoreError, match="the packages of the extra s3 are not"):
        release_files("s3://bucket/a")
