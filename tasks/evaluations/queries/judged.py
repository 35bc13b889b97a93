"""A campaign's judged answers as the lab reads them."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from operator import attrgetter

from tasks.models import Campaign
from tasks.releases.queries.releasable import adjudication_records, answer_records
from tasks.votes.items import live_items
from tasks.votes.labels import votes_by_item
from tasks.votes.ratings import counted_ratings
from tomahto.lab.judged import (
    DecidedBy,
    JudgedData,
    JudgedItem,
    PartSources,
    Votes,
    part_sources,
    rules_question,
    votes_of,
)
from tomahto.lab.order.ordered import RANKS_NEEDED
from tomahto.releases.dataset.labels import most_probable_labels
from tomahto.releases.records.intake import adjudicated_labels
from tomahto.releases.records.records import AnswerRecord
from tomahto.votes.dawid_skene import dawid_skene
from tomahto.votes.rating_rows import RatingRows
from tomahto.votes.scheme import LabelScheme

_FORMAT = "tomahto judged answers 3"
_ENCODER = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
)


@dataclass(frozen=True)
class CampaignData(JudgedData):
    """The labelled part of a campaign. `ties` more items are rated and have none."""

    ties: int = 0


def judged_data_of_campaign(campaign: Campaign) -> CampaignData:
    """Its rated live items, each with the label that all its adjudicators share, or else with that
    of most counted ratings: as the choice `adjudicated` of releases has it, but ties are left out.

    Items and answers are in the order of their keys. The digest is the SHA-256 of both and of the
    majority labels as lines of canonical JSON, whatever the database.
    """
    protocol = campaign.annotation_protocol
    counted = votes_by_item(campaign)
    winners, by_item = counted.majority_labels, counted.counts_by_item
    adjudicated = sorted(adjudication_records(campaign), key=attrgetter("item_id"))
    decided = adjudicated_labels(tuple(adjudicated))
    answers = sorted(answer_records(campaign), key=attrgetter("key"))
    found = sorted(
        _items(campaign, winners, decided, _systems(answers)), key=lambda pair: pair[0].id
    )
    items = tuple(item for item, _ in found)
    correct = frozenset(protocol.accepted_labels)
    votes = [votes_of(protocol.scheme, by_item[key], correct) for _, key in found]
    keys = live_items(campaign).order_by("key").values_list("pk", "key")
    majority = {key: winners[item] for item, key in keys if item in winners}
    decided_by = _decided_by(campaign, items)
    ratings = _ratings_to_compare(campaign)
    parts = _part_sources(campaign, items, decided, ratings)
    modelled = _dawid_skene(ratings, protocol.scheme)
    ties = [key for key, label in majority.items() if not (label or decided.get(key))]
    is_decided = any(decided.get(item.id) for item in items)
    return CampaignData(
        name=campaign.title,
        protocol=protocol.name,
        scheme=protocol.scheme,
        correct_labels=correct,
        digest=_digest(protocol.name, items, votes, majority, answers, decided_by, parts),
        items=items,
        all_answers=answers,
        majority=majority,
        ties=len(ties),
        label_sources={
            "adjudicated": [item.label for item in items],
            **({"majority": [majority.get(item.id) for item in items]} if is_decided else {}),
            **_modelled(modelled, [item.id for item in items]),
        },
        part_sources=parts,
        tie_sources=_modelled(modelled, ties),
        votes=votes,
        decided_by=decided_by,
    )


def judged_splits(campaign: Campaign) -> list[str]:
    """The splits that the sources of its questions have, by name."""
    named = campaign.questions.exclude(split="")
    return sorted(set(named.order_by().values_list("split", flat=True).distinct()))


def _items(
    campaign: Campaign,
    winners: Mapping[int, str | None],
    decided: Mapping[str, str | None],
    systems: Mapping[str, set[str]],
) -> Iterator[tuple[JudgedItem, int]]:
    """Each with its key in the database."""
    correct = frozenset(campaign.annotation_protocol.accepted_labels)
    rated = live_items(campaign).filter(pk__in=counted_ratings(campaign).values("item"))
    for item in rated.iterator(chunk_size=2000):
        label = decided.get(item.key) or winners.get(item.pk)
        if label is None:
            continue
        judged = JudgedItem(
            id=item.key,
            question_id=item.question.key,
            document=item.question.document.key,
            question=item.question.text,
            context=item.question.context,
            references=tuple(item.references),
            candidate=item.candidate,
            systems=tuple(sorted(systems.get(item.key, ()))),
            split=item.question.split,
            label=label,
            is_right=label in correct,
            reference_index=item.reference_index,
            intended=item.intended,
        )
        yield judged, item.pk


def _decided_by(campaign: Campaign, items: Iterable[JudgedItem]) -> DecidedBy | None:
    question = rules_question(campaign.annotation_protocol.question_schemes)
    if question is None:
        return None
    counted = counted_ratings(campaign).order_by()
    ratings = counted.values_list("item__key", "outcome__label", "outcome__answers")
    return DecidedBy.of(question, {item.id: item.label for item in items}, ratings.iterator())


def _ratings_to_compare(campaign: Campaign) -> list[tuple[str, str, str]]:
    """Item, pseudonym and label of each counted rating, where labels are an order that sources of
    them are compared by; none elsewhere."""
    scheme = campaign.annotation_protocol.scheme
    if scheme.level != "ordinal" or len(set(scheme.ranks)) < RANKS_NEEDED:
        return []
    counted = counted_ratings(campaign).order_by("item__key", "rater__pseudonym")
    rows = counted.values_list("item__key", "rater__pseudonym", "outcome__label")
    return list(rows.iterator(chunk_size=2000))


def _part_sources(
    campaign: Campaign,
    items: Sequence[JudgedItem],
    decided: Mapping[str, str | None],
    ratings: Sequence[tuple[str, str, str]],
) -> PartSources:
    """The intended labels of generated texts, the decisions of adjudicators, and every rater under
    a pseudonym."""
    if not ratings:
        return {}
    known = campaign.annotation_protocol.scheme.labels
    generated = live_items(campaign).filter(intended__in=known).order_by()
    meant = dict(generated.values_list("key", "intended"))
    return part_sources([item.id for item in items], meant, decided, ratings)


def _dawid_skene(
    ratings: Sequence[tuple[str, str, str]], scheme: LabelScheme
) -> dict[str, str | None]:
    """The most probable label of each item under the model; None where several are."""
    if not ratings:
        return {}
    estimate = dawid_skene(RatingRows.of(ratings, scheme.labels))
    items = dict.fromkeys(item for item, _, _ in ratings)
    probable = most_probable_labels(scheme.labels, estimate)
    return {
        item: labels[0] if len(labels) == 1 else None
        for item, labels in zip(items, probable, strict=True)
    }


def _modelled(
    labels: Mapping[str, str | None], keys: Iterable[str]
) -> dict[str, Sequence[str | None]]:
    return {"dawid-skene": [labels[key] for key in keys]} if labels else {}


def _systems(answers: Iterable[AnswerRecord]) -> Mapping[str, set[str]]:
    """By the keys of items."""
    systems: dict[str, set[str]] = defaultdict(set)
    for answer in answers:
        for item in answer.items:
            systems[item].add(answer.system)
    return systems


def _digest(
    protocol: str,
    items: Iterable[JudgedItem],
    votes: Iterable[Votes],
    majority: Mapping[str, str | None],
    answers: Iterable[AnswerRecord],
    decided_by: DecidedBy | None,
    parts: PartSources,
) -> str:
    digest = hashlib.sha256()
    lines = chain(
        ({"format": _FORMAT, "protocol": protocol},),
        ({**asdict(item), "votes": list(each)} for item, each in zip(items, votes, strict=True)),
        ({"majority": majority},),
        (
            {
                "answer": answer.key,
                "settled": answer.settled,
                "items": sorted(answer.items),
                "references": answer.question.references,
            }
            for answer in answers
        ),
        [{"decided_by": decided_by.by_item}] if decided_by else [],
        [{"part_sources": parts}] if parts else [],
    )
    for line in lines:
        digest.update(f"{_ENCODER.encode(line)}\n".encode())
    return digest.hexdigest()
