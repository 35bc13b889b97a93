"""A campaign as the records a release is made of."""

from collections.abc import Iterator

from django.db.models import QuerySet

from exporters.records import CampaignRecord, Guideline, ItemRecord, RatingRecord
from tasks.models import Campaign, Item, Rating, Release, SuggestionArm
from tasks.queries.items import live_items
from tasks.queries.ratings import current_ratings

_SHOWN = {
    SuggestionArm.UNKNOWN: None,
    SuggestionArm.HIDDEN: False,
    SuggestionArm.AFTER: False,
    SuggestionArm.BEFORE: True,
}


def campaign_record(campaign: Campaign) -> CampaignRecord:
    protocol = campaign.annotation_protocol
    return CampaignRecord(
        slug=campaign.slug,
        title=campaign.title,
        description=campaign.description,
        protocol=protocol.name,
        scheme=protocol.scheme,
        question_keys=protocol.question_keys,
        guidelines=tuple(
            Guideline(guideline.version, guideline.text)
            for guideline in campaign.guidelines.filter(ratings__isnull=False).distinct()
        ),
        language=campaign.language,
        licence=campaign.licence,
    )


def item_records(campaign: Campaign) -> Iterator[ItemRecord]:
    items: QuerySet[Item] = live_items(campaign).prefetch_related("item_systems__system")
    for item in items.iterator(chunk_size=2000):
        yield ItemRecord(
            id=item.key,
            document=item.question.document.key,
            question_id=item.question.key,
            question_type=item.question.question_type,
            question=item.question.text,
            context=item.question.context,
            references=tuple(item.references),
            reference_index=item.reference_index,
            candidate=item.candidate,
            systems=tuple(sorted(each.system.name for each in item.item_systems.all())),
        )


def rating_records(campaign: Campaign) -> Iterator[RatingRecord]:
    """Current ratings under pseudonyms; comments stay inside the platform."""
    ratings: QuerySet[Rating] = current_ratings(campaign).select_related(
        "item", "rater", "outcome", "guideline"
    )
    for rating in ratings.iterator(chunk_size=2000):
        yield RatingRecord(
            item_id=rating.item.key,
            rater=rating.rater.pseudonym,
            label=rating.outcome.label,
            answers=rating.outcome.answers,
            counted=rating.is_counted,
            seconds=rating.seconds,
            rated_at=rating.rated_at,
            guideline_version=rating.guideline.version if rating.guideline else None,
            suggestion_shown=_SHOWN[SuggestionArm(rating.suggestion_arm)],
        )


def documents_kept(campaign: Campaign, *, split: str, seed: int) -> dict[str, str]:
    """Where the latest release of the same split and seed has put each document."""
    last = Release.objects.filter(campaign=campaign, split=split, seed=seed).first()
    return last.documents if last else {}
