"""Putting a release into the object store and listing it there."""

from contextlib import suppress
from pathlib import Path

from django.conf import settings

from exporters.planned_release import PlannedRelease
from exporters.release import write_release
from tasks.release_store.interface import StoreError
from tasks.release_store.object_place import ObjectPlace
from tasks.releases.workflow.listing import Listing
from tasks.releases.workflow.progress import ReleaseProgress
from tomahto.releases.files.partial_folder import partial_folder


def store_release(
    planned: PlannedRelease, parent: ObjectPlace, listing: Listing, progress: ReleaseProgress
) -> None:
    """Put the release into the object store and list it, unless it is there already.

    Raises ReleaseRefused, ReleaseError, StoreError, and what `listing` raises.
    """
    # their library is not installed everywhere
    from tasks.release_store.publication import find_release, remove_release, remove_unfinished

    release = listing.release
    place = find_release(
        parent, campaign=release.campaign.slug, version=release.version, digest=release.digest
    )
    if is_new := place is None:
        place = _uploaded(planned, parent, listing, progress)
    release.path = str(place)
    try:
        listing.take_over()
    except BaseException:
        if is_new:
            with suppress(StoreError):
                remove_release(place)
        raise
    listing.release.refresh_from_db(fields=["path"])
    if is_new and listing.release.path != str(place):  # somebody listed the same content first
        with suppress(StoreError):
            remove_release(place)
    remove_unfinished(parent)


def _uploaded(
    planned: PlannedRelease, parent: ObjectPlace, listing: Listing, progress: ReleaseProgress
) -> ObjectPlace:
    """A kill leaves the folder it was written to, which the next upload removes."""
    from tasks.release_store.publication import upload_release  # as above

    scratch = Path(settings.RELEASES_DIR)
    scratch.mkdir(parents=True, exist_ok=True)
    with partial_folder(scratch / planned.campaign.slug) as folder:
        written = folder / planned.manifest.version
        write_release(planned, written, wrote=progress.wrote)
        return upload_release(written, parent, require_held=listing.require_held)
