"""The versions of a campaign's releases: the number that the next can have, and what changed from
one to another, from their folders.
"""

from functools import lru_cache
from typing import NamedTuple

from tasks.models import Campaign, Release
from tasks.release_store.released import compared_folder
from tomahto.releases.comparison.diff import ReleaseDiff, diff_releases
from tomahto.releases.records.fields import parse_version

FIRST = "1.0.0"


def next_version(campaign: Campaign) -> str:
    """The next minor step after the highest version so far: what more ratings usually ask for.

    Which step the content of a release asks for, only its preview tells.
    """
    versions = Release.objects.filter(campaign=campaign).values_list("version", flat=True)
    return str(max(map(parse_version, versions)).next("minor")) if versions else FIRST


SHOWN = 100  # changes of each kind that are listed if nobody asks for more
MOST = 1_000  # that can be asked for

_KEPT = 8  # comparisons in memory, because a large one takes seconds


class Pair(NamedTuple):
    before: Release
    after: Release


def comparable_releases(campaign: Campaign) -> list[Release]:
    """Those that were not withdrawn, by version, the greatest first."""
    releases = Release.objects.filter(campaign=campaign, withdrawal=None)
    return sorted(releases, key=lambda release: parse_version(release.version), reverse=True)


def pair_of(release: Release, to: str = "") -> Pair | None:
    """The release and the one of version `to`, the lower first; without a version the greatest
    lower one. None if there is no other such release that was not withdrawn."""
    versions = {each.version: each for each in comparable_releases(release.campaign)}
    number = parse_version(release.version)
    if to:
        found = versions.get(to) if to != release.version else None
    else:
        lower = (each for each in versions.values() if parse_version(each.version) < number)
        found = next(lower, None)
    if found is None:
        return None
    if parse_version(found.version) < number:
        return Pair(before=found, after=release)
    return Pair(before=release, after=found)


def changes_between(pair: Pair, limit: int = SHOWN) -> ReleaseDiff:
    """Of every kind of change the number, and the first of them.

    Raises ReleaseError if a folder does not hold the release any more, and StoreError.
    """
    digests = (pair.before.digest, pair.after.digest)
    return _changes(pair.before.path, pair.after.path, digests, min(limit, MOST))


@lru_cache(maxsize=_KEPT)
def _changes(
    before: str,
    after: str,
    digests: tuple[str, str],  # noqa: ARG001 - with the places they name what is compared
    limit: int,
) -> ReleaseDiff:
    with compared_folder(before) as one, compared_folder(after) as other:
        return diff_releases(one, other, limit=limit)
