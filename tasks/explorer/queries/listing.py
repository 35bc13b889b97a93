"""A listing of items: filters, order and cursor, as page, API and downloads know them."""

import base64
import binascii
import json
import re
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Final

USUAL: Final = 100  # rows of a page
MOST: Final = 500

ORDERS: Final = (
    *("number", "question", "candidate", "ratings", "share", "last_rated", "label", "score"),
)
"""By what items can be put in order; with "-" in front downwards."""

_TELL_VOTES: Final = (
    *("label", "vote", "other_vote", "rater", "disputed"),
    *("matcher", "score_min", "score_max", "accepted", "differs"),
)
_STATES_THAT_TELL: Final = ("rated", "disputed", "decided")
_ORDERS_THAT_TELL: Final = ("share", "label", "score")


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemListing:
    """The parameters of a list of items; "" and None where nothing is chosen.

    `q` are words of the texts, `label` the majority label, `vote` a label that somebody voted, with
    `rater` that this rater did, and `other_vote` another that somebody voted. `matcher` is whose
    newest scores count, for `score_min`, `score_max`, `accepted`, `differs` (from the majority
    label) and the order "score". `guideline` is a version of the guidelines under which an item was
    rated, `assigned` the rater to whom an open place of it is given.
    """

    q: str = ""
    label: str = ""
    vote: str = ""
    other_vote: str = ""
    rater: str = ""
    guideline: int | None = None
    system: str = ""
    document: str = ""
    question_type: str = ""
    split: str = ""
    key: str = ""
    purpose: str = ""
    state: str = ""
    tag: str = ""
    assigned: str = ""
    flagged: str = ""
    disputed: str = ""
    unfinished: str = ""
    matcher: str = ""
    score_min: float | None = None
    score_max: float | None = None
    accepted: str = ""
    differs: str = ""
    order: str = "-number"
    cursor: str = ""
    limit: int = USUAL

    @property
    def tells_votes(self) -> bool:
        """Whether the items found, or their order, say something of votes or suggestions."""
        return (
            any(getattr(self, name) not in ("", None) for name in _TELL_VOTES)
            or self.state in _STATES_THAT_TELL
            or self.column in _ORDERS_THAT_TELL
        )

    @property
    def is_narrow(self) -> bool:
        """Whether items may be left out: by a filter, or by an order that tells of votes."""
        return bool(self.filters) or self.tells_votes

    @property
    def column(self) -> str:
        return self.order.removeprefix("-")

    @property
    def is_downwards(self) -> bool:
        return self.order.startswith("-")

    @property
    def filters(self) -> dict[str, Any]:
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        apart = ("order", "cursor", "limit")
        return {k: v for k, v in given.items() if k not in apart and v not in ("", None)}


class NoSuchCursor(ValueError):
    """The text is no cursor of this list."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """A position in a list: behind the item with this value in the order, or before it."""

    value: str | int | float | None
    item: int
    is_before: bool = False

    def as_text(self, order: str) -> str:
        text = json.dumps([order, self.value, self.item, int(self.is_before)])
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def cursor_of(listing: ItemListing) -> Cursor | None:
    """The cursor of the listing; None at the beginning. Raises NoSuchCursor."""
    if not listing.cursor:
        return None
    try:
        padded = listing.cursor + "=" * (-len(listing.cursor) % 4)
        order, value, item, is_before = json.loads(base64.urlsafe_b64decode(padded.encode()))
    except (ValueError, TypeError, binascii.Error, RecursionError):
        raise NoSuchCursor from None
    is_item = type(item) is int and 0 <= item < _MOST_NUMBER
    is_side = type(is_before) is int and is_before in (0, 1)
    if order != listing.order or not is_item or not is_side:
        raise NoSuchCursor
    if not _is_value(listing.column, value):
        raise NoSuchCursor
    return Cursor(value, item, bool(is_before))


def _is_value(column: str, value: Any) -> bool:
    """Whether this can be a value of the column, so that either database can compare it."""
    kinds: tuple[Any, ...] = _KIND_OF_VALUE[column]
    if not isinstance(value, kinds) or isinstance(value, bool):
        return False
    if isinstance(value, str):
        is_time = column == "last_rated"
        return _is_time(value) if is_time else not re.search("[\0\ud800-\udfff]", value)
    # no comparison holds of what is no number
    return value is None or bool(-_MOST_NUMBER < value < _MOST_NUMBER)


def _is_time(value: str) -> bool:
    """As lists have them: SQLite's texts, and those made of PostgreSQL's times."""
    try:
        return bool(_TIME.fullmatch(value)) and bool(datetime.fromisoformat(value))
    except ValueError:
        return False


_MOST_NUMBER: Final = 2**63
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d{1,6})?(\+00:00)?", re.ASCII)
_KIND_OF_VALUE: Final[dict[str, tuple[type, ...]]] = {
    "number": (type(None),),
    "ratings": (int,),
    "share": (float, int),
    "score": (float, int),
    "question": (str,),
    "candidate": (str,),
    "last_rated": (str,),
    "label": (str,),
}
