"""The places of releases as settings and rows name them: a folder's path, or `s3://…`."""

import shutil
from pathlib import Path

from django.conf import settings

from tasks.release_store.files import (
    SCHEME,
    FolderFiles,
    ObjectPlace,
    ReleaseFiles,
    StoreError,
    object_place,
)


def release_place(slug: str, version: str) -> Path | ObjectPlace:
    """The place of a release that the site builds: a folder, or a prefix below a place of the
    object store, if the site has one."""
    if settings.RELEASES_URL:
        return object_place(settings.RELEASES_URL) / slug / version
    return Path(settings.RELEASES_DIR) / slug / version


def remove_releases(slug: str) -> None:
    """Remove all that the site keeps of a campaign's releases. Raises StoreError."""
    if (folder := Path(settings.RELEASES_DIR) / slug).is_dir():
        shutil.rmtree(folder)
    if settings.RELEASES_URL:
        # its client is not installed everywhere
        from tasks.release_store.publication import remove_below

        remove_below(object_place(settings.RELEASES_URL) / slug)


def release_files(place: str) -> ReleaseFiles:
    """The files at the place that a row names. Raises StoreError."""
    if not place.startswith(SCHEME):
        return FolderFiles(Path(place))
    try:
        # its client is not installed everywhere
        from tasks.release_store.publication import ObjectFiles
    except ModuleNotFoundError as error:
        raise StoreError(f"{place}: the packages of the extra s3 are not installed") from error
    return ObjectFiles(object_place(place))
