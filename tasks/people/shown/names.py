"""What a member of a campaign is called on the pages of results: one rule for every page.

Admins see the chosen name beside the pseudonym, researchers the pseudonym alone. Where people write
to each other or decide on what others said, everybody goes by pseudonyms: see `tasks.talk`.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

from tasks.models import Membership


class ShownName(NamedTuple):
    """A member as somebody sees them; `chosen` is empty where that is not for them to know."""

    pseudonym: str
    chosen: str = ""

    def __str__(self) -> str:
        """In a sentence or in a chart."""
        return self.chosen or self.pseudonym


class Names:
    """The names of all members of a campaign, as somebody sees them; read once, when asked for."""

    def __init__(self, viewer: Membership) -> None:
        self._viewer = viewer

    def of(self, pseudonym: str) -> ShownName:
        """A member of the campaign; other pseudonyms are shown as they are."""
        return ShownName(pseudonym, self._chosen.get(pseudonym, ""))

    @cached_property
    def _chosen(self) -> Mapping[str, str]:
        if not self._viewer.is_admin:
            return {}
        members = Membership.objects.filter(campaign=self._viewer.campaign_id)
        return dict(members.values_list("pseudonym", "name"))


def shown_name(viewer: Membership, member: Membership) -> ShownName:
    """One member, as the viewer sees them."""
    return ShownName(member.pseudonym, member.name if viewer.is_admin else "")
