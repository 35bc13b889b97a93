"""The features of feather: dense features of a candidate beside one reference.

Every feature is computed from its own row alone, from whole numbers, so a row gets the same
values whatever stands beside it in a batch. A feature that has no value in a row (the share of
the reference's years, where it has none) is -1.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tomahto.learning.token_rows import Row
from tomahto.matching.feather.alignment import SAME, SAME_STEM, smallest
from tomahto.matching.feather.comparison import (
    Compared,
    Features,
    Mask,
    compare_rows,
    mean,
    share,
)
from tomahto.matching.feather.number_features import number_features
from tomahto.matching.feather.place_features import place_features
from tomahto.matching.feather.question_features import question_features
from tomahto.matching.feather.texts import MAX_WORDS, Lexicon
from tomahto.types import Floats


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
    """How alike the first and the last word of the reference are found; 0 without words."""
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
