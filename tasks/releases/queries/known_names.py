"""The names by which the people of a campaign could be told in what raters write."""

from collections.abc import Iterator

from exporters.privacy.personal_data import KnownNames
from tasks.models import Campaign


def known_names(campaign: Campaign) -> KnownNames:
    """Of every member, active or not: the name here, the user's names and e-mail address, and
    what a crowd service calls them."""
    return KnownNames(_names(campaign))


def _names(campaign: Campaign) -> Iterator[str]:
    yield from campaign.crowd_visits.values_list("participant", flat=True)
    for membership in campaign.memberships.select_related("user"):
        yield membership.name
        if user := membership.user:
            yield from (user.username, user.email, user.get_full_name())
