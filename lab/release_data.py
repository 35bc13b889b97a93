"""The judged answers of a release."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from exporters.dataset import Terms
from exporters.errors import ReleaseError
from exporters.labels import ItemLabels, LabelChoice
from exporters.manifest import MANIFEST
from exporters.reading import read_release
from exporters.released_items import ReleasedItem
from lab.judged import JudgedData, JudgedItem, Votes, votes_of
from lab.label_sets import LabelSet
from measures.scheme import LabelScheme


def judged_data_of_release(folder: Path, known: Iterable[LabelSet] = ()) -> JudgedData:
    """The items of the release in a folder, with the labels and splits they were released with; the
    digest is the release's own.

    Which labels are right is in the manifest. Older ones do not say it; for these it is taken from
    the known label sets, if one has the protocol's name and its labels.

    Raises ReleaseError in one line if the folder holds no release, or none of answers to questions.
    """
    manifest, dataset = read_release(folder)
    correct = _correct_labels(manifest.terms, known)
    return JudgedData(
        name=f"{manifest.campaign} {manifest.version}",
        protocol=manifest.terms.protocol,
        scheme=manifest.terms.scheme,
        correct_labels=correct,
        digest=manifest.digest,
        items=tuple(_judged(item, correct) for item in dataset.items),
        label_sources=_label_sources(manifest.terms.choice, dataset.items.labels),
        votes=_votes(dataset.items.labels, manifest.terms.scheme, correct),
    )


def _votes(labels: ItemLabels, scheme: LabelScheme, correct: frozenset[str]) -> list[Votes]:
    return [votes_of(scheme, outcome.votes, correct) for outcome in labels.each_outcome()]


def _label_sources(choice: LabelChoice, labels: ItemLabels) -> dict[str, Sequence[str | None]]:
    """The labels by which the items were released first, then what else there is of them."""
    sources: dict[str, Sequence[str | None]] = {
        choice: [label.label for label in labels],
        "majority": labels.each("majority"),
        "dawid-skene": labels.each("dawid_skene"),
    }
    adjudicated = labels.each_adjudicated()
    return sources | ({"adjudicators": adjudicated} if any(adjudicated) else {})


def _correct_labels(terms: Terms, known: Iterable[LabelSet]) -> frozenset[str]:
    labels = terms.accepted_labels
    for each in known:
        if not labels and each.name == terms.protocol and each.scheme.labels == terms.scheme.labels:
            labels = each.accepted_labels
    if not labels:
        raise ReleaseError(
            f"{MANIFEST}, field accepted_labels: names no label under which a candidate is a right"
            " answer, and a report needs one"
        )
    return frozenset(labels)


def _judged(item: ReleasedItem, correct: frozenset[str]) -> JudgedItem:
    record, label = item.record, item.label.label
    return JudgedItem(
        id=record.id,
        question_id=record.question_id,
        document=record.document,
        question=record.question,
        context=record.context,
        references=record.references,
        candidate=record.candidate,
        systems=record.systems,
        split=item.split,
        label=label,
        is_right=label in correct,
        reference_index=record.reference_index,
    )
