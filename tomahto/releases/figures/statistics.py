"""The tables that every release shows for its own data, after those of Bulian et al. (2022)."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import chain
from operator import attrgetter
from typing import Any, TypeVar

import numpy as np

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.ranking.system_accuracy import REPLICATES, judged_systems
from tomahto.ranking.system_answers import SystemAnswers, Texts, answers_of, is_right
from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.dataset.labels import LABEL_SOURCES
from tomahto.releases.dataset.released_items import ReleasedItem, ReleasedItems
from tomahto.releases.records.intake import adjudicated_labels
from tomahto.releases.records.ratings import Ratings
from tomahto.releases.records.records import SETTLED, AnswerRecord, ItemRecord
from tomahto.scoring.judged_scores import f1_histogram
from tomahto.votes.scheme import LabelScheme

T = TypeVar("T")


def release_statistics(dataset: Dataset) -> dict[str, Any]:
    """All tables as one JSON object; everything but accuracies is a number of things.

    - `sizes` (Tab. 2): in all and of each split
    - `ratings_per_item` (§3.5): items by their number of counted ratings, likewise
    - `sizes_by_system` (Tab. 10): an item of several systems counts for each, so the sum over
      systems can be above the total
    - `labels_by_system` (Tab. 11): candidates, items and counted ratings by label. A candidate
      takes the highest-ranking label of its items (of equal ranks the one named first), since one
      reference it matches is enough
    - `labels_by_question_type` (CAP Tab. 15): items by label, for each kind of question named
    - `open_by_system` and `open_by_question_type`: what has no label in these two tables. Items
      whose label was drawn in a tie, and candidates that such items or unrated ones leave open
      (tomahto.ranking.system_answers.is_right)
    - `f1_histogram`: items by token F1 and label, in ten bins; the last includes 1
    - `f1_readings` (Fig. 1), of answer equivalence: the same by reading
      (tomahto.releases.figures.statistics)
    - `label_sources`: items by where their label comes from
    - `adjudication`: adjudicators' decisions, items with any, and those whose adjudicators differ

    and where systems' answers are here

    - `answers`: answers by how they were settled, in all and of each split
    - `systems`: the systems, best first, with estimates of their accuracy
      (tomahto.releases.figures.statistics)
    """
    groups = dataset.items_by_split
    by_system = dataset.items.grouped(attrgetter("systems"))
    read = f1_histogram(READINGS, readings(dataset))
    is_read = read["without_references"] or any(map(any, read["labels"].values()))
    return {
        "sizes": {
            "total": _sizes(dataset.items, dataset.ratings),
            "splits": {
                split: _sizes(items, dataset.ratings_by_split[split])
                for split, items in groups.items()
            },
        },
        "ratings_per_item": _whole_and_splits(dataset.items, groups, _ratings_per_item),
        "sizes_by_system": {system: _system_sizes(items) for system, items in by_system.items()},
        **_labels(dataset),
        "f1_histogram": f1_histogram(
            dataset.terms.scheme.labels, ((item.label.label, item.f1) for item in dataset.items)
        ),
        **({"f1_readings": read} if is_read else {}),
        "label_sources": _tally(dataset.items.labels.each_source(), LABEL_SOURCES),
        "adjudication": _adjudication(dataset),
        **(_answers(dataset) if dataset.answers else {}),
    }


def _whole_and_splits(
    whole: T, splits: Mapping[str, T], count: Callable[[T], dict[str, int]]
) -> dict[str, Any]:
    return {
        "total": count(whole),
        "splits": {split: count(part) for split, part in splits.items()},
    }


def _sizes(items: ReleasedItems, ratings: Ratings) -> dict[str, int]:
    """`ratings` are all of the items, counted or not. How many were set aside is said where any
    is."""
    sizes = _system_sizes(items)
    set_aside = int(ratings.rows["is_set_aside"].sum())
    return {
        "documents": len({record.document for record in items.records}),
        "questions": len({record.question_id for record in items.records}),
        **sizes,
        "surplus_ratings": len(ratings) - sizes["ratings"] - set_aside,
        **({"set_aside_ratings": set_aside} if set_aside else {}),
        "ties": sum(outcome.tie for outcome in items.labels.each_outcome()),
    }


def _candidate(item: ReleasedItem) -> tuple[str, str]:
    return item.record.question_id, item.record.candidate


def _ratings_per_item(items: ReleasedItems) -> dict[str, int]:
    ratings, counts = np.unique(items.labels.ratings, return_counts=True)
    return {str(each): count for each, count in zip(ratings, counts.tolist(), strict=True)}


def _question_type(item: ItemRecord) -> tuple[str, ...]:
    return (item.question_type,) if item.question_type else ()


def _system_sizes(items: ReleasedItems) -> dict[str, int]:
    return {
        "candidates": _distinct((each.question_id, each.candidate) for each in items.records),
        "items": len(items),
        "ratings": int(items.labels.ratings.sum()),
    }


def _distinct(texts: Iterable[tuple[str, str]]) -> int:
    """The number of different ones, in 32 bytes for each."""
    hashes = b"".join(
        blake2b(repr(each).encode(errors="surrogatepass"), digest_size=16).digest()
        for each in texts
    )
    return len(np.unique(np.frombuffer(hashes, "S16")))


def _labels(dataset: Dataset) -> dict[str, Any]:
    """Labels by system and by type of question, and what is open. The first version of the figures
    counted labels drawn in ties like any other, and candidates by their rated items alone."""
    scheme, accepted = dataset.terms.scheme, frozenset(dataset.terms.accepted_labels)
    is_first = dataset.terms.figures_version == 1
    label_of = attrgetter("label" if is_first else "settled")
    not_rated = {answer.key for answer in dataset.answers if answer.settled == "not-rated"}
    of_systems, open_of_systems = {}, {}
    for system, items in dataset.items.grouped(attrgetter("systems")).items():
        candidates: dict[tuple[str, str], dict[str, str | None]] = {}
        for item in items:
            candidates.setdefault(_candidate(item), {})[item.record.id] = label_of(item.label)
        decided = [
            _highest(scheme, labels)
            for (question, text), labels in candidates.items()
            if (is_first or (question, system, text) not in not_rated)
            and is_right(labels, labels, accepted) is not None
        ]
        of_items = list(chain.from_iterable(labels.values() for labels in candidates.values()))
        votes = [sum(column) for column in zip(*(item.label.votes for item in items), strict=True)]
        of_systems[system] = {
            "candidates": _tally(decided, scheme.labels),
            "items": _tally(of_items, scheme.labels),
            "ratings": dict(zip(scheme.labels, votes, strict=True)),
        }
        open_of_systems[system] = {
            "candidates": len(candidates) - len(decided),
            "items": of_items.count(None),
        }
    of_kinds = {
        kind: [label_of(item.label) for item in items]
        for kind, items in dataset.items.grouped(_question_type).items()
    }
    counted = {
        "labels_by_system": of_systems,
        "labels_by_question_type": {
            kind: _tally(labels, scheme.labels) for kind, labels in of_kinds.items()
        },
    }
    if is_first:
        return counted
    open_of_kinds = {kind: labels.count(None) for kind, labels in of_kinds.items()}
    return counted | {
        "open_by_system": open_of_systems,
        "open_by_question_type": open_of_kinds,
    }


def _highest(scheme: LabelScheme, labels: Mapping[str, str | None]) -> str:
    def place(label: str) -> tuple[float, int]:
        return scheme.rank_of[label], -scheme.index_of[label]

    return max(filter(None, labels.values()), key=place)


def _tally(values: Iterable[str | None], names: Iterable[str]) -> dict[str, int]:
    counts = Counter(values)
    return {name: counts[name] for name in names}


def _answers(dataset: Dataset) -> dict[str, Any]:
    return {
        "answers": _whole_and_splits(
            dataset.answers,
            dataset.answers_by_split,
            lambda answers: _tally((answer.settled for answer in answers), SETTLED),
        ),
        "systems": system_table(dataset),
    }


def _adjudication(dataset: Dataset) -> dict[str, int]:
    shared = adjudicated_labels(dataset.adjudications).values()
    return {
        "decisions": len(dataset.adjudications),
        "items": len(shared),
        "differing": sum(label is None for label in shared),
    }


EQUIVALENT, LESS, DIFFERENT = "equivalent", "removes-or-adds", "completely-different"
READINGS = (EQUIVALENT, LESS, DIFFERENT)


def readings(dataset: Dataset) -> Iterator[tuple[str, float | None]]:
    """Each item's reading and its F1, in a release of answer equivalence; nothing where a rating
    has no answer to Q1.

    An item that is not equivalent is completely different if more than half of its counted ratings
    that are not equivalent say so (Q1), else it removes or adds something (Q2). One that is so by
    adjudicators or a model alone has no reading, and is left out: none of its ratings says why.
    """
    if dataset.terms.protocol != "ae":
        return
    rows = dataset.ratings.rows[dataset.ratings.rows["is_counted"]]
    said = [answers.get("q1") for answers in dataset.ratings.answer_sets]
    if None in {said[place] for place in np.unique(rows["answers"]).tolist()}:
        return
    is_different = np.array([answer == "yes" for answer in said], np.bool_)[rows["answers"]]
    different = np.bincount(rows["item"][is_different], minlength=len(dataset.items)).tolist()
    equivalent = dataset.terms.scheme.index_of[EQUIVALENT]
    for item, count in zip(dataset.items, different, strict=True):
        others = item.label.ratings - item.label.votes[equivalent]
        if item.label.label == EQUIVALENT:
            yield EQUIVALENT, item.f1
        elif others:
            yield (DIFFERENT if 2 * count > others else LESS), item.f1


_NOT_HERE = ""  # stands for the items of an answer that are missing


def system_table(
    dataset: Dataset, answers: Sequence[AnswerRecord] | None = None
) -> list[dict[str, Any]]:
    """The systems whose answers are here, or these, the best first
    (tomahto.ranking.system_accuracy): their answers by how they were settled, and what people
    judged of them.

    Judged by the majority of the counted ratings, ties open, whatever labels the release has.
    Accuracies are there where a label means that a candidate is right.
    """
    answers = dataset.answers if answers is None else answers
    settled: dict[str, Counter[str]] = defaultdict(Counter)
    for answer in answers:
        settled[answer.system][answer.settled] += 1
    terms = dataset.terms
    accepted = frozenset(terms.accepted_labels)
    bootstrap = Bootstrap(REPLICATES, terms.seed, is_widened=terms.figures_version > 1)
    systems = system_answers(answers, dataset.majority_labels, accepted)
    rows = []
    for system in judged_systems(systems, accepted, bootstrap):
        figures = system.figures(terms.scheme.labels, accepted)
        counts = settled[system.answers.system]
        rows.append(figures | {"answers": {name: counts[name] for name in SETTLED}})
    return rows


def system_answers(
    answers: Iterable[AnswerRecord],
    labels: Mapping[str, str | None],
    accepted: frozenset[str],
) -> list[SystemAnswers]:
    """The answers of every system, by name; those to questions without a reference are left out.

    `labels` has every rated item's label by its id, None where there is none.
    """
    texts: dict[str, Texts[str]] = defaultdict(lambda: defaultdict(dict))
    exact: dict[str, set[str]] = defaultdict(set)
    for answer in answers:
        if not answer.question.references:
            continue
        question, items = answer.question.id, list(answer.items)
        if answer.settled == "exact":
            exact[answer.system].add(question)
        elif answer.settled == "not-rated":
            items.append(_NOT_HERE)
        texts[answer.system][question][answer.candidate] = items
    return [
        answers_of(system, given, frozenset(exact[system]), labels, accepted)
        for system, given in sorted(texts.items())
    ]
