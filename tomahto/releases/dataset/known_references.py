"""The references of a question, as far as a release knows them."""

from collections.abc import Iterable

from tomahto.releases.dataset.released_items import ReleasedItem
from tomahto.releases.records.records import AnsweredQuestion
from tomahto.text.same_answer import is_empty


def known_references(
    items: Iterable[ReleasedItem], asked: AnsweredQuestion | None
) -> tuple[str, ...]:
    """Distinct and not blank: first those of the question's items, in the order in which the
    question has them where items say so, then those that no item of the release is compared with,
    as items and answers tell of them.

    `asked` is the question as systems were asked it, None where no system's answer to it is known.
    """
    ordered = sorted(items, key=lambda item: item.record.reference_index or 0)
    texts = [text for item in ordered for text in item.record.references]
    unrated = [text for item in ordered for text in item.record.unrated_references]
    known = asked.references if asked else ()
    return tuple(text for text in dict.fromkeys([*texts, *unrated, *known]) if not is_empty(text))
