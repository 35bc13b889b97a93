"""Answers as the official SQuAD evaluation reads them: normal form, exact match, token overlap.

The rules are those of the evaluation scripts of SQuAD v1.1 (Rajpurkar et al. 2016, §6.1) and
v2.0 (Rajpurkar et al. 2018); where the two differ, on answers without tokens, v2.0 is followed.
Typographic quotes and dashes are no ASCII punctuation and stay, as they do there.
"""

import re
import string
from collections import Counter
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import NamedTuple

_WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)
_PUNCTUATION = string.punctuation.encode()
_LOWER_CASE = bytes(range(128)).lower() + bytes(range(128, 256))
_ARTICLES = frozenset({"a", "an", "the"})
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")


class Overlap(NamedTuple):
    """How many tokens a candidate shares with a reference, each value from 0 to 1.

    `precision` is the share of the candidate's tokens, `recall` the share of the reference's
    tokens, `f1` their harmonic mean.
    """

    f1: float
    precision: float
    recall: float


_ALL = Overlap(1.0, 1.0, 1.0)
_NOTHING = Overlap(0.0, 0.0, 0.0)


def tokens(text: str) -> list[str]:
    """The text's words in lower case, without ASCII punctuation and without a, an and the.

    Punctuation is deleted before articles are looked for, so `a.m.` becomes `am` and stays.
    """
    if text.isascii() and text.isprintable():
        words = text.encode().translate(_LOWER_CASE, _PUNCTUATION).decode().split()
        # Letters, digits and spaces only: every article stands between spaces.
        return words if _ARTICLES.isdisjoint(words) else [w for w in words if w not in _ARTICLES]
    return _ARTICLE.sub(" ", text.lower().translate(_WITHOUT_PUNCTUATION)).split()


def normalise(text: str) -> str:
    """The tokens of the text, joined by single spaces."""
    return " ".join(tokens(text))


def exact_match(candidate: str, references: Sequence[str]) -> bool:
    """Whether the candidate's normal form equals that of any reference."""
    answer = tokens(candidate)
    return any(answer == tokens(reference) for reference in references)


def token_overlap(candidate: str, reference: str) -> Overlap:
    """Overlap of the two bags of tokens.

    If either has no tokens, all values are 1 when both have none and 0 otherwise.
    """
    return bag_overlap(tokens(candidate), tokens(reference))


def best_overlap(candidate: str, references: Sequence[str]) -> Overlap:
    """The overlap with the reference of highest F1; of equal ones the first.

    Raises ValueError if there are no references.
    """
    if not references:
        raise ValueError("an overlap needs at least one reference")
    return best_of(tokens(candidate), map(tokens, references))


def best_of(candidate: list[str], references: Iterable[list[str]]) -> Overlap:
    """As `best_overlap`, of answers whose tokens are at hand."""
    overlaps = (bag_overlap(candidate, reference) for reference in references)
    return max(overlaps, key=attrgetter("f1"))


def bag_overlap(candidate: list[str], reference: list[str]) -> Overlap:
    """As `token_overlap`, of answers whose tokens are at hand."""
    if not candidate or not reference:
        return _ALL if candidate == reference else _NOTHING
    shared = _shared_tokens(candidate, reference)
    if shared == 0:
        return _NOTHING
    precision = shared / len(candidate)
    recall = shared / len(reference)
    # The order of operations is the official script's, so that sums agree to the last digit.
    return Overlap((2 * precision * recall) / (precision + recall), precision, recall)


def _shared_tokens(candidate: list[str], reference: list[str]) -> int:
    """Size of the intersection of two bags of tokens."""
    kinds = set(candidate)
    shared = kinds.intersection(reference)
    if not shared or len(kinds) == len(candidate):
        # Each token occurs once in the candidate, so it is shared at most once.
        return len(shared)
    in_candidate, in_reference = Counter(candidate), Counter(reference)
    return sum(min(in_candidate[token], in_reference[token]) for token in shared)
