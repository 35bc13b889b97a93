"""How far an item is, in words."""

from django.utils.translation import gettext as _

from tasks.explorer.queries.rows import COMPLETE
from tasks.models.explorer import ItemState
from tasks.models.item import ItemPurpose


def state_title(state: str, purpose: str = "") -> str:
    """Of a row of the explorer; with votes withheld it says no more than that ratings are there.

    Of an item that gets no votes it is the `purpose`, where that is given.
    """
    if purpose and state == ItemState.APART:
        return str(ItemPurpose(purpose).label)
    return _("All ratings in") if state == COMPLETE else str(ItemState(state).label)
