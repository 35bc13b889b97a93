"""The format of the public files of answer equivalence (Bulian et al. 2022): one line per rating.

It is read again by `tomahto.interchange.formats.ae`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.dataset.released_items import ReleasedItem
from tomahto.releases.files.tables import ROW_GROUP
from tomahto.releases.files.text_files import FormatFile, json_text
from tomahto.releases.records.ratings import Ratings

QUESTION_FIELDS: Final = {f"q{number}": f"question_{number}" for number in range(1, 5)}
NOT_ASKED: Final = "undefined"  # the answer to such a question
_EQUIVALENT = {"q1": "no", "q2": "yes"}  # the only answers that make the label (§3.4)


def ae_files(dataset: Dataset) -> Iterator[FormatFile]:
    """`ae/SPLIT.jsonl`; surplus ratings have no place in this format."""
    return _ae_files(dataset, _EQUIVALENT)


def ae_files_0_1_0(dataset: Dataset) -> Iterator[FormatFile]:
    """As that version wrote them: without an answer for a rating that has a label only."""
    return _ae_files(dataset, {})


def _ae_files(dataset: Dataset, equivalent: Mapping[str, str]) -> Iterator[FormatFile]:
    for split, items in dataset.items_by_split.items():
        size = int(items.labels.ratings.sum())
        yield FormatFile(f"ae/{split}.jsonl", _ae_lines(dataset, split, equivalent), size)


def _ae_lines(
    dataset: Dataset, split: str, if_equivalent: Mapping[str, str]
) -> Iterator[Iterable[str]]:
    """The counted ratings of a split, in groups. `score` is the mean equivalence of the item's
    ratings. A rating that has a label only is answered as far as the label leaves no choice, which
    is Q1 and Q2 `if_equivalent`.

    Ratings of an item are in the order of their answers: the format does not say who rated, so who
    imports it can tell raters by their place alone, and a release of what was imported has the same
    lines.
    """
    equivalent = dataset.terms.scheme.index_of["equivalent"]
    ratings = dataset.ratings_by_split[split]
    sets = ratings.answer_sets
    ends = [_ae_answers(answers) for answers in (*sets, *(each or if_equivalent for each in sets))]
    counted = _by_answers(
        _with_own_sets(ratings.where(ratings.rows["is_counted"]), equivalent), ends
    )
    for group in counted.groups(ROW_GROUP):
        places = group.rows["item"].tolist()
        starts = {
            place: _ae_start(dataset.items[place], equivalent) for place in sorted(set(places))
        }
        given = group.rows["answers"].tolist()
        yield [
            f"{starts[place]},{ends[answers]}\n"
            for place, answers in zip(places, given, strict=True)
        ]


def _with_own_sets(ratings: Ratings, equivalent: int) -> Ratings:
    """Ratings with this label have their answers in the second half of twice the sets."""
    rows = ratings.rows.copy()
    rows["answers"][rows["label"] == equivalent] += len(ratings.answer_sets)
    return replace(ratings, rows=rows)


def _by_answers(ratings: Ratings, ends: Sequence[str]) -> Ratings:
    _, rank = np.unique(np.array(ends, np.str_), return_inverse=True)
    order = np.lexsort((rank[ratings.rows["answers"]], ratings.rows["item"]))
    return replace(ratings, rows=ratings.rows[order])


def _ae_start(item: ReleasedItem, equivalent: int) -> str:
    record, label = item.record, item.label
    return json_text(
        {
            "qid": record.question_id,
            "context": record.context,
            "question": record.question,
            "reference": record.references[0],
            "candidate": record.candidate,
            "gold_index": record.reference_index,
            "score": label.votes[equivalent] / label.ratings,
        }
    ).removesuffix("}")


def _ae_answers(answers: Mapping[str, str]) -> str:
    return json_text(
        {field: answers.get(key, NOT_ASKED) for key, field in QUESTION_FIELDS.items()}
    ).removeprefix("{")
