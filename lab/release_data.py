"""The judged answers in a release, read from its folder."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from exporters.dataset import Dataset
from exporters.manifest import Manifest
from exporters.reading import read_release
from lab.judged import JudgedData, JudgedItem


def judged_data_of_release(folder: Path, _known: Iterable[object] = ()) -> JudgedData:
    """The items of a release with their labels; those with a tie are left out.

    Raises ReleaseError in one line if the folder does not hold a release.
    """
    manifest, dataset = read_release(folder)
    terms = manifest.terms
    return JudgedData(
        name=f"{manifest.title} {manifest.version}",
        protocol=terms.protocol,
        scheme=terms.scheme,
        correct_labels=frozenset(terms.accepted_labels),
        digest=manifest.digest,
        items=tuple(_items(manifest, dataset)),
    )


def _items(manifest: Manifest, dataset: Dataset) -> Iterator[JudgedItem]:
    correct = frozenset(manifest.terms.accepted_labels)
    for item in dataset.items:
        if item.label.source != "tie":
            record, label = item.record, item.label.label
            yield JudgedItem(
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
            )
