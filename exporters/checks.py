"""What every record must satisfy before it can be written to every format."""

import math
from collections.abc import Iterable, Sequence, Set

from exporters.columns import RESERVED_NAMES
from exporters.errors import ReleaseError
from exporters.records import ItemRecord, RatingRecord


def check_terms(protocol: str, labels: Sequence[str], question_keys: Sequence[str]) -> None:
    """Raise ReleaseError if a question has the name of a column or of another question, or `ae`
    lacks the label that its public format is about."""
    clash = RESERVED_NAMES.intersection(question_keys)
    if clash:
        raise ReleaseError(f"a question cannot be called {', '.join(sorted(clash))}")
    if len(set(question_keys)) != len(question_keys):
        raise ReleaseError(f"questions repeat: {', '.join(question_keys)}")
    if protocol == "ae" and "equivalent" not in labels:
        raise ReleaseError("protocol `ae` has no label `equivalent`")


def check_item(item: ItemRecord, protocol: str) -> None:
    """Raise ReleaseError if the item has no id, a text is not Unicode, or `ae` lacks its one
    reference (the public AE format has room for one)."""
    if not item.id:
        raise ReleaseError("an item has an empty id")
    names = (item.id, item.document, item.question_id, item.question_type, *item.systems)
    if not _is_unicode((*names, item.question, item.context, *item.references, item.candidate)):
        raise ReleaseError(f"item {item.id!r}: half a surrogate pair stands in a text")
    if protocol == "ae" and len(item.references) != 1:
        raise ReleaseError(f"item {item.id!r}: {len(item.references)} references; `ae` rates one")


def check_rating(rating: RatingRecord, question_keys: Set[str]) -> None:
    """Raise ReleaseError if the rating answers an unknown question, answers the question `label`
    with another label than it has, or holds what no format can say."""
    who = f"item {rating.item_id!r}, rater {rating.rater!r}"
    if not rating.answers.keys() <= question_keys:
        unknown = ", ".join(sorted(rating.answers.keys() - question_keys))
        raise ReleaseError(f"{who}: the protocol does not ask {unknown}")
    if rating.answers.get("label", rating.label) != rating.label:
        raise ReleaseError(f"{who}: label {rating.label!r}, answered {rating.answers['label']!r}")
    if not _is_unicode((rating.rater, *rating.answers.values())):
        raise ReleaseError(f"{who}: half a surrogate pair stands in a text")
    if rating.seconds is not None and not math.isfinite(rating.seconds):
        raise ReleaseError(f"{who}: {rating.seconds} seconds")


def _is_unicode(texts: Iterable[str]) -> bool:
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        return False
    return True
