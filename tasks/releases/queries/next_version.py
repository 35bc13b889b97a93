"""The version number that the next release of a campaign can have."""

from tasks.models import Campaign, Release
from tomahto.releases.records.versions import parse_version

FIRST = "1.0.0"


def next_version(campaign: Campaign) -> str:
    """The next minor step after the highest version so far: what more ratings usually ask for.

    Which step the content of a release asks for, only its preview tells.
    """
    versions = Release.objects.filter(campaign=campaign).values_list("version", flat=True)
    return str(max(map(parse_version, versions)).next("minor")) if versions else FIRST
