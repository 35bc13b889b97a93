"""What feather looks at in the question: its kind, and how much of it the answers repeat."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from inference.matchers.feather_comparison import Compared, Features, share


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _pairs(first: str, seconds: str) -> frozenset[str]:
    return frozenset(f"{first} {second}" for second in seconds.split())


_FIRST_WORD = "asks_yes_or_no"
# A question is of a kind if one of these words or pairs of words occurs in it; of the kind
# above if it begins with one.
_KINDS: Mapping[str, frozenset[str]] = {
    "asks_who": _words("who whose whom"),
    "asks_when": _words("when") | _pairs("what", "year date day month time") | {"which year"},
    "asks_where": _words("where") | _pairs("what", "city country state"),
    "asks_how_many": _pairs("how", "many much long old far tall big large high often")
    | _pairs("what", "percent percentage"),
    "asks_how_or_why": _words("how why"),
    "asks_what": _words("what which"),
    "asks_or": _words("or"),
    _FIRST_WORD: _words("is are was were do does did can could has have will would should"),
    "asks_for_several": _words("are were all list names"),
    "asks_for_a_name": _words(
        "name called song movie book film show played plays sang sings singer actor wrote"
    ),
}


def question_features(compared: Compared) -> Features:
    question, reference = compared.question, compared.reference
    content = ~question.facts["stop"]
    answered = compared.occurs.question_in_candidate
    return {
        "reference_in_question": share(
            reference.count(compared.occurs.reference_in_question), reference.size
        ),
        "question_in_candidate": share(question.count(answered), question.size),
        "question_in_reference": share(
            question.count(compared.occurs.question_in_reference), question.size
        ),
        "question_content_in_candidate": share(
            question.count(answered & content), question.count(content)
        ),
        "question_numbers": question.count(question.facts["number"]),
        "question_names": question.count(question.facts["capital"]),
        **_kinds(compared),
    }


def _kinds(compared: Compared) -> Features:
    asked = [question for _, _, question in compared.number_lists]
    kinds_of = {number: _kinds_of(compared.phrases[number]) for number in set(asked)}
    kinds = np.array([kinds_of[number] for number in asked], dtype=np.bool_)
    return dict(zip(_KINDS, kinds.reshape(len(asked), len(_KINDS)).T, strict=True))


def _kinds_of(question: Sequence[str]) -> list[bool]:
    found = {*question, *map(" ".join, pairwise(question))}
    return [
        not words.isdisjoint(question[:1] if kind == _FIRST_WORD else found)
        for kind, words in _KINDS.items()
    ]
