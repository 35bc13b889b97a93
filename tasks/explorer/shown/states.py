"""How far an item is, in words."""

from django.utils.translation import gettext as _

from tasks.explorer.queries.rows import COMPLETE
from tasks.models.explorer import ItemState


def state_title(state: str) -> str:
    """Of a row of the explorer; with votes withheld it says no more than that ratings are there."""
    return _("All ratings there") if state == COMPLETE else str(ItemState(state).label)
