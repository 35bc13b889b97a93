"""The release that a page is about."""

from django.http import Http404

from tasks.models import Membership, Release


def found_release(membership: Membership, version: str) -> Release:
    """The release of the member's campaign; Http404 without one."""
    try:
        return Release.objects.select_related("campaign", "withdrawal").get(
            campaign=membership.campaign, version=version
        )
    except Release.DoesNotExist:
        raise Http404 from None
