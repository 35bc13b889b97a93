"""The release that a call is about."""

from rest_framework.exceptions import NotFound

from tasks.models import Campaign, Release


def found_release(campaign: Campaign, version: str) -> Release:
    """Raises NotFound."""
    releases = Release.objects.select_related("campaign", "withdrawal").filter(campaign=campaign)
    # PostgreSQL takes a NUL character for no text at all
    found = None if "\0" in version else releases.filter(version=version).first()
    if found is None:
        raise NotFound("there is no such release")
    return found
