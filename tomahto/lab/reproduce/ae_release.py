"""A release of an answer equivalence campaign, as the public AE files by what they hold."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tomahto.lab.reproduce.ae_files import SCHEME, SPLITS, SYSTEMS, RatedPair, RatedPairs
from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.dataset.released_items import ReleasedItem
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.records.records import AnswerRecord
from tomahto.scoring.squad import SquadQuestion
from tomahto.text.normalisation import ExactRule

Scores = Mapping[str, Mapping[str, float]]
_TRAIN = "train"  # its candidates are of systems of their own (§3.2)


class AeRelease(NamedTuple):
    """The ids of all items, else as the fields of `AeFiles`, with one rule for all systems.
    Questions are those outside `train` that a system of the paper answered; `predictions` are all
    its answers to them, exact ones too. References begin with the question's first, which items
    say; `unordered` are the questions with several of which none does."""

    items: frozenset[str]
    files: Mapping[str, RatedPairs]
    squad: Mapping[str, SquadQuestion]
    texts: Mapping[str, tuple[str, str]]
    predictions: Mapping[str, Mapping[str, str]]
    exact: Mapping[str, frozenset[str]]
    exact_rule: ExactRule
    unordered: frozenset[str]


def ae_release(dataset: Dataset, scores: Scores) -> AeRelease:
    """Splits and systems are known by the paper's names in theirs, as in `xlnet-large`. `scores`
    are those that metrics elsewhere gave its items, by id and metric.

    Raises ReleaseError for a release of another protocol, two systems of one name, and a system
    with several answers to a question.
    """
    if set(dataset.terms.scheme.labels) != set(SCHEME.labels):
        raise ReleaseError(
            f"is of the protocol {dataset.terms.protocol}, not of answer equivalence"
        )
    items = {item.record.id: item for item in dataset.items}
    files = {
        split: RatedPairs(tuple(_pair(item, scores) for item in dataset.items_by_split[split]))
        for split in SPLITS
        if split in dataset.splits
    }
    first = {
        item.record.question_id: item.record.references[0]
        for item in dataset.items
        if item.record.reference_index == 0
    }
    squad, texts, predictions = {}, {}, defaultdict[str, dict[str, str]](dict)
    exact: dict[str, frozenset[str]] = {}
    for name, answers in _by_system(dataset):
        pairs = []
        for answer in answers:
            question = answer.question
            rated = [items[id_] for id_ in answer.items]
            if question.id in predictions[name]:
                raise ReleaseError(f"{answer.system} has several answers to question {question.id}")
            predictions[name][question.id] = (
                rated[0].record.candidate if rated else answer.candidate
            )
            references = sorted(question.references, key=first.get(question.id, "").__ne__)
            squad[question.id] = SquadQuestion(question.id, tuple(references))
            texts[question.id] = (question.question, question.context)
            pairs += [_pair(item, scores, question.id) for item in rated]
        # some of whose items are here, and some are not
        partial = frozenset(
            (one.question.id, one.candidate)
            for one in answers
            if one.settled == "not-rated" and one.items
        )
        files[name] = RatedPairs(tuple(pairs), partial)
        exact[name] = frozenset(one.question.id for one in answers if one.settled == "exact")
    unordered = frozenset(
        key for key, asked in squad.items() if key not in first and len(asked.answers) > 1
    )
    return AeRelease(
        frozenset(items),
        files,
        squad,
        texts,
        predictions,
        exact,
        dataset.terms.exact_rule,
        unordered,
    )


def _by_system(dataset: Dataset) -> Iterator[tuple[str, list[AnswerRecord]]]:
    """The answers of each system of the paper to answerable questions outside `train`."""
    found = defaultdict[str, list[AnswerRecord]](list)
    for answer in dataset.answers:
        if answer.question.references and answer.splits != (_TRAIN,):
            found[answer.system].append(answer)
    names: dict[str, str] = {}
    for system, answers in sorted(found.items()):
        words = re.split(r"[^a-z0-9]+", system.lower())
        name = next((name for name in SYSTEMS if name in words), "")
        if name in names:
            raise ReleaseError(f"{names[name]} and {system} are both {name}")
        if name:
            names[name] = system
            yield name, answers


def _pair(item: ReleasedItem, scores: Scores, question_id: str | None = None) -> RatedPair:
    """The item, of the question whose answer it is: items of questions with the same texts are
    shared."""
    record, votes = item.record, item.label.votes
    return RatedPair(
        question_id or record.question_id,
        record.question,
        record.context,
        record.references[0] if record.references else "",
        record.candidate,
        votes[0],
        sum(votes),
        scores.get(record.id, {}),
        item.label.label,
    )
