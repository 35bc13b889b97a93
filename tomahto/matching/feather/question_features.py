"""The features of the question: its kind, and how much of it the answers repeat."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest

import numpy as np

from tomahto.matching.feather.comparison import Compared, Features, share


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _pairs(first: str, seconds: str) -> frozenset[str]:
    return frozenset(f"{first} {second}" for second in seconds.split())


# A question is of a kind if one of these words or pairs of words occurs in it.
_KINDS: Mapping[str, frozenset[str]] = {
    "asks_who": _words("who whose whom"),
    "asks_when": _words("when") | _pairs("what", "year date day month time") | {"which year"},
    "asks_where": _words("where") | _pairs("what", "city country state"),
    "asks_how_many": _pairs("how", "many much long old far tall big large high often")
    | _pairs("what", "percent percentage"),
    "asks_how_or_why": _words("how why"),
    "asks_what": _words("what which"),
    "asks_or": _words("or"),
    "asks_yes_or_no": frozenset(),  # told by the first word alone
    "asks_for_several": _words("are were all list names"),
    "asks_for_a_name": _words(
        "name called song movie book film show played plays sang sings singer actor wrote"
    ),
}
_BEGINNINGS = _words("is are was were do does did can could has have will would should")


def _bits(kind: str) -> int:
    return 1 << list(_KINDS).index(kind)


_BITS_OF: Mapping[str, int] = {
    words: sum(_bits(kind) for kind in _KINDS if words in _KINDS[kind])
    for words in frozenset().union(*_KINDS.values())
}
_BEGIN_PAIRS = frozenset(words.split()[0] for words in _BITS_OF if " " in words)


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
    bits_of = {number: _kind_bits(compared.phrases[number]) for number in set(asked)}
    bits = np.array([bits_of[number] for number in asked], dtype=np.int64)
    return {kind: bits & _bits(kind) > 0 for kind in _KINDS}


def _kind_bits(question: Sequence[str]) -> int:
    bits = 0
    for word, following in zip_longest(question, question[1:], fillvalue=""):
        bits |= _BITS_OF.get(word, 0)
        if word in _BEGIN_PAIRS:
            bits |= _BITS_OF.get(f"{word} {following}", 0)
    if question and question[0] in _BEGINNINGS:
        bits |= _bits("asks_yes_or_no")
    return bits
