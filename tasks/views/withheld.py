"""Lists that give votes away, where first looks are blind: what they leave out, until asked."""

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect

from tasks.models import Membership
from tasks.workflow.adjudication import show_votes


def withheld(membership: Membership, everything: QuerySet[Any, Any], shown: int) -> int:
    """How many items the list has beyond those that are shown."""
    if not membership.campaign.adjudicates_blind:
        return 0
    return everything.count() - shown


def show_all(
    request: HttpRequest, membership: Membership, items: Iterable[int]
) -> HttpResponseBase:
    """Note that the member wants to see the votes on these items, and show the page again."""
    if membership.campaign.adjudicates_blind:
        show_votes(items=items, member=membership)
    return HttpResponseRedirect(request.get_full_path(), status=303)
