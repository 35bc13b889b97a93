"""Lists that give votes away: what they leave out until they are asked for it."""

from collections.abc import Iterable

from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect

from tasks.models import Membership
from tasks.votes.workflow.seen_votes import show_all_votes, show_votes


def show_all(
    request: HttpRequest, membership: Membership, items: Iterable[int] | None
) -> HttpResponseBase:
    """Note that the member wants to see the votes on these items, or all there are; and show the
    page again."""
    if items is None:
        show_all_votes(member=membership)
    else:
        show_votes(items=items, member=membership)
    return HttpResponseRedirect(request.get_full_path(), status=303)
