"""Verify a release with nothing but its folder."""

from pathlib import Path

from exporters.content_check import content_differences
from exporters.errors import ReleaseError
from exporters.folder_check import folder_differences
from exporters.manifest import read_manifest


def verify_release(path: Path) -> list[str]:
    """The differences between the folder and what it claims to be, one line each.

    An empty list means: every file is there as the manifest and SHA256SUMS say, none is extra,
    all formats say the same, no document is in two splits, and labels, agreement, statistics
    and digest follow from the ratings. What files say is compared only when their bytes are
    right.
    """
    try:
        manifest = read_manifest(path)
        return folder_differences(path, manifest) or content_differences(path, manifest)
    except (ReleaseError, OSError) as error:
        return [str(error)]
