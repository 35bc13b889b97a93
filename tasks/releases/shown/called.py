"""The release that a call is about."""

from tasks.models import Campaign, Release
from tasks.web.lists import one_of


def found_release(campaign: Campaign, version: str) -> Release:
    """Raises NotFound."""
    releases = Release.objects.select_related("campaign", "withdrawal")
    return one_of(releases.filter(campaign=campaign, version=version), "there is no such release")
