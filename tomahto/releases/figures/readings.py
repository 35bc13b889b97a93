"""What answers that are not equivalent are instead (Bulian et al. 2022, Fig. 1)."""

from collections.abc import Iterator

import numpy as np

from tomahto.releases.dataset.dataset import Dataset

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
    items, labels = dataset.items, dataset.items.labels
    outcomes, f1s = labels.each_outcome(), items.each_f1()
    for label, outcome, f1, count in zip(
        labels.each("label"), outcomes, f1s, different, strict=True
    ):
        others = outcome.ratings - outcome.votes[equivalent]
        if label == EQUIVALENT:
            yield EQUIVALENT, f1
        elif others:
            yield (DIFFERENT if 2 * count > others else LESS), f1
