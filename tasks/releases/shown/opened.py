"""The release that a page is about."""

from django.shortcuts import get_object_or_404

from tasks.models import Membership, Release


def found_release(membership: Membership, version: str) -> Release:
    """The release of the member's campaign; Http404 without one."""
    releases = Release.objects.select_related("campaign", "withdrawal")
    return get_object_or_404(releases, campaign=membership.campaign, version=version)
