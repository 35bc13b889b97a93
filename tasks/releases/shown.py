"""The release that a page or a call is about."""

from django.http import Http404

from tasks.models import Campaign, Release


def found_release(campaign: Campaign, version: str) -> Release:
    """Raises Http404, which a call answers with the same words."""
    releases = Release.objects.select_related("campaign", "withdrawal")
    release = releases.filter(campaign=campaign, version=version).first()
    if release is None:
        raise Http404("there is no such release")
    return release
