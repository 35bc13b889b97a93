"""The features of feather: dense features of a candidate beside one reference.

Every feature is computed from its own row alone, from whole numbers, so a row gets the same
values whatever stands beside it in a batch. A feature that has no value in a row (the share of
the reference's years, where it has none) is -1.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from tomahto.learning.token_rows import Row
from tomahto.matching.feather.comparison import (
    SAME,
    SAME_STEM,
    Compared,
    Features,
    Mask,
    compare_rows,
    mean,
    share,
    smallest,
)
from tomahto.matching.feather.texts import MAX_WORDS, Lexicon
from tomahto.types import Floats, Integers

_NO_GAP_NUMBER, _NO_GAP_YEAR = 2, 5000


def number_features(compared: Compared) -> Features:
    candidate, reference = compared.candidate.facts, compared.reference.facts
    similarity, numbers = compared.alignment.similarity, compared.alignment.numbers
    left, right = reference.at(numbers.reference), candidate.at(numbers.candidate)
    difference = np.abs(left["value"] - right["value"])
    known = (left["value"] >= 0) & (right["value"] >= 0)
    largest = np.maximum(np.maximum(left["value"], right["value"]), 1)
    years = left["year"] & right["year"]
    unknown = ~compared.occurs.reference_in_question & reference["number"]
    return {
        "number_recall": mean(compared.reference, similarity, reference["number"]),
        "year_recall": mean(compared.reference, similarity, reference["year"]),
        "novel_number_recall": mean(compared.reference, similarity, unknown),
        "number_gap": smallest(
            numbers.row, np.where(known, difference / largest, 1), compared.n_rows, _NO_GAP_NUMBER
        ),
        "year_gap": smallest(numbers.row[years], difference[years], compared.n_rows, _NO_GAP_YEAR),
        "same_period": _same_period(compared),
        "added_numbers": compared.candidate.count(compared.added & candidate["number"]),
        "added_years": compared.candidate.count(compared.added & candidate["year"]),
        "reference_numbers": compared.reference.count(reference["number"]),
        "candidate_numbers": compared.candidate.count(candidate["number"]),
        "reference_years": compared.reference.count(reference["year"]),
        "candidate_years": compared.candidate.count(candidate["year"]),
    }


def _same_period(compared: Compared) -> Integers:
    """2 if one side names the other's decade, 1 if only its century, 0 otherwise."""
    numbers = compared.alignment.numbers
    left = compared.reference.facts.at(numbers.reference)
    right = compared.candidate.facts.at(numbers.candidate)
    coarse = (left["year"] & right["decade"]) | (left["decade"] & right["year"])
    coarse |= left["decade"] & right["decade"]
    decade = coarse & (left["value"] // 10 == right["value"] // 10)
    century = left["year"] & right["ordinal"] & (_century(left["value"]) == right["value"])
    century |= left["ordinal"] & right["year"] & (left["value"] == _century(right["value"]))
    rows = [
        np.bincount(numbers.row[which], minlength=compared.n_rows) for which in (decade, century)
    ]
    return np.where(rows[0] > 0, 2, np.where(rows[1] > 0, 1, 0))


def _century(year: Floats) -> Floats:
    return (year - 1) // 100 + 1


def place_features(compared: Compared) -> Features:
    candidate, span = compared.candidate, compared.span
    ends = candidate.facts["sentence_end"]
    late = ends & (candidate.position > 2)
    first_sentence = smallest(
        np.append(candidate.row[late], np.arange(compared.n_rows)),
        np.append(candidate.position[late] + 1, candidate.size),
        compared.n_rows,
        np.inf,
    )
    return {
        "first_hit": np.where(span.found, span.first, -1),
        "relative_first_hit": np.where(span.found, share(span.first, candidate.size), -1),
        "compactness": np.where(span.found, share(span.n_hits, span.last - span.first + 1), -1),
        "adjacent": _adjacent(compared),
        "name_before": _name_at(compared, span.first - 1),
        "name_after": _name_at(compared, span.last + 1),
        "hit_in_first_sentence": np.where(span.found, span.first < first_sentence, -1),
        "first_sentence": first_sentence,
        "sentences": candidate.count(ends),
    }


def _adjacent(compared: Compared) -> Floats:
    """The share of neighbours in the reference that are neighbours in the candidate too."""
    reference, alignment = compared.reference, compared.alignment
    together = alignment.hit[1:] & alignment.hit[:-1]
    together &= reference.row[1:] == reference.row[:-1]
    together &= alignment.position[1:] == alignment.position[:-1] + 1
    n_together = np.bincount(reference.row[1:][together], minlength=compared.n_rows)
    return np.where(reference.size > 1, share(n_together, reference.size - 1), -1)


def _name_at(compared: Compared, position: Integers) -> Mask:
    """Whether an added name or number stands at that position of the candidate."""
    candidate, facts = compared.candidate, compared.candidate.facts
    name = np.append(compared.added & (facts["capital"] | facts["number"]), False)
    inside = compared.span.found & (position >= 0) & (position < candidate.size)
    found: Mask = name[np.where(inside, candidate.start + position, -1)]
    return found


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
    asked = [number for _, _, number in compared.number_lists]
    bits_of = {number: _kind_bits(compared.phrases[number]) for number in set(asked)}
    bits = np.array([bits_of[number] for number in asked], dtype=np.int64)
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
        **{kind: bits & _bits(kind) > 0 for kind in _KINDS},
    }


def _kind_bits(question: Sequence[str]) -> int:
    bits = 0
    for word, following in zip_longest(question, question[1:], fillvalue=""):
        bits |= _BITS_OF.get(word, 0)
        if word in _BEGIN_PAIRS:
            bits |= _BITS_OF.get(f"{word} {following}", 0)
    if question and question[0] in _BEGINNINGS:
        bits |= _bits("asks_yes_or_no")
    return bits


def feature_matrix(compared: Compared) -> Floats:
    """One line per row, one column per feature, in the order of `FEATURES`."""
    columns: dict[str, NDArray[np.generic]] = {}
    for features in FEATURE_GROUPS.values():
        columns.update(features(compared))
    return np.column_stack([column.astype(np.float64) for column in columns.values()])


def _overlap(compared: Compared) -> Features:
    candidate, reference = compared.candidate, compared.reference
    similarity = compared.alignment.similarity
    precision = share(candidate.count(compared.occurs.candidate_in_reference), candidate.size)
    stem_recall = share(reference.count(similarity >= SAME_STEM), reference.size)
    both = np.where(precision + stem_recall > 0, precision + stem_recall, 1)
    squashed = ["".join(words) for words in compared.phrases]
    pairs = [(squashed[c], squashed[r]) for c, r, _ in compared.number_lists]
    return {
        "recall": share(reference.count(similarity == SAME), reference.size),
        "precision": precision,
        "stem_recall": stem_recall,
        "f1": 2 * precision * stem_recall / both,
        "reference_inside_candidate": np.array([r in c for c, r in pairs]),
        "candidate_inside_reference": np.array([c in r for c, r in pairs]),
    }


def _likeness(compared: Compared) -> Features:
    reference, novel = compared.reference, compared.novel
    similarity, length = compared.alignment.similarity, compared.reference.facts["length"]
    content = ~reference.facts["stop"]
    soft = mean(reference, similarity, np.ones(len(similarity), dtype=np.bool_))
    content_recall = mean(reference, similarity, content, otherwise=soft)
    ends = _ends(compared)
    return {
        "soft_recall": soft,
        "content_recall": content_recall,
        "weighted_recall": mean(reference, similarity, content, weight=length, otherwise=soft),
        "novel_recall": mean(reference, similarity, novel, otherwise=content_recall),
        "novel_weighted": mean(
            reference, similarity, novel, weight=length, otherwise=content_recall
        ),
        "worst_content": _worst(compared, content, otherwise=soft),
        "worst_novel": _worst(compared, novel, otherwise=soft),
        "novel_missing": reference.count(novel & ~compared.alignment.hit),
        "name_recall": mean(reference, similarity, novel & reference.facts["capital"]),
        "first_word": ends[0],
        "last_word": ends[1],
        "acronym": _acronyms(compared),
    }


def _additions(compared: Compared) -> Features:
    candidate, added = compared.candidate, compared.added
    news = ~compared.occurs.candidate_in_question & ~candidate.facts["stop"]
    n_news = candidate.count(news)
    answering = candidate.count(news & compared.occurs.candidate_in_reference)
    names = added & candidate.facts["capital"]
    return {
        "explained": share(candidate.count(compared.occurs.candidate_explained), candidate.size),
        "added_words": candidate.count(added),
        "added_names": candidate.count(names & (candidate.position > 0)),
        "news": n_news,
        "news_precision": np.where(n_news > 0, share(answering, n_news), -1),
    }


def _wording(compared: Compared) -> Features:
    candidate, reference = compared.candidate, compared.reference
    facts = candidate.facts
    before = np.concatenate([[0], np.cumsum(facts["negation"])])
    places = np.arange(len(candidate.row))
    begin = candidate.start[candidate.row]
    negated = before[places + 1] > before[np.maximum(places - 3, begin)]
    hit = candidate.start + np.where(compared.span.found, compared.span.first, 0)
    lead = [words[0] if words else "" for words in compared.phrases]
    return {
        "negated_hit": before[hit] - before[np.maximum(hit - 5, candidate.start)],
        "candidate_negations": candidate.count(facts["negation"]),
        "reference_negations": reference.count(reference.facts["negation"]),
        "refusal": candidate.count(facts["unknowing"] | (facts["knowing"] & negated)),
        "contrast": candidate.count(facts["contrast"]),
        "alternative": candidate.count(facts["alternative"]),
        "hedge": candidate.count(facts["hedge"]),
        "polarity": np.array(
            [
                -1 if {lead[c], lead[r]} == {"yes", "no"} else int(lead[c] == lead[r])
                for c, r, _ in compared.number_lists
            ]
        ),
    }


def _sizes(compared: Compared) -> Features:
    candidate, reference, question = compared.candidate, compared.reference, compared.question
    lengths = [
        np.bincount(places.row, places.facts["length"], compared.n_rows)
        for places in (candidate, reference)
    ]
    return {
        "candidate_words": candidate.size,
        "reference_words": reference.size,
        "question_words": question.size,
        "size_ratio": share(reference.size, candidate.size),
        "candidate_letters": lengths[0],
        "reference_letters": lengths[1],
        "reference_names": share(reference.count(reference.facts["capital"]), reference.size),
        "candidate_names": share(candidate.count(candidate.facts["capital"]), candidate.size),
    }


def _worst(compared: Compared, which: Mask, *, otherwise: Floats) -> Floats:
    reference = compared.reference
    worst = smallest(
        reference.row[which], compared.alignment.similarity[which], compared.n_rows, np.inf
    )
    return np.where(np.isfinite(worst), worst / SAME, otherwise)


def _ends(compared: Compared) -> tuple[Floats, Floats]:
    """The similarity at which the first and the last word of the reference are found; 0 without
    words."""
    reference = compared.reference
    similarity = np.append(compared.alignment.similarity, 0)
    first = np.where(reference.size > 0, reference.start, -1)
    last = np.where(reference.size > 0, reference.start + reference.size - 1, -1)
    return similarity[first] / SAME, similarity[last] / SAME


def _acronyms(compared: Compared) -> Mask:
    """Whether one side is a word in capitals only and the other side has these initials."""
    raw = compared.texts.raw
    short = np.array([len(words) == 1 and words[0].isupper() for words in raw], dtype=np.bool_)
    candidate, reference, _ = compared.numbers.T
    result = np.zeros(compared.n_rows, dtype=np.bool_)
    for row in np.flatnonzero(short[candidate] != short[reference]).tolist():
        texts = raw[candidate[row]], raw[reference[row]]
        word, name = texts if short[candidate[row]] else reversed(texts)
        letters = "".join(filter(str.isalpha, word[0]))
        initials = "".join(part[0] for part in name if part[0].isupper())
        result[row] = len(letters) > 1 and letters in initials
    return result


FEATURE_GROUPS: Mapping[str, Callable[[Compared], Features]] = {
    "overlap": _overlap,
    "likeness": _likeness,
    "numbers": number_features,
    "additions": _additions,
    "place": place_features,
    "wording": _wording,
    "sizes": _sizes,
    "question": question_features,
}
# The columns of a feature matrix: what the groups give for a row, in their order.
FEATURES: Sequence[str] = tuple(
    name
    for features in FEATURE_GROUPS.values()
    for name in features(compare_rows([Row("", "", "")], Lexicon()))
)
FEATURES_SIGNATURE = (
    f"tok:canonical-words,{MAX_WORDS}|align:stem,letter-pairs|features:{len(FEATURES)},v1"
)
