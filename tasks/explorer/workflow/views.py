"""Saved views: names for what the explorer shows."""

from typing import Final

from django.db import IntegrityError, transaction

from tasks.models import Membership, SavedView
from tasks.storing.refusals import Refusal

MOST_VIEWS: Final = 100
"""Of one member."""


class ViewNameTaken(Refusal):
    """The member has a view of that name."""


class TooManyViews(Refusal):
    """The member has as many views as there may be."""


def save_view(*, member: Membership, name: str, query: str, is_shared: bool) -> SavedView:
    """Keep it under this name. Raises ViewNameTaken and TooManyViews."""
    if SavedView.objects.filter(member=member).count() >= MOST_VIEWS:
        raise TooManyViews(
            f"you have {MOST_VIEWS} saved views, the most you can have; delete one first"
        )
    try:
        with transaction.atomic():
            return SavedView.objects.create(
                campaign=member.campaign,
                member=member,
                name=name,
                query=query,
                is_shared=is_shared,
            )
    except IntegrityError:
        raise ViewNameTaken("you already have a view with this name") from None


def remove_view(*, view: SavedView) -> None:
    view.delete()
