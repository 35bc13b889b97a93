"""A campaign's judged answers as the lab reads them."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import asdict, dataclass
from operator import attrgetter

from exporters.adjudications import adjudicated_labels
from lab.judged import ExactAnswer, JudgedData, JudgedItem, Votes, votes_of
from tasks.models import Campaign, Candidate, ItemPurpose, ItemSystem
from tasks.queries.items import live_items
from tasks.queries.ratings import counted_ratings
from tasks.queries.releasable import adjudication_records
from tasks.queries.shared_items import shared_items
from tasks.queries.votes import majority_labels, votes_by_item

_FORMAT = "tomahto judged answers 2"
_ENCODER = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
)


@dataclass(frozen=True)
class CampaignData(JudgedData):
    """What of a campaign has a label. `ties` more items are rated and have none."""

    ties: int = 0


def judged_data_of_campaign(campaign: Campaign) -> CampaignData:
    """Its rated live items, each with the label that all its adjudicators share, or else with that
    of most counted ratings: as the choice `adjudicated` of releases has it, but ties are left out.

    Exact answers are None where none is known. Items and exact answers are in the order of their
    keys. The digest is the SHA-256 of both as lines of canonical JSON, whatever the database.
    """
    protocol = campaign.annotation_protocol
    by_item = votes_by_item(campaign)
    winners = majority_labels(campaign, by_item)
    decided = _decided_labels(campaign)
    found = sorted(_items(campaign, winners, decided), key=lambda pair: pair[0].id)
    items = tuple(item for item, _ in found)
    correct = frozenset(protocol.accepted_labels)
    votes = [votes_of(protocol.scheme, by_item[key], correct) for _, key in found]
    exact = _exact_answers(campaign) or None
    shared = _shared(campaign, {item.id for item in items})
    return CampaignData(
        name=campaign.title,
        protocol=protocol.name,
        scheme=protocol.scheme,
        correct_labels=correct,
        digest=_digest(protocol.name, items, votes, exact or (), shared),
        items=items,
        exact=exact,
        ties=len(winners) - len(items),
        label_sources=_label_sources(campaign, items, winners, decided),
        votes=votes,
        shared=shared,
    )


def judged_splits(campaign: Campaign) -> list[str]:
    """The splits that the sources of its questions have, by name."""
    named = campaign.questions.exclude(split="")
    return sorted(set(named.order_by().values_list("split", flat=True).distinct()))


def _items(
    campaign: Campaign, winners: Mapping[int, str | None], decided: Mapping[str, str | None]
) -> Iterator[tuple[JudgedItem, int]]:
    """Each with its key in the database."""
    systems = _systems(campaign)
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
            systems=tuple(sorted(systems.get(item.pk, ()))),
            split=item.question.split,
            label=label,
            is_right=label in correct,
            reference_index=item.reference_index,
        )
        yield judged, item.pk


def _label_sources(
    campaign: Campaign,
    items: Sequence[JudgedItem],
    winners: Mapping[int, str | None],
    decided: Mapping[str, str | None],
) -> dict[str, Sequence[str | None]]:
    """The items' labels, and where adjudicators decided some, what each side says."""
    sources: dict[str, Sequence[str | None]] = {"adjudicated": [item.label for item in items]}
    if not any(decided.values()):
        return sources
    keys = dict(live_items(campaign).values_list("pk", "key"))
    by_key = {keys[item]: label for item, label in winners.items() if item in keys}
    return sources | {
        "majority": [by_key.get(item.id) for item in items],
        "adjudicators": [decided.get(item.id) for item in items],
    }


def _shared(campaign: Campaign, judged: Set[str]) -> Mapping[str, Sequence[tuple[str, str]]]:
    """Those of these items that JudgedData calls so."""
    shared = shared_items(campaign)
    settled: dict[str, list[tuple[str, str]]] = defaultdict(list)
    is_of_other = set()
    for answer, settling in shared.answers.items():
        for item in (each for each in settling if each.key in judged):
            settled[item.key].append((answer.system, shared.questions[answer.question].key))
            if item.question != answer.question:
                is_of_other.add(item.key)
    return {key: sorted(settled[key]) for key in sorted(is_of_other)}


def _decided_labels(campaign: Campaign) -> Mapping[str, str | None]:
    """By the keys of adjudicated items."""
    by_item = sorted(adjudication_records(campaign), key=attrgetter("item_id"))
    return adjudicated_labels(tuple(by_item))


def _systems(campaign: Campaign) -> Mapping[int, list[str]]:
    systems: dict[int, list[str]] = defaultdict(list)
    live = ItemSystem.objects.filter(item__campaign=campaign, item__purpose=ItemPurpose.LIVE)
    for item, name in live.values_list("item", "system__name"):
        systems[item].append(name)
    return systems


def _exact_answers(campaign: Campaign) -> tuple[ExactAnswer, ...]:
    found = Candidate.objects.filter(system__campaign=campaign, is_exact_match=True).select_related(
        "system", "question__document"
    )
    exact = (
        ExactAnswer(
            system=candidate.system.name,
            question_id=candidate.question.key,
            document=candidate.question.document.key,
            question=candidate.question.text,
            context=candidate.question.context,
            references=tuple(candidate.question.references),
            candidate=candidate.text,
        )
        for candidate in found.iterator(chunk_size=2000)
    )
    return tuple(sorted(exact, key=attrgetter("system", "question_id")))


def _digest(
    protocol: str,
    items: Iterable[JudgedItem],
    votes: Iterable[Votes],
    exact: Iterable[ExactAnswer],
    shared: Mapping[str, Sequence[tuple[str, str]]],
) -> str:
    digest = hashlib.sha256()
    lines = ({**asdict(item), "votes": list(each)} for item, each in zip(items, votes, strict=True))
    for line in ({"format": _FORMAT, "protocol": protocol}, *lines):
        digest.update(f"{_ENCODER.encode(line)}\n".encode())
    for answer in exact:
        digest.update(f"{_ENCODER.encode(asdict(answer))}\n".encode())
    for item, settled in shared.items():
        digest.update(f"{_ENCODER.encode([item, settled])}\n".encode())
    return digest.hexdigest()
