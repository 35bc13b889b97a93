"""The passage of an item, plain or in Markdown."""

from typing import TYPE_CHECKING, TypeAlias

from tasks.models import Campaign, Item
from tasks.rating.shown.reading import Passage, read_passage

if TYPE_CHECKING:
    from tasks.rating.shown.rich_passage import RichPassage

ShownPassage: TypeAlias = "Passage | RichPassage"


def shown_passage(item: Item, campaign: Campaign) -> ShownPassage:
    """With the answers marked; plain where reading the Markdown would take more than a moment."""
    texts = (item.question.context, item.references, item.candidate)
    if campaign.passages_are_markdown:
        # only here are the parser of Markdown and that of formulas loaded
        from tasks.rating.shown.rich_passage import read_rich_passage

        if (rich := read_rich_passage(*texts)) is not None:
            return rich
    return read_passage(*texts)
