"""Publishing a release: read in one snapshot, write the folder, then show it.

The folder is complete before the row exists; a release that was interrupted between the two is
found by its manifest and taken over.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from exporters.content import ReleaseContent, build_dataset
from exporters.digest import content_digest
from exporters.manifest import MANIFEST, read_manifest
from exporters.release import write_release
from exporters.splits import parse_split_spec
from exporters.verify import verify_release
from tasks.models import Campaign, Release, User
from tasks.queries.releasable import (
    campaign_record,
    documents_kept,
    item_records,
    rating_records,
)


class ReleaseRefused(ValueError):
    """The release cannot be published; the message says why."""


def release_folder(campaign: Campaign, version: str) -> Path:
    """Where the site keeps a release."""
    return Path(settings.RELEASES_DIR) / campaign.slug / version


def publish_release(
    *,
    campaign: Campaign,
    version: str,
    split: str,
    seed: int,
    out: Path,
    created_by: User | None = None,
    before_writing: Callable[[], None] = lambda: None,
) -> Release:
    """Write the release of what is rated now to the folder `out` and list it.

    `out` may be an empty folder. Publishing a version again is allowed if it says the same: the
    folder is written once more and the listed release stays as it is. What `before_writing` raises
    is the last that can stop it. Raises ReleaseRefused or ReleaseError; nothing is listed then,
    and no folder is left.
    """
    out = out.resolve()
    content = _read(campaign, version=version, split=split, seed=seed)
    dataset = build_dataset(content)
    release = Release(
        campaign=campaign,
        version=version,
        digest=content_digest(dataset),
        seed=seed,
        split=split,
        splits={name: len(items) for name, items in dataset.items_by_split.items()},
        documents={item.record.document: item.split for item in dataset.items},
        items=len(dataset.items),
        ratings=dataset.counted_ratings,
        path=str(out),
        created_by=created_by,
    )
    _check(release)
    before_writing()
    is_new = not _is_there(release)
    if is_new:
        _write(content, out)
    try:
        return _list(release)
    except BaseException:
        if is_new:
            shutil.rmtree(out)
        raise


def _check(release: Release) -> None:
    """Before anything is written: the row can be stored, and its version is free or the same."""
    try:
        release.clean_fields(exclude={"campaign", "created_by", "created_at"})
    except ValidationError as error:
        problems = (f"{field}: {' '.join(texts)}" for field, texts in error.message_dict.items())
        raise ReleaseRefused("; ".join(problems)) from error
    listed = Release.objects.filter(campaign=release.campaign, version=release.version).first()
    if listed is not None:
        _require_same(listed, release)


def _require_same(listed: Release, release: Release) -> None:
    if listed.digest != release.digest:
        raise ReleaseRefused(
            f"{release.campaign.slug} {release.version} is released already, with other content; "
            "take the next version number"
        )


def _list(release: Release) -> Release:
    """Store the row, unless the version is listed; the release as listed, found in its folder."""
    try:
        with transaction.atomic():
            release.save(force_insert=True)
    except IntegrityError:
        listed = Release.objects.get(campaign=release.campaign, version=release.version)
        _require_same(listed, release)
        listed.path = release.path
        return listed
    return release


def _write(content: ReleaseContent, out: Path) -> None:
    """Write the folder; an empty one in its place is taken, and put back if the release fails."""
    is_empty_folder = out.is_dir() and not any(out.iterdir())
    if is_empty_folder:
        out.rmdir()
    try:
        write_release(content, out)
    except BaseException:
        if is_empty_folder:
            out.mkdir()
        raise


def _read(campaign: Campaign, *, version: str, split: str, seed: int) -> ReleaseContent:
    """Everything a release is made of, as it stood at one moment."""
    spec = parse_split_spec(split)
    # A transaction that is open already has its isolation, and decides what is seen.
    needs_snapshot = connection.vendor == "postgresql" and not connection.in_atomic_block
    with transaction.atomic():
        if needs_snapshot:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        return ReleaseContent(
            campaign=campaign_record(campaign),
            items=list(item_records(campaign)),
            ratings=list(rating_records(campaign)),
            spec=spec,
            seed=seed,
            version=version,
            created_at=timezone.now(),
            kept_documents=documents_kept(campaign, split=split, seed=seed),
            software=f"tomahto {settings.VERSION}",
        )


def _is_there(release: Release) -> bool:
    """Whether the folder holds this very release already, whole."""
    if not (release.folder / MANIFEST).is_file() or verify_release(release.folder):
        return False
    manifest = read_manifest(release.folder)
    stored = (manifest.campaign, manifest.version, manifest.digest)
    return stored == (release.campaign.slug, release.version, release.digest)
