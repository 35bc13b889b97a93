"""The release that a call is about."""

from tasks.models import Campaign, Release
from tasks.web.lists import one_of


def found_release(campaign: Campaign, version: str) -> Release:
    """Raises NotFound."""
    releases = Release.objects.select_related("campaign", "withdrawal").filter(campaign=campaign)
    # PostgreSQL takes a NUL character for no text at all
    found = releases.none() if "\0" in version else releases.filter(version=version)
    return one_of(found, "there is no such release")
