"""A campaign's majority labels, as something a matcher can learn from."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from tasks.models import Campaign
from tasks.prefill.queries.pairs import as_pair
from tasks.votes.items import live_items
from tasks.votes.patterns import majority_labels, votes_by_item
from tasks.votes.ratings import counted_ratings
from tomahto.matching.training.labelled_pairs import LabelledPair

MIN_ITEMS = 20
MIN_DOCUMENTS = 5


@dataclass(frozen=True)
class LabelledItems:
    """Items with a majority label, in the order of their keys; `ties` more have none.

    `documents` are the keys of their documents, one per example.
    """

    examples: Sequence[LabelledPair]
    documents: Sequence[str]
    ties: int

    @cached_property
    def correct(self) -> int:
        return sum(example.correct for example in self.examples)

    @cached_property
    def document_count(self) -> int:
        return len(set(self.documents))

    def missing(self) -> list[str]:
        """What there is too little of to learn and to judge what was learned."""
        return list(self._missing())

    def _missing(self) -> Iterator[str]:
        items = len(self.examples)
        if items < MIN_ITEMS:
            yield f"{items} of at least {MIN_ITEMS} items have a majority label"
        if self.document_count < MIN_DOCUMENTS:
            yield f"they come from {self.document_count} of at least {MIN_DOCUMENTS} documents"
        if self.correct == 0:
            yield "none of them is correct"
        if self.correct == items:
            yield "none of them is incorrect"


def labelled_items(campaign: Campaign) -> LabelledItems:
    """Live items with the majority label of their counted ratings.

    An item is correct if its label is one that the protocol calls correct. Items with a tie and
    those that train or check raters are left out; suggestions play no part.
    """
    winners = majority_labels(campaign, votes_by_item(campaign))
    correct = campaign.annotation_protocol.correct_labels
    wanted = live_items(campaign).filter(pk__in=counted_ratings(campaign).values("item"))
    found = sorted(
        (
            (item.key, LabelledPair(as_pair(item), label in correct), item.question.document.key)
            for item in wanted.iterator(chunk_size=2000)
            if (label := winners.get(item.pk)) is not None
        ),
        key=lambda row: row[0],  # not by the database: databases collate differently
    )
    return LabelledItems(
        examples=[example for _, example, _ in found],
        documents=[document for _, _, document in found],
        ties=sum(label is None for label in winners.values()),
    )
