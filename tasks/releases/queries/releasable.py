"""A campaign as the records a release is made of: what the selection leaves of it, and the names by
which its people could be told in what raters write.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import reduce
from operator import or_

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from exporters.privacy import KnownNames
from tasks.adjudication.queries.decisions import current_adjudications
from tasks.models import (
    Adjudication,
    Campaign,
    Candidate,
    Item,
    ItemPurpose,
    ItemSystem,
    Outcome,
    Question,
    Rating,
    Release,
    SuggestionArm,
)
from tasks.storing.database import batches, rows_with
from tasks.votes.items import live_items
from tasks.votes.ratings import current_ratings, with_standing
from tasks.votes.shared_items import AnswerItem, answers_by_question
from tomahto.releases.dataset.choices import EVERYTHING, LeftOut, Selection, parse_split_spec
from tomahto.releases.records.records import (
    AdjudicationRecord,
    AnsweredQuestion,
    AnswerRecord,
    CampaignRecord,
    Guideline,
    ItemRecord,
    RatingRecord,
    Settled,
    SplitSpec,
)
from tomahto.votes.remarks import PUBLIC, REMARKS

READ = 2000  # rows at once


def selected_items(campaign: Campaign, selection: Selection) -> QuerySet[Item]:
    items = live_items(campaign)
    if selection.without_controls:
        return items.exclude(pk__in=_known_items(campaign))
    return items


def selected_ratings(campaign: Campaign, selection: Selection) -> QuerySet[Rating]:
    ratings = current_ratings(campaign)
    for left_out in _filters(campaign, selection).values():
        ratings = ratings.exclude(left_out)
    return ratings


def left_out(campaign: Campaign, selection: Selection) -> LeftOut:
    filters = _filters(campaign, selection)
    if not filters:
        return LeftOut()
    counts = current_ratings(campaign).aggregate(
        ratings=Count("pk", filter=reduce(or_, filters.values())),
        **{f"by_{name}": Count("pk", filter=left_out) for name, left_out in filters.items()},
    )
    return LeftOut(
        items=_known_items(campaign).count() if selection.without_controls else 0,
        ratings=counts["ratings"],
        by_filter={name: counts[f"by_{name}"] for name in filters},
    )


def missing_guidelines(campaign: Campaign, selection: Selection) -> tuple[int, ...]:
    known = set(campaign.guidelines.values_list("version", flat=True))
    return tuple(version for version in selection.guideline_versions if version not in known)


def _filters(campaign: Campaign, selection: Selection) -> dict[str, Q]:
    filters = {
        "without_controls": lambda: Q(item__in=_known_items(campaign)),
        "without_deactivated": lambda: Q(rater__is_active=False) | Q(rater__user__is_active=False),
        "guideline_versions": lambda: (
            Q(guideline=None) | ~Q(guideline__version__in=selection.guideline_versions)
        ),
        "consented_only": lambda: Q(rater__consented_to=None),
    }
    return {name: filters[name]() for name in selection.filters}


def _known_items(campaign: Campaign) -> QuerySet[Item]:
    """The live items that say the same as a control item: their answer is known."""
    controls = Item.objects.filter(
        purpose=ItemPurpose.CONTROL,
        question__campaign=campaign,
        question__fingerprint=OuterRef("question__fingerprint"),
        references=OuterRef("references"),
        candidate=OuterRef("candidate"),
    )
    live = Item.objects.filter(campaign=campaign, purpose=ItemPurpose.LIVE)
    return live.filter(Exists(controls))


_SHOWN = {
    SuggestionArm.UNKNOWN: None,
    SuggestionArm.HIDDEN: False,
    SuggestionArm.AFTER: False,
    SuggestionArm.BEFORE: True,
}


def campaign_record(campaign: Campaign, selection: Selection = EVERYTHING) -> CampaignRecord:
    protocol = campaign.annotation_protocol
    seen = campaign.guidelines.filter(ratings__isnull=False).distinct()
    if selection.guideline_versions:
        seen = seen.filter(version__in=selection.guideline_versions)
    return CampaignRecord(
        slug=campaign.slug,
        title=campaign.title,
        description=campaign.description,
        protocol=protocol.name,
        scheme=protocol.scheme,
        question_keys=protocol.question_keys,
        question_schemes=protocol.question_schemes,
        accepted_labels=protocol.accepted_labels,
        exact_rule=campaign.rule_of_exactness,
        guidelines=tuple(Guideline(guideline.version, guideline.text) for guideline in seen),
        language=campaign.language,
        licence=campaign.licence,
    )


_ITEM_VALUES = (
    *("pk", "key", "question__document__key", "question__key", "question__question_type"),
    *("question__split", "question__text", "question__context", "question__references"),
    *("references", "reference_index", "candidate", "intended"),
)


def item_records(campaign: Campaign, selection: Selection = EVERYTHING) -> Iterator[ItemRecord]:
    """Rows, not instances: there may be millions."""
    rows = selected_items(campaign, selection).values_list(*_ITEM_VALUES)
    for batch in batches(rows.iterator(chunk_size=READ), READ):
        systems = _systems_of([row[0] for row in batch])
        for pk, key, document, question, kind, split, text, context, known, own, *rest in batch:
            index, candidate, intended = rest
            yield ItemRecord(
                id=key,
                document=document,
                question_id=question,
                question_type=kind,
                source_split=split,
                question=text,
                context=context,
                references=tuple(own),
                reference_index=index,
                candidate=candidate,
                systems=tuple(sorted(systems.get(pk, ()))),
                intended=intended,
                unrated_references=() if known == own else tuple(known),
            )


def _systems_of(items: list[int]) -> dict[int, list[str]]:
    """The names of the systems by item; of items without any there are none."""
    systems: dict[int, list[str]] = {}
    named = ItemSystem.objects.values_list("item", "system__name")
    for item, name in rows_with(named, "item", items):
        systems.setdefault(item, []).append(name)
    return systems


_RATING_VALUES = (
    *("item__key", "rater__pseudonym", "outcome", "slot", "seconds", "rated_at"),
    *("guideline__version", "suggestion_arm", "is_set_aside"),
)


def rating_records(
    campaign: Campaign, selection: Selection = EVERYTHING, *, with_comments: bool = False
) -> Iterator[RatingRecord]:
    """Current ratings under pseudonyms; private remarks stay inside the platform unless asked
    for."""
    kept = [remark.name for remark in (REMARKS if with_comments else PUBLIC)]
    outcomes = Outcome.objects.in_bulk()
    selected = with_standing(selected_ratings(campaign, selection))
    rows = selected.values_list(*_RATING_VALUES, *kept)
    for row in rows.iterator(chunk_size=READ):
        item, rater, outcome, slot, seconds, rated_at, version, arm, is_set_aside, *remarks = row
        yield RatingRecord(
            item_id=item,
            rater=rater,
            label=outcomes[outcome].label,
            answers=outcomes[outcome].answers,
            counted=slot is not None and not is_set_aside,
            seconds=seconds,
            rated_at=rated_at,
            guideline_version=version,
            suggestion_shown=_SHOWN[SuggestionArm(arm)],
            set_aside=is_set_aside,
            **dict(zip(kept, remarks, strict=True)),
        )


def adjudication_records(
    campaign: Campaign, selection: Selection = EVERYTHING
) -> Iterator[AdjudicationRecord]:
    """Current decisions on the selected items under pseudonyms, in no particular order."""
    items = selected_items(campaign, selection)
    decisions: QuerySet[Adjudication] = (
        current_adjudications(campaign)
        .filter(item__in=items.order_by())
        .select_related("item", "adjudicator", "outcome", "first_outcome", "guideline")
    )
    for decision in decisions.iterator(chunk_size=2000):
        first, guideline = decision.first_outcome, decision.guideline
        yield AdjudicationRecord(
            item_id=decision.item.key,
            adjudicator=decision.adjudicator.pseudonym,
            label=decision.outcome.label,
            first_label=first.label if first else None,
            guideline_version=guideline.version if guideline else None,
        )


def answer_records(campaign: Campaign) -> Iterator[AnswerRecord]:
    """The answers of each of its systems, by question: predictions, and those that items name.

    All of an answer's live items are named, whatever a selection leaves out: so an answer is not
    rated where an item of it is not released.
    """
    questions: QuerySet[Question] = campaign.questions.select_related("document").order_by("pk")
    predicted = Candidate.objects.filter(system__campaign=campaign)
    given = answers_by_question(campaign, predicted)
    place, texts = next(given, (None, ()))
    for question in questions.iterator(chunk_size=2000):
        if question.pk == place:
            yield from _answers(question, texts)
            place, texts = next(given, (None, ()))


def _answers(question: Question, texts: Iterable[AnswerItem]) -> Iterator[AnswerRecord]:
    record = AnsweredQuestion(
        id=question.key,
        document=question.document.key,
        question=question.text,
        context=question.context,
        references=tuple(question.references),
        source_split=question.split,
    )
    items: dict[tuple[str, str], list[str]] = {}
    exact: set[tuple[str, str]] = set()
    for answer in texts:
        of_text = items.setdefault((answer.system, answer.text), [])
        if answer.item is not None:
            of_text.append(answer.key)
        if answer.is_exact:
            exact.add((answer.system, answer.text))
    for (system, text), keys in items.items():
        settled: Settled = "exact" if (system, text) in exact else "rated" if keys else "not-rated"
        yield AnswerRecord(record, system, text, settled, tuple(keys))


def documents_kept(campaign: Campaign, *, spec: SplitSpec, seed: int) -> dict[str, str]:
    """The split of each document in the latest release that has it and is of the same split and
    seed.

    However the split was written, and whether or not leaks were reported: that decides no place.
    A release that leaves documents out does not set them free, and one that was withdrawn keeps
    them where they are: people have trained on its splits.
    """
    documents: dict[str, str] = {}
    for release in Release.objects.filter(campaign=campaign, seed=seed).order_by("pk"):
        if _places(parse_split_spec(release.split)) == _places(spec):
            documents.update(release.documents)
    return documents


def _places(spec: SplitSpec) -> SplitSpec:
    return replace(spec, reports_leaks=False)


def known_names(campaign: Campaign) -> KnownNames:
    """Of every member, active or not: the name here, the user's names and e-mail address, and
    what a crowd service calls them."""
    return KnownNames(_names(campaign))


def _names(campaign: Campaign) -> Iterator[str]:
    yield from campaign.crowd_visits.values_list("participant", flat=True)
    for membership in campaign.memberships.select_related("user"):
        yield membership.name
        if user := membership.user:
            yield from (user.username, user.email, user.get_full_name())
