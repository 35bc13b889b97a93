"""The report of a release's splits: groups, shares, labels, near-duplicates and leaks."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from tomahto.releases.dataset.choices import format_split_spec
from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.dataset.placement import (
    AskedQuestion,
    across_documents,
    divided_questions,
    document_groups,
    near_duplicate_questions,
    parted_questions,
    source_splits,
    system_splits,
)
from tomahto.releases.records.records import AnsweredQuestion, ItemRecord
from tomahto.text.normalisation import tokens
from tomahto.text.same_question import THRESHOLD, question_tokens

SPLITS = "splits.json"


def split_report(dataset: Dataset) -> dict[str, Any]:
    """The table `splits.json`; it follows from items and answers alone. Documents and questions are
    those of both, sizes and labels are of items.

    - `labels`: items of each split by label, and `largest_label_deviation`: the split and label
      whose share of the split's items is furthest from its share of all items (0 to 1)
    - `near_duplicates`: groups of questions with a token Jaccard of `threshold` or more, directly
      or by way of others, and those that are asked of several documents. The first version of the
      figures compared words in the normal form of scoring, whatever their script
    - by system: `items_in_several_splits` and `documents_in_several_splits`
    - predefined: `documents` and `parted_documents`, those in several splits, and `leaks`, the
      near-duplicates on two sides
    - where documents are kept whole: `documents`, the `groups` that stay together and the
      `largest_group`; the `targets` of items; `leaks`, the near-duplicates on two sides; and if
      labels were stratified `not_reached`, the splits and labels that miss their share by more
      items than one group has at most, which documents that stay whole did not allow. Where splits
      of the source are kept, all but `leaks` is of the other documents; `kept` has the number of
      those of each, and `parted_documents` those in several splits
    """
    spec = dataset.terms.spec
    duplicates = near_duplicate_questions(
        dataset.items.records,
        dataset.answers,
        tokens_of=tokens if dataset.terms.figures_version == 1 else question_tokens,
    )
    groups = dataset.items_by_split.items()
    labels = {name: items.label_counts(dataset.terms.scheme) for name, items in groups}
    return {
        "split": format_split_spec(spec),
        "labels": labels,
        "largest_label_deviation": _largest_deviation(labels),
        "near_duplicates": {
            "threshold": THRESHOLD,
            "groups": len(duplicates),
            "across_documents": _questions(across_documents(duplicates)),
        },
        **_sides(dataset, duplicates, labels),
    }


def split_differences(dataset: Dataset) -> list[str]:
    """The items that break the promise of their split, one line each.

    No near-duplicate question is on two sides unless the specification says so (that no document
    is, is seen when a release is read); by system, an item is in the splits of its systems;
    predefined or kept, it is in that of its source. The same holds of answers.
    """
    spec = dataset.terms.spec
    if spec.by == "predefined":
        return _not_as_in_source(
            dataset, lambda record, splits: splits == source_splits(record, spec)
        )
    if spec.by == "system":
        return [
            *(
                f"item {item.record.id!r}: is not in the splits that its systems make"
                for item in dataset.items
                if item.splits != system_splits(item.record.systems, spec)
            ),
            *(
                f"answers of {each.system!r}: are not in the splits that the system makes"
                for each in dataset.answers
                if each.splits != system_splits((each.system,), spec)
            ),
        ]
    misplaced = _not_as_in_source(
        dataset,
        lambda record, splits: (
            spec.kept_split(record.source_split) == spec.kept_split("+".join(splits))
        ),
    )
    if spec.reports_leaks or misplaced:
        return misplaced
    split_of = {name: split for name, (split,) in _document_splits(dataset).items()}
    duplicates = near_duplicate_questions(dataset.items.records, dataset.answers)
    return [
        "near-duplicate questions in two splits: "
        + ", ".join(f"{asked.question_id!r} in {split_of[asked.document]}" for asked in group)
        for group in parted_questions(duplicates, lambda asked: split_of[asked.document])
    ]


def _not_as_in_source(
    dataset: Dataset,
    is_right: Callable[[ItemRecord | AnsweredQuestion, tuple[str, ...]], bool],
) -> list[str]:
    return [
        *(
            f"item {item.record.id!r}: is not in its split of the source"
            for item in dataset.items
            if not is_right(item.record, item.splits)
        ),
        *(
            f"question {each.question.id!r}: is not in its split of the source"
            for each in dataset.answers
            if not is_right(each.question, each.splits)
        ),
    ]


def _largest_deviation(labels: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    whole: Counter[str] = Counter()
    for counts in labels.values():
        whole.update(counts)
    deviations = [
        {
            "split": split,
            "label": label,
            "share": counts[label] / sum(counts.values()),
            "share_of_all": whole[label] / whole.total(),
        }
        for split, counts in labels.items()
        for label in counts
        if any(counts.values())
    ]
    return max(deviations, key=lambda found: abs(found["share"] - found["share_of_all"]))


def _sides(
    dataset: Dataset,
    duplicates: Sequence[Sequence[AskedQuestion]],
    labels: Mapping[str, Mapping[str, int]],
) -> dict[str, Any]:
    splits = _document_splits(dataset)
    match dataset.terms.spec.by:
        case "system":
            return {
                "items_in_several_splits": sum(len(item.splits) > 1 for item in dataset.items),
                "documents_in_several_splits": sum(len(each) > 1 for each in splits.values()),
            }
        case "predefined":
            parted = parted_questions(duplicates, lambda asked: asked.source_split)
            return {
                "documents": len(splits),
                "parted_documents": _parted(dataset, splits),
                "leaks": _questions(parted),
            }
    return _whole_documents(dataset, duplicates, labels, splits)


def _parted(dataset: Dataset, splits: Mapping[str, set[str]]) -> list[dict[str, Any]]:
    return [
        {"document": name, "splits": [split for split in dataset.splits if split in found]}
        for name, found in sorted(splits.items())
        if len(found) > 1
    ]


def _document_splits(dataset: Dataset) -> dict[str, set[str]]:
    splits: dict[str, set[str]] = {}
    for item in dataset.items:
        splits.setdefault(item.record.document, set()).update(item.splits)
    for answer in dataset.answers:
        splits.setdefault(answer.question.document, set()).update(answer.splits)
    return splits


def _whole_documents(
    dataset: Dataset,
    duplicates: Sequence[Sequence[AskedQuestion]],
    labels: Mapping[str, Mapping[str, int]],
    splits: Mapping[str, set[str]],
) -> dict[str, Any]:
    spec = dataset.terms.spec
    split_of = {
        name: split for name, found in splits.items() for split in found if split in spec.shares
    }
    groups = document_groups(split_of, divided_questions(across_documents(duplicates), spec))
    number = {name: index for index, group in enumerate(groups) for name in group}
    counts: list[Counter[str]] = [Counter() for _ in groups]
    divided = 0
    for item in dataset.items:
        if item.split in spec.shares:
            counts[number[item.record.document]][item.label.label] += 1
            divided += 1
    total = sum(spec.shares.values())
    targets = {name: divided * share / total for name, share in spec.shares.items()}
    leaks = parted_questions(
        duplicates,
        lambda asked: spec.kept_split(asked.source_split) or split_of[asked.document],
    )
    kept = {
        "kept": {name: sum(name in found for found in splits.values()) for name in spec.kept},
        "parted_documents": _parted(dataset, splits),
    }
    stratified = {"not_reached": _not_reached(labels, targets, counts)} if spec.stratified else {}
    return {
        "documents": len(split_of),
        "groups": len(groups),
        "largest_group": {
            "documents": max(map(len, groups)),
            "items": max(count.total() for count in counts),
        },
        "targets": targets,
        "leaks": _questions(leaks),
        **(kept if spec.kept else {}),
        **stratified,
    }


def _not_reached(
    labels: Mapping[str, Mapping[str, int]],
    targets: Mapping[str, float],
    groups: Sequence[Counter[str]],
) -> list[dict[str, Any]]:
    items = sum(targets.values())
    missed = []
    for split, target in targets.items():
        for label, count in labels[split].items():
            expected = target * sum(group[label] for group in groups) / items
            if abs(count - expected) > max(group[label] for group in groups):
                missed.append(
                    {"split": split, "label": label, "items": count, "expected": expected}
                )
    return missed


def _questions(groups: Iterable[Iterable[AskedQuestion]]) -> list[list[dict[str, str]]]:
    return [
        [{"document": asked.document, "question_id": asked.question_id} for asked in group]
        for group in groups
    ]
