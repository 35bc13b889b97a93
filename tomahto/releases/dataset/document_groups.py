"""Documents that must not be parted, since they ask the same questions, give or take a word."""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from tomahto.releases.records.records import AnswerRecord, ItemRecord, SplitSpec
from tomahto.text.components import connected_components
from tomahto.text.near_duplicates import near_duplicate_groups
from tomahto.text.same_question import question_tokens


class AskedQuestion(NamedTuple):
    """A question in its document, the split that its source has it in, and the first item (by id)
    that it is asked in; "" if there is none."""

    document: str
    question_id: str
    question: str
    source_split: str
    item_id: str


def near_duplicate_questions(
    items: Iterable[ItemRecord],
    answers: Iterable[AnswerRecord] = (),
    *,
    tokens_of: Callable[[str], Iterable[str]] = question_tokens,
) -> list[tuple[AskedQuestion, ...]]:
    """Groups of questions that are near-duplicates, sorted and the same in whatever order items
    and answers come. A question that is near to no other is in none."""
    first: dict[tuple[str, str, str, str], str] = {}
    for item in items:
        key = (item.document, item.question_id, item.question, item.source_split)
        first[key] = min(first.get(key, item.id), item.id)
    for asked in (answer.question for answer in answers):
        first.setdefault((asked.document, asked.id, asked.question, asked.source_split), "")
    questions = [AskedQuestion(*key, first[key]) for key in sorted(first)]
    groups = near_duplicate_groups(
        [question.question for question in questions], tokens_of=tokens_of
    )
    return [tuple(questions[place] for place in group) for group in groups]


def across_documents(
    groups: Iterable[Sequence[AskedQuestion]],
) -> list[tuple[AskedQuestion, ...]]:
    """The groups whose questions belong to more than one document."""
    return [tuple(group) for group in groups if len({asked.document for asked in group}) > 1]


def divided_questions(
    groups: Iterable[Sequence[AskedQuestion]], spec: SplitSpec
) -> list[list[AskedQuestion]]:
    """Of each group those that are in no split of the source that is kept."""
    return [
        [asked for asked in group if not spec.kept_split(asked.source_split)] for group in groups
    ]


def document_groups(
    documents: Iterable[str], duplicates: Iterable[Sequence[AskedQuestion]]
) -> list[list[str]]:
    """The documents in groups that share a near-duplicate question, directly or by way of others;
    single documents included, all sorted."""
    names = sorted(documents)
    numbers = {name: number for number, name in enumerate(names)}
    edges = (
        (numbers[one.document], numbers[other.document])
        for group in duplicates
        for one, other in pairwise(group)
    )
    components = connected_components(len(names), edges)
    return [[names[number] for number in component] for component in components]


def parted_questions(
    duplicates: Iterable[Sequence[AskedQuestion]], split_of: Callable[[AskedQuestion], str]
) -> list[tuple[AskedQuestion, ...]]:
    """The groups of near-duplicates that are on two sides, given the split of each question."""
    return [tuple(group) for group in duplicates if len({split_of(asked) for asked in group}) > 1]
