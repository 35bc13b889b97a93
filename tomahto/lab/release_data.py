"""The judged answers of a release."""

from collections.abc import Collection, Sequence
from pathlib import Path

from tomahto.lab.judged import (
    ADJUDICATORS,
    DecidedBy,
    JudgedData,
    JudgedItem,
    PartSources,
    answers_of_items,
    part_sources,
    rules_question,
    votes_of,
)
from tomahto.releases.dataset.dataset import Dataset, Terms
from tomahto.releases.dataset.labels import ItemLabel, LabelChoice
from tomahto.releases.dataset.released_items import ReleasedItem
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.stored.manifest import MANIFEST
from tomahto.releases.stored.reading import StoredRelease, read_release


def judged_data_of_release(folder: Path) -> JudgedData:
    """The items of the release in a folder, with the labels and splits they were released with, and
    all answers of the systems; the digest is the release's own.

    Items whose label was drawn in a tie are left out, as a campaign's are that have none, so that a
    report says the same of both. Systems that a split leaves out are none of the items' either.

    Raises ReleaseError in one line if the folder holds no release, or none of answers to questions.
    """
    return judged_data_of(read_release(folder))


def judged_data_of(release: StoredRelease) -> JudgedData:
    """Of a release, or of a split of it, that is read already. Raises as
    `judged_data_of_release`."""
    manifest, dataset = release
    correct = _correct_labels(manifest.terms)
    items = [item for item in dataset.items if item.label.settled is not None]
    drawn = drawn_items(dataset)
    choice = manifest.terms.choice
    named = {answer.system for answer in dataset.answers}
    return JudgedData(
        name=f"{manifest.campaign} {manifest.version}",
        protocol=manifest.terms.protocol,
        scheme=manifest.terms.scheme,
        correct_labels=correct,
        digest=manifest.digest,
        items=tuple(_judged(item, correct, named or item.record.systems) for item in items),
        all_answers=dataset.answers or answers_of_items(dataset.items.records),
        majority=dataset.majority_labels,
        label_sources=_settled_sources(choice, [item.label for item in items]),
        part_sources=part_sources_of(dataset, items),
        tie_sources={
            **_settled_sources(choice, [item.label for item in drawn]),
            ADJUDICATORS: [item.label.adjudicated for item in drawn],
        },
        votes=[
            votes_of(manifest.terms.scheme, item.label.outcome.votes, correct) for item in items
        ],
        decided_by=_decided_by(dataset),
    )


def drawn_items(dataset: Dataset) -> list[ReleasedItem]:
    """Those whose label was drawn in a tie, which are no judged items."""
    return [item for item in dataset.items if item.label.settled is None]


def _decided_by(dataset: Dataset) -> DecidedBy | None:
    question = rules_question(dataset.terms.question_schemes)
    if question is None:
        return None
    labels = {item.record.id: item.label.label for item in dataset.items}
    counted = (rating for rating in dataset.ratings if rating.counted)
    return DecidedBy.of(
        question, labels, ((one.item_id, one.label, one.answers) for one in counted)
    )


def part_sources_of(dataset: Dataset, items: Sequence[ReleasedItem]) -> PartSources:
    """The intended labels of generated texts, the decisions of adjudicators, and the counted
    ratings."""
    known = dataset.terms.scheme.index_of
    counted = (one for one in dataset.ratings if one.counted)
    return part_sources(
        [item.record.id for item in items],
        {item.record.id: item.record.intended for item in items if item.record.intended in known},
        {item.record.id: item.label.adjudicated for item in items},
        ((one.item_id, one.rater, one.label) for one in counted),
    )


def label_sources(
    choice: LabelChoice, labels: Sequence[ItemLabel]
) -> dict[str, Sequence[str | None]]:
    """The labels by which the items were released first, then what else there is of them. In a tie
    there is no majority; where adjudicators decided nothing, theirs would be the majority's."""
    sources: dict[str, Sequence[str | None]] = {choice: [label.settled for label in labels]}
    if choice != "adjudicated" or any(label.adjudicated for label in labels):
        sources["majority"] = [None if one.outcome.tie else one.majority for one in labels]
    return sources | {"dawid-skene": [label.dawid_skene for label in labels]}


def _settled_sources(
    choice: LabelChoice, labels: Sequence[ItemLabel]
) -> dict[str, Sequence[str | None]]:
    """These without what was drawn from several labels that are most probable."""
    found = label_sources(choice, labels)
    return found | {"dawid-skene": [label.most_probable for label in labels]}


def _correct_labels(terms: Terms) -> frozenset[str]:
    if not terms.accepted_labels:
        raise ReleaseError(
            f"{MANIFEST}, field accepted_labels: names no label under which a candidate is a right"
            " answer, and a report needs one"
        )
    return frozenset(terms.accepted_labels)


def _judged(item: ReleasedItem, correct: frozenset[str], systems: Collection[str]) -> JudgedItem:
    record, label = item.record, item.label.label
    return JudgedItem(
        id=record.id,
        question_id=record.question_id,
        document=record.document,
        question=record.question,
        context=record.context,
        references=record.references,
        candidate=record.candidate,
        systems=tuple(system for system in record.systems if system in systems),
        split=item.split,
        label=label,
        is_right=label in correct,
        reference_index=record.reference_index,
        intended=record.intended,
    )
