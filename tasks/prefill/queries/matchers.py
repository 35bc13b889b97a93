"""Matchers of a campaign: those it has trained, those it may use, and the labels to train on."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path

from django.conf import settings
from django.db.models import QuerySet

from tasks.models import Campaign, Item, TrainedMatcher
from tasks.votes.items import live_items
from tasks.votes.labels import votes_by_item
from tasks.votes.ratings import counted_ratings
from tomahto.matching.human_labels import LabelledPair
from tomahto.matching.interface import Matcher, Pair
from tomahto.matching.registry import UnknownMatcherError, available_matchers, matcher_names
from tomahto.matching.trainable import OF_CAMPAIGN, NamedMatcher, read_matcher, read_model
from tomahto.pretrained.folders import ContentFolder


def trained_matchers(campaign: Campaign) -> QuerySet[TrainedMatcher]:
    """All of them, newest first, without their weights."""
    return (
        TrainedMatcher.objects.filter(campaign=campaign).select_related("campaign").defer("weights")
    )


def trained_matcher_names(campaign: Campaign) -> list[str]:
    kinds = trained_matchers(campaign).order_by("kind").values_list("kind", flat=True).distinct()
    return [f"{kind}{OF_CAMPAIGN}{campaign.slug}" for kind in kinds]


def usable_matchers(campaign: Campaign) -> list[str]:
    """The names of the matchers that can be loaded here, the campaign's own ones last."""
    return [*available_matchers(), *trained_matcher_names(campaign)]


def is_trained_name(name: str) -> bool:
    return OF_CAMPAIGN in name


def when_trained(campaign: Campaign, name: str) -> datetime | None:
    """When the newest matcher of that name was trained; None if the campaign has trained none."""
    kind, _, slug = name.partition(OF_CAMPAIGN)
    if slug != campaign.slug:
        return None
    trained = trained_matchers(campaign).filter(kind=kind)
    return trained.values_list("created_at", flat=True).first()


def require_matcher_name(campaign: Campaign, name: str) -> None:
    """Raises UnknownMatcherError unless the campaign could use a matcher of that name."""
    known = [*matcher_names(), *trained_matcher_names(campaign)]
    if name not in known:
        raise UnknownMatcherError(f"no matcher {name!r}; known: {', '.join(known)}")


def load_trained_matcher(campaign: Campaign, name: str) -> Matcher:
    """The newest matcher of that name that the campaign itself has trained.

    Raises UnknownMatcherError, WeightsError if this version of Tomahto cannot read it, and
    ModelError if torch is missing or the files are not those that were stored.
    """
    kind, _, slug = name.partition(OF_CAMPAIGN)
    trained = TrainedMatcher.objects.filter(campaign=campaign, kind=kind).first()
    if trained is None or slug != campaign.slug:
        raise UnknownMatcherError(
            f"campaign {campaign.slug!r} has trained no matcher {name!r}; "
            f"it has trained: {', '.join(trained_matcher_names(campaign)) or 'none yet'}"
        )
    if not trained.folder:
        weights = f"{name} {trained.digest}"
        return NamedMatcher(read_matcher(trained.kind, trained.weights, weights), name)
    root = Path(settings.MATCHERS_DIR).resolve()
    folder = root / trained.folder
    if not folder.resolve().is_relative_to(root):
        raise UnknownMatcherError(f"{name} is not among the site's matchers")
    model = read_model(trained.kind, ContentFolder(folder, trained.digest))
    return NamedMatcher(model, name)


def as_pair(item: Item) -> Pair:
    return Pair(
        question=item.question.text,
        context=item.question.context,
        references=tuple(item.references),
        candidate=item.candidate,
    )


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
        """The lack of examples to learn, and to judge the result, in words."""
        items, of = len(self.examples), f"of at least {MIN_DOCUMENTS} documents"
        faults = [
            (items < MIN_ITEMS, f"{items} of at least {MIN_ITEMS} items have a majority label"),
            (self.document_count < MIN_DOCUMENTS, f"they come from {self.document_count} {of}"),
            (self.correct == 0, "none of them is correct"),
            (self.correct == items, "none of them is incorrect"),
        ]
        return [text for holds, text in faults if holds]


def labelled_items(campaign: Campaign) -> LabelledItems:
    """Live items with the majority label of their counted ratings.

    An item is correct if its label is one that the protocol calls correct. Items with a tie and
    those that train or check raters are left out; suggestions play no part.
    """
    winners = votes_by_item(campaign).majority_labels
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
