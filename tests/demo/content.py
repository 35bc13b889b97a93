"""Reads the demo content for its tests, on purpose without any code of the product."""

import json
import re
import string
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import krippendorff
import numpy as np

DEMO = Path(__file__).parents[2] / "demo"
SYSTEMS = ("juniper", "marigold", "thistle")
RATERS = ("demo-rater-1", "demo-rater-2", "demo-rater-3")

Row = dict[str, Any]


class Question(NamedTuple):
    id: str
    document: str
    context: str
    text: str
    answers: tuple[tuple[str, int], ...]  # each with its offset in the context, in characters
    is_impossible: bool

    @property
    def references(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(text for text, _ in self.answers))


class AeItem(NamedTuple):
    document: str
    question: str
    context: str
    reference: str
    candidate: str


def read_json(name: str) -> Row:
    content: Row = json.loads((DEMO / name).read_text(encoding="utf-8"))
    return content


def read_lines(name: str) -> list[Row]:
    return [json.loads(line) for line in (DEMO / name).read_text(encoding="utf-8").splitlines()]


def read_questions() -> list[Question]:
    return [
        Question(
            qa["id"],
            article["title"],
            paragraph["context"],
            qa["question"],
            tuple((answer["text"], answer["answer_start"]) for answer in qa["answers"]),
            qa["is_impossible"],
        )
        for article in read_json("questions.json")["data"]
        for paragraph in article["paragraphs"]
        for qa in paragraph["qas"]
    ]


def answerable_questions() -> list[Question]:
    return [question for question in read_questions() if not question.is_impossible]


def read_predictions() -> dict[str, dict[str, str]]:
    return {system: read_json(f"predictions/{system}.json") for system in SYSTEMS}


def tokens(text: str) -> list[str]:
    """The tokens that SQuAD's normalisation leaves."""
    bare = "".join(char for char in text.lower() if char not in string.punctuation)
    return re.sub(r"\b(a|an|the)\b", " ", bare).split()


def is_exact(candidate: str, references: Iterable[str]) -> bool:
    return tokens(candidate) in [tokens(reference) for reference in references]


def paired_items() -> set[AeItem]:
    """Every candidate that is no exact match, with every reference of its question."""
    candidates = read_predictions()
    return {
        AeItem(question.document, question.text, question.context, reference, candidate)
        for question in answerable_questions()
        for candidate in {candidates[system][question.id] for system in SYSTEMS}
        if not is_exact(candidate, question.references)
        for reference in question.references
    }


def ae_item(rating: Row) -> AeItem:
    return AeItem(*(rating[name] for name in AeItem._fields))


def ae_reading(rating: Row) -> str:
    """The finer reading of the answers. Raises ValueError if they break the branch rule."""
    match rating["q1"], rating["q2"], rating["q3"], rating["q4"]:
        case True, None, None, None:
            return "completely-different"
        case False, True, None, None:
            return "equivalent"
        case False, False, True, False:
            return "loses-information"
        case False, False, False, True:
            return "adds-information"
        case False, False, True, True:
            return "loses-and-adds"
        case False, False, False, False:
            return "otherwise-not-equivalent"
        case answers:
            raise ValueError(f"against the branch rule: {answers}")


def ae_label(rating: Row) -> str:
    return "equivalent" if ae_reading(rating) == "equivalent" else "not-equivalent"


def votes(pairs: Iterable[tuple[object, str]]) -> dict[Any, list[str]]:
    """The labels of every item that has any, from pairs of item and label."""
    labels = defaultdict(list)
    for item, label in pairs:
        labels[item].append(label)
    return dict(labels)


def winners(labels: list[str]) -> set[str]:
    """The labels given most often: one, or several if the vote is tied."""
    most = max(labels.count(label) for label in labels)
    return {label for label in labels if labels.count(label) == most}


def majorities(labels_by_item: dict[Any, list[str]]) -> Iterator[tuple[Any, str]]:
    """Items whose vote is not tied, each with its majority label."""
    for item, labels in labels_by_item.items():
        if len(winners(labels)) == 1:
            yield item, winners(labels).pop()


def nominal_alpha(labels_by_item: dict[Any, list[str]]) -> float:
    domain = sorted({label for labels in labels_by_item.values() for label in labels})
    counts = np.array([[v.count(label) for label in domain] for v in labels_by_item.values()])
    return float(krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"))
