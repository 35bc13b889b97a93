"""Heads of the audit log that lie where the log does not: in the folders of releases."""

import json
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from tasks.audit.queries.log import Anchor
from tasks.models import Release
from tasks.release_store.interface import NoSuchFile, StoreError, read_whole
from tasks.release_store.places import release_files
from tomahto.releases.records.audit_head import head_from_json
from tomahto.releases.stored.manifest import MANIFEST


def release_anchors() -> tuple[list[Anchor], list[str]]:
    """The heads in the manifests of all releases that are listed or lie in the site's folder, and
    the places whose manifests cannot be read. Releases of before have none."""
    found, unreadable = [], []
    for place in sorted({*Release.objects.values_list("path", flat=True), *_own_folders()}):
        try:
            head = head_from_json(json.loads(read_whole(release_files(place), MANIFEST)))
        except (StoreError, NoSuchFile, ValueError):
            unreadable.append(place)
        else:
            found += [Anchor(f"the release in {place}", head)] if head else []
    return found, unreadable


def _own_folders() -> Iterator[str]:
    """Also of releases whose rows are gone."""
    for manifest in Path(settings.RELEASES_DIR).glob(f"*/*/{MANIFEST}"):
        yield str(manifest.parent)
