"""Checks that every record must pass before it can be written to every format."""

import math
from collections.abc import Iterable, Mapping, Sequence, Set

from tomahto.releases.records.columns import RESERVED_NAMES
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.records.records import (
    AdjudicationRecord,
    AnswerRecord,
    ItemRecord,
    RatingRecord,
)
from tomahto.text.normalisation import ExactRule, exact_match, is_exact
from tomahto.votes.remarks import Remark
from tomahto.votes.scheme import QuestionScheme


def check_terms(
    protocol: str,
    labels: Sequence[str],
    question_keys: Sequence[str],
    question_schemes: Sequence[QuestionScheme],
) -> None:
    """Raise ReleaseError if a question has the name of a column or of another question, answers
    belong to no question, or `ae` lacks the label that its public format is about."""
    clash = RESERVED_NAMES.intersection(question_keys)
    if clash:
        raise ReleaseError(f"a question cannot be called {', '.join(sorted(clash))}")
    if len(set(question_keys)) != len(question_keys):
        raise ReleaseError(f"questions repeat: {', '.join(question_keys)}")
    described = [scheme.key for scheme in question_schemes]
    if len(set(described)) != len(described) or not set(described) <= set(question_keys):
        raise ReleaseError(f"answers to {', '.join(described)}, not once each to a question")
    if protocol == "ae" and "equivalent" not in labels:
        raise ReleaseError("protocol `ae` has no label `equivalent`")


def check_item(item: ItemRecord, protocol: str) -> None:
    """Raise ReleaseError if the item has no id, a text is not Unicode, or `ae` lacks its one
    reference (the public AE format has room for one)."""
    if not item.id:
        raise ReleaseError("an item has an empty id")
    names = (item.id, item.document, item.question_id, item.question_type, item.source_split)
    references = (*item.references, *item.unrated_references)
    texts = (item.question, item.context, *references, item.candidate, item.intended)
    if not _is_unicode((*names, *item.systems, *texts)):
        raise ReleaseError(f"item {item.id!r}: a text contains half a surrogate pair")
    if protocol == "ae" and len(item.references) != 1:
        raise ReleaseError(f"item {item.id!r}: {len(item.references)} references; `ae` rates one")


def check_rater(rating: RatingRecord) -> None:
    """Raise ReleaseError if the rater's name is not Unicode."""
    if not _is_unicode((rating.rater,)):
        raise ReleaseError(f"{_who(rating)}: a text contains half a surrogate pair")


def check_answers(
    rating: RatingRecord, question_keys: Set[str], question_schemes: Mapping[str, QuestionScheme]
) -> None:
    """Raise ReleaseError if the rating answers an unknown question or one with what it does not
    permit, answers the question `label` with another label than it has, or an answer is not
    Unicode."""
    answers = rating.answers
    if not answers.keys() <= question_keys:
        unknown = ", ".join(sorted(answers.keys() - question_keys))
        raise ReleaseError(f"{_who(rating)}: the protocol does not ask {unknown}")
    if answers.get("label", rating.label) != rating.label:
        label = answers["label"]
        raise ReleaseError(f"{_who(rating)}: label {rating.label!r}, answered {label!r}")
    for key, answer in answers.items():
        if key in question_schemes and not question_schemes[key].permits(answer):
            raise ReleaseError(f"{_who(rating)}: {answer!r} is not an answer to {key}")
    if not _is_unicode(answers.values()):
        raise ReleaseError(f"{_who(rating)}: a text contains half a surrogate pair")


def check_remark(rating: RatingRecord, remark: Remark) -> None:
    """Raise ReleaseError if the rating's text does not match the remark's pattern, or is not
    Unicode."""
    text = getattr(rating, remark.name)
    if fault := remark.mismatch(text):
        raise ReleaseError(f"{_who(rating)}: {fault}")
    if not _is_unicode((text,)):
        raise ReleaseError(f"{_who(rating)}: the {remark.name} contains half a surrogate pair")


def check_rating(rating: RatingRecord) -> None:
    """Raise ReleaseError if the seconds are no finite number, the time has no zone, or a rating
    that is set aside is counted."""
    if rating.seconds is not None and not math.isfinite(rating.seconds):
        raise ReleaseError(f"{_who(rating)}: {rating.seconds} seconds")
    if rating.rated_at is not None and rating.rated_at.utcoffset() is None:
        raise ReleaseError(f"{_who(rating)}: the time has no time zone")
    if rating.counted and rating.set_aside:
        raise ReleaseError(f"{_who(rating)}: what is set aside is not counted")


def check_adjudication(adjudication: AdjudicationRecord, labels: Sequence[str]) -> None:
    """Raise ReleaseError if a label is not one of the protocol's or the name is not Unicode."""
    who = f"item {adjudication.item_id!r}, adjudicator {adjudication.adjudicator!r}"
    for label in (adjudication.label, adjudication.first_label):
        if label is not None and label not in labels:
            raise ReleaseError(f"{who}: label {label!r} is not one of {', '.join(labels)}")
    if not _is_unicode((adjudication.adjudicator,)):
        raise ReleaseError(f"{who}: a text contains half a surrogate pair")


def check_answer(answer: AnswerRecord) -> None:
    """Raise ReleaseError if question or system has no name, a text is not Unicode, or an exact
    answer is none of its references by any rule."""
    question, who = (
        answer.question,
        f"answer of {answer.system!r} to question {answer.question.id!r}",
    )
    if not question.id or not answer.system:
        raise ReleaseError(f"{who}: a name is empty")
    names = (question.id, question.document, question.source_split, answer.system, *answer.items)
    texts = (question.question, question.context, *question.references, answer.candidate)
    if not _is_unicode((*names, *texts)):
        raise ReleaseError(f"{who}: a text contains half a surrogate pair")
    if answer.settled == "exact" and not _is_a_reference(answer.candidate, question.references):
        raise ReleaseError(f"{who}: is marked as exact, but is not one of the references")


def _is_a_reference(candidate: str, references: Sequence[str]) -> bool:
    """By either rule: an answer stays as it was settled when it was taken in, and the rule of the
    campaign may be another one since. The first releases could have an empty answer as exact."""
    return exact_match(candidate, references) or is_exact(candidate, references, ExactRule.STRICT)


def _who(rating: RatingRecord) -> str:
    return f"item {rating.item_id!r}, rater {rating.rater!r}"


def _is_unicode(texts: Iterable[str]) -> bool:
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        return False
    return True
